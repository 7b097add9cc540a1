"""A game in play in a test, and whom it asks."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from msgspec.structs import replace

from companion.game import Chance, Finished, Game, Move, Pace, State, Turn
from companion.play.dealer import SealedDealer
from companion.play.entries import Keys, Laid
from companion.play.journal import NoJournal
from companion.play.table import Table

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


def at_the_table(game: Any, state: State, pace: Pace = "flow") -> Table:
    """A table in play that begins as a game stands, kept nowhere."""
    setup, kind, secret = replace(game.setup, pace=pace), type(game), bytes(32)
    begun: Any = type("Begun", (kind,), {"start": lambda _: state})
    laid = Laid("begun", 1, setup, {}, "", game.rules_version, SealedDealer(secret).seal, "test")
    keys = Keys("host", tuple(seat.name for seat in setup.seats))
    return Table(begun(setup, game.box, game.rules_version), laid, secret, keys, journal=NoJournal(), clock=lambda: 1)
