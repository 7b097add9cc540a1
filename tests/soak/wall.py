"""The real service with a board behind a pseudo-terminal, by the clock on the wall: whatever fails, the pump is off.

How soon is told by the board's own clock; how late this computer woke a thread meanwhile stands beside it, and is no
excuse.
"""

from __future__ import annotations

import signal
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_bridge.messages import LEASE_MS
from tests.firmware_bridge.benches import LiveBoard, command
from tests.pulse import Pulse
from tests.web.live import Live

pytestmark = pytest.mark.slow

LIMIT_MS = 1000
WATCHDOG_MS = 300
WIRE_MS = 20
PATIENCE_S = 30.0
RIG = """kind = "serial"
[serial]
port = "{port}"
[sensor]
type = "none"
[panel]
buttons = {{ stop = 3 }}
[shovel]
prime_s = 0.3
"""
Matrix = dict[tuple[str, str], str]


class Lifting:
    """A service with a board, a table of cards, and one of them on the cup."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.board = LiveBoard(kind, command(kind), folder / "tty")
        rig = folder / "rig.toml"
        rig.write_text(RIG.format(port=self.board.link))
        self.service = Live(folder / "data", rig=str(rig))

    def begin(self) -> None:
        """Lay the table, and lift."""
        seats = [{"name": "Ada"}, {"name": "Ben"}]
        laying = {"box": "tutankhamun", "mode": "toolbox", "seats": seats}
        self.laid = self.service.call("POST", "/api/tables", laying)[1]
        self.path = f"/api/tables/{self.laid['table']}"
        self.lift()

    def call(self, path: str, body: dict[str, object] | None = None) -> Any:
        return self.service.call("GET" if body is None else "POST", path, body, key=self.laid["host"])[1]

    def press(self, what: str, **body: object) -> Any:
        seq = self.call(self.path)["seq"]
        return self.call(f"{self.path}/{what}", {"seq": seq, "request": uuid.uuid4().hex, **body})

    def lift(self) -> None:
        self.until(lambda: self.call("/api/rig")["link"]["connected"])
        while self.call(self.path)["ask"]["kind"] == "chance":
            self.press("outcome", outcome=None)
        self.until(self.holds)

    def holds(self) -> bool:
        """Whether the card is held; what a computer too busy for the board's lease lost meanwhile is lifted again."""
        match self.call("/api/rig")["shovel"]["state"]:
            case "holding":  # now and then the pump pauses, to tell a blocked hose
                return bool(self.board.state()["pump"])
            case "fault":
                self.service.call("POST", "/api/rig/shovel", {"do": "clear"}, key=self.service.owner)
            case "off":
                self.press("moves", move={"type": "uncover", "square": "a1"})
        return False

    def until(self, is_so: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not is_so():
            assert time.monotonic() < end, self.call("/api/rig")
            time.sleep(0.01)

    def close(self) -> None:
        self.service.stop(signal.SIGKILL)
        self.board.close()


@pytest.fixture(params=["host", "simavr"])
def lifting(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Lifting]:
    under_way = Lifting(tmp_path, request.param)
    try:
        under_way.begin()
        yield under_way
    finally:  # a board that is left running would make the next ones late
        under_way.close()


FAULTS: dict[str, tuple[Callable[[Lifting], object], int]] = {
    "killed": (lambda it: it.service.process.send_signal(signal.SIGKILL), LEASE_MS + WIRE_MS),
    "terminated": (lambda it: it.service.process.send_signal(signal.SIGTERM), LEASE_MS + WIRE_MS),
    "stands still": (lambda it: it.service.process.send_signal(signal.SIGSTOP), LEASE_MS + WIRE_MS),
    "cable pulled": (lambda it: it.board.obey("unplug"), LEASE_MS + WIRE_MS),
    "firmware hangs": (lambda it: it.board.obey("hang 60000000"), WATCHDOG_MS),
    "STOP on a page": (lambda it: it.call("/api/rig/shovel", {"do": "stop"}), LIMIT_MS),
    "STOP on the panel": (lambda it: it.board.press(4), LIMIT_MS),
    "let go on a page": (lambda it: it.call("/api/rig/shovel", {"do": "release"}), LIMIT_MS),
    "let go by a move": (lambda it: it.press("moves", move={"type": "shovel", "do": "release"}), LIMIT_MS),
    "undo": (lambda it: it.press("undo"), LIMIT_MS),
    "table closed": (lambda it: it.press("close"), LIMIT_MS),
    "rig put by": (lambda it: it.call(f"{it.path}/rig/leave", {}), LIMIT_MS),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_whatever_happens_to_a_service_that_holds_a_card(
    lifting: Lifting, fault: str, matrix: Matrix, pulse: Pulse
) -> None:
    happens, limit_ms = FAULTS[fault]
    before = lifting.board.state()
    late = f"this computer woke a thread {pulse.worst_s * 1000:.0f} ms late"
    assert before["pump"], f"it let go by itself; {late}"
    happens(lifting)
    end = time.monotonic() + PATIENCE_S
    while (state := lifting.board.state())["pump"] or state["valve"]:
        assert time.monotonic() < end, "the pump is still on"
        time.sleep(0.01)
    off_ms = (max(state["pump_changed_us"], state["valve_changed_us"]) - before["now_us"]) / 1000
    late = f"late {pulse.worst_s * 1000:.0f} ms"
    matrix[f"service: {fault}", f"{lifting.board.kind}, live"] = f"{off_ms:.1f} ms, {late}"
    assert off_ms <= limit_ms, late
