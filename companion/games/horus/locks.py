"""How likely a lock opens, exactly, by the best re-rolling there is: keep one die of each number that is wanted."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import cache


@cache
def hits(wanted: int, dice: int, faces: int) -> tuple[Fraction, ...]:
    """The chances that exactly 0, 1, 2 … of so many wanted numbers show among so many dice.

    >>> hits(1, 1, 6)
    (Fraction(5, 6), Fraction(1, 6))
    """

    def exactly(count: int) -> int:
        """Rolls on which a certain `count` of them show and no other wanted one, by inclusion and exclusion."""
        plain = faces - wanted
        return sum((-1) ** out * math.comb(count, out) * (plain + count - out) ** dice for out in range(count + 1))

    return tuple(Fraction(math.comb(wanted, count) * exactly(count), faces**dice) for count in range(wanted + 1))


@cache
def opens(missing: int, held: int, rolls: int, helpers: int, dice: int, faces: int) -> Fraction:
    """The chance that a lock opens within so many rolls.

    :param missing: how many numbers are still wanted.
    :param held: how many dice lie with a number that is wanted; the others are rolled.
    :param helpers: how many missing numbers could be supplied at the end.

    >>> opens(3, 0, 1, 0, 5, 6)
    Fraction(205, 1296)
    >>> opens(1, 4, 2, 0, 5, 6)
    Fraction(11, 36)
    """
    if missing <= helpers:
        return Fraction(1)
    if not rolls:
        return Fraction(0)
    fallen = hits(missing, dice - held, faces)
    following = (
        chance * opens(missing - new, held + new, rolls - 1, helpers, dice, faces)
        for new, chance in enumerate(fallen)
        if chance
    )
    return sum(following, Fraction(0))


def dice_kept(shown: Sequence[int], wanted: Collection[int]) -> tuple[int, ...]:
    """The places of the dice to keep: the first that shows each number that is wanted.

    >>> dice_kept((3, 3, 6, 1, 5), (1, 2, 3))
    (0, 3)
    """
    return tuple(place for place, face in enumerate(shown) if face in wanted and face not in shown[:place])
