"""A family at its table while the service is attacked: how soon presses are answered, and how soon a stop is obeyed."""

from __future__ import annotations

import http.client
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.web.live import TREE, Live

BREATH = 0.02  # seconds from an answer to the next press: much sooner than people, later than a machine


class Family:
    """People with the host's key and one connection, who press again and again."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.path, self.laid = live.lay()
        self.seq = int(live.call("GET", self.path, key=self.laid["host"])[1]["seq"])
        self._link = http.client.HTTPConnection("127.0.0.1", live.port, timeout=30)

    def press(self) -> float:
        """One press, asked again until it is answered; how many milliseconds that took."""
        began = time.perf_counter()
        body = {"seq": self.seq, "request": f"p{self.seq}", "move": {"type": "dial", "knowledge": self.seq % 8 + 1}}
        while True:
            try:
                status, told = self._ask("POST", f"{self.path}/moves", body)
            except (OSError, http.client.HTTPException):
                self._link.close()
                continue
            if status == 200:
                break
            assert status in {429, 503}, told
        self.seq = told["seq"]
        return 1000 * (time.perf_counter() - began)

    def presses(self, count: int) -> list[float]:
        times = []
        for _ in range(count):
            times.append(self.press())
            time.sleep(BREATH)
        return times

    def stop(self) -> float:
        """STOP from a device that has just come, without a key; how many milliseconds until it is obeyed."""
        return stop_at(self.live.port)

    def _ask(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.laid['host']}"}
        self._link.request(method, path, json.dumps(body), headers)
        answer = self._link.getresponse()
        return answer.status, json.loads(answer.read())


def stop_at(port: int) -> float:
    """A STOP at a port, without a key; how many milliseconds until it is answered."""
    began = time.perf_counter()
    link = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    link.request("POST", "/api/rig/stop")
    assert link.getresponse().status == 200
    link.close()
    return 1000 * (time.perf_counter() - began)


BARE = """
import asyncio, sys
async def answer(reader, writer):
    await reader.readuntil(b"\\r\\n\\r\\n")
    writer.write(b"HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\n{}")
    writer.close()
async def main():
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
"""
"""The least that answers a request: what it takes in the same moments is the machine's doing."""


@contextmanager
def bare_answerer() -> Iterator[int]:
    """A process that answers everything at once and does nothing else; its port."""
    process = subprocess.Popen([sys.executable, "-c", BARE], stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield int(process.stdout.readline())
    finally:
        process.kill()
        process.wait()


def rage(
    live: Live, table: str, doors: Sequence[str] = (), *, requests: int, connections: int, seconds: float
) -> subprocess.Popen[bytes]:
    """All attacks at once, in a process of their own, which ends by itself.

    :param doors: a table and a key of it, as ``TABLE=KEY``, each.
    """
    asked = [live.port, table, requests, connections, seconds, *doors]
    command = [sys.executable, "-m", "tests.attack.flood", *map(str, asked)]
    return subprocess.Popen(command, cwd=TREE, stdout=subprocess.PIPE)


def memory_mb(live: Live) -> float:
    """What the service's process takes."""
    lines = Path(f"/proc/{live.process.pid}/status").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith("VmRSS:")).split()[1]) / 1024


def p99(times: Sequence[float]) -> float:
    return statistics.quantiles(times, n=100)[98]


class Seen(NamedTuple):
    """What a family saw of its service: milliseconds to presses and stops, quiet and attacked, and megabytes.

    :ivar bare: what a STOP takes that nothing but a bare answerer answers, in the same moments.
    """

    quiet: list[float]
    presses: list[float]
    still: list[float]
    stops: list[float]
    bare: list[float]
    before: float
    most: float
    after: float
    flood: str

    def lines(self) -> list[str]:
        """The figures as a benchmark prints them."""
        return [
            f"press while it is quiet, median and p99: {statistics.median(self.quiet):.1f} {p99(self.quiet):.1f} ms",
            f"press under attack, median and p99: {statistics.median(self.presses):.1f} {p99(self.presses):.1f} ms",
            f"p99 under attack over quiet: {p99(self.presses) / p99(self.quiet):.2f} times",
            f"STOP obeyed while it is quiet, p99: {p99(self.still):.1f} ms",
            f"STOP obeyed under attack, median and p99: {statistics.median(self.stops):.1f} {p99(self.stops):.1f} ms",
            f"a bare answerer under attack, median and p99: {statistics.median(self.bare):.1f} {p99(self.bare):.1f} ms",
            f"memory before, at most, and after: {self.before:.0f} {self.most:.0f} {self.after:.0f} MB",
            f"attack: {self.flood}",
            "  for as long, other connections kept silent, held a stream or sent a body without its end",
        ]


def doors_of(live: Live, family: Family) -> list[str]:
    """Valid keys of every kind, as guests have them: a seat at the family's own table, and all of a table they laid."""
    _, own = live.lay()
    keys = (own["host"], *own["seats"])
    return [f"{family.laid['table']}={family.laid['seats'][0]}", *(f"{own['table']}={key}" for key in keys)]


def attacked(data: Path, *, requests: int, connections: int, seconds: float, presses: int = 200) -> Seen:
    """A family plays, first in quiet and then under all attacks at once; a STOP comes now and then."""
    live = Live(data, rig="sim")
    try:
        family, (_, other) = Family(live), live.lay()
        family.presses(20)
        quiet, still = family.presses(presses), [family.stop() for _ in range(20)]
        before = most = memory_mb(live)
        doors = doors_of(live, family)
        flood = rage(live, other["table"], doors, requests=requests, connections=connections, seconds=seconds)
        time.sleep(1.0)
        pressed, stops, bare = list[float](), list[float](), list[float]()
        until = time.monotonic() + seconds + 10
        with bare_answerer() as port:
            while flood.poll() is None and time.monotonic() < until:
                pressed += family.presses(5)
                stops.append(family.stop())
                bare.append(stop_at(port))
                most = max(most, memory_mb(live))
        flood.wait(30)
        assert flood.stdout is not None
        time.sleep(1.0)
        quiet += family.presses(presses)  # the machine may have grown busier, or quieter, beside it
        answers = flood.stdout.read().decode().strip()
        return Seen(quiet, pressed, still, stops, bare, before, most, memory_mb(live), answers)
    finally:
        live.stop()
        assert "Traceback" not in live.said()
