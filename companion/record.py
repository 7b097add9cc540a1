"""A table as one file: exported, read again, and proved. Nothing secret is in it before the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from companion import __version__
from companion.dealer import SealedDealer
from companion.entries import (
    Closed,
    Entry,
    Exported,
    Fell,
    Laid,
    Masked,
    Mended,
    Moment,
    Moved,
    Sealed,
    Stirred,
    TookBack,
    Written,
)
from companion.game import Chance
from companion.history import History
from companion.laying import retold
from companion.refusals import Malformed
from companion.table import Table

FORMAT: Literal["digside-record"] = "digside-record"


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry as a record holds it."""

    seq: int
    at: Moment
    entry: Exported


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole table."""

    format: Literal["digside-record"]
    version: Literal[1]
    digside: str
    over: bool
    laid: Laid
    secret: str | None  # hex, once the game is over
    entries: list[Line]


class Proof(msgspec.Struct, frozen=True):
    """What came of checking a record: how many draws were recomputed, and the first that does not match."""

    draws: int
    reported: int
    unproved: int
    fault: str | None = None
    seq: int | None = None
    reason: str = ""

    @property
    def holds(self) -> bool:
        """Whether every draw of the companion is proved."""
        return self.fault is None and not self.unproved


def export(table: Table) -> Record:
    """The record of a table. Before the end, what is hidden is masked and the secret stays where it is."""
    with table.lock:
        over = table.over()
        lines = [Line(w.seq, w.at, w.entry if over else _masked(table, w.seq, w.entry)) for w in table.written]
        secret = table.dealer.secret.hex() if over else None
        return Record(FORMAT, 1, __version__, over, table.laid, secret, lines)


def encode(record: Record) -> bytes:
    """A record as a file."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


def decode(file: bytes) -> Record:
    """A record from a file."""
    try:
        return msgspec.json.decode(file, type=Record)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Malformed("core.not_a_record", reason=str(error)) from None


def opened_secret(record: Record) -> bytes | None:
    """The secret of a record whose game is over, if it has it; one that does not fit the seal is refused."""
    if record.secret is None:
        return None
    try:
        dealer = SealedDealer(bytes.fromhex(record.secret))
    except ValueError:
        raise Malformed("core.other_secret") from None
    if dealer.seal != _last_seal(record):
        raise Malformed("core.other_secret")
    return dealer.secret


def verify(record: Record, progress: Callable[[int], None] = lambda seq: None) -> Proof:
    """Recompute every outcome the companion dealt, undone ones too, and check every rule on the way."""
    try:
        secret = opened_secret(record)
    except Malformed:
        return Proof(0, 0, 0, "proof.other_secret")
    if secret is None:
        return Proof(0, 0, 0, "proof.no_secret")
    dealer = SealedDealer(secret)
    return _recompute(record, retold(record.laid), dealer, progress)


def _recompute(record: Record, table: History, dealer: SealedDealer, progress: Callable[[int], None]) -> Proof:
    proved_from = max((line.seq for line in record.entries if isinstance(line.entry, Sealed)), default=0)
    draws = reported = unproved = 0
    for line in record.entries:
        progress(line.seq)
        entry = line.entry
        if isinstance(entry, Masked):
            return Proof(draws, reported, unproved, "proof.masked", line.seq)
        if isinstance(entry, Fell) and not _is_by_its_source(table, entry):
            return Proof(draws, reported, unproved, "proof.other_source", line.seq)
        if isinstance(entry, Fell) and entry.by == "table":
            reported += 1
        elif isinstance(entry, Fell) and line.seq <= proved_from:
            unproved += 1
        elif isinstance(entry, Fell):
            ask = table.ask()
            if not isinstance(ask, Chance) or entry.draw != table.position().draws:
                return Proof(draws, reported, unproved, "proof.no_question", line.seq)
            if dealer.deal(entry.draw, ask, table.stirs) != entry.outcome:
                return Proof(draws, reported, unproved, "proof.other_outcome", line.seq)
            draws += 1
        try:
            table.follow(Written(line.seq, line.at, entry))
        except ValueError as error:
            return Proof(draws, reported, unproved, "proof.against_rules", line.seq, str(error))
    return Proof(draws, reported, unproved)


def _is_by_its_source(table: History, fell: Fell) -> bool:
    """Whether who answered is who was to answer; a question that was not asked is another matter."""
    ask = table.ask()
    return not isinstance(ask, Chance) or table.setup.source(ask.randomizer) == fell.by


def _last_seal(record: Record) -> str:
    seals = [line.entry.seal for line in record.entries if isinstance(line.entry, Sealed)]
    return seals[-1] if seals else record.laid.seal


def _masked(table: Table, seq: int, entry: Entry) -> Exported:
    """The entry, or a mask where it is nobody's to see yet."""
    match entry:
        case Moved() | Mended() | Fell():
            ask = table.game.ask(table.before(seq).state)
            hidden = isinstance(ask, Chance) and ask.hidden
            return Masked(_seat_of(entry)) if hidden or table.game.hides(table.step_of(entry)) else entry
        case TookBack() | Stirred() | Sealed() | Closed():
            return entry


def _seat_of(entry: Moved | Mended | Fell) -> int | None:
    return None if isinstance(entry, Mended) else entry.seat
