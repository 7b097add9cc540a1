"""How fast the referee of The Tomb Raiders is: random play, games among planners, a replay, what a seat is sent.

It counts the processor's time, so that whatever else the machine does makes no difference."""

from __future__ import annotations

import random
import sys
import time

from companion import games
from companion.game import Chance, Played, Seat, Setup
from companion.games.tomb_raiders import refereed
from companion.games.tomb_raiders.rules import TombRaiders
from companion.trials import play_out
from tests.bench.limits import judged, limited
from tests.games.pace import random_game, random_play, replaying

SEATS = 4
GAMES = 40
WAYS = ("companion", "mixed", "real")


def table(cards: str = "companion") -> TombRaiders:
    setup = Setup("tomb_raiders", "referee", tuple(Seat(name) for name in "ABCD"[:SEATS]), options={"cards": cards})
    return TombRaiders(setup, games.box("tomb_raiders"))


def seeing() -> tuple[float, float, int]:
    """Milliseconds for a view, for its help, and how many hidden draws a game has."""
    game, hidden, turns = table(), 0, []
    for state, step in random_game(game, random.Random(1)):
        ask = game.ask(state)
        hidden += isinstance(ask, Chance) and ask.hidden
        if isinstance(step, Played):
            turns.append((state, step.seat))
    begun = time.process_time()
    for at, seat in turns:
        game.sees(at, seat)
    seen = time.process_time()
    for at, seat in turns:
        game.aids(at, seat)
    helped = time.process_time()
    return (seen - begun) * 1000 / len(turns), (helped - seen) * 1000 / len(turns), hidden


def main() -> None:
    for cards in WAYS:
        steps, whole = random_play(table(cards), GAMES, random.Random(1))
        limited(f"tomb_raiders random play ({cards})", steps, "steps/s", at_least=10_000)
        print(f"whole games ({cards}): {whole:.0f} games/s")
    begun = time.process_time()
    summary = play_out(table(), refereed(), ["planner"] * SEATS, games=GAMES, seed=1)
    print(f"games among planners: {GAMES / (time.process_time() - begun):.0f} games/s")
    print(f"mean steps of such a game: {sum(summary.steps) / GAMES:.0f} steps")
    took, count = replaying(table())
    print(f"replay of {count} steps: {took:.2f} ms")
    view, aids, hidden = seeing()
    print(f"view of a seat: {view:.3f} ms")
    print(f"help before a move: {aids:.3f} ms")
    print(f"hidden draws of a game: {hidden} steps")


if __name__ == "__main__":
    sys.exit(judged({"tomb_raiders": main}))
