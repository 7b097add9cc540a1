"""A game in play in a test, and whom it asks."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from companion.game import Chance, Finished, Game, Move, Turn

G = TypeVar("G", bound=Game[Any])
S = TypeVar("S")


class InPlay(Generic[G, S]):
    """What the tests of every game ask it. A question that is not open fails the test."""

    game: G
    state: S

    @property
    def seat(self) -> int:
        ask = self.game.ask(self.state)
        assert isinstance(ask, Turn), ask
        return ask.seats[0]

    @property
    def chance(self) -> Chance:
        ask = self.game.ask(self.state)
        assert isinstance(ask, Chance), ask
        return ask

    @property
    def end(self) -> Finished:
        ask = self.game.ask(self.state)
        assert isinstance(ask, Finished), ask
        return ask

    @property
    def moves(self) -> tuple[Move, ...]:
        return self.game.moves(self.state, self.seat).moves
