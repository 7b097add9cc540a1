"""How fast the referee of Jenseits von Theben is, beside python-chess playing at random in the same run."""

from __future__ import annotations

import random
import time

import chess

from companion.boxes import load
from companion.game import Chance, Dealt, Finished, Played, Seat, Setup, Step, Turn
from companion.games.jenseits import refereed
from companion.games.jenseits.box import JenseitsBox
from companion.games.jenseits.rules import Jenseits
from companion.games.jenseits.state import JenseitsState
from companion.trials import drawn, play_out

SEATS = 4
GAMES = 60
ROUNDS = 5
CHESS_MOVES = 4_000

Course = list[tuple[JenseitsState, Step]]


def table() -> Jenseits:
    return Jenseits(Setup("jenseits", "referee", tuple(Seat(name) for name in "ABCD"[:SEATS])), load(JenseitsBox))


def random_game(game: Jenseits, luck: random.Random) -> Course:
    """A game at random, with the legal list made for each turn and the odds for each draw; nobody retires early."""
    state, course = game.start(), Course()
    while not isinstance(ask := game.ask(state), Finished):
        if isinstance(ask, Chance):
            step: Step = Dealt(drawn(ask, luck))
        else:
            moves = game.moves(state, ask.seats[0]).moves
            at = luck.randrange(len(moves) - 1) if len(moves) > 1 else 0  # retiring is the last of the list
            step = Played(ask.seats[0], moves[at])
        course.append((state, step))
        state = game.after(state, step)
    return course


def random_play(game: Jenseits, luck: random.Random) -> tuple[float, float]:
    """Steps and whole games a second."""
    begun, steps = time.perf_counter(), 0
    for _ in range(GAMES):
        steps += len(random_game(game, luck))
    taken = time.perf_counter() - begun
    return steps / taken, GAMES / taken


def uniform_games(game: Jenseits, luck: random.Random) -> float:
    """Whole games a second where every legal move is as likely as any other, retiring too."""
    begun = time.perf_counter()
    for _ in range(GAMES):
        state = game.start()
        while not isinstance(ask := game.ask(state), Finished):
            if isinstance(ask, Turn):
                step: Step = Played(ask.seats[0], luck.choice(game.moves(state, ask.seats[0]).moves))
            else:
                step = Dealt(drawn(ask, luck))
            state = game.after(state, step)
    return GAMES / (time.perf_counter() - begun)


def chess_play(luck: random.Random) -> float:
    """Random chess moves a second, with the legal list made for each."""
    begun, played = time.perf_counter(), 0
    while played < CHESS_MOVES:
        board = chess.Board()
        while not board.is_game_over() and played < CHESS_MOVES:
            board.push(luck.choice(list(board.legal_moves)))
            played += 1
    return played / (time.perf_counter() - begun)


def replay(game: Jenseits, course: Course) -> float:
    """Milliseconds to play a finished game again."""
    begun, state = time.perf_counter(), game.start()
    for _, step in course:
        state = game.after(state, step)
    return (time.perf_counter() - begun) * 1000


def help_and_view(game: Jenseits, course: Course) -> tuple[float, float]:
    """Milliseconds for the help of a turn, and for a view, on average over a game."""
    turns = [(state, step.seat) for state, step in course if isinstance(step, Played)]
    begun = time.perf_counter()
    for state, seat in turns:
        game.aids(state, seat)
    between = time.perf_counter()
    for state, _ in course:
        game.sees(state, None)
    ended = time.perf_counter()
    return (between - begun) / len(turns) * 1000, (ended - between) / len(course) * 1000


def bot_games(games: int = 8) -> float:
    """Games a second among four bots with sense."""
    begun = time.perf_counter()
    play_out(table(), refereed(), ["sensible"] * SEATS, games=games, seed=1)
    return games / (time.perf_counter() - begun)


def main() -> None:
    """Everything, line by line; of each the median of some rounds, ours and chess in turn."""
    game, luck = table(), random.Random(1)
    random_play(game, luck)
    ours, whole, short, others = [], [], [], []
    for _ in range(ROUNDS):
        steps, games = random_play(game, luck)
        ours.append(steps)
        whole.append(games)
        short.append(uniform_games(game, luck))
        others.append(chess_play(luck))
    middle = ROUNDS // 2
    course = max((random_game(game, luck) for _ in range(10)), key=len)
    aids, view = help_and_view(game, course)
    print(f"jenseits random play: {sorted(ours)[middle]:.0f} steps/s")
    print(f"jenseits random games, nobody retires early: {sorted(whole)[middle]:.0f} games/s")
    print(f"jenseits random games, any move: {sorted(short)[middle]:.0f} games/s")
    print(f"python-chess random play: {sorted(others)[middle]:.0f} moves/s")
    print(f"jenseits steps for each chess move: {sorted(ours)[middle] / sorted(others)[middle]:.2f} times")
    print(f"jenseits longest of 10 games: {len(course)} steps")
    print(f"jenseits replay of it: {min(replay(game, course) for _ in range(5)):.2f} ms")
    print(f"jenseits help for a turn: {aids:.2f} ms")
    print(f"jenseits view: {view:.3f} ms")
    print(f"jenseits games among four sensible bots: {bot_games():.0f} games/s")


if __name__ == "__main__":
    main()
