"""The air path on a Pi's own pins: two gpiozero outputs, and a gauge, a switch or nothing to sense with."""

import contextlib
import time
from collections.abc import Callable, Iterator
from statistics import median
from typing import Protocol

from gpiozero import AnalogInputDevice, Device, DeviceClosed, DigitalInputDevice, Factory, OutputDevice

from hardware.cutout import Cutout
from hardware.faults import AirLost, FaultCode
from hardware.sensors import SENSORS, Transducer
from hardware.vacuum import Sample, Sense

PUMP_ON_ABOVE = 0.6
PUMP_OFF_BELOW = 0.3

PinName = int | str | None
"""A pin as gpiozero takes it; ``None`` is what it refuses with an error of its own."""


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


class VacuumSwitch(DigitalInputDevice):  # type: ignore[misc]  # gpiozero is not typed
    """
    A vacuum switch between a pin and ground.

    The following example waits for a vacuum::

        switch = VacuumSwitch(24, closes_at_kpa=6.0)
        switch.wait_for_active()

    :param pin: the pin it pulls to ground
    :param closes_at_kpa: the vacuum at which it closes, from its data sheet
    """

    sense: Sense = "switch"

    def __init__(self, pin: PinName = None, *, closes_at_kpa: float = 6.0, pin_factory: Factory | None = None) -> None:
        self.closes_at_kpa = closes_at_kpa
        super().__init__(pin, pull_up=True, pin_factory=pin_factory)

    def kpa(self) -> float | None:
        """Its set point while it is closed, and nothing while it is open."""
        return self.closes_at_kpa if self.is_active else 0.0


class VacuumGauge(Device):  # type: ignore[misc]  # gpiozero is not typed
    """
    A pressure sensor at an analogue input, such as a channel of an MCP3008. Its value is the vacuum in kPa.

    The following example shows the vacuum twice a second::

        gauge = VacuumGauge(MCP3008(channel=0), "mpx5100dp")
        while True:
            print(gauge.value)
            sleep(0.5)

    :param channel: the input; it is closed with the gauge
    :param sensor: the name of a sensor in :data:`~hardware.sensors.SENSORS`, or a line of one's own
    """

    sense: Sense = "gauge"

    def __init__(self, channel: AnalogInputDevice, sensor: str | Transducer = "mpx5100dp") -> None:
        self._channel: AnalogInputDevice | None = None
        super().__init__(pin_factory=channel.pin_factory)
        self.transducer = SENSORS[sensor] if isinstance(sensor, str) else sensor
        self._channel = channel

    def kpa(self) -> float | None:
        """The vacuum now: the middle of three readings, against the spikes of a pump's motor."""
        channel = self._channel
        if channel is None:
            raise DeviceClosed("VacuumGauge is closed or uninitialized")
        return self.transducer.kpa(median(channel.value for _ in range(3)))

    @property
    def value(self) -> float | None:
        """The vacuum now, in kPa; ``None`` where no working sensor would read."""
        return self.kpa()

    @property
    def closed(self) -> bool:
        """Whether its input was given back."""
        return getattr(self, "_channel", None) is None

    def close(self) -> None:
        """Give its input back."""
        channel, self._channel = getattr(self, "_channel", None), None
        if channel is not None:
            channel.close()
        super().close()


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
