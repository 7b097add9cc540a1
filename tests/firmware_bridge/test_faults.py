"""Whatever fails, the pump is off and the valve vented within a second. The table at the end shows how soon."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from firmware_bridge.messages import (
    LEASE_MS,
    ON_TIME_MS,
    BoardFault,
    Command,
    RefusalCode,
    Reset,
    read_counters,
    read_hello,
    read_status,
)
from tests.firmware_bridge.benches import STOP, Host, LiveBoard, ProcessBench, bench, live_command

WATCHDOG_MS = 300
STOP_MS = 10
OFF_MS = 800
"""Within this everything is off; a lease lasts 0.1 s less, for a renewal that is on its way when its host dies."""
PATIENCE_S = 30.0
TRIES = 10
Matrix = dict[tuple[str, str], str]
Client = Callable[[LiveBoard, str], subprocess.Popen[str]]

boards = pytest.mark.parametrize("kind", ["host", "simavr", "pico"])


@pytest.fixture
def live(kind: str, tmp_path: Path) -> Iterator[LiveBoard]:
    board = LiveBoard(kind, live_command(kind), tmp_path / "tty")
    yield board
    board.close()


@pytest.fixture
def steps(kind: str) -> Iterator[ProcessBench]:
    board = bench(kind)
    assert isinstance(board, ProcessBench)
    yield board
    board.close()


@pytest.fixture
def client() -> Iterator[Client]:
    """Starts a host in a process of its own and waits until it holds something; none is left when the test is over.

    One that lived on would look for its board, and find the next test's behind the same number of a pseudo-terminal.
    """
    started: list[subprocess.Popen[str]] = []

    def start(live: LiveBoard, mode: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-m", "tests.firmware_bridge.client", str(live.link), mode]
        for _ in range(TRIES):
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            started.append(process)
            assert process.stdout is not None
            assert process.stdout.readline() == "on\n"
            if live.state()["pump"]:
                return process
            process.kill()  # this computer was so busy that the lease has run out already
            process.wait()
        pytest.fail("no host was ever quick enough to hold anything")

    yield start
    for process in started:
        process.kill()
        process.communicate()


def off_within(live: LiveBoard, limit_ms: int, matrix: Matrix, cause: str) -> None:
    """After what has just happened the board is off in time by its own clock, which a busy computer makes no faster."""
    since_us = live.state()["now_us"]
    end = time.monotonic() + PATIENCE_S
    while (state := live.state())["pump"] or state["valve"]:
        assert time.monotonic() < end, "the pump is still on"
        time.sleep(0.01)
    off_ms = (max(state["pump_changed_us"], state["valve_changed_us"]) - since_us) / 1000
    matrix[cause, f"{live.kind}, live"] = f"{max(off_ms, 0):.1f} ms"
    assert off_ms <= limit_ms


@pytest.mark.slow
@boards
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "terminated"])
def test_a_host_that_dies(live: LiveBoard, client: Client, number: signal.Signals, matrix: Matrix) -> None:
    process = client(live, "renew")
    process.send_signal(number)
    process.wait()
    off_within(live, OFF_MS, matrix, f"host gets {number.name}")


@pytest.mark.slow
@boards
def test_a_host_whose_loop_hangs(live: LiveBoard, client: Client, matrix: Matrix) -> None:
    client(live, "hang")
    off_within(live, OFF_MS, matrix, "host loop hangs, its threads live")


@pytest.mark.slow
@boards
def test_a_cable_that_is_pulled(live: LiveBoard, client: Client, matrix: Matrix) -> None:
    client(live, "renew")
    live.obey("unplug")
    off_within(live, OFF_MS, matrix, "cable pulled")


@pytest.mark.slow
@boards
def test_a_firmware_that_hangs(live: LiveBoard, client: Client, matrix: Matrix) -> None:
    client(live, "renew")
    live.obey("hang 60000000")
    off_within(live, WATCHDOG_MS, matrix, "firmware hangs (watchdog)")
    end = time.monotonic() + PATIENCE_S
    while live.state()["resets"] == 0:
        assert time.monotonic() < end, "the chip was not reset"


@pytest.mark.slow
@boards
def test_a_stop_byte(live: LiveBoard, client: Client, matrix: Matrix) -> None:
    client(live, "renew")
    with live.link.open("wb", buffering=0) as port:
        port.write(STOP)
    off_within(live, STOP_MS, matrix, "stop byte while a host renews")


@boards
def test_silence_in_simulated_time(steps: ProcessBench, matrix: Matrix) -> None:
    host = Host(steps)
    host.on()
    host.ask(Command.RENEW)
    heard = steps.state()["last_heard_us"]
    host.run(LEASE_MS + 50)
    off_ms = (steps.state()["pump_changed_us"] - heard) / 1000
    assert steps.pins().safe
    assert LEASE_MS - 2 <= off_ms <= LEASE_MS + 2
    matrix["host silent", f"{steps.kind}, simulated"] = f"{off_ms:.1f} ms"


@boards
@pytest.mark.parametrize("hung_for", [60_000, 2_000])
def test_the_watchdog_in_simulated_time(steps: ProcessBench, hung_for: int, matrix: Matrix) -> None:
    host = Host(steps)
    host.on()
    host.run(60)
    since = steps.state()["now_us"]
    steps.hang(hung_for)
    host.run(700)
    off_ms = (steps.state()["pump_changed_us"] - since) / 1000
    assert steps.pins().safe
    assert 200 <= off_ms <= WATCHDOG_MS
    matrix["firmware hangs (watchdog)", f"{steps.kind}, simulated"] = f"{off_ms:.1f} ms"
    hello = host.ask(Command.HELLO)
    assert isinstance(hello, bytes)
    assert read_hello(hello).reset is Reset.WATCHDOG
    host.ask(Command.RENEW)
    assert host.ask(Command.PUMP, 200) is RefusalCode.FAULT


OPTIBOOT_4_4, OPTIBOOT_5_0, NO_LOADER = 0x0404, 0x0500, 0xFFFF
PORF, EXTRF, BORF, WDRF = 1, 2, 4, 8


@pytest.mark.parametrize("kind", ["simavr"])
@pytest.mark.parametrize(
    ("loader", "handed", "reason"),
    [
        (OPTIBOOT_5_0, PORF, Reset.POWER),
        (OPTIBOOT_5_0, BORF, Reset.BROWN_OUT),
        (OPTIBOOT_5_0, WDRF, Reset.EXTERNAL),
        (OPTIBOOT_4_4, WDRF, Reset.UNKNOWN),
        (OPTIBOOT_4_4, BORF, Reset.UNKNOWN),
        (NO_LOADER, BORF, Reset.UNKNOWN),
    ],
)
def test_what_a_bootloader_says_of_a_reset(steps: ProcessBench, loader: int, handed: int, reason: Reset) -> None:
    """A loader that ends its own wait with the watchdog, or leaves a register as it was, makes no fault."""
    steps.obey(f"load {loader:x} {handed:x}")
    host = Host(steps)
    host.run(20)
    hello = host.ask(Command.HELLO)
    assert isinstance(hello, bytes)
    assert read_hello(hello).reset is reason
    assert read_hello(hello).fault is (BoardFault.BROWN_OUT if reason is Reset.BROWN_OUT else BoardFault.NONE)


@boards
def test_a_flood_during_a_hang_is_counted(steps: ProcessBench) -> None:
    host = Host(steps)
    host.ready()
    steps.hang(100)
    steps.hear(b"\x01" * 470)
    host.run(200)
    answer = host.ask(Command.COUNTERS)
    assert isinstance(answer, bytes)
    assert read_counters(answer).overruns >= 200


@boards
def test_a_short_hang_does_not_reset(steps: ProcessBench) -> None:
    host = Host(steps)
    host.on()
    steps.hang(150)
    host.run(300)
    assert steps.state()["resets"] == 0


@boards
def test_twenty_seconds_in_one_go_in_simulated_time(steps: ProcessBench, matrix: Matrix) -> None:
    host = Host(steps)
    host.on()
    host.run(2)
    since = steps.state()["pump_changed_us"]
    host.run_renewing(ON_TIME_MS + 300)
    over_ms = (steps.state()["pump_changed_us"] - since) / 1000 - ON_TIME_MS
    assert steps.pins().safe
    assert abs(over_ms) <= 5
    status = host.ask(Command.STATUS)
    assert isinstance(status, bytes)
    assert read_status(status, 0).fault is BoardFault.ON_TIME
    matrix["20 s on: after the limit", f"{steps.kind}, simulated"] = f"{max(over_ms, 0):.1f} ms"


STATES = {
    "idle": "ready",
    "not greeted": "",
    "pump": "ready pump",
    "valve": "ready valve",
    "holding": "on",
    "stopped": "on stop",
    "lease lost": "on silence",
    "half a frame": "on half",
    "flooded": "on flood",
    "hung": "on hang",
}


def prepare(host: Host, state: str) -> None:
    """Bring the board into a state, word by word."""
    assert isinstance(host.board, ProcessBench)
    for word in STATES[state].split():
        match word:
            case "ready" | "on":
                getattr(host, word)()
            case "pump" | "valve":
                host.ask(Command[word.upper()], 1)
            case "silence":
                host.run(LEASE_MS + 100)
            case "hang":
                host.board.hang(100)
            case _:
                host.board.hear({"stop": STOP, "half": host.frame(Command.PUMP, 250)[:5], "flood": b"\x01" * 300}[word])
    if state != "hung":
        host.run(20)


@boards
def test_stop_in_simulated_time(kind: str, matrix: Matrix, subtests: pytest.Subtests) -> None:
    for state in STATES:
        with subtests.test(state), closing(bench(kind)) as steps:
            assert isinstance(steps, ProcessBench)
            off_ms = stopped_after_ms(steps, state)
            matrix[f"stop byte: {state}", f"{kind}, simulated"] = "was off" if off_ms is None else f"{off_ms:.2f} ms"


def stopped_after_ms(steps: ProcessBench, state: str) -> float | None:
    """How long after the stop byte the board was off; None where it was off before."""
    host = Host(steps)
    prepare(host, state)
    since = steps.state()["now_us"]
    was_on = not steps.pins().safe
    steps.hear(STOP)
    if state == "flooded":
        host.run(30)  # the flood goes first: the wire has an order
    host.run(1)
    assert steps.pins().safe
    state_now = steps.state()
    host.run(120)
    assert steps.pins().safe
    status = host.ask(Command.STATUS)
    assert isinstance(status, bytes)
    assert read_status(status, 0).fault in (BoardFault.STOPPED, BoardFault.LEASE)
    off_ms = (max(state_now["pump_changed_us"], state_now["valve_changed_us"]) - since) / 1000
    return max(off_ms, 0) if was_on else None
