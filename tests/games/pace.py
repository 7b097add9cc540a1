"""How fast a referee is, measured alike for every game in the processor's time: what else runs does not matter."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

from companion.game import Dealt, Finished, Game, Move, Played, State, Step, Turn
from companion.trials import drawn

S = TypeVar("S", bound=State)
Chosen = Callable[[tuple[Move, ...], random.Random], Move]


def any_of(moves: tuple[Move, ...], luck: random.Random) -> Move:
    """One move as likely as any other."""
    return luck.choice(moves)


def random_game(game: Game[S], luck: random.Random, choose: Chosen = any_of) -> list[tuple[S, Step]]:
    """A game at random, each step with the state before it: the legal list is made for each turn, the odds for each
    draw."""
    state, course = game.start(), list[tuple[S, Step]]()
    while not isinstance(ask := game.ask(state), Finished):
        if isinstance(ask, Turn):
            step: Step = Played(ask.seats[0], choose(game.moves(state, ask.seats[0]).moves, luck))
        else:
            step = Dealt(drawn(ask, luck))
        course.append((state, step))
        state = game.after(state, step)
    return course


def random_play(game: Game[S], games: int, luck: random.Random, choose: Chosen = any_of) -> tuple[float, float]:
    """Steps and whole games a second."""
    begun = time.process_time()
    steps = sum(len(random_game(game, luck, choose)) for _ in range(games))
    taken = time.process_time() - begun
    return steps / taken, games / taken


def replaying(game: Game[S], *, among: int = 20, choose: Chosen = any_of) -> tuple[float, int]:
    """Milliseconds to replay the longest of some finished games, and its steps."""
    longest = max((random_game(game, random.Random(seed), choose) for seed in range(among)), key=len)
    best = min(_replayed(game, longest) for _ in range(3))
    return best * 1000, len(longest)


def _replayed(game: Game[S], course: list[tuple[S, Step]]) -> float:
    begun, state = time.process_time(), game.start()
    for _, step in course:
        state = game.after(state, step)
    return time.process_time() - begun
