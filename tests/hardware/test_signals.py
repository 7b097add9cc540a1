"""However the service ends, pump and valve end off."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from gpiozero import OutputDevice
from gpiozero.pins.mock import MockFactory, MockPin

from hardware import pins as pins_off
from hardware.faults import RigProblem
from hardware.pins import DrivenPins, GpioPart
from hardware.process import make_safe_on_signals
from hardware.rig import open_rig
from tests.hardware.ears import PATIENCE
from tests.hardware.table_child import levels
from tests.pulse import Pulse

Table = subprocess.Popen[str]
ROOT = Path(__file__).parents[2]
PUMP, VALVE = "GPIO17", "GPIO27"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return tmp_path / "pins.txt"


@pytest.fixture
def seat(record: Path) -> Iterator[Callable[[str], Table]]:
    tables: list[Table] = []

    def start(how: str) -> Table:
        command = [sys.executable, "-m", "tests.hardware.table_child", how, str(record)]
        table = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        tables.append(table)
        assert table.stdout is not None
        assert table.stdout.readline() == "holding\n", table.stderr.read() if table.stderr else ""
        return table

    yield start
    for table in tables:
        table.kill()
        table.communicate()


def test_while_holding_both_pins_are_on(seat: Callable[[str], Table], record: Path) -> None:
    seat("wait")
    assert levels(record) == {PUMP: True, VALVE: True}


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=lambda number: number.name)
def test_a_signal_that_ends_the_service_leaves_the_pins_off(
    seat: Callable[[str], Table], record: Path, number: signal.Signals
) -> None:
    table = seat("wait")
    table.send_signal(number)
    table.communicate(timeout=PATIENCE)
    assert table.returncode != 0
    assert levels(record) == {PUMP: False, VALVE: False}


def test_without_the_handlers_a_sigterm_would_leave_them_on(seat: Callable[[str], Table], record: Path) -> None:
    table = seat("unhandled")
    table.terminate()
    table.communicate(timeout=PATIENCE)
    assert levels(record) == {PUMP: True, VALVE: True}


def test_active_low_pins_end_high_which_is_off(seat: Callable[[str], Table], record: Path) -> None:
    table = seat("active-low")
    assert levels(record) == {"GPIO5": False, "GPIO6": False}
    table.terminate()
    table.communicate(timeout=PATIENCE)
    assert levels(record) == {"GPIO5": True, "GPIO6": True}


def test_a_mistake_in_the_service_leaves_the_pins_off(seat: Callable[[str], Table], record: Path) -> None:
    table = seat("exception")
    _, said = table.communicate(timeout=PATIENCE)
    assert "a mistake in the service" in said
    assert levels(record) == {PUMP: False, VALVE: False}


def test_a_loop_that_hangs_is_cut_by_the_watchdog(seat: Callable[[str], Table], record: Path, pulse: Pulse) -> None:
    seat("hang")
    start = time.monotonic()
    while levels(record)[PUMP] and time.monotonic() - start < PATIENCE:
        time.sleep(0.02)
    assert levels(record) == {PUMP: False, VALVE: False}
    pulse.check(time.monotonic() - start, 1.5)


def test_a_loop_that_hangs_can_still_be_ended(seat: Callable[[str], Table], record: Path) -> None:
    table = seat("hang")
    table.terminate()
    table.communicate(timeout=PATIENCE)
    assert levels(record) == {PUMP: False, VALVE: False}


def test_the_longest_lift_leaves_the_pins_off(seat: Callable[[str], Table], record: Path) -> None:
    table = seat("too-long")
    assert table.stdout is not None
    assert table.stdout.readline() == "let go\n"
    assert levels(record) == {PUMP: False, VALVE: False}


def test_what_was_to_be_done_at_a_signal_is_still_done() -> None:
    done: list[str] = []
    before = signal.signal(signal.SIGHUP, lambda number, frame: done.append("before"))
    try:
        put_back = make_safe_on_signals(lambda: done.append("safe"), [signal.SIGHUP])
        os.kill(os.getpid(), signal.SIGHUP)
        put_back()
        os.kill(os.getpid(), signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)
    assert done == ["safe", "before", "before"]


@pytest.mark.parametrize("active_high", [True, False])
def test_what_nothing_in_a_process_survives_is_done_after_it(
    pins: MockFactory, tmp_path: Path, active_high: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    rig = tmp_path / "rig.toml"
    pump, valve = (17, 27) if active_high else (5, 6)
    high = str(active_high).lower()
    rig.write_text(f'kind = "gpio"\n[gpio]\npump = {pump}\nvalve = {valve}\nactive_high = {high}\n')
    DrivenPins(tmp_path).note(GpioPart(pump=pump, valve=valve, active_high=active_high))
    for where in (rig, tmp_path):
        assert pins_off.main([str(where)]) == 0
        for number in (pump, valve):
            pin = pins.pin(number)
            assert isinstance(pin, MockPin)
            assert pin.states[-1].state is not active_high
    assert capsys.readouterr().out == f"GPIO {pump} and {valve} are off\n" * 2


def test_what_was_started_is_forced_off_and_not_what_is_chosen_by_now(pins: MockFactory, tmp_path: Path) -> None:
    DrivenPins(tmp_path).note(GpioPart(pump=23, valve=24))
    (tmp_path / "rig.toml").write_text('kind = "gpio"\n[gpio]\npump = 17\nvalve = 27\n')
    assert pins_off.main([str(tmp_path)]) == 0
    assert sorted(info.name for info in pins.pins) == ["GPIO23", "GPIO24"]


def test_where_nothing_was_left_on_no_pin_is_touched(
    pins: MockFactory, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "rig.toml").write_text('kind = "gpio"\n[gpio]\npump = 17\nvalve = 27\n')
    run_file = DrivenPins(tmp_path)
    for _ in range(2):  # the second time it is as if a service had ended well
        assert pins_off.main([str(tmp_path)]) == 0
        assert "no pins are left on" in capsys.readouterr().out
        run_file.note(GpioPart(pump=17, valve=27))
        run_file.forget()
    assert not pins.pins


def test_what_was_forced_off_once_is_not_forced_again(pins: MockFactory, tmp_path: Path) -> None:
    DrivenPins(tmp_path).note(GpioPart(pump=17, valve=27))
    assert pins_off.main([str(tmp_path)]) == 0
    assert DrivenPins(tmp_path).read() is None


def test_a_run_file_that_cannot_be_read_is_said_and_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    DrivenPins(tmp_path).path.write_text('{"pump": 99}')
    assert pins_off.main([str(tmp_path)]) == 1
    assert capsys.readouterr().err
    assert DrivenPins(tmp_path).path.exists()


def test_forcing_pins_says_what_is_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    assert pins_off.main([]) == 2
    assert pins_off.main(["/nowhere/rig.toml"]) == 1
    assert pins_off.main(["nano"]) == 0
    assert "a board lets go by itself" in capsys.readouterr().out


def test_a_pin_that_is_busy_keeps_the_other_from_nothing(
    pins: MockFactory, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[int] = []

    def open_pin(pin: int, **_: object) -> OutputDevice:
        opened.append(pin)
        if pin == 17:
            raise Exception("GPIO busy")
        return OutputDevice(pin)

    monkeypatch.setattr("gpiozero.OutputDevice", open_pin)
    assert pins_off.main(["gpio"]) == 1
    assert opened == [17, 27]
    assert "GPIO busy" in capsys.readouterr().err
    monkeypatch.setattr("hardware.rig.OutputDevice", open_pin)
    with pytest.raises(RigProblem, match=r"gpio:5: the pins cannot be used: GPIO busy"):
        open_rig("gpio", data=Path("nowhere"))
