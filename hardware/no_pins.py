"""A pin factory for devices whose pins are not this machine's: all it has is a clock."""

import time

from gpiozero import Factory


class NoPins(Factory):  # type: ignore[misc]  # gpiozero is not typed
    """
    What a device behind a serial port has for a pin factory, so that it needs no library for pins.

    >>> clock = NoPins()
    >>> clock.ticks_diff(clock.ticks(), clock.ticks()) <= 0
    True
    """

    def ticks(self) -> float:
        """Seconds that only go forward."""
        return time.monotonic()

    def ticks_diff(self, later: float, earlier: float) -> float:
        """Seconds between two ticks."""
        return later - earlier


NO_PINS = NoPins()
