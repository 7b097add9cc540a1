"""Sends events to the open screens: of each line the newest only, so that nobody waits for a slow screen.

A *line* is one thing that can be watched in one way (a table as one kind of viewer sees it, or the rig). Threads that
commit steps call `tell`; it never touches a socket. The screens live on the event loop: what is newest is written to
those that have taken all before it, framed once for all of them, and the others pick it up when they have.

A line may be told as changes: an event then says what has changed since the event before it, and a screen that missed
some gets those it missed, or all there is where that is shorter.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Hashable, Iterable
from typing import NamedTuple, Protocol

from web_ui.http_errors import Full

SETTLED_WITHIN = 0.1  # seconds a thread leaves to the screens before it goes on all the same
CHANGES_KEPT = 16  # of a line, for screens that are late
CHANGES_LONGEST = 16 * 1024  # bytes of them together


class Holder(NamedTuple):
    """For whom a stream is open: a key, or the address of somebody without one; `most` it may have at once."""

    name: str
    most: int
    keyed: bool


ANYBODY = Holder("", 1 << 30, keyed=False)


class Wire(Protocol):
    """The connection of a screen, with nothing between."""

    async def free(self) -> None:
        """Returns once all that was written has been taken."""

    def take(self, piece: bytes) -> bool:
        """Write a piece of the answer that is under way, unless something waits before it; whether it was written."""


class Screen:
    """One open stream: it sleeps until one of its lines has something new, a beat is due, or the service stops.

    :ivar first: an event for this screen alone, which comes before all others.
    :ivar wire: where what is newest may be written at once; None where a stream alone writes, or has not begun.
    """

    __slots__ = ("by", "ended", "first", "lines", "shown", "takes", "wake", "wire")

    def __init__(self, *lines: Line, by: Holder = ANYBODY) -> None:
        self.lines = lines
        self.by = by
        self.wake = asyncio.Event()
        self.shown = dict.fromkeys(lines, 0)
        self.ended = False
        self.first: bytes | None = None
        self.takes: Line | None = None  # of which line it was given the newest event last
        self.wire: Wire | None = None

    @property
    def seq(self) -> int:
        """The newest number of the line that the stream is about."""
        return self.lines[0].seq

    def news(self) -> bytes | None:
        """An event that was not sent here yet; from then on it was."""
        if self.first is not None:
            first, self.first = self.first, None
            return first
        for line in self.lines:
            newest = line.newest
            if newest.number > self.shown[line]:
                missed = newest.since(self.shown[line])
                self.shown[line] = newest.number
                self.takes = line
                return missed
        return None


class Newest(NamedTuple):
    """The newest event of a line; `number` counts its events.

    :ivar whole: makes the event for a screen that has none of those before.
    :ivar changes: the newest events with their numbers, where each says what has changed since the one before it.
    """

    number: int
    whole: Callable[[], bytes]
    changes: tuple[tuple[int, bytes], ...] = ()

    @property
    def event(self) -> bytes:
        """For a screen that has all events before it."""
        return self.changes[-1][1] if self.changes else self.whole()

    def since(self, number: int) -> bytes:
        """For a screen whose newest event has this number."""
        if not self.changes or number + 1 < self.changes[0][0]:
            return self.whole()
        return b"".join(event for each, event in self.changes if each > number)

    def followed(self, change: bytes, whole: Callable[[], bytes]) -> Newest:
        """After a change."""
        number = self.number + 1
        kept, room = [(number, change)], CHANGES_LONGEST - len(change)
        for each in reversed(self.changes):
            room -= len(each[1])
            if room < 0 or len(kept) == CHANGES_KEPT:
                break
            kept.append(each)
        return Newest(number, whole, tuple(reversed(kept)))


class Line:
    """The newest event of one thing watched in one way, and who watches."""

    __slots__ = ("began", "key", "late", "newest", "screens", "seq")

    def __init__(self, key: Hashable) -> None:
        self.key = key
        self.seq = -1
        self.newest = Newest(0, bytes)
        self.began = 0.0  # when what is newest was pressed; 0 where it was not
        self.late: set[Screen] = set()  # of the screens it was told to, who has not taken it yet
        self.screens: set[Screen] = set()


class Broadcaster:
    """All lines of a service.

    :param most: screens at once, over all lines.
    :param kept: places beside these for whoever shows a key.
    :param shown: is told how long a press took until the last screen had it.
    :param turned: is told, on the event loop, of the keys of the lines of each screen that comes, and that has left.

    ``moved`` counts how often the address has changed at which new screens find the service; ``sent`` the events.
    """

    def __init__(
        self,
        *,
        most: int,
        kept: int = 0,
        shown: Callable[[float], None] = lambda seconds: None,
        turned: Callable[[Hashable], None] = lambda key: None,
    ) -> None:
        self.most = most
        self.kept = kept
        self._shown = shown
        self._turned = turned
        self._pressed = threading.local()
        self._held: dict[Holder, dict[Screen, None]] = {}
        self.closing = False
        self.sent = 0
        self.moved = 0
        self._lock = threading.Lock()
        self._lines: dict[Hashable, Line] = {}
        self._of: dict[str, dict[Hashable, None]] = {}
        self._open = 0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._quiet = threading.Event()
        self._quiet.set()

    @property
    def screens(self) -> int:
        """How many screens are open."""
        return self._open

    def lines(self) -> list[Hashable]:
        """The keys of the lines that somebody watches now."""
        with self._lock:
            return list(self._lines)

    def lines_of(self, table: str) -> list[Hashable]:
        """The keys of the lines of a table that somebody watches now; the other tables' are not looked at for it."""
        with self._lock:
            return list(self._of.get(table, ()))

    def leave_places(self, connections: int) -> None:
        """Where there are few connections at all, have no more than half of them be live lines."""
        self.most = min(self.most, connections // 2)
        self.kept = min(self.kept, connections // 8)

    def check_room(self, by: Holder) -> None:
        """Refuse whom no place would be given. On the event loop only."""
        with self._lock:
            self._giving_way(by)

    def open(self, *keys: Hashable, by: Holder = ANYBODY) -> Screen:
        """A place at one or more lines. Where all are taken, whoever has most of them gives one up.

        On the event loop only.
        """
        with self._lock:
            gives_way = self._giving_way(by)
            if gives_way is not None:
                self._let_go(gives_way)
                gives_way.ended = True
                gives_way.wake.set()
            self._loop = asyncio.get_running_loop()
            self._open += 1
            screen = Screen(*(self._lines.setdefault(key, Line(key)) for key in keys), by=by)
            self._held.setdefault(by, {})[screen] = None
            for line in screen.lines:
                line.screens.add(screen)
                if (table := _table_of(line.key)) is not None:
                    self._of.setdefault(table, {})[line.key] = None
        for line in screen.lines:
            self._turned(line.key)
        return screen

    def leave(self, screen: Screen) -> None:
        """Give the place back. On the event loop only."""
        with self._lock:
            self._let_go(screen)
            for line in screen.lines:
                line.screens.discard(screen)
                if line.screens:
                    self._took(line, screen)  # the others are not waited for by it
                else:
                    self._lines.pop(line.key, None)
                    self._leave_table(line.key)
        for line in screen.lines:
            self._turned(line.key)

    def _leave_table(self, key: Hashable) -> None:
        table = _table_of(key)
        if table is not None and table in self._of:
            self._of[table].pop(key, None)
            if not self._of[table]:
                del self._of[table]

    def _let_go(self, screen: Screen) -> None:
        """Its place is another's now; it may be let go once more."""
        held = self._held.get(screen.by, {})
        if screen in held:
            self._open -= 1
            del held[screen]
            if not held:
                del self._held[screen.by]

    def _giving_way(self, by: Holder) -> Screen | None:
        """Whose place a newcomer is given, if it is anybody's.

        :raises Full: where nobody has more than the newcomer would have.
        """
        own = self._held.get(by, {})
        if by.keyed and len(own) >= by.most:
            return next(iter(own))  # a page that was loaded again leaves its old line behind
        room = self.most + (self.kept if by.keyed else 0)
        if self._open < room and len(own) < by.most:
            return None
        rivals = [held for holder, held in self._held.items() if by.keyed or not holder.keyed]
        richest = max(rivals, key=len, default={})
        if len(own) < by.most and len(richest) > len(own) + 1 and by is not ANYBODY:
            return next(iter(richest))
        raise Full("web.full", n=self.most)

    def tell(self, key: Hashable, seq: int, event: bytes) -> None:
        """An event is the newest of a line, unless a newer was told before. From any thread; waits for no screen.

        What is the same as before is not told again; another event of the same number is, in the order of the calls.
        """
        with self._lock:
            line = self._lines.get(key)
            if line is not None and seq >= line.seq and (seq != line.seq or event != line.newest.whole()):
                self._told(line, seq, Newest(line.newest.number + 1, lambda: event))

    def tell_change(self, key: Hashable, seq: int, change: bytes, whole: Callable[[], bytes]) -> None:
        """The same of a line that is told as changes.

        :param whole: makes the event for a screen that has not all before it.
        """
        with self._lock:
            line = self._lines.get(key)
            if line is not None:
                self._told(line, seq, line.newest.followed(change, whole))

    def begin(self, screen: Screen, key: Hashable, seq: int, first: bytes) -> None:
        """Give a screen its first event: all there is of a line so far, or what it has not of that."""
        with self._lock:
            for line in screen.lines:
                if line.key == key:
                    line.seq = max(line.seq, seq)
                    screen.first, screen.shown[line] = first, line.newest.number
                    line.late.discard(screen)

    def _told(self, line: Line, seq: int, newest: Newest) -> None:
        if self._loop is None:
            return
        line.seq, line.newest = seq, newest
        line.began, line.late = getattr(self._pressed, "at", 0.0), set(line.screens)
        self.sent += 1
        self._quiet.clear()
        self._loop.call_soon_threadsafe(self._wake, line)

    def pressed(self, began: float) -> None:
        """What this thread tells from now on comes from a press of that moment; of 0, from none."""
        self._pressed.at = began

    def took(self, screen: Screen) -> None:
        """A screen's connection has taken what was newest. On the event loop only."""
        line = screen.takes
        if line is not None and screen.shown[line] == line.newest.number:
            self._took(line, screen)

    def _took(self, line: Line, screen: Screen) -> None:
        """Nobody waits for this screen any more."""
        late, began = line.late, line.began
        if screen in late:
            late.discard(screen)
            if not late and began:
                self._shown(time.perf_counter() - began)

    def end(self, keys: Iterable[Hashable]) -> None:
        """What these lines were about is no more: their screens are let go. From any thread."""
        with self._lock:
            screens = [screen for key in keys if key in self._lines for screen in self._lines[key].screens]
            for screen in screens:
                screen.ended = True
            if self._loop is not None and screens:
                self._loop.call_soon_threadsafe(_wake_all, screens)

    def settle(self) -> None:
        """Wait until what was told is on its way to the screens: meanwhile the loop has Python to itself."""
        self._quiet.wait(SETTLED_WITHIN)

    def close(self) -> None:
        """The service stops: every screen is told so and its stream ends. On the event loop only."""
        self.closing = True
        for line in self._lines.values():
            _wake_all(line.screens)

    def _wake(self, line: Line) -> None:
        """What is newest goes to every screen that is free for it; the others are woken, to take it when they are."""
        newest = line.newest
        before, piece, busy = newest.number - 1, framed(newest.event), []
        for screen in line.screens:
            shown = screen.shown[line]
            follows = shown == before or (shown < before and not newest.changes)
            if follows and screen.first is None and screen.wire is not None and screen.wire.take(piece):
                screen.shown[line] = newest.number
                self._took(line, screen)
            else:
                busy.append(screen)
        _wake_all(busy)
        if busy:
            asyncio.get_running_loop().call_soon(self._quiet.set)  # its turn comes after that of all these screens
        else:
            self._quiet.set()


def framed(event: bytes) -> bytes:
    """A piece of an answer as HTTP/1.1 sends it where nobody knows how long that will be.

    >>> framed(b"data: {}")
    b'8\\r\\ndata: {}\\r\\n'
    """
    return b"%x\r\n%b\r\n" % (len(event), event)


def _table_of(key: Hashable) -> str | None:
    """The table that a line is of, if it is of one."""
    table = getattr(key, "table", None)
    return table if isinstance(table, str) else None


def _wake_all(screens: Iterable[Screen]) -> None:
    for screen in screens:
        screen.wake.set()
