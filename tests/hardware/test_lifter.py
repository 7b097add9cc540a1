"""The shovel lifts, verifies what it lifted, and never lets go on a whim."""

import pytest

from firmware_bridge.twin.plant import MOTOR_STALLS
from hardware.events import Cleared, Fault, LiftDone, LiftDoubted, LiftFailed, LiftHeld, LiftSettled
from hardware.faults import AirLost, ShovelRefused
from hardware.lifter import LiftLimits
from hardware.vacuum import Gauge, Sample, Thresholds, throttle
from tests.hardware.stand import TICK_S, Stand


def refusal(stand: Stand) -> str:
    with pytest.raises(ShovelRefused) as caught:
        stand.grip()
    assert caught.value.key == f"shovel.refused.{caught.value.code}"
    return caught.value.code


def test_a_lift_that_the_sensor_saw_all_of_is_verified() -> None:
    stand = Stand().holding()
    stand.pass_time(1.0)
    stand.shovel.release(stand.now)
    stand.until("off")
    assert stand.told == [LiftHeld(1), LiftDone(1, verified=True)]
    assert stand.air.safe


def test_the_pump_is_throttled_near_its_target_to_spare_soft_card() -> None:
    stand = Stand().holding()
    stand.pass_time(3.0)
    assert 8 < stand.air.kpa < 16


def test_a_throttled_pump_is_never_asked_to_turn_so_slowly_that_it_would_stall() -> None:
    levels = {throttle(tenth / 10, LiftLimits().target_kpa) for tenth in range(300)}
    assert min(levels - {0.0}) > MOTOR_STALLS
    assert {0.0, 1.0} < levels


def test_held_needs_three_samples_over_sixty_milliseconds() -> None:
    stand = Stand("switch")
    stand.grip()
    stand.air.reads = 20.0
    stand.pass_time(3 * TICK_S)
    assert stand.phase == "priming"
    stand.tick()
    assert stand.phase == "holding"


def test_two_readings_are_not_enough_however_far_apart() -> None:
    gauge = Gauge(Thresholds(), blocked_kpa=45.0)
    for at, held in ((0.0, False), (0.3, False), (0.6, True)):
        gauge.see(Sample(9.0, at))
        assert gauge.held is held


def test_a_gap_in_the_readings_begins_everything_anew() -> None:
    gauge = Gauge(Thresholds(), blocked_kpa=45.0)
    for at, held in ((0.0, False), (0.1, False), (0.2, True), (5.0, False), (5.1, False), (5.2, True)):
        gauge.see(Sample(9.0, at))
        assert gauge.held is held


def test_one_good_reading_is_not_yet_a_grip() -> None:
    stand = Stand()
    stand.air.card = False
    stand.grip()
    for reads in (20.0, 20.0, 20.0, 0.5) * 5:
        stand.air.reads = reads
        stand.tick()
        assert stand.phase == "priming"


def test_no_vacuum_within_the_time_out_is_a_leak_and_no_fault() -> None:
    stand = Stand()
    stand.air.card = False
    stand.grip()
    assert stand.until("releasing") == pytest.approx(stand.shovel.limits.prime_s, abs=0.05)
    stand.until("off")
    assert stand.told == [LiftFailed(1, "leak")]
    assert (stand.outcome, stand.fault) == ("leak", None)


def test_a_flicker_of_the_reading_changes_nothing() -> None:
    stand = Stand().holding()
    for _ in range(20):
        stand.air.reads = 0.0
        stand.pass_time(0.12)
        stand.air.reads = None
        stand.tick()
    assert stand.phase == "holding"
    assert stand.told == [LiftHeld(1)]


def test_a_card_lost_for_150_ms_is_doubted_and_the_pump_goes_on() -> None:
    stand = Stand().holding()
    stand.air.reads = 0.5
    stand.pass_time(0.14)
    assert LiftDoubted(1) not in stand.told
    stand.pass_time(0.06)
    assert stand.told[-1] == LiftDoubted(1)
    assert stand.shovel.state(stand.now).doubt
    assert stand.air.closed
    assert stand.air.level == 1.0


