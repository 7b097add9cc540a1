"""Ten thousand boards that start anew in the middle of a lift, on computers whose threads come late."""

from __future__ import annotations

import sys
import time

from tests.hardware.resets import ResetStorm

RESETS = 10_000
EACH = 1000


def main(resets: int = RESETS, seed: int = 1) -> None:
    storm, start = ResetStorm(seed), time.perf_counter()
    for done in range(1, resets + 1):
        storm.random_reset()
        if done % EACH == 0:
            print(f"{done} resets, {time.perf_counter() - start:.0f} s", flush=True)
    figures = storm.figures
    print(f"{figures['resets']} resets in {storm.seconds / 3600:.1f} h of virtual time")
    print(f"pump or valve on that nobody asked for: {figures['unasked']} times")
    assert figures["unasked"] == 0


if __name__ == "__main__":
    main(*(int(each) for each in sys.argv[1:]))
