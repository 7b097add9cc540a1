"""A table as one file: exported, read again, and proved. Nothing secret is in it before the end."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import msgspec

from companion import __version__
from companion.game import Chance, Outcome
from companion.play.bounds import MOST_ENTRIES, is_small
from companion.play.chain import Chain, beginning, canonical
from companion.play.dealer import SealedDealer
from companion.play.entries import (
    LARGEST,
    LATEST,
    Entry,
    Exported,
    JournalLine,
    Keys,
    Laid,
    MaskedEntry,
    Moment,
    MovePlayed,
    OutcomeRecorded,
    SealRenewed,
    SeatsChanged,
    TableCorrected,
    TableLeft,
)
from companion.play.journal import NoJournal
from companion.play.opening import table_of
from companion.play.table import Table
from companion.refusals import Illegal, Malformed, Storage

FORMAT: Literal["digside-record"] = "digside-record"
DIGITS = 32
"""So many hexadecimal digits of a seal or head are enough to compare."""


LARGEST_LAYING = 256 * 1024  # bytes: a box with all its figures is a tenth of that
ID = re.compile(r"[a-z2-9]{5}")
KEY = re.compile(r"[\w-]{16,64}", re.ASCII)


class RecordLine(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry as a record holds it."""

    seq: int
    at: Moment
    entry: Exported


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A whole table."""

    format: Literal["digside-record"]
    version: Literal[1, 2]  # 1: from before there was a chain
    digside: str
    over: bool  # and the end is final
    laid: Laid
    secret: str | None  # hex, once the game is over for good
    entries: list[RecordLine]
    head: str | None = None  # hex; the newest link of the chain


Weight = int | str
"""How likely an outcome is: as text where many readers of JSON would not know the number as it is."""


class RecordedDraw(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was asked of the luck at an entry, and how likely each answer was: all it takes to recompute it.

    :param arranged: fewer answers could fall than by themselves, at a table to learn at.
    """

    seq: int
    draw: int
    question: str
    odds: tuple[tuple[Outcome, Weight], ...]
    arranged: bool = False


def export(table: Table) -> Record:
    """The record of a table. Before the end, what is hidden is masked and the secret stays where it is."""
    with table.lock:
        over, written, head = table.settled(), tuple(table.written), table.head()
    # An entry never changes, nor what came before it: whoever plays on does not wait for this.
    lines = [RecordLine(w.seq, w.at, w.entry if over else _masked(table, w.seq, w.entry)) for w in written]
    secret = table.dealer.secret.hex() if over else None
    return Record(FORMAT, 2, __version__, over, table.laid, secret, lines, head.hex() if head else None)


def draws_of(table: Table) -> list[RecordedDraw]:
    """Every draw of the companion's at a table that is over, those that were taken back too.

    :raises Illegal: before the end is final, for a question may tell what is hidden.
    """
    with table.lock:
        if not table.settled():
            raise Illegal("core.before_the_end")
        found = []
        for line in table.written:
            ask = table.before(line.seq).ask if isinstance(line.entry, OutcomeRecorded) else None
            if isinstance(ask, Chance) and isinstance(line.entry, OutcomeRecorded) and line.entry.by == "companion":
                odds = tuple((outcome, plain_weight(weight)) for outcome, weight in ask.odds)
                found.append(RecordedDraw(line.seq, line.entry.draw, ask.question, odds, ask.arranged))
        return found


def plain_weight(weight: int) -> Weight:
    """A weight as every reader of JSON knows it."""
    return weight if weight < LARGEST else str(weight)


