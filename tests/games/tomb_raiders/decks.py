"""Small draw piles in every order in which they can lie, and what hands would find there: counted, nothing clever."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from math import comb, factorial, prod
from typing import NamedTuple

from companion.games.tomb_raiders.gaps import KnownPile
from companion.games.tomb_raiders.state import Reached

Heaps = tuple[tuple[tuple[int, int], ...], ...]
"""For each region, after 0, 1, 2 … green cards: how many artifacts and how much rubble have come."""


class Deck(NamedTuple):
    """What lies in a draw pile: green cards, and of each region so many artifacts and so much rubble."""

    greens: int
    regions: tuple[tuple[int, int], ...]

    def every_order(self) -> Counter[Heaps]:
        """All orders of all cards, by what comes when."""
        cards = [(at, kind) for at, region in enumerate(self.regions) for kind in (0, 1) for _ in range(region[kind])]
        orders: Counter[Heaps] = Counter()
        for gaps in product(range(self.greens + 1), repeat=len(cards)):
            heaps = tuple(
                tuple(_come(gaps, cards, at, after) for after in range(self.greens)) for at in range(len(self.regions))
            )
            orders[heaps] += prod(map(factorial, Counter(gaps).values()))
        return orders


def _come(gaps: Sequence[int], cards: Sequence[tuple[int, int]], at: int, after: int) -> tuple[int, int]:
    """How many artifacts, and how much rubble, of a region have come after so many green cards."""
    come = [card for gap, card in zip(gaps, cards, strict=True) if gap <= after]
    return come.count((at, 0)), come.count((at, 1))


class Glance(NamedTuple):
    """Somebody reached into a region's pile, and everybody saw this."""

    region: int
    seen: Reached


def glances(heaps: Heaps, greens: int, luck: random.Random) -> Iterator[Glance]:
    """What hands at random find, where the cards come so."""
    gone = [0] * len(heaps)
    for turned in sorted(luck.randrange(greens - 1) for _ in range(luck.randrange(1, 6))):
        at, of = luck.randrange(len(heaps)), luck.choice((0, 1, 2, 4))
        artifacts, rubble = heaps[at][turned][0] - gone[at], heaps[at][turned][1]
        drawn = luck.sample("a" * artifacts + "r" * rubble, min(of, artifacts + rubble))
        found = int(artifacts > 0) if not of else drawn.count("a")
        gone[at] += found
        yield Glance(at, Reached(turned, greens - turned, of, found, drawn.count("r"), len(drawn) < of))


def likely(heaps: Heaps, seen: Sequence[Glance]) -> float:
    """How likely it is that hands find this, where the cards come so."""
    chance, gone = 1.0, [0] * len(heaps)
    for at, each in seen:
        artifacts, rubble = heaps[at][each.turned][0] - gone[at], heaps[at][each.turned][1]
        if artifacts < each.artifacts:
            return 0.0
        if not each.of:
            chance *= each.artifacts == min(1, artifacts)
        else:
            drawn = min(each.of, artifacts + rubble)
            ways = comb(artifacts, each.artifacts) * comb(rubble, each.rubble) / comb(artifacts + rubble, drawn)
            chance *= ways * (each.artifacts + each.rubble == drawn)
        gone[at] += each.artifacts
    return chance


def known(deck: Deck, seen: Sequence[Glance]) -> tuple[KnownPile, ...]:
    """The same as everybody at a table knows it."""
    rows = [tuple(each.seen for each in seen if each.region == at) for at in range(len(deck.regions))]
    return tuple(
        KnownPile(artifacts - sum(each.artifacts for each in row), rubble, row)
        for (artifacts, rubble), row in zip(deck.regions, rows, strict=True)
    )
