"""Players at many tables, each table with its screens: presses come by lot, at a steady rate, and wait for nobody.

How long a press takes is told by the kernel: from when the press was given to it until it had what the last screen of
the table is told, however late this program comes to read that.
"""

from __future__ import annotations

import random
import select
import selectors
import socket
import struct
import time
from collections import deque
from collections.abc import Sequence

from tests.bench.bench_web import Screen, answer, post
from tests.bench.evenings import Evening, Press
from tests.web.live import PATIENCE

TIMED = 35  # SO_TIMESTAMPNS: with what is read comes when it came
MOMENT = struct.Struct("qq")
AT_ONCE = 24  # tables at which people sit down together
LINKS = 32  # connections for presses that are kept open, as browsers keep theirs


class TimedScreen(Screen):
    """A screen that knows when the newest event was here whole, in nanoseconds."""

    at = 0

    def listen(self, port: int, path: str, key: str | None) -> None:
        super().listen(port, path, key)
        self.sock.setsockopt(socket.SOL_SOCKET, TIMED, 1)

    def receive(self) -> bytes:
        come, told, *_ = self.sock.recvmsg(1 << 18, 64)
        seconds, rest = MOMENT.unpack(told[0][2]) if told else divmod(time.time_ns(), 10**9)
        self.at = seconds * 10**9 + rest
        return come


class Played:
    """A table in play: what is pressed next, and the screens that show it."""

    def __init__(self, path: str, evening: Evening) -> None:
        self.path = path
        self.key = evening.keys.host
        self.open = (self.key, *evening.keys.seats)
        self.next = deque[Press](evening.presses)
        self.screens: list[TimedScreen] = []
        self.waits: Press | None = None
        self.pressed_at = 0

    def request(self) -> bytes:
        """The next press, as it goes over the wire."""
        self.waits = self.next.popleft()
        return post(self.path + self.waits.path, self.key, self.waits.body)

    def shown(self) -> float | None:
        """Milliseconds from a press to the last screen, once all of them have shown it."""
        if self.waits is None or any(screen.seq < self.waits.reaches for screen in self.screens):
            return None
        self.waits = None
        return (max(screen.at for screen in self.screens) - self.pressed_at) / 1e6


class Players:
    """Whoever presses at a service, or at the router before several."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._come = selectors.DefaultSelector()
        self._links = deque[socket.socket]()
        self._luck = random.Random(1)
        self.tables: list[Played] = []

    def sit_down(self, laid: Sequence[tuple[str, Evening]], screens: int = 2) -> list[Played]:
        """At these tables; the tablet has the host's key, the other screens are phones of those who sit there."""
        sat = [Played(f"/api/tables/{name}", evening) for name, evening in laid]
        for first in range(0, len(sat), AT_ONCE):
            coming = sat[first : first + AT_ONCE]
            for table in coming:
                for key in table.open[:screens]:
                    table.screens.append(screen := TimedScreen(self._port, f"{table.path}/stream", key))
                    self._come.register(screen.sock, selectors.EVENT_READ, (table, screen))
            end = time.monotonic() + PATIENCE
            while any(screen.seq < 0 for table in coming for screen in table.screens):
                assert time.monotonic() < end, "a table is not shown"
                self._read(1)
        self.tables += sat
        return sat

    def look(self, path: str) -> None:
        """At a page of all tables, with a live line of its own."""
        screen = TimedScreen(self._port, path)
        self._come.register(screen.sock, selectors.EVENT_READ, (None, screen))

    def rest(self, seconds: float) -> None:
        """Press nothing, and read on."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self._read(left)

    def play(self, presses: int, rate: float, at: Sequence[Played] | None = None) -> list[float]:
        """Milliseconds to each table's last screen, for so many presses, so many in a second by and large."""
        self._open_links()
        tables, taken = deque(at or self.tables), list[float]()
        self._luck.shuffle(tables)
        due, pressed, end = time.monotonic(), 0, time.monotonic() + presses / rate + PATIENCE
        while len(taken) < presses:
            while pressed < presses and due <= time.monotonic() and self._links:
                self._press(_who_is_free(tables))
                pressed += 1
                due += self._luck.expovariate(rate)
            taken += self._read(max(0.0, due - time.monotonic()) if pressed < presses else 1)
            assert time.monotonic() < end, f"{presses - len(taken)} presses were not shown"
        return taken

    def _open_links(self) -> None:
        """Have as many links as are kept open; one that was idle for long may have been ended by who answers it."""
        for _ in range(len(self._links)):
            link = self._links.popleft()
            if _has_come(link):
                link.close()
            else:
                self._links.append(link)
        while len(self._links) < LINKS:
            self._links.append(link := socket.create_connection(("127.0.0.1", self._port)))
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _press(self, table: Played) -> None:
        request, link = table.request(), self._links.popleft()
        self._come.register(link, selectors.EVENT_READ, (table, None))
        table.pressed_at = time.time_ns()
        link.sendall(request)

    def _read(self, within: float) -> list[float]:
        """What has come; how long those presses took that are shown by it."""
        done = []
        for key, _ in self._come.select(within):
            table, screen = key.data
            if screen is None:
                link = key.fileobj
                assert isinstance(link, socket.socket)
                self._come.unregister(link)
                answer(link)
                self._links.append(link)
                continue
            screen.read()
            if table is not None and (took := table.shown()) is not None:
                done.append(took)
        return done

    def leave(self, tables: Sequence[Played]) -> None:
        """Give these tables up."""
        for table in tables:
            for screen in table.screens:
                self._come.unregister(screen.sock)
                screen.sock.close()
        gone = set(tables)
        self.tables = [table for table in self.tables if table not in gone]

    def close(self) -> None:
        open_still = [key.fileobj for key in self._come.get_map().values()]
        self._come.close()
        for each in open_still:
            assert isinstance(each, socket.socket)
            each.close()
        for link in self._links:
            link.close()


def _has_come(link: socket.socket) -> bool:
    """Whether there is anything to read, be it the end; with more files open than `select` takes."""
    asked = select.poll()
    asked.register(link, select.POLLIN)
    return bool(asked.poll(0))


def _who_is_free(tables: deque[Played]) -> Played:
    """The next table in turn that has something to press, and at which nothing is on its way."""
    for _ in range(len(tables)):
        tables.rotate(-1)
        if tables[0].waits is None and tables[0].next:
            return tables[0]
    raise AssertionError("nothing is left to press")
