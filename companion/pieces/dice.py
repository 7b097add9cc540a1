"""Dice on the table, each a roll of its own."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from fractions import Fraction

import msgspec

from companion.refusals import Illegal


class Dice(msgspec.Struct, frozen=True):
    """What dice show, in the order of their rolls.

    >>> dice = Dice().rolled(4).rolled(2).rolled(6)
    >>> dice.at_least(4)
    2
    >>> dice.picked_up([1]).shown
    (4, 6)
    """

    shown: tuple[int, ...] = ()
    faces: int = 6

    def odds(self) -> tuple[tuple[int, int], ...]:
        """What the next die may show: every face alike."""
        return tuple((face, 1) for face in range(1, self.faces + 1))

    def rolled(self, face: int) -> Dice:
        """With one more die on the table.

        :raises Illegal: if no die shows that.
        """
        if not 1 <= face <= self.faces:
            raise Illegal("piece.dice.face", face=face, faces=self.faces)
        return Dice((*self.shown, face), self.faces)

    def picked_up(self, places: Collection[int]) -> Dice:
        """Without the dice at these places, counted from 0, to be rolled again.

        :raises Illegal: if a die is not there.
        """
        for place in places:
            if not 0 <= place < len(self.shown):
                raise Illegal("piece.dice.place", place=place)
        return Dice(tuple(face for place, face in enumerate(self.shown) if place not in places), self.faces)

    def turned(self, place: int, face: int) -> Dice:
        """With another face up at a place, counted from 0, where a die lies: it was rolled again.

        :raises Illegal: if a die is not there, or none shows that.
        """
        if not 0 <= place < len(self.shown):
            raise Illegal("piece.dice.place", place=place)
        return Dice(
            (*self.shown[:place], *Dice((), self.faces).rolled(face).shown, *self.shown[place + 1 :]), self.faces
        )

    def at_least(self, level: int, *, besides: Collection[int] = ()) -> int:
        """How many dice show a level or more, not counting those at the places in `besides`."""
        return sum(face >= level for place, face in enumerate(self.shown) if place not in besides)

    def missing(self, wanted: Iterable[int]) -> tuple[int, ...]:
        """Which of the wanted numbers no die shows.

        >>> Dice((1, 3, 3, 6, 6)).missing([1, 2, 3])
        (2,)
        """
        return tuple(number for number in wanted if number not in self.shown)


def chances(count: int, level: int, *, faces: int = 6) -> tuple[Fraction, ...]:
    """The chances that exactly 0, 1, 2 … of so many dice show a level or more.

    >>> chances(2, 5)
    (Fraction(4, 9), Fraction(4, 9), Fraction(1, 9))
    """
    good = min(max(faces + 1 - level, 0), faces)
    return tuple(
        Fraction(math.comb(count, hits) * good**hits * (faces - good) ** (count - hits), faces**count)
        for hits in range(count + 1)
    )
