"""Lives of every game in every way, with twins beginning all along: nobody else receives another byte of either."""

from __future__ import annotations

import time
from collections import Counter

from tests.laws.play import WAYS
from tests.laws.twins import Life, Mark

LIVES = 30
STEPS = 300


def main(lives: int = LIVES) -> None:
    begun, tried = time.perf_counter(), Counter[Mark]()
    for seed in range(lives):
        for way in WAYS:
            for source in ("companion", "table"):
                Life(way, seed, source, tried).live(STEPS, enough=10_000)
        print(f"{seed + 1} lives of each way, {tried.total()} twins, {time.perf_counter() - begun:.0f} s", flush=True)
    print(f"{len(tried)} marks, no byte apart")


if __name__ == "__main__":
    main()
