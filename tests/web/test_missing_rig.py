"""Tables are played whatever stands beside them: a board that is late, one that never comes, pins nothing can drive."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from firmware_bridge.sim import SimState
from hardware import pins
from hardware.pins import DrivenPins, GpioPart
from tests.firmware_bridge.benches import LiveBoard, command
from tests.hardware.table_child import levels, pretend_pins
from tests.web.live import PATIENCE, Line, Live, free_port, start

PINS = 'kind = "gpio"\n[gpio]\npump = 17\nvalve = 27\n'


def chosen(data: Path, text: str) -> None:
    data.mkdir(exist_ok=True)
    (data / "rig.toml").write_text(text, encoding="utf-8")


def at_port(port: Path) -> str:
    return f'kind = "serial"\n[serial]\nport = "{port}"\n'


def until(look: Callable[[], Any], is_so: Callable[[Any], bool]) -> Any:
    ends = time.monotonic() + PATIENCE
    while not is_so(seen := look()):
        assert time.monotonic() < ends, seen
        time.sleep(0.01)
    return seen


def test_a_board_that_is_missing_keeps_no_table_from_being_played(tmp_path: Path) -> None:
    chosen(tmp_path, at_port(tmp_path / "late"))
    live = Live(tmp_path, rig=None)
    path, laid = live.lay()
    status, view = live.dial(path, laid["host"], live.call("GET", path)[1]["seq"])
    assert status == 200, view
    rig = live.call("GET", "/api/rig")[1]
    assert (rig["kind"], rig["absent"], rig["shovel"], rig["lifts"]) == ("serial", True, None, True)
    status, told = live.call("POST", f"/api/rig/shovel?table={laid['table']}", {"do": "grip"}, key=laid["host"])
    assert (status, told["error"]["key"]) == (422, "shovel.refused.absent")
    live.stop()


def test_the_shovel_appears_on_every_screen_when_the_board_does(tmp_path: Path) -> None:
    chosen(tmp_path, at_port(tmp_path / "late"))
    live = Live(tmp_path, rig=None)
    screen = Line(live.port, "/api/rig/stream")
    board = LiveBoard("host", command("host"), tmp_path / "late")
    try:
        shown = next(event.data for event in screen.views() if event.data["shovel"])
        assert (shown["absent"], shown["shovel"]["state"], shown["shovel"]["fault"]) == (False, "off", None)
        _, laid = live.lay()
        where = f"/api/rig/shovel?table={laid['table']}"
        assert live.call("POST", where, {"do": "grip"}, key=laid["host"])[0] == 200

        def look() -> SimState:
            live.call("POST", where, {"do": "grip"}, key=laid["host"])  # a busy computer may have lost the first
            return board.state()

        until(look, lambda state: state["pump"] > 0)
    finally:
        screen.close()
        live.stop(signal.SIGKILL)
        board.close()


def test_pins_that_cannot_be_used_are_told_on_the_terminal_and_missed(tmp_path: Path) -> None:
    chosen(tmp_path, PINS + '[display]\ntype = "sh1106"\nport = 9\n')
    live = Live(tmp_path, rig=None, pins=str(tmp_path / "pins.txt"))
    rig = live.call("GET", "/api/rig")[1]
    assert (rig["kind"], rig["absent"], rig["shovel"]) == ("gpio", True, None)
    live.lay()
    live.stop()
    assert "rig.toml:6: the display cannot be used" in live.said()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=lambda number: number.name)
def test_what_comes_after_a_service_acts_on_what_it_was_started_with(
    tmp_path: Path, number: signal.Signals, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody chooses anew while it runs; when it is killed, the pins that it drove are the ones to force off."""
    data, record = tmp_path / "data", tmp_path / "pins.txt"
    chosen(data, PINS)
    live = Live(data, rig=None, pins=str(record))
    _, laid = live.lay()
    live.call("POST", f"/api/rig/shovel?table={laid['table']}", {"do": "grip"}, key=laid["host"])
    until(lambda: levels(record), lambda level: bool(level["GPIO17"]))
    chosen(data, PINS.replace("17", "23").replace("27", "24"))
    live.stop(number)
    ended_well = number == signal.SIGTERM
    assert (DrivenPins(data).read() is None) is ended_well
    assert levels(record)["GPIO17"] is not ended_well
    monkeypatch.setattr("gpiozero.Device.pin_factory", None)
    pretend_pins(record)
    assert pins.main([str(data)]) == 0
    assert levels(record) == {"GPIO17": False, "GPIO27": False}


def test_a_second_start_in_the_same_folder_leaves_the_first_ones_note_alone(tmp_path: Path) -> None:
    data, record = tmp_path / "data", tmp_path / "pins.txt"
    chosen(data, PINS)
    live = Live(data, rig=None, pins=str(record))
    live.call("GET", "/healthz")
    noted = DrivenPins(data).read()
    assert noted is not None
    second = start(data, port=free_port())
    second.communicate(timeout=PATIENCE)
    assert second.returncode == 1
    assert DrivenPins(data).read() == noted
    live.stop()


def test_what_an_earlier_service_left_noted_is_not_this_ones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It drove pins, and a HAT sits on them by now: whatever ends this service, they are left alone."""
    DrivenPins(tmp_path).note(GpioPart(pump=17, valve=27))
    live = Live(tmp_path, rig=None)
    live.call("GET", "/healthz")
    live.stop(signal.SIGKILL)
    monkeypatch.setattr(Device, "pin_factory", MockFactory())
    assert pins.main([str(tmp_path)]) == 0
    assert not Device.pin_factory.pins
