"""Around the rules: how the terminal draws the shaft, and who plays it for trials."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from companion.account import Account, PossibleFind, SeatScore
from companion.account import Board as Seen
from companion.drawing.paper import Board, Drawing, Paper, listed, maps, number, of, with_count
from companion.game import Chance, Json, Move
from companion.trials import Bot, at_random

from .rules import ROCK, Climb, Dig, Shaft

RISK = 0.3  # so likely may the rock be that buries everything


def sensible(game: Any, state: Shaft, seat: int, luck: random.Random) -> Move:
    """Climbs out once a rock lies there and another is likely."""
    risk = state.bag[ROCK] / state.bag.total if ROCK in state.haul and state.bag.total else 0.0
    return Climb() if risk > RISK and state.haul else Dig()


def ending(state: Shaft, moves: Sequence[Move]) -> str:
    """The one way it can end."""
    return "empty"


def bag(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """What is left in it."""
    yield from paper.flow("", (with_count(paper.said(stone), number(n)) for stone, n in of(lies).items()))


def haul(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """What this turn has brought up."""
    yield from paper.flow("", map(paper.said, listed(lies)))


def seats(paper: Paper, board: Board, lies: Json) -> Iterator[str]:
    """What lies before everybody."""
    for own in maps(lies):
        yield from paper.flow(f"{paper.name(own['seat'])}  ", map(paper.said, listed(own["stones"])))


BOTS: dict[str, Bot] = {"random": at_random, "sensible": sensible}
DRAWINGS: dict[str, Drawing] = {"bag": bag, "haul": haul, "seats": seats}


def standings(game: Any, board: Seen) -> tuple[SeatScore, ...]:
    """What the stones before everybody are worth."""
    return tuple(SeatScore(sum(game.terms.worth[stone] for stone in own["stones"])) for own in board["seats"])


def may_be_found(game: Any, before: Shaft, chance: Chance) -> tuple[PossibleFind, ...]:
    """The stones in the bag; a rock is worth nothing."""
    return tuple(PossibleFind(stone, game.terms.worth.get(str(stone), 0), n) for stone, n in chance.odds)


ACCOUNT = Account(standings, may_be_found)
