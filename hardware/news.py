"""Telling listeners what happened, and that nothing does: on threads of their own, which the devices never wait for."""

import logging
import queue
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

log = logging.getLogger(__name__)

LOOK_EVERY_S = 0.25

Errand = Callable[[], None]


class News:
    """
    Runs errands in order, one at a time, on one thread.

    The rig's loop renews the lease of the pump; it must never wait for somebody who is told about it,
    nor fail because of them. An errand that fails is logged, and the next one is run.
    """

    def __init__(self) -> None:
        self._errands: queue.SimpleQueue[Errand | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="digside-rig-news", daemon=True)

    def start(self) -> None:
        """Begin to tell."""
        self._thread.start()

    def tell(self, errand: Errand) -> None:
        """Run *errand* soon; returns at once."""
        self._errands.put(errand)

    def close(self) -> None:
        """Tell what is left, and end."""
        self._errands.put(None)
        if self._thread.is_alive() and threading.current_thread() is not self._thread:
            self._thread.join(timeout=2.0)

    def _run(self) -> None:
        while (errand := self._errands.get()) is not None:
            try:
                errand()
            except Exception:
                log.exception("a listener of the rig failed")


class Vigil:
    """
    Looks, on a thread of its own, whether a loop still comes round: what hangs cannot say so itself.

    :param silence: for how many seconds it has not
    :param most: how many are too many
    :param changed: called when it has fallen silent, and when it comes round again
    """

    def __init__(self, silence: Callable[[], float], most: float, changed: Callable[[], None]) -> None:
        self._silence = silence
        self._most = most
        self._changed = changed
        self._silent = False
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="digside-rig-vigil", daemon=True)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def look(self) -> None:
        """Look once."""
        silence = self._silence()
        if (silence > self._most) == self._silent:
            return
        self._silent = not self._silent
        if self._silent:
            log.error("the rig's loop has not come round for %.1f s", silence)
        else:
            log.warning("the rig's loop comes round again")
        self._changed()

    def close(self) -> None:
        """Look no more."""
        self._closing.set()

    def _run(self) -> None:
        while not self._closing.wait(LOOK_EVERY_S):
            self.look()


class Listeners(Generic[T]):
    """
    Those who asked to be told, in the order in which they asked.

    >>> listeners = Listeners[str]()
    >>> leave = listeners.add(print)
    >>> listeners.tell("held")
    held
    >>> leave()
    >>> listeners.tell("gone")
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

    def tell(self, news: T) -> None:
        """Tell all of them; one that fails does not keep it from the others."""
        for listener in self._all:
            try:
                listener(news)
            except Exception:
                log.exception("a listener of the rig failed")
