"""The piles of the regions, which nobody may count: so nobody's step is counted by what lies in them either.

What comes from the draw pile onto a region's pile is not drawn when it comes: the number of steps would tell how much
it was. It is drawn when somebody first reaches into a pile afterwards, by the same number of hidden draws wherever it
lies: for each region how many of its cards have come, then for each kind of the one pile how many are among them.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb

import msgspec
from msgspec.structs import replace

from companion.pieces.bag import Bag

Odds = tuple[tuple[int, int], ...]

NONE = Bag.of(())

FINEST = 1 << 62
"""Odds are told in so many parts at most: no hand shuffles finer."""


class Pile(msgspec.Struct, frozen=True):
    """The cards of a region that nobody has before them.

    :param faces: what those are of which only the back has been seen, on the pile or in the draw pile.
    :param unturned: how many of these lie on the pile, as far as it is settled.
    :param cards: the others on the pile, that the companion knows.
    :param settled: how far the draw pile had come when the last of the pile was known.
    """

    faces: Bag
    unturned: int = 0
    cards: Bag = NONE
    settled: int = -1

    @property
    def to_come(self) -> int:
        """How many are in the draw pile."""
        return self.faces.total - self.unturned

    def come(self, more: int) -> Pile:
        """So many more have come from the draw pile."""
        return replace(self, unturned=self.unturned + more)

    def known(self, kind: str, count: int) -> Pile:
        """So many of the unturned are of this kind."""
        faces, cards = self.faces.without(kind, count), self.cards.with_(kind, count)
        return replace(self, faces=faces, unturned=self.unturned - count, cards=cards)

    def without(self, kind: str) -> Pile:
        """After this card was taken from the pile."""
        return replace(self, cards=self.cards.without(kind))

    def with_(self, kind: str, count: int = 1) -> Pile:
        """After so many of a kind were put onto the pile."""
        return replace(self, cards=self.cards.with_(kind, count))


@lru_cache(maxsize=4096)
def have_come(cards: int, past: int, ahead: int) -> Odds:
    """How likely it is that 0, 1, 2 … of so many cards have come, shuffled among others of which so many gaps are past
    and so many ahead.

    >>> have_come(1, 1, 1), have_come(2, 1, 1)
    (((0, 1), (1, 1)), ((0, 1), (1, 1), (2, 1)))
    >>> sum(weight for _, weight in have_come(20, 40, 60)) <= FINEST
    True
    """
    ways = [comb(n + past - 1, n) * comb(cards - n + ahead - 1, cards - n) for n in range(cards + 1)]
    return tuple(enumerate(_told_apart(ways)))


@lru_cache(maxsize=4096)
def are_among(kind: int, others: int, taken: int, most: int) -> Odds:
    """How likely it is that 0, 1, 2 … of a kind are among so many cards, taken from so many of the kind and others; as
    far as the box has any, so that the answers are the same for every pile.

    >>> are_among(2, 2, 2, 3)
    ((0, 1), (1, 4), (2, 1), (3, 0))
    """
    return tuple((n, comb(kind, n) * comb(others, taken - n) if n <= taken else 0) for n in range(most + 1))


def _told_apart(ways: list[int]) -> list[int]:
    """The same odds in fewer parts, where there are too many; what can be stays possible."""
    coarser = max(0, sum(ways).bit_length() - FINEST.bit_length() + 2)
    return [max(1, way >> coarser) for way in ways]
