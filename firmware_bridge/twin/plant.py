"""Pump, valve, hose, cup and card, as in firmware/host/plant.c. Flows in mL/s, vacuum in kPa, one lump of air."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

from firmware_bridge.sim import SENSOR_PER_KPA, SENSOR_ZERO

AIR_KPA = 101.3
VOLUME_ML = 15.0
PUMP_ML_S = 14.0
PUMP_KPA = 50.0
MOTOR_S = 0.09
COIL_S = 0.015
VENT_LEAK = 2.6
OPEN_LEAK = 9.1
CARD_LEAK = 0.88
BLOCKED_LEAK = 0.005


@dataclass(slots=True)
class Plant:
    """What the simulated board works on."""

    kpa: float = 0.0
    speed: float = 0.0
    coil: float = 0.0
    leak: float = 0.0
    card: bool = False
    blocked: bool = False
    buttons: int = 0
    dither: int = 1

    def step(self, pump: float, valve: bool, seconds: float) -> None:
        """Let time pass with the pump at a fraction of its power."""
        self.speed += (pump - self.speed) * (1 - exp(-seconds / MOTOR_S))
        self.coil += (float(valve) - self.coil) * (1 - exp(-seconds / COIL_S))
        drag = self.speed * PUMP_ML_S / PUMP_KPA + self._leakage()
        target = self.speed * PUMP_ML_S / drag
        self.kpa += (target - self.kpa) * (1 - exp(-seconds * drag * AIR_KPA / VOLUME_ML))

    def _leakage(self) -> float:
        cup = CARD_LEAK + self.leak * (OPEN_LEAK - CARD_LEAK) if self.card else OPEN_LEAK
        return (BLOCKED_LEAK if self.blocked else cup) + (1 - self.coil) * VENT_LEAK

    def counts(self) -> int:
        """What the sensor shows a 10-bit converter, with a count of noise."""
        self.dither = (self.dither * 1664525 + 1013904223) & 0xFFFFFFFF
        counts = SENSOR_ZERO + SENSOR_PER_KPA * self.kpa + (self.dither >> 24) / 128 - 1
        return int(min(max(counts + 0.5, 0), 1023))

    @property
    def at_rest(self) -> bool:
        return self.kpa < 0.005 and self.speed < 0.001
