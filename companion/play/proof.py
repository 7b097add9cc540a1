"""Whether a record is what was played, and its luck honest: checked in the order that `LUCK.md` names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal

import msgspec

from companion import games
from companion.game import Chance
from companion.play.actors import Actor
from companion.play.dealer import SealedDealer
from companion.play.entries import (
    ENDS,
    LARGEST,
    MOVES,
    STIRS,
    DeviceJoined,
    EndConfirmed,
    Exported,
    GameEnded,
    JournalLine,
    LuckStirred,
    MaskedEntry,
    OutcomeRecorded,
    SealRenewed,
    StepsUndone,
    ValueTold,
)
from companion.play.entry_checks import ENDS_ITSELF, fits_location
from companion.play.history import History
from companion.play.members import Members
from companion.play.opening import box_of, history_of
from companion.play.record import Record, RecordLine, links_of, opened_secret, seals_of
from companion.play.stirring import who_of
from companion.refusals import Malformed

DIGITS = 32
"""So many hexadecimal digits of a seal, head or part are enough to compare."""

Reason = Literal["form", "secret", "chain", "seal", "head", "part", "end", "stir", "draw", "rules", "taken", "unseen"]
REASONS: dict[str, Reason] = {
    "proof.out_of_form": "form",
    "proof.no_secret": "secret",
    "proof.other_secret": "secret",
    "proof.masked": "secret",
    "proof.other_chain": "chain",
    "proof.not_the_seal": "seal",
    "proof.not_the_head": "head",
    "proof.not_the_part": "part",
    "proof.place_taken": "part",
    "proof.after_the_end": "end",
    "proof.not_confirmed": "end",
    "proof.not_over": "end",
    "proof.other_part": "stir",
    "proof.no_question": "draw",
    "proof.other_number": "draw",
    "proof.other_outcome": "draw",
    "proof.other_source": "rules",
    "proof.other_box": "rules",
    "proof.not_to_take_back": "rules",
    "proof.against_rules": "rules",
}
"""By the sentence that says what does not hold, the reason as every verifier names it."""


class SeenHeads(msgspec.Struct, frozen=True):
    """What somebody saw while a table was played, to be held against its record: in hexadecimal digits.

    :param seal: the seal the luck was dealt under.
    :param heads: the head after an entry, by its number; None for the last. Its first digits are enough.
    :param parts: what their own device joined with or told, the oldest first.
    """

    seal: str | None = None
    heads: tuple[tuple[int | None, str], ...] = ()
    parts: tuple[str, ...] = ()


NOTHING_NOTED = SeenHeads()


class Proof(msgspec.Struct, frozen=True):
    """What came of checking a record: how many draws were recomputed, and the first thing that does not match.

    :ivar head: the newest link of its chain, recomputed; none where there is no chain.
    :ivar seals: every seal the luck was under, the laying's first, each with the entry from which on it was.
    :ivar arranged: so many draws were arranged to show what there is, at a table to learn at.
    :ivar own_box: the figures are not those of the box as it is shipped here.
    :ivar alone: how often one device stirred without another.
    :ivar withheld: how many pinches were promised and not told.
    :ivar taken: how often a device took the place of another that stirred.
    :ivar all_taken: each of them was, though two or more had stirred together before.
    :ivar waited: how often something was drawn while somebody was asked to stir.
    :ivar compared: the seal somebody saw was held against it.
    """

    draws: int = 0
    reported: int = 0
    unproved: int = 0
    fault: str | None = None
    seq: int | None = None
    reason: ValueError | None = None
    head: str | None = None
    seals: tuple[tuple[int, str], ...] = ()
    arranged: int = 0
    own_box: bool = False
    alone: int = 0
    withheld: int = 0
    taken: int = 0
    all_taken: bool = False
    waited: int = 0
    compared: bool = False

    @property
    def holds(self) -> bool:
        """Whether every draw of the companion is proved; under another seal than the laying's, to whoever saw it."""
        return self.why is None and not self.unproved

    @property
    def why(self) -> Reason | None:
        """Why it does not hold, by the name that every verifier has for it; None where it does."""
        if self.fault is not None:
            return REASONS[self.fault]
        if self.all_taken:
            return "taken"
        return "unseen" if len(self.seals) > 1 and not self.compared else None


