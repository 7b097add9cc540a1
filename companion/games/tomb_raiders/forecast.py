"""What a dig may be expected to bring, reckoned from what everybody has seen and from nothing else.

The draw pile was shuffled: each card of a region is as likely in one gap between two green cards as in any other. How
many of those that nobody has seen have come onto their pile is therefore a negative hypergeometric draw, in which every
card that is known to have come, in whatever region, parts the gaps that are past once more. Whoever reaches into a pile
shows everybody some of it; what that tells of the rest is worked out, with artifacts and rubble counted apart.

Of other regions only the cards that came to light count. Whoever draws finds more where more lies, and what a dig did
not find is left out: what is told is one part in a hundred too high on average.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import lru_cache
from math import comb, perm

import msgspec

from companion.games.tomb_raiders.state import RUBBLE, Reached, TombTable
from companion.pieces.piles import have_come

Likely = tuple[tuple[int, int, float], ...]
"""How many artifacts and how much rubble may lie on a pile, and how likely that is."""


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
    state, printed = table.state, table.cards_of(region)
    found = Counter(card for mine in state.seats for card in mine.finds) + Counter(state.gone)
    artifacts = {card: table.terms.artifacts[card][1] for card in printed if card in table.terms.artifacts}
    unseen = {card: max(0, printed[card] - found[card]) for card in artifacts}
    worth = sum(artifacts[card] * count for card, count in unseen.items())
    reached = state.reached.get(region, ())
    rubble = printed.get(f"{RUBBLE}{region}", 0)
    now = (state.turned, state.deck.total, table.known_elsewhere(region))
    most = max(max(row) for row in table.terms.dial.rows)
    return _forecast(reached, sum(unseen.values()), rubble, worth, now, most)


@lru_cache(maxsize=2048)
def _forecast(
    reached: tuple[Reached, ...], artifacts: int, rubble: int, worth: int, now: tuple[int, int, int], most: int
) -> Forecast:
    """For so many artifacts that nobody has found, which are worth so much, and all rubble."""
    lies: dict[int, list[float]] = defaultdict(lambda: [0.0, 0.0])  # by how many: how likely, and artifacts among them
    for there, waste, likely in _lying(reached, artifacts, rubble):
        to_come = artifacts + rubble - there - waste
        share = (artifacts - there) / to_come if to_come else 0.0
        for more, chance in _coming(to_come, reached, now):
            weight = likely * chance
            cards = lies[there + waste + more]
            cards[0] += weight
            cards[1] += weight * (there + more * share)
    each = worth / artifacts if artifacts else 0.0
    rows = [(count, *lies[count]) for count in sorted(lies)]
    return Forecast(
        lie=sum(count * likely for count, likely, _ in rows),
        cards=tuple(sum(min(n, count) * likely for count, likely, _ in rows) for n in range(most + 1)),
        points=tuple(
            sum(min(n, count) / count * good * each for count, _, good in rows if count) for n in range(most + 1)
        ),
    )


@lru_cache(maxsize=2048)
def _lying(reached: tuple[Reached, ...], artifacts: int, rubble: int) -> Likely:
    """What may lie on a pile after it was last reached into, with so many artifacts not found since."""
    if not reached:
        return ((0, 0, 1.0),)
    *before, last = reached
    if last.drawn_out:
        return ((0, last.rubble, 1.0),)
    found = artifacts + last.artifacts
    lies = lying_by_now(tuple(before), found, rubble, (last.turned, last.ahead, last.known))
    seen = {(a, r): likely * _as_seen(a, r, last) for a, r, likely in lies}
    total = sum(seen.values())
    if not total:  # what lies there was put right since
        return ((0, last.rubble, 1.0),)
    return tuple((a - last.artifacts, r, likely / total) for (a, r), likely in seen.items() if likely)


@lru_cache(maxsize=2048)
def lying_by_now(reached: tuple[Reached, ...], artifacts: int, rubble: int, now: tuple[int, int, int]) -> Likely:
    """What may lie on a pile with what has come since it was last reached into.

    :param now: how many green cards have been turned, how many are ahead, and how many of other regions have come.
    """
    lies: dict[tuple[int, int], float] = defaultdict(float)
    for there, waste, likely in _lying(reached, artifacts, rubble):
        good, bad = artifacts - there, rubble - waste
        for more, chance in _coming(good + bad, reached, now):
            for fine in range(max(0, more - bad), min(more, good) + 1):
                split = comb(good, fine) * comb(bad, more - fine) / comb(good + bad, more)
                lies[there + fine, waste + more - fine] += likely * chance * split
    return tuple((a, r, likely) for (a, r), likely in lies.items())


def _coming(cards: int, reached: tuple[Reached, ...], now: tuple[int, int, int]) -> list[tuple[int, float]]:
    """How likely it is that 0, 1, 2 … of so many have come since a pile was last reached into, or since the start."""
    turned, ahead, known = now
    past = turned - reached[-1].turned if reached else turned + 1 + known
    if not past or not cards:
        return [(0, 1.0)]
    if not ahead:
        return [(cards, 1.0)]
    odds = have_come(cards, past, ahead)
    total = sum(weight for _, weight in odds)
    return [(count, weight / total) for count, weight in odds]


def _as_seen(artifacts: int, rubble: int, seen: Reached) -> float:
    """How likely it is that a hand finds what it found, where so much lies."""
    if not seen.of:  # looked through: an artifact is kept if there is any
        return float((artifacts > 0) == (seen.artifacts > 0))
    cards, drawn = artifacts + rubble, seen.artifacts + seen.rubble
    if cards < drawn:
        return 0.0
    return perm(artifacts, seen.artifacts) * perm(rubble, seen.rubble) / perm(cards, drawn)
