"""How much lies on the piles of the regions, worked out from what everybody has seen of all of them together.

The draw pile was shuffled: each card of a region is as likely in one gap between two green cards as in any other. So
from one moment to a later one each card that is still to come has the same chance to come, whatever its region. What is
known of that chance is written as gaps, so many past and so many ahead; how many of some cards have come is then a
negative hypergeometric draw.

What hands find in one pile is followed exactly, artifacts and rubble apart. From that the other piles learn as much as
if more gaps were past, and more ahead: as many as give the chance its mean and its spread. Each pile is then reckoned
again by what the others tell. Of a pile that alone has been reached into that is exact. Otherwise it is not quite: the
tests hold it against every order in which small draw piles can lie, where it is a few thousandths of a card off.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from math import comb, perm
from typing import NamedTuple

from companion.games.tomb_raiders.state import Reached

ROUNDS = 2
"""So often each pile is reckoned by what the others tell; a third time changes no more than the fifth figure."""
TOO_RARE = 1e-9
"""What is less likely is left out."""

Lies = Mapping[tuple[int, int], float]
"""How many artifacts and how much rubble may lie on a pile, and how likely that is."""
UNREACHED: Lies = {(0, 0): 1.0}


class Gaps(NamedTuple):
    """What is known of the chance of a card to come between two moments."""

    past: float
    ahead: float

    def coming(self, cards: int) -> list[tuple[int, float]]:
        """How likely it is that 0, 1, 2 … of so many cards come, as far as anybody has to reckon with it."""
        if not cards or not self.past:
            return [(0, 1.0)]
        if not self.ahead:
            return [(cards, 1.0)]
        past, ahead = self
        likely = 1.0
        for nth in range(cards):
            likely *= (ahead + nth) / (past + ahead + nth)
        odds = [(0, likely)]
        for count in range(cards):
            likely *= (cards - count) / (count + 1) * (past + count) / (ahead + cards - count - 1)
            odds.append((count + 1, likely))
        return [each for each in odds if each[1] > TOO_RARE]


NO_TIME, NOT_TOLD = Gaps(0.0, 1.0), Gaps(0.0, 0.0)


class KnownPile(NamedTuple):
    """What everybody knows of a region: its artifacts that nobody has found, its rubble, and what hands found there."""

    artifacts: int
    rubble: int
    reached: tuple[Reached, ...]


class _Learnt(NamedTuple):
    """What was known when somebody last reached into any pile.

    :param moments: when somebody did, by how many green cards had been turned.
    :param by_others: for each region what the other piles, and the draw pile, tell of the time up to each moment.
    :param lies: for each region what may lie there since it was itself reached into.
    """

    moments: tuple[int, ...]
    by_others: tuple[tuple[Gaps, ...], ...]
    lies: tuple[Lies, ...]


class _Look(NamedTuple):
    """A hand in a pile: what lay there after the one before, of how many artifacts, and what is known of the time
    since."""

    seen: Reached
    before: Lies
    artifacts: int
    gaps: Gaps


@lru_cache(maxsize=2048)
def lying(regions: tuple[KnownPile, ...], at: int, turned: int, ahead: int) -> Lies:
    """What may lie on a region's pile, once so many green cards have been turned and so many are ahead."""
    (moments, by_others, lies), (artifacts, rubble, reached) = _learnt(regions), regions[at]
    since = list(by_others[at][moments.index(reached[-1].turned) + 1 if reached else 0 :])
    newest = moments[-1] if moments else -1
    if turned > newest:
        since.append(Gaps(turned - newest, ahead))
    return _come(lies[at], artifacts, rubble, _in_a_row(since))


@lru_cache(maxsize=256)
def _learnt(regions: tuple[KnownPile, ...]) -> _Learnt:
    """What the piles tell, each reckoned by what the others do."""
    ahead = {seen.turned: seen.ahead for region in regions for seen in region.reached}
    moments = tuple(sorted(ahead))
    alone = [Gaps(at - before, ahead[at]) for before, at in zip((-1, *moments), moments, strict=False)]
    lies = [UNREACHED] * len(regions)
    told = [[NOT_TOLD] * len(moments) for _ in regions]
    known = [at for at, region in enumerate(regions) if region.reached]
    for _ in range(ROUNDS if len(known) > 1 else 1):
        for at in known:
            lies[at], told[at] = _reckoned(regions[at], moments, _by_others(alone, told, at))
    return _Learnt(moments, tuple(_by_others(alone, told, at) for at in range(len(regions))), tuple(lies))


def _by_others(alone: Sequence[Gaps], told: Sequence[Sequence[Gaps]], at: int) -> tuple[Gaps, ...]:
    """What is known of each time without one region's pile."""
    rows = [alone, *told[:at], *told[at + 1 :]]
    return tuple(
        Gaps(sum(gaps.past for gaps in each), sum(gaps.ahead for gaps in each)) for each in zip(*rows, strict=True)
    )


