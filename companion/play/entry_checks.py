"""Which entry may follow in a journal or a record: whoever alters the file must not gain a new roll by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.play.actors import Actor, may_act
from companion.play.entries import (
    MOVES,
    SEATS,
    STIRS,
    EndConfirmed,
    Entry,
    GameEnded,
    HintAsked,
    HintsAllowed,
    HostAgreed,
    HostStayed,
    HostWanted,
    JournalLine,
    MovePlayed,
    OutcomeRecorded,
    SealRenewed,
    SeatsChanged,
    SeatSwitched,
    StepsUndone,
    TableArrived,
    TableCorrected,
    TableRestored,
    TableStayed,
)
from companion.play.seating import check_follows
from companion.play.sitting import PLAYED_FOR, SeatEntry, check_plays, check_seat, may_ask_hint, may_switch
from companion.refusals import Illegal, Malformed, NotYourTurn, Over

if TYPE_CHECKING:
    from companion.play.history import History

ENDS_ITSELF = 2
"""The first version of the chain in which an end that nobody has to confirm is an entry."""


def check_entry(table: History, line: JournalLine) -> None:
    """Refuse an entry that no live table would have written as its next.

    :raises Malformed: where its number, or what it refers to, is wrong.
    :raises Refusal: where it may not be made as things are.
    """
    if line.seq != table.seq + 1:
        raise Malformed("entry.out_of_order", seq=line.seq, n=table.seq)
    if not fits_location(table, line.entry):
        raise Malformed("entry.has_left" if table.left else "entry.had_not_left", seq=line.seq)
    if isinstance(line.entry, MOVES):
        return
    match line.entry:
        case GameEnded() if not (table.laid.chain >= ENDS_ITSELF and table.settled()):
            raise Malformed("entry.no_end", seq=line.seq)
        case StepsUndone(to=to) if not 0 <= to < line.seq:
            raise Malformed("entry.no_way_back", seq=line.seq, n=to)
        case OutcomeRecorded(draw=draw) if draw != table.position().draws:
            raise Malformed("entry.other_draw", seq=line.seq, n=table.position().draws, draw=draw)
        case EndConfirmed(by=by, seat=seat):
            check_confirmation(table, Actor(by, seat))
        case entry if isinstance(entry, _only_before_the_end(table)) and table.settled():
            raise Over("core.over")
        case entry if isinstance(entry, STIRS):
            table.stirring.check(line.seq, entry)
        case entry:
            check_seating(table, entry)
    table.not_ended()


def fits_location(table: History, entry: Entry) -> bool:
    """Whether an entry fits where the table is kept: one that has left can only arrive, stay, or be copied."""
    if table.left is None:
        return not isinstance(entry, TableArrived | TableStayed)
    return isinstance(entry, SealRenewed) or (
        isinstance(entry, TableArrived | TableStayed) and entry.ticket == table.left.ticket
    )


def _only_before_the_end(table: History) -> tuple[type[Entry], ...]:
    ended = table.laid.chain >= ENDS_ITSELF
    return (StepsUndone, TableRestored, *STIRS, *SEATS, *((TableCorrected,) if ended else ()))


def check_seating(table: History, entry: Entry) -> None:
    """Refuse an entry about seats or the host that does not fit who sits at the table."""
    match entry:
        case SeatSwitched() | HintsAllowed() | HintAsked() | MovePlayed():
            check_of_seat(table, entry)
        case SeatsChanged():
            check_follows(table.seating, entry, begun=table.begun, by_agreement=table.bid is not None)
        case HostWanted(seat=seat) | HostAgreed(seat=seat):
            table.seating.check_seat(seat)
    if isinstance(entry, HostAgreed | HostStayed) and table.bid is None:
        raise Illegal("core.nobody_asked")


def check_of_seat(table: History, entry: SeatEntry | MovePlayed) -> None:
    """Refuse an entry about who plays for a seat, or its hints, and a bot's move where no bot sits.

    :raises Refusal: where the table has no such seat, or the entry is not for that actor to make.
    """
    of = entry.seat if isinstance(entry, HintAsked | MovePlayed) else entry.of
    match entry:
        case MovePlayed(by="bot") if of not in range(len(table.kinds)) or table.kinds[of] not in PLAYED_FOR:
            raise Malformed("entry.no_bot", seq=table.seq + 1)
        case MovePlayed():
            return
    check_seat(of, len(table.kinds))
    match entry:
        case SeatSwitched(by=by, plays=kind, seat=seat):
            may_switch(Actor(by, seat), of)
            check_plays(table.setup, kind)
        case HintAsked():
            may_ask_hint(table.hints[of], table.hinted[of])


def check_confirmation(table: History, actor: Actor) -> None:
    """Refuse to confirm an end that is not pending, or that this actor reported."""
    if not table.over():
        raise Illegal("core.before_the_end")
    pending = table.hinge()
    if pending is None:
        raise Over("core.over")
    may_act(actor)
    if not pending.may_be_confirmed_by(actor):
        raise NotYourTurn("core.own_report")
