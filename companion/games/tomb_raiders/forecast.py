"""What a dig may be expected to bring, reckoned from what everybody has seen and from nothing else."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache

import msgspec

from companion.games.tomb_raiders.gaps import KnownPile, Lies, lying
from companion.games.tomb_raiders.state import RUBBLE, TombTable


class Forecast(msgspec.Struct, frozen=True):
    """What to expect of a region's pile.

    :param lie: how many cards may lie there, on average.
    :param cards: of so many that the chart shows, from none on, how many will be drawn.
    :param points: what these are worth.
    """

    lie: float
    cards: tuple[float, ...]
    points: tuple[float, ...]


def forecast(table: TombTable, region: str) -> Forecast:
    """What to expect of a region's pile, by what everybody has seen."""
    found, artifacts = _found(table), table.terms.artifacts
    unseen = {card: n - found[card] for card, n in table.cards_of(region).items() if card in artifacts}
    worth = sum(artifacts[card][1] * count for card, count in unseen.items() if count > 0)
    most = max(max(row) for row in table.terms.dial.rows)
    at, state = table.terms.regions.index(region), table.state
    return _forecast(_known(table), at, state.turned, state.deck.total, worth, most)


def lying_now(table: TombTable, region: str) -> Lies:
    """What may lie on a region's pile, by what everybody has seen."""
    return lying(_known(table), table.terms.regions.index(region), table.state.turned, table.state.deck.total)


def _known(table: TombTable) -> tuple[KnownPile, ...]:
    """What everybody knows of all regions; there is as much rubble as has come up at once, whatever the box says."""
    found, artifacts, known = _found(table), table.terms.artifacts, list[KnownPile]()
    for region in table.terms.regions:
        printed, reached = table.cards_of(region), table.state.reached.get(region, ())
        unseen = sum(max(0, n - found[card]) for card, n in printed.items() if card in artifacts)
        rubble = max(printed.get(f"{RUBBLE}{region}", 0), *(seen.rubble for seen in reached), 0)
        known.append(KnownPile(unseen, rubble, reached))
    return tuple(known)


def _found(table: TombTable) -> Counter[str]:
    """All that has been found, or has left the game."""
    return Counter(card for mine in table.state.seats for card in mine.finds) + Counter(table.state.gone)


@lru_cache(maxsize=2048)
def _forecast(regions: tuple[KnownPile, ...], at: int, turned: int, ahead: int, worth: int, most: int) -> Forecast:
    """Of a region's pile, for artifacts that nobody has found, which are worth so much together."""
    lies: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])  # by how many: how likely, and artifacts among them
    for (fine, waste), likely in lying(regions, at, turned, ahead).items():
        cards = lies[fine + waste]
        cards[0] += likely
        cards[1] += likely * fine
    each = worth / regions[at].artifacts if regions[at].artifacts else 0.0
    rows = [(count, *lies[count]) for count in sorted(lies)]
    return Forecast(
        lie=sum(count * likely for count, likely, _ in rows),
        cards=tuple(sum(min(n, count) * likely for count, likely, _ in rows) for n in range(most + 1)),
        points=tuple(
            sum(min(n, count) / count * fine * each for count, _, fine in rows if count) for n in range(most + 1)
        ),
    )