def _reckoned(region: KnownPile, moments: Sequence[int], by_others: Sequence[Gaps]) -> tuple[Lies, list[Gaps]]:
    """What may lie on a pile after it was reached into last, and what it tells of the time up to each moment."""
    looks, lies, first = list[_Look](), UNREACHED, 0
    artifacts = region.artifacts + sum(seen.artifacts for seen in region.reached)
    times = list[slice]()
    for seen in region.reached:
        times.append(slice(first, first := moments.index(seen.turned) + 1))
        looks.append(_Look(seen, lies, artifacts, _in_a_row(by_others[times[-1]])))
        lies = _found(_come(lies, artifacts, region.rubble, looks[-1].gaps), seen)
        artifacts -= seen.artifacts
    told = [NOT_TOLD] * len(moments)
    later: Lies = dict.fromkeys(lies, 1.0)
    for look, time in zip(reversed(looks), reversed(times), strict=True):
        gaps, later = _looked_back(look, region.rubble, later)
        told[time] = _shared_out(gaps, by_others[time])
    return lies, told


def _come(lies: Lies, artifacts: int, rubble: int, gaps: Gaps) -> Lies:
    """What may lie on a pile with what has come since."""
    there: dict[tuple[int, int], float] = defaultdict(float)
    coming = cache(gaps.coming)
    for (fine, waste), likely in lies.items():
        good, bad = artifacts - fine, rubble - waste
        for count, chance in coming(good + bad):
            weight, cards = likely * chance, waste + count
            if weight > TOO_RARE:
                for more, share in _divided(good, bad, count):
                    there[fine + more, cards - more] += weight * share
    return dict(there)


def _found(lies: Lies, seen: Reached) -> Lies:
    """What may lie there still, after what a hand found."""
    left = {
        (fine - seen.artifacts, waste): likely * _as_seen(fine, waste, seen) for (fine, waste), likely in lies.items()
    }
    total = sum(left.values())
    if not total:  # what lies there was put right since
        return {(0, seen.rubble): 1.0}
    return {there: likely / total for there, likely in left.items() if likely > TOO_RARE * total}


def _looked_back(look: _Look, rubble: int, later: Lies) -> tuple[Gaps, Lies]:
    """What a pile tells of the time before a hand was in it; and by what may have lain there before, how likely it was
    to find that, and what came `later`."""
    seen, (past, ahead) = look.seen, look.gaps
    found = {
        (fine + seen.artifacts, waste): likely * _as_seen(fine + seen.artifacts, waste, seen)
        for (fine, waste), likely in later.items()
    }
    total = mean = square = 0.0
    all_told: dict[tuple[int, int], float] = {}
    coming = cache(look.gaps.coming)
    for (fine, waste), likely in look.before.items():
        good, bad = look.artifacts - fine, rubble - waste
        gaps, came = past + ahead + good + bad, 0.0
        for count, chance in coming(good + bad):
            here, cards = 0.0, waste + count
            for more, share in _divided(good, bad, count):
                if (fine + more, cards - more) in found:
                    here += share * found[fine + more, cards - more]
            here *= chance
            still = ahead + good + bad - count
            came += here
            mean += likely * here * still / gaps
            square += likely * here * still * (still + 1) / (gaps * (gaps + 1))
        all_told[fine, waste] = came
        total += likely * came
    if not total or not past:
        return NOT_TOLD, all_told if total else dict.fromkeys(look.before, 1.0)
    known = _with_mean(mean / total, square / total)
    told = Gaps(max(0.0, known.past - past), max(0.0, known.ahead - ahead))
    return told, {there: likely / total for there, likely in all_told.items()}


def _shared_out(told: Gaps, times: Sequence[Gaps]) -> Iterator[Gaps]:
    """What is told of some time on end, for each part of it: a card that came later had not come before."""
    shares, left = list[float](), 1.0
    for past, ahead in times:
        shares.append(left * past / (past + ahead))
        left *= ahead / (past + ahead)
    later = told.past
    for share in shares:
        came = told.past * share / sum(shares)
        later = max(0.0, later - came)
        yield Gaps(came, told.ahead + later)


def _in_a_row(times: Sequence[Gaps]) -> Gaps:
    """What is known of all these times on end: exact where nothing but the draw pile tells of them."""
    if len(times) < 2:
        return times[0] if times else NO_TIME
    mean = square = 1.0
    for past, ahead in times:
        mean *= ahead / (past + ahead)
        square *= ahead * (ahead + 1) / ((past + ahead) * (past + ahead + 1))
    return _with_mean(mean, square) if mean else Gaps(1.0, 0.0)


def _with_mean(mean: float, square: float) -> Gaps:
    """The gaps by which a card does not come with a chance of this mean, and this mean square."""
    gaps = (mean - square) / (square - mean * mean)
    return Gaps((1 - mean) * gaps, mean * gaps)


@lru_cache(maxsize=8192)
def _divided(good: int, bad: int, count: int) -> tuple[tuple[int, float], ...]:
    """How many of so many cards are artifacts, and how likely that is, of so many of these and of rubble."""
    every = comb(good + bad, count)
    least, most = max(0, count - bad), min(count, good)
    return tuple((more, comb(good, more) * comb(bad, count - more) / every) for more in range(least, most + 1))


def _as_seen(artifacts: int, rubble: int, seen: Reached) -> float:
    """How likely it is that a hand finds what it found, where so much lies."""
    if not seen.of:  # looked through: an artifact is kept if there is any
        return float((artifacts > 0) == (seen.artifacts > 0))
    cards, drawn = artifacts + rubble, seen.artifacts + seen.rubble
    if seen.drawn_out or cards < drawn:
        return float(cards == drawn and artifacts == seen.artifacts)
    return perm(artifacts, seen.artifacts) * perm(rubble, seen.rubble) / perm(cards, drawn)
