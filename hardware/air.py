"""The air path of a shovel: what it needs of a pump and a valve, and both on a Pi's own pins, with a watchdog."""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from gpiozero import OutputDevice

from hardware.faults import AirLost, FaultCode
from hardware.sensors import NoSensor, Sensor
from hardware.vacuum import Sample, Sense, Thresholds

LEASE_S = 0.7
LONGEST_S = 20.0
CHECK_INTERVAL_S = 0.08
PUMP_ON_ABOVE = 0.6
PUMP_OFF_BELOW = 0.3


class Air(Protocol):
    """
    The air path of a shovel. One thread owns it; only :meth:`stop` may be called from any other,
    or from a signal handler. A call that cannot reach the device raises :exc:`~hardware.faults.AirLost`.
    """

    @property
    def sense(self) -> Sense:
        """What tells the vacuum: a gauge, a switch, or nothing."""

    @property
    def thresholds(self) -> Thresholds | None:
        """Those of a vacuum switch; ``None`` where they follow from a calibration or nothing tells the vacuum."""

    def samples(self, now: float) -> Sequence[Sample]:
        """The readings that came since this was last asked, the newest last."""

    def trouble(self, now: float) -> FaultCode | None:
        """A fault the device itself knows of."""

    def drive(self, level: float, *, closed: bool) -> None:
        """Run the pump at *level* (0 to 1) and close or open the valve; an open valve vents the cup."""

    def renew(self) -> None:
        """Say that the loop that knows the state is alive; without it the device lets go by itself."""

    def stop(self) -> None:
        """Pump off, valve open, at once; never raises, never waits for a lock, harmless to repeat."""

    def clear(self) -> None:
        """Forget the device's own stop or fault; asked for before each lift."""

    def budget_s(self) -> float | None:
        """How much pumping the device itself still allows; ``None`` when it does not count."""

    def close(self) -> None:
        """Leave everything safe and give the device back."""


class PumpWatchdog:
    """
    Cuts when the loop that knows the state falls silent, or when the pump runs too long in one go; it can do no more.

    It stands in for the lease of the microcontroller where there is none. Its thread never renews: a program that hangs
    must let go, so only the loop itself may call :meth:`renew`.

    :param cut: makes everything safe; called from the watchdog's thread
    """

    def __init__(self, cut: Callable[[], None], *, clock: Callable[[], float] = time.monotonic) -> None:
        self.tripped: FaultCode | None = None
        self._cut = cut
        self._clock = clock
        self._renewed_at = clock()
        self._on_since: float | None = None
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to check."""
        self._thread = threading.Thread(target=self._run, name="digside-watchdog", daemon=True)
        self._thread.start()

    def renew(self) -> None:
        """The loop is alive."""
        self._renewed_at = self._clock()

    def pump_is(self, on: bool) -> None:
        """The pump is now on or off."""
        if not on:
            self._on_since = None
        elif self._on_since is None:
            self._on_since = self._clock()

    def check(self) -> None:
        """Cut if it is time to; the thread does this every 80 ms."""
        now = self._clock()
        since = self._on_since
        if since is None or self.tripped:
            return
        if now - self._renewed_at > LEASE_S:
            self.tripped = "lease_lapsed"
        elif now - since > LONGEST_S:
            self.tripped = "too_long"
        if self.tripped:
            self._cut()

    def reset(self) -> None:
        """Forget that it cut."""
        self.tripped = None
        self._on_since = None

    def close(self) -> None:
        """Check no more."""
        self._closing.set()
        if self._thread:
            self._thread.join()

    def _run(self) -> None:
        while not self._closing.wait(CHECK_INTERVAL_S):
            self.check()


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
        self.watchdog = PumpWatchdog(self.stop, clock=clock)

    @property
    def sense(self) -> Sense:
        """What tells the vacuum."""
        return self._sensor.sense

    @property
    def thresholds(self) -> Thresholds | None:
        """Those of the switch, if there is one."""
        return self._sensor.thresholds

    def samples(self, now: float) -> list[Sample]:
        """The vacuum now."""
        if self.sense == "none":
            return []
        with _within_reach():
            return [Sample(self._sensor.kpa(), now)]

    def trouble(self, now: float) -> FaultCode | None:
        """Whether the watchdog had to cut."""
        return self.watchdog.tripped

    def drive(self, level: float, *, closed: bool) -> None:
        """Switch the pins; between on and off the pump keeps what it does, so that it does not chatter."""
        self._running = level > (PUMP_OFF_BELOW if self._running else PUMP_ON_ABOVE)
        if self.trouble(0.0):
            self.stop()
            return
        self.watchdog.pump_is(self._running or closed)
        with _within_reach():
            self._valve.value = closed
            self._pump.value = self._running
        if self.trouble(0.0):  # the watchdog cut in between, and has the last word
            self.stop()

    def renew(self) -> None:
        """Hold the watchdog off for another 0.7 s."""
        self.watchdog.renew()

    def stop(self) -> None:
        """Both pins to safe, whatever else fails: a library for pins may raise what it likes, as lgpio does."""
        self._running = False
        for output in (self._pump, self._valve):
            with contextlib.suppress(Exception):
                output.off()

    def clear(self) -> None:
        """Let the watchdog forget that it cut."""
        self.watchdog.reset()

    def budget_s(self) -> float | None:
        """Pins do not count."""
        return None

    def close(self) -> None:
        """Everything safe, then the pins back to inputs."""
        self.stop()
        self.watchdog.close()
        for part in (self._pump, self._valve, self._sensor):
            part.close()


@contextlib.contextmanager
def _within_reach() -> Iterator[None]:
    """Say that the device is lost, whatever the library for pins raises: lgpio has an error of its own."""
    try:
        yield
    except Exception as why:
        raise AirLost("device", str(why)) from why
