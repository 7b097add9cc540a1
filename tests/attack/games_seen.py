"""Games that were played honestly, and what a device saw of them; and what somebody needs who wants to forge them."""

from __future__ import annotations

import copy
import json
import random
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from companion.game import ARRANGED, TEACH, Chance, Seat, Setup
from companion.play.dealer import SealedDealer
from companion.play.entries import Departure, DeviceJoined, JournalLine, OutcomeRecorded, ValueTold
from companion.play.hall import Hall
from companion.play.hosting import free_seat, leave_seat, pass_host, sit, want_host
from companion.play.journal import NoJournal
from companion.play.opening import history_of, table_of
from companion.play.record import Record, draws_of, encode, encode_draws, export
from companion.play.stirring import promise
from companion.play.table import HOST, Actor, Table
from tests.attack import stranger
from tests.core.devices import Device, stirred_together
from tests.laws.play import Presser

SECRET = bytes(range(32))
OTHER = bytes(range(100, 132))
SEATS = (Seat("Ada"), Seat("Ben"), Seat("Zoë \u2028 🐪"))
ADA, BEN = Actor("seat", 0), Actor("seat", 1)


class Seen(NamedTuple):
    """A record, what was asked of the luck at each draw, and what a device remembers of the game."""

    record: Any
    draws: Any
    seen: Any

    def copy(self) -> Seen:
        """The same, to be changed."""
        return copy.deepcopy(self)

    @property
    def entries(self) -> list[Any]:
        """Its entries, each with its number and its time."""
        entries: list[Any] = self.record["entries"]
        return entries

    def of(self, kind: str, nth: int = 0) -> Any:
        """The line of an entry of a kind."""
        return [line for line in self.entries if line["entry"]["kind"] == kind][nth]

    def without_heads(self) -> Seen:
        """As somebody who remembers the seal alone."""
        return self._replace(seen={"seal": self.seen["seal"], "heads": [], "parts": []})

    def unseen(self) -> Seen:
        """As somebody who remembers nothing."""
        return self._replace(seen={"seal": None, "heads": [], "parts": []})

    def linked(self, secret: bytes = SECRET) -> Seen:
        """Its chain made to fit, by whoever can read the disk."""
        links = stranger.chain(self.record, secret)
        self.record["head"] = links[-1] if links else None
        return self

    def numbered(self) -> Seen:
        """Its entries counted anew, and what refers to their numbers with them."""
        new = {line["seq"]: number for number, line in enumerate(self.entries, 1)}
        for line in self.entries:
            if line["entry"]["kind"] == "undo":
                back_to = line["entry"]["to"]
                line["entry"]["to"] = max((number for seq, number in new.items() if seq <= back_to), default=0)
        for draw in self.draws["draws"]:
            draw["seq"] = new.get(draw["seq"], draw["seq"])
        for number, line in enumerate(self.entries, 1):
            line["seq"] = number
        return self

    def with_entry(self, at: int, entry: Any) -> Seen:
        """With one more entry, before another."""
        near = self.entries[min(at, len(self.entries) - 1)]
        self.entries.insert(at, {"seq": 10_000, "at": near["at"], "entry": entry})
        return self.numbered()

    def dealt(self, secret: bytes = SECRET, *, stirred: bool = True) -> Seen:
        """Every outcome of the companion as this secret gives it, and the chain made to fit."""
        record = msgspec.convert(self.record, Record)
        history, dealer, draws = history_of(record.laid), SealedDealer(secret), list[Any]()
        for line, told in zip(record.entries, self.entries, strict=True):
            entry, ask = line.entry, history.ask()
            if isinstance(entry, OutcomeRecorded) and entry.by == "companion" and isinstance(ask, Chance):
                outcome = dealer.deal(entry.draw, ask, history.stirs if stirred else ())
                entry = msgspec.structs.replace(entry, outcome=outcome)
                told["entry"]["outcome"] = outcome
                odds = [list(each) for each in ask.odds]
                draws.append({"seq": line.seq, "draw": entry.draw, "question": ask.question, "odds": odds})
            history.follow(JournalLine(line.seq, line.at, entry))  # type: ignore[arg-type]
        self.record["secret"] = secret.hex()
        return self._replace(draws={"draws": draws}).linked(secret)


def seen_of(table: Table, heads: list[tuple[int, str]], parts: list[str] | None = None) -> Seen:
    """A table that is over, as somebody else is given it."""
    record, draws = json.loads(encode(export(table))), json.loads(encode_draws(draws_of(table)))
    seen = {"seal": table.seals[-1], "heads": [list(each) for each in heads], "parts": list(parts or [])}
    return Seen(record, draws, seen)


def head_now(table: Table) -> tuple[int, str]:
    """What a screen shows now."""
    head = table.head()
    return table.seq, head.hex() if head else ""


def toolbox(hall: Hall) -> Seen:
    """Three devices stir; there are rolls, a step back, a correction and more rolls; then the host ends it."""
    table = hall.lay(Setup("horus", "toolbox", SEATS), secret=SECRET)
    heads = [head_now(table)]
    devices = stirred_together(table, "host", "0", "1")
    mine, (phone, own) = list[str](), (devices[1], devices[1].name)
    for move in ({"type": "roll", "count": 5}, {"type": "award", "seat": 0, "points": 3}, {"type": "block"}):
        table.play(HOST, table.seq, f"{table.seq}", move)
    table.take_back(HOST, table.seq, "back")
    heads.append(head_now(table))
    Device("2").join(table)
    for device in devices:
        device.tell(table)
    table.correct(HOST, table.seq, "put right", {"type": "points", "seat": 0, "points": 2})
    for move in ({"type": "block"}, {"type": "roll", "count": 3}):
        table.play(HOST, table.seq, f"{table.seq}", move)
    heads.append(head_now(table))
    table.end(HOST, table.seq, "the end")
    heads.append(head_now(table))
    for line in table.written:
        match line.entry:
            case DeviceJoined(tip=value, seat=seat) | ValueTold(part=value, seat=seat) if str(seat) == own:
                mine.append(value)
    assert mine[-1] == phone.value
    return seen_of(table, heads, mine)


