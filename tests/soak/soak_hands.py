"""Ten thousand actions of hands and faults at random, through the service: host, seats and panel, tools and referee.

Nothing is counted twice, nothing is lost, nobody is stuck: any of these ends the soak where it happens.
"""

from __future__ import annotations

import math
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.lifts.crowd import Crowd
from tests.lifts.hands import Hands

ACTIONS = 10_000
EACH = 1000
AT_A_TABLE = 60  # pressings before a computer is put away with its tables


def main(actions: int = ACTIONS, seed: int = 1) -> None:
    figures: Counter[str] = Counter()
    start, told = time.perf_counter(), EACH
    seeds = range(seed, seed + math.ceil(actions / AT_A_TABLE))
    with ProcessPoolExecutor() as computers:  # time is virtual: an evening takes what its reckoning does
        for counted in computers.map(evening, seeds):
            figures += counted
            if figures["actions"] >= told:
                told += EACH
                print(f"{figures['actions']} actions, {time.perf_counter() - start:.0f} s", flush=True)
    tell(figures, time.perf_counter() - start)
    assert figures["twice"] == figures["lost"] == 0


def evening(seed: int) -> Counter[str]:
    """What an evening of a crowd comes to; where a law is broken, its seed is said."""
    memory = Path("/dev/shm")  # what counts here is that all is written, not that it takes a disk's time
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        hands = Hands(Path(folder), seed, ("toolbox", "referee")[seed % 2])
        try:
            crowd = Crowd(hands, seed)
            for _ in range(AT_A_TABLE):
                crowd.press()
            hands.go_on()
        except AssertionError:
            print(f"broken by seed {seed}", flush=True)
            raise
        finally:
            hands.close()
        hands.figures["seconds"] = hands.bench.ms // 1000
        return hands.figures


def tell(figures: Counter[str], took: float) -> None:
    hours = figures["seconds"] / 3600
    print(f"{figures['actions']} actions in {hours:.1f} h of virtual time, reckoned in {took:.0f} s")
    for what in sorted(name for name in figures if name.startswith("did: ")):
        print(f"  {what.removeprefix('did: ')}: {figures[what]}")
    print(f"{figures['lifts']} lifts, {figures['lifts by hand']} of them by hand")
    print(f"put down: {figures['put down']}; counted for the move they were made for: {figures['counted']}")
    print(f"counted twice: {figures['twice']}; lost: {figures['lost']}; went on within a press: {figures['went on']}")
    print(f"moves that came to nothing, each of them told why: {figures['came to nothing']}")
    for why in sorted(name for name in figures if name.startswith("told: ")):
        print(f"  {why.removeprefix('told: ')}: {figures[why]}")


if __name__ == "__main__":
    main(*(int(each) for each in sys.argv[1:]))
