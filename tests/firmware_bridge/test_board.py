"""The board as the rest of Digside sees it, on the simulated wire in real time."""

from __future__ import annotations

import os
import pty
import queue
import select
import subprocess
import sys
import threading
import time
import tty
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import pytest

from firmware_bridge import frames
from firmware_bridge.board import Board, BoardRefused, LinkLost
from firmware_bridge.messages import (
    ANSWER,
    BUDGET_MS,
    LEASE_MS,
    ON_TIME_MS,
    PROTOCOL_VERSION,
    BoardFault,
    BoardNotice,
    Bounds,
    Button,
    Command,
    Connected,
    Disconnected,
    Event,
    FaultRaised,
    Feature,
    RefusalCode,
    Reset,
    Restarted,
)
from firmware_bridge.sim import SENSOR_PER_KPA, SENSOR_ZERO, World
from tests.firmware_bridge.benches import LiveBoard, command
from tests.pulse import Pulse

if TYPE_CHECKING:
    from _typeshed import TraceFunction

PATIENCE = 30.0
_numbers = count()


class Rig:
    """A board that is connected, its world, and what it told."""

    def __init__(self, query: str = "") -> None:
        self.events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self.board = Board(f"sim://test{os.getpid()}-{next(_numbers)}{query}", on_event=self.events.put)
        self.board.start()
        assert self.board.wait(PATIENCE)
        assert self.board.world is not None
        self.world: World = self.board.world

    def next(self, kind: type[Event]) -> Event:
        """Wait for the next event of a kind."""
        end = time.monotonic() + PATIENCE
        while True:
            event = self.events.get(timeout=max(0.01, end - time.monotonic()))
            if isinstance(event, kind):
                return event

    def hold(self) -> None:
        self.board.renew()
        self.board.valve(True)
        self.board.pump(255)

    def until(self, true: Callable[[], bool]) -> float:
        """Renew until something is true; return how long it took."""
        start = time.monotonic()
        while not true():
            assert time.monotonic() - start < PATIENCE, "it did not happen"
            self.board.renew()
            time.sleep(0.02)
        return time.monotonic() - start


@pytest.fixture(params=["", "?twin=1"], ids=["core", "twin"])
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    rig = Rig(request.param)
    yield rig
    rig.board.close()


@pytest.fixture
def core_rig() -> Iterator[Rig]:
    rig = Rig()
    yield rig
    rig.board.close()


def test_a_board_introduces_itself(rig: Rig) -> None:
    hello = rig.board.hello
    assert hello is not None
    assert Feature.SIMULATED in hello.can
    assert hello.reset is Reset.EXTERNAL  # opening the port resets a Nano
    assert rig.next(Connected) == Connected(hello)
    assert rig.board.link.connected


def test_the_twin_says_that_it_is_one() -> None:
    rig = Rig("?twin=1")
    assert rig.board.hello is not None
    assert "Python twin" in rig.board.hello.description
    rig.board.close()


def raw(rig: Rig) -> int:
    """What the sensor counts."""
    return rig.board.status.vacuum_raw if rig.board.status else 0


def test_a_card_is_held_and_let_go(rig: Rig, pulse: Pulse) -> None:
    rig.world.touch(card=True)
    rig.hold()
    took = rig.until(lambda: rig.world.pressure_kpa > 0.9 * 12)
    assert took >= 0.1
    pulse.check(took, 0.55)
    rig.until(lambda: rig.world.pressure_kpa > 26)
    rig.until(lambda: abs(raw(rig) - SENSOR_ZERO - SENSOR_PER_KPA * rig.world.pressure_kpa) < 12)
    full = rig.world.pressure_kpa
    rig.board.pump(0)
    rig.board.valve(False)
    took = rig.until(lambda: rig.world.pressure_kpa < full / 10)
    assert took >= 0.08
    pulse.check(took, 0.35)


def test_open_held_leaking_and_blocked_can_be_told_apart(core_rig: Rig) -> None:
    rig = core_rig
    rig.hold()
    rig.until(lambda: 1.0 < rig.world.pressure_kpa < 2.0)
    rig.world.touch(card=True)
    rig.until(lambda: rig.world.pressure_kpa > 11.5)
    rig.world.leak = 0.3
    rig.until(lambda: 3.0 < rig.world.pressure_kpa < 6.0)
    rig.world.blocked = True
    rig.until(lambda: raw(rig) > SENSOR_ZERO + SENSOR_PER_KPA * 45)
    assert rig.world.pressure_kpa < 1.0


