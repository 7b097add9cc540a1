"""What a card bears: bytes and syncs for each step, what is written at rest; and memory after an hour's play."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.bench.limits import judged, limited
from tests.web.live import Live

STEPS = 200
HOUR = 1500  # steps of an evening's quickest table
REST_S = 20
PLAYED = """
import sys
from pathlib import Path
from companion.game import Seat, Setup
from companion.play.hall import Hall
from companion.play.table import HOST
hall = Hall(Path(sys.argv[1]))
table = hall.lay(Setup("horus", "toolbox", (Seat("Ada"), Seat("Ben"))))
for step in range(int(sys.argv[2])):
    table.play(HOST, table.seq, f"step {step}", {"type": "award", "seat": 0, "points": (-1) ** step})
hall.close()
"""
CALL = re.compile(r"(pwrite64|write|fsync|fdatasync)\(\d+<([^>]*)>.*= (-?\d+)")


def main() -> None:
    """Print what is written for a step, and at rest."""
    if shutil.which("strace"):
        with tempfile.TemporaryDirectory() as folder:
            none, some = written(Path(folder) / "0", 0), written(Path(folder) / "1", STEPS)
        print(f"bytes written for a step: {(some[0] - none[0]) / STEPS:.0f}")
        print(f"syncs for a step: {(some[1] - none[1]) / STEPS:.2f}")
    else:
        print("bytes and syncs of a step: strace is missing, apt install strace")
    with tempfile.TemporaryDirectory() as folder:
        live = Live(Path(folder))
        path, laid = live.lay()
        for _ in range(HOUR):
            seq = live.call("GET", path)[1]["seq"]
            live.dial(path, laid["host"], seq)
        status = Path(f"/proc/{live.process.pid}/status").read_text(encoding="ascii")
        memory = int(status.split("VmRSS:")[1].split()[0]) / 1024
        limited(f"memory after {HOUR} steps", memory, "MB", at_most=100)
        time.sleep(3)
        before = state(Path(folder))
        time.sleep(REST_S)
        limited(f"files written in {REST_S} s at rest", len(state(Path(folder)) - before), "files", at_most=0)
        live.stop()


def written(folder: Path, steps: int) -> tuple[int, int]:
    """Bytes and syncs for a table with so many steps, from its laying to the end of the program."""
    log = folder.with_suffix(".strace")
    traced = ["strace", "-f", "-y", "-e", "trace=pwrite64,write,fsync,fdatasync", "-o", str(log)]
    subprocess.run([*traced, sys.executable, "-c", PLAYED, str(folder), str(steps)], check=True)
    sums = [0, 0]
    for name, file, result in CALL.findall(log.read_text(encoding="utf-8", errors="replace")):
        if file.startswith(str(folder)):
            sums[name.endswith("sync")] += 1 if name.endswith("sync") else int(result)
    return sums[0], sums[1]


def state(folder: Path) -> set[tuple[str, int, int]]:
    """Every file with its size and when it was written."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    return {(str(file), file.stat().st_size, file.stat().st_mtime_ns) for file in files}


if __name__ == "__main__":
    sys.exit(judged({"disk": main}))
