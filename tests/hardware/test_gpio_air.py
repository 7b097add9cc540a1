"""Pump and valve on a Pi's own pins."""

from collections.abc import Callable, Iterator
from typing import cast

import pytest
from gpiozero import MCP3008, OutputDevice
from gpiozero.pins.mock import MockFactory, MockPin

from hardware.air import GpioAir, PumpWatchdog
from hardware.faults import AirLost
from hardware.sensors import SENSORS, NoSensor, Sensor, VacuumGauge, VacuumSwitch
from hardware.vacuum import Sample

Build = Callable[..., GpioAir]
PUMP, VALVE, SWITCH = 17, 27, 22


@pytest.fixture
def build(pins: MockFactory) -> Iterator[Build]:
    built: list[GpioAir] = []

    def make(*, active_high: bool = True, sensor: Sensor | None = None, clock: Callable[[], float] = float) -> GpioAir:
        pump = OutputDevice(PUMP, active_high=active_high, initial_value=False)
        valve = OutputDevice(VALVE, active_high=active_high, initial_value=False)
        built.append(GpioAir(pump, valve, sensor=sensor or NoSensor(), clock=clock))
        return built[-1]

    yield make
    for air in built:
        air.close()


def pin(pins: MockFactory, number: int) -> MockPin:
    found = pins.pin(number)
    assert isinstance(found, MockPin)
    return found


def states(pins: MockFactory, number: int) -> list[bool]:
    return [bool(seen.state) for seen in pin(pins, number).states]


@pytest.mark.parametrize("active_high", [True, False])
def test_the_pins_start_off_without_a_twitch(pins: MockFactory, build: Build, active_high: bool) -> None:
    for number in (PUMP, VALVE):
        pin(pins, number).clear_states()
    build(active_high=active_high)
    for number in (PUMP, VALVE):
        assert pin(pins, number).function == "output"
        assert states(pins, number) == ([False] if active_high else [False, True])


@pytest.mark.parametrize("active_high", [True, False])
def test_sucking_and_stopping(pins: MockFactory, build: Build, active_high: bool) -> None:
    air = build(active_high=active_high)
    off, on = not active_high, active_high
    for number in (PUMP, VALVE):
        pin(pins, number).clear_states()
    air.drive(1.0, closed=True)
    air.stop()
    air.stop()
    for number in (PUMP, VALVE):
        pin(pins, number).assert_states([off, on, off])
        assert len(states(pins, number)) == 3


def test_between_on_and_off_the_pump_keeps_what_it_does(pins: MockFactory, build: Build) -> None:
    air = build()
    for level, running in ((0.5, False), (0.7, True), (0.5, True), (0.4, True), (0.0, False), (0.5, False)):
        air.drive(level, closed=True)
        assert bool(pin(pins, PUMP).state) is running


def test_closing_leaves_the_pins_off_and_given_back(pins: MockFactory, build: Build) -> None:
    air = build()
    air.drive(1.0, closed=True)
    air.close()
    for number in (PUMP, VALVE):
        assert states(pins, number)[-1] is False
        assert pin(pins, number).function == "input"


def test_a_closed_device_is_out_of_reach_but_can_still_be_stopped(build: Build) -> None:
    air = build()
    air.close()
    air.stop()
    with pytest.raises(AirLost) as lost:
        air.drive(1.0, closed=True)
    assert lost.value.code == "device"


class Odd(Exception):
    """What a library for pins raises, which is neither gpiozero's nor an OSError."""


