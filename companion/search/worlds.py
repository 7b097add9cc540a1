"""What a seat imagines of what it cannot see, for games that do not say it themselves.

The marks of secrecy say what a seat does not see. Things that the game counts (`Game.census`) are neither made nor
lost, so which of them are hidden follows from those that are seen: they are dealt anew among the places where something
is hidden. What is not counted, such as a sealed bid, is taken as it is shown.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from typing import Any

from msgspec import Struct, structs

from companion.pieces.bag import Bag
from companion.referee import Referee
from companion.secrecy import parts_of

TRIES = 8
STUMBLES = (LookupError, ValueError, TypeError, AttributeError, AssertionError, ArithmeticError)
"""What the rules of a game may raise for a state that no game comes to. A refusal is a `ValueError`, too."""


def as_known(game: Any, state: Any, seat: int) -> Any:
    """The state as a seat sees it, by its marks. A game that is no referee marks nothing."""
    return game.as_seen(state, seat, seat).state if isinstance(game, Referee) else state


def redealt(game: Any, state: Any, seat: int, luck: random.Random) -> Any | None:
    """A state that looks the same to a seat, with what is hidden dealt anew; None where none was found.

    :param state: the state as it is: no more is used of it than how much of what is hidden there is in all.
    """
    if not isinstance(game, Referee):
        return state
    seen = as_known(game, state, seat)
    if seen == state:
        return state
    counted = game.census(state).keys()
    hidden = _Hidden(game, state, seat, counted)
    if not hidden.things or hidden.uncounted:
        return seen
    hidden.things.sort()
    moves = game.moves(state, seat)
    for _ in range(TRIES):
        luck.shuffle(hidden.things)
        imagined = hidden.dealt()
        with suppress(*STUMBLES):
            if as_known(game, imagined, seat) == seen and game.moves(imagined, seat) == moves:
                return imagined
    return None


class _Hidden:
    """The things in a state that a seat does not see, and the places where they are."""

    def __init__(self, game: Any, state: Any, seat: int, counted: Collection[str]) -> None:
        self.state = state
        self.seat = seat
        self.things: list[str] = []
        self.uncounted = False  # something that the game does not count lies among what is hidden
        self._here = game.at(state, seat)
        self._counted = counted
        self._replaced(state, None, self._taken)

    def dealt(self) -> Any:
        """The state with the things in their places, in the order in which they are now."""
        left = iter(self.things)
        return self._replaced(self.state, None, lambda thing: next(left))

    def _note(self, things: Iterable[str]) -> None:
        """Where one thing is not counted none is dealt anew: which place it lies in would tell what it is."""
        self.uncounted = self.uncounted or not all(thing in self._counted for thing in things)

    def _taken(self, thing: str) -> str:
        self.things.append(thing)
        return thing

    def _replaced(self, thing: Any, seat: int | None, put: Callable[[str], str]) -> Any:
        """A thing with another in the place of each that is hidden in it."""
        if not isinstance(thing, Struct):
            return thing
        changes: dict[str, Any] = {}
        for name, secret, by_seat in parts_of(type(thing)):
            value = getattr(thing, name)
            if secret is None:
                changes[name] = self._inside(value, seat, put, by_seat=by_seat)
                continue
            shown = secret.seen(self._here, value, thing, seat, self.seat)
            changes[name] = value if shown == value else self._in_place_of(value, shown, put)
        return structs.replace(thing, **changes) if changes else thing

    def _inside(self, value: Any, seat: int | None, put: Callable[[str], str], *, by_seat: bool = False) -> Any:
        if isinstance(value, tuple) and not hasattr(value, "_fields"):
            return tuple(self._replaced(each, at if by_seat else seat, put) for at, each in enumerate(value))
        if isinstance(value, Mapping):
            return {key: self._replaced(each, seat, put) for key, each in value.items()}
        return self._replaced(value, seat, put)

    def _in_place_of(self, value: Any, shown: Any, put: Callable[[str], str]) -> Any:
        """What is hidden, dealt anew where it is things that are counted; else as it is shown."""
        if isinstance(value, Bag):
            self._note(value)
            return Bag.of([put(card) for card in value for _ in range(value[card])])
        if isinstance(value, Mapping) and isinstance(shown, Mapping) and value.keys() == shown.keys():
            return {key: self._in_place_of(each, shown[key], put) for key, each in value.items()}
        if not isinstance(value, tuple) or len(value) != len(shown):
            return shown
        if not all(isinstance(each, str) for each in value):
            return tuple(self._in_place_of(one, seen, put) for one, seen in zip(value, shown, strict=True))
        self._note(value)
        return tuple(one if one == seen else put(one) for one, seen in zip(value, shown, strict=True))
