"""What the shovel needs of a pump, a valve and a sensor: one small protocol."""

from typing import Protocol

from hardware.faults import FaultCode
from hardware.vacuum import Sample, Sense


class Air(Protocol):
    """
    The air path of a shovel. One thread owns it; only :meth:`stop` may be called from any other,
    or from a signal handler. A call that cannot reach the device raises :exc:`~hardware.faults.AirLost`.
    """

    @property
    def sense(self) -> Sense:
        """What tells the vacuum: a gauge, a switch, or nothing."""

    def sample(self, now: float) -> Sample | None:
        """The newest reading; ``None`` while there is none."""

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
