"""Views in bytes: each different one is made once per step, however many look at it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import NamedTuple

from companion.play.entries import JournalLine
from companion.play.table import Actor, Table
from companion.play.view import view_in_json
from web_ui.hands import Hands, Job
from web_ui.hub import Hub
from web_ui.streams import view_event

log = logging.getLogger(__name__)

TABLES_KEPT = 64


class Eyes(NamedTuple):
    """Who looks at which table; with the host's key, through which seat's eyes."""

    table: str
    actor: Actor
    seat: int | None = None


class Foreseen(NamedTuple):
    """What all who watch a table will see of it, once it is as it was foreseen."""

    table: Table
    views: dict[Eyes, bytes]


def _foreseen(table: Table, eyes: Sequence[Eyes]) -> Foreseen:
    return Foreseen(table, {each: _seen(table, each) for each in eyes})


def _seen(table: Table, eyes: Eyes) -> bytes:
    return view_in_json(table, eyes.actor, seat=eyes.seat)


class Views:
    """The newest views of the tables somebody looks at, and their way to the open screens.

    While a step is on its way to the disk, a thread makes the views of the table as it will be; they are told then.
    """

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self._lock = threading.Lock()
        self._newest: dict[str, tuple[int, dict[Eyes, bytes]]] = {}
        self._ahead: dict[str, Job[Foreseen]] = {}
        self._hands = Hands("views", 1)

    def close(self) -> None:
        """Look ahead no more."""
        self._hands.close()

    def foresee(self, table: Table, twin: Callable[[], Table]) -> Callable[[bool], object]:
        """Have the views made of a table as it will be. Called under the table's lock."""
        eyes = self._watching(table.id)
        if not eyes:
            return bool
        job = Job(lambda: _foreseen(twin(), eyes))
        self._hands.give(job.run)

        def end(kept: bool) -> None:
            if job.settled() and kept:
                self._ahead[table.id] = job

        return end

    def of(self, table: Table, eyes: Eyes, seq: int | None = None) -> bytes:
        """The table as these eyes see it, now or after an earlier entry."""
        if seq is not None and seq != table.seq:
            return view_in_json(table, eyes.actor, seq=seq, seat=eyes.seat)
        with table.lock:
            newest = table.seq
            kept = self._kept(table.id, newest)
            found = kept.get(eyes)
            if found is None:
                found = kept[eyes] = _seen(table, eyes)
            return found

    def show(self, table: Table, eyes: Eyes) -> None:
        """Tell a line the newest view."""
        with table.lock:
            self.hub.tell(eyes, table.seq, view_event(table.seq, self.of(table, eyes)))

    def anew(self, table: Table) -> None:
        """Tell every line of a table again: something is known of it that is no step."""
        with table.lock:
            with self._lock:
                self._newest.pop(table.id, None)
            self.changed(table, ())

    def all_anew(self, at_hand: Callable[[str], Table | None]) -> None:
        """Tell every line again, by another thread: something has become of all tables that is no step."""
        self._hands.give(lambda: self._all_anew(at_hand))

    def _all_anew(self, at_hand: Callable[[str], Table | None]) -> None:
        with self._lock:
            self._newest.clear()
        for name in {eyes.table for eyes in self.hub.lines() if isinstance(eyes, Eyes)}:
            table = at_hand(name)
            if table is not None:
                with suppress(Exception):  # one that cannot be shown keeps no other from it
                    self.changed(table, ())

    def forget(self, table: str) -> None:
        """A table is no more: its lines end, and whoever asks again is told so."""
        with self._lock:
            self._newest.pop(table, None)
        self.hub.end(self.hub.lines_of(table))

    def changed(self, table: Table, lines: Sequence[JournalLine]) -> None:
        """A step is on disk: every line of this table is told. Called under the table's lock."""
        self._take_foreseen(table)
        for eyes in self._watching(table.id):
            try:
                self.show(table, eyes)
            except Exception:  # the step is on disk and stays; the other screens are told of it all the same
                log.exception("table %s cannot be shown to %s", table.id, eyes.actor)

    def _watching(self, table: str) -> list[Eyes]:
        """By which eyes a table is watched now."""
        return [each for each in self.hub.lines_of(table) if isinstance(each, Eyes)]

    def _take_foreseen(self, table: Table) -> None:
        """Take the views that were made ahead, if it was this that was foreseen."""
        job = self._ahead.pop(table.id, None)
        if job is None:  # nobody had come to it: they are made now
            return
        with suppress(Exception):  # what goes wrong ahead goes wrong again now, and is told then
            twin, views = job.result()
            if twin.written[-1] is table.written[-1]:
                table.read = twin.read
                self._kept(table.id, table.seq).update(views)

    def _kept(self, table: str, seq: int) -> dict[Eyes, bytes]:
        """The views of a table at its newest entry; those of an older one are dropped."""
        with self._lock:
            newest, kept = self._newest.pop(table, (-1, {}))
            if newest != seq:
                kept = {}
            self._newest[table] = (seq, kept)
            if len(self._newest) > TABLES_KEPT:
                del self._newest[next(iter(self._newest))]
            return kept
