"""Who has how much, and who won."""

from __future__ import annotations

from companion.game import Finished, Score
from companion.games.tutankhamun.state import Terms, TutankhamunState
from companion.pieces.purse import Coins, Purse


def coins(terms: Terms, silver: int) -> Coins:
    """A sum as its coins lie in a purse (TUT-01)."""
    return Purse(silver, terms.gold_in_silver).coins()


def tally(terms: Terms, state: TutankhamunState) -> Finished:
    """The purses as they stand. Most money wins, of those still in; equals share it (TUT-21)."""
    most = max(state.purses)  # who has left has nothing
    winners = tuple(seat for seat, purse in enumerate(state.purses) if state.playing[seat] and purse == most)
    return Finished(tuple(_score(terms, seat, purse) for seat, purse in enumerate(state.purses)), winners)


def _score(terms: Terms, seat: int, purse: int) -> Score:
    gold, silver = coins(terms, purse)
    return Score(seat, purse, {"gold": gold * terms.gold_in_silver, "silver": silver})
