"""The shovel as a gpiozero device, in a script of somebody's own."""

import gc
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue

import pytest
from gpiozero import (
    LED,
    BadEventHandler,
    Button,
    CompositeDevice,
    Device,
    DeviceClosed,
    GPIOPinInUse,
    GPIOPinMissing,
    SourceMixin,
)
from gpiozero.pins.mock import MockFactory, MockPin

from firmware_bridge.twin.plant import Plant
from hardware.faults import ShovelRefused
from hardware.lifter import LiftLimits
from hardware.shovel import AnyShovel, OnAtBoot, SerialVacuumShovel, VacuumGauge, VacuumShovel, VacuumSwitch
from tests.hardware.ears import PATIENCE

PUMP, VALVE, SWITCH = 17, 27, 24
QUICK = LiftLimits(prime_s=0.05, vent_s=0.05, doubt_s=0)
HELD, AIR = 0.148, 0.04  # of an MPX5100's full scale: 12 kPa, and nothing


class Channel(Device):  # type: ignore[misc]  # gpiozero is not typed
    """
    An MPX5100 on the air of a simulated pump and cup, which follow the pins.

    :ivar plant: the pump, the hose and the card
    :ivar reads: what it reads in place of the truth
    :ivar hangs: what it waits for before it reads again
    """

    def __init__(self, reads: float | None = None) -> None:
        super().__init__()
        self.plant = Plant(card=True)
        self.reads = reads
        self.hangs: threading.Event | None = None
        self._stepped = time.monotonic()

    @property
    def value(self) -> float:
        if self.hangs:
            self.hangs.wait()
        now = time.monotonic()
        while self._stepped < now:
            self._stepped += 0.002
            pump, valve = (bool(self.pin_factory.pin(number).state) for number in (PUMP, VALVE))
            self.plant.step(float(pump), valve, 0.002)
        return self.plant.counts() / 1023 if self.reads is None else self.reads

    @property
    def closed(self) -> bool:
        return False


@pytest.fixture
def shovel(pins: MockFactory) -> Iterator[VacuumShovel]:
    with VacuumShovel(PUMP, valve=VALVE, limits=QUICK) as shovel:
        yield shovel


def pin(pins: MockFactory, number: int) -> MockPin:
    found = pins.pin(number)
    assert isinstance(found, MockPin)
    return found


def until(is_so: Callable[[], object]) -> None:
    ends = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < ends
        time.sleep(0.005)


def test_it_is_a_device_among_gpiozeros(shovel: VacuumShovel, pins: MockFactory) -> None:
    assert isinstance(shovel, CompositeDevice)
    assert isinstance(shovel, SourceMixin)
    assert shovel.pin_factory is pins
    assert [str(device.pin) for device in shovel] == ["GPIO17", "GPIO27"]
    assert shovel.pump is shovel[0]
    assert repr(shovel) == "<hardware.VacuumShovel object with pump on GPIO17, valve on GPIO27, is_active=False>"


@pytest.mark.parametrize("active_high", [True, False])
def test_a_lift_from_grip_to_release(pins: MockFactory, active_high: bool) -> None:
    off = not active_high
    pump, valve = (PUMP, VALVE) if active_high else (5, 6)
    with VacuumShovel(pump, valve=valve, active_high=active_high, limits=QUICK) as shovel:
        for number in (pump, valve):
            pin(pins, number).clear_states()
        assert (shovel.value, shovel.is_active) == (0, False)
        shovel.grip()
        assert shovel.wait_for_held(PATIENCE)
        assert (shovel.value, shovel.is_active, shovel.state.state) == (1, True, "holding")
        shovel.release()
        assert shovel.wait_for_released(PATIENCE)
        assert (shovel.value, shovel.is_active) == (0, False)
        for number in (pump, valve):
            pin(pins, number).assert_states([off, not off, off])


