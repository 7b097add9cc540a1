"""A pump that is told to run turns: no level lies between nothing and the least that is sure to turn it."""

import random

import pytest

from firmware_bridge.twin.plant import MOTOR_STALLS
from hardware.lifter import LiftLimits
from tests.hardware.blocked_lifts import some_plant
from tests.hardware.wired import WiredStand

SOFT_START_MS = 70
HOLDS_S = 4.0


def too_slow_ms(stand: WiredStand, least: float) -> int:
    """For how long in one go the pump got something, but too little; lifting and holding, the soft start included."""
    slow = longest = 0

    def look(ms: int) -> None:
        nonlocal slow, longest
        slow = slow + ms if 0 < stand.bench.chip.pump < least * 255 - 1 else 0
        longest = max(longest, slow)

    stand.bench.looked = look
    stand.reach("holding")
    stand.pass_time(HOLDS_S)
    return longest


@pytest.mark.parametrize("seed", range(4))
def test_no_pump_is_told_to_stand_still_hot(seed: int) -> None:
    assert too_slow_ms(WiredStand(plant=some_plant(random.Random(seed))), MOTOR_STALLS) <= SOFT_START_MS


@pytest.mark.parametrize("least", [0.5, 0.8, 0.85, 0.9, 1.0])
def test_a_pump_that_needs_more_is_given_more(least: float) -> None:
    assert too_slow_ms(WiredStand(limits=LiftLimits(slowest_pump=least)), least) <= SOFT_START_MS


def test_three_quarters_would_let_the_simulated_pump_stand_still_as_others_saw_the_real_one_do() -> None:
    assert too_slow_ms(WiredStand(limits=LiftLimits(slowest_pump=0.75)), MOTOR_STALLS) > SOFT_START_MS
