"""What Home Assistant is told of a table, or of what stands beside the tables: a device, how it is, what happens."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from companion import __version__, games
from companion.refusals import AsTyped
from companion.words import say
from web_ui.house import EVENTS, HouseEvent, RigNow, TableNow


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


def table_state(now: TableNow) -> bytes:
    """How a table stands."""
    turn = now.seats[now.turn].name if now.turn is not None else None
    points = [seat.points for seat in now.seats]
    told = {"game": _title(now), "turn": turn, "week": now.week, "points": points, "step": now.seq}
    return msgspec.json.encode(told)


def event_told(now: TableNow, event: HouseEvent) -> bytes:
    """Something that happened at a table."""
    who = now.seats[event.seat].name if event.seat is not None else None
    return msgspec.json.encode({"event_type": event.kind, "seat": event.seat, "who": who, "what": event.what})


def table_device(now: TableNow, names: Names) -> bytes:
    """The device of a table: whose turn it is, what is played, the week, everybody's points, and what happens."""
    state, ours = f"{names.base}/{now.table}/state", f"digside_{names.id}_{now.table}"

    def sensor(key: str, value: str, **more: Any) -> dict[str, Any]:
        return {"p": "sensor", "stat_t": state, "val_tpl": f"{{{{ {value} }}}}", **more}

    entities = {
        "turn": sensor("turn", "value_json.turn or '–'", name=names.entity("turn"), ic="mdi:account-arrow-right"),
        "game": sensor("game", "value_json.game", name=names.entity("game"), ic="mdi:pyramid"),
        "events": {
            "p": "event",
            "stat_t": f"{names.base}/{now.table}/event",
            "event_types": [*EVENTS],
            "name": names.entity("events"),
        },
    }
    if now.week is not None:
        entities["week"] = sensor("week", "value_json.week", name=names.entity("week"), ic="mdi:calendar-week")
    for number, seat in enumerate(now.seats):
        if seat.points is not None:
            named = names.entity("points", name=seat.name)
            value = f"value_json.points[{number}]"
            entities[f"points_{number}"] = sensor("points", value, name=named, ic="mdi:trophy", stat_cla="measurement")
    device = {"ids": [ours], "name": f"{_title(now)} {now.table}", "mdl": _title(now)}
    if names.address:
        device["cu"] = f"{names.address.rstrip('/')}/tv/{now.table}"
    return names.frame(device, entities, ours)


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