def test_without_a_renewal_the_board_lets_go(rig: Rig) -> None:
    rig.hold()
    assert rig.next(FaultRaised) == FaultRaised(BoardFault.LEASE)
    assert rig.board.status is not None
    assert rig.board.status.is_safe
    with pytest.raises(BoardRefused) as refused:
        rig.board.renew() or rig.board.pump(100)  # type: ignore[func-returns-value]
    assert refused.value.code is RefusalCode.FAULT
    rig.board.clear_fault()
    rig.board.pump(100)


def test_stop_is_fast_and_latched(rig: Rig, pulse: Pulse) -> None:
    rig.hold()
    start = time.monotonic()
    rig.board.stop()
    pulse.check(time.monotonic() - start, 0.05)
    assert rig.next(FaultRaised) == FaultRaised(BoardFault.STOPPED)
    assert rig.world.pump == 0
    assert not rig.world.valve_closed


def test_buttons_lamps_and_buzzer(rig: Rig) -> None:
    rig.world.press(0, 7)
    pressed = {(event.index, event.down) for event in (rig.next(Button), rig.next(Button)) if isinstance(event, Button)}
    assert pressed == {(0, True), (7, True)}
    rig.world.press()
    released = {
        (event.index, event.down) for event in (rig.next(Button), rig.next(Button)) if isinstance(event, Button)
    }
    assert released == {(0, False), (7, False)}
    rig.board.lamps(0b1010_0101)
    assert rig.world.lamps == 0b1010_0101
    rig.board.buzz(60, 1000)
    assert rig.world.pitch == 1000
    rig.until(lambda: rig.world.pitch == 0)


def test_a_pulled_cable_is_noticed_within_a_second_and_found_again(rig: Rig, pulse: Pulse) -> None:
    rig.hold()
    start = time.monotonic()
    rig.world.unplug()
    rig.next(Disconnected)
    pulse.check(time.monotonic() - start, 1.0)
    assert rig.board.hello is None
    assert rig.board.status is None
    with pytest.raises(LinkLost):
        rig.board.pump(0)
    rig.board.stop()  # never raises
    while not (rig.world.pump == 0 and not rig.world.valve_closed):
        assert time.monotonic() - start < PATIENCE
    pulse.check(time.monotonic() - start, 1.0)
    rig.world.replug()
    assert rig.board.wait(PATIENCE)
    quality = rig.board.link
    assert quality.connected
    assert quality.losses == 1


def test_a_board_that_falls_silent_is_noticed_within_a_second(core_rig: Rig, pulse: Pulse) -> None:
    rig = core_rig
    os.kill(rig.world.pid, 19)  # SIGSTOP: nothing comes and nothing breaks
    start = time.monotonic()
    try:
        rig.next(Disconnected)
        pulse.check(time.monotonic() - start, 1.0)
    finally:
        os.kill(rig.world.pid, 18)
    assert rig.board.wait(PATIENCE)


def test_a_request_without_an_answer_is_lost_within_half_a_second(core_rig: Rig, pulse: Pulse) -> None:
    rig = core_rig
    os.kill(rig.world.pid, 19)
    start = time.monotonic()
    try:
        with pytest.raises(LinkLost):
            rig.board.pump(0)
        pulse.check(time.monotonic() - start, 0.5)
    finally:
        os.kill(rig.world.pid, 18)


def test_a_hung_firmware_is_reset_and_the_link_goes_on(rig: Rig) -> None:
    rig.hold()
    rig.world.stall(2.0)
    restarted = rig.next(Restarted)
    assert isinstance(restarted, Restarted)
    assert restarted.hello.reset is Reset.WATCHDOG
    with pytest.raises(BoardRefused):
        rig.board.pump(100)
    rig.board.clear_fault()
    rig.board.renew()
    rig.board.pump(100)


def test_a_brown_out_is_told(rig: Rig) -> None:
    rig.hold()
    rig.world.brown_out()
    restarted = rig.next(Restarted)
    assert isinstance(restarted, Restarted)
    assert restarted.hello.fault is BoardFault.BROWN_OUT
    assert rig.world.pump == 0