def encode(record: Record) -> bytes:
    """A record as a file."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


def encode_draws(draws: Sequence[RecordedDraw]) -> bytes:
    """The draws of a table as a file."""
    return msgspec.json.encode({"draws": draws}) + b"\n"


_read = msgspec.json.Decoder(Record).decode


def decode(file: bytes) -> Record:
    """A record from a file.

    :raises Malformed: where it is none, or an entry, or how it was laid, has other fields than it may have.
    """
    try:
        record, told = _read(file), msgspec.json.decode(file)
        laid = {key: value for key, value in told["laid"].items() if key != "chain" or value}
        for part, whole, is_told in (("entries", record.entries, told["entries"]), ("laid", record.laid, laid)):
            if canonical(whole) != canonical(is_told):
                raise Malformed("core.not_a_record", reason=part)
        return record
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed("core.not_a_record", reason=str(error)) from None


def bounded(record: Record) -> None:
    """Refuse what no table of people comes to: more entries, longer texts, deeper moves, seats that nobody has.

    :raises Malformed: where it is too much.
    """
    if len(record.entries) > MOST_ENTRIES:
        raise Malformed("core.record_too_much")
    changed = (len(line.entry.seats) for line in record.entries if isinstance(line.entry, SeatsChanged))
    seats = range(max(len(record.laid.setup.seats), *changed, 0))
    for line in record.entries:
        seat = getattr(line.entry, "seat", None)
        if seat is not None and seat not in seats:
            raise Malformed("core.bad_seat")
        if line.seq > MOST_ENTRIES or not is_small(line.entry):
            raise Malformed("core.record_too_much")
    if len(msgspec.json.encode(record.laid)) > LARGEST_LAYING or not is_small(record.laid.setup):
        raise Malformed("core.record_too_much")
    if max(len(record.laid.digside), len(record.laid.table), len(record.laid.was or ""), len(record.digside)) > 40:
        raise Malformed("core.record_too_much")


def check_arrives(laid: Laid, secret: bytes, keys: Keys, written: Sequence[JournalLine], left: TableLeft) -> None:
    """Refuse what no Digside would send of a table: the chain is made anew, and every step gone over.

    :param left: what its newest entry says: that it was sent here, by that ticket.
    :raises Malformed: where it is not as it was written.
    """
    otherwise = Malformed("core.arrives_otherwise")
    every = (keys.host, *keys.seats)
    told = len(set(every)) == len(every) == len(laid.setup.seats) + 1 and all(map(KEY.fullmatch, every))
    in_order = [line.seq for line in written] == list(range(1, len(written) + 1))
    dated = all(0 <= line.at < LATEST for line in written)
    if not (told and in_order and dated and len(secret) == 32 and ID.fullmatch(laid.table)):
        raise otherwise
    bounded(Record(FORMAT, 2, laid.digside, False, laid, None, [RecordLine(w.seq, w.at, w.entry) for w in written]))
    try:
        table = table_of(laid, secret, keys, NoJournal(), clock=lambda: 0, written=written)
    except Storage as damaged:
        raise otherwise from damaged
    if table.seals[-1] != SealedDealer(secret).seal or table.left != left:
        raise otherwise


def opened_secret(record: Record) -> bytes | None:
    """The secret of a record whose game is over, if it has it; one that does not fit the seal is refused."""
    if record.secret is None:
        return None
    try:
        dealer = SealedDealer(bytes.fromhex(record.secret))
    except ValueError:
        raise Malformed("core.other_secret") from None
    if dealer.seal != seals_of(record)[-1][1]:
        raise Malformed("core.other_secret")
    return dealer.secret


def links_of(record: Record, secret: bytes) -> list[bytes]:
    """The links of a record's chain, the laying's first; none where it has none. It ends where an entry is masked."""
    if not record.laid.chain:
        return []
    chain, links = Chain(secret), [beginning(record.laid)]
    for line in record.entries:
        if isinstance(line.entry, MaskedEntry):
            break
        links.append(chain.link(links[-1], JournalLine(line.seq, line.at, line.entry)))
    return links


def head_of(record: Record, secret: bytes) -> str | None:
    """The newest link of a record's chain, recomputed."""
    links = links_of(record, secret)
    return links[-1].hex() if links else None


def seals_of(record: Record) -> tuple[tuple[int, str], ...]:
    """Every seal the luck was under, the laying's first, each with the entry from which on it was."""
    later = [(line.seq, line.entry.seal) for line in record.entries if isinstance(line.entry, SealRenewed)]
    return ((0, record.laid.seal), *later)


def _masked(table: Table, seq: int, entry: Entry) -> Exported:
    """The entry, or a mask where it is nobody's to see yet."""
    match entry:
        case MovePlayed() | TableCorrected() | OutcomeRecorded():
            before = table.before(seq)
            hidden = isinstance(before.ask, Chance) and before.ask.hidden
            return (
                MaskedEntry(_seat_of(entry))
                if hidden or table.game.hides(before.state, table.step_of(entry))
                else entry
            )
        case _:
            return entry


def _seat_of(entry: MovePlayed | TableCorrected | OutcomeRecorded) -> int | None:
    return None if isinstance(entry, TableCorrected) else entry.seat
