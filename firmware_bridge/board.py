"""The board beside the table, as the rest of Digside knows it."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from firmware_bridge import messages
from firmware_bridge.errors import BoardRefused, LinkLost
from firmware_bridge.link import Link
from firmware_bridge.messages import Bounds, Command, Counters, Event, Hello, Status
from firmware_bridge.quality import LinkQuality
from firmware_bridge.sim import World, world_at

__all__ = ["Board", "BoardRefused", "LinkLost", "LinkQuality"]

_log = logging.getLogger(__name__)

TELLS_FULL_COUNT = (1, 2)
USUAL_FULL_COUNT = 1023


class Board:
    """A board at a serial port; `sim://` is one that is simulated, with a world round it.

    >>> with Board("sim://doctest") as board:
    ...     board.wait(5.0)
    ...     board.renew()
    ...     board.pump(200)
    ...     board.stop()
    True

    Nothing here renews the lease by itself: the loop that knows what the shovel is doing calls :meth:`renew` each
    200 ms. If it hangs, the board lets go.
    """

    def __init__(
        self, url: str, *, clock: Callable[[], float] = time.monotonic, on_event: Callable[[Event], None] | None = None
    ) -> None:
        self.url = url
        self.world: World | None = world_at(url)
        self._link = Link(url, clock=clock, on_event=on_event)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def start(self) -> None:
        """Begin to look for the board, and go on looking; returns at once."""
        self._link.start()

    def close(self) -> None:
        """Leave everything safe and give the port back."""
        if self.hello is not None:
            try:
                self._link.request(Command.BYE)
            except (LinkLost, BoardRefused) as error:
                _log.warning("the board could not be told goodbye (%s); sending a stop", error)
                self._link.stop()
        self._link.close()
        if self.world is not None:
            self.world.end()

    def wait(self, seconds: float) -> bool:
        """Wait for the board to be greeted; return whether it was."""
        return self._link.connected.wait(seconds)

    @property
    def hello(self) -> Hello | None:
        """How the board introduced itself; None while there is none."""
        return self._link.hello

    @property
    def on_event(self) -> Callable[[Event], None] | None:
        """Is told each event, from a thread of the link's own; it may be set at any time."""
        return self._link.on_event

    @on_event.setter
    def on_event(self, on_event: Callable[[Event], None] | None) -> None:
        self._link.on_event = on_event

    @property
    def session(self) -> int | None:
        """The number of the session: another one after each greeting; None while there is none, or one begins."""
        return self._link.session

    @property
    def was_greeted(self) -> bool:
        """Whether there has ever been a session."""
        return self._link.sessions > 0

    @property
    def status(self) -> Status | None:
        """The newest status, at most 200 ms old (25 ms while pump or valve are on); None while there is no board."""
        return self._link.status

    @property
    def statuses(self) -> tuple[Status, ...]:
        """The newest statuses, the newest last: while a request waits for its answer more than one may come."""
        return self._link.statuses

    @property
    def full_count(self) -> int | None:
        """What the board counts at the end of its scale of vacuum; None while it is not known."""
        hello, bounds = self.hello, self.link.bounds
        if bounds is not None:
            return bounds.full_count
        return None if hello is None or hello.release >= TELLS_FULL_COUNT else USUAL_FULL_COUNT

    @property
    def other_protocol(self) -> int | None:
        """The protocol of a board whose firmware is not of this Digside, and which is not talked to; else None."""
        return self._link.other_protocol

    @property
    def link(self) -> LinkQuality:
        return self._link.quality

    def pump(self, level: int, *, session: int | None = None) -> None:
        """Run the pump at a level from 0 to 255. Anything but 0 needs a lease and no fault.

        :param session: the only session in which it is asked for; a board that has started anew is never told
        :raises BoardRefused: also when that session is over.
        """
        self._link.request(Command.PUMP, messages.byte(level), session=session)

    def valve(self, closed: bool, *, session: int | None = None) -> None:
        """Close the vent valve, or open it. Closing needs a lease and no fault.

        :param session: as for :meth:`pump`
        """
        self._link.request(Command.VALVE, messages.byte(closed), session=session)

    def limits(self, *, pump_most: int = 255, vacuum_most: int = 0) -> None:
        """Set the highest level of the pump, and the raw vacuum at which it rests (0: never)."""
        self._link.request(Command.LIMITS, messages.limits(pump_most, vacuum_most))

    def lamps(self, bits: int) -> None:
        """Light the lamps whose bits are set, lamp 1 being bit 0."""
        self._link.request(Command.LAMPS, messages.byte(bits))

    def lights(self, first: int, count: int, colour: tuple[int, int, int]) -> None:
        """Have some pixels in a row show a colour: red, green and blue from 0 to 255.

        :raises BoardRefused: by a firmware before 1.2, which has none.
        """
        self._link.request(Command.LIGHTS, messages.lights(first, count, colour))

    def buzz(self, ms: int, pitch: int = 2000) -> None:
        """Sound the buzzer for a while, at 500 to 5000 Hz; 0 ms is silence."""
        self._link.request(Command.BUZZ, messages.words(ms, pitch))

    def renew(self) -> None:
        """Renew the lease for 700 ms. For the loop that knows the state, each 200 ms; never for a free thread."""
        self._link.request(Command.RENEW)

    def stop(self) -> None:
        """Pump off and valve vented, at once and latched: one byte, accepted in every state. Never raises.

        It is repeated until the board says that it has stopped, also after a connection that was lost meanwhile.
        """
        self._link.stop()

    def clear_fault(self) -> None:
        """Forget the latched fault; nothing goes on by it."""
        self._link.clear()

    def ping(self, data: bytes = b"") -> bytes:
        """Return the same bytes, by way of the board."""
        return self._link.request(Command.PING, data)

    def counters(self) -> Counters:
        """Ask how many errors the board has seen at its end of the wire."""
        return messages.read_counters(self._link.request(Command.COUNTERS))

    def bounds(self) -> Bounds:
        """Ask what the board itself puts bounds to. What is known without asking stands in :attr:`link`.

        :raises BoardRefused: by a firmware 1.0, which does not tell.
        """
        return messages.read_bounds(self._link.request(Command.BOUNDS))
