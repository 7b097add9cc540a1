"""Who plays for each seat of a table, and how often each may ask for a hint."""

from __future__ import annotations

from typing import Final, Literal

from companion.game import HintLevel, SeatKind, Setup
from companion.play.actors import Actor, host_only, may_act
from companion.play.entries import HintAsked, HintsAllowed, MovePlayed, OutcomeRecorded, SeatSwitched
from companion.refusals import Illegal, Malformed, NotYourTurn

BOTS: Final[tuple[SeatKind, ...]] = ("curious", "steady", "sharp")
"""The kinds of seats at which a bot sits, by its level."""
PLAYED_FOR: Final[tuple[SeatKind, ...]] = (*BOTS, "away")
"""The kinds of seats for which no person plays."""
FEW: Final = 3
"""So many hints a seat has that may ask for a few."""
MOST_HINTS: Final[dict[HintLevel, int | None]] = {"none": 0, "few": FEW, "free": None}

BotNews = Literal["thinks", "lifts", "without", "no_room"]
"""What is to be said of a bot: that it thinks; that somebody has to lift for it; that it moved without a thought, as
that took too long; that the machine has no room for thinking."""
SeatEntry = SeatSwitched | HintsAllowed | HintAsked


def check_setup(setup: Setup) -> None:
    """Refuse bots where nobody referees: there is no turn that they could take.

    :raises Illegal: there.
    """
    for seat in setup.seats:
        check_plays(setup, seat.kind)


def check_plays(setup: Setup, kind: SeatKind) -> None:
    """Refuse a bot at a table that nobody referees."""
    if kind in BOTS and setup.mode != "referee":
        raise Illegal("seat.no_bots")


def may_switch(actor: Actor, of: int) -> None:
    """Refuse whoever may not say who plays for a seat: that is for the host, and for the person of that seat."""
    may_act(actor)
    if actor.role != "host" and actor.seat != of:
        raise NotYourTurn("seat.not_yours")


def may_allow_hints(actor: Actor) -> None:
    """Refuse whoever is not the host."""
    host_only(actor)


def may_ask_hint(level: HintLevel, asked: int) -> None:
    """Refuse a hint where the table allows none, or no more of them.

    :param asked: how many the seat has had.
    """
    most = MOST_HINTS[level]
    if most == 0:
        raise Illegal("hint.not_allowed")
    if most is not None and asked >= most:
        raise Illegal("hint.no_more", n=most)


def check_seat(seat: object, seats: int) -> None:
    """Refuse the number of a seat that the table does not have."""
    if not isinstance(seat, int) or isinstance(seat, bool) or not 0 <= seat < seats:
        raise Malformed("core.bad_seat")


def is_by_itself(entry: object) -> bool:
    """Whether no person made an entry: the companion drew, or a bot moved."""
    if isinstance(entry, MovePlayed):
        return entry.by == "bot"
    return isinstance(entry, OutcomeRecorded) and entry.by == "companion"