def test_it_is_held_and_for_how_long_as_a_button_of_gpiozeros_is_pressed(shovel: VacuumShovel) -> None:
    assert (shovel.is_held, shovel.held_time) == (False, None)
    shovel.grip()
    assert shovel.wait_for_held(PATIENCE)
    assert shovel.is_held
    first = shovel.held_time
    assert 0 <= first < PATIENCE
    until(lambda: shovel.held_time > first)
    shovel.release()
    assert shovel.wait_for_released(PATIENCE)
    assert (shovel.is_held, shovel.held_time) == (False, None)
    shovel.close()
    with pytest.raises(DeviceClosed):
        print(shovel.is_held)


def test_leaving_the_script_lets_go_and_gives_the_pins_back(pins: MockFactory) -> None:
    with suppress(ZeroDivisionError), VacuumShovel(PUMP, valve=VALVE, limits=QUICK) as shovel:
        shovel.grip()
        shovel.wait_for_held(PATIENCE)
        raise ZeroDivisionError
    for number in (PUMP, VALVE):
        assert pin(pins, number).states[-1].state is False
        assert pin(pins, number).function == "input"
    with VacuumShovel(PUMP, valve=VALVE):
        pass


def test_a_handler_finds_the_device_as_it_was_told(shovel: VacuumShovel) -> None:
    found: SimpleQueue[tuple[int, bool]] = SimpleQueue()
    shovel.when_held = lambda device: found.put((device.value, device.is_active))
    shovel.when_released = lambda device: found.put((device.value, device.is_active))
    for _ in range(3):
        shovel.grip()
        assert found.get(timeout=PATIENCE) == (1, True)
        shovel.release()
        assert found.get(timeout=PATIENCE) == (0, False)
        until(lambda: shovel.state.state == "off")


def test_a_closed_one_says_so_and_can_be_closed_again(shovel: VacuumShovel) -> None:
    shovel.close()
    shovel.close()
    assert shovel.closed
    assert repr(shovel) == "<hardware.VacuumShovel object closed>"
    for use in (shovel.grip, shovel.release, shovel.stop, shovel.confirm, shovel.clear, lambda: shovel.value):
        with pytest.raises(DeviceClosed):
            use()
    assert list(shovel.values) == []


def test_one_that_is_forgotten_lets_go(pins: MockFactory) -> None:
    shovel = VacuumShovel(PUMP, valve=VALVE, limits=QUICK)
    shovel.grip()
    assert shovel.wait_for_held(PATIENCE)
    del shovel
    gc.collect()
    assert not pin(pins, PUMP).state
    VacuumShovel(PUMP, valve=VALVE).close()


@pytest.mark.parametrize(("pump", "valve"), [(None, VALVE), (PUMP, None)])
def test_both_pins_have_to_be_given(pins: MockFactory, pump: int | None, valve: int | None) -> None:
    with pytest.raises(GPIOPinMissing):
        VacuumShovel(pump, valve=valve)
    assert not pins.pins


def test_a_pin_that_somebody_has_is_not_taken_nor_the_other_kept(pins: MockFactory) -> None:
    with LED(VALVE), pytest.raises(GPIOPinInUse):
        VacuumShovel(PUMP, valve=VALVE)
    LED(PUMP).close()


def test_a_slip_of_the_pen_is_an_error(shovel: VacuumShovel) -> None:
    with pytest.raises(AttributeError):
        shovel.when_hold = print
    with pytest.raises(BadEventHandler):
        shovel.when_held = "print"
    with pytest.raises(BadEventHandler):
        shovel.when_lost = lambda one, two: None


def test_handlers_may_take_the_shovel(shovel: VacuumShovel) -> None:
    told: SimpleQueue[object] = SimpleQueue()

    def held(device: object) -> None:
        told.put(device)

    shovel.when_held = held
    shovel.when_released = lambda: told.put("released")
    shovel.grip()
    assert told.get(timeout=PATIENCE) is shovel
    shovel.release()
    assert told.get(timeout=PATIENCE) == "released"


