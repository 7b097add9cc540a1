"""Buttons, seat lamps, a turn light and a buzzer."""

from collections.abc import Iterator

import pytest
from gpiozero import LED, Button, Buzzer, GPIODeviceError
from gpiozero.pins.mock import MockFactory, MockPin

from hardware.panel import SOUNDS, GpioPanel, Panel

SEATS = (19, 26, 16)
TURN, BUZZER, STOP = 13, 12, 22


@pytest.fixture(params=[True, False], ids=["active high", "active low"])
def polarity(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def panel(pins: MockFactory, polarity: bool) -> Iterator[Panel]:
    port = GpioPanel(
        buttons={"stop": Button(STOP, pull_up=True)},
        lamps=[LED(pin, active_high=polarity) for pin in SEATS],
        turn=LED(TURN, active_high=polarity),
        buzzer=Buzzer(BUZZER),
    )
    made = Panel(port)
    yield made
    made.close()


def lit(pins: MockFactory, numbers: tuple[int, ...], polarity: bool) -> list[bool]:
    return [bool(pins.pin(number).state) is polarity for number in numbers]


def test_a_seat_is_lit_and_darkened(pins: MockFactory, panel: Panel, polarity: bool) -> None:
    panel.lamp(1, True)
    assert lit(pins, SEATS, polarity) == [False, True, False]
    panel.lamp(1, False)
    assert lit(pins, SEATS, polarity) == [False, False, False]


def test_the_turn_lights_its_seat_and_the_turn_light(pins: MockFactory, panel: Panel, polarity: bool) -> None:
    panel.lamp(0, True)
    panel.show_turn(2)
    assert lit(pins, (*SEATS, TURN), polarity) == [True, False, True, True]
    panel.show_turn(0)
    panel.show_turn(None)
    assert lit(pins, (*SEATS, TURN), polarity) == [True, False, False, False]


@pytest.mark.parametrize("seat", [-1, 3, 99])
def test_a_seat_without_a_lamp_is_no_mistake(panel: Panel, seat: int) -> None:
    panel.lamp(seat, True)
    panel.show_turn(seat)
    assert panel.lamps == (False, False, False)
    assert panel.turn


def test_a_press_is_told_once_by_name(pins: MockFactory, panel: Panel) -> None:
    heard: list[str] = []
    panel.listen(heard.append)
    button = pins.pin(STOP)
    assert isinstance(button, MockPin)
    button.drive_low()
    assert panel.down() == ("stop",)
    button.drive_high()
    assert panel.down() == ()
    assert heard == ["stop"]


def test_a_signal_sounds_note_by_note_and_ends(pins: MockFactory, panel: Panel) -> None:
    buzzer = pins.pin(BUZZER)
    assert isinstance(buzzer, MockPin)
    buzzer.clear_states()
    panel.buzz("warn")
    now = 10.0
    while panel.sounding:
        panel.tick(now)
        now += 0.02
    assert [bool(seen.state) for seen in buzzer.states] == [False] + [True, False] * len(SOUNDS["warn"])


def test_a_newer_signal_takes_the_place_of_an_older(panel: Panel) -> None:
    panel.buzz("fault")
    panel.tick(1.0)
    panel.buzz("turn")
    panel.tick(1.3)
    panel.tick(1.4)
    panel.tick(1.5)
    assert not panel.sounding


def test_closing_darkens_and_gives_the_pins_back(pins: MockFactory, panel: Panel) -> None:
    panel.lamp(0, True)
    panel.close()
    assert pins.pin(SEATS[0]).function == "input"
    with pytest.raises(GPIODeviceError):
        panel.lamp(0, True)