def test_requests_survive_a_bad_wire_and_the_quality_says_how_bad() -> None:
    rig = Rig("?drop=10&corrupt=10&seed=3")
    for level in range(1, 60):
        rig.board.ping(bytes([level]))
        rig.board.lamps(level)
        assert rig.world.lamps == level
    rig.world.drop = rig.world.corrupt = 0.0
    counters = rig.board.counters()
    quality = rig.board.link
    rig.board.close()
    assert quality.retries > 0
    assert quality.crc_errors + quality.frame_errors > 0
    assert counters.crc_errors + counters.frame_errors > 0
    assert quality.losses == 0


def test_a_quiet_wire_has_no_errors(core_rig: Rig, pulse: Pulse) -> None:
    for _ in range(50):
        core_rig.board.ping(b"quiet")
    time.sleep(0.3)
    quality = core_rig.board.link
    assert (quality.crc_errors, quality.frame_errors, quality.lost_frames) == (0, 0, 0)
    assert quality.rtt_ms is not None
    pulse.check(quality.rtt_ms / 1000, 0.05)
    assert quality.retries == 0 or pulse.worst_s > 0.01  # an answer passes three who may each wake that late


def test_everybody_may_ask_at_once(core_rig: Rig) -> None:
    wrong: list[bytes] = []

    def ask(number: int) -> None:
        for i in range(20):
            sent = bytes([number, i])
            if core_rig.board.ping(sent) != sent:
                wrong.append(sent)

    threads = [threading.Thread(target=ask, args=[number]) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_listener_may_ask_the_board() -> None:
    answers: queue.SimpleQueue[bytes] = queue.SimpleQueue()

    def listen(event: Event) -> None:
        if isinstance(event, Button):
            answers.put(board.ping(b"from a listener"))

    with Board("sim://listener", on_event=listen) as board:
        assert board.wait(PATIENCE)
        assert board.world is not None
        board.world.press(2)
        assert answers.get(timeout=PATIENCE) == b"from a listener"


def test_closing_leaves_everything_safe() -> None:
    rig = Rig()
    rig.hold()
    rig.board.lamps(255)
    world_end, rig.world.end = rig.world.end, lambda: None  # type: ignore[method-assign]
    rig.board.close()
    assert (rig.world.pump, rig.world.valve_closed, rig.world.lamps) == (0, False, 0)
    world_end()


def test_the_simulated_board_goes_with_its_host() -> None:
    code = (
        "import sys; from firmware_bridge.board import Board; b = Board('sim://'); b.start(); b.wait(5);"
        "print(b.world.pid, flush=True); sys.stdin.read()"
    )
    host = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert host.stdout is not None
    pid = int(host.stdout.readline())
    host.kill()
    host.wait()
    end = time.monotonic() + PATIENCE
    while Path(f"/proc/{pid}").exists() and "Z" not in Path(f"/proc/{pid}/stat").read_text():
        assert time.monotonic() < end, "the simulated board is still there"
        time.sleep(0.01)


def test_a_port_that_does_not_exist_is_looked_for_and_never_raises(tmp_path: Path) -> None:
    board = Board(str(tmp_path / "nothing"))
    board.start()
    assert not board.wait(0.3)
    assert "nothing" in board.link.reason
    board.stop()
    board.close()


def test_a_renewal_after_many_questions_is_no_repetition(core_rig: Rig) -> None:
    core_rig.board.renew()
    for _ in range(255):
        core_rig.board.ping()
    core_rig.board.renew()
    status = core_rig.board.status
    assert status is not None
    assert status.lease_ms > LEASE_MS - 100


def test_a_signal_in_the_middle_of_a_stop_stops(core_rig: Rig) -> None:
    """The handler runs on the thread that is stopping, between any two of its steps: no lock may be held there."""
    link = core_rig.board._link
    steps = 0

    def interrupt(frame: FrameType, event: str, arg: object) -> TraceFunction | None:
        nonlocal steps
        steps += 1
        sys.settrace(None)
        link.stop()
        sys.settrace(interrupt)
        return interrupt

    def stop() -> None:
        sys.settrace(interrupt)
        link.stop()

    stopper = threading.Thread(target=stop, daemon=True)
    core_rig.hold()
    stopper.start()
    stopper.join(PATIENCE)
    assert not stopper.is_alive()
    assert steps > 3
    assert core_rig.next(FaultRaised) == FaultRaised(BoardFault.STOPPED)


@pytest.mark.slow
def test_idle_costs_next_to_nothing(core_rig: Rig) -> None:
    def seconds() -> float:
        fields = Path(f"/proc/{core_rig.world.pid}/stat").read_text().rsplit(")", 1)[1].split()
        child = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return child + time.process_time()

    before = seconds()
    time.sleep(2.0)
    assert (seconds() - before) / 2.0 < 0.02


def test_a_stop_that_the_wire_swallows_is_repeated() -> None:
    rig = Rig()
    rig.hold()
    swallowed: list[bytes] = []
    port = rig.board._link._port
    assert port is not None
    write = port.write

    def swallow_the_first(data: bytes) -> int | None:
        if data == b"\xff" and not swallowed:
            swallowed.append(data)
            return 1
        return write(data)

    port.write = swallow_the_first  # type: ignore[method-assign]
    rig.board.stop()
    assert rig.next(FaultRaised) == FaultRaised(BoardFault.STOPPED)
    assert swallowed
    assert rig.world.pump == 0
    rig.board.close()


def intercepted(board: Board, write: Callable[[Callable[[bytes], int | None], bytes], int | None]) -> None:
    """Have what the host writes go through *write*, which gets the true way out as well."""
    port = board._link._port
    assert port is not None
    out = port.write
    port.write = lambda data: write(out, data)  # type: ignore[method-assign]


def clears(data: bytes) -> bool:
    return any(content[0] == Command.CLEAR for content in frames.Reader().read(data))


def test_no_clearing_goes_out_before_the_board_has_confirmed_the_stop() -> None:
    rig = Rig()
    rig.hold()
    swallowed: list[bytes] = []
    running: list[bool] = []

    def swallow_two(out: Callable[[bytes], int | None], data: bytes) -> int | None:
        if data == b"\xff" and len(swallowed) < 2:
            swallowed.append(data)
            return 1
        if clears(data):
            running.append(rig.world.pump > 0 or rig.world.valve_closed)
        return out(data)

    intercepted(rig.board, swallow_two)
    rig.board.stop()
    rig.board.clear_fault()
    rig.board.close()
    assert len(swallowed) == 2
    assert running == [False]


@pytest.mark.parametrize("clearing", ["is lost", "arrives after the stop", "arrives when the stop is confirmed"])
def test_a_stop_that_comes_while_a_fault_is_cleared_stays(core_rig: Rig, clearing: str) -> None:
    rig = core_rig
    link = rig.board._link
    rig.hold()
    rig.board.stop()
    sent: list[bytes] = []

    def stop_meanwhile(out: Callable[[bytes], int | None], data: bytes) -> int | None:
        if not clears(data):
            return out(data)
        sent.append(data)
        if len(sent) == 1:
            rig.board.stop()
        while clearing == "arrives when the stop is confirmed" and link._stop_pending:
            time.sleep(0.001)
        return len(data) if clearing == "is lost" else out(data)

    intercepted(rig.board, stop_meanwhile)
    with pytest.raises(LinkLost, match="stopped meanwhile"):
        rig.board.clear_fault()
    assert len(sent) == 1
    rig.until(lambda: not link._stop_pending)
    with pytest.raises(BoardRefused) as refused:
        rig.board.pump(100)
    assert refused.value.code is RefusalCode.FAULT


def test_what_the_board_counts_and_bounds_is_known_while_others_talk(core_rig: Rig) -> None:
    """A loop that renews leaves no silence in which to ask."""
    rig = core_rig
    rig.until(lambda: rig.board.link.board is not None and rig.board.link.bounds is not None)
    assert rig.board.link.bounds == rig.board.bounds()
    assert rig.board.link.bounds == Bounds(LEASE_MS, ON_TIME_MS, BUDGET_MS, 1000, 3000, 250, 500, 5000, 255, 0)
    assert rig.board.link.damaged == 0
    port = rig.board._link._port
    assert port is not None
    port.write(b"\0\x07\x07\0")
    rig.until(lambda: rig.board.link.damaged_there == 1)
    rig.world.brown_out()
    rig.next(Restarted)
    port.write(b"\0\x07\x07\0")
    rig.until(lambda: rig.board.link.damaged == 2)
    counted = rig.board.link.board
    assert counted is not None
    assert counted.frame_errors == 1


def test_clearing_never_overtakes_a_stop(core_rig: Rig) -> None:
    for _ in range(20):
        core_rig.hold()
        core_rig.board.stop()
        core_rig.board.clear_fault()
        assert core_rig.world.pump == 0
        assert not core_rig.world.valve_closed
    time.sleep(0.25)
    status = core_rig.board.status
    assert status is not None
    assert status.fault is BoardFault.NONE


def take(name: Path) -> list[int]:
    """Have somebody else hold a pseudo-terminal's name; of the free ones the system gives the lowest first."""
    taken: list[int] = []
    while not name.exists():
        assert len(taken) < 400, f"nobody gets {name}"
        taken += os.openpty()
    return taken


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["host", "simavr"])
def test_a_cable_that_comes_back_under_another_name_is_found(kind: str, tmp_path: Path) -> None:
    """Over a pseudo-terminal, as with a real port: the device is a new one, the name that lasts is the same."""
    live = LiveBoard(kind, command(kind), tmp_path / "by-id")
    events: queue.SimpleQueue[Event] = queue.SimpleQueue()
    with Board(str(live.link), on_event=events.put) as board:
        assert board.wait(PATIENCE)
        was = live.link.resolve()
        live.obey("unplug")
        while not isinstance(events.get(timeout=PATIENCE), Disconnected):
            pass
        taken = take(was)
        live.obey("replug")
        assert board.wait(PATIENCE)
        assert live.link.resolve() != was
        assert board.ping(b"back") == b"back"
    for fd in taken:
        os.close(fd)
    live.close()


