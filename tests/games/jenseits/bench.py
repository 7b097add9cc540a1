"""How fast the referee of Jenseits von Theben is, beside python-chess playing at random in the same run."""

from __future__ import annotations

import random
import sys
from statistics import median

from companion.game import Move
from tests.bench.limits import judged, limited
from tests.games.pace import chess_play, print_usual, random_play, refereed

GAMES = 60
ROUNDS = 5


def nobody_retires_early(moves: tuple[Move, ...], luck: random.Random) -> Move:
    """Any move but the last of the list, which is to retire, as long as there is another."""
    return moves[luck.randrange(len(moves) - 1) if len(moves) > 1 else 0]


def main() -> None:
    """Of each figure the median of some rounds, ours and chess in turn."""
    game, luck = refereed("jenseits"), random.Random(1)
    random_play(game, GAMES, luck, nobody_retires_early)
    rounds = [
        (*random_play(game, GAMES, luck, nobody_retires_early), random_play(game, GAMES, luck)[1], chess_play(luck))
        for _ in range(ROUNDS)
    ]
    ours, whole, short, others = (median(each) for each in zip(*rounds, strict=True))
    limited("jenseits random play", ours, "steps/s", at_least=20_000)
    print(f"jenseits random games, nobody retires early: {whole:.0f} games/s")
    print(f"jenseits random games, any move: {short:.0f} games/s")
    print(f"python-chess random play: {others:.0f} moves/s")
    print(f"jenseits steps for each chess move: {ours / others:.2f} times")
    print_usual("jenseits", "sensible", 8, nobody_retires_early)


if __name__ == "__main__":
    sys.exit(judged({"jenseits": main}))