class _Fault(Exception):
    """Something does not hold."""

    def __init__(self, key: str, seq: int | None = None, reason: ValueError | None = None) -> None:
        super().__init__(key)
        self.key = key
        self.seq = seq
        self.reason = reason


def verify(
    record: Record, progress: Callable[[int], None] = lambda seq: None, noted: SeenHeads = NOTHING_NOTED
) -> Proof:
    """Recompute the chain, every outcome the companion dealt, undone ones too, and check every rule on the way.

    :param noted: what somebody saw while it was played. Without it a record is proved to agree with itself, which its
        host can arrange for a game that nobody has played.
    """
    counted, table = Counter[str](), history_of(record.laid)
    known = Proof(seals=seals_of(record), compared=noted.seal is not None)
    try:
        _check_form(record)
        secret = _secret(record)
        links = links_of(record, secret)
        known = msgspec.structs.replace(known, head=links[-1].hex() if links else None)
        if known.head != record.head:
            raise _Fault("proof.other_chain")
        _hold_against(record, links, noted)
        box = box_of(record.laid)
        if box.digest != record.laid.box_digest:
            raise _Fault("proof.other_box")
        known = msgspec.structs.replace(known, own_box=games.box(box.name).digest != box.digest)
        _recompute(record, table, SealedDealer(secret), counted, progress)
    except _Fault as fault:
        known = msgspec.structs.replace(known, fault=fault.key, seq=fault.seq, reason=fault.reason)
    told: dict[str, int | bool] = {**counted, **_stirred(record, table)}
    return msgspec.structs.replace(known, **told)


def _check_form(record: Record) -> None:
    """An entry follows the other, and nothing is larger than every reader of JSON can tell."""
    if _is_too_large(msgspec.to_builtins(record.laid)):
        raise _Fault("proof.out_of_form", 0)
    for number, line in enumerate(record.entries, 1):
        back = isinstance(line.entry, StepsUndone) and not 0 <= line.entry.to < line.seq
        if line.seq != number or back or _is_too_large(msgspec.to_builtins(line)):
            raise _Fault("proof.out_of_form", number)


def _is_too_large(told: object) -> bool:
    match told:
        case dict():
            return any(map(_is_too_large, told.values()))
        case list() | tuple():
            return any(map(_is_too_large, told))
        case float():
            return True
        case int():
            return abs(told) >= LARGEST
        case _:
            return False


def _secret(record: Record) -> bytes:
    try:
        secret = opened_secret(record)
    except Malformed:
        raise _Fault("proof.other_secret") from None
    if secret is None:
        raise _Fault("proof.no_secret")
    for line in record.entries:
        if isinstance(line.entry, MaskedEntry):
            raise _Fault("proof.masked", line.seq)
    return secret


def _hold_against(record: Record, links: Sequence[bytes], noted: SeenHeads) -> None:
    """Whether it differs from what somebody saw."""
    if noted.seal is not None and not _begins(seals_of(record)[-1][1], noted.seal):
        raise _Fault("proof.not_the_seal")
    for seq, head in noted.heads:
        at = len(links) - 1 if seq is None else seq
        if not 0 <= at < len(links) or not _begins(links[at].hex(), head):
            raise _Fault("proof.not_the_head", max(at, 0))
    newest = 0
    for part in noted.parts:
        newest = next((line.seq for line in record.entries if _begins(_value(line.entry), part)), 0)
        if not newest:
            raise _Fault("proof.not_the_part")
    _check_place(record.entries, newest)


def _value(entry: Exported) -> str:
    """What a device joined with or told in an entry, if it is one of those."""
    match entry:
        case DeviceJoined(tip=value) | ValueTold(part=value):
            return value
        case _:
            return ""


def _check_place(lines: Sequence[RecordLine], newest: int) -> None:
    """Nobody has taken the place of a device since it stirred last."""
    own = lines[newest - 1].entry if newest else None
    for line in lines[newest:] if isinstance(own, DeviceJoined | ValueTold) else ():
        joins = (
            isinstance(line.entry, DeviceJoined)
            and isinstance(own, DeviceJoined | ValueTold)
            and who_of(line.entry) == who_of(own)
        )
        if joins or isinstance(line.entry, SealRenewed):
            raise _Fault("proof.place_taken", line.seq)


def _begins(whole: str, digits: str) -> bool:
    """Whether digits are the first of a whole: so many at least that nobody finds another that begins so."""
    return len(digits) >= DIGITS and whole.startswith(digits)


