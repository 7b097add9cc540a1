"""Digside on its computer, as far as lifting goes: hall, stage, rig, shovel and wire, turned round by hand."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from pathlib import Path

from companion.play.hall import Hall
from companion.play.stage import Stage
from hardware.board_parts import BoardPanel, BoardWire, SerialAir
from hardware.dispatch import Dispatcher
from hardware.events import RigEvent
from hardware.lifter import GRIP_NEEDS_S
from hardware.live import LiveRig
from hardware.panel import Panel
from hardware.sensors import SENSORS
from hardware.shovel import NO_PINS
from tests.lifts.still import Bench, StillBoard
from web_ui.app import create_app
from web_ui.rate import Pace
from web_ui.service import Service
from web_ui.settings import Settings

TURN_MS = 20
SETTLED_KPA = 0.5
WILD = Pace(1e9, 1e9)
UNCOUNTED = Settings(taps=WILD, looks=WILD, layings=WILD, guesses=WILD)


class Calls(Dispatcher):
    """Calls that are run when the loop has come round, by nobody's thread."""

    def __init__(self) -> None:
        self._waiting: list[Callable[[], None]] = []

    def start(self) -> None:
        """Nothing runs by itself."""

    def submit(self, call: Callable[[], None]) -> None:
        self._waiting.append(call)

    def close(self) -> None:
        """Nothing to end."""

    def run(self) -> None:
        while self._waiting:
            self._waiting.pop(0)()


class Computer:
    """Digside on its computer: it can lose its power while board and cards stay as they are."""

    def __init__(self, bench: Bench, folder: Path) -> None:
        self.bench = bench
        self.hall = Hall(folder, clock=lambda: bench.ms)
        self.told: list[RigEvent] = []
        self.board = StillBoard(bench)
        panel = BoardPanel(self.board, buttons={"stop": 1}, lamps=(1, 2, 3), turn=8)
        self.board.on_event = panel.heard
        air = SerialAir(self.board, transducer=SENSORS["mpx5100dp"])
        wire = BoardWire(self.board, clock=lambda: bench.seconds)
        shown = Panel(panel, pin_factory=NO_PINS)
        self.rig = LiveRig("serial", air=air, panel=shown, wire=wire, clock=lambda: bench.seconds)
        self.rig._dispatcher.close()
        self.calls = self.rig._dispatcher = Calls()
        self.rig.listen(self.told.append)
        self.app = create_app(self.hall, self.rig, settings=UNCOUNTED)
        service: Service = self.app.extensions["digside"]
        self.service = service

    @property
    def stage(self) -> Stage:
        return self.service.stage

    def turn(self, ms: int = TURN_MS) -> None:
        """The rig's loop comes round, and then time passes."""
        self.rig.run_once(self.bench.seconds)
        self.calls.run()
        self.board.advance(ms)

    def close(self) -> None:
        """As systemd stops it."""
        self.service.close()
        self.rig.close()
        self.hall.close()

    def lose_power(self) -> None:
        """Nothing more is said to anybody; what is on disk is on disk."""
        atexit.unregister(self.rig.make_safe)
        self.hall.close()

    @property
    def is_ready(self) -> bool:
        state = self.rig.state()
        shovel, link = state.shovel, state.link
        rested = shovel is not None and shovel.budget_ms >= 1000 * (GRIP_NEEDS_S + 1)
        settled = shovel is not None and shovel.state == "off" and (shovel.vacuum_kpa or 0.0) < SETTLED_KPA
        return rested and settled and link is not None and link.connected
