"""Whatever fails, the pump is off and the valve vented within a second. The table at the end shows how soon."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from firmware_bridge.messages import (
    LEASE_MS,
    ON_TIME_MS,
    Fault,
    Refusal,
    Reset,
    Say,
    read_counters,
    read_hello,
    read_status,
)
from tests.firmware_bridge.benches import STOP, Host, LiveBoard, ProcessBench, Pulse, bench, command

LIMIT_MS = 1000
Matrix = dict[tuple[str, str], str]
Client = Callable[[LiveBoard, str], subprocess.Popen[str]]

both = pytest.mark.parametrize("kind", ["host", "simavr"])


@pytest.fixture
def live(kind: str, tmp_path: Path) -> Iterator[LiveBoard]:
    board = LiveBoard(kind, command(kind), tmp_path / "tty")
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
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        started.append(process)
        assert process.stdout is not None
        assert process.stdout.readline() == "on\n"
        time.sleep(0.1)
        assert live.state()["pump"] > 0
        return process

    yield start
    for process in started:
        process.kill()
        process.communicate()


def off_after(live: LiveBoard, since: float, matrix: Matrix, cause: str, felt: Pulse) -> None:
    """Wait until the board is off; note and check how long it took."""
    while (state := live.state())["pump"] or state["valve"]:
        assert time.monotonic() - since < 3, "the pump is still on"
        time.sleep(0.01)
    wall_s = state["pump_off_wall_us"] / 1e6 - since
    matrix[cause, f"{live.kind}, wall"] = f"{max(wall_s * 1000, 0):.0f} ms{' (busy computer)' if felt.busy else ''}"
    felt.check(wall_s, LIMIT_MS / 1000)


@pytest.mark.slow
@both
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["killed", "terminated"])
def test_a_host_that_dies(
    live: LiveBoard, client: Client, number: signal.Signals, matrix: Matrix, pulse: Pulse
) -> None:
    process = client(live, "renew")
    process.send_signal(number)
    since = time.monotonic()
    process.wait()
    off_after(live, since, matrix, f"host gets {number.name}", pulse)


@pytest.mark.slow
@both
def test_a_host_whose_loop_hangs(live: LiveBoard, client: Client, matrix: Matrix, pulse: Pulse) -> None:
    client(live, "hang")
    off_after(live, time.monotonic(), matrix, "host loop hangs, its threads live", pulse)


@pytest.mark.slow
@both
def test_a_cable_that_is_pulled(live: LiveBoard, client: Client, matrix: Matrix, pulse: Pulse) -> None:
    client(live, "renew")
    live.obey("unplug")
    off_after(live, time.monotonic(), matrix, "cable pulled", pulse)


@pytest.mark.slow
@both
def test_a_firmware_that_hangs(live: LiveBoard, client: Client, matrix: Matrix, pulse: Pulse) -> None:
    client(live, "hang")
    live.obey("hang 60000000")
    off_after(live, time.monotonic(), matrix, "firmware hangs (watchdog)", pulse)
    end = time.monotonic() + 5
    while live.state()["resets"] == 0:
        assert time.monotonic() < end, "the chip was not reset"


@pytest.mark.slow
@both
def test_a_stop_byte(live: LiveBoard, client: Client, matrix: Matrix, pulse: Pulse) -> None:
    client(live, "renew")
    since = time.monotonic()
    with live.link.open("wb", buffering=0) as port:
        port.write(STOP)
    off_after(live, since, matrix, "stop byte while a host renews", pulse)


def due(live: LiveBoard) -> float:
    """When on the wall the pump has been on for its twenty seconds."""
    state = live.state()
    return (state["wall_us"] - state["now_us"] + state["pump_changed_us"]) / 1e6 + ON_TIME_MS / 1000


@pytest.mark.slow
def test_twenty_seconds_in_one_go(tmp_path: Path, client: Client, matrix: Matrix) -> None:
    """Both boards at once, so that the twenty seconds are waited for once; again, if leases were renewed too late."""
    for attempt in range(3):
        with ExitStack() as at_end:
            felt = at_end.enter_context(closing(Pulse()))
            boards = [LiveBoard(kind, command(kind), tmp_path / f"{kind}{attempt}") for kind in ("host", "simavr")]
            for live in boards:
                at_end.callback(live.close)
                client(live, "renew")
            ends = [due(live) for live in boards]
            time.sleep(max(0.0, min(ends) - time.monotonic() - 0.5))
            if all(live.state()["pump"] for live in boards):
                for live, since in zip(boards, ends, strict=True):
                    off_after(live, since, matrix, "20 s on: after the limit", felt)
                return
            assert felt.busy, "the pump went off before its time"
    pytest.fail("three times this computer was too busy to renew a lease for twenty seconds")


@both
def test_silence_in_simulated_time(steps: ProcessBench, matrix: Matrix) -> None:
    host = Host(steps)
    host.on()
    host.ask(Say.RENEW)
    heard = steps.state()["last_heard_us"]
    host.run(LEASE_MS + 50)
    off_ms = (steps.state()["pump_changed_us"] - heard) / 1000
    assert steps.pins().safe
    assert LEASE_MS - 2 <= off_ms <= LEASE_MS + 2
    matrix["host silent", f"{steps.kind}, simulated"] = f"{off_ms:.1f} ms"


@both
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
    assert 200 <= off_ms <= 300
    matrix["firmware hangs (watchdog)", f"{steps.kind}, simulated"] = f"{off_ms:.1f} ms"
    hello = host.ask(Say.HELLO)
    assert isinstance(hello, bytes)
    assert read_hello(hello).reset is Reset.WATCHDOG
    host.ask(Say.RENEW)
    assert host.ask(Say.PUMP, 200) is Refusal.FAULT


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
    hello = host.ask(Say.HELLO)
    assert isinstance(hello, bytes)
    assert read_hello(hello).reset is reason
    assert read_hello(hello).fault is (Fault.BROWN_OUT if reason is Reset.BROWN_OUT else Fault.NONE)


@both
def test_a_flood_during_a_hang_is_counted(steps: ProcessBench) -> None:
    host = Host(steps)
    host.ready()
    steps.hang(100)
    steps.hear(b"\x01" * 300)
    host.run(200)
    answer = host.ask(Say.COUNTERS)
    assert isinstance(answer, bytes)
    assert read_counters(answer).overruns >= 200


@both
def test_a_short_hang_does_not_reset(steps: ProcessBench) -> None:
    host = Host(steps)
    host.on()
    steps.hang(150)
    host.run(300)
    assert steps.state()["resets"] == 0


@both
def test_twenty_seconds_in_one_go_in_simulated_time(steps: ProcessBench, matrix: Matrix) -> None:
    host = Host(steps)
    host.on()
    since = steps.state()["pump_changed_us"]
    host.run_renewing(ON_TIME_MS + 300)
    over_ms = (steps.state()["pump_changed_us"] - since) / 1000 - ON_TIME_MS
    assert steps.pins().safe
    assert abs(over_ms) <= 5
    status = host.ask(Say.STATUS)
    assert isinstance(status, bytes)
    assert read_status(status, 0).fault is Fault.ON_TIME
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
                host.ask(Say[word.upper()], 1)
            case "silence":
                host.run(LEASE_MS + 100)
            case "hang":
                host.board.hang(100)
            case _:
                host.board.hear({"stop": STOP, "half": host.frame(Say.PUMP, 250)[:5], "flood": b"\x01" * 300}[word])
    if state != "hung":
        host.run(20)


@both
@pytest.mark.parametrize("state", STATES)
def test_stop_in_simulated_time(steps: ProcessBench, state: str, matrix: Matrix) -> None:
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
    off_ms = (max(state_now["pump_changed_us"], state_now["valve_changed_us"]) - since) / 1000
    matrix[f"stop byte: {state}", f"{steps.kind}, simulated"] = f"{max(off_ms, 0):.2f} ms" if was_on else "was off"
    host.run(120)
    assert steps.pins().safe
    status = host.ask(Say.STATUS)
    assert isinstance(status, bytes)
    assert read_status(status, 0).fault in (Fault.STOPPED, Fault.LEASE)


@pytest.mark.slow
@both
@pytest.mark.parametrize("state", STATES)
def test_stop_on_the_wall(live: LiveBoard, state: str, matrix: Matrix, pulse: Pulse) -> None:
    host = Host(live, patience_ms=500)
    prepare(host, state)
    was_on = not live.pins().safe
    since = time.monotonic()
    live.hear(STOP)
    if was_on:
        off_after(live, since, matrix, f"stop byte: {state}", pulse)
    else:
        matrix[f"stop byte: {state}", f"{live.kind}, wall"] = "was off"
    host.run(120)
    host.ask(Say.RENEW)
    assert host.ask(Say.VALVE, 1) is (Refusal.NO_SESSION if state == "not greeted" else Refusal.FAULT)
    assert live.pins().safe
