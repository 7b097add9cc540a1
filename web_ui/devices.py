"""What Home Assistant is told of a table, or of what stands beside the tables: a device, how it is, what happens."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from companion import __version__, games
from companion.refusals import AsTyped
from companion.words import say
from web_ui.house import EVENTS, HouseEvent, RigNow, TableNow

HERE = "here"
"""Stands in topics for the table at which a step was made last, whichever that is."""
PHASES = ("nobody", "move", "chance", "over")
NOBODY: dict[str, Any] = {
    "table": None,
    "game": None,
    "phase": "nobody",
    "seat": None,
    "turn": None,
    "winners": [],
    "rgb": None,
    "week": None,
    "step": None,
}


class TableHere:
    """The table at which a step was made last; one that is over stays until there is a step at another.

    >>> one = TableNow("one", "box", "referee", (), 1, 0, "move", None, False, (), played_at=1)
    >>> two = msgspec.structs.replace(one, table="two", played_at=2)
    >>> here = TableHere()
    >>> for each in (two, one):
    ...     here.told(each)
    >>> here.now.table
    'two'
    >>> here.told(msgspec.structs.replace(one, played_at=3))
    >>> here.now.table
    'one'
    >>> here.gone("one")
    >>> here.now.table
    'two'
    """

    def __init__(self) -> None:
        self._in_play: dict[str, TableNow] = {}
        self.now: TableNow | None = None

    def told(self, now: TableNow) -> None:
        """A table is so now."""
        self._in_play[now.table] = now
        if self.now is None or now.table == self.now.table or now.played_at > self.now.played_at:
            self.now = now

    def gone(self, table: str) -> None:
        """A table is told of no more."""
        self._in_play.pop(table, None)
        if self.now is not None and self.now.table == table and not self.now.over:
            self.now = max(self._in_play.values(), key=lambda each: each.played_at, default=None)


class Names(msgspec.Struct, frozen=True):
    """What a device's message is made with beside what is so."""

    id: str
    base: str
    address: str
    language: str

    def entity(self, name: str, /, **facts: str) -> str:
        """What an entity is called."""
        return say(self.language, f"web.entity.{name}", {key: AsTyped(fact) for key, fact in facts.items()})

    def frame(self, device: dict[str, Any], entities: Mapping[str, dict[str, Any]], of: str) -> bytes:
        """The message by which a device is discovered."""
        whole = {
            "dev": {"mf": "Digside", "sw": __version__, **device},
            "o": {"name": "digside", "sw": __version__},
            "avty_t": f"{self.base}/status",
            "qos": 1,
            "cmps": {name: {"uniq_id": f"{of}_{name}", **each} for name, each in entities.items()},
        }
        return msgspec.json.encode(whole)


def table_state(now: TableNow, *, calls: bool) -> bytes:
    """How a table stands, and whether it calls for the host of the house."""
    return msgspec.json.encode({**_stands(now, len(now.seats)), "calls": calls})


def here_state(now: TableNow | None, calling: Collection[str], seats: int) -> bytes:
    """How the table stands at which a step was made last; which tables of the house call.

    :param now: none where nobody plays.
    :param seats: for so many there are points; None stands for a seat that the game has not.
    """
    stands = _stands(now, seats) if now else {**NOBODY, "points": [None] * seats}
    return msgspec.json.encode({**stands, "calls": bool(calling), "calling": sorted(calling)})


def _stands(now: TableNow, seats: int) -> dict[str, Any]:
    """A table, its seats filled up to a number of them; the colour is of whose turn it is, or of who has won."""
    seat = now.turn if now.turn is not None else now.winners[0] if len(now.winners) == 1 else None
    points = [seat.points for seat in now.seats]
    return {
        "table": now.table,
        "game": _title(now),
        "phase": now.asks,
        "seat": now.turn,
        "turn": now.seats[now.turn].name if now.turn is not None else None,
        "winners": [now.seats[each].name for each in now.winners],
        "rgb": rgb(now.seats[seat].colour) if seat is not None else None,
        "week": now.week,
        "points": [*points, *[None] * (seats - len(points))],
        "step": now.seq,
    }


def rgb(colour: str) -> list[int] | None:
    """A seat's colour as a lamp takes it.

    >>> rgb("#c8553d"), rgb("")
    ([200, 85, 61], None)
    """
    return list(bytes.fromhex(colour[1:])) if colour else None


def event_told(now: TableNow, event: HouseEvent) -> bytes:
    """Something that happened at a table."""
    who = [now.seats[each].name for each in ([event.seat] if event.seat is not None else event.what.get("winners", []))]
    return msgspec.json.encode(
        {
            "event_type": event.kind,
            "table": now.table,
            "game": _title(now),
            "seat": event.seat,
            "who": ", ".join(who) or None,
            "what": event.what,
        }
    )


def table_device(now: TableNow, names: Names) -> bytes:
    """The device of one table, which goes with it: it has points for its seats, and a week where the game has weeks."""
    entities = _table_entities(names, f"{names.base}/{now.table}")
    if now.week is None:
        del entities["week"]
    for number, seat in enumerate(now.seats):
        if seat.points is not None:
            entities[f"points_{number}"] = _points(names, now.table, number, names.entity("points", name=seat.name))
    device = {"ids": [f"digside_{names.id}_{now.table}"], "name": f"{_title(now)} {now.table}", "mdl": _title(now)}
    if names.address:
        device["cu"] = f"{names.address.rstrip('/')}/tv/{now.table}"
    return names.frame(device, entities, device["ids"][0])