def test_a_doubt_that_nobody_settles_ends_as_dropped() -> None:
    stand = Stand().holding()
    stand.air.card = False
    stand.until("off")
    assert stand.told == [LiftHeld(1), LiftDoubted(1), LiftFailed(1, "dropped")]
    assert (stand.outcome, stand.fault) == ("dropped", None)


def test_what_the_sensor_has_lost_was_not_put_down() -> None:
    stand = Stand().holding()
    stand.air.card = False
    stand.pass_time(0.5)
    stand.shovel.release(stand.now)
    stand.until("off")
    assert stand.told == [LiftHeld(1), LiftDoubted(1), LiftFailed(1, "dropped")]


def test_a_person_may_say_that_it_is_still_there() -> None:
    stand = Stand().holding()
    stand.air.reads = 0.5
    stand.pass_time(0.5)
    stand.shovel.confirm(stand.now)
    stand.pass_time(5.0)
    assert stand.phase == "holding"
    stand.shovel.release(stand.now)
    stand.until("off")
    assert stand.told == [LiftHeld(1), LiftDoubted(1), LiftSettled(1), LiftDone(1, verified=False)]


def test_a_vacuum_that_comes_back_settles_the_doubt() -> None:
    stand = Stand().holding()
    stand.air.reads = 0.5
    stand.pass_time(0.5)
    stand.air.reads = None
    stand.pass_time(5.0)
    assert stand.phase == "holding"
    assert not stand.shovel.state(stand.now).doubt
    stand.air.reads = 0.5
    stand.pass_time(0.3)
    assert stand.told == [LiftHeld(1), LiftDoubted(1), LiftSettled(1), LiftDoubted(1)]


def test_a_person_may_say_i_have_it_before_the_sensor_does() -> None:
    stand = Stand()
    stand.air.reads = 2.0
    stand.shovel.grip(stand.now, sure=True)
    stand.pass_time(0.2)
    stand.shovel.confirm(stand.now)
    assert stand.phase == "holding"
    stand.pass_time(3.0)
    assert stand.told == [LiftHeld(1)]


def test_confirming_what_the_sensor_sees_costs_no_verification() -> None:
    stand = Stand().holding()
    stand.shovel.confirm(stand.now)
    stand.shovel.release(stand.now)
    stand.until("off")
    assert stand.told[-1] == LiftDone(1, verified=True)


def test_there_is_nothing_to_confirm_at_rest() -> None:
    stand = Stand()
    with pytest.raises(ShovelRefused, match="nothing_to_confirm"):
        stand.shovel.confirm(stand.now)


def test_a_cup_that_is_not_empty_refuses_the_grip() -> None:
    stand = Stand()
    stand.air.reads = 5.0
    stand.pass_time(0.1)
    assert refusal(stand) == "not_empty"
    assert stand.told == []


def test_a_person_who_sees_an_empty_cup_overrules_the_sensor() -> None:
    stand = Stand()
    stand.air.reads = 2.5
    stand.pass_time(0.1)
    stand.shovel.grip(stand.now, sure=True)
    stand.air.reads = None
    stand.until("holding")
    stand.shovel.release(stand.now)
    stand.until("off")
    assert stand.told[-1] == LiftDone(1, verified=False)


def test_what_hangs_on_after_letting_go_is_a_fault() -> None:
    stand = Stand().holding()
    stand.shovel.release(stand.now)
    stand.air.reads = 9.0
    stand.until("fault")
    assert stand.fault == "not_clear"
    assert stand.told[1:] == [LiftFailed(1, "not_clear"), Fault("not_clear")]
    assert stand.air.safe


