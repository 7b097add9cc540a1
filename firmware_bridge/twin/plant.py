"""Pump, valve, hose, cup and card, as in firmware/host/plant.c. Flows in mL/s, vacuum in kPa, two lumps of air."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp

from firmware_bridge.sim import SENSOR_PER_KPA, SENSOR_ZERO

AIR_KPA = 101.3
DEAD_ML = 2.0
HOSE_ML = 13.0
PUMP_ML_S = 50.0
PUMP_KPA = 50.0
MOTOR_S = 0.09
MOTOR_STALLS = 0.78
COIL_S = 0.015
VENT_LEAK = 2.6
HOSE_FLOW = 200.0
OPEN_LEAK = 32.0
CARD_LEAK = 0.88
JOINT_LEAK = 0.005


@dataclass(slots=True)
class Plant:
    """What the simulated board works on; no two pumps, hoses and cards are quite the same."""

    kpa: float = 0.0
    sensed_kpa: float = 0.0
    speed: float = 0.0
    coil: float = 0.0
    current: float = 0.0
    leak: float = 0.0
    card: bool = False
    blocked: bool = False
    buttons: int = 0
    uno: bool = False
    dither: int = 1
    pump_ml_s: float = PUMP_ML_S
    motor_s: float = MOTOR_S
    dead_ml: float = DEAD_ML
    hose_ml: float = HOSE_ML
    card_leak: float = CARD_LEAK
    joint_leak: float = JOINT_LEAK
    zero_kpa: float = 0.0
    noise: float = 1.0
    stalls: float = MOTOR_STALLS
    stuck: bool = False  # the pump's MOSFET conducts whatever its gate is told
    jammed: bool = False  # the valve stays shut
    shift_kpa: float = 0.0  # what the pump's current adds to the reading, on a ground that the gauge shares

    def step(self, pump: float, valve: bool, seconds: float) -> None:
        """Let time pass with the pump at a fraction of its power."""
        pump, valve = 1.0 if self.stuck else pump, valve or self.jammed
        self.current = pump
        turns = 0.0 if pump < self.stalls else pump
        self.speed += (turns - self.speed) * (1 - exp(-seconds / self.motor_s))
        self.coil += (float(valve) - self.coil) * (1 - exp(-seconds / COIL_S))
        flow, hose = self.speed * self.pump_ml_s, 0.0 if self.blocked else HOSE_FLOW
        here, there = seconds * AIR_KPA / self.dead_ml, seconds * AIR_KPA / self.hose_ml
        a, b = 1 + here * (flow / PUMP_KPA + self.joint_leak + (1 - self.coil) * VENT_LEAK + hose), here * hose
        c, d = there * hose, 1 + there * (hose + self._cup_leak())
        self.sensed_kpa = (d * (self.sensed_kpa + here * flow) + b * self.kpa) / (a * d - b * c)
        self.kpa = (c * self.sensed_kpa + self.kpa) / d

    def _cup_leak(self) -> float:
        return self.card_leak + self.leak * (OPEN_LEAK - self.card_leak) if self.card else OPEN_LEAK

    def counts(self) -> int:
        """What the sensor shows a 10-bit converter, with some counts of noise and an error at zero."""
        self.dither = (self.dither * 1664525 + 1013904223) & 0xFFFFFFFF
        counts = SENSOR_ZERO + SENSOR_PER_KPA * (self.sensed_kpa + self.zero_kpa + self.shift_kpa * self.current)
        counts += self.noise * ((self.dither >> 24) / 128 - 1)
        return int(min(max(counts + 0.5, 0), 1023))

    @property
    def at_rest(self) -> bool:
        return self.kpa < 0.005 and self.sensed_kpa < 0.005 and self.speed < 0.001
