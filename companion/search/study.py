"""A finished game, gone through: what luck gave and took, what decisions cost, and where it turned.

At each decision stand the chances of all seats to win if the best move found is made. What a decision costs is the
difference between that move and the one that was made, in the same courses, in states as the seat could imagine them
then. What is left of the change until the next decision is luck: the draws, and what others knew. So for each seat

    start + luck + decisions = end

holds to the rounding, however few courses were played; how sure each part is, its error says.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any

import msgspec

from companion.game import Finished, Move, Played, Step, Turn
from companion.search.choice import think
from companion.search.courses import chances_of
from companion.search.insight import NO_INSIGHT, Idea, Insight
from companion.search.luck import mixed
from companion.search.worlds import as_known, redealt

COURSES = 40
"""So many courses a decision, and as many for the chances."""
SURE = 1.5
"""By so many standard errors a move has to be worse than the best found, or it is as good."""
TURNS = 3
"""So many moments at which a game turned are told."""

Chances = tuple[float, ...]
"""For each seat its chance to win."""


class Judged(msgspec.Struct, frozen=True):
    """A decision, and what came until the next one.

    :param step: which of the game's steps it was, from 0.
    :param chances: of all seats, if the best move found is made.
    :param best: that move; the one that was made, where none was better beyond the noise.
    :param decision: what the move that was made changed of them.
    :param error: of what it cost its own seat.
    :param luck: what changed until the next decision, or the end.
    """

    step: int
    seat: int
    move: Move
    best: Move
    chances: Chances
    decision: Chances
    error: float
    luck: Chances

    @property
    def cost(self) -> float:
        """What the move cost its seat of its chance to win."""
        return max(0.0, -self.decision[self.seat])

    @property
    def swing(self) -> float:
        """How much changed with it for anybody."""
        return max(abs(one + other) for one, other in zip(self.decision, self.luck, strict=True))


class Study(msgspec.Struct, frozen=True):
    """What came of going through a game.

    :param start: the chances before the first decision.
    :param end: each seat's share of the win.
    :param luck: for each seat the sum over the game.
    :param decisions: likewise what decisions changed: its own, which cost it, and those of others, which may help it.
    :param error: of what its own cost.
    """

    start: Chances
    end: Chances
    luck: Chances
    decisions: Chances
    error: Chances
    judged: tuple[Judged, ...]

    @property
    def corrected(self) -> Chances:
        """The result without what luck gave and took."""
        return tuple(end - luck for end, luck in zip(self.end, self.luck, strict=True))

    @property
    def costs(self) -> Chances:
        """What each seat's own decisions cost it."""
        seats = range(len(self.end))
        return tuple(sum(each.cost for each in self.judged if each.seat == seat) for seat in seats)

    @property
    def turns(self) -> tuple[Judged, ...]:
        """The moments at which the game turned most, in the order of the game."""
        most = sorted(self.judged, key=lambda each: -each.swing)[:TURNS]
        return tuple(sorted(most, key=lambda each: each.step))


class Stopped(Exception):
    """Whoever wanted a study wants it no more."""


def study(
    game: Any,
    insight: Insight | None,
    steps: Sequence[Step],
    *,
    courses: int = COURSES,
    seed: int = 1,
    progress: Callable[[int], None] = lambda done: None,
    stopped: Callable[[], bool] = lambda: False,
) -> Study:
    """Go through a game.

    :param steps: all that still count, from the start to the end.
    :param progress: is told after each decision how many steps are gone through.
    :raises Stopped: where it was stopped.
    :raises ValueError: where the steps do not lead to an end.
    """
    insight, found = insight or NO_INSIGHT, list[JudgedMove]()
    for at, state, ask in _decisions(game, steps):
        if stopped():
            raise Stopped
        step = steps[at]
        if isinstance(ask, Turn) and isinstance(step, Played):
            found.append(judged(game, insight, state, at, step, courses, seed_of(seed, at)))
        progress(at + 1)
    return added_up(found, _end_of(game, steps))


def seed_of(seed: int, step: int) -> int:
    """The seed with which the decision at a step is judged."""
    return mixed(seed * 1_000_003 + step)


