"""How much one client may ask: generous for hands on a screen, too little for a program gone wild."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple


class Pace(NamedTuple):
    """So many at once, and so many a second after that."""

    burst: float
    a_second: float


class RateLimit:
    """Counts what each client asks; remembers no more clients than `most`.

    >>> limit = RateLimit(Pace(2, 1), clock=iter([0.0, 0.0, 0.0, 1.0]).__next__)
    >>> [limit.allows("tablet") for _ in range(4)]
    [True, True, False, True]
    """

    def __init__(self, pace: Pace, *, most: int = 1024, clock: Callable[[], float] = time.monotonic) -> None:
        self.pace = pace
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, client: str) -> bool:
        """Whether a client may ask once more now; asking counts."""
        with self._lock:
            now = self._clock()
            left, since = self._left.pop(client, (self.pace.burst, now))
            left = min(self.pace.burst, left + (now - since) * self.pace.a_second)
            allowed = left >= 1
            self._left[client] = (left - allowed, now)
            if len(self._left) > self._most:
                self._left.popitem(last=False)
            return allowed
