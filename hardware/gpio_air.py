"""The air path on a Pi's own pins: two gpiozero outputs, and a gauge, a switch or nothing to sense with."""

import contextlib
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Protocol

from gpiozero import MCP3008, DigitalInputDevice, OutputDevice

from hardware.cutout import Cutout
from hardware.faults import AirLost, FaultCode
from hardware.sensors import Transducer
from hardware.vacuum import Sample, Sense

PUMP_ON_ABOVE = 0.6
PUMP_OFF_BELOW = 0.3


class Sensor(Protocol):
    """What tells the vacuum."""

    sense: Sense

    def kpa(self) -> float | None:
        """The vacuum now; ``None`` when the sensor is outside its range."""

    def close(self) -> None:
        """Give its pins back."""


class NoSensor:
    """No sensor: lifts go by time and by what people say."""

    sense: Sense = "none"

    def kpa(self) -> float | None:
        """There is nothing to read."""
        return None

    def close(self) -> None:
        """There is nothing to give back."""


class SwitchSensor:
    """
    A vacuum switch between a pin and ground.

    :param closes_at_kpa: the vacuum at which it closes, from its data sheet
    """

    sense: Sense = "switch"

    def __init__(self, switch: DigitalInputDevice, *, closes_at_kpa: float) -> None:
        self._switch = switch
        self._closes_at = closes_at_kpa

    def kpa(self) -> float | None:
        """Its set point while it is closed, and nothing while it is open."""
        return self._closes_at if self._switch.is_active else 0.0

    def close(self) -> None:
        """Give its pin back."""
        self._switch.close()


class GaugeSensor:
    """A pressure sensor on a channel of an MCP3008."""

    sense: Sense = "gauge"

    def __init__(self, channel: MCP3008, transducer: Transducer) -> None:
        self._channel = channel
        self._transducer = transducer

    def kpa(self) -> float | None:
        """The vacuum now: the middle of three readings, against the spikes of a pump's motor."""
        return self._transducer.kpa(median(self._channel.value for _ in range(3)))

    def close(self) -> None:
        """Give its pins back."""
        self._channel.close()


class GpioAir:
    """
    A pump and a vent valve on two pins, with the limits of the microcontroller kept by the host.

    The pins are plain outputs: a PWM output of gpiozero sets direction and level one after the
    other, and a pump on an active-low driver would twitch at every start.

    The following example sucks for a second::

        air = GpioAir(OutputDevice(17, initial_value=False), OutputDevice(27, initial_value=False))
        air.drive(1.0, closed=True)
        sleep(0.5)
        air.stop()

    :param pump: an output whose *off* is the pump's off
    :param valve: an output whose *off* vents the cup
    """

    def __init__(
        self,
        pump: OutputDevice,
        valve: OutputDevice,
        *,
        sensor: Sensor | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pump = pump
        self._valve = valve
        self._sensor = sensor or NoSensor()
        self._running = False
        self.cutout = Cutout(self.stop, clock=clock)

    @property
    def sense(self) -> Sense:
        """What tells the vacuum."""
        return self._sensor.sense

    def sample(self, now: float) -> Sample | None:
        """The vacuum now."""
        if self.sense == "none":
            return None
        with _within_reach():
            return Sample(self._sensor.kpa(), now)

    def trouble(self, now: float) -> FaultCode | None:
        """Whether the watchdog had to cut."""
        return self.cutout.tripped

    def drive(self, level: float, *, closed: bool) -> None:
        """Switch the pins; between on and off the pump keeps what it does, so that it does not chatter."""
        self._running = level > (PUMP_OFF_BELOW if self._running else PUMP_ON_ABOVE)
        if self.trouble(0.0):
            self.stop()
            return
        self.cutout.running(self._running or closed)
        with _within_reach():
            self._valve.value = closed
            self._pump.value = self._running
        if self.trouble(0.0):  # the watchdog cut in between, and has the last word
            self.stop()

    def renew(self) -> None:
        """Hold the watchdog off for another 0.8 s."""
        self.cutout.renew()

    def stop(self) -> None:
        """Both pins to safe, whatever else fails: a library for pins may raise what it likes, as lgpio does."""
        self._running = False
        for output in (self._pump, self._valve):
            with contextlib.suppress(Exception):
                output.off()

    def clear(self) -> None:
        """Let the watchdog forget that it cut."""
        self.cutout.reset()

    def budget_s(self) -> float | None:
        """Pins do not count."""
        return None

    def close(self) -> None:
        """Everything safe, then the pins back to inputs."""
        self.stop()
        self.cutout.close()
        for part in (self._pump, self._valve, self._sensor):
            part.close()


@contextlib.contextmanager
def _within_reach() -> Iterator[None]:
    """Say that the device is lost, whatever the library for pins raises: lgpio has an error of its own."""
    try:
        yield
    except Exception as why:
        raise AirLost("device", str(why)) from why
