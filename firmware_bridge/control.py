"""The control channel of a simulated board: a line is asked and a line answered, also by one that stood still."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

PATIENCE_S = 2.0
STILL = "the simulated board stands still"


class Control:
    """Asks one question at a time. Every call may come from any thread."""

    def __init__(self, wire: socket.socket) -> None:
        self._wire = wire
        self._heard = bytearray()
        self._owed = True  # a board that starts says how it is without being asked
        self._lock = threading.Lock()

    def ask(self, line: str, *, within: float = PATIENCE_S) -> str:
        """Return the answer.

        A board that stands still is asked nothing more before it has answered what it was asked last.

        :raises TimeoutError: when it stands still.
        :raises ConnectionError: when it has gone.
        """
        with self._turn(within) as end:
            self._await_owed(end)
            self._wire.sendall(line.encode() + b"\n")
            self._owed = True
            return self._answer(end)

    def await_start(self, within: float) -> None:
        """Wait until the board has started.

        :raises TimeoutError, ConnectionError: as :meth:`ask`.
        """
        with self._turn(within) as end:
            self._await_owed(end)

    def close(self) -> None:
        with self._lock:
            self._wire.close()

    @contextmanager
    def _turn(self, within: float) -> Iterator[float]:
        """Nobody waits longer for somebody else than for the board itself."""
        end = time.monotonic() + within
        if not self._lock.acquire(timeout=within):
            raise TimeoutError(STILL)
        try:
            yield end
        finally:
            self._lock.release()

    def _await_owed(self, end: float) -> None:
        if self._owed:
            self._answer(end)

    def _answer(self, end: float) -> str:
        while b"\n" not in self._heard:
            left = end - time.monotonic()
            if left <= 0:
                raise TimeoutError(STILL)
            self._wire.settimeout(left)
            data = self._wire.recv(4096)
            if not data:
                raise ConnectionError("the simulated board has gone")
            self._heard += data
        line, _, self._heard = self._heard.partition(b"\n")
        self._owed = False
        return line.decode()
