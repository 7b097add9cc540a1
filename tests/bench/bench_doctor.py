"""How long `digside doctor` takes with very many tables, by the clock and in processor time, beside one without any."""

from __future__ import annotations

import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tests.bench.bench_many import played_often
from tests.bench.limits import judged, limited

TABLES = 5000
RUNS = 3


class Taken(NamedTuple):
    """How long something took, in seconds."""

    clock: float
    processor: float


def main() -> None:
    """Print it; the two in turns, so that both have the same weather."""
    with tempfile.TemporaryDirectory() as place:
        full, empty = Path(place) / "full", Path(place) / "empty"
        empty.mkdir()
        played_often(full, TABLES)
        runs = [(examined(full), examined(empty)) for _ in range(RUNS)]
    many, none = (Taken(*map(statistics.median, zip(*each, strict=True))) for each in zip(*runs, strict=True))
    limited(f"digside doctor with {TABLES:,} tables", many.clock, "s", at_most=5)
    limited(f"digside doctor with {TABLES:,} tables, in processor time", many.processor, "s", at_most=5)
    print(f"  without any table: {none.clock:.1f} s, {none.processor:.1f} s of processor time")
    print(f"  times the processor time of that: {many.processor / none.processor:.1f}", flush=True)


def examined(folder: Path) -> Taken:
    """One look at a folder, as a person has it."""
    doctor = [sys.executable, "-m", "digside", "doctor", "--data", str(folder), "--rig", "none"]
    used, began = _processor(), time.perf_counter()
    done = subprocess.run(doctor, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return Taken(time.perf_counter() - began, _processor() - used)


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(judged({"doctor": main}))