def added_up(found: Sequence[JudgedMove], end: Chances) -> Study:
    """The study of a game whose decisions were judged.

    :param found: in the order of the game.
    :param end: each seat's share of the win.
    """
    ahead = [*(point.chances for point in found[1:]), end][: len(found)]
    whole = tuple(
        Judged(point.step, point.seat, point.move, point.best, point.chances, point.decision, point.error, luck)
        for point, following in zip(found, ahead, strict=True)
        for luck in [_less(following, _and(point.chances, point.decision))]
    )
    start = found[0].chances if found else end
    seats = range(len(end))
    decisions = tuple(sum(each.decision[seat] for each in whole) for seat in seats)
    luck = tuple(sum(each.luck[seat] for each in whole) for seat in seats)
    error = tuple(sqrt(sum(each.error**2 for each in whole if each.seat == seat)) for seat in seats)
    return Study(start, end, luck, decisions, error, whole)


class JudgedMove(msgspec.Struct, frozen=True):
    """A decision by itself: the chances there if the best move found is made, and what the move that was made changed.

    What belongs to it of :class:`Judged` without what came after it.
    """

    step: int
    seat: int
    move: Move
    best: Move
    chances: Chances
    decision: Chances
    error: float


def _decisions(game: Any, steps: Sequence[Step]) -> Iterator[tuple[int, Any, object]]:
    """Each step with the state before it and what was asked there."""
    state = game.start()
    for at, step in enumerate(steps):
        yield at, state, game.ask(state)
        state = game.after(state, step)


def _end_of(game: Any, steps: Sequence[Step]) -> Chances:
    """Each seat's share of the win. A game that its host closed is taken as it stood."""
    state = game.start()
    for step in steps:
        state = game.after(state, step)
    ask = game.ask(state)
    end = ask if isinstance(ask, Finished) else game.tally(state)
    return tuple(1 / len(end.winners) if seat in end.winners else 0.0 for seat in range(len(end.scores)))


def judged(
    game: Any, insight: Insight | None, state: Any, at: int, step: Played, courses: int, seed: int
) -> JudgedMove:
    """A decision by what its seat knew; and the chances as everything lay."""
    insight = insight or NO_INSIGHT
    thought = think(game, insight, state, step.seat, simulations=courses, seed=seed)
    best = Idea(thought.move)
    whole = [chances_of(game, insight, state, step.seat, best, mixed(seed + nth)) for nth in range(courses)]
    chances = _mean(whole)
    if best.move == step.move:
        return JudgedMove(at, step.seat, step.move, best.move, chances, (0.0,) * len(chances), 0.0)
    apart = list(_apart(game, insight, state, step, best, courses, seed))
    decision = _mean(apart) or (0.0,) * len(chances)
    own = [each[step.seat] for each in apart]
    error = stdev(own) / sqrt(len(own)) if len(own) > 1 else 0.0
    if decision[step.seat] >= -SURE * error:  # it was as good, as far as can be told
        return JudgedMove(at, step.seat, step.move, step.move, chances, (0.0,) * len(chances), error)
    return JudgedMove(at, step.seat, step.move, best.move, chances, decision, error)


def _apart(
    game: Any, insight: Insight, state: Any, step: Played, best: Idea, courses: int, seed: int
) -> Iterator[Chances]:
    """By how much the chances are others with the move that was made than with the best, course by course."""
    known = (insight.knows or as_known)(game, state, step.seat) if insight.imagine else state
    for nth in range(max(4, courses)):
        luck, course = random.Random(mixed(seed ^ nth)), mixed(seed ^ (nth + (1 << 20)))  # noqa: S311 -- imagined
        world = (insight.imagine or redealt)(game, known, step.seat, luck)
        if world is not None:
            made = chances_of(game, insight, world, step.seat, Idea(step.move), course)
            yield _less(made, chances_of(game, insight, world, step.seat, best, course))


def _mean(rows: Sequence[Chances]) -> Chances:
    return tuple(fmean(column) for column in zip(*rows, strict=True)) if rows else ()


def _and(one: Chances, other: Chances) -> Chances:
    return tuple(mine + more for mine, more in zip(one, other, strict=True))


def _less(one: Chances, other: Chances) -> Chances:
    return tuple(mine - less for mine, less in zip(one, other, strict=True))
