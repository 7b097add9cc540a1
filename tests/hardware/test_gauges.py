"""What a screen needs to draw the pump's time: how long it has run, how long it may, and when it rests."""

from __future__ import annotations

from hardware.events import RigState, ShovelState, gist
from hardware.lifter import LiftLimits
from tests.hardware.stand import Stand


def state(stand: Stand) -> ShovelState:
    return stand.shovel.state(stand.now)


def test_the_ends_of_the_gauges_are_the_limits() -> None:
    rested = state(Stand(limits=LiftLimits(longest_s=8.0, budget_s=10.0)))
    assert (rested.longest_ms, rested.rested_ms, rested.budget_ms) == (8000, 10_000, 10_000)


def test_a_pump_rests_exactly_while_no_lift_is_taken() -> None:
    stand = Stand(limits=LiftLimits(budget_s=10.0))
    stand.holding()
    stand.pass_time(6.0)
    stand.shovel.release(stand.now)
    stand.until("off")
    assert state(stand).resting
    stand.pass_time(2.0)
    assert not state(stand).resting
    stand.grip()


def test_a_screen_is_told_each_second_how_a_pump_recovers() -> None:
    stand = Stand(limits=LiftLimits(budget_s=20.0))
    stand.holding()
    stand.pass_time(3.0)
    stand.shovel.release(stand.now)
    stand.until("off")
    stand.pass_time(0.5)
    before = gist(RigState(kind="sim", shovel=state(stand)))
    stand.pass_time(1.0)
    assert gist(RigState(kind="sim", shovel=state(stand))) != before
