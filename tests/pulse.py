"""A yardstick for limits on the clock on the wall: how late this computer wakes a thread."""

from __future__ import annotations

import threading
import time


class Pulse:
    """Feels how late this computer wakes a thread; where it is busy, a limit is as much later as an answer may be."""

    def __init__(self) -> None:
        self.worst_s = 0.0
        self.late_s = 0.0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._beat, daemon=True)
        self._thread.start()

    def _beat(self) -> None:
        before = time.monotonic()
        while not self._over.wait(0.01):
            now = time.monotonic()
            late = now - before - 0.01
            self.worst_s = max(self.worst_s, late)
            self.late_s += late
            before = now

    def close(self) -> None:
        self._over.set()
        self._thread.join()

    @property
    def busy(self) -> bool:
        """Whether a thread has been woken so late that the clock on the wall says little."""
        return self.worst_s > 0.03

    def check(self, took_s: float, limit_s: float) -> None:
        """Fail when it took too long. An answer passes three who may each be woken late."""
        assert took_s < limit_s + (3 * self.late_s if self.busy else 0.0)
