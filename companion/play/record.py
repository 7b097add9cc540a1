"""A table as one file: exported, read again, and proved. Nothing secret is in it before the end."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from companion import __version__, games
from companion.game import Chance, Outcome
from companion.play.actors import Actor
from companion.play.chain import Chain, beginning
from companion.play.dealer import SealedDealer
from companion.play.entries import (
    LATEST,
    Closed,
    Committed,
    Entry,
    Exported,
    Fell,
    JournalLine,
    Keys,
    Laid,
    Masked,
    Mended,
    Moment,
    Moved,
    Opened,
    Sealed,
    Settled,
    Stirred,
    TookBack,
)
from companion.play.history import History
from companion.play.journal import Nowhere
from companion.play.opening import box_of, history_of, table_of
from companion.play.table import Table
from companion.refusals import Illegal, Malformed, Storage

FORMAT: Literal["digside-record"] = "digside-record"
DIGITS = 32
"""So many hexadecimal digits of a seal or head are enough to compare."""


MOST_ENTRIES = 20_000
LARGEST_LAYING = 256 * 1024  # bytes: a box with all its figures is a tenth of that
LONGEST_TEXT = 300
LARGEST_NUMBER = 1 << 53
MOST_PARTS = 200
DEEPEST = 8
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


class Noted(msgspec.Struct, frozen=True):
    """What somebody saw while a table was played, to be held against its record: in hexadecimal digits.

    :param seal: the seal the luck was dealt under.
    :param heads: the head after an entry, by its number; None for the last. Its first digits are enough.
    """

    seal: str | None = None
    heads: tuple[tuple[int | None, str], ...] = ()


NOTHING_NOTED = Noted()


class Draw(msgspec.Struct, frozen=True):
    """What was asked of the luck at an entry, and how likely each answer was: all it takes to recompute it."""

    seq: int
    draw: int
    question: str
    odds: tuple[tuple[Outcome, int], ...]


class Proof(msgspec.Struct, frozen=True):
    """What came of checking a record: how many draws were recomputed, and the first thing that does not match.

    :ivar head: the newest link of its chain, recomputed; none where there is no chain.
    :ivar seals: every seal the luck was under, the laying's first, each with the entry from which on it was.
    :ivar own_box: the figures are not those of the box as it is shipped here.
    :ivar alone: how often one device stirred without another.
    :ivar withheld: how many pinches were promised and not told.
    :ivar compared: the seal somebody saw was held against it.
    """

    draws: int
    reported: int
    unproved: int
    fault: str | None = None
    seq: int | None = None
    reason: ValueError | None = None
    head: str | None = None
    seals: tuple[tuple[int, str], ...] = ()
    own_box: bool = False
    alone: int = 0
    withheld: int = 0
    compared: bool = False

    @property
    def holds(self) -> bool:
        """Whether every draw of the companion is proved; under another seal than the laying's, to whoever saw it."""
        return self.fault is None and not self.unproved and (self.compared or len(self.seals) < 2)


def export(table: Table) -> Record:
    """The record of a table. Before the end, what is hidden is masked and the secret stays where it is."""
    with table.lock:
        over, written, head = table.settled(), tuple(table.written), table.head()
    # An entry never changes, nor what came before it: whoever plays on does not wait for this.
    lines = [RecordLine(w.seq, w.at, w.entry if over else _masked(table, w.seq, w.entry)) for w in written]
    secret = table.dealer.secret.hex() if over else None
    return Record(FORMAT, 2, __version__, over, table.laid, secret, lines, head.hex() if head else None)


def draws_of(table: Table) -> list[Draw]:
    """Every draw of the companion's at a table that is over, those that were taken back too.

    :raises Illegal: before the end is final, for a question may tell what is hidden.
    """
    with table.lock:
        if not table.settled():
            raise Illegal("core.before_the_end")
        found = []
        for line in table.written:
            ask = table.before(line.seq).ask if isinstance(line.entry, Fell) else None
            if isinstance(ask, Chance) and isinstance(line.entry, Fell) and line.entry.by == "companion":
                found.append(Draw(line.seq, line.entry.draw, ask.question, ask.odds))
        return found


def encode(record: Record) -> bytes:
    """A record as a file."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


def encode_draws(draws: Sequence[Draw]) -> bytes:
    """The draws of a table as a file."""
    return msgspec.json.encode({"draws": draws}) + b"\n"


_read = msgspec.json.Decoder(Record).decode


def decode(file: bytes) -> Record:
    """A record from a file."""
    try:
        return _read(file)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Malformed("core.not_a_record", reason=str(error)) from None


def bounded(record: Record) -> None:
    """Refuse what no table of people comes to: more entries, longer texts, deeper moves, seats that nobody has.

    :raises Malformed: where it is too much.
    """
    if len(record.entries) > MOST_ENTRIES:
        raise Malformed("core.record_too_much")
    seats = range(len(record.laid.setup.seats))
    for line in record.entries:
        seat = getattr(line.entry, "seat", None)
        if seat is not None and seat not in seats:
            raise Malformed("core.bad_seat")
        if line.seq > MOST_ENTRIES or not _is_small(msgspec.to_builtins(line.entry), DEEPEST):
            raise Malformed("core.record_too_much")
    if len(msgspec.json.encode(record.laid)) > LARGEST_LAYING or not _is_small(
        msgspec.to_builtins(record.laid.setup), DEEPEST
    ):
        raise Malformed("core.record_too_much")
    if max(len(record.laid.digside), len(record.laid.table), len(record.laid.was or ""), len(record.digside)) > 40:
        raise Malformed("core.record_too_much")


def check_arrives(laid: Laid, secret: bytes, keys: Keys, written: Sequence[JournalLine]) -> None:
    """Refuse what no Digside would send of a table: the chain is made anew, and every step gone over.

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
        table = table_of(laid, secret, keys, Nowhere(), clock=lambda: 0, written=written)
    except Storage as damaged:
        raise otherwise from damaged
    if table.seals[-1] != SealedDealer(secret).seal:
        raise otherwise


