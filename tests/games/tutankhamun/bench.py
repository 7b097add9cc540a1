"""How fast the referee of Tutankhamun is: random play, games among bots, dealing a tray, replaying a finished game."""

from __future__ import annotations

import random
import time

from companion.boxes import load
from companion.game import Chance, Dealt, Seat, Setup
from companion.games.tutankhamun import refereed
from companion.games.tutankhamun.box import TutankhamunBox
from companion.games.tutankhamun.layers import pattern_odds
from companion.games.tutankhamun.rules import Tutankhamun
from companion.play.dealer import SealedDealer
from companion.trials import play_out
from tests.games.pace import random_game, random_play, replaying

SEATS = 4
GAMES = 200


def box() -> TutankhamunBox:
    found = load(TutankhamunBox)
    assert isinstance(found, TutankhamunBox)
    return found


def table(**options: bool | int | str) -> Tutankhamun:
    seats = tuple(Seat(name) for name in "ABCD"[:SEATS])
    return Tutankhamun(Setup("tutankhamun", "referee", seats, options=options), box())


def first_patterns() -> float:
    """Milliseconds to find all patterns of a layer; they are found once in a process, so this comes first."""
    kind = table().terms.kinds[1]
    start = time.perf_counter()
    pattern_odds(kind)
    return (time.perf_counter() - start) * 1000


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


def seeing() -> float:
    """Milliseconds for a view and its help, with odds."""
    game, luck = table(tray="physical", odds=True), random.Random(1)
    state, _ = random_game(game, luck)[60]
    start = time.perf_counter()
    for _ in range(200):
        game.sees(state, None)
        game.aids(state, None)
    return (time.perf_counter() - start) * 1000 / 200


def main() -> None:
    print(f"patterns of a layer found: {first_patterns():.1f} ms")
    for tray in ("dealt", "physical"):
        steps, _ = random_play(table(tray=tray), GAMES, random.Random(1))
        print(f"random play ({tray}): {steps:.0f} steps/s")
    start = time.perf_counter()
    summary = play_out(table(), refereed(), ["sensible"] * SEATS, games=GAMES, seed=1)
    print(f"games among sensible bots: {GAMES / (time.perf_counter() - start):.0f} games/s")
    print(f"mean steps of such a game: {sum(summary.steps) / GAMES:.0f} steps")
    print(f"dealing a tray: {dealing():.2f} ms")
    took, of = replaying(table())
    print(f"replay of {of} steps: {took:.2f} ms")
    print(f"view and help with odds: {seeing():.3f} ms")


if __name__ == "__main__":
    main()
