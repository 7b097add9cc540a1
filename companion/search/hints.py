"""Hints: the best moves of a seat, what each promises, and why, from what the seat can know."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from statistics import fmean
from typing import Any

import msgspec

from companion.game import Json, Move, Played
from companion.refusals import Fact
from companion.search.choice import Decision, Worlds, think
from companion.search.courses import outcome_of
from companion.search.insight import NO_INSIGHT, Idea, Insight
from companion.search.levels import SHARP
from companion.search.luck import mixed
from companion.search.worlds import STUMBLES

MOST = 3
"""So many moves are told."""
COURSES = 60
"""So many courses are played for what each of them promises."""
SURE = 1.96


class Hint(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move, and what it promises.

    :ivar told: what the log would tell the seat of it.
    :ivar chance: of winning, from 0 to 1, and how far on each side the truth may lie, with 95 of 100 certainty.
    :ivar points: at the end, on average. None of the three, where nothing can be imagined yet.
    :ivar why: a sentence of the game, by its key, and what fills it; none where the figures say it all.
    """

    move: Move
    told: dict[str, Json]
    chance: float | None = None
    within: float | None = None
    points: float | None = None
    why: str | None = None
    facts: dict[str, Fact] = {}


def hints(
    game: Any,
    insight: Insight | None,
    state: Any,
    seat: int,
    *,
    seed: int,
    simulations: int = SHARP.simulations // 2,
    courses: int = COURSES,
) -> tuple[Hint, ...]:
    """The best moves of a seat, the best first. Of the state no more is used than the seat can know."""
    insight = insight or NO_INSIGHT
    decision = think(game, insight, state, seat, simulations=simulations, seed=seed)
    worlds = Worlds(game, insight, state, seat, mixed(seed))
    return tuple(_hint(game, insight, worlds, seat, move, courses) for move in _best(decision))


def _within(shares: Sequence[float]) -> float:
    """How far from the mean of some shares of the win the truth may lie; not nowhere, though all of them are alike.

    As many wins as losses more are counted as make a mean of few figures honest (Agresti and Coull).
    """
    n = len(shares) + SURE**2
    mean = (sum(shares) + SURE**2 / 2) / n
    return SURE * sqrt(mean * (1 - mean) / n)


def _best(decision: Decision) -> Sequence[Move]:
    """The move that is chosen, then those that did best."""
    others = [each.move for each in decision.weighed if each.move != decision.move and each.courses > 1]
    return [decision.move, *dict.fromkeys(others)][:MOST]


def _hint(game: Any, insight: Insight, worlds: Worlds, seat: int, move: Move, courses: int) -> Hint:
    """What a move promises, in the same imagined courses as the others."""
    shares, points = list[float](), list[float]()
    for nth in range(courses):
        if (world := worlds[nth]) is None:
            continue
        try:
            chances, totals = outcome_of(game, insight, world, seat, Idea(move), worlds.course(nth))
        except STUMBLES:  # while layers are laid in secret, for one, nothing can be played on
            continue
        shares.append(chances[seat])
        points.append(totals[seat])
    known = worlds.known
    why = insight.why(game, known, seat, move) if insight.why is not None else None
    return Hint(
        move,
        game.tells(known, Played(seat, move), seat),
        fmean(shares) if shares else None,
        _within(shares) if shares else None,
        fmean(points) if points else None,
        why.key if why else None,
        why.facts if why else {},
    )
