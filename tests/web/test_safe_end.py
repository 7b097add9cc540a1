"""The service is told to end while the pump runs: the pump ends first, on pins and on a board."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware_bridge.messages import LEASE_MS
from tests.firmware_bridge.benches import LiveBoard, command
from tests.hardware.table_child import levels
from tests.web.live import PATIENCE, Live
from web_ui.serve import SIGNALS

ON, OFF = {"GPIO17": True, "GPIO27": True}, {"GPIO17": False, "GPIO27": False}
PINS = 'kind = "gpio"\n[gpio]\npump = 17\nvalve = 27\n'
BOARD = 'kind = "serial"\n[serial]\nport = "{port}"\n'


def holding(tmp_path: Path, rig: str, is_on: Callable[[], bool], **wishes: str) -> Live:
    """A service whose shovel somebody has told to grip; where a busy computer makes a fault of that, it is cleared."""
    sheet = tmp_path / "rig.toml"
    sheet.write_text(rig, encoding="utf-8")
    live = Live(tmp_path / "data", rig=str(sheet), **wishes)
    try:
        _, laid = live.lay()
        end = time.monotonic() + PATIENCE
        while not is_on():
            assert time.monotonic() < end, live.call("GET", "/api/rig")
            for do in ("clear", "grip"):
                live.call("POST", f"/api/rig/shovel?table={laid['table']}", {"do": do}, key=laid["host"])
            time.sleep(0.02)
    except BaseException:
        live.stop(signal.SIGKILL)  # a service left running would keep its port from the next
        raise
    return live


@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
def test_a_signal_to_the_service_leaves_every_pin_off(tmp_path: Path, number: signal.Signals) -> None:
    record = tmp_path / "pins.txt"
    live = holding(tmp_path, PINS, lambda: levels(record) == ON, pins=str(record))
    live.stop(number)
    assert live.process.returncode == 0
    assert levels(record) == OFF


@pytest.mark.parametrize("kind", ["host", "simavr"])
def test_a_signal_to_the_service_reaches_the_board_before_its_lease_runs_out(kind: str, tmp_path: Path) -> None:
    board = LiveBoard(kind, command(kind), tmp_path / "tty")
    live = holding(tmp_path, BOARD.format(port=board.link), lambda: board.state()["pump"] > 0)
    try:
        live.stop(signal.SIGTERM)
    finally:
        live.process.kill()
    ended_us = board.state()["now_us"]
    while (state := board.state())["pump"] or state["valve"]:
        assert state["now_us"] < ended_us + 2000 * LEASE_MS  # by the board's own time, which a busy computer slows down
    silent_ms = (state["pump_changed_us"] - state["last_heard_us"]) / 1000
    board.close()
    assert silent_ms < 20  # it was told so, and did not let go by itself
