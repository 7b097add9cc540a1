"""A watchdog for direct GPIO: it may cut the pump, and can do nothing else."""

import threading
import time
from collections.abc import Callable

from hardware.faults import FaultCode

LEASE_S = 0.8
LONGEST_S = 20.0
LOOK_EVERY_S = 0.1


class Cutout:
    """
    Cuts when the loop that knows the state falls silent, or when the pump runs too long in one go.

    It stands in for the lease of the microcontroller where there is none. Its thread never renews:
    a program that hangs must let go, so only the loop itself may call :meth:`renew`.

    :param cut: makes everything safe; called from the watchdog's thread
    """

    def __init__(self, cut: Callable[[], None], *, clock: Callable[[], float] = time.monotonic) -> None:
        self.tripped: FaultCode | None = None
        self._cut = cut
        self._clock = clock
        self._renewed = clock()
        self._on_since: float | None = None
        self._closing = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to watch."""
        self._thread = threading.Thread(target=self._watch, name="digside-cutout", daemon=True)
        self._thread.start()

    def renew(self) -> None:
        """The loop is alive."""
        self._renewed = self._clock()

    def running(self, on: bool) -> None:
        """The pump is now on or off."""
        if not on:
            self._on_since = None
        elif self._on_since is None:
            self._on_since = self._clock()

    def look(self) -> None:
        """Cut if it is time to; the thread does this ten times a second."""
        now = self._clock()
        since = self._on_since
        if since is None or self.tripped:
            return
        if now - self._renewed > LEASE_S:
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
        """Stop watching."""
        self._closing.set()
        if self._thread:
            self._thread.join()

    def _watch(self) -> None:
        while not self._closing.wait(LOOK_EVERY_S):
            self.look()