def test_a_person_may_say_that_it_has_come_off() -> None:
    stand = Stand().holding()
    stand.air.reads = 9.0
    stand.shovel.release(stand.now)
    stand.shovel.confirm(stand.now)
    assert stand.told[-1] == LiftDone(1, verified=False)
    assert stand.phase == "off"
    assert stand.air.safe


def test_letting_go_before_there_was_a_grip_cancels_the_lift() -> None:
    stand = Stand()
    stand.grip()
    stand.pass_time(0.04)
    stand.shovel.release(stand.now)
    stand.until("off")
    assert stand.told == [LiftFailed(1, "cancelled")]


def test_gripping_twice_is_one_lift_and_releasing_nothing_is_nothing() -> None:
    stand = Stand()
    stand.shovel.release(stand.now)
    stand.grip()
    stand.grip()
    stand.until("holding")
    stand.grip()
    assert stand.shovel.state(stand.now).lift == 1


def test_a_blocked_cup_is_a_fault() -> None:
    stand = Stand()
    stand.grip()
    stand.air.reads = 50.0
    stand.until("fault", within=0.3)
    assert stand.fault == "blocked"
    assert stand.air.safe


def test_after_fifteen_seconds_the_shovel_lets_go_and_needs_nobody_to_clear_it() -> None:
    stand = Stand()
    stand.grip()
    assert stand.until("releasing") == pytest.approx(15.0, abs=0.05)
    assert stand.air.safe
    stand.until("off")
    assert stand.told == [LiftHeld(1), LiftFailed(1, "held_too_long")]
    assert (stand.outcome, stand.fault) == ("held_too_long", None)
    stand.pass_time(10.0)
    stand.holding()
    assert stand.told[-1] == LiftHeld(2)


def test_the_time_that_holding_may_last_runs_down_and_is_told_only_while_holding() -> None:
    stand = Stand()
    assert stand.shovel.state(stand.now).left_s is None
    stand.grip()
    assert stand.shovel.state(stand.now).left_s is None
    stand.until("holding")
    stand.pass_time(5.0)
    assert stand.shovel.state(stand.now).left_s == pytest.approx(10.0, abs=0.5)
    stand.pass_time(5.0)
    assert stand.shovel.state(stand.now).left_s == pytest.approx(5.0, abs=0.5)
    stand.until("releasing")
    assert stand.shovel.state(stand.now).left_s is None


def test_a_card_that_was_in_doubt_when_the_time_ran_out_has_dropped() -> None:
    stand = Stand().holding()
    stand.pass_time(14.0)
    stand.air.card = False
    stand.until("off")
    assert stand.told == [LiftHeld(1), LiftDoubted(1), LiftFailed(1, "dropped")]


def test_who_waits_for_a_grip_until_the_time_is_over_has_lifted_nothing() -> None:
    stand = Stand(limits=LiftLimits(prime_s=30.0, longest_s=4.0))
    stand.air.card = False
    stand.grip()
    assert stand.until("releasing") == pytest.approx(4.0, abs=0.05)
    stand.until("off")
    assert stand.told == [LiftFailed(1, "leak")]


def test_the_shovel_lets_go_before_a_device_with_little_time_left_cuts() -> None:
    stand = Stand().holding()
    ends = stand.now + 3.0
    stand.air.budget_s = lambda: ends - stand.now  # type: ignore[method-assign]
    assert stand.shovel.state(stand.now).left_s == pytest.approx(2.8, abs=0.05)
    stand.until("releasing")
    assert 0.1 < ends - stand.now < 0.3
    stand.until("off")
    assert stand.told[-1] == LiftFailed(1, "held_too_long")


def test_a_shovel_that_has_run_too_much_must_rest() -> None:
    stand = Stand(limits=LiftLimits(budget_s=10.0))
    stand.holding()
    stand.pass_time(6.0)
    stand.shovel.release(stand.now)
    stand.until("off")
    assert refusal(stand) == "resting"
    stand.pass_time(2.0)
    stand.grip()
    assert stand.until("releasing") == pytest.approx(5.8, abs=0.5)
    stand.until("off")
    assert (stand.outcome, stand.fault) == ("held_too_long", None)