def test_whatever_a_pin_raises_the_device_is_lost(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(output: OutputDevice, value: object) -> None:
        raise Odd("busy")

    air = build()
    monkeypatch.setattr(OutputDevice, "value", property(fset=refuse))
    with pytest.raises(AirLost, match="busy"):
        air.drive(1.0, closed=True)
    monkeypatch.undo()


def test_a_pump_that_cannot_be_reached_keeps_no_valve_from_opening(
    pins: MockFactory, build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    def switch_off(output: OutputDevice) -> None:
        if str(output.pin) == f"GPIO{PUMP}":
            raise Odd
        output.value = 0

    air = build()
    air.drive(1.0, closed=True)
    monkeypatch.setattr(OutputDevice, "off", switch_off)
    air.stop()
    assert not pin(pins, VALVE).state
    monkeypatch.undo()


def test_a_switch_reads_its_set_point_or_nothing(pins: MockFactory, build: Build) -> None:
    air = build(sensor=VacuumSwitch(SWITCH, closes_at_kpa=6.0))
    assert air.sense == "switch"
    (sample,) = air.samples(1.0)
    assert sample is not None
    assert sample.kpa == 0.0
    pin(pins, SWITCH).drive_low()
    (sample,) = air.samples(2.0)
    assert sample is not None
    assert (sample.kpa, sample.at) == (6.0, 2.0)


def test_without_a_sensor_there_are_no_samples(build: Build) -> None:
    air = build()
    assert air.sense == "none"
    assert air.samples(1.0) == []


class Spiky:
    """A channel of a converter, with the pump's motor in one of its readings."""

    pin_factory = None

    def __init__(self, *values: float) -> None:
        self._values = iter(values)

    @property
    def value(self) -> float:
        return next(self._values)

    def close(self) -> None:
        pass


def test_a_gauge_reads_the_middle_of_three(build: Build) -> None:
    channel = Spiky(0.148, 0.61, 0.149, 0.0, 0.0, 0.148)
    air = build(sensor=VacuumGauge(cast(MCP3008, channel), SENSORS["mpx5100dp"]))
    assert air.sense == "gauge"
    read = [sample for at in (1.0, 2.0) for sample in air.samples(at)]
    assert read[0] is not None
    assert read[0].kpa == pytest.approx(12.1, abs=0.1)
    assert read[1] == Sample(None, 2.0)


def test_a_converter_that_fails_is_out_of_reach(build: Build) -> None:
    class Broken:
        pin_factory = None

        @property
        def value(self) -> float:
            raise OSError("no such device")

        def close(self) -> None:
            pass

    air = build(sensor=VacuumGauge(cast(MCP3008, Broken()), SENSORS["mpx5100dp"]))
    with pytest.raises(AirLost, match="no such device"):
        air.samples(1.0)


class Hands:
    """A clock that is turned by hand."""

    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


def test_the_watchdog_cuts_when_the_loop_falls_silent(pins: MockFactory, build: Build) -> None:
    clock = Hands()
    air = build(clock=clock)
    air.renew()
    air.drive(1.0, closed=True)
    clock.now += 0.69
    air.watchdog.check()
    assert pin(pins, PUMP).state
    clock.now += 0.02
    air.watchdog.check()
    assert not pin(pins, PUMP).state
    assert not pin(pins, VALVE).state
    assert air.trouble(clock.now) == "lease_lapsed"


def test_pump_and_valve_are_safe_within_eight_tenths_of_a_second_of_the_last_renewal() -> None:
    """Just before a look of the watchdog's the lease is not over; the next look cuts."""
    now, cut_at = [0.0], list[float]()
    watchdog = PumpWatchdog(lambda: cut_at.append(now[0]), clock=lambda: now[0])

    class Pauses:
        """In place of the event on which the watchdog waits: time passes at once."""

        def wait(self, seconds: float) -> bool:
            now[0] += seconds
            return bool(cut_at) or now[0] > 5

    watchdog._closing = Pauses()  # type: ignore[assignment]
    for renewed in (hundredth / 100 for hundredth in range(0, 80, 7)):
        cut_at.clear()
        watchdog.reset()
        now[0] = 0.0
        watchdog.pump_is(True)
        now[0] = renewed
        watchdog.renew()
        now[0] = 0.0
        watchdog._run()
        assert cut_at
        assert cut_at[0] - renewed <= 0.8, renewed


def test_the_watchdog_cuts_what_runs_too_long_even_when_renewed(pins: MockFactory, build: Build) -> None:
    clock = Hands()
    air = build(clock=clock)
    air.drive(1.0, closed=True)
    for _ in range(101):
        clock.now += 0.2
        air.renew()
        air.watchdog.check()
    assert not pin(pins, PUMP).state
    assert air.trouble(clock.now) == "too_long"


def test_the_watchdog_never_switches_anything_on(pins: MockFactory, build: Build) -> None:
    clock = Hands()
    air = build(clock=clock)
    air.drive(1.0, closed=True)
    clock.now += 5
    air.watchdog.check()
    air.renew()
    air.drive(1.0, closed=True)
    assert not pin(pins, PUMP).state
    air.clear()
    air.drive(1.0, closed=True)
    assert pin(pins, PUMP).state


def test_the_watchdog_leaves_a_pump_at_rest_alone(build: Build) -> None:
    clock = Hands()
    air = build(clock=clock)
    clock.now += 60
    air.watchdog.check()
    assert air.trouble(clock.now) is None


def test_a_cut_in_the_middle_of_driving_has_the_last_word(pins: MockFactory, build: Build) -> None:
    clock = Hands()
    air = build(clock=clock)
    air.drive(1.0, closed=False)
    pump_is = air.watchdog.pump_is

    def cut_meanwhile(on: bool) -> None:
        pump_is(on)
        clock.now += 5
        air.watchdog.check()

    air.watchdog.pump_is = cut_meanwhile  # type: ignore[method-assign]
    air.drive(1.0, closed=True)
    assert not pin(pins, PUMP).state
    assert not pin(pins, VALVE).state
