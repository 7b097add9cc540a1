"""Views in bytes: each different one is made once per step, however many look at it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from companion.play.entries import JournalLine
from companion.play.table import Actor, Table
from companion.play.view import view
from web_ui.hub import Hub
from web_ui.streams import view_event

log = logging.getLogger(__name__)

TABLES_KEPT = 64

_encode = msgspec.json.Encoder().encode


class Eyes(NamedTuple):
    """Who looks at which table; with the host's key, through which seat's eyes."""

    table: str
    actor: Actor
    seat: int | None = None


class Views:
    """The newest views of the tables somebody looks at, and their way to the open screens."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self._lock = threading.Lock()
        self._newest: dict[str, tuple[int, dict[Eyes, bytes]]] = {}

    def of(self, table: Table, eyes: Eyes, seq: int | None = None) -> bytes:
        """The table as these eyes see it, now or after an earlier entry."""
        with table.lock:
            newest = table.seq
            if seq is not None and seq != newest:
                return _encode(view(table, eyes.actor, seq=seq, seat=eyes.seat))
            kept = self._kept(table.id, newest)
            found = kept.get(eyes)
            if found is None:
                found = kept[eyes] = _encode(view(table, eyes.actor, seat=eyes.seat))
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

    def forget(self, table: str) -> None:
        """A table is no more: its lines end, and whoever asks again is told so."""
        with self._lock:
            self._newest.pop(table, None)
        self.hub.end(self.hub.lines_of(table))

    def changed(self, table: Table, lines: Sequence[JournalLine]) -> None:
        """A step is on disk: every line of this table is told. Called under the table's lock."""
        for eyes in self.hub.lines_of(table.id):
            if isinstance(eyes, Eyes):
                try:
                    self.show(table, eyes)
                except Exception:  # the step is on disk and stays; the other screens are told of it all the same
                    log.exception("table %s cannot be shown to %s", table.id, eyes.actor)

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
