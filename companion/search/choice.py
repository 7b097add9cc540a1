"""The choice of a move: sequential halving over the moves worth trying, in the same imagined states for all of them.

What is known of the policy's own move is a good guess already; another takes its place only if it did better in the
same courses by more than the noise. So a few courses are never worse than none.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from math import ceil, inf, log2, sqrt
from typing import Any

import msgspec

from companion.game import Move
from companion.refusals import Refusal
from companion.search.courses import value_of
from companion.search.insight import NO_INSIGHT, Idea, Insight
from companion.search.luck import mixed
from companion.search.worlds import STUMBLES, as_known, redealt
from companion.trials import at_random

MOST = 12
"""So many moves are tried, where a game does not say which."""
WORLDS = 32
"""In so many imagined states a game may look for what is worth trying."""
SURE = 1.8
"""By so many standard errors another move has to be better than the policy's …"""
FEW = 4.0
"""… and by so many more, shared by the courses that it had: of few the error itself is unsure."""


class RankedMove(msgspec.Struct, frozen=True):
    """What came of trying a move.

    :param value: on average: 0 to 1.
    :param ahead: by how much more, or less, than the first guess in the same courses; and the `error` of that.
    """

    move: Move
    value: float
    ahead: float
    error: float
    courses: int


class Decision(msgspec.Struct, frozen=True):
    """A choice, and what was weighed for it, the best first."""

    move: Move
    weighed: tuple[RankedMove, ...] = ()
    courses: int = 0


def think(
    game: Any,
    insight: Insight | None,
    state: Any,
    seat: int,
    *,
    simulations: int,
    seed: int,
    late: Callable[[float], bool] = lambda share: False,
) -> Decision:
    """The move of a seat. The same seed and simulations choose the same.

    :param state: the state as it is; of it no more is used than the seat can know.
    :param simulations: so many courses are played in all.
    :param late: whether such a share of the time is over: each round of the halving has its own.
    """
    insight = insight or NO_INSIGHT
    moves = game.moves(state, seat).moves
    luck = random.Random(seed)  # noqa: S311 -- imagined, nothing is dealt by it
    if len(moves) == 1:
        return Decision(moves[0])
    worlds = Worlds(game, insight, state, seat, seed)
    first = worlds[0]
    if first is None:
        return Decision(luck.choice(moves))
    ideas = _ideas(game, insight, worlds, seat, moves, luck)
    if len(ideas) == 1 or simulations < len(ideas):
        return Decision(ideas[0].move)
    return _halved(game, insight, worlds, seat, ideas, simulations, late)


class Worlds:
    """What a seat imagines, one state for each number; those that are looked at are kept."""

    def __init__(self, game: Any, insight: Insight, state: Any, seat: int, seed: int) -> None:
        self._game, self._insight, self._seat = game, insight, seat
        self._state, self.seed = state, seed
        if insight.imagine is not None:
            knows = insight.knows or as_known
            self._state = knows(game, state, seat)
        self._kept: dict[int, Any] = {}

    @property
    def known(self) -> Any:
        """The state with no more in it than the seat knows."""
        return self._state if self._insight.imagine is not None else as_known(self._game, self._state, self._seat)

    def __getitem__(self, number: int) -> Any:
        if number not in self._kept:
            luck = random.Random(self.course(number))  # noqa: S311 -- imagined, nothing is dealt by it
            imagine = self._insight.imagine or redealt
            self._kept[number] = imagine(self._game, self._state, self._seat, luck)
        return self._kept[number]

    def course(self, number: int) -> int:
        """The seed of a course."""
        return mixed(self.seed * 1_000_003 + number)


def _ideas(
    game: Any, insight: Insight, worlds: Worlds, seat: int, moves: Sequence[Move], luck: random.Random
) -> Sequence[Idea]:
    """What is worth trying, the policy's own move first."""
    if insight.ideas is not None:
        return insight.ideas(game, [worlds[number] for number in range(WORLDS)], seat, moves)
    own = (insight.policy or at_random)(game, worlds[0], seat, luck)
    kinds: dict[type[Move], list[Move]] = {}
    for move in moves:
        kinds.setdefault(type(move), []).append(move)
    for alike in kinds.values():
        luck.shuffle(alike)
    rows = [alike[nth] for nth in range(MOST) for alike in kinds.values() if nth < len(alike)]
    return [Idea(own), *(Idea(move) for move in rows if move != own)][:MOST]


def _halved(
    game: Any,
    insight: Insight,
    worlds: Worlds,
    seat: int,
    ideas: Sequence[Idea],
    simulations: int,
    late: Callable[[float], bool],
) -> Decision:
    """Sequential halving; the first guess stays to the end, to be compared with."""
    values: list[list[float]] = [[] for _ in ideas]
    alive = list(range(len(ideas)))
    rounds, spent, number = max(1, ceil(log2(len(ideas)))), 0, 0
    for nth in range(rounds):
        share = (simulations - spent) // (rounds - nth)
        for _ in range(max(1, share // len(alive))):
            if number > nth and late((nth + 1) / rounds):
                break
            world, seed = worlds[number], worlds.course(number)
            if world is not None:
                for at in alive:
                    values[at].append(_tried(game, insight, world, seat, ideas[at], seed))
            spent, number = spent + len(alive), number + 1
        best = sorted(alive[1:], key=lambda at: -sum(values[at]) / max(1, len(values[at])))
        alive = [0, *best[: max(1, (len(best)) // 2)]]
    return _chosen(ideas, values, alive, spent)


def _tried(game: Any, insight: Insight, world: Any, seat: int, idea: Idea, seed: int) -> float:
    """The value of a course; nothing, where it cannot be played.

    A state that was imagined without the help of its game may be one that no game comes to, and its rules may stumble.
    """
    try:
        return value_of(game, insight, world, seat, idea, seed)
    except STUMBLES as wrong:
        if insight.imagine is not None and not isinstance(wrong, Refusal):
            raise
        return 0.0


def _chosen(ideas: Sequence[Idea], values: Sequence[Sequence[float]], alive: Sequence[int], spent: int) -> Decision:
    """The best of those that were tried to the end, if it is better than the first guess beyond the noise."""
    weighed = [_weighed(idea, values[at], values[0]) for at, idea in enumerate(ideas) if values[at]]
    if not weighed:
        return Decision(ideas[0].move)
    last = [_weighed(ideas[at], values[at], values[0]) for at in alive[1:]]
    best = max(last, key=lambda each: each.ahead, default=weighed[0])
    move = best.move if best.ahead > (SURE + FEW / best.courses) * best.error else ideas[0].move
    return Decision(move, tuple(sorted(weighed, key=lambda each: -each.value)), spent)


def _weighed(idea: Idea, values: Sequence[float], first: Sequence[float]) -> RankedMove:
    """A move beside the first guess, in the courses that both had."""
    n = len(values)
    ahead = [mine - its for mine, its in zip(values, first, strict=False)]
    mean = sum(ahead) / n
    spread = sqrt(sum((each - mean) ** 2 for each in ahead) / (n - 1)) if n > 1 else inf
    error = spread / sqrt(n) if n > 1 else inf
    return RankedMove(idea.move, sum(values) / n, mean, error, n)