def test_a_lost_link_is_a_fault_at_once() -> None:
    stand = Stand().holding()
    stand.air.lost = True
    stand.tick()
    assert stand.fault == "link_lost"
    assert stand.told[1:] == [LiftFailed(1, "link_lost"), Fault("link_lost")]


def test_a_sensor_outside_its_range_is_a_fault_when_gripping() -> None:
    stand = Stand()
    stand.grip()
    stand.air.reads = "astray"
    stand.until("fault", within=0.5)
    assert stand.fault == "sensor_range"


def test_a_sensor_that_fails_on_the_way_does_not_drop_the_card_at_once() -> None:
    stand = Stand().holding()
    stand.air.reads = "astray"
    stand.pass_time(1.5)
    assert stand.phase == "holding"
    assert stand.told[-1] == LiftDoubted(1)
    stand.shovel.confirm(stand.now)
    stand.pass_time(3.0)
    assert stand.phase == "holding"


def test_a_sensor_that_falls_silent_is_doubted_and_then_a_fault() -> None:
    stand = Stand().holding()
    stand.air.silent = True
    stand.until("fault", within=3.0)
    assert stand.fault == "sensor_silent"
    assert stand.shovel.state(stand.now).vacuum_kpa is None


def test_a_fault_is_latched_and_cleared_by_a_separate_act() -> None:
    stand = Stand().holding()
    stand.air.fault = "lease_lapsed"
    stand.tick()
    stand.air.fault = None
    stand.pass_time(5.0)
    assert stand.fault == "lease_lapsed"
    assert refusal(stand) == "faulty"
    stand.shovel.release(stand.now)
    assert stand.phase == "fault"
    stand.shovel.clear(stand.now)
    assert stand.told[-1] == Cleared()
    assert stand.phase == "off"


def test_a_fault_is_not_cleared_while_its_cause_is_there() -> None:
    stand = Stand().holding()
    stand.air.lost = True
    stand.tick()
    with pytest.raises(ShovelRefused, match="still_faulty"):
        stand.shovel.clear(stand.now)
    assert stand.phase == "fault"


def test_the_first_fault_is_the_one_that_is_shown() -> None:
    stand = Stand().holding()
    stand.air.fault = "brown_out"
    stand.tick()
    stand.air.lost = True
    stand.pass_time(0.5)
    assert stand.fault == "brown_out"
    assert stand.told.count(Fault("brown_out")) == 1


def test_a_board_that_is_heard_again_says_why_it_was_not() -> None:
    stand = Stand().holding()
    stand.air.lost = True
    stand.tick()
    stand.air.lost, stand.air.fault = False, "lease_lapsed"
    stand.tick()
    assert stand.fault == "link_lost"
    stand.air.fault = "brown_out"
    stand.tick()
    assert stand.fault == "brown_out"
    assert [event for event in stand.told if isinstance(event, Fault)] == [Fault("link_lost")]


@pytest.mark.parametrize("phase", ["off", "priming", "holding", "releasing", "fault"])
def test_stop_acts_at_once_in_every_state_and_may_be_repeated(phase: str) -> None:
    stand = Stand()
    if phase != "off":
        stand.grip()
    if phase in ("priming", "fault"):
        stand.tick()
    if phase in ("holding", "releasing"):
        stand.until("holding")
    if phase == "releasing":
        stand.shovel.release(stand.now)
    if phase == "fault":
        stand.air.fault = "brown_out"
        stand.tick()
    assert stand.phase == phase
    for _ in range(3):
        stand.shovel.stop()
        assert stand.air.safe
        stand.tick()
        assert stand.air.safe
        assert stand.phase == ("fault" if phase == "fault" else "off")


