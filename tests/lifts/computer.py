"""Digside on its computer, as far as lifting goes: hall, stage, rig, shovel and wire, turned round by hand."""

from __future__ import annotations

import atexit
from collections.abc import Callable
from pathlib import Path

from companion.play.hall import Hall
from companion.play.stage import Stage
from firmware_bridge.messages import Event
from hardware.board_parts import BoardPanel, BoardWire, SerialAir
from hardware.events import RigEvent
from hardware.lifter import GRIP_NEEDS_S
from hardware.live import LiveRig
from hardware.news import News
from hardware.panel import Panel
from hardware.parts import Parts
from hardware.sensors import SENSORS
from tests.lifts.still import Bench, StillBoard
from web_ui.app import create_app
from web_ui.rate import Pace
from web_ui.service import Service
from web_ui.settings import Settings

TURN_MS = 20
SETTLED_KPA = 0.5
WILD = Pace(1e9, 1e9)
UNCOUNTED = Settings(taps=WILD, looks=WILD, layings=WILD, guesses=WILD)


class Errands(News):
    """News that are told when the loop has come round, by nobody's thread."""

    def __init__(self) -> None:
        self._waiting: list[Callable[[], None]] = []

    def start(self) -> None:
        """Nothing runs by itself."""

    def tell(self, errand: Callable[[], None]) -> None:
        self._waiting.append(errand)

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
        self.board = StillBoard(bench, self._board_says)
        self._air = SerialAir(self.board, transducer=SENSORS["mpx5100dp"])
        self._panel = BoardPanel(self.board, buttons={"stop": 1}, lamps=(1, 2, 3), turn=8)
        wire = BoardWire(self.board, clock=lambda: bench.seconds)
        parts = Parts(air=self._air, panel=Panel(self._panel), wire=wire)
        self.rig = LiveRig("serial", parts, clock=lambda: bench.seconds, start=False)
        self.rig._news.close()
        self._errands = self.rig._news = Errands()
        self.rig.listen(self.told.append)
        self.app = create_app(self.hall, self.rig, settings=UNCOUNTED)
        service: Service = self.app.extensions["digside"]
        self.service = service

    @property
    def stage(self) -> Stage:
        return self.service.stage

    def turn(self, ms: int = TURN_MS) -> None:
        """The rig's loop comes round, and then time passes."""
        self.rig.turn(self.bench.seconds)
        self._errands.run()
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

    def _board_says(self, event: Event) -> None:
        self._air.heard(event)
        self._panel.heard(event)
