"""The tables of a data folder that are in memory: opened when they are asked for, and kept up to date."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from weakref import WeakValueDictionary

import msgspec

from companion import games
from companion.boxes import Box
from companion.game import Ask, Finished, Seat, Setup
from companion.play.entries import EndFound, JournalLine, Keys, Laid
from companion.play.history import History
from companion.play.journal import Journal
from companion.play.opening import history_of, table_of
from companion.play.replays import SHORT, check_may_replay
from companion.play.seating import Seating
from companion.play.snapshot_keeper import SnapshotWriter
from companion.play.snapshots import Snapshot
from companion.play.sqlite_journal import SqliteJournal
from companion.play.table import SPECTATOR, Actor, Table
from companion.refusals import AsTyped, Malformed, Missing, Refusal, Storage, StorageUnavailable, as_typed

log = logging.getLogger(__name__)

PAGE = 200  # tables that are listed together
SHORTLY = 12 * 60 * 60 * 1000  # milliseconds: tables laid within them count as laid on the same evening
AT_HAND = 24  # tables kept in memory, half a MB each; any other is read from the journal when it is asked for


class Summary(msgspec.Struct, frozen=True):
    """A table in the list of tables."""

    table: str
    box: str
    mode: str
    seats: tuple[Seat, ...]
    laid_at: int
    played_at: int
    seq: int
    over: bool
    end: EndFound | None = None


class OpenTables:
    """The tables of one data folder, by their ids.

    :param folder: where the journal is, and ``boxes/`` with the owner's own box files.
    :param clock: gives milliseconds since 1970; without one, that of all who may write.
    :param reading: only read, beside the process that writes.
    :param journal: where the tables are kept; without one, in a file in the folder.
    """

    def __init__(
        self,
        folder: Path,
        *,
        clock: Callable[[], int] | None = None,
        reading: bool = False,
        journal: Journal | None = None,
    ) -> None:
        self.folder = folder
        self.journal: Journal = journal or SqliteJournal(folder, reading=reading)
        self._reading = reading
        self._wall_clock = clock or self.journal.now
        self._last_time = 0
        self._tables: WeakValueDictionary[str, Table] = WeakValueDictionary()  # that are in memory
        self._snapshots = SnapshotWriter(folder, damaged=self._forget)
        self._at_hand: dict[str, Table] = {}  # that stay in memory: those asked for last
        self._unread: set[str] = set()  # tables whose end could not be worked out
        self._all_counted = False  # whether every table that is over has its end noted
        self._lock = threading.RLock()
        self._opening: dict[str, threading.Lock] = {}
        self._on_open: list[Callable[[Table], None]] = []
        self._on_close: list[Callable[[str], None]] = []
        self._on_remote_change: list[Callable[[Collection[str] | None], None]] = []
        if not reading and self.journal.shared:
            self.journal.listen(self._others_wrote)
        elif not reading:  # where others write too, one process with a wrong clock must not set that of all
            self._last_time = self.journal.newest()

    def now(self) -> int:
        """Milliseconds since 1970, by the clock of the entries."""
        return self._clock()

    def _clock(self) -> int:
        """The time, which never goes back even if the machine's clock is set: the newest table stays on top."""
        self._last_time = max(self._last_time, self._wall_clock())
        return self._last_time

    @property
    def own_boxes(self) -> Path:
        """Where the owner's box files lie."""
        return self.folder / "boxes"

    def box(self, name: str) -> Box:
        """A box with the owner's figures, if there are any."""
        if name not in games.names():
            raise Missing("core.no_box", box=AsTyped(name), known=as_typed(games.names()))
        return games.box(name, overrides=self.own_boxes)

    def setup(self, table: str) -> Setup:
        """How a table was laid, without opening it."""
        check_id(table)
        found = self._tables.get(table)
        return found.setup if found is not None else self.journal.laying_of(table)[0].setup

    def at_hand(self, table: str) -> Table | None:
        """A table, if it is in memory."""
        return self._tables.get(table)

    def table(self, table: str) -> Table:
        """A table by its id; read from the journal the first time."""
        check_id(table)
        with self._lock:
            found = self._tables.get(table)
            if found is not None:
                self._keep_at_hand(found)
                return found
            opening = self._opening.setdefault(table, threading.Lock())
        with opening:  # requests for other tables do not wait until this one has been replayed
            found = self._tables.get(table)
            if found is None:
                try:
                    found = self._read(table)
                finally:
                    self._opening.pop(table, None)
            return found

    def _read(self, table: str) -> Table:
        """Read a table from the journal: its newest entries and a snapshot, where there is one that fits.

        :raises Asleep: where it has to be replayed from its first entry, and this request may not wait for that.
        """
        laid, secret, keys = self.journal.laying_of(table)
        snapshot, lines = self._snapshot(table, secret)
        if snapshot is not None:
            return self._open(laid, secret, keys, lines, snapshot)
        is_long = self.journal.length(table) > SHORT
        if is_long:
            check_may_replay(table)
        found = self._open(laid, secret, keys, self.journal.entries(table))
        if is_long and not self._reading:
            self._snapshots.note(found)
        return found

    def _snapshot(self, table: str, secret: bytes) -> tuple[Snapshot | None, list[JournalLine]]:
        """The snapshot of a table and the entries after it, where there is one that fits the journal."""
        snapshot = None if self._reading else self._snapshots.read(table, secret)
        if snapshot is None:
            return None, []
        lines = self.journal.entries(table, snapshot.base - 1)
        if len(lines) > 1 and (lines[0].seq, lines[0].link) == (snapshot.base, snapshot.link):
            return snapshot, lines[1:]
        self._snapshots.drop(table)
        return None, []

    def get_ready(self, goes_on: Callable[[float], bool]) -> None:
        """Make the missing snapshots of long tables.

        :param goes_on: is called after each with the seconds it took; it may wait, and returns whether to go on.
        """
        first = 0
        while page := self.tables(first, PAGE):
            first += len(page)
            for each in page:
                began = time.perf_counter()
                with suppress(Refusal):
                    if each.seq > SHORT and self.at_hand(each.table) is None and not self._has_snapshot(each.table):
                        self._snapshots.note(self.table(each.table), now=True)
                if each.seq > SHORT and not goes_on(time.perf_counter() - began):
                    return

    def _has_snapshot(self, table: str) -> bool:
        _, secret, _ = self.journal.laying_of(table)
        return self._snapshot(table, secret)[0] is not None

    def _open(
        self,
        laid: Laid,
        secret: bytes,
        keys: Keys,
        written: Sequence[JournalLine] = (),
        snapshot: Snapshot | None = None,
        *,
        fresh: bool = False,
    ) -> Table:
        table = table_of(laid, secret, keys, self.journal, clock=self._clock, written=written, snapshot=snapshot)
        if fresh:
            self.journal.lay(laid, secret, keys, written)
        else:
            table.went = self.journal.going(laid.table)
        if table.over():
            table.next = self.journal.following(table.id)
        if not self._reading:
            table.listen(self._finish)
            table.listen(self._snapshots.stepped)
            self._finish(table, ())
        with self._lock:  # held only briefly: the journal is not read meanwhile
            self._tables[laid.table] = table
            self._keep_at_hand(table)
            for opened in self._on_open:
                opened(table)
        if not fresh:
            self._follow(table)  # what other processes made while it was read
        return table

    def _keep_at_hand(self, table: Table) -> None:
        """Keep the tables asked for last in memory; an older one stays only as long as somebody holds it."""
        self._at_hand.pop(table.id, None)
        self._at_hand[table.id] = table
        if len(self._at_hand) > AT_HAND:
            del self._at_hand[next(iter(self._at_hand))]

    def _forget(self, table: str) -> None:
        with self._lock:
            self._at_hand.pop(table, None)
            self._tables.pop(table, None)
            self._unread.discard(table)
        for closed in self._on_close:
            closed(table)

    def _finish(self, table: Table, written: Sequence[JournalLine]) -> None:
        if table.settled():
            self._note_end(table.id, table.ask())

    def _note_end(self, table: str, ask: Ask) -> None:
        if isinstance(ask, Finished):
            totals = {score.seat: score.total for score in ask.scores}
            end = EndFound(tuple(totals[seat] for seat in sorted(totals)), ask.winners)
            with suppress(Storage):  # the last step is on disk and counts; the list is put right another time
                self.journal.finish(table, end)

    def on_open(self, opened: Callable[[Table], None]) -> None:
        """Call `opened` with every table that is in memory, or will be."""
        with self._lock:
            self._on_open.append(opened)
            for table in self._tables.values():
                opened(table)

    def on_close(self, closed: Callable[[str], None]) -> None:
        """Call `closed` with the id of every table that is dropped from memory: deleted, damaged, or replaced."""
        self._on_close.append(closed)

    def look_again(self, table: Table) -> None:
        """Catch up with other processes; where the database is away, `behind_since` says so from then on."""
        if self.journal.shared and table.kept and self.journal.behind_since() is None:
            try:
                table.catch_up()
            except StorageUnavailable:
                self.journal.lose_sight()

    def on_remote_change(self, changed: Callable[[Collection[str] | None], None]) -> None:
        """Call `changed` with the ids of tables at which another process made steps; with None where it may be any."""
        self._on_remote_change.append(changed)

    def _others_wrote(self, news: Mapping[str, int] | None) -> None:
        """Catch up at tables that somebody holds; others are dropped, and read again when they are asked for."""
        with self._lock:
            named = [table for table in (self._tables if news is None else news) if table in self._tables]
            for name in named:
                self._at_hand.pop(name, None)
            held = [table for name in named if (table := self._tables.get(name)) is not None]
        for table in held:
            if news is not None and news[table.id] == 0 and not self.journal.knows(table.id):
                self._forget(table.id)
                continue
            try:
                self._follow(table)
            except StorageUnavailable:
                raise
            except Missing:
                continue
            except ValueError:  # a step of a newer Digside, perhaps: opening it again tells what is wrong
                log.exception("table %s cannot be followed", table.id)
                self._forget(table.id)
        for changed in self._on_remote_change:
            changed(news)

    def _follow(self, table: Table) -> None:
        """Catch up with other processes; a table that was deleted meanwhile is forgotten.

        :raises Missing: where it was.
        """
        seq = table.seq
        if self.journal.shared:
            table.catch_up()
        if table.kept and table.seq == seq and not self.journal.knows(table.id):
            self._forget(table.id)
            raise Missing("core.no_table", table=AsTyped(table.id))

    def close(self) -> None:
        self._snapshots.close()
        self.journal.close()

    def tables(self, first: int = 0, most: int | None = None, *, over: bool = False) -> list[Summary]:
        """Tables, the newest first, without opening any.

        :param first: leave out so many of the newest.
        :param most: list at most so many; None for all.
        :param over: only those that are over.
        """
        found = self.journal.summaries(first, most, over=over)
        seatings = self.journal.seatings([each.brief.table for each in found])
        return [
            Summary(
                laid.table,
                laid.setup.box,
                laid.setup.mode,
                Seating(seatings[laid.table].seats).plain if laid.table in seatings else laid.setup.seats,
                laid.at,
                played or laid.at,
                seq,
                is_over,
                end,
            )
            for laid, seq, played, is_over, end in found
        ]

    def dropped_before(self, table: Table) -> int:
        """How many tables of the same box were laid shortly before, and abandoned once this was laid; up to a hundred.

        Laying tables until the luck of one pleases would look like that.
        """
        return self.journal.left_before(table.laid, table.laid.at - SHORTLY)

    def count_up(self, most: int) -> bool:
        """Note the ends of some tables that were over before ends were noted, for the list; skip unreadable ones.

        :returns: whether there are more.
        """
        if self._all_counted:
            return False
        ahead = [table for table in self.journal.unnoted() if table not in self._unread]
        self._all_counted = not ahead
        for table in ahead[:most]:
            try:
                laid, _, _ = self.journal.laying_of(table)
                self._note_end(table, retraced(laid, self.journal.entries(table)).ask())
            except ValueError:
                self._unread.add(table)
        return len(ahead) > most

    def actor(self, table: Table, key: str | None) -> Actor | None:
        """Who holds a key: a spectator without one, None where the key is not of this table."""
        return SPECTATOR if key is None else table.seating.holder(table.keys, key)

    def actor_by(self, table: str, key: str) -> Actor | None:
        """Who holds a key of a table, without opening it."""
        check_id(table)
        found = self._tables.get(table)
        if found is not None:
            return found.seating.holder(found.keys, key)
        keys = self.journal.keys(table)
        seating = Seating.begun([Seat("")] * len(keys.seats))
        newest = self.journal.seatings([table]).get(table)
        return (seating.followed(newest) if newest else seating).holder(keys, key)


def check_id(table: str) -> None:
    """Refuse an id that no table can have, before the journal is asked for it."""
    if not (table.isascii() and table.isprintable()):
        raise Missing("core.no_table", table=AsTyped("?"))


def retraced(laid: Laid, written: Sequence[JournalLine]) -> History:
    """The history of a table that may be forged: every entry is checked.

    :raises Malformed: where one of them is none that a table would have written.
    """
    history = history_of(laid)
    try:
        for line in written:
            history.follow(line)
    except ValueError as error:
        raise Malformed("core.not_a_record").because(error) from None
    return history