def _recompute(
    record: Record, table: History, dealer: SealedDealer, counted: Counter[str], progress: Callable[[int], None]
) -> None:
    """Follow a record entry by entry, as far as it holds."""
    proved_from = max((line.seq for line in record.entries if isinstance(line.entry, SealRenewed)), default=0)
    for line in record.entries:
        progress(line.seq)
        if isinstance(line.entry, MaskedEntry):
            raise TypeError("masked entries are looked for before")
        written = JournalLine(line.seq, line.at, line.entry)
        _check_end(table, written)
        if isinstance(line.entry, STIRS):
            _check_stirs(table, written)
        if isinstance(line.entry, OutcomeRecorded):
            proved = line.entry.by == "companion" and line.seq > proved_from
            _check_draw(table, line.seq, line.entry, dealer if proved else None)
            counted["draws"] += proved
            ask = table.ask()
            counted["arranged"] += proved and isinstance(ask, Chance) and ask.arranged
            counted["reported"] += line.entry.by == "table"
            counted["unproved"] += line.entry.by == "companion" and not proved
        if isinstance(line.entry, StepsUndone) and not _was_open(table, line.entry):
            raise _Fault("proof.not_to_take_back", line.seq)
        try:
            table.follow(written)
        except ValueError as error:
            raise _Fault("proof.against_rules", line.seq, error) from error
    _check_over(record, table)


def _check_end(table: History, line: JournalLine) -> None:
    """Nothing follows an end, or a leave, but what may; and an end is confirmed by who may."""
    if (table.closed_at or table.settled_at) and not isinstance(line.entry, MOVES):
        raise _Fault("proof.after_the_end", line.seq)
    if not fits_location(table, line.entry) or (isinstance(line.entry, GameEnded) and table.laid.chain < ENDS_ITSELF):
        raise _Fault("proof.after_the_end", line.seq)
    if isinstance(line.entry, EndConfirmed):
        report = table.newest_by_hand()
        hangs = report is not None and isinstance(report.entry, OutcomeRecorded) and table.laid.confirms
        own = report is not None and line.entry.by == "seat" and report.is_of(line.entry.seat)
        if not hangs or own:
            raise _Fault("proof.not_confirmed", line.seq)


def _check_stirs(table: History, line: JournalLine) -> None:
    try:
        table.stirring.check(line.seq, line.entry)
    except ValueError as error:
        raise _Fault("proof.other_part", line.seq, error) from error


def _check_draw(table: History, seq: int, fell: OutcomeRecorded, dealer: SealedDealer | None) -> None:
    """An outcome is the one that falls; `dealer` is who must have dealt it, where that can be known."""
    if fell.draw != table.position().draws:
        raise _Fault("proof.other_number", seq)
    ask = table.ask()
    if not isinstance(ask, Chance):
        raise _Fault("proof.no_question" if fell.by == "companion" else "proof.other_source", seq)
    if table.setup.source(ask.randomizer) != fell.by:
        raise _Fault("proof.other_source", seq)
    if dealer is not None and dealer.deal(fell.draw, ask, table.stirs) != fell.outcome:
        raise _Fault("proof.other_outcome", seq)


def _check_over(record: Record, table: History) -> None:
    kinds = [type(line.entry) for line in record.entries if not isinstance(line.entry, MOVES)]
    written = record.laid.chain < ENDS_ITSELF or (bool(kinds) and issubclass(kinds[-1], ENDS))
    if not (record.over and written and table.settled()):
        raise _Fault("proof.not_over", table.seq)


def _was_open(table: History, back: StepsUndone) -> bool:
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


def _stirred(record: Record, table: History) -> dict[str, int | bool]:
    """What there is to say of who stirred, as far as the record was followed."""
    stirring, turns = table.stirring, table.stirring.turns
    by_themselves = sum(isinstance(line.entry, LuckStirred) for line in record.entries)
    return {
        "alone": sum(len(turn.names) < 2 and turn.drew for turn in turns) + by_themselves,
        "withheld": sum(len(turn.missing) for turn in turns),
        "taken": len(stirring.taken) if isinstance(stirring, Members) else 0,
        "all_taken": isinstance(stirring, Members) and stirring.all_taken,
        "waited": sum(bool(turn.late) for turn in turns),
    }
