"""Limits on the connections and request bytes that one client, or all together, may hold at once.

Where there are too many connections, whoever has most loses one, an idle one first. A client that has shown a valid key
is counted by that key: a crowd of strangers cannot take the places of the people at the tables.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import NamedTuple, Protocol

from web_ui.http_errors import Busy
from web_ui.rate import Pace, RateLimit

KEPT_EACH = 16  # connections that each key keeps; a browser opens six, and there may be two browsers
HELD_FREE = 4096
"""Bytes of a body that are not counted: a press has fewer."""


class Known:
    """The valid keys that were used lately.

    >>> known = Known(most=1)
    >>> known.add("a key"), known.add("another"), "a key" in known, "another" in known
    (None, None, False, True)
    """

    def __init__(self, *, most: int = 4096) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._keys: OrderedDict[str, None] = OrderedDict()

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def add(self, key: str) -> None:
        """Remember a valid key."""
        with self._lock:
            self._keys[key] = None
            self._keys.move_to_end(key)
            if len(self._keys) > self._most:
                self._keys.popitem(last=False)


class Holds(NamedTuple):
    """What connections are counted by: a known key, or else an address."""

    name: str
    known: bool = False


class Connection(Protocol):
    """A connection as `ConnectionLimiter` knows it."""

    address: str
    key: str | None

    def is_served(self) -> bool:
        """Whether a complete request is being answered."""

    def is_said(self) -> bool:
        """Whether everything was sent, and only the close of the other end is missing."""

    def turn_out(self) -> None:
        """End it."""


class ConnectionLimiter:
    """Counts all connections; beyond `most` each new one ends an older one that is not being served.

    A few connections of each key are never ended; of the others, whoever has most loses one. Event loop only.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.count = 0
        self._of: dict[Holds, OrderedDict[Connection, None]] = {}

    def enter(self, connection: Connection) -> None:
        """Count a new connection."""
        self._of.setdefault(_holder(connection), OrderedDict())[connection] = None
        self.count += 1
        if self.count > self.most:
            self._make_room(connection)

    def leave(self, connection: Connection) -> None:
        """A connection was closed."""
        holder = _holder(connection)
        there = self._of.get(holder)
        if there is None or connection not in there:
            return
        del there[connection]
        self.count -= 1
        if not there:
            del self._of[holder]

    def recognise(self, connection: Connection, key: str) -> None:
        """Count a connection by the valid key that was shown on it."""
        before = self.count
        self.leave(connection)
        if self.count < before:
            self._of.setdefault(Holds(key, known=True), OrderedDict())[connection] = None
            self.count += 1

    def clear(self) -> None:
        """End the connections that only wait for the other end to close; with TLS that may never happen."""
        for connection in [each for there in self._of.values() for each in there if each.is_said()]:
            connection.turn_out()

    def _make_room(self, newest: Connection) -> None:
        """End the oldest connection that is not being served, of whoever has most; the newest, if all are served."""
        for holder in sorted(self._of, key=self._gives_way):
            there = self._of[holder]
            for _ in range(len(there)):
                connection = next(iter(there))
                if connection is not newest and not connection.is_served():
                    self.leave(connection)
                    connection.turn_out()
                    return
                there.move_to_end(connection)  # so that the next search does not begin with it
        self.leave(newest)
        newest.turn_out()

    def _gives_way(self, holder: Holds) -> tuple[bool, int]:
        count = len(self._of[holder])
        return holder.known and count <= KEPT_EACH, -count


def _holder(connection: Connection) -> Holds:
    return Holds(connection.address) if connection.key is None else Holds(connection.key, known=True)


class Guest(Protocol):
    """A connection that waits in the `AdmissionQueue`."""

    address: str

    def come_in(self) -> None:
        """Go on: its turn has come."""


class AdmissionQueue:
    """Holds back requests without a known key while people at a table are waiting; on the event loop only.

    Each address may have a burst at once and so many a second after that; the rest wait unread, and are let in one by
    one, the addresses in turn.
    """

    def __init__(self, hurry: Callable[[], bool], pace: Pace, *, is_urgent: Callable[[bytes], bool]) -> None:
        self._hurry = hurry
        self._is_urgent = is_urgent
        self._pause = 1 / pace.a_second
        self._limit = RateLimit(pace)
        self._waiting: OrderedDict[str, OrderedDict[Guest, None]] = OrderedDict()
        self._timer: asyncio.TimerHandle | None = None

    def lets_in(self, address: str, begun: bytes) -> bool:
        """Whether a request that begins like this may come in at once; it is counted."""
        waits = address in self._waiting
        if not (waits or self._hurry()) or self._is_urgent(begun):
            return True
        return not waits and self._limit.allows(address, at_home=False)

    def wait(self, guest: Guest) -> None:
        """Queue a connection; `come_in` is called when it is its turn."""
        self._waiting.setdefault(guest.address, OrderedDict())[guest] = None
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._pause, self._next)

    def leave(self, guest: Guest) -> None:
        """Take a connection out of the queue."""
        there = self._waiting.get(guest.address)
        if there is not None and guest in there:
            del there[guest]
            if not there:
                del self._waiting[guest.address]

    def _next(self) -> None:
        self._timer = None
        if not self._waiting:
            return
        address, there = next(iter(self._waiting.items()))
        self._waiting.move_to_end(address)
        guest = next(iter(there))
        self.leave(guest)
        if self._waiting:
            self._timer = asyncio.get_running_loop().call_later(self._pause, self._next)
        guest.come_in()


class Bytes:
    """Counts bytes being received or sent: so many for all, and so many for each address; on the event loop only."""

    def __init__(self, *, most: int, each: int) -> None:
        self.most = most
        self.each = each
        self.held = 0
        self._of: Counter[str] = Counter()

    def take(self, address: str, count: int) -> None:
        """Count so many more.

        :raises Busy: where that would be too many.
        """
        if self.held + count > self.most or self._of[address] + count > self.each:
            raise Busy("web.busy")
        self.held += count
        self._of[address] += count

    def give_back(self, address: str, count: int) -> None:
        """Count so many less."""
        self.held -= count
        self._of[address] -= count
        if self._of[address] <= 0:
            del self._of[address]


class Held:
    """The bytes of one request; a short one is not counted."""

    def __init__(self, held: Bytes, address: str) -> None:
        self._held = held
        self._address = address
        self._count = 0

    def grow(self, length: int) -> None:
        """Account for the bytes of this request that have been received so far."""
        if length > HELD_FREE:
            more = length - HELD_FREE - self._count
            self._held.take(self._address, more)
            self._count += more

    def give_back(self) -> None:
        """The request is done with."""
        if self._count:
            self._held.give_back(self._address, self._count)