def test_what_it_refuses_it_says(shovel: VacuumShovel) -> None:
    with pytest.raises(ShovelRefused, match="nothing_to_confirm"):
        shovel.confirm()


def test_its_value_can_be_set(shovel: VacuumShovel) -> None:
    shovel.value = 1
    assert shovel.wait_for_held(PATIENCE)
    shovel.value = 0
    assert shovel.wait_for_released(PATIENCE)


def test_it_follows_a_source_and_is_one(shovel: VacuumShovel, pins: MockFactory) -> None:
    """A button lifts for as long as it is held down, and a lamp is lit while there is a grip."""
    with Button(5) as button, LED(16) as lamp:
        lamp.source = shovel
        shovel.source = button
        pin(pins, 5).drive_low()
        assert shovel.wait_for_held(PATIENCE)
        until(lambda: lamp.is_lit)
        pin(pins, 5).drive_high()
        assert shovel.wait_for_released(PATIENCE)
        until(lambda: not lamp.is_lit)
        lamp.source = shovel.source = None


def test_a_source_that_asks_too_early_is_asked_again(pins: MockFactory) -> None:
    """Something hangs on the cup: until it is gone each grip is refused."""
    switch = VacuumSwitch(SWITCH)
    pin(pins, SWITCH).drive_low()
    with VacuumShovel(PUMP, valve=VALVE, sensor=switch, limits=QUICK) as shovel:
        with pytest.raises(ShovelRefused, match="not_empty"):
            shovel.grip()
        asked = threading.Event()

        def always() -> Iterator[int]:
            while True:
                yield 1
                asked.set()

        shovel.source = always()
        assert asked.wait(PATIENCE)
        pin(pins, SWITCH).drive_high()
        until(lambda: shovel.state.state == "priming")
        shovel.source = None


def test_a_sensor_may_be_the_pin_of_a_switch(pins: MockFactory) -> None:
    with VacuumShovel(PUMP, valve=VALVE, sensor=SWITCH) as shovel:
        assert shovel.state.thresholds is not None
        assert shovel.sensor.closes_at_kpa == shovel.state.thresholds.held == 6.0
        shovel.grip()
        pin(pins, SWITCH).drive_low()
        assert shovel.wait_for_held(PATIENCE)
    assert pin(pins, SWITCH).function == "input"
    Button(SWITCH).close()


@pytest.mark.parametrize("comes_off", [True, False])
def test_what_comes_off_is_told_as_lost_and_what_is_let_go_is_not(pins: MockFactory, comes_off: bool) -> None:
    channel, told = Channel(), SimpleQueue[str]()
    limits = LiftLimits(doubt_s=0)
    with VacuumShovel(PUMP, valve=VALVE, sensor=VacuumGauge(channel, "mpx5100dp"), limits=limits) as shovel:
        shovel.when_lost = lambda: told.put("lost")
        shovel.when_released = lambda: told.put("released")
        shovel.grip()
        assert shovel.wait_for_held(PATIENCE)
        assert (shovel.state.vacuum_kpa or 0.0) > 6.0
        if comes_off:
            channel.plant.card = False
        else:
            shovel.release()
        heard = [told.get(timeout=PATIENCE)]
        if heard == ["lost"]:
            heard.append(told.get(timeout=PATIENCE))
        assert heard == (["lost", "released"] if comes_off else ["released"])
        outcome = shovel.state.outcome
        assert (outcome.code if outcome else None) == ("dropped" if comes_off else None)


def test_the_first_lift_begins_with_a_cup_that_was_seen_to_be_empty(pins: MockFactory) -> None:
    with VacuumShovel(PUMP, valve=VALVE, sensor=VacuumGauge(Channel(HELD))) as shovel:
        with pytest.raises(ShovelRefused, match="not_empty"):
            shovel.grip()
        assert shovel.value == 0


