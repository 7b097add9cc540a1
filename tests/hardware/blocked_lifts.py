"""Lifts with all sorts of pumps, hoses, cups and cards, some of them with a blocked hose; counts what is mistaken."""

from __future__ import annotations

import random
import sys
from collections import Counter
from typing import Literal

from firmware_bridge.twin.plant import Plant
from hardware.events import LiftDone, LiftDoubted, LiftFailed
from tests.hardware.wired import WiredStand

Case = Literal["card", "kink at the pump", "kink at the cup", "kink on the way"]
CASES: tuple[Case, ...] = ("card", "kink at the pump", "kink at the cup", "kink on the way")
HOSE_ML = (8.0, 25.0)
DEAD_ML = (1.0, 3.5)
CARRY_S = (0.8, 3.0)
FINDS_OUT_S = 4.0


def some_plant(luck: random.Random) -> Plant:
    """A pump from the shelf, a metre or half of hose, a cup with its bleed hole, and a sensor that is not new."""
    return Plant(
        pump_ml_s=luck.uniform(25, 80),
        motor_s=luck.uniform(0.03, 0.15),
        dead_ml=luck.uniform(*DEAD_ML),
        hose_ml=luck.uniform(*HOSE_ML),
        card_leak=luck.uniform(0.3, 2.0),
        joint_leak=luck.uniform(0.0, 0.01),
        noise=luck.uniform(1, 4),
        zero_kpa=luck.uniform(-0.8, 0.8),
        dither=luck.getrandbits(32),
    )


class OneLift:
    """A lift from the grip to its end, and what became of it.

    :ivar verdict: what it was told to be: ``"verified"``, ``"unverified"``, or why it failed
    :ivar doubted: whether a person was asked
    """

    def __init__(self, case: Case, luck: random.Random) -> None:
        self.luck = luck
        plant = some_plant(luck)
        if case == "kink at the cup":
            plant.dead_ml, plant.hose_ml = plant.hose_ml, plant.dead_ml
        plant.blocked = case.startswith("kink at")
        self.stand = WiredStand(plant=plant, twin=True)
        self._lift(case)
        told = self.stand.told
        self.doubted = any(isinstance(event, LiftDoubted) for event in told)
        [self.verdict] = [self._read(event) for event in told if isinstance(event, LiftDone | LiftFailed)]

    @staticmethod
    def _read(event: LiftDone | LiftFailed) -> str:
        if isinstance(event, LiftFailed):
            return event.why
        return "verified" if event.verified else "unverified"

    def _lift(self, case: Case) -> None:
        stand = self.stand
        stand.shovel.grip(stand.now)
        stand.pass_time(self.luck.choice([0.0, self.luck.uniform(0, 1)]))
        stand.plant.card = True
        while stand.phase == "priming":
            stand.tick()
        self._carry(case)
        stand.shovel.release(stand.now)
        while stand.phase not in ("off", "fault"):
            stand.tick()

    def _carry(self, case: Case) -> None:
        stand, leak = self.stand, self.stand.plant.card_leak
        ends = stand.now + self.luck.uniform(*CARRY_S)
        while stand.phase == "holding" and stand.now < ends:
            stand.plant.card_leak = leak * self.luck.uniform(0.8, 1.3)  # no hand is quite still
            stand.tick()
        if case == "kink on the way":
            stand.plant.blocked = True
            ends = stand.now + FINDS_OUT_S
            while stand.phase == "holding" and stand.now < ends:
                stand.tick()


def count(lifts: int, seed: int = 1) -> dict[Case, Counter[str]]:
    """What became of so many lifts of each case."""
    luck = random.Random(seed)
    counted: dict[Case, Counter[str]] = {case: Counter() for case in CASES}
    for case in CASES:
        for _ in range(lifts):
            lift = OneLift(case, luck)
            counted[case][f"{lift.verdict} after a doubt" if lift.doubted else lift.verdict] += 1
    return counted


def mistaken(counted: dict[Case, Counter[str]]) -> tuple[int, int]:
    """How many cards that were held were not told so, and how many blocked hoses were told to hold one."""
    missed = sum(counted[case]["verified"] + counted[case]["verified after a doubt"] for case in CASES[1:])
    return counted["card"].total() - counted["card"]["verified"], missed


def report(counted: dict[Case, Counter[str]]) -> str:
    """The counts as lines for people."""
    false, missed = mistaken(counted)
    lines = [f"{case}: {dict(counted[case])}" for case in CASES]
    lines.append(f"false blocked: {false} of {counted['card'].total()} held cards")
    lines.append(f"missed blocked: {missed} of {sum(counted[case].total() for case in CASES[1:])} blocked hoses")
    return "\n".join(lines)


if __name__ == "__main__":
    print(report(count(*(int(each) for each in sys.argv[1:]))))
