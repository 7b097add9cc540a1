"""A board that starts anew in the middle of a lift starts nothing else: the pump waits until somebody grips again."""

import pytest

from firmware_bridge.messages import Reset
from tests.hardware.resets import LATE_MS, ResetStorm


@pytest.mark.parametrize("late_ms", LATE_MS)
@pytest.mark.parametrize("twin", [False, True], ids=["core", "twin"])
def test_no_reset_starts_the_pump_however_late_it_is_told(late_ms: int | None, twin: bool) -> None:
    storm = ResetStorm(seed=late_ms or 1, twin=twin)
    for reason in (Reset.EXTERNAL, Reset.WATCHDOG):
        storm.reset(late_ms, reason)
    assert storm.figures["unasked"] == 0
