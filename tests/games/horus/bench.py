"""How fast the referee of The Pyramid of Horus is: random play, the odds of a lock, and what every game is asked."""

from __future__ import annotations

import random
import sys

from companion.games.horus.locks import hits, opens
from tests.bench.limits import judged, limited
from tests.games.pace import milliseconds, print_usual, random_play, refereed


def lock_odds() -> None:
    """The hardest lock with up to five rolls, nothing being remembered."""
    opens.cache_clear()
    hits.cache_clear()
    for rolls in range(6):
        opens(5, 0, rolls, 0, 5, 6)


def main() -> None:
    steps, games = random_play(refereed("horus"), 100, random.Random(1))
    limited("horus random play", steps, "steps/s", at_least=5000)
    limited("horus random games", games, "games/s", at_least=30)
    limited("horus odds of a lock", milliseconds(lock_odds), "ms", at_most=5)
    print_usual("horus", "sensible", 50)


if __name__ == "__main__":
    sys.exit(judged({"horus": main}))
