"""What tells the vacuum: from volts to kilopascals, and the gpiozero devices of a gauge and of a switch."""

from statistics import median
from typing import Protocol

from gpiozero import AnalogInputDevice, Device, DeviceClosed, DigitalInputDevice, Factory
from msgspec import Struct

from hardware.vacuum import Sense, Thresholds

RAIL = 0.01
LOWEST_KPA = -5.0
HIGHEST_KPA = 105.0


class Transducer(Struct, frozen=True):
    """
    A sensor whose voltage is a straight line over the vacuum.

    :ivar zero_v: volts at no vacuum
    :ivar v_per_kpa: volts for each kPa of vacuum; negative where more vacuum means less volts
    :ivar reference_v: the converter's full scale

    >>> round(SENSORS["mpx5100dp"].kpa(0.148), 2)
    12.0
    >>> SENSORS["mpx5100dp"].kpa(0.0) is None
    True
    """

    zero_v: float
    v_per_kpa: float
    reference_v: float = 5.0

    @property
    def highest_kpa(self) -> float:
        """The most it can show, at whichever rail more vacuum leads to."""
        rail = 1 - RAIL if self.v_per_kpa > 0 else RAIL
        return min(HIGHEST_KPA, (rail * self.reference_v - self.zero_v) / self.v_per_kpa)

    def count_of(self, kpa: float, full_count: int) -> int:
        """
        What a converter counts at a vacuum; 0 where the count falls with more of it, which a board cannot compare.

        >>> SENSORS["mpx5100dp"].count_of(45.0, 1023), SENSORS["mpxv6115v"].count_of(45.0, 1023)
        (455, 0)
        """
        if self.v_per_kpa <= 0:
            return 0
        volts = self.zero_v + min(kpa, self.highest_kpa) * self.v_per_kpa
        return int(volts / self.reference_v * full_count)

    def kpa(self, fraction: float) -> float | None:
        """
        The vacuum at *fraction* of full scale; ``None`` where no working sensor would read.

        At either rail the wire is broken or shorted, not the vacuum remarkable.
        """
        if not RAIL <= fraction <= 1 - RAIL:
            return None
        kpa = (fraction * self.reference_v - self.zero_v) / self.v_per_kpa
        return kpa if LOWEST_KPA <= kpa <= HIGHEST_KPA else None


SENSORS = {
    "mpx5100dp": Transducer(zero_v=0.2, v_per_kpa=0.045),
    "mpxv7025dp": Transducer(zero_v=2.5, v_per_kpa=0.09),
    "mpxv6115v": Transducer(zero_v=4.6, v_per_kpa=-0.03826),
}


PinName = int | str | None
"""A pin as gpiozero takes it; ``None`` is what it refuses with an error of its own."""


class Sensor(Protocol):
    """What tells the vacuum."""

    sense: Sense
    thresholds: Thresholds | None

    def kpa(self) -> float | None:
        """The vacuum now; ``None`` when the sensor is outside its range."""

    def close(self) -> None:
        """Give its pins back."""


class NoSensor:
    """No sensor: lifts go by time and by what people say."""

    sense: Sense = "none"
    thresholds: Thresholds | None = None

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
        self.thresholds: Thresholds | None = Thresholds.of_switch(closes_at_kpa)
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
    thresholds: Thresholds | None = None

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