def _is_small(told: object, deep: int) -> bool:
    """Whether a part of a record is as small as what people do at a table."""
    match told:
        case str():
            return len(told) <= LONGEST_TEXT
        case int():
            return abs(told) < LARGEST_NUMBER
        case dict():
            return (
                deep > 0
                and len(told) <= MOST_PARTS
                and all(_is_small(key, 1) and _is_small(part, deep - 1) for key, part in told.items())
            )
        case list() | tuple():
            return deep > 0 and len(told) <= MOST_PARTS and all(_is_small(part, deep - 1) for part in told)
        case _:
            return True


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
        if isinstance(line.entry, Masked):
            break
        links.append(chain.link(links[-1], JournalLine(line.seq, line.at, line.entry)))
    return links


def head_of(record: Record, secret: bytes) -> str | None:
    """The newest link of a record's chain, recomputed."""
    links = links_of(record, secret)
    return links[-1].hex() if links else None


def seals_of(record: Record) -> tuple[tuple[int, str], ...]:
    """Every seal the luck was under, the laying's first, each with the entry from which on it was."""
    later = [(line.seq, line.entry.seal) for line in record.entries if isinstance(line.entry, Sealed)]
    return ((0, record.laid.seal), *later)


def verify(record: Record, progress: Callable[[int], None] = lambda seq: None, noted: Noted = NOTHING_NOTED) -> Proof:
    """Recompute the chain, every outcome the companion dealt, undone ones too, and check every rule on the way.

    :param noted: what somebody saw while it was played. Without it a record is proved to agree with itself, which its
        host can arrange for a game that nobody has played.
    """
    seals = seals_of(record)
    try:
        secret = opened_secret(record)
    except Malformed:
        return Proof(0, 0, 0, "proof.other_secret", seals=seals)
    if secret is None:
        return Proof(0, 0, 0, "proof.no_secret", seals=seals)
    box = box_of(record.laid)
    if box.digest != record.laid.box_digest:
        return Proof(0, 0, 0, "proof.other_box", seals=seals)
    table = history_of(record.laid)
    links = links_of(record, secret)
    recomputed = _recompute(record, table, SealedDealer(secret), progress)
    proof = msgspec.structs.replace(
        recomputed,
        head=links[-1].hex() if links else None,
        seals=seals,
        own_box=games.box(box.name).digest != box.digest,
        alone=_alone(table, record),
        withheld=sum(len(each.left_out) for each in table.rounds),
        compared=noted.seal is not None,
    )
    if proof.fault is None and not (record.over and table.settled()):
        return msgspec.structs.replace(proof, fault="proof.not_over", seq=table.seq)
    if proof.fault is None and proof.head != record.head:
        return msgspec.structs.replace(proof, fault="proof.other_chain")
    return proof if proof.fault is not None else _held_against(proof, links, noted)


def _alone(table: History, record: Record) -> int:
    """How often one device stirred without another, which older tables knew no other way."""
    rounds = [*table.rounds, *([table.round] if table.round.opening else [])]
    few = sum(len(each.shares) - len(each.left_out) < 2 for each in rounds)
    return few + sum(isinstance(line.entry, Stirred) for line in record.entries)


def _held_against(proof: Proof, links: Sequence[bytes], noted: Noted) -> Proof:
    """A proof that holds, unless it differs from what somebody saw."""
    if noted.seal is not None and not _begins(proof.seals[-1][1], noted.seal):
        return msgspec.structs.replace(proof, fault="proof.not_the_seal")
    for seq, head in noted.heads:
        at = len(links) - 1 if seq is None else seq
        if not 0 <= at < len(links) or not _begins(links[at].hex(), head):
            return msgspec.structs.replace(proof, fault="proof.not_the_head", seq=at)
    return proof


def _begins(whole: str, digits: str) -> bool:
    """Whether digits are the first of a whole: so many at least that nobody finds another that begins so."""
    return len(digits) >= DIGITS and whole.startswith(digits)


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
    if table.settled() or made is None or not made.is_of(back.seat) or back.to != made.before.seq:
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


def _masked(table: Table, seq: int, entry: Entry) -> Exported:
    """The entry, or a mask where it is nobody's to see yet."""
    match entry:
        case Moved() | Mended() | Fell():
            before = table.before(seq)
            hidden = isinstance(before.ask, Chance) and before.ask.hidden
            return Masked(_seat_of(entry)) if hidden or table.game.hides(before.state, table.step_of(entry)) else entry
        case TookBack() | Stirred() | Committed() | Opened() | Sealed() | Closed() | Settled():
            return entry


def _seat_of(entry: Moved | Mended | Fell) -> int | None:
    return None if isinstance(entry, Mended) else entry.seat
