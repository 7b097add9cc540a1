"""A game in play, step after step, as both libraries ask for it: whose turn, what can be done, what it brings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any
from zlib import crc32

import msgspec

from companion import games
from companion.game import Chance, Dealt, Finished, Move, Played, Seat, Setup, Turn
from companion.refusals import Refusal
from companion.research.numbering import numbered

FEATURES = 1024
"""How long a vector of what is seen is."""


def open_box(box: str, seats: int, options: dict[str, bool | int | str] | None = None) -> Any:
    """The game of a box for so many seats."""
    printed = games.box(box)
    setup = Setup(box, "referee", tuple(Seat(f"seat {seat}") for seat in range(seats)), options=options or {})
    return games.open_game(games.with_defaults(setup, printed), printed)


class GamePosition:
    """A game at one moment. Where several seats are asked at once, they choose one after another, and what the first
    chose shows to nobody before all have.
    """

    def __init__(self, game: Any, state: Any = None) -> None:
        self.game = game
        self.state = game.start() if state is None else state
        self._chosen: dict[int, Move] = {}
        self._ask = game.ask(self.state)

    def copy(self) -> GamePosition:
        """The same game, which goes on by itself."""
        other = object.__new__(GamePosition)
        other.game, other.state, other._ask = self.game, self.state, self._ask
        other._chosen = dict(self._chosen)
        return other

    @property
    def chance(self) -> Chance | None:
        """The question to chance that waits for an answer."""
        return self._ask if isinstance(self._ask, Chance) else None

    @property
    def seat(self) -> int | None:
        """The seat that chooses next; nobody, where something is to be drawn or all is over."""
        match self._ask:
            case Turn(seats=seats):
                return next(seat for seat in seats if seat not in self._chosen)
        return None

    @property
    def end(self) -> Finished | None:
        """The scores, once it is over."""
        return self._ask if isinstance(self._ask, Finished) else None

    def moves(self) -> dict[int, Move]:
        """What the seat that is asked can do, by number."""
        return {} if self.seat is None else numbered(self.game.moves(self.state, self.seat).moves)

    def outcomes(self) -> list[tuple[int, float]]:
        """The outcomes that can fall, by their place in the question, with their chances."""
        odds = self.chance.odds if self.chance is not None else ()
        total = sum(weight for _, weight in odds)
        return [(nth, weight / total) for nth, (_, weight) in enumerate(odds) if weight]

    def choices(self) -> Sequence[Move]:
        """The same as they are listed."""
        listed: Sequence[Move] = () if self.seat is None else self.game.moves(self.state, self.seat).moves
        return listed

    def move(self, number: int) -> None:
        """Make a move by its number.

        :raises KeyError: if there is no such move.
        """
        self.choose(self.moves()[number])

    def choose(self, move: Move) -> None:
        """Make a move of the seat that is asked."""
        seat = self.seat
        if seat is None or not isinstance(self._ask, Turn):
            raise ValueError("nobody is asked")
        self._chosen[seat] = move
        if len(self._chosen) < len(self._ask.seats):
            return
        chosen, self._chosen = self._chosen, {}
        for who, each in chosen.items():
            with suppress(Refusal):  # what those before it made illegal is not made: that seat is asked anew
                self._go(Played(who, each))

    def deal(self, number: int) -> None:
        """Let an outcome fall, by its place in the question."""
        if self.chance is None:
            raise KeyError(number)
        self._go(Dealt(self.chance.odds[number][0]))

    def _go(self, step: Played | Dealt) -> None:
        self.state = self.game.after(self.state, step)
        self._ask = self.game.ask(self.state)

    def returns(self) -> Sequence[float]:
        """For each seat its share of the win, less everybody's; nothing before the end."""
        seats = len(self.game.setup.seats)
        if self.end is None or not self.end.winners:
            return [0.0] * seats
        won = 1 / len(self.end.winners)
        return [(won if seat in self.end.winners else 0.0) - 1 / seats for seat in range(seats)]

    def seen(self, seat: int | None) -> bytes:
        """All that a seat sees now, in canonical JSON; and what it has chosen, where others still choose."""
        shown = msgspec.to_builtins(self.game.sees(self.state, seat))
        own = msgspec.to_builtins(self._chosen[seat]) if seat in self._chosen else None
        return msgspec.json.encode([shown, own, self._open_ask()], order="deterministic")

    def _open_ask(self) -> object:
        """Whom or what the game asks, as everybody knows it."""
        match self._ask:
            case Turn(seats=seats):
                return ["move", *seats]
            case Chance(hidden=hidden, randomizer=randomizer):
                return ["chance", randomizer, None if hidden else self._ask.question]
        return ["over"]


def features(seen: bytes) -> list[float]:
    """What is seen as a vector: how often each part is there, by its hash."""
    found = [0.0] * FEATURES
    for part in _parts("", msgspec.json.decode(seen)):
        found[crc32(part.encode()) % FEATURES] += 1.0
    return found


def _parts(path: str, thing: Any) -> Iterator[str]:
    """Every value in something, with the way to it."""
    if isinstance(thing, dict):
        for key, value in thing.items():
            yield from _parts(f"{path}/{key}", value)
    elif isinstance(thing, list):
        for nth, value in enumerate(thing):
            yield from _parts(f"{path}/{nth}", value)
    else:
        yield f"{path}={thing}"