def test_the_watchdog_cuts_when_the_loop_of_the_script_hangs(pins: MockFactory) -> None:
    channel = Channel()
    shovel = VacuumShovel(PUMP, valve=VALVE, sensor=VacuumGauge(channel))
    shovel.grip()
    until(lambda: pin(pins, PUMP).state)
    channel.hangs = threading.Event()
    until(lambda: not pin(pins, PUMP).state)
    assert not pin(pins, VALVE).state
    channel.hangs.set()
    until(lambda: shovel.state.fault)
    fault = shovel.state.fault
    assert fault is not None
    assert fault.code == "lease_lapsed"
    shovel.close()


def test_a_gauge_is_a_device_too(pins: MockFactory) -> None:
    gauge = VacuumGauge(Channel(HELD))
    assert gauge.value == pytest.approx(12.0, abs=0.1)
    assert gauge.pin_factory is pins
    gauge.close()
    assert gauge.closed
    with pytest.raises(DeviceClosed):
        gauge.kpa()


def test_a_calibration_is_kept_in_a_file_and_holds_for_its_own_gauge(pins: MockFactory, tmp_path: Path) -> None:
    kept = tmp_path / "calibration.json"

    def gauged(sensor: str) -> VacuumShovel:
        return VacuumShovel(PUMP, valve=VALVE, sensor=VacuumGauge(Channel(), sensor), calibration=kept)

    channel = Channel()
    with VacuumShovel(PUMP, valve=VALVE, sensor=VacuumGauge(channel), calibration=kept) as shovel:
        with pytest.raises(ShovelRefused, match="ambient_first"):
            shovel.calibrate("open")
        shovel.calibrate("ambient")
        for reading, card in (("open", False), ("sealed", True)):
            channel.plant.card = card
            until(lambda: shovel.state.state == "off")
            taken = shovel.calibrate(reading)
        assert taken.complete
    with gauged("mpx5100dp") as again:
        assert again.state.readings == taken
    with gauged("mpxv6115v") as other:
        assert not other.state.calibrated


def test_a_pin_that_would_be_on_while_the_pi_starts_is_warned_of(pins: MockFactory) -> None:
    with pytest.warns(OnAtBoot, match="GPIO4 is pulled up while the Pi starts, and the valve would run"):
        VacuumShovel(PUMP, valve=4).close()
    with pytest.warns(OnAtBoot, match="GPIO17 is pulled down"):
        VacuumShovel(PUMP, valve=5, active_high=False).close()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        VacuumShovel(PUMP, valve=VALVE).close()
        VacuumShovel(5, valve=6, active_high=False).close()


def test_over_a_serial_port_it_is_the_same_family() -> None:
    with SerialVacuumShovel("sim://own-script?card=1", sensor="mpx5100dp", limits=LiftLimits(doubt_s=0)) as shovel:
        assert {AnyShovel, Device} <= set(type(shovel).mro())
        assert repr(shovel) == "<hardware.SerialVacuumShovel object at 'sim://own-script?card=1', is_active=False>"
        shovel.value = 1
        assert shovel.wait_for_held(PATIENCE)
        assert (shovel.value, shovel.is_active, next(shovel.values)) == (1, True, 1)
        assert (shovel.state.vacuum_kpa or 0.0) > 6.0
        shovel.release()
        assert shovel.wait_for_released(PATIENCE)
    assert shovel.closed
    with pytest.raises(DeviceClosed):
        shovel.grip()


def test_over_a_serial_port_no_library_for_pins_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing_here() -> None:
        raise AssertionError("a pin factory was looked for")

    monkeypatch.setattr(Device, "ensure_pin_factory", staticmethod(nothing_here))
    with SerialVacuumShovel("sim://no-pins") as shovel:
        assert not shovel.state.sensor


def test_a_port_without_a_board_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.shovel.BOARD_WITHIN_S", 0.2)
    with pytest.raises(OSError, match="usb-\\*: no board is connected"):
        SerialVacuumShovel(f"{tmp_path}/usb-*")
