"""How fast the referee of Jenseits von Theben is, beside python-chess playing at random in the same run."""

from __future__ import annotations

import random
import sys
import time

import chess

from companion.boxes import load
from companion.game import Move, Played, Seat, Setup, Step
from companion.games.jenseits import refereed
from companion.games.jenseits.box import JenseitsBox
from companion.games.jenseits.rules import Jenseits
from companion.games.jenseits.state import JenseitsState
from companion.trials import play_out
from tests.bench.limits import judged, limited
from tests.games.pace import random_game, random_play, replaying

SEATS = 4
GAMES = 60
ROUNDS = 5
CHESS_MOVES = 4_000

Course = list[tuple[JenseitsState, Step]]


def table() -> Jenseits:
    return Jenseits(Setup("jenseits", "referee", tuple(Seat(name) for name in "ABCD"[:SEATS])), load(JenseitsBox))


def nobody_retires_early(moves: tuple[Move, ...], luck: random.Random) -> Move:
    """Any move but the last of the list, which is to retire, as long as there is another."""
    return moves[luck.randrange(len(moves) - 1) if len(moves) > 1 else 0]


def chess_play(luck: random.Random) -> float:
    """Random chess moves a second, with the legal list made for each."""
    begun, played = time.process_time(), 0
    while played < CHESS_MOVES:
        board = chess.Board()
        while not board.is_game_over() and played < CHESS_MOVES:
            board.push(luck.choice(list(board.legal_moves)))
            played += 1
    return played / (time.process_time() - begun)


def help_and_view(game: Jenseits, course: Course) -> tuple[float, float]:
    """Milliseconds for the help of a turn, and for a view, on average over a game."""
    turns = [(state, step.seat) for state, step in course if isinstance(step, Played)]
    begun = time.process_time()
    for state, seat in turns:
        game.aids(state, seat)
    between = time.process_time()
    for state, _ in course:
        game.sees(state, None)
    ended = time.process_time()
    return (between - begun) / len(turns) * 1000, (ended - between) / len(course) * 1000


def bot_games(games: int = 8) -> float:
    """Games a second among four bots with sense."""
    begun = time.process_time()
    play_out(table(), refereed(), ["sensible"] * SEATS, games=games, seed=1)
    return games / (time.process_time() - begun)


def main() -> None:
    """Everything, line by line; of each the median of some rounds, ours and chess in turn."""
    game, luck = table(), random.Random(1)
    random_play(game, GAMES, luck, nobody_retires_early)
    ours, whole, short, others = [], [], [], []
    for _ in range(ROUNDS):
        steps, games = random_play(game, GAMES, luck, nobody_retires_early)
        ours.append(steps)
        whole.append(games)
        short.append(random_play(game, GAMES, luck)[1])
        others.append(chess_play(luck))
    middle = ROUNDS // 2
    aids, view = help_and_view(game, random_game(game, luck, nobody_retires_early))
    took, of = replaying(game, choose=nobody_retires_early)
    limited("jenseits random play", sorted(ours)[middle], "steps/s", at_least=20_000)
    print(f"jenseits random games, nobody retires early: {sorted(whole)[middle]:.0f} games/s")
    print(f"jenseits random games, any move: {sorted(short)[middle]:.0f} games/s")
    print(f"python-chess random play: {sorted(others)[middle]:.0f} moves/s")
    print(f"jenseits steps for each chess move: {sorted(ours)[middle] / sorted(others)[middle]:.2f} times")
    print(f"jenseits replay of {of} steps: {took:.2f} ms")
    print(f"jenseits help for a turn: {aids:.2f} ms")
    print(f"jenseits view: {view:.3f} ms")
    print(f"jenseits games among four sensible bots: {bot_games():.0f} games/s")


if __name__ == "__main__":
    sys.exit(judged({"jenseits": main}))
