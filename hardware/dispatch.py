"""Telling listeners what happened, on threads that the devices never wait for; and noticing that a loop has stalled."""

import logging
import queue
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

log = logging.getLogger(__name__)

CHECK_INTERVAL_S = 0.25
CLOSED_WITHIN_S = 2.0


class Dispatcher:
    """
    Runs calls in order, one at a time, on one thread of its own.

    The rig's loop renews the lease of the pump: it must never wait for a listener, nor fail because of one. A call
    that fails is logged, and the next one is run.
    """

    def __init__(self) -> None:
        self._calls: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="digside-rig-events", daemon=True)

    def start(self) -> None:
        """Begin to run calls."""
        self._thread.start()

    def submit(self, call: Callable[[], None]) -> None:
        """Run *call* soon; returns at once."""
        self._calls.put(call)

    def close(self) -> None:
        """Run what is left, and end."""
        self._calls.put(None)
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(timeout=CLOSED_WITHIN_S)

    def _run(self) -> None:
        while (call := self._calls.get()) is not None:
            try:
                call()
            except Exception:
                log.exception("a listener of the rig failed")


class StallDetector:
    """
    Checks, on a thread of its own, whether a loop still comes round: one that hangs cannot say so itself.

    :param silence: for how many seconds it has not
    :param limit_s: how many are too many
    :param changed: called when it has fallen silent, and when it comes round again
    """

    def __init__(self, silence: Callable[[], float], limit_s: float, changed: Callable[[], None]) -> None:
        self._silence = silence
        self._limit_s = limit_s
        self._changed = changed
        self._stalled = False
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="digside-rig-stall", daemon=True)

    def start(self) -> None:
        """Begin to check."""
        self._thread.start()

    def check(self) -> None:
        """Check once."""
        silence = self._silence()
        if (silence > self._limit_s) == self._stalled:
            return
        self._stalled = not self._stalled
        if self._stalled:
            log.error("the rig's loop has not come round for %.1f s", silence)
        else:
            log.warning("the rig's loop comes round again")
        self._changed()

    def close(self) -> None:
        """Check no more."""
        self._closing.set()

    def _run(self) -> None:
        while not self._closing.wait(CHECK_INTERVAL_S):
            self.check()


class Listeners(Generic[T]):
    """
    Those who asked to be told, in the order in which they asked.

    >>> listeners = Listeners[str]()
    >>> leave = listeners.add(print)
    >>> listeners.notify("held")
    held
    >>> leave()
    >>> listeners.notify("gone")
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._all: tuple[Callable[[T], None], ...] = ()

    def add(self, listener: Callable[[T], None]) -> Callable[[], None]:
        """Tell *listener* from now on; returns what ends it."""
        with self._lock:
            self._all += (listener,)

        def leave() -> None:
            with self._lock:
                self._all = tuple(other for other in self._all if other is not listener)

        return leave

    def notify(self, news: T) -> None:
        """Tell all of them; one that fails does not keep it from the others."""
        for listener in self._all:
            try:
                listener(news)
            except Exception:
                log.exception("a listener of the rig failed")
