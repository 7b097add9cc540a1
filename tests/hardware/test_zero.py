"""The zero of a gauge is learned while the pump rests, within bounds, and never out of what a lift leaves behind."""

import logging

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge.twin.plant import Plant
from hardware.calibration import AMBIENT_AT_MOST_KPA, Calibration, Zero
from hardware.events import Fault, LiftDone, LiftHeld, ZeroLearned
from hardware.faults import ShovelRefused, Trouble
from hardware.senses import RESTED_S
from tests.hardware.stand import Stand
from tests.hardware.wired import WiredStand

WITHIN = st.floats(-AMBIENT_AT_MOST_KPA + 0.1, AMBIENT_AT_MOST_KPA - 0.1)


def lift(stand: Stand | WiredStand) -> object:
    stand.shovel.grip(stand.now)
    stand.until("holding")
    stand.pass_time(0.5)
    stand.shovel.release(stand.now)
    stand.until("off")
    return stand.told[-1]


def test_an_error_of_1_6_kpa_does_not_refuse_the_first_grip() -> None:
    at_once, rested = Stand(zero=1.6), Stand(zero=1.6)
    assert lift(at_once) == LiftDone(1, verified=False)  # nobody knows yet that the cup was empty
    rested.pass_time(1.5)
    assert lift(rested) == LiftDone(1, verified=True)


@pytest.mark.parametrize("error", [1.6, -2.0, 2.9])
def test_nor_does_it_on_the_simulated_board(error: float) -> None:
    stand = WiredStand(plant=Plant(card=True, zero_kpa=error, noise=2.0), twin=True)
    stand.pass_time(1.5)
    assert stand.shovel.state(stand.now).zero_kpa == pytest.approx(error, abs=0.3)
    assert lift(stand) == LiftDone(1, verified=True)


@given(WITHIN, st.booleans())
@settings(max_examples=40, deadline=None)
def test_no_error_within_bounds_keeps_anybody_from_lifting(error: float, waits: bool) -> None:
    stand = Stand(zero=error)
    stand.pass_time(2.0 * waits)
    done = lift(stand)
    assert isinstance(done, LiftDone)
    assert done.verified or not waits


def test_what_was_learned_is_told_by_state_news_and_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    stand = Stand(zero=1.6)
    assert stand.shovel.state(stand.now).zero_kpa is None
    stand.pass_time(1.0)
    assert stand.told == [ZeroLearned(1.6)]
    state = stand.shovel.state(stand.now)
    assert (state.zero_kpa, state.vacuum_kpa) == (1.6, 0.0)
    assert "the sensor reads 1.6 kPa; from now on that counts as none" in caplog.text
    stand.pass_time(10.0)
    assert stand.told == [ZeroLearned(1.6)]


def test_a_sensor_that_drifts_is_followed() -> None:
    stand = Stand()
    stand.pass_time(2.0)
    assert stand.told == []
    stand.air.zero = 0.9
    stand.pass_time(2.5)
    assert stand.told == [ZeroLearned(0.9)]


def test_nothing_is_learned_during_a_lift_nor_before_the_pump_has_rested() -> None:
    stand = Stand()
    stand.pass_time(1.5)
    stand.holding()
    stand.air.reads = 11.0
    stand.pass_time(0.3)
    stand.shovel.stop()
    stand.air.reads = 2.5
    stand.pass_time(RESTED_S - 0.1)
    assert stand.shovel.state(stand.now).zero_kpa == 0.0
    with pytest.raises(ShovelRefused, match="not_empty"):
        stand.grip()
    stand.pass_time(2.0)
    assert stand.shovel.state(stand.now).zero_kpa == 2.5


def test_a_vacuum_that_leaks_away_is_no_zero() -> None:
    stand = Stand()
    stand.pass_time(1.5)
    for step in range(120):
        stand.air.reads = 2.9 - step / 50
        stand.tick()
        assert stand.shovel.state(stand.now).zero_kpa == 0.0


def test_a_reading_that_is_no_error_of_a_sensor_is_a_fault_that_names_it(caplog: pytest.LogCaptureFixture) -> None:
    stand = Stand(zero=5.2)
    stand.until("fault", within=2.0)
    assert stand.told == [Fault("sensor_zero")]
    assert stand.shovel.state(stand.now).fault == Trouble.of("sensor_zero", 5.2)
    assert "with the pump off the sensor reads 5.2 kPa" in caplog.text
    with pytest.raises(ShovelRefused, match="still_faulty"):
        stand.shovel.clear(stand.now)
    stand.air.zero = 0.4
    stand.pass_time(2.5)
    stand.shovel.clear(stand.now)
    assert lift(stand) == LiftDone(1, verified=True)


def test_a_reading_far_below_nothing_is_the_same_fault() -> None:
    stand = Stand(zero=-3.8)
    stand.until("fault", within=2.0)
    assert stand.shovel.state(stand.now).fault == Trouble.of("sensor_zero", -3.8)


def test_a_calibration_gives_the_zero_until_rest_knows_better() -> None:
    stand = Stand(zero=1.0, calibration=Calibration(ambient=1.0, open=1.4, sealed=12.0))
    assert stand.shovel.state(stand.now).zero_kpa == 1.0
    assert lift(stand) == LiftDone(1, verified=True)
    stand.air.zero = 1.8
    stand.pass_time(RESTED_S + 2.5)
    assert stand.shovel.state(stand.now).zero_kpa == 1.8
    assert stand.told[-1] == ZeroLearned(1.8)


@pytest.mark.parametrize("sense", ["none", "switch"])
def test_without_a_gauge_there_is_no_zero(sense: str) -> None:
    stand = Stand(sense, zero=1.6)  # type: ignore[arg-type]
    stand.pass_time(3.0)
    assert stand.shovel.state(stand.now).zero_kpa is None
    assert stand.told == []


def test_a_reading_that_wavers_is_not_believed() -> None:
    zero = Zero(None)
    for tick in range(40):
        zero.see(tick % 2, tick / 10)
    assert (zero.known, zero.astray) == (False, None)


def test_a_lift_is_judged_from_the_zero() -> None:
    stand = Stand(zero=-2.5)
    stand.pass_time(1.5)
    stand.holding()
    assert stand.air.kpa >= 6.0
    assert LiftHeld(1) in stand.told
