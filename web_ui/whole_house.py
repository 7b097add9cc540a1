"""The hall page's side of the service: every table of this house, the calls for its host, and what other Pis tell.

Nothing is made while nobody looks. Of another Pi no more is believed than that it has such tables; one that does not
answer is said to be away.
"""

from __future__ import annotations

import logging
import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import msgspec
from msgspec.structs import replace

from companion.play.callers import Callers
from companion.play.seating import SHAPES
from companion.refusals import Malformed
from web_ui.house import HouseEvent, HouseView, RigNow, TableNow, figureless
from web_ui.http_errors import TooMany
from web_ui.rate import Pace, RateLimit

log = logging.getLogger(__name__)

FILE = "house.txt"
ASKED_EVERY = 3.0  # seconds between two questions to another Pi, while somebody looks
ANSWERED_WITHIN = 2.0  # from the first word to the last; whoever is asked longer is away
SOON = 0.001
PIECE = 65536
AGREE = 5000  # milliseconds that two clocks may seem to differ otherwise, by the way an answer took
LONGEST = 512 * 1024  # bytes of another Pi's answer
MOST_PIS = 64
GLANCE = 10.0  # seconds for which it is made for somebody who asked once
FIRST = 1.0  # seconds that the first who asks waits for it to be made
CALLS = Pace(4, 1 / 15)
"""How often a table may call, or take its call back."""

Tables = Annotated[tuple[TableNow, ...], msgspec.Meta(max_length=500)]


class CallTold(msgspec.Struct, frozen=True):
    """Since when a table has been calling for the host of the house; null where it does not."""

    at: int | None


class TableTold(msgspec.Struct, frozen=True):
    """A table of the house, and since when it has been calling."""

    now: TableNow
    call: int | None = None


class PiTold(msgspec.Struct, frozen=True):
    """What one Pi tells of itself: its name, its tables, its rig.

    :ivar clock: its own, in milliseconds since 1970; 0 where an older Digside does not tell it
    """

    name: str
    tables: Annotated[tuple[TableTold, ...], msgspec.Meta(max_length=500)]
    rig: RigNow | None
    clock: int = 0


class OtherTold(msgspec.Struct, frozen=True):
    """Another Pi of the house, as it told when it last answered.

    :ivar away: since when it has not answered, in milliseconds since 1970; null while it does
    :ivar ahead: so many milliseconds its clock was ahead of the service's when it answered last
    """

    address: str
    away: int | None
    pi: PiTold | None
    ahead: int = 0


class HouseTold(msgspec.Struct, frozen=True):
    """Every table of the house: those here, and those of other Pis.

    :ivar clock: the service's, in milliseconds since 1970
    """

    clock: int
    here: PiTold
    others: tuple[OtherTold, ...]


_pi = msgspec.json.Decoder(PiTold).decode  # worked out before many threads read what many Pis answer


def addresses(named: Sequence[str], folder: Path) -> tuple[str, ...]:
    """Where the other Pis are: as they were named, and as they stand in a file of the data folder, one to a line.

    :raises Malformed: where something is no address.
    """
    try:
        lines = (folder / FILE).read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        lines = []
    asked = [*named, *(line.partition("#")[0].strip() for line in lines)]
    return tuple(dict.fromkeys(address(each) for each in asked if each))[:MOST_PIS]


def address(said: str) -> str:
    """The address of a Digside.

    :raises Malformed: where it is none.
    """
    try:
        parts = urlsplit(said)
        whole = parts.scheme in {"http", "https"} and parts.hostname and not parts.username and not parts.query
        plain = whole and parts.path in {"", "/"} and not parts.fragment and (parts.port or True)
    except ValueError:
        plain = False
    if not plain or not said.isascii() or not said.isprintable():
        raise Malformed("web.not_an_address", address=said[:80])
    return said.rstrip("/")


class HelpRequests:
    """The tables that call for the host of the house, kept from calling again and again.

    :param callers: which they are, as every process of a hall knows.
    """

    def __init__(self, callers: Callers, clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000) -> None:
        self._callers = callers
        self._limit = RateLimit(CALLS)
        self._clock = clock

    def all(self) -> Mapping[str, int]:
        """Since when each of them has been calling."""
        return self._callers.all()

    def of(self, table: str) -> int | None:
        """Since when a table has been calling."""
        return self.all().get(table)

    def call(self, table: str) -> bool:
        """Somebody at a table calls; whether that is news.

        :raises TooMany: where they have called and taken it back again and again.
        """
        if self.of(table) is not None:
            return False
        if not self._limit.allows(table, at_home=False):
            raise TooMany("web.too_many")
        self._callers.call(table, self._clock())
        return True

    def take_back(self, table: str) -> bool:
        """Nobody need come; whether somebody had called."""
        return self.of(table) is not None and self._callers.take_back(table)


