"""Whether what fell fell as often as its odds say."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypeVar

T = TypeVar("T")
RARE = 3.1  # standard deviations of a chi-squared figure: once in a thousand


def is_fair(counted: Mapping[T, int], chances: Mapping[T, float], rare: float = RARE) -> bool:
    """Whether chi-squared is where it should be, by the cube-root rule of Wilson and Hilferty."""
    assert set(counted) <= set(chances)
    total = sum(counted.values())
    squares = sum((counted.get(what, 0) - total * chance) ** 2 / (total * chance) for what, chance in chances.items())
    freedom = len(chances) - 1
    spread = 2 / (9 * freedom)
    return abs(math.cbrt(squares / freedom) - (1 - spread)) / math.sqrt(spread) < rare