class OtherFirmware:
    """Something at a pseudo-terminal that greets as a board of another Digside does, and knows nothing else."""

    def __init__(self, link: Path, protocol: int) -> None:
        self.asked: list[int] = []
        self._protocol = protocol
        self._near, far = pty.openpty()
        tty.setraw(far)
        link.symlink_to(os.ttyname(far))
        self.closing = threading.Event()
        self._thread = threading.Thread(target=self._talk, daemon=True)
        self._thread.start()

    def _talk(self) -> None:
        reader = frames.Reader()
        while not self.closing.is_set():
            if not select.select([self._near], [], [], 0.02)[0]:
                continue
            for content in reader.read(os.read(self._near, 4096)):
                self.asked.append(content[0])
                if content[0] == Command.HELLO:
                    answer = (
                        bytes([Command.HELLO | ANSWER, content[1], self._protocol, 1, 0, 0, 0, 1, 0])
                        + b"of another time"
                    )
                else:
                    answer = bytes([BoardNotice.REFUSAL, content[1], content[0], RefusalCode.UNKNOWN])
                os.write(self._near, frames.frame(answer))

    def close(self) -> None:
        self.closing.set()
        self._thread.join()


def test_a_board_that_tells_no_bounds_is_asked_once_and_used(tmp_path: Path) -> None:
    other = OtherFirmware(tmp_path / "tty", PROTOCOL_VERSION)
    with Board(str(tmp_path / "tty")) as board:
        assert board.wait(PATIENCE)
        end = time.monotonic() + PATIENCE
        while other.asked.count(Command.COUNTERS) < 3:
            assert time.monotonic() < end
            time.sleep(0.01)
        assert board.link.connected
        assert board.link.bounds is None
    other.close()
    assert other.asked.count(Command.BOUNDS) == 1


def test_a_board_with_other_firmware_is_named_and_not_used(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    other = OtherFirmware(tmp_path / "tty", 9)
    board = Board(str(tmp_path / "tty"))
    board.start()
    end = time.monotonic() + PATIENCE
    while board.other_protocol is None:
        assert time.monotonic() < end
        time.sleep(0.01)
    assert not board.wait(0.8)  # it is greeted again and again
    assert board.other_protocol == 9
    with pytest.raises(LinkLost):
        board.renew()
    board.close()
    other.close()
    assert [record.message for record in caplog.records if "flash it anew" in record.message] == [
        f"the board at {tmp_path / 'tty'} cannot be used: the board speaks protocol 9, not 1: flash it anew"
    ]
