"""What people at one table feel of bots that think at others, and what the thinking process takes."""

from __future__ import annotations

import http.client
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.bench.bench_web import memory_mb, p99
from tests.bench.limits import judged, limited
from tests.venue.hall import SCREENS
from tests.web.live import PATIENCE, Line, Live

BLOCKS = 4  # of presses, quiet and beside bots by turns
PRESSES = 250  # in a block
BOX = "jenseits"  # whose bots think longest


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        live = Live(Path(folder), settings=SCREENS)
        told(live)
        live.stop()


def told(live: Live) -> None:
    """Presses by turns while nobody thinks and while two bots do."""
    path, laid = live.lay()
    bots, keys = with_bots(live)
    quiet, busy, before = list[float](), list[float](), memory_mb(live.process.pid)
    with closing(Line(live.port, f"{bots}/stream", key=keys["host"])):
        for _ in range(BLOCKS):
            seated(live, bots, keys["host"], "person")
            quiet += pressed(live, path, laid["host"])
            seated(live, bots, keys["host"], "sharp")
            wait_for_a_thought(live)
            busy += pressed(live, path, laid["host"])
    thinker = thinking(live.process.pid)
    assert thinker is not None, "nobody has thought"
    median = statistics.median(busy) / statistics.median(quiet)
    more = f"{p99(quiet):.2f} and {p99(busy):.2f} ms; medians {median:.2f} times"
    limited("press, p99, while two bots think, over quiet", p99(busy) / p99(quiet), "times", at_most=1.3, more=more)
    limited("memory of the thinking process", memory_mb(thinker), "MB", at_most=120)
    limited("memory of the service, more than before", memory_mb(live.process.pid) - before, "MB", at_most=12)


def with_bots(live: Live) -> tuple[str, Any]:
    """A table at which two bots play, and its keys."""
    seats = [{"name": name, "kind": "sharp"} for name in ("One", "Two")]
    status, laid = live.call("POST", "/api/tables", {"box": BOX, "mode": "referee", "seats": seats})
    assert status == 201
    return f"/api/tables/{laid['table']}", laid


def seated(live: Live, path: str, key: str, kind: str) -> None:
    """Say who plays for both seats."""
    for seat in range(2):
        body = {"seq": 0, "request": f"{kind} {seat} {time.monotonic()}", "seat": seat, "kind": kind}
        status, _ = live.call("POST", f"{path}/sit", body, key=key)
        assert status == 200, f"the game of the bots is over: {status}"


def pressed(live: Live, path: str, key: str) -> list[float]:
    """Milliseconds that each of a block of presses took, as its sender sees it."""
    seq = live.call("GET", path, key=key)[1]["seq"]
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}", "Prefer": "return=minimal"}
    took = []
    with closing(http.client.HTTPConnection("127.0.0.1", live.port, timeout=PATIENCE)) as link:
        for _ in range(PRESSES):
            move = {"type": "dial", "knowledge": seq % 8 + 1}
            body = json.dumps({"seq": seq, "request": f"m{seq}", "move": move})
            began = time.perf_counter()
            link.request("POST", f"{path}/moves", body, headers)
            seq = json.loads(link.getresponse().read())["seq"]
            took.append((time.perf_counter() - began) * 1000)
            time.sleep(0.01)
    return took


def wait_for_a_thought(live: Live) -> None:
    """Until the process thinks."""
    until = time.monotonic() + PATIENCE
    while thinking(live.process.pid) is None:
        assert time.monotonic() < until, "nobody thinks"
        time.sleep(0.05)


def thinking(service: int) -> int | None:
    """The process in which the bots of a service think."""
    return next((pid for pid in children(service) if b"thinking" in Path(f"/proc/{pid}/cmdline").read_bytes()), None)


def children(pid: int) -> Iterator[int]:
    """The processes that a process has begun."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        yield from map(int, (task / "children").read_text(encoding="ascii").split())


if __name__ == "__main__":
    sys.exit(judged({"bots": main}))
