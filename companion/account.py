"""What a game says so that the story of a table can be told: how everybody stands, what is a find, what is idle."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec

from companion.game import Chance, Json, Outcome, Setup, State

Board = Mapping[str, Any]
"""The pieces by name, as everybody sees them."""


class SeatScore(msgspec.Struct, frozen=True):
    """How a seat stands, as everybody at the table can count it.

    :param week: how many weeks have gone by for it; None in a game without weeks.
    """

    points: int
    week: int | None = None


class PossibleFind(msgspec.Struct, frozen=True):
    """Something that may come to light for a digger: what it is worth, and how likely it is among the others."""

    outcome: Outcome
    worth: float
    weight: int


Standings = Callable[[Any, Board], tuple[SeatScore, ...]]
MayBeFound = Callable[[Any, Any, Chance], tuple[PossibleFind, ...]]
Idle = Callable[[Any, Any, int, Any], int]


def nothing_to_find(game: object, before: State, chance: Chance) -> tuple[PossibleFind, ...]:
    """A game in which nothing is found."""
    return ()


def never_idle(game: object, before: State, seat: int, move: object) -> int:
    """A game in which nobody lets time pass."""
    return 0


def as_before(setup: Setup) -> Setup:
    """The same table once more, for a game in which nothing goes on to the next seat."""
    return setup


class Account(msgspec.Struct, frozen=True):
    """What a game says of its own for the story of a table; the counting is done for all games alike.

    Its words are ``evening.found`` (what the finds were), ``evening.idle`` (`n` weeks, or turns, that were let go by).

    :param standings: how each seat stands: given the game and the board that everybody sees, and nothing else, so that
        it can tell no secret. Empty where nobody can count it.
    :param may_be_found: given the game, the state and a question: what may come to light for the seat whose hand draws,
        as whoever paid attention could reckon it. Empty where it is no find.
    :param idle: given the game, the state, a seat and its move: the weeks, or turns, it lets go by without a deed.
    :param once_more: given the setup of a game that is over, that of the next with the same people.
    """

    standings: Standings
    may_be_found: MayBeFound = nothing_to_find
    idle: Idle = never_idle
    once_more: Callable[[Setup], Setup] = as_before

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            if not callable(getattr(self, name)):
                raise TypeError(f"account: {name} must be a function")


def seats_of(board: Board) -> list[Mapping[str, Json]]:
    """The rows of a board that has one for each seat."""
    rows: list[Mapping[str, Json]] = board["seats"]
    return rows
