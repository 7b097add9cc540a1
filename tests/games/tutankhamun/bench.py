"""How fast the referee of Tutankhamun is: random play, finding patterns, dealing a tray, and the usual figures."""

from __future__ import annotations

import random
import sys

from companion.boxes import load
from companion.game import Chance, Dealt
from companion.games.tutankhamun.box import TutankhamunBox
from companion.games.tutankhamun.layers import LayerKind, pattern_odds
from companion.play.dealer import SealedDealer
from tests.bench.limits import judged
from tests.games.pace import milliseconds, print_usual, random_play, refereed


def deal() -> None:
    """The sealed dealer deals and turns a whole tray."""
    game, dealer = refereed("tutankhamun"), SealedDealer(bytes(32))
    state, draw = game.start(), 0
    while isinstance(ask := game.ask(state), Chance):
        state = game.after(state, Dealt(dealer.deal(draw, ask, ())))
        draw += 1


def main() -> None:
    box = load(TutankhamunBox)
    kind = LayerKind.of(box.tray.side, box.layers[2])
    first = milliseconds(lambda: pattern_odds(kind), 1)  # they are found once in a process, so this comes first
    print(f"tutankhamun patterns of a layer found: {first:.1f} ms")
    for tray in ("dealt", "physical"):
        steps, _ = random_play(refereed("tutankhamun", tray=tray), 200, random.Random(1))
        print(f"tutankhamun random play ({tray}): {steps:.0f} steps/s")
    print(f"tutankhamun dealing a tray: {milliseconds(deal):.2f} ms")
    print_usual("tutankhamun", "sensible", 200)


if __name__ == "__main__":
    sys.exit(judged({"tutankhamun": main}))