def here_device(names: Names, seats: int) -> bytes:
    """The device that stays from game to game: what it has is always the same, whatever is played."""
    entities = _table_entities(names, f"{names.base}/{HERE}")
    entities["calls"]["json_attr_tpl"] = "{{ {'tables': value_json.calling} | to_json }}"
    entities["calls"]["json_attr_t"] = f"{names.base}/{HERE}/state"
    for number in range(seats):
        entities[f"points_{number}"] = _points(names, HERE, number, names.entity("points_of_seat", n=str(number + 1)))
    ours = f"digside_{names.id}_{HERE}"
    device = {"ids": [ours], "name": names.entity("here"), "mdl": "Digside"}
    if names.address:
        device["cu"] = f"{names.address.rstrip('/')}/hall"
    return names.frame(device, entities, ours)


def _table_entities(names: Names, topic: str) -> dict[str, dict[str, Any]]:
    """What every table has, be it one or the one that is played at."""
    state = f"{topic}/state"

    def of(kind: str, key: str, value: str, **more: Any) -> dict[str, Any]:
        return {"p": kind, "stat_t": state, "val_tpl": f"{{{{ {value} }}}}", "name": names.entity(key), **more}

    def sensor(key: str, value: str, **more: Any) -> dict[str, Any]:
        return of("sensor", key, value, **more)

    attributes = ", ".join(f"'{each}': value_json.{each}" for each in ("table", "seat", "rgb", "winners", "calls"))
    shown = {"json_attr_t": state, "json_attr_tpl": f"{{{{ {{{attributes}}} | to_json }}}}"}
    return {
        "turn": sensor("turn", "value_json.turn or '–'", ic="mdi:account-arrow-right"),
        "game": sensor("game", "value_json.game or '–'", ic="mdi:pyramid"),
        "phase": sensor("phase", "value_json.phase", dev_cla="enum", ops=[*PHASES], ic="mdi:progress-clock", **shown),
        "week": sensor("week", "value_json.week", ic="mdi:calendar-week"),
        "calls": of("binary_sensor", "calls", "'ON' if value_json.calls else 'OFF'", ic="mdi:hand-back-right"),
        "events": {
            "p": "event",
            "stat_t": f"{topic}/event",
            "event_types": [*EVENTS],
            "name": names.entity("events"),
        },
    }


def _points(names: Names, table: str, seat: int, name: str) -> dict[str, Any]:
    return {
        "p": "sensor",
        "stat_t": f"{names.base}/{table}/state",
        "val_tpl": f"{{{{ value_json.points[{seat}] }}}}",
        "name": name,
        "ic": "mdi:trophy",
        "stat_cla": "measurement",
    }


def rig_state(now: RigNow) -> dict[str, Any]:
    """How the rig stands."""
    return {
        "shovel": now.shovel,
        "fault": now.fault,
        "link": now.link,
        "rtt_ms": now.rtt_ms,
        "damaged": now.damaged,
        "pump_s": now.pump_s,
    }


def rig_device(now: RigNow, names: Names) -> bytes:
    """The device of what stands beside the tables, with the one button that is everybody's."""
    state, ours = f"{names.base}/rig/state", f"digside_{names.id}"

    def of(kind: str, value: str, name: str, **more: Any) -> dict[str, Any]:
        shown = {"p": kind, "stat_t": state, "val_tpl": f"{{{{ {value} }}}}", "name": names.entity(name)}
        return {**shown, "ent_cat": "diagnostic", **more}

    entities: dict[str, dict[str, Any]] = {
        "stop": {
            "p": "button",
            "cmd_t": f"{names.base}/cmd",
            "pl_prs": "stop",
            "name": names.entity("stop"),
            "ic": "mdi:stop",
        }
    }
    if now.shovel is not None:
        entities["shovel"] = of("sensor", "value_json.shovel", "shovel", ic="mdi:shovel")
        problem = "'ON' if value_json.fault else 'OFF'"
        entities["problem"] = of("binary_sensor", problem, "problem", dev_cla="problem")
        entities["fault"] = of("sensor", "value_json.fault or '–'", "fault", ic="mdi:alert")
        running = {"dev_cla": "duration", "unit_of_meas": "s", "stat_cla": "total_increasing"}
        entities["pump"] = of("sensor", "value_json.pump_s", "pump", **running)
    if now.link is not None:
        up = "'ON' if value_json.link else 'OFF'"
        entities["link"] = of("binary_sensor", up, "link", dev_cla="connectivity")
        entities["rtt"] = of("sensor", "value_json.rtt_ms", "rtt", unit_of_meas="ms", stat_cla="measurement")
        entities["damaged"] = of("sensor", "value_json.damaged", "damaged", stat_cla="total_increasing")
    device = {"ids": [ours], "name": names.entity("rig"), "mdl": now.kind}
    if names.address:
        device["cu"] = f"{names.address.rstrip('/')}/rig"
    return names.frame(device, entities, ours)


def _title(now: TableNow) -> str:
    return games.box(now.box).title
