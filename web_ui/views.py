"""Views as bytes, each made once per step however many look at it: whole, or as what has changed since the one before.

A screen that asks for changes is sent JSON patches (RFC 6902). Each says which version of the view it follows and which
it leads to: the number of an entry, and a sum of the whole view as the screen should have it then. A screen that has
another sum asks for the whole view.
"""

from __future__ import annotations

import logging
import threading
import zlib
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from companion.play.entries import JournalLine
from companion.play.table import Actor, Table
from companion.play.view import (
    SharedParts,
    ViewParts,
    aids_in_json,
    assembled,
    helped,
    in_json,
    view_in_json,
    view_in_parts,
)
from web_ui.broadcaster import Broadcaster, Screen
from web_ui.json_patch import patch
from web_ui.streams import view_event
from web_ui.worker_pool import WorkerPool

log = logging.getLogger(__name__)

TABLES_KEPT = 64
VIEWERS_KEPT = 96  # whose last version is kept, so that they may come back and be told what has changed
DROPPED_AT_ONCE = 32
CHANGES_KEPT = 32  # for whoever comes back
CHANGES_LONGEST = 32 * 1024  # bytes of them; from there on the whole view is shorter


class Eyes(NamedTuple):
    """Who looks at which table; with the host's key, through which seat's eyes."""

    table: str
    actor: Actor
    seat: int | None = None

    @property
    def reads(self) -> int | None:
        """The seat through whose eyes it is read; None is everybody's."""
        return self.actor.seat if self.seat is None else self.seat


class ViewChanges(NamedTuple):
    """The line of those who look through the same eyes, and are told what has changed."""

    table: str
    eyes: Eyes


def eyes_of(key: Hashable) -> Actor | None:
    """Who sees a table on a line; None where it is a line of something else."""
    eyes = key.eyes if isinstance(key, ViewChanges) else key
    return eyes.actor if isinstance(eyes, Eyes) else None


class Version(NamedTuple):
    """A view as somebody has it: at which entry, and the sum of its canonical JSON."""

    seq: int
    sum: str

    @classmethod
    def read(cls, said: str) -> Version | None:
        """From how it stands in an address.

        >>> Version.read("41-9f3ab2c1"), Version.read("?")
        (Version(seq=41, sum='9f3ab2c1'), None)
        """
        seq, _, sum_ = said.partition("-")
        return cls(int(seq), sum_) if seq.isascii() and seq.isdigit() and len(seq) < 9 else None

    @classmethod
    def of(cls, seq: int, view: bytes) -> Version:
        """Of a view in canonical JSON."""
        return cls(seq, f"{zlib.crc32(view):08x}")


class Change(NamedTuple):
    """What makes one version of a view of another, as an event."""

    after: Version
    event: bytes


class Tracked:
    """A view as those who look through the same eyes have it by now, and how it came to be so."""

    def __init__(self, seq: int, parts: ViewParts) -> None:
        self.parts = parts
        self.version = Version.of(seq, assembled(parts))
        self._changes: deque[Change] = deque(maxlen=CHANGES_KEPT)

    def goes_on(self, seq: int, parts: ViewParts) -> bytes | None:
        """It has become another view; what has changed, as an event, if anything has."""
        version = Version.of(seq, assembled(parts))
        if version == self.version:
            return None
        event = _event(version, b'"after":%d,"from":"%b","patch":%b' % (*_said(self.version), patch(self.parts, parts)))
        self._changes.append(Change(self.version, event))
        self.version, self.parts = version, parts
        return event

    def whole(self) -> Callable[[], bytes]:
        """What makes the event for somebody who has no view."""
        return partial(_whole, self.version, self.parts)

    def since(self, version: Version | None) -> bytes:
        """The events for somebody who has a version; one without a sum is the newest of its number."""
        if version is not None and version in (self.version, Version(self.version.seq, "")):
            return _event(self.version, b'"after":%d,"from":"%b","patch":[]' % _said(self.version))
        changes = list(self._changes)
        for place in range(len(changes) - 1, -1, -1) if version is not None else ():
            if version in (changes[place].after, Version(changes[place].after.seq, "")):
                missed = b"".join(change.event for change in changes[place:])
                return missed if len(missed) <= CHANGES_LONGEST else self.whole()()
        return self.whole()()


def _whole(version: Version, parts: ViewParts) -> bytes:
    return _event(version, b'"view":' + assembled(parts))


def _event(version: Version, more: bytes) -> bytes:
    seq, sum_ = _said(version)
    return view_event(seq, b'{"seq":%d,"sum":"%b",%b}' % (seq, sum_, more))


def _said(version: Version) -> tuple[int, bytes]:
    return version.seq, version.sum.encode()


class NewestViews:
    """The whole views of a table at its newest entry, by who looks; `shared` is what all of them have in common."""

    __slots__ = ("seq", "shared", "texts")

    def __init__(self, seq: int) -> None:
        self.seq = seq
        self.texts: dict[Eyes, bytes] = {}
        self.shared: SharedParts | None = None


