"""A table lies there and nobody presses: what is written in ten minutes, while one tablet shows it."""

from __future__ import annotations

import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

from companion.play.backups import FOLDER, made
from tests.bench.bench_disk import state
from tests.web.live import Line, Live

REST_S = 600
MADE_WITHIN_S = 180


def main(rest: float = REST_S) -> None:
    """Print it; the backup of the day, of a table that is new, is made before."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        live = Live(folder)
        path, laid = live.lay()
        for _ in range(20):
            live.dial(path, laid["host"], live.call("GET", path)[1]["seq"])
        line = Line(live.port, f"{path}/stream")
        line.sock.settimeout(rest)
        threading.Thread(target=watched, args=(line,), daemon=True).start()
        ends = time.monotonic() + MADE_WITHIN_S
        while not made(folder / FOLDER) and time.monotonic() < ends:
            time.sleep(1)
        time.sleep(3)
        before, files = written(live), state(folder)
        time.sleep(rest)
        after, changed = written(live), state(folder) - files
        print(f"at rest for {rest:.0f} s: {after - before} bytes to the disk, {len(changed)} files changed (limit 0)")
        live.stop()
        assert (after, changed) == (before, set())


def watched(line: Line) -> None:
    """Read along, as a tablet does, until the service ends."""
    with suppress(OSError, ValueError):
        for _ in line:
            pass


def written(live: Live) -> int:
    """Bytes that the process has had written to a disk."""
    told = Path(f"/proc/{live.process.pid}/io").read_text(encoding="ascii")
    return int(told.split("write_bytes:")[1].split()[0])


if __name__ == "__main__":
    main()
