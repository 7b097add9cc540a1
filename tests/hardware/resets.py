"""Boards that start anew in the middle of everything, on a computer whose threads come late, in virtual time."""

from __future__ import annotations

import random
from collections import Counter

from firmware_bridge.messages import Reset
from hardware.faults import ShovelRefused
from tests.hardware.wired import WiredStand

LATE_MS = (0, 20, 50, 100, 200, 400, 700, 1000, None)
"""How late a starved thread tells of the reset; ``None``: it never does."""
REASONS = (Reset.EXTERNAL, Reset.WATCHDOG, Reset.BROWN_OUT, Reset.UNKNOWN)
WATCHED_S = 2.0
PATIENCE_S = 60.0


class ResetStorm:
    """Resets the board at a random moment of a lift, again and again, and counts what starts unasked.

    :ivar figures: resets, and starts that nobody asked for
    """

    def __init__(self, seed: int = 1, *, twin: bool = False) -> None:
        self.figures: Counter[str] = Counter()
        self._luck = random.Random(seed)
        self._stand = WiredStand(twin=twin)

    @property
    def seconds(self) -> float:
        """The virtual time that has passed."""
        return self._stand.now

    def reset(self, late_ms: int | None, reason: Reset) -> None:
        """Begin a lift, reset the board in the middle of it, and look for two seconds at what it drives."""
        stand = self._stand
        self._lift()
        stand.pass_time(self._luck.uniform(0.0, 1.2))
        stand.bench.round_trip_ms = self._luck.choice((0, 0, 30, 150))
        stand.board.events_late_ms = late_ms
        stand.bench.reset(reason)
        before = stand.bench.chip.starts
        stand.pass_time(WATCHED_S)
        self.figures["resets"] += 1
        self.figures["unasked"] += stand.bench.chip.starts - before
        stand.board.events_late_ms = stand.bench.round_trip_ms = 0

    def random_reset(self) -> None:
        """Reset it for any reason, with a thread that comes late by any time."""
        late = self._luck.choice((*LATE_MS, self._luck.randrange(1000)))
        self.reset(late, self._luck.choice(REASONS))

    def _lift(self) -> None:
        """Clear what the last reset has left, rest the pump, and begin a lift."""
        stand = self._stand
        stand.plant.card = False
        ends = stand.now + PATIENCE_S
        while not self._begun():
            assert stand.now < ends, stand.shovel.state(stand.now)
            stand.pass_time(0.2)
        stand.plant.card = True

    def _begun(self) -> bool:
        stand = self._stand
        try:
            stand.shovel.clear(stand.now)
            stand.shovel.release(stand.now)
            if stand.shovel.state(stand.now).budget_ms < 9_000:
                return False
            stand.shovel.grip(stand.now)
        except ShovelRefused:
            return False
        return stand.phase == "priming"
