"""How much anybody may have of this service at once: connections, and bytes on their way in.

Who has most gives way first, and of that what is idle. Whoever has shown a key that opens something here is served
beside those without one: a crowd of strangers takes no place of the people at the tables.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import NamedTuple, Protocol

from web_ui.http_errors import Busy
from web_ui.rate import Pace, RateLimit

KEPT_EACH = 16  # connections on which a key was shown keep their places: a browser has six, and may be two
HELD_FREE = 4096
"""Bytes of a body that nobody counts: a press has fewer."""


class Known:
    """The keys that opened something here lately.

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
        """It opened something."""
        with self._lock:
            self._keys[key] = None
            self._keys.move_to_end(key)
            if len(self._keys) > self._most:
                self._keys.popitem(last=False)


class Holds(NamedTuple):
    """Whose connections are counted together: those of a key that is known, or else of an address."""

    name: str
    known: bool = False


class Connection(Protocol):
    """A connection as the porch knows it."""

    address: str
    key: str | None

    def is_served(self) -> bool:
        """Whether a whole request is being answered, and the answer taken."""

    def is_said(self) -> bool:
        """Whether all is said there, and only the other end's goodbye is waited for."""

    def turn_out(self) -> None:
        """End it."""


class ConnectionLimiter:
    """All connections. Beyond so many each new one ends an old one that is not being served; on the event loop only.

    A few for each key that was shown keep their places: whoever has most of the others gives one up.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.count = 0
        self._of: dict[Holds, OrderedDict[Connection, None]] = {}

    def enter(self, connection: Connection) -> None:
        """A connection has come."""
        self._of.setdefault(_holder(connection), OrderedDict())[connection] = None
        self.count += 1
        if self.count > self.most:
            self._make_room(connection)

    def leave(self, connection: Connection) -> None:
        """A connection has ended."""
        holder = _holder(connection)
        there = self._of.get(holder)
        if there is None or connection not in there:
            return
        del there[connection]
        self.count -= 1
        if not there:
            del self._of[holder]

    def recognise(self, connection: Connection, key: str) -> None:
        """A key was shown on a connection that opens something here: it counts as one of that key from now on."""
        before = self.count
        self.leave(connection)
        if self.count < before:
            self._of.setdefault(Holds(key, known=True), OrderedDict())[connection] = None
            self.count += 1

    def clear(self) -> None:
        """Wait for no goodbyes any more: with TLS the other end has one to say, and may never."""
        for connection in [each for there in self._of.values() for each in there if each.is_said()]:
            connection.turn_out()

    def _make_room(self, newest: Connection) -> None:
        """The oldest that is not being served goes, of whoever has most; the newest, if all are served."""
        for holder in sorted(self._of, key=self._gives_way):
            there = self._of[holder]
            for _ in range(len(there)):
                connection = next(iter(there))
                if connection is not newest and not connection.is_served():
                    self.leave(connection)
                    connection.turn_out()
                    return
                there.move_to_end(connection)  # it is not looked at again for every newcomer
        self.leave(newest)
        newest.turn_out()

    def _gives_way(self, holder: Holds) -> tuple[bool, int]:
        count = len(self._of[holder])
        return holder.known and count <= KEPT_EACH, -count


def _holder(connection: Connection) -> Holds:
    return Holds(connection.address) if connection.key is None else Holds(connection.key, known=True)


class Guest(Protocol):
    """A connection on the doorstep."""

    address: str

    def come_in(self) -> None:
        """Its turn has come."""


class AdmissionQueue:
    """Where requests of strangers wait while people at a table are in a hurry; on the event loop only.

    Each address has so many at once, and so many a second after that, before anything of them is read; who waits comes
    in one after the other, the addresses by turns.
    """

    def __init__(self, hurry: Callable[[], bool], pace: Pace, *, is_urgent: Callable[[bytes], bool]) -> None:
        self._hurry = hurry
        self._is_urgent = is_urgent
        self._pause = 1 / pace.a_second
        self._limit = RateLimit(pace)
        self._waiting: OrderedDict[str, OrderedDict[Guest, None]] = OrderedDict()
        self._timer: asyncio.TimerHandle | None = None

    def lets_in(self, address: str, begun: bytes) -> bool:
        """Whether a request from an address that begins like this may come in at once; asking counts."""
        waits = address in self._waiting
        if not (waits or self._hurry()) or self._is_urgent(begun):
            return True
        return not waits and self._limit.allows(address, at_home=False)

    def wait(self, guest: Guest) -> None:
        """It comes in when it is its turn, unless it leaves."""
        self._waiting.setdefault(guest.address, OrderedDict())[guest] = None
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._pause, self._next)

    def leave(self, guest: Guest) -> None:
        """It waits no longer, if it did."""
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
    """Bytes on their way: so many for all, and so many from one address; on the event loop only."""

    def __init__(self, *, most: int, each: int) -> None:
        self.most = most
        self.each = each
        self.held = 0
        self._of: Counter[str] = Counter()

    def take(self, address: str, count: int) -> None:
        """Have so many more."""
        if self.held + count > self.most or self._of[address] + count > self.each:
            raise Busy("web.busy")
        self.held += count
        self._of[address] += count

    def give_back(self, address: str, count: int) -> None:
        """Have so many less."""
        self.held -= count
        self._of[address] -= count
        if self._of[address] <= 0:
            del self._of[address]


class Held:
    """What is held of one request: of a short one nothing is counted."""

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
        """It is done with."""
        if self._count:
            self._held.give_back(self._address, self._count)
