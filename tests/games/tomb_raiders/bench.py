"""How fast the referee of The Tomb Raiders is: random play with each kind of cards, and what every game is asked."""

from __future__ import annotations

import random
import sys

from companion.game import Chance
from tests.bench.limits import judged, limited
from tests.games.pace import print_usual, random_game, random_play, refereed


def main() -> None:
    for cards in ("companion", "mixed", "real"):
        steps, whole = random_play(refereed("tomb_raiders", cards=cards), 40, random.Random(1))
        limited(f"tomb_raiders random play ({cards})", steps, "steps/s", at_least=10_000)
        print(f"tomb_raiders whole games ({cards}): {whole:.0f} games/s")
    game = refereed("tomb_raiders")
    asked = [game.ask(state) for state, _ in random_game(game, random.Random(1))]
    print(f"tomb_raiders hidden draws of a game: {sum(isinstance(ask, Chance) and ask.hidden for ask in asked)} steps")
    print_usual("tomb_raiders", "planner", 40)


if __name__ == "__main__":
    sys.exit(judged({"tomb_raiders": main}))
