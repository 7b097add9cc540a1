"""Ten thousand lifts in a world that fails at random, in time that passes as fast as it can be reckoned."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from tests.lifts.evening import MISHAPS, Evening

LIFTS = 10_000
EACH = 1000


def main(lifts: int = LIFTS, seed: int = 1) -> None:
    memory = Path("/dev/shm")  # what counts here is that all is written, not that it takes a disk's time
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        evening = Evening(Path(folder), seed)
        start = time.perf_counter()
        for done in range(1, lifts + 1):
            evening.lift(evening.luck.choice(MISHAPS))
            if done % EACH == 0:
                print(f"{done} lifts, {time.perf_counter() - start:.0f} s", flush=True)
        tell(evening, time.perf_counter() - start)


def tell(evening: Evening, took: float) -> None:
    figures, longest = evening.figures, evening.longest_stray
    print(
        f"{figures['lifts']} lifts at {figures['tables']} tables, {evening.bench.seconds / 3600:.1f} h in {took:.0f} s"
    )
    print(f"counted: {figures['counted']}; failed, and cost nothing: {figures['failed']}")
    print(f"counted twice: {figures['twice']}; lost: {figures['lost']}")
    print(f"restarts, after each of which the journal held every lift: {figures['restarts']}")
    for mishap in MISHAPS:
        print(f"  {mishap}: {figures[f'{mishap}: counted']} counted, {figures[f'{mishap}: failed']} failed")
    for what in sorted(name for name in figures if name.startswith(("by itself", "fault "))):
        print(f"  {what}: {figures[what]}")
    print(f"pump on outside a lift: {longest['heard']} ms while the board hears the computer,")
    print(f"  {longest['unheard']} ms at most while it cannot, when its lease runs out")


if __name__ == "__main__":
    main(*(int(each) for each in sys.argv[1:]))