class Views:
    """The newest views of the tables somebody looks at, and their way to the open screens."""

    def __init__(self, broadcaster: Broadcaster) -> None:
        self.broadcaster = broadcaster
        self._lock = threading.Lock()
        self._newest: dict[str, NewestViews] = {}
        self._tracked: OrderedDict[ViewChanges, Tracked] = OrderedDict()
        self._background = WorkerPool("views", 1)

    def close(self) -> None:
        """Let the thread go."""
        self._background.close()

    def of(self, table: Table, eyes: Eyes, seq: int | None = None) -> bytes:
        """The table as these eyes see it, now or after an earlier entry."""
        if seq is not None and seq != table.seq:
            return view_in_json(table, eyes.actor, seq=seq, seat=eyes.seat)
        with table.lock:
            kept = self._kept(table.id, table.seq)
            found = kept.texts.get(eyes)
            if found is None:
                parts = view_in_parts(table, eyes.actor, seat=eyes.seat)
                kept.shared = parts.shared
                found = kept.texts[eyes] = in_json(table, parts, helped(table, eyes.actor, eyes.seat))
            return found

    def without_help(self, table: Table, eyes: Eyes) -> bytes:
        """The same without the help that is asked for apart."""
        with table.lock:
            return assembled(view_in_parts(table, eyes.actor, seat=eyes.seat))

    def show(self, table: Table, eyes: Eyes) -> None:
        """Tell a line the newest view."""
        with table.lock:
            self.broadcaster.tell(eyes, table.seq, view_event(table.seq, self.of(table, eyes)))

    def show_changes(self, table: Table, line: ViewChanges, screen: Screen, has: Version | None) -> None:
        """Give a screen that has just come the newest view, or what has changed since the version that it has."""
        with table.lock:
            tracked = self._go_on(table, line)
            self.broadcaster.begin(screen, line, table.seq, tracked.since(has))

    def anew(self, table: Table) -> None:
        """Tell every line of a table again: something is known of it that is no step."""
        with table.lock:
            with self._lock:
                self._newest.pop(table.id, None)
            self.changed(table, ())

    def later(self, do: Callable[[], None]) -> None:
        """Have another thread do something that tells lines anew."""
        self._background.give(do)

    def all_anew(self, at_hand: Callable[[str], Table | None]) -> None:
        """Tell every line again, by another thread: something has become of all tables that is no step."""
        self._background.give(lambda: self._all_anew(at_hand))

    def _all_anew(self, at_hand: Callable[[str], Table | None]) -> None:
        with self._lock:
            self._newest.clear()
        for name in {line.table for line in self.broadcaster.lines() if isinstance(line, Eyes | ViewChanges)}:
            table = at_hand(name)
            if table is not None:
                with suppress(Exception):  # one that cannot be shown keeps no other from it
                    self.changed(table, ())

    def forget(self, table: str) -> None:
        """A table is no more: its lines end, and whoever asks again is told so."""
        with self._lock:
            self._newest.pop(table, None)
            for line in [each for each in self._tracked if each.table == table]:
                del self._tracked[line]
        self.broadcaster.end(self.broadcaster.lines_of(table))

    def changed(self, table: Table, lines: Sequence[JournalLine]) -> None:
        """A step is on disk: every line of this table is told. Called under the table's lock."""
        for line in self.broadcaster.lines_of(table.id):
            try:
                match line:
                    case ViewChanges():
                        self._go_on(table, line)
                    case Eyes():
                        self.show(table, line)
            except Exception:  # the step is on disk and stays; the other screens are told of it all the same
                log.exception("table %s cannot be shown to %s", table.id, line)

    def _go_on(self, table: Table, line: ViewChanges) -> Tracked:
        """Have a line know the newest view. Called under the table's lock."""
        parts = view_in_parts(table, line.eyes.actor, seat=line.eyes.seat)
        with self._lock:
            tracked = self._tracked.get(line)
            if tracked is not None:
                self._tracked.move_to_end(line)
        if tracked is None:
            tracked = Tracked(table.seq, parts)
            self._keep(line, tracked)
            change: bytes | None = tracked.whole()()
        else:
            change = tracked.goes_on(table.seq, parts)
        if change is not None:
            self.broadcaster.tell_change(line, table.seq, change, tracked.whole())
        return tracked

    def _keep(self, line: ViewChanges, tracked: Tracked) -> None:
        with self._lock:
            self._tracked[line] = tracked
            if len(self._tracked) > VIEWERS_KEPT:
                watched = set(self.broadcaster.lines())
                for each in [each for each in self._tracked if each not in watched and each != line][:DROPPED_AT_ONCE]:
                    del self._tracked[each]

    def aids(self, table: Table, eyes: Eyes) -> tuple[int, bytes]:
        """The help for whoever is asked, and the number of the entry that it is for."""
        with table.lock:
            return table.seq, aids_in_json(table, helped(table, eyes.actor, eyes.seat))

    def _kept(self, table: str, seq: int) -> NewestViews:
        """The views of a table at its newest entry; those of an older one are dropped."""
        with self._lock:
            newest = self._newest.pop(table, None)
            if newest is None or newest.seq != seq:
                before, newest = newest, NewestViews(seq)
                newest.shared = before.shared if before is not None else None  # the next is made with its texts
            self._newest[table] = newest
            if len(self._newest) > TABLES_KEPT:
                del self._newest[next(iter(self._newest))]
            return newest
