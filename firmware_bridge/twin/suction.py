"""Pump and valve, and everything that switches them off by itself, as in firmware/core/suction.c."""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware_bridge.messages import BUDGET_MS, LEASE_MS, ON_TIME_MS, BoardFault, RefusalCode, Reset

BUDGET_START_MS = 1000
WATCHDOG_MS = 250
PUMP_SLEW_PER_MS = 4
VACUUM_SLACK = 128
FULL_COUNT = 1023


@dataclass(slots=True)
class Pins:
    """What the board drives."""

    pump: int = 0
    valve: bool = False
    lamps: int = 0
    pitch: int = 0


@dataclass(slots=True)
class Suction:
    """Lease, longest on-time, duty budget and the latched fault."""

    pins: Pins
    fault: BoardFault = BoardFault.NONE
    lease_ms: int = 0
    on_ms: int = 0
    budget_ms: int = BUDGET_MS
    wanted: int = 0
    most: int = 255
    vacuum_most: int = 0
    enough: bool = field(default=False)

    def begin(self, reset: Reset) -> None:
        """Start with the budget that is set; a hang has spent some of it."""
        self.fault = {Reset.WATCHDOG: BoardFault.WATCHDOG, Reset.BROWN_OUT: BoardFault.BROWN_OUT}.get(
            reset, BoardFault.NONE
        )
        if reset is Reset.WATCHDOG:
            self.budget_ms = max(0, self.budget_ms - WATCHDOG_MS)
        self.most, self.vacuum_most, self.enough = 255, 0, False
        self.safe()

    @property
    def busy(self) -> bool:
        return self.wanted != 0 or self.pins.valve

    def safe(self) -> None:
        self.wanted = self.pins.pump = self.on_ms = self.lease_ms = 0
        self.pins.valve = False

    def trip(self, fault: BoardFault) -> None:
        self.safe()
        if self.fault is BoardFault.NONE:
            self.fault = fault

    def _may_act(self) -> RefusalCode | None:
        if self.fault is not BoardFault.NONE:
            return RefusalCode.FAULT
        return RefusalCode.NO_LEASE if self.lease_ms == 0 else None

    def pump(self, level: int) -> RefusalCode | None:
        if level == 0:
            self.wanted = self.pins.pump = self.on_ms = 0
            return None
        if refused := self._may_act():
            return refused
        if self.wanted == 0 and self.budget_ms < BUDGET_START_MS:
            return RefusalCode.RESTING
        self.wanted = min(level, self.most)
        return None

    def valve(self, closed: bool) -> RefusalCode | None:
        refused = self._may_act() if closed else None
        if refused is None:
            self.pins.valve = closed
        return refused

    def limits(self, most: int, vacuum: int) -> RefusalCode | None:
        if most == 0:
            return RefusalCode.MALFORMED
        self.most, self.vacuum_most = most, vacuum
        self.wanted = min(self.wanted, most)
        return None

    def renew(self) -> None:
        self.lease_ms = LEASE_MS

    def tick(self, elapsed: int, vacuum: int) -> None:
        self.lease_ms = max(0, self.lease_ms - elapsed)
        if self.lease_ms == 0 and self.busy:
            self.trip(BoardFault.LEASE)
        if self.wanted:
            self._spend(elapsed)
        else:
            self.budget_ms = min(BUDGET_MS, self.budget_ms + elapsed)
        self._follow(elapsed, vacuum)

    def _spend(self, elapsed: int) -> None:
        self.on_ms += elapsed
        self.budget_ms = max(0, self.budget_ms - elapsed)
        if self.on_ms >= ON_TIME_MS:
            self.trip(BoardFault.ON_TIME)
        elif self.budget_ms == 0:
            self.trip(BoardFault.DUTY)

    def _follow(self, elapsed: int, vacuum: int) -> None:
        if self.vacuum_most == 0 or vacuum + (FULL_COUNT + 1) // VACUUM_SLACK < self.vacuum_most:
            self.enough = False
        elif vacuum >= self.vacuum_most:
            self.enough = True
        aim = 0 if self.enough else self.wanted
        self.pins.pump = min(self.pins.pump + elapsed * PUMP_SLEW_PER_MS, aim)
