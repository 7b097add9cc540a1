"""Which devices of a table were heard of late: those with an open stream, and those that pressed or looked.

It is known to this process alone and forgotten with it: who is silent is so only after being silent here for a while.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable

from companion.play.actors import Actor
from web_ui.views import Eyes, ViewChanges, eyes_of

AFTER_THAT = 0.5  # seconds: a moment later than the last of those that count
TABLES = 4096  # of which is known who was heard
HOST = "host"
Who = int | str


class Presence:
    """Who of each table is there.

    :param silent_s: so many seconds without a word, and somebody is silent.
    :param lines_of: the keys of the lines of a table that somebody watches now.
    :param look: is told of each table whose host has come, or may have fallen silent.
    :param later: calls something after so many seconds; on the event loop.
    """

    def __init__(
        self,
        lines_of: Callable[[str], Iterable[Hashable]],
        look: Callable[[str], None],
        *,
        silent_s: float,
        clock: Callable[[], float] = time.monotonic,
        later: Callable[[float, Callable[[], None]], object] | None = None,
    ) -> None:
        self._lines_of = lines_of
        self._look = look
        self._silent_s = silent_s
        self._clock = clock
        self._later = later or _on_loop
        self._lock = threading.Lock()
        self._heard: OrderedDict[str, dict[Who, float]] = OrderedDict()
        self._watched: set[str] = set()  # tables of which it will be looked whether the host is silent

    def heard(self, table: str, actor: Actor) -> None:
        """Somebody with a key has asked something."""
        who = _who(actor)
        if who is not None:
            with self._lock:
                self._of(table)[who] = self._clock()

    def turned(self, key: Hashable) -> None:
        """A screen has come, or has left. On the event loop."""
        if not isinstance(key, Eyes | ViewChanges):
            return
        actor = eyes_of(key)
        if actor is None:
            return
        self.heard(key.table, actor)
        if actor.role == HOST and self.host_here(key.table):
            self._look(key.table)
        elif not self.host_here(key.table):
            self._watch(key.table, self._silent_s + AFTER_THAT)

    def _watch(self, table: str, seconds: float) -> None:
        if table in self._watched:
            return
        self._watched.add(table)

        def look() -> None:
            self._watched.discard(table)
            if self.host_here(table) or not any(True for _ in self._lines_of(table)):
                return
            left = self._silent_s - self.host_silent_for(table)
            if left > 0:
                self._watch(table, left + AFTER_THAT)
            else:
                self._look(table)

        self._later(seconds, look)

    def host_here(self, table: str) -> bool:
        """Whether a device of the host's has an open stream."""
        return HOST in self._watching(table)

    def host_silent_for(self, table: str) -> float:
        """Seconds since a device of the host's was heard; at first, since anything of the table was."""
        if self.host_here(table):
            return 0.0
        with self._lock:
            return self._clock() - self._of(table)[HOST]

    def seats_here(self, table: str) -> set[int]:
        """The seats that were heard of late."""
        since = self._clock() - self._silent_s
        with self._lock:
            late = {who for who, at in self._of(table).items() if at > since}
        return {who for who in late | self._watching(table) if isinstance(who, int)}

    def _watching(self, table: str) -> set[Who]:
        eyes = (eyes_of(key) for key in self._lines_of(table))
        return {who for actor in eyes if actor is not None and (who := _who(actor)) is not None}

    def _of(self, table: str) -> dict[Who, float]:
        """When each was heard; a host that never was, when this was asked first."""
        known = self._heard.get(table)
        if known is None:
            known = self._heard[table] = {HOST: self._clock()}
            if len(self._heard) > TABLES:
                self._heard.popitem(last=False)
        self._heard.move_to_end(table)
        return known


def _who(actor: Actor) -> Who | None:
    return HOST if actor.role == "host" else actor.seat


def _on_loop(seconds: float, call: Callable[[], None]) -> object:
    return asyncio.get_running_loop().call_later(seconds, call)
