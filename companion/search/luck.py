"""Draws in what is imagined: the same question, asked for the n-th time, is answered by the same number in each course.

So two moves that are compared meet the same luck as far as they ask for it, and their difference is less noisy than
either of them.
"""

from __future__ import annotations

from functools import lru_cache
from zlib import crc32

from companion.game import Chance, Outcome

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mixed(number: int) -> int:
    """64 bits that look random (splitmix64); the same on every machine and in every process.

    >>> mixed(0) == 0xE220A8397B1DCDAF
    True
    """
    number = (number + GOLDEN) & MASK
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & MASK
    return number ^ (number >> 31)


@lru_cache(maxsize=4096)
def _code(question: str) -> int:
    return mixed(crc32(question.encode()))


class CommonLuck:
    """Answers of chance in one imagined course."""

    __slots__ = ("_asked", "_seed")

    def __init__(self, seed: int) -> None:
        self._seed = mixed(seed)
        self._asked: dict[str, int] = {}

    def drawn(self, chance: Chance) -> Outcome:
        """An answer to a question, as likely as its weight."""
        odds, question = chance.odds, chance.question
        if len(odds) == 1:
            return odds[0][0]
        nth = self._asked.get(question, 0)
        self._asked[question] = nth + 1
        total = 0
        for _, weight in odds:
            total += weight
        point = (mixed(self._seed ^ (_code(question) + nth * GOLDEN)) * total) >> 64
        for outcome, weight in odds:
            point -= weight
            if point < 0:
                return outcome
        raise ValueError(f"nothing can fall: {question}")
