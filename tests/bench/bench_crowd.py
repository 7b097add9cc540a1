"""A family's presses and a STOP while a crowd attacks the service: a short sample; ``make soak`` has all of it."""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from tests.attack.family import Seen, attacked, p99
from tests.bench.limits import judged, limited


def ratio(seen: Seen) -> float:
    """How many times as long a STOP takes as what answers and does nothing else, in the same moments."""
    return statistics.median(seen.stops) / statistics.median(seen.bare)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        seen = attacked(Path(folder), requests=4_000, connections=1_000, seconds=12)
    print("\n".join(seen.lines()))
    limited("press, p99, under attack over quiet", p99(seen.presses) / p99(seen.quiet), "times", at_most=3)
    limited("STOP obeyed under attack, p99", p99(seen.stops), "ms", at_most=100)
    limited("STOP obeyed under attack over a bare answerer, median", ratio(seen), "times", at_most=3)
    limited("memory under attack, at most", seen.most, "MB", at_most=160)


if __name__ == "__main__":
    sys.exit(judged({"crowd": main}))
