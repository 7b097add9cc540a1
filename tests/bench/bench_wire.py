"""How fast the wire is, and how soon a lost link is noticed; prints ``name: value unit (how)``."""

from __future__ import annotations

import os
import queue
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from firmware_bridge import build
from firmware_bridge.board import Board, LinkLost
from firmware_bridge.messages import Command, Disconnected, Event
from tests.bench.limits import judged, limited
from tests.firmware_bridge.benches import OUT, STOP, Host, LiveBoard, ProcessBench, bench, command

PINGS = 500
LOSSES = 10
LONGEST_US = {"nano": 80.0, "pico": 500.0}
"""A byte at 115,200 Bd takes 87 us, and a Nano's receiver holds two; a Pico's USB waits, but a stop is to be heeded."""


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


BOARDS = {
    "simavr": ("nano", ["avr-size", str(OUT / "digside_board.elf")], 30_720, 2048),
    "pico": ("pico", ["arm-none-eabi-size", str(OUT / "digside_pico.elf")], 2 * 2**20, 264 * 2**10),
}
"""What each is called, how its firmware is measured, and the flash and RAM that it has."""


def firmware() -> None:
    """What the firmware takes of a board, while it does all it can at once."""
    for kind, (name, size, flash, ram) in BOARDS.items():
        board = bench(kind)
        assert isinstance(board, ProcessBench)
        printed = subprocess.run(size, capture_output=True, text=True, check=True).stdout
        text, data, bss = map(int, printed.splitlines()[1].split()[:3])
        stack, without_us = _strained(board)
        board.close()
        limited(f"wire.{name}.flash", text + data, "bytes", at_most=flash, more="code and constants")
        limited(f"wire.{name}.ram", data + bss, "bytes", at_most=ram - 2 * stack, more="static")
        limited(f"wire.{name}.stack", stack, "bytes", at_most=ram - data - bss, more="the deepest that was seen")
        limited(
            f"wire.{name}.no_interrupts",
            without_us,
            "us",
            at_most=LONGEST_US[name],
            more="longest that was seen",
        )


def _strained(board: ProcessBench) -> tuple[int, float]:
    """Stack and longest stretch without interrupts, with pump, lights, buzzer, buttons, noise and stops."""
    host, luck = Host(board), random.Random(1)
    host.on(255)
    board.obey("measure")
    for step in range(40):
        host.ask(Command.LIGHTS, step, 24, step, 255 - step, 99)
        host.ask(Command.PING, *range(38))
        host.ask(Command.BUZZ, 100, 0, 0xD0, 7)
        host.ask(Command.LIMITS, 200, 0, 1)
        board.press(luck.randrange(256))
        board.hear(luck.randbytes(30))
        host.run(30)
        if step % 10 == 9:
            board.hear(STOP)
            host.run(5)
            host.on(255)
    measured = board.obey("measured")
    return int(str(measured["stack"])), float(str(measured["without_us"]))


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
