"""Contests: one player against another in paired games, which have the same draws and swap the seats.

A group of games is as many as there are seats: in each of them the challenger sits elsewhere, and all the others are
the yardstick. The draws of a group are the same as far as the same is asked, so that much of the luck cancels out.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any

import msgspec

from companion.game import Chance, Dealt, Finished, Played, Turn
from companion.search.luck import CommonLuck
from companion.trials import LONGEST_GAME, Bot, moved_together

SURE = 1.96
"""Standard errors on each side of which 95 of 100 means lie."""


class PairedGame(msgspec.Struct, frozen=True):
    """A game of a contest, as the challenger had it.

    :param won: its share of the win.
    :param points: its own, and the mean of the others'.
    """

    won: float
    points: float
    others: float
    steps: int


class Spread(msgspec.Struct, frozen=True):
    """A mean, and how far on each side the truth may lie, with 95 of 100 certainty."""

    mean: float
    within: float

    @classmethod
    def of(cls, figures: Sequence[float]) -> Spread:
        """Of some independent figures.

        >>> round(Spread.of([1.0, 0.0, 1.0, 0.0]).within, 2)
        0.57
        """
        within = SURE * stdev(figures) / sqrt(len(figures)) if len(figures) > 1 else float("inf")
        return cls(fmean(figures), within)


class Contest(msgspec.Struct, frozen=True):
    """What came of a contest.

    :param won: the challenger's share of wins.
    :param ahead: by how many points it was ahead of the others' mean.
    :param seconds: what a decision of the challenger took of a processor, on average; `slowest` the slowest.
    """

    games: int
    won: Spread
    points: float
    others: float
    ahead: Spread
    decisions: int
    seconds: float
    slowest: float


class Timed:
    """A player, and what its decisions take of a processor; those with nothing to decide are not counted."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.taken: list[float] = []

    def __call__(self, game: Any, state: Any, seat: int, luck: random.Random) -> Any:
        begin = time.process_time()
        move = self.bot(game, state, seat, luck)
        self.taken.append(time.process_time() - begin)
        return move


def contest(
    game: Any,
    challenger: Bot,
    yardstick: Bot,
    *,
    games: int,
    seed: int,
    progress: Callable[[int], None] = lambda done: None,
) -> Contest:
    """Play so many games, or as many more as whole groups need.

    :param game: at a table of as many seats as are to play.
    """
    seats, timed, groups = len(game.setup.seats), Timed(challenger), list[list[PairedGame]]()
    while len(groups) * seats < games:
        groups.append(list(_group(game, timed, yardstick, seats, f"{seed} {len(groups)}")))
        progress(len(groups) * seats)
    every = [each for group in groups for each in group]
    return Contest(
        games=len(every),
        won=Spread.of([fmean(each.won for each in group) for group in groups]),
        points=fmean(each.points for each in every),
        others=fmean(each.others for each in every),
        ahead=Spread.of([fmean(each.points - each.others for each in group) for group in groups]),
        decisions=len(timed.taken),
        seconds=fmean(timed.taken),
        slowest=max(timed.taken),
    )


def _group(game: Any, challenger: Bot, yardstick: Bot, seats: int, seed: str) -> Iterator[PairedGame]:
    """The same draws, with the challenger in each seat once."""
    draws = random.Random(seed).getrandbits(48)  # noqa: S311 -- trials, not a table
    for seat in range(seats):
        bots = [challenger if at == seat else yardstick for at in range(seats)]
        end, steps = one_game(game, bots, draws, random.Random(f"{seed} {seat}"))  # noqa: S311
        totals = [score.total for score in end.scores]
        others = fmean(total for at, total in enumerate(totals) if at != seat)
        yield PairedGame(1 / len(end.winners) if seat in end.winners else 0.0, totals[seat], others, steps)


def one_game(game: Any, bots: Sequence[Bot], draws: int, luck: random.Random) -> tuple[Finished, int]:
    """A game to its end, and how many steps it took.

    :param draws: what the draws follow from.
    """
    state, chance = game.start(), CommonLuck(draws)
    for steps in range(LONGEST_GAME):
        ask = game.ask(state)
        match ask:
            case Finished():
                return ask, steps
            case Chance():
                state = game.after(state, Dealt(chance.drawn(ask)))
            case Turn(seats=(seat,)):
                state = game.after(state, Played(seat, bots[seat](game, state, seat, luck)))
            case Turn(seats=asked):
                state, _ = moved_together(game, state, asked, lambda at, who: bots[who](game, at, who, luck), luck)
    raise RuntimeError("this game does not end")