def by_itself(hall: Hall) -> Seen:
    """A game that comes to its end by itself."""
    table = hall.lay(Setup("shaft", "referee", SEATS[:2]), secret=SECRET)
    stirred_together(table, "host", "1")
    heads = [head_now(table), *(head_now(table) for _ in Presser(table, random.Random(1)).go_on(500))]
    assert table.settled()
    return seen_of(table, [heads[0], heads[len(heads) // 2], heads[-1]])


def confirmed(hall: Hall) -> Seen:
    """A game whose end hangs on what was reported last, until another seat has confirmed it."""
    tray = Setup("tutankhamun", "referee", SEATS[:2], options={"tray": "physical"})
    table = hall.lay(tray, secret=SECRET)
    heads = [head_now(table)]
    for _ in Presser(table, random.Random(5)).go_on(3000):
        pass
    hinge = table.hinge()
    assert hinge is not None
    assert hinge.seat is not None
    table.settle(Actor("seat", 1 - hinge.seat), table.seq, "that is right")
    return seen_of(table, [*heads, head_now(table)])


def moved(hall: Hall, there: Hall) -> Seen:
    """A table that goes to another Digside and is ended there."""
    table = hall.lay(Setup("horus", "toolbox", SEATS), secret=SECRET)
    stirred_together(table, "host", "0")
    table.play(HOST, table.seq, "roll", {"type": "roll", "count": 2})
    heads = [head_now(table)]
    for ticket in ("the first ticket of it", "the second ticket of it"):
        hall.send(table, Departure(ticket, "http://there.lan:8765", "that-house"))
        if ticket.startswith("the first"):
            hall.send(table, None)
    there.arrive(ticket, "that-house", table.laid, table.dealer.secret, table.keys, tuple(table.written))
    arrived = there.table(table.id)
    arrived.play(HOST, arrived.seq, "roll there", {"type": "roll", "count": 2})
    arrived.end(HOST, arrived.seq, "the end")
    return seen_of(arrived, [*heads, head_now(arrived)])


def taught(hall: Hall) -> Seen:
    """A table to learn at, whose first draws show what there is."""
    table = hall.lay(Setup("tutankhamun", "referee", SEATS[:2], options={TEACH: ARRANGED}), secret=SECRET)
    stirred_together(table, "host", "0")
    heads = [head_now(table)]
    list(Presser(table, random.Random(2)).go_on(500))
    assert table.settled()
    return seen_of(table, [*heads, head_now(table)])


def seated(hall: Hall) -> Seen:
    """People come and go before the first step, and in the middle somebody else becomes the host."""
    table = hall.lay(Setup("horus", "toolbox", SEATS), secret=SECRET)
    heads = [head_now(table)]
    stirred_together(table, "host", "0", "1")
    sit(table, "dora", "Dora", None)
    leave_seat(table, HOST, "gone", 0)
    devices = stirred_together(table, "host", "0")
    sit(table, "eve", "Eve", 1)
    table.play(HOST, table.seq, "roll", {"type": "roll", "count": 5})
    free_seat(table, HOST, "free", 0)
    heads.append(head_now(table))
    sit(table, "again", "Fay", 0)
    for seat in (0, 1):
        want_host(table, Actor("seat", seat), f"want {seat}", now=table.written[-1].at, silent=True, present=())
    pass_host(table, Actor("host", 0, "seat"), "back", None)
    table.play(HOST, table.seq, "roll on", {"type": "roll", "count": 5})
    table.end(HOST, table.seq, "the end")
    assert {device.name for device in devices} == {"host", "0"}
    return seen_of(table, [*heads, head_now(table)])


def older(hall: Hall) -> Seen:
    """A table from when devices stirred in rounds."""
    laid = hall.lay(Setup("horus", "toolbox", SEATS), secret=SECRET).laid
    laid = msgspec.structs.replace(laid, luck=1, chain=1)
    keys = hall.lay(Setup("horus", "toolbox", SEATS), secret=SECRET).keys
    table = table_of(laid, SECRET, keys, NoJournal(), clock=lambda: laid.at)
    heads = [head_now(table)]
    for actor, who in ((ADA, "0"), (BEN, "1")):
        table.commit_pinch(actor, table.seq, f"commit {who}", promise(who, "salt"))
    for actor in (ADA, BEN):
        table.open_pinch(actor, table.seq, f"open {actor}", "salt")
    table.play(HOST, table.seq, "roll", {"type": "roll", "count": 5})
    table.stir(HOST, table.seq, "alone", "pepper")
    table.play(HOST, table.seq, "roll again", {"type": "roll", "count": 5})
    table.end(HOST, table.seq, "the end")
    return seen_of(table, [*heads, head_now(table)])


def all_of(place: Path) -> dict[str, Seen]:
    """Each of these games, by name."""
    hall, there = Hall(place / "here"), Hall(place / "there")
    try:
        return {
            "toolbox": toolbox(hall),
            "by itself": by_itself(hall),
            "confirmed": confirmed(hall),
            "moved": moved(hall, there),
            "taught": taught(hall),
            "seated": seated(hall),
            "older": older(hall),
        }
    finally:
        hall.close()
        there.close()
