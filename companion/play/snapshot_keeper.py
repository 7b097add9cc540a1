"""Writes the snapshots of long tables while they are played, in a thread of its own that keeps nobody waiting."""

from __future__ import annotations

import logging
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from pathlib import Path
from weakref import ref

from companion.play.entries import JournalLine, StepsUndone
from companion.play.replays import SHORT
from companion.play.snapshots import Snapshots
from companion.play.table import Table
from companion.play.view import LOG_LINES
from companion.refusals import Storage

log = logging.getLogger(__name__)

EVERY = 32  # entries from one snapshot to the next
REST = 5  # times as long as the thread worked it then rests, after a whole table was played again


class SnapshotWriter:
    """Keeps the snapshots of the tables of a hall.

    Of a table that was opened from a snapshot and is played at all entries are read: so damage to old ones is noticed,
    and all of them can be saved should the disk be lost.

    :param damaged: is told of a table of which an old entry is not as it was written.
    """

    def __init__(
        self, folder: Path, *, damaged: Callable[[str], None], rest: Callable[[float], object] | None = None
    ) -> None:
        self._snapshots = Snapshots(folder)
        self.read, self.drop = self._snapshots.read, self._snapshots.drop
        self._closing = threading.Event()
        self._rest = rest or self._closing.wait
        self._damaged = damaged
        self._lock = threading.Condition()
        self._writing = threading.Lock()  # two who wrote the same file would take it from each other
        self._newest: dict[str, int] = {}  # by table, from where on its newest snapshot is
        self._wanted: OrderedDict[str, tuple[ref[Table], bool]] = OrderedDict()
        self._thread: threading.Thread | None = None

    def stepped(self, table: Table, lines: Sequence[JournalLine]) -> None:
        """A step was made at a table: where it is long, its snapshot is soon to be a newer one."""
        if table.seq <= SHORT or not table.kept:
            return
        kept = self._newest.get(table.id, table.base)
        leads_back = any(isinstance(line.entry, StepsUndone) and line.entry.to < kept for line in lines)
        partly = table.written.base > 0
        if leads_back or partly or any(line.seq % EVERY == 0 for line in lines) or table.id not in self._newest:
            self.note(table, whole=partly)

    def note(self, table: Table, *, whole: bool = False, now: bool = False) -> None:
        """Have a snapshot made of a table.

        :param whole: and have all its entries at hand.
        :param now: by whoever calls.
        """
        if now:
            self._write(table)
            return
        with self._lock:
            before = self._wanted.pop(table.id, None)
            self._wanted[table.id] = (ref(table), whole or bool(before and before[1]))
            if self._thread is None and not self._closing.is_set():
                self._thread = threading.Thread(target=self._work, name="snapshots", daemon=True)
                self._thread.start()
            self._lock.notify()

    def close(self) -> None:
        """Write what is wanted, and stop."""
        with self._lock:
            self._closing.set()
            self._lock.notify()
        if self._thread is not None:
            self._thread.join()

    def _work(self) -> None:
        while True:
            with self._lock:
                while not self._wanted and not self._closing.is_set():
                    self._lock.wait()
                if not self._wanted:
                    return
                _, (held, whole) = self._wanted.popitem(last=False)
            table = held()
            if table is not None:
                try:
                    self._do(table, whole=whole and not self._closing.is_set())
                except Exception:  # a snapshot is a help, and no more
                    log.exception("no snapshot of table %s", table.id)
            del table

    def _do(self, table: Table, *, whole: bool) -> None:
        self._write(table)
        if whole and table.written.base:
            began = time.perf_counter()
            try:
                table.all_written()
            except Storage as damaged:
                log.error("a table cannot be read whole: %s", damaged)
                self.drop(table.id)
                self._damaged(table.id)
            self._rest(REST * (time.perf_counter() - began))

    def _write(self, table: Table) -> None:
        with self._writing:
            with table.lock:
                snapshot = table.snapshot(LOG_LINES + 1)
            if snapshot is not None:
                self._snapshots.write(table.id, table.dealer.secret, snapshot)
                self._newest[table.id] = snapshot.base
