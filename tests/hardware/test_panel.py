"""Buttons, seat lamps, a turn light and a buzzer."""

import gc
import threading
from collections.abc import Iterator

import pytest
from gpiozero import LED, Button, Device, DeviceClosed, GPIOPinInUse, OutputDeviceBadValue
from gpiozero.pins.mock import MockFactory, MockPin

from hardware.panel import SOUNDS, Panel
from tests.hardware.ears import PATIENCE

SEATS = (19, 26, 16)
TURN, BUZZER, STOP = 13, 12, 22


@pytest.fixture(params=[True, False], ids=["active high", "active low"])
def polarity(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def panel(pins: MockFactory, polarity: bool) -> Iterator[Panel]:
    made = Panel(buttons={"stop": STOP}, lamps=SEATS, turn=TURN, buzzer=BUZZER, active_high=polarity)
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
    panel.close()
    with pytest.raises(DeviceClosed):
        panel.lamp(0, True)
    with pytest.raises(DeviceClosed):
        panel.down()
    assert repr(panel) == "<hardware.Panel object closed>"


def test_it_is_a_device_among_gpiozeros(pins: MockFactory, panel: Panel, polarity: bool) -> None:
    assert isinstance(panel, Device)
    assert panel.pin_factory is pins
    assert repr(panel) == "<hardware.Panel object with 3 seat lamps, is_active=False>"
    panel.value = (0, 1, 1)
    assert lit(pins, SEATS, polarity) == [False, True, True]
    assert (panel.value, panel.is_active, next(panel.values)) == ((0, 1, 1), True, (0, 1, 1))
    with pytest.raises(OutputDeviceBadValue):
        panel.value = (1,)
    with pytest.raises(AttributeError):
        panel.when_pushed = print


def test_it_follows_a_source(pins: MockFactory, panel: Panel, polarity: bool) -> None:
    shown = threading.Event()
    panel.when_activated = shown.set
    panel.source = [(0, 0, 0), (1, 0, 0)]
    assert shown.wait(PATIENCE)
    assert lit(pins, SEATS, polarity) == [True, False, False]


def test_a_handler_is_told_of_a_press_and_may_ask_which(pins: MockFactory, panel: Panel) -> None:
    heard: list[str | None] = []
    panel.when_pressed = lambda panel: heard.append(panel.pressed)
    button = pins.pin(STOP)
    assert isinstance(button, MockPin)
    press = threading.Timer(0.01, button.drive_low)
    press.start()
    assert panel.wait_for_press(PATIENCE)
    press.join()
    assert heard == ["stop"]
    assert not panel.wait_for_press(0)


def test_a_script_may_wait_for_a_signal_to_be_over(panel: Panel, pins: MockFactory) -> None:
    buzzer = pins.pin(BUZZER)
    assert isinstance(buzzer, MockPin)
    buzzer.clear_states()
    panel.play("turn")
    assert [bool(seen.state) for seen in buzzer.states] == [False, True, False]


def test_where_one_pin_cannot_be_had_none_is_kept(pins: MockFactory) -> None:
    with LED(SEATS[2]), pytest.raises(GPIOPinInUse):
        Panel(buttons={"stop": STOP}, lamps=SEATS)
    Button(STOP).close()
    LED(SEATS[0]).close()


def test_one_that_is_forgotten_gives_its_pins_back(pins: MockFactory) -> None:
    panel = Panel(buttons={"stop": STOP}, lamps=SEATS)
    panel.lamp(0, True)
    del panel
    gc.collect()
    assert pins.pin(SEATS[0]).function == "input"
    Button(STOP).close()
