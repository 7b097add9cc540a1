"""What to expect of a handful of tokens, exactly: nothing is simulated."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import NamedTuple

from companion.pieces.bag import Bag


class Prospect(NamedTuple):
    """What a handful of tokens may bring."""

    tokens: int
    """How many are drawn: no more than there are."""
    finds: tuple[Fraction, ...]
    """The chance of exactly 0, 1, 2 … finds."""
    points: Fraction
    """Expected points."""
    spread: float
    """Standard deviation of the points."""

    @property
    def at_least_one(self) -> Fraction:
        """The chance not to come away empty-handed."""
        return 1 - self.finds[0]

    @property
    def expected_finds(self) -> Fraction:
        """How many finds there are on average."""
        return sum((count * chance for count, chance in enumerate(self.finds)), Fraction(0))


def finds(good: int, total: int, draws: int) -> tuple[Fraction, ...]:
    """The chances of exactly 0, 1, 2 … good tokens in so many draws, nothing being put back.

    >>> finds(1, 3, 2)
    (Fraction(1, 3), Fraction(2, 3))
    >>> finds(14, 30, 5)[0]
    Fraction(8, 261)
    """
    draws = min(draws, total)
    hands = math.comb(total, draws)
    return tuple(
        Fraction(math.comb(good, count) * math.comb(total - good, draws - count), hands)
        for count in range(min(good, draws) + 1)
    )


def prospect(bag: Bag, worth: Mapping[str, int], draws: int) -> Prospect:
    """What so many draws from a bag may bring.

    :param worth: the points of every token that is a find; what is not named here is none.

    >>> seen = prospect(Bag.of({"object:2": 1, "object:4": 1, "blank": 2}), {"object:2": 2, "object:4": 4}, 2)
    >>> seen.points, seen.at_least_one
    (Fraction(3, 1), Fraction(5, 6))
    """
    drawn = min(draws, bag.total)
    good = sum_of_points = sum_of_squares = 0
    for token, count in bag.counts.items():
        if token in worth:
            points = worth[token]
            good += count
            sum_of_points += count * points
            sum_of_squares += count * points * points
    return Prospect(
        drawn,
        finds(good, bag.total, drawn),
        Fraction(drawn * sum_of_points, bag.total or 1),
        _spread(bag.total, drawn, sum_of_points, sum_of_squares),
    )


def _spread(total: int, drawn: int, sum_of_points: int, sum_of_squares: int) -> float:
    """Of a sum of draws that are not put back."""
    if total < 2:
        return 0.0
    variance = Fraction(drawn * (total - drawn) * (total * sum_of_squares - sum_of_points**2), total**2 * (total - 1))
    return math.sqrt(variance)
