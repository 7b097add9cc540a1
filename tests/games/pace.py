"""How fast a referee is, measured alike for every game in the processor's time: what else runs does not matter."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

import chess

from companion import games
from companion.game import AnyGame, Dealt, Finished, Game, Move, Played, Seat, Setup, State, Step, Turn
from companion.trials import play_out, random_outcome

S = TypeVar("S", bound=State)
Chosen = Callable[[tuple[Move, ...], random.Random], Move]

SEATS = 4
CHESS_MOVES = 4_000


def refereed(box: str, **options: bool | int | str) -> AnyGame:
    """A referee, with four at the table."""
    setup = Setup(box, "referee", tuple(map(Seat, "ABCD"[:SEATS])), options=options)
    return games.open_game(games.with_defaults(setup, games.box(box)), games.box(box))


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
            step = Dealt(random_outcome(ask, luck))
        course.append((state, step))
        state = game.after(state, step)
    return course


def random_play(game: Game[S], games: int, luck: random.Random, choose: Chosen = any_of) -> tuple[float, float]:
    """Steps and whole games a second."""
    begun = time.process_time()
    steps = sum(len(random_game(game, luck, choose)) for _ in range(games))
    taken = time.process_time() - begun
    return steps / taken, games / taken


def chess_play(luck: random.Random) -> float:
    """Moves of python-chess a second in random games, with the legal list made for each: to compare ours with."""
    begun, played = time.process_time(), 0
    while played < CHESS_MOVES:
        board = chess.Board()
        while not board.is_game_over() and played < CHESS_MOVES:
            board.push(luck.choice(list(board.legal_moves)))
            played += 1
    return played / (time.process_time() - begun)


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


def milliseconds(work: Callable[[], object], times: int = 20) -> float:
    """What one of so many goes takes on average."""
    begun = time.process_time()
    for _ in range(times):
        work()
    return (time.process_time() - begun) * 1000 / times


def print_usual(box: str, bots: str, count: int, choose: Chosen = any_of) -> None:
    """Games among bots, a replay, and the view and help of whoever is asked: what the bench of every game prints."""
    game, bundle = refereed(box), games.bundle(box).refereed
    assert bundle is not None
    begun = time.process_time()
    summary = play_out(game, bundle(), [bots] * SEATS, games=count, seed=1)
    print(f"{box} games among {bots} bots: {count / (time.process_time() - begun):.0f} games/s")
    print(f"{box} mean steps of such a game: {sum(summary.steps) / count:.0f} steps")
    took, of = replaying(game, choose=choose)
    print(f"{box} replay of {of} steps: {took:.2f} ms")
    turns = [(at, step.seat) for at, step in random_game(game, random.Random(1), choose) if isinstance(step, Played)]
    views = [milliseconds(lambda at=at, seat=seat: game.sees(at, seat), 1) for at, seat in turns]  # type: ignore[misc]
    aids = [milliseconds(lambda at=at, seat=seat: game.aids(at, seat), 1) for at, seat in turns]  # type: ignore[misc]
    print(f"{box} view of a seat: {sum(views) / len(views):.3f} ms, at most {max(views):.2f} ms")
    print(f"{box} help before a move: {sum(aids) / len(aids):.3f} ms, at most {max(aids):.2f} ms")
