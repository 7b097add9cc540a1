"""A board that stops by itself is believed, whatever the shovel was doing and whether or not a sensor is fitted."""

import pytest

from firmware_bridge.messages import Fault as BoardFault
from firmware_bridge.messages import Say
from hardware.events import Fault, LiftDone, LiftFailed, LiftHeld
from hardware.faults import ShovelRefused
from tests.hardware.twins import TwinStand

SENSORS = ["mpx5100dp", None]
PHASES = ["off", "priming", "holding", "releasing"]


@pytest.mark.parametrize("sensor", SENSORS)
@pytest.mark.parametrize("phase", PHASES)
def test_one_stray_stop_byte_ends_the_lift_as_a_fault(phase: str, sensor: str | None) -> None:
    stand = TwinStand(sensor)
    stand.reach(phase)
    stand.board.stray_stop()
    stand.tick()
    assert stand.board.safe
    stand.until("fault", within=0.3)
    assert stand.fault == "board_stopped"
    ended = [event for event in stand.told if isinstance(event, LiftDone | LiftFailed)]
    assert ended == ([] if phase == "off" else [LiftFailed(1, "board_stopped")])
    assert stand.told[-1] == Fault("board_stopped")
    stand.pass_time(3.0)
    assert stand.board.safe
    assert stand.told[-1] == Fault("board_stopped")


@pytest.mark.parametrize("sensor", SENSORS)
def test_the_next_lift_works_once_it_is_cleared(sensor: str | None) -> None:
    stand = TwinStand(sensor)
    stand.reach("holding")
    stand.board.stray_stop()
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
    stand = TwinStand(sensor)
    stand.reach(phase)
    stand.shovel.stop()
    stand.pass_time(1.0)
    assert stand.board.status is not None
    assert stand.board.status.fault is BoardFault.STOPPED
    assert (stand.phase, stand.fault) == ("off", None)
    stand.reach("holding")


def test_a_stop_from_before_the_greeting_is_none() -> None:
    stand = TwinStand()
    stand.board.stray_stop()
    stand.board.request(Say.HELLO)
    assert stand.board.hello is not None
    assert stand.board.hello.fault is BoardFault.STOPPED
    stand.pass_time(1.0)
    assert (stand.phase, stand.fault) == ("off", None)
    stand.reach("holding")
    stand.board.stray_stop()
    stand.until("fault")
    assert stand.fault == "board_stopped"


def test_a_stray_stop_is_named_though_the_board_refuses_before_it_tells() -> None:
    stand = TwinStand()
    stand.plant.card = True
    stand.shovel.grip(stand.now)
    stand.board.stray_stop()
    stand.board.deaf = True  # what the board tells by itself is still on its way
    stand.board.pass_ms(1)
    stand.board.deaf = False
    stand.shovel.tick(stand.now)
    assert stand.fault == "board_stopped"