def test_a_stopped_lift_fails_as_stopped_and_the_next_one_works() -> None:
    stand = Stand().holding()
    stand.shovel.stop()
    stand.pass_time(0.5)
    assert stand.told == [LiftHeld(1), LiftFailed(1, "stopped")]
    stand.holding()
    assert stand.told[-1] == LiftHeld(2)


def test_a_stop_ends_no_lift_that_begins_after_it() -> None:
    stand = Stand()
    stand.shovel.stop()
    stand.grip()
    stand.until("holding")
    assert stand.told == [LiftHeld(1)]


def test_a_lift_that_begins_after_a_stop_is_another_one() -> None:
    stand = Stand().holding()
    stand.shovel.stop()
    stand.shovel.grip(stand.now, sure=True)
    stand.until("holding")
    assert stand.told == [LiftHeld(1), LiftFailed(1, "stopped"), LiftHeld(2)]


def test_a_stop_interrupts_no_reading_that_begins_after_it() -> None:
    stand, taken = Stand(), list[object]()
    stand.shovel.stop()
    stand.shovel.measure("ambient", stand.now, taken.append)
    stand.pass_time(2.0)
    assert taken == [stand.shovel.calibration]


def test_a_stop_in_the_middle_of_a_tick_has_the_last_word() -> None:
    stand = Stand().holding()
    drive = stand.air.drive

    def stopped_meanwhile(level: float, *, closed: bool) -> None:
        stand.shovel.stop()
        drive(level, closed=closed)

    stand.air.drive = stopped_meanwhile  # type: ignore[method-assign]
    stand.tick()
    assert stand.air.safe


def test_a_device_that_refuses_because_it_was_stopped_meanwhile_has_no_fault() -> None:
    stand = Stand().holding()
    drive = stand.air.drive

    def refused(level: float, *, closed: bool) -> None:
        stand.shovel.stop()
        stand.air.drive = drive  # type: ignore[method-assign]
        raise AirLost("device", "a stop is latched")

    stand.air.drive = refused  # type: ignore[method-assign]
    stand.pass_time(0.1)
    assert stand.air.safe
    assert (stand.phase, stand.fault) == ("off", None)
    assert stand.told == [LiftHeld(1), LiftFailed(1, "stopped")]


def test_after_halt_nothing_moves_again() -> None:
    stand = Stand().holding()
    stand.shovel.halt()
    assert stand.air.safe
    stand.pass_time(0.5)
    assert stand.air.safe
    assert refusal(stand) == "closed"


def test_without_a_sensor_lifts_go_by_time_and_are_never_verified() -> None:
    stand = Stand("none", limits=LiftLimits(prime_s=0.6))
    stand.grip()
    assert stand.until("holding") == pytest.approx(0.6, abs=0.05)
    stand.pass_time(2.0)
    stand.shovel.release(stand.now)
    assert stand.until("off") == pytest.approx(stand.shovel.limits.vent_s, abs=0.05)
    assert stand.told == [LiftHeld(1), LiftDone(1, verified=False)]
    state = stand.shovel.state(stand.now)
    assert (state.sensor, state.vacuum_kpa, state.thresholds) == (False, None, None)


def test_without_a_sensor_a_person_may_be_quicker_than_the_clock() -> None:
    stand = Stand("none")
    stand.grip()
    stand.tick()
    stand.shovel.confirm(stand.now)
    assert stand.phase == "holding"


def test_a_vacuum_switch_is_enough_to_verify_a_lift() -> None:
    stand = Stand("switch", thresholds=Thresholds.of_switch(6.0))
    stand.air.reads = 0.0
    stand.pass_time(0.1)
    stand.grip()
    stand.pass_time(0.2)
    stand.air.reads = 6.0
    stand.until("holding", within=0.2)
    stand.shovel.release(stand.now)
    stand.air.reads = 0.0
    stand.until("off", within=0.3)
    assert stand.told == [LiftHeld(1), LiftDone(1, verified=True)]
    assert stand.shovel.state(stand.now).vacuum_kpa is None