class WholeHouse:
    """What the hall page shows.

    :param tell: puts it on the live line of those who look, in bytes.
    :param watched: whether somebody looks.
    """

    def __init__(
        self,
        house: HouseView,
        calls: HelpRequests,
        others: Sequence[str],
        *,
        tell: Callable[[int, bytes], None],
        watched: Callable[[], bool],
    ) -> None:
        self._house = house
        self._calls = calls
        self._tell = tell
        self._watched = watched
        self._lock = threading.Lock()
        self._seq = 0
        self._asked_at = 0.0
        self._made = threading.Event()
        self._deaf: Callable[[], None] | None = None
        self._closing = threading.Event()
        self._under_way: dict[str, float] = {}  # since when another is being asked
        self._others: dict[str, OtherTold] = {each: OtherTold(each, None, None) for each in others}
        self._asking: threading.Thread | None = None
        self.name = socket.gethostname().partition(".")[0]

    def look(self) -> HouseTold:
        """All of it, for somebody who looks: it is kept up from now on, as long as anybody does."""
        self._asked_at = time.monotonic()
        with self._lock:
            first = self._deaf is None
            if first:
                self._made.clear()
                self._deaf = self._house.listen(self)
            if self._others and self._asking is None:
                self._asking = threading.Thread(target=self._ask_others, name="other pis", daemon=True)
                self._asking.start()
        self._made.wait(FIRST)
        return self.as_told()

    def own(self) -> PiTold:
        """What this Pi tells of itself."""
        calls = self._calls.all()
        tables = [TableTold(now, calls.get(now.table)) for now in [*self._house.now.values()] if not now.over]
        rig = self._house.rig_now()
        return PiTold(self.name, tuple(tables), None if rig.kind == "none" else rig, _now())

    def as_told(self) -> HouseTold:
        """All of it as it is known."""
        return HouseTold(_now(), self.own(), tuple(self._others.values()))

    def changed(self) -> None:
        """Something of it is otherwise: whoever looks is told."""
        with self._lock:
            self._seq += 1
            seq = self._seq
        if self._watched():
            self._tell(seq, msgspec.json.encode(self.as_told()))

    def close(self) -> None:
        """Nobody is asked any more."""
        self._closing.set()

    # What the house tells.

    def table(self, now: TableNow, events: Sequence[HouseEvent]) -> None:
        """A table is so now; at one that is over nobody calls any more."""
        if now.over:
            self._calls.take_back(now.table)

    def table_gone(self, table: str) -> None:
        """A table is over, deleted, or nobody's any more."""

    def rig(self, now: RigNow) -> None:
        """The rig is so now."""

    def all_told(self, *, again: bool) -> None:
        """What was so has been told: whoever looks is told, and if nobody has for a while, nothing is made."""
        self._made.set()
        self.changed()
        with self._lock:
            if self._deaf is None or self._is_looked_at():
                return
            deaf, self._deaf = self._deaf, None
        deaf()

    def _is_looked_at(self) -> bool:
        return self._watched() or time.monotonic() - self._asked_at < GLANCE

    def _ask_others(self) -> None:
        """Ask each of the others again and again, none of which waits for another, as long as somebody looks."""
        while True:
            with self._lock:
                if self._closing.is_set() or not self._is_looked_at():
                    self._asking = None
                    return
            for address in self._others:
                began = self._under_way.get(address)
                if began is None:
                    self._under_way[address] = time.monotonic()
                    threading.Thread(target=self._ask, args=(address,), name="other pi", daemon=True).start()
                elif time.monotonic() - began > ANSWERED_WITHIN:
                    self._note(address, None)
            self._closing.wait(ASKED_EVERY)

    def _ask(self, address: str) -> None:
        try:
            self._note(address, asked(address))
        except Exception as away:  # whatever it says, and however: it is no answer
            log.debug("%s does not answer: %s", address, away)
            self._note(address, None)
        finally:
            del self._under_way[address]

    def _note(self, address: str, pi: PiTold | None) -> None:
        """Another has told this of itself, or with None nothing; whoever looks is told, if that is news."""
        with self._lock:
            before, now = self._others[address], _now()
            if pi is None:
                after = replace(before, away=now if before.away is None else before.away)
            else:
                ahead = pi.clock - now if pi.clock else 0
                after = OtherTold(address, None, pi, before.ahead if abs(ahead - before.ahead) < AGREE else ahead)
            self._others[address] = after
        if _without_figures(after) != _without_figures(before):
            self.changed()


def _now() -> int:
    return time.time_ns() // 1_000_000


def _without_figures(told: OtherTold) -> OtherTold:
    """What of it is news where it differs."""
    if told.pi is None:
        return told
    rig = figureless(told.pi.rig) if told.pi.rig else None
    return replace(told, pi=replace(told.pi, rig=rig, clock=0))


def asked(address: str) -> PiTold:
    """What another Pi tells of itself.

    :raises OSError: where it has not answered within its time.
    :raises ValueError: where that is no answer of a Digside.
    """
    ends, raw = time.monotonic() + ANSWERED_WITHIN, b""
    with _connected(address) as wire:
        wire.sendall(f"GET /api/house/own HTTP/1.0\r\nHost: {urlsplit(address).netloc}\r\n\r\n".encode())
        while len(raw) <= LONGEST:
            wire.settimeout(max(SOON, ends - time.monotonic()))
            piece = wire.recv(PIECE)
            if not piece:
                return _read(raw)
            raw += piece
            if time.monotonic() > ends:
                raise TimeoutError
    raise ValueError("too long an answer")


def _connected(address: str) -> socket.socket:
    parts = urlsplit(address)
    tls = parts.scheme == "https"
    wire = socket.create_connection((parts.hostname, parts.port or (443 if tls else 80)), ANSWERED_WITHIN)
    return ssl.create_default_context().wrap_socket(wire, server_hostname=parts.hostname) if tls else wire


def _read(raw: bytes) -> PiTold:
    """What stands in an answer; a turn that nobody has, or a shape that is not known here, is put right."""
    head, _, body = raw.partition(b"\r\n\r\n")
    if not re.match(rb"HTTP/1\.\d 200 ", head):
        raise ValueError("no answer of a Digside")
    told = _pi(body)
    return replace(told, tables=tuple(replace(each, now=_shown(each.now)) for each in told.tables))


def _shown(now: TableNow) -> TableNow:
    seats = tuple(seat if seat.shape in SHAPES else replace(seat, shape=SHAPES[0]) for seat in now.seats)
    return replace(now, seats=seats, turn=now.turn if now.turn in range(len(seats)) else None)
