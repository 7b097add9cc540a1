"""How fast the referee of The Pyramid of Horus is: random play, bots, lock odds, replaying, a view with its help."""

from __future__ import annotations

import random
import sys
import time

from companion.boxes import load
from companion.game import Seat, Setup
from companion.games.horus import refereed
from companion.games.horus.box import HorusBox
from companion.games.horus.locks import hits, opens
from companion.games.horus.rules import Horus
from companion.trials import play_out
from tests.bench.limits import judged, limited
from tests.games.pace import random_game, random_play, replaying

SEATS = 4
GAMES = 100


def table(**options: bool | int | str) -> Horus:
    found = load(HorusBox)
    assert isinstance(found, HorusBox)
    seats = tuple(Seat(name) for name in "ABCD"[:SEATS])
    return Horus(Setup("horus", "referee", seats, options=options), found)


def lock_odds() -> float:
    """Milliseconds for the odds of the hardest lock with up to five rolls, nothing being remembered."""
    start = time.perf_counter()
    for _ in range(20):
        opens.cache_clear()
        hits.cache_clear()
        for rolls in range(6):
            opens(5, 0, rolls, 0, 5, 6)
    return (time.perf_counter() - start) * 1000 / 20


def seeing() -> tuple[float, float]:
    """Milliseconds for a view with its help: on the average of a game, and where blocks have just fallen."""
    game, slowest, took, views = table(), 0.0, 0.0, 0
    for state, _ in random_game(game, random.Random(5)):
        start = time.perf_counter()
        game.sees(state, 0)
        game.aids(state, None)
        once = (time.perf_counter() - start) * 1000
        slowest, took, views = max(slowest, once), took + once, views + 1
    return took / views, slowest


def main() -> None:
    steps, games = random_play(table(), GAMES, random.Random(1))
    limited("horus random play", steps, "steps/s", at_least=5000)
    limited("horus random games", games, "games/s", at_least=30)
    start = time.perf_counter()
    summary = play_out(table(), refereed(), ["sensible"] * SEATS, games=GAMES // 2, seed=1)
    print(f"games among planning bots: {GAMES / 2 / (time.perf_counter() - start):.0f} games/s")
    print(f"mean steps of such a game: {sum(summary.steps) / len(summary.steps):.0f} steps")
    limited("horus odds of a lock", lock_odds(), "ms", at_most=5)
    took, of = replaying(table())
    print(f"replay of {of} steps: {took:.2f} ms")
    usual, slowest = seeing()
    print(f"view and help: {usual:.2f} ms, at most {slowest:.2f} ms")


if __name__ == "__main__":
    sys.exit(judged({"horus": main}))
