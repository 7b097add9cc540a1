"""A table as one file: exported, read again, and proved. Nothing secret is in it before the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import msgspec

from companion import __version__
from companion.game import Chance
from companion.play.actors import Actor
from companion.play.dealer import SealedDealer
from companion.play.entries import (
    Closed,
    Entry,
    Exported,
    Fell,
    JournalLine,
    Laid,
    Masked,
    Mended,
    Moment,
    Moved,
    Sealed,
    Stirred,
    TookBack,
)
from companion.play.history import History
from companion.play.opening import box_of, history_of
from companion.play.table import Table
from companion.refusals import Malformed

FORMAT: Literal["digside-record"] = "digside-record"


class RecordLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
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
    entries: list[RecordLine]


class Proof(msgspec.Struct, frozen=True):
    """What came of checking a record: how many draws were recomputed, and the first that does not match."""

    draws: int
    reported: int
    unproved: int
    fault: str | None = None
    seq: int | None = None
    reason: ValueError | None = None

    @property
    def holds(self) -> bool:
        """Whether every draw of the companion is proved."""
        return self.fault is None and not self.unproved


def export(table: Table) -> Record:
    """The record of a table. Before the end, what is hidden is masked and the secret stays where it is."""
    with table.lock:
        over = table.over()
        lines = [RecordLine(w.seq, w.at, w.entry if over else _masked(table, w.seq, w.entry)) for w in table.written]
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
    if box_of(record.laid).digest != record.laid.box_digest:
        return Proof(0, 0, 0, "proof.other_box")
    table = history_of(record.laid)
    proof = _recompute(record, table, SealedDealer(secret), progress)
    if proof.fault is None and not (record.over and table.over()):
        return msgspec.structs.replace(proof, fault="proof.not_over", seq=table.seq)
    return proof


def _recompute(record: Record, table: History, dealer: SealedDealer, progress: Callable[[int], None]) -> Proof:
    """Follow a record entry by entry, as far as it holds."""
    proved_from = max((line.seq for line in record.entries if isinstance(line.entry, Sealed)), default=0)
    draws = reported = unproved = 0
    for line in record.entries:
        progress(line.seq)
        if isinstance(line.entry, Masked):
            return Proof(draws, reported, unproved, "proof.masked", line.seq)
        if isinstance(line.entry, TookBack) and not _was_open(table, line.entry):
            return Proof(draws, reported, unproved, "proof.not_to_take_back", line.seq)
        if isinstance(line.entry, Fell):
            proved = line.entry.by == "companion" and line.seq > proved_from
            fault = _doubt(table, line.entry, dealer if proved else None)
            if fault is not None:
                return Proof(draws, reported, unproved, fault, line.seq)
            draws += proved
            reported += line.entry.by == "table"
            unproved += line.entry.by == "companion" and not proved
        try:
            table.follow(JournalLine(line.seq, line.at, line.entry))
        except ValueError as error:
            return Proof(draws, reported, unproved, "proof.against_rules", line.seq, error)
    return Proof(draws, reported, unproved)


def _was_open(table: History, back: TookBack) -> bool:
    """Whether a step back, or forward again, was open to who made it; the host may go anywhere.

    A seat is held to what the companion has dealt, which is all that is proved here. What the table has reported closes
    a move to a seat too; that was not so once, it buys no draw of the companion's, and records from then hold.
    """
    if back.by == "host":
        return True
    if back.again:
        return back.to == table.offer(Actor("seat", back.seat)).redo
    made = table.newest_by_hand()
    if table.over() or made is None or not made.is_of(back.seat) or back.to != made.before.seq:
        return False
    return not any(table.reveals(seq) for seq in table.survivors(down_to=made.seq))


def _doubt(table: History, fell: Fell, dealer: SealedDealer | None) -> str | None:
    """What is wrong with an outcome; `dealer` is who must have dealt it, where that can be known."""
    ask = table.ask()
    if not isinstance(ask, Chance) or fell.draw != table.position().draws:
        return "proof.no_question"
    if table.setup.source(ask.randomizer) != fell.by:
        return "proof.other_source"
    if dealer is not None and dealer.deal(fell.draw, ask, table.stirs) != fell.outcome:
        return "proof.other_outcome"
    return None


def _last_seal(record: Record) -> str:
    seals = [line.entry.seal for line in record.entries if isinstance(line.entry, Sealed)]
    return seals[-1] if seals else record.laid.seal


def _masked(table: Table, seq: int, entry: Entry) -> Exported:
    """The entry, or a mask where it is nobody's to see yet."""
    match entry:
        case Moved() | Mended() | Fell():
            before = table.before(seq)
            hidden = isinstance(before.ask, Chance) and before.ask.hidden
            return Masked(_seat_of(entry)) if hidden or table.game.hides(before.state, table.step_of(entry)) else entry
        case TookBack() | Stirred() | Sealed() | Closed():
            return entry


def _seat_of(entry: Moved | Mended | Fell) -> int | None:
    return None if isinstance(entry, Mended) else entry.seat
