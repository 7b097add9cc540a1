"""A thousand pairs of tables with other secrets: nobody receives another byte at one than at the other."""

from __future__ import annotations

import time

from tests.games.tomb_raiders.pairs import differ, play

PAIRS = 1_000
OPTIONS: tuple[dict[str, bool | int | str], ...] = (
    {},
    {"thief": "chosen"},
    {"cards": "mixed"},
    {"dig_help": False},
)
MOST = 90


def main(pairs: int = PAIRS) -> None:
    begun, presses, apart, whole = time.perf_counter(), 0, 0, 0
    for seed in range(pairs):
        pair = play(1_000 * seed, 2 + seed % 3, every=3, most=MOST, **OPTIONS[seed % len(OPTIONS)])
        presses += pair.presses
        apart += differ(pair)
        whole += pair.one.over()
        if seed % 100 == 99:
            print(f"{seed + 1} pairs, {presses} presses, {time.perf_counter() - begun:.0f} s", flush=True)
    print(
        f"{pairs} pairs, {apart} of them with other piles at the end, {whole} to the end of their game, no byte apart"
    )
    assert apart > pairs // 2


if __name__ == "__main__":
    main()
