"""How fast the wire is, and how soon a lost link is noticed; prints ``name: value unit (how)``."""

from __future__ import annotations

import os
import queue
import signal
import statistics
import sys
import tempfile
import time
from pathlib import Path

from firmware_bridge import build
from firmware_bridge.board import Board, LinkLost
from firmware_bridge.messages import Disconnected, Event
from tests.bench.limits import judged, limited
from tests.firmware_bridge.benches import OUT, LiveBoard, bench, command

PINGS = 500
LOSSES = 10


def say(name: str, value: float, unit: str, how: str) -> None:
    print(f"{name}: {value:.3g} {unit} ({how})", flush=True)


def ping(kind: str, folder: Path) -> None:
    """Round trips of empty pings through pyserial and a pseudo-terminal at 115,200 Bd."""
    live = LiveBoard(kind, command(kind), folder / f"tty-{kind}")
    with Board(str(live.link)) as board:
        if not board.wait(5.0):
            raise SystemExit(f"no {kind} board")
        took: list[float] = []
        lost = 0
        while len(took) < PINGS and lost < PINGS:
            start = time.perf_counter()
            try:
                board.ping()
            except LinkLost:
                lost += 1  # a computer that is busy with something else; said below
                board.wait(5.0)
            else:
                took.append((time.perf_counter() - start) * 1000)
    live.close()
    took.sort()
    how = f"{PINGS} empty pings, {lost} lost, pyserial on a pty, {kind} build; 14 bytes of wire are 1.2 ms"
    say(f"wire.{kind}.ping.median", statistics.median(took), "ms", how)
    say(f"wire.{kind}.ping.p99", took[int(len(took) * 0.99)], "ms", how)


def loss(name: str, how: str) -> None:
    """How long until a program hears that the board has gone."""
    took = []
    for _ in range(LOSSES):
        events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        with Board("sim://bench", on_event=events.put) as board:
            board.wait(5.0)
            world = board.world
            if world is None:
                raise SystemExit("no simulated board")
            start = time.perf_counter()
            if name == "silent":
                os.kill(world.pid, signal.SIGSTOP)
            else:
                world.unplug()
            while not isinstance(events.get(timeout=5.0), Disconnected):
                pass
            took.append((time.perf_counter() - start) * 1000)
            os.kill(world.pid, signal.SIGCONT)
    say(f"wire.loss.{name}.median", statistics.median(took), "ms", how)
    limited(f"wire.loss.{name}.worst", max(took), "ms", at_most=1000, more=how)


def start_up() -> None:
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        build.program(Path(folder))
        say("wire.sim.build", time.perf_counter() - start, "s", "compiling the simulated board, once per version")
    start = time.perf_counter()
    with Board("sim://bench") as board:
        board.wait(5.0)
        say(
            "wire.sim.start",
            (time.perf_counter() - start) * 1000,
            "ms",
            "from nothing to a greeted board, compiled before",
        )


def stop() -> None:
    took = []
    with Board("sim://bench") as board:
        board.wait(5.0)
        for _ in range(200):
            start = time.perf_counter()
            board.stop()
            took.append((time.perf_counter() - start) * 1000)
    say("wire.stop.worst", max(took), "ms", "200 calls of Board.stop()")


def idle() -> None:
    with Board("sim://bench") as board:
        board.wait(5.0)
        time.sleep(0.5)
        world = board.world
        before = time.process_time() + _cpu(world.pid if world else os.getpid())
        time.sleep(3.0)
        spent = time.process_time() + _cpu(world.pid if world else os.getpid()) - before
    say("wire.sim.idle", spent / 3.0 * 100, "% of one core", "simulated board and link together, nothing to do")


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def speed() -> None:
    """Simulated seconds in a second."""
    for kind in ("library", "host"):
        board = bench(kind)
        start = time.perf_counter()
        board.run(10_000)
        say(f"wire.{kind}.speed", 10 / (time.perf_counter() - start), "x real time", "10 simulated seconds, idle")
        board.close()


def firmware() -> None:
    records = (OUT / "digside_board.hex").read_text().split() if (OUT / "digside_board.hex").exists() else []
    size = sum(int(record[1:3], 16) for record in records if record[7:9] == "00")
    if size:
        say("wire.firmware.flash", size, "bytes", "make -C firmware_bridge/firmware; a Nano has 30720")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("host", "simavr"):
            ping(kind, Path(folder))
    loss("silent", "the board stops speaking")
    loss("unplugged", "the port breaks")
    start_up()
    stop()
    idle()
    speed()
    firmware()


if __name__ == "__main__":
    sys.exit(judged({"wire": main}))
