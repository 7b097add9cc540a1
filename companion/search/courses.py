"""Courses: what is imagined played on, by cheap players and with common luck, to the end or until it is cut short."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import exp
from typing import Any

from companion.game import Chance, Dealt, Finished, Played, Turn
from companion.refusals import Refusal
from companion.search.insight import Idea, Insight
from companion.search.luck import CommonLuck
from companion.trials import at_random

LONGEST = 2_000
"""So many steps a course has at most; then it is valued as it stands."""
FOR_A_WIN = 0.5
"""How much of a course's value is for the win, where it was played to the end; the rest is for the lead."""

STEEP = 1.1
"""With the lead by which three of four games are won, 1 / (1 + e^-STEEP) is three quarters."""


def value_of(game: Any, insight: Insight, state: Any, seat: int, idea: Idea, seed: int) -> float:
    """What a seat gets of one course that begins with an idea: 0 to 1, half where nobody is ahead of two."""
    end, points = _course(game, insight, state, seat, idea, seed)
    others = [each for at, each in enumerate(points) if at != seat]
    lead = points[seat] - max(others, default=0.0)
    hope = 1.0 / (1.0 + exp(-max(-40.0, min(40.0, lead * STEEP / insight.lead))))
    if end is None:
        return hope
    share = 1 / len(end.winners) if seat in end.winners else 0.0
    return FOR_A_WIN * share + (1 - FOR_A_WIN) * hope


def chances_of(game: Any, insight: Insight, state: Any, seat: int, idea: Idea, seed: int) -> tuple[float, ...]:
    """Each seat's chance to win, by one course: its share of the win; of one cut short, as the leads promise."""
    return outcome_of(game, insight, state, seat, idea, seed)[0]


def outcome_of(
    game: Any, insight: Insight, state: Any, seat: int, idea: Idea, seed: int
) -> tuple[tuple[float, ...], Sequence[float]]:
    """What comes of one course: each seat's chance to win, and its points."""
    end, points = _course(game, insight, state, seat, idea, seed)
    return _chances(insight, end, points), points


def _chances(insight: Insight, end: Finished | None, points: Sequence[float]) -> tuple[float, ...]:
    if end is not None:
        return tuple(1 / len(end.winners) if at in end.winners else 0.0 for at in range(len(points)))
    most = max(points)
    weights = [exp(max(-40.0, (each - most) * STEEP / insight.lead)) for each in points]
    return tuple(weight / sum(weights) for weight in weights)


def _course(
    game: Any, insight: Insight, state: Any, seat: int, idea: Idea, seed: int
) -> tuple[Finished | None, Sequence[float]]:
    """The end of a course, if it has one, and the points of each seat."""
    policy = insight.policy or at_random
    luck, chance = random.Random(seed), CommonLuck(seed)  # noqa: S311 -- imagined, nothing is dealt by it
    after = getattr(game, "after_allowed", game.after)
    then, first, moves = idea.then, True, 0
    for _ in range(LONGEST):
        ask = game.ask(state)
        if isinstance(ask, Chance):
            state = after(state, Dealt(chance.drawn(ask)))
            continue
        if isinstance(ask, Finished):
            return ask, [score.total for score in ask.scores]
        if insight.turns and moves >= insight.turns and insight.promise is not None:
            return None, insight.promise(game, state)
        made = []
        for who in ask.seats:
            move = None
            if who == seat:
                move = idea.move if first else then(game, state, seat) if then is not None else None
                then, first = (then, False) if move is not None else (None, False)
            made.append(Played(who, move if move is not None else policy(game, state, who, luck)))
        state = _played(game, after, state, ask, made, luck)
        moves += 1
    return None, [score.total for score in game.tally(state).scores]


def _played(game: Any, after: Any, state: Any, ask: Turn, made: list[Played], luck: random.Random) -> Any:
    """The state once those who are asked have moved; where several do at once, in any order."""
    if len(made) == 1:
        return after(state, made[0])
    luck.shuffle(made)
    for played in made:
        try:
            state = game.after(state, played)
        except Refusal:
            continue
    return state
