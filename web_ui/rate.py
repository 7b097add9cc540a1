"""How much one client may ask: generous for hands on a screen, too little for a program gone wild."""

from __future__ import annotations

import ipaddress
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple


class Pace(NamedTuple):
    """So many at once, and so many a second after that."""

    burst: float
    a_second: float


class RateLimit:
    """Counts what each client asks; remembers no more clients than `most`.

    :param at_home: how many times as much the machine itself may ask.

    >>> limit = RateLimit(Pace(2, 1), clock=iter([0.0, 0.0, 0.0, 1.0]).__next__)
    >>> [limit.allows("tablet") for _ in range(4)]
    [True, True, False, True]
    """

    def __init__(
        self, pace: Pace, *, at_home: float = 1.0, most: int = 1024, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.pace = pace
        self._home = Pace(pace.burst * at_home, pace.a_second * at_home)
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, client: str, *, at_home: bool | None = None) -> bool:
        """Whether a client may ask once more now; asking counts.

        :param at_home: whether it is the machine itself, where `client` is no address.
        """
        with self._lock:
            now = self._clock()
            pace = self._home if (is_home(client) if at_home is None else at_home) else self.pace
            left, since = self._left.pop(client, (pace.burst, now))
            left = min(pace.burst, left + (now - since) * pace.a_second)
            allowed = left >= 1
            self._left[client] = (left - allowed, now)
            if len(self._left) > self._most:
                self._left.popitem(last=False)
            return allowed


@lru_cache(maxsize=1024)
def counted_as(address: str) -> str:
    """Under which name an address is counted: of IPv6 the whole network of 2⁶⁴ that one machine may choose from.

    >>> [counted_as(each) for each in ("192.0.2.7", "::ffff:192.0.2.7", "2001:db8:1:2:3::4", "fe80::1%eth0", "::1")]
    ['192.0.2.7', '192.0.2.7', '2001:db8:1:2::/64', 'fe80::/64', '::1']
    """
    try:
        number = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(number, ipaddress.IPv4Address) or number.is_loopback:
        return address
    if number.ipv4_mapped is not None:
        return str(number.ipv4_mapped)
    return str(ipaddress.ip_network((int(number) >> 64 << 64, 64)))


@lru_cache(maxsize=1024)
def is_home(client: str) -> bool:
    """Whether a client is the machine itself.

    >>> [is_home(client) for client in ("127.0.0.1", "::1", "::ffff:127.0.0.1", "192.0.2.7", "a name")]
    [True, True, True, False, False]
    """
    try:
        address = ipaddress.ip_address(client)
    except ValueError:
        return False
    plain = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (plain or address).is_loopback
