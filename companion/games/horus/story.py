"""What the story of a table is told by: what everybody could count, the cards of a deck, actions let go by."""

from __future__ import annotations

from msgspec.structs import replace

from companion.account import Account, Board, PossibleFind, SeatScore, seats_of
from companion.game import Chance, Move, Outcome, Setup
from companion.games.horus.cards import value
from companion.games.horus.moves import End
from companion.games.horus.rules import Horus
from companion.games.horus.state import HorusState


def standings(game: Horus, board: Board) -> tuple[SeatScore, ...]:
    """The points of open idols; at the end the score."""
    return tuple(SeatScore(int(str(row["points"]))) for row in seats_of(board))


def may_be_found(game: Horus, before: HorusState, chance: Chance) -> tuple[PossibleFind, ...]:
    """The cards that were left in a deck. A chest is worth what a die shows on average."""
    if chance.randomizer != "search":
        return ()
    average = (1 + game.terms.faces) / 2
    return tuple(PossibleFind(card, worth_of(card, average), weight) for card, weight in chance.odds if weight)


def worth_of(card: Outcome, chest: float) -> float:
    """The points of a card: what is printed on it; what a chest is worth is said.

    >>> worth_of("treasure-sobek-5", 3.5), worth_of("chest", 3.5), worth_of("snake", 3.5)
    (5, 3.5, 0)
    """
    return chest if card == "chest" else value(str(card))


def idle(game: Horus, before: HorusState, seat: int, move: Move) -> int:
    """The actions that somebody does not use."""
    return before.adventurers[seat].actions if isinstance(move, End) else 0


def once_more(setup: Setup) -> Setup:
    """The dice go first to the next seat."""
    first = int(setup.options.get("first_keeper", 0))
    return replace(setup, options={**setup.options, "first_keeper": (first + 1) % len(setup.seats)})


ACCOUNT = Account(standings, may_be_found, idle, once_more)
