"""Many games among bots, one after another, and what came of them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any, Protocol, TypeVar

import msgspec

from companion.game import Chance, Dealt, Finished, Game, Move, Outcome, Played, State, Turn
from companion.refusals import Refusal

LONGEST_GAME = 5_000
WEIGHT = itemgetter(1)

S = TypeVar("S", bound=State)
Bot = Callable[[Any, Any, int, random.Random], Move]
"""Chooses a move, given the game, its state and the seat."""


class PlayedGame(msgspec.Struct, frozen=True):
    """How one game went: its scores, how many steps it took, and the way it ended."""

    end: Finished
    steps: int
    ending: str


class Trial(msgspec.Struct, frozen=True):
    """What came of some games.

    :param scores: for each game, the total of each seat.
    :param wins: for each seat; a shared win counts as a share.
    :param endings: the ways in which games ended, and how many did.
    :param shared: how many games had more than one winner.
    """

    bots: tuple[str, ...]
    scores: tuple[tuple[int, ...], ...]
    wins: tuple[float, ...]
    steps: tuple[int, ...]
    endings: dict[str, int]
    shared: int


class Players(Protocol):
    """Who can play a refereed game."""

    @property
    def bots(self) -> Mapping[str, Bot]:
        """Players by name."""

    def ending(self, state: Any, moves: Sequence[Move]) -> str:
        """The way a game ended, from its last state and all moves."""


def at_random(game: Game[S], state: S, seat: int, luck: random.Random) -> Move:
    """Any legal move, each as likely as any other."""
    return luck.choice(game.moves(state, seat).moves)


def play_out(
    game: Game[Any],
    players: Players,
    bots: Sequence[str],
    *,
    games: int,
    seed: int,
    progress: Callable[[int], None] = lambda done: None,
) -> Trial:
    """Let bots play so many games; the same seed plays them alike.

    :param players: who can play this game, and how it ended.
    :param bots: who plays, seat by seat.
    """
    chosen = [players.bots[bot] for bot in bots]

    def course(luck: random.Random) -> PlayedGame:
        return one_game(game, lambda state, seat: chosen[seat](game, state, seat, luck), players.ending, luck)

    return many_games(course, bots, games=games, seed=seed, progress=progress)


def many_games(
    play: Callable[[random.Random], PlayedGame],
    bots: Sequence[str],
    *,
    games: int,
    seed: int,
    progress: Callable[[int], None],
) -> Trial:
    """Play so many games; the same seed plays them alike."""
    luck = random.Random(seed)  # noqa: S311 -- trials, not a table
    courses, wins = [], [0.0] * len(bots)
    for played in range(games):
        course = play(luck)
        courses.append(course)
        for winner in course.end.winners:
            wins[winner] += 1 / len(course.end.winners)
        progress(played + 1)
    return Trial(
        tuple(bots),
        tuple(tuple(score.total for score in course.end.scores) for course in courses),
        tuple(wins),
        tuple(course.steps for course in courses),
        dict(Counter(course.ending for course in courses)),
        sum(len(course.end.winners) > 1 for course in courses),
    )


def one_game(
    game: Game[S],
    choose: Callable[[S, int], Move],
    ending: Callable[[S, Sequence[Move]], str],
    luck: random.Random,
) -> PlayedGame:
    """One game to its end.

    :param choose: the move of a seat.
    :param ending: the way a game ended, from its last state and all moves.
    """
    state, moves, draws = game.start(), list[Move](), 0
    while len(moves) + draws < LONGEST_GAME:
        ask = game.ask(state)
        match ask:
            case Finished():
                return PlayedGame(ask, len(moves) + draws, ending(state, moves))
            case Chance():
                state, draws = game.after(state, Dealt(random_outcome(ask, luck))), draws + 1
            case Turn(seats=(seat,)):
                moves.append(choose(state, seat))
                state = game.after(state, Played(seat, moves[-1]))
            case Turn(seats=seats):
                state, made = moved_together(game, state, seats, choose, luck)
                moves += made
    raise RuntimeError("this game does not end")


def moved_together(
    game: Game[S], state: S, seats: Sequence[int], choose: Callable[[S, int], Move], luck: random.Random
) -> tuple[S, list[Move]]:
    """The state once the seats that are asked have moved, each by what it saw before any of them did, and their moves.

    Any of them may be the first. A move that those before it made illegal is not made: that seat is asked anew.
    """
    chosen = [Played(seat, choose(state, seat)) for seat in seats]
    luck.shuffle(chosen)
    made = []
    for played in chosen:
        try:
            state = game.after(state, played)
        except Refusal:
            continue
        made.append(played.move)
    return state, made


def random_outcome(chance: Chance, luck: random.Random) -> Outcome:
    """An answer to a question, as likely as its weight."""
    point = luck.randrange(sum(map(WEIGHT, chance.odds)))
    for outcome, weight in chance.odds:
        point -= weight
        if point < 0:
            return outcome
    raise ValueError(f"nothing can fall: {chance.question}")
