"""How fast the referee of Tutankhamun is: random play, games among bots, dealing a tray, replaying a finished game."""

from __future__ import annotations

import random
import time

from companion.boxes import load
from companion.game import Chance, Dealt, Finished, Played, Seat, Setup, Step, Turn
from companion.games.tutankhamun import refereed
from companion.games.tutankhamun.box import TutankhamunBox
from companion.games.tutankhamun.layers import pattern_odds
from companion.games.tutankhamun.rules import Tutankhamun
from companion.play.dealer import SealedDealer
from companion.trials import drawn, play_out

SEATS = 4
GAMES = 200


def box() -> TutankhamunBox:
    found = load(TutankhamunBox)
    assert isinstance(found, TutankhamunBox)
    return found


def table(**options: bool | int | str) -> Tutankhamun:
    seats = tuple(Seat(name) for name in "ABCD"[:SEATS])
    return Tutankhamun(Setup("tutankhamun", "referee", seats, options=options), box())


def random_game(game: Tutankhamun, luck: random.Random) -> list[Step]:
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


def first_patterns() -> float:
    """Milliseconds to find all patterns of a layer; they are found once in a process, so this comes first."""
    kind = table().terms.kinds[1]
    start = time.perf_counter()
    pattern_odds(kind)
    return (time.perf_counter() - start) * 1000


def random_play(tray: str) -> float:
    """Steps a second."""
    game, luck, steps = table(tray=tray), random.Random(1), 0
    start = time.perf_counter()
    for _ in range(GAMES):
        steps += len(random_game(game, luck))
    return steps / (time.perf_counter() - start)


def dealing() -> float:
    """Milliseconds for the sealed dealer to deal and turn a whole tray."""
    game, dealer = table(), SealedDealer(bytes(32))
    start = time.perf_counter()
    for _ in range(20):
        state, draw = game.start(), 0
        while isinstance(ask := game.ask(state), Chance):
            state = game.after(state, Dealt(dealer.deal(draw, ask, ())))
            draw += 1
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


def seeing() -> float:
    """Milliseconds for a view and its help, with odds."""
    game, luck = table(tray="physical", odds=True), random.Random(1)
    state = game.start()
    for step in random_game(game, luck)[:60]:
        state = game.after(state, step)
    start = time.perf_counter()
    for _ in range(200):
        game.sees(state, None)
        game.aids(state, None)
    return (time.perf_counter() - start) * 1000 / 200


def main() -> None:
    print(f"patterns of a layer found: {first_patterns():.1f} ms")
    for tray in ("dealt", "physical"):
        print(f"random play ({tray}): {random_play(tray):.0f} steps/s")
    start = time.perf_counter()
    summary = play_out(table(), refereed(), ["sensible"] * SEATS, games=GAMES, seed=1)
    print(f"games among sensible bots: {GAMES / (time.perf_counter() - start):.0f} games/s")
    print(f"mean steps of such a game: {sum(summary.steps) / GAMES:.0f} steps")
    print(f"dealing a tray: {dealing():.2f} ms")
    took, steps = replaying()
    print(f"replay of {steps} steps: {took:.2f} ms")
    print(f"view and help with odds: {seeing():.3f} ms")


if __name__ == "__main__":
    main()
