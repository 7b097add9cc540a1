"""How fast the referee of The Pyramid of Horus is: random play, bots, lock odds, replaying, a view with its help."""

from __future__ import annotations

import random
import time

from companion.boxes import load
from companion.game import Dealt, Finished, Played, Seat, Setup, Step, Turn
from companion.games.horus import refereed
from companion.games.horus.box import HorusBox
from companion.games.horus.locks import hits, opens
from companion.games.horus.rules import Horus
from companion.trials import drawn, play_out

SEATS = 4
GAMES = 100


def table(**options: bool | int | str) -> Horus:
    found = load(HorusBox)
    assert isinstance(found, HorusBox)
    seats = tuple(Seat(name) for name in "ABCD"[:SEATS])
    return Horus(Setup("horus", "referee", seats, options=options), found)


def random_game(game: Horus, luck: random.Random) -> list[Step]:
    """A game at random, with the legal list made for each turn."""
    state, steps = game.start(), list[Step]()
    while not isinstance(ask := game.ask(state), Finished):
        if isinstance(ask, Turn):
            step: Step = Played(ask.seats[0], luck.choice(game.moves(state, ask.seats[0]).moves))
        else:
            step = Dealt(drawn(ask, luck))
        state = game.after(state, step)
        steps.append(step)
    return steps


def random_play() -> tuple[float, float]:
    """Steps and games a second."""
    game, luck, steps = table(), random.Random(1), 0
    start = time.perf_counter()
    for _ in range(GAMES):
        steps += len(random_game(game, luck))
    took = time.perf_counter() - start
    return steps / took, GAMES / took


def lock_odds() -> float:
    """Milliseconds for the odds of the hardest lock with up to five rolls, nothing being remembered."""
    start = time.perf_counter()
    for _ in range(20):
        opens.cache_clear()
        hits.cache_clear()
        for rolls in range(6):
            opens(5, 0, rolls, 0, 5, 6)
    return (time.perf_counter() - start) * 1000 / 20


def replaying() -> tuple[float, int]:
    """Milliseconds to replay the longest of some finished games, and its steps."""
    game = table()
    steps = max((random_game(game, random.Random(seed)) for seed in range(30)), key=len)
    start = time.perf_counter()
    state = game.start()
    for step in steps:
        state = game.after(state, step)
    return (time.perf_counter() - start) * 1000, len(steps)


def seeing() -> tuple[float, float]:
    """Milliseconds for a view with its help: on the average of a game, and where blocks have just fallen."""
    game, slowest, took, views = table(), 0.0, 0.0, 0
    state = game.start()
    for step in random_game(game, random.Random(5)):
        state = game.after(state, step)
        start = time.perf_counter()
        game.sees(state, 0)
        game.aids(state, None)
        once = (time.perf_counter() - start) * 1000
        slowest, took, views = max(slowest, once), took + once, views + 1
    return took / views, slowest


def main() -> None:
    steps, games = random_play()
    print(f"random play: {steps:.0f} steps/s, {games:.0f} games/s")
    start = time.perf_counter()
    summary = play_out(table(), refereed(), ["sensible"] * SEATS, games=GAMES // 2, seed=1)
    print(f"games among planning bots: {GAMES / 2 / (time.perf_counter() - start):.0f} games/s")
    print(f"mean steps of such a game: {sum(summary.steps) / len(summary.steps):.0f} steps")
    print(f"lock odds: {lock_odds():.2f} ms")
    took, of = replaying()
    print(f"replay of {of} steps: {took:.2f} ms")
    usual, slowest = seeing()
    print(f"view and help: {usual:.2f} ms, at most {slowest:.2f} ms")


if __name__ == "__main__":
    main()
