"""A board that stops by itself is believed, whatever the shovel was doing and whether or not a sensor is fitted."""

import pytest

from firmware_bridge.messages import BoardFault
from hardware.events import Fault, LiftDone, LiftFailed, LiftHeld
from hardware.faults import ShovelRefused
from tests.hardware.wired import WiredStand

SENSORS = ["mpx5100dp", None]
PHASES = ["off", "priming", "holding", "releasing"]


@pytest.mark.parametrize("sensor", SENSORS)
@pytest.mark.parametrize("phase", PHASES)
def test_one_stray_stop_byte_ends_the_lift_as_a_fault(phase: str, sensor: str | None) -> None:
    stand = WiredStand(sensor)
    stand.reach(phase)
    stand.stray_stop()
    stand.tick()
    assert not stand.bench.sucking
    stand.until("fault", within=0.3)
    assert stand.fault == "board_stopped"
    ended = [event for event in stand.told if isinstance(event, LiftDone | LiftFailed)]
    assert ended == ([] if phase == "off" else [LiftFailed(1, "board_stopped")])
    assert stand.told[-1] == Fault("board_stopped")
    stand.pass_time(3.0)
    assert not stand.bench.sucking
    assert stand.told[-1] == Fault("board_stopped")


@pytest.mark.parametrize("sensor", SENSORS)
def test_the_next_lift_works_once_it_is_cleared(sensor: str | None) -> None:
    stand = WiredStand(sensor)
    stand.reach("holding")
    stand.stray_stop()
    stand.until("fault")
    with pytest.raises(ShovelRefused, match="faulty"):
        stand.shovel.grip(stand.now)
    stand.shovel.clear(stand.now)
    stand.pass_time(0.5)
    stand.reach("holding")
    stand.shovel.release(stand.now)
    stand.until("off")
    assert stand.told[-2:] == [LiftHeld(2), LiftDone(2, verified=sensor is not None)]


@pytest.mark.parametrize("sensor", SENSORS)
@pytest.mark.parametrize("phase", PHASES)
def test_a_stop_that_somebody_pressed_is_none(phase: str, sensor: str | None) -> None:
    stand = WiredStand(sensor)
    stand.reach(phase)
    stand.shovel.stop()
    stand.pass_time(1.0)
    assert stand.board.status is not None
    assert stand.board.status.fault is BoardFault.STOPPED
    assert (stand.phase, stand.fault) == ("off", None)
    stand.reach("holding")
