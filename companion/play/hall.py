"""All tables of a data folder: laid, opened again after a stop, listed, imported and proved."""

from __future__ import annotations

import logging
import secrets
import tempfile
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from weakref import WeakValueDictionary

import msgspec

from companion import __version__, games
from companion.boxes import Box, Value, content_of, owners
from companion.game import Ask, Finished, Seat, Setup
from companion.play.chain import VERSION, Chain, beginning
from companion.play.codes import random_code
from companion.play.dealer import SealedDealer
from companion.play.entries import (
    Arrival,
    Departure,
    EndFound,
    Entry,
    JournalLine,
    Keys,
    Laid,
    MaskedEntry,
    SealRenewed,
    SeatsChanged,
    TableArrived,
    TableLeft,
    TableStayed,
    TableSummary,
)
from companion.play.history import History
from companion.play.journal import Journal, NoJournal
from companion.play.laid_game import TOGETHER
from companion.play.opening import history_of, table_of
from companion.play.record import Record, bounded, check_arrives, export, head_of, opened_secret
from companion.play.replays import SHORT, check_may_replay
from companion.play.seating import LONGEST_NAME, Seating, named
from companion.play.sitting import check_setup
from companion.play.snapshot_keeper import SnapshotWriter
from companion.play.snapshots import Snapshot
from companion.play.sqlite_journal import SqliteJournal
from companion.play.story import account_of
from companion.play.table import HOST, SPECTATOR, Actor, Table
from companion.refusals import (
    AsTyped,
    CommitOutcomeUnknown,
    Illegal,
    LostRace,
    Malformed,
    Missing,
    Refusal,
    Storage,
    StorageUnavailable,
    as_typed,
)

log = logging.getLogger(__name__)

LEFT_FREE = 50 * 1000 * 1000  # bytes on the disk for the steps of the tables there are
PAGE = 200  # tables that are looked at together
SHORTLY = 12 * 60 * 60 * 1000  # milliseconds before a table was laid in which others were laid for the same evening
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


class Hall:
    """The tables of one data folder; the only process that writes there.

    :param folder: where the journal is, and ``boxes/`` with the owner's own box files.
    :param clock: gives milliseconds since 1970; without one, that of all who may write.
    :param reading: only look, beside whoever writes.
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
        self._wall = clock or self.journal.now
        self._last_told = 0
        self._tables: WeakValueDictionary[str, Table] = WeakValueDictionary()
        self._snapshots = SnapshotWriter(folder, damaged=self._forget)
        self._at_hand: dict[str, Table] = {}
        self._unread: set[str] = set()
        self._all_counted = False
        self._lock = threading.RLock()
        self._opening: dict[str, threading.Lock] = {}
        self._welcomes: list[Callable[[Table], None]] = []
        self._saved: Path | None = None
        self._farewells: list[Callable[[str], None]] = []
        self._overhears: list[Callable[[Collection[str] | None], None]] = []
        if not reading and self.journal.shared:
            self.journal.listen(self._others_wrote)
        elif not reading:  # where others write, too, one whose clock was wrong must not spoil everybody's hours
            self._last_told = self.journal.newest()

    def check_on_file(self) -> None:
        """Refuse what is done with the file of a machine, where the tables are in a database.

        :raises Illegal: there.
        """
        if self.journal.shared:
            raise Illegal("evening.backups.in_database")

    def now(self) -> int:
        """Milliseconds since 1970, by the clock of the entries."""
        return self._clock()

    def _clock(self) -> int:
        """The time, which never goes back, whatever is done to the machine's clock: what is newest stays on top."""
        self._last_told = max(self._last_told, self._wall())
        return self._last_told

    @property
    def own_boxes(self) -> Path:
        """Where the owner's box files lie."""
        return self.folder / "boxes"

    def box(self, name: str) -> Box:
        """A box with the owner's figures, if there are any."""
        if name not in games.names():
            raise Missing("core.no_box", box=AsTyped(name), known=as_typed(games.names()))
        return games.box(name, overrides=self.own_boxes)

    def differing(self, table: Table) -> dict[str, Value]:
        """The figures of the copy that lies on a table, where everybody has seen that they are otherwise."""
        with table.lock:
            settled = table.hinge(table.seq) is None
            return table.game.noted(table.state, None, settled=settled)

    def is_noted(self, table: Table) -> bool:
        """Whether the owner's file has these figures."""
        box, figures = self.box(table.setup.box), self.differing(table)
        return all(owners.has(box, key, value) for key, value in figures.items())

    def note(self, table: Table) -> None:
        """Write these figures into the owner's file, for the tables to come. Nothing but an owner's press does so."""
        owners.write_figures(self.own_boxes, table.setup.box, self.differing(table))

    def lay(self, setup: Setup, *, secret: bytes | None = None, kept: bool = True, after: str | None = None) -> Table:
        """Lay a new table.

        :param secret: the 32 bytes the luck comes from; fresh ones unless a test says otherwise.
        :param kept: False for a table that is only shown: it is in no journal and in no list.
        :param after: the table that the same people played before.
        """
        if kept:
            self._check_room()
        box = self.box(setup.box)
        check_setup(setup)
        setup = games.with_defaults(msgspec.structs.replace(setup, seats=named(setup.seats)), box)
        game = games.open_game(setup, box)
        secret = secret if secret is not None else secrets.token_bytes(32)
        seal = SealedDealer(secret).seal
        content = msgspec.json.decode(msgspec.json.encode(content_of(box)))
        rules, now = game.rules_version, self._clock()
        digest, new = box.digest, self._new_id()
        laid = Laid(
            new,
            now,
            setup,
            content,
            digest,
            rules,
            seal,
            __version__,
            after,
            chain=VERSION,
            confirms=True,
            luck=TOGETHER,
        )
        keys = _new_keys(len(setup.seats))
        if kept:
            return self._open(laid, secret, keys, fresh=True)
        table = table_of(laid, secret, keys, NoJournal(), clock=self._clock)
        with self._lock:
            self._tables[laid.table] = table
        return table

    def rematch(self, table: Table) -> Table:
        """The next table of the same people: with the same seats, options and sources. It is laid once.

        Whoever asks for it confirms an end that hangs on a report.

        :raises Illegal: before the end.
        """
        with table.lock:
            table.check_here()
            if not table.over():
                raise Illegal("core.before_the_end")
            if not table.settled():
                table.settle(HOST, table.seq, f"rematch {table.seq}")
        following = self.journal.following(table.id)
        if following is None:
            account = account_of(table)
            setup = msgspec.structs.replace(table.setup, seats=table.seats_now())
            setup = account.once_more(setup) if account else setup
            try:
                following = self._laid_after(table, setup).id
            except LostRace:  # somebody else laid it just now
                following = self.journal.following(table.id)
                if following is None:
                    raise
        table.next = following
        return self.table(following)

    def _laid_after(self, table: Table, setup: Setup) -> Table:
        """The next table, with the same devices at its seats and the same host."""
        following, seating = self.lay(setup, after=table.id), table.seating
        now = [msgspec.structs.replace(each, key=at) for at, each in enumerate(seating.seats)]
        host = seating.host if isinstance(seating.host, str) else seating.seat_of(seating.host) or 0
        moved = Seating(tuple(now), host, seating.seat_of(seating.own), len(now))
        if moved != following.seating:
            made = SeatsChanged("host", "host", moved.seats, moved.host, moved.own)
            following.seat(f"after {table.id}", table.id, lambda: made)
        return following

    def branch(self, table: Table, seq: int) -> Table:
        """What if: a copy of a finished table as it was after an entry, in play, under a new seal and with new keys.

        :raises Illegal: before the end of the table, as the copy tells whoever lays it what was hidden there; and where
            the game was over already.
        """
        if not table.settled():
            raise Illegal("core.before_the_end")
        if not 0 <= seq <= table.seq:
            raise Malformed("undo.no_such_step")
        if table.over(seq):
            raise Illegal("core.nothing_left")
        copied = [JournalLine(line.seq, line.at, line.entry) for line in table.written[:seq]]
        return self._go_on(msgspec.structs.replace(table.laid, at=self._clock(), after=None), copied)

    def table(self, table: str) -> Table:
        """A table by its id; read from the journal the first time."""
        _check_id(table)
        with self._lock:
            found = self._tables.get(table)
            if found is not None:
                self._keep_at_hand(found)
                return found
            opening = self._opening.setdefault(table, threading.Lock())
        with opening:  # whoever wants another table does not wait until this one has been played again
            found = self._tables.get(table)
            if found is None:
                try:
                    found = self._read(table)
                finally:
                    self._opening.pop(table, None)
            return found

    def _read(self, table: str) -> Table:
        """A table from the journal: its newest entries and a snapshot, where there is one that fits.

        :raises Asleep: where it has to be played again from its first entry, and that is not for whoever asks.
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
        """The snapshot of a table, if there is one that fits, and the entries after it."""
        snapshot = None if self._reading else self._snapshots.read(table, secret)
        if snapshot is None:
            return None, []
        lines = self.journal.entries(table, snapshot.base - 1)
        if len(lines) > 1 and (lines[0].seq, lines[0].link) == (snapshot.base, snapshot.link):
            return snapshot, lines[1:]
        self._snapshots.drop(table)
        return None, []

    def get_ready(self, goes_on: Callable[[float], bool]) -> None:
        """Open once each long table that has no snapshot which fits, so that it has one.

        :param goes_on: is called after each with the seconds that took, waits as long as there are others to serve, and
            says whether to go on.
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

    def setup(self, table: str) -> Setup:
        """How a table was laid; it is not opened for it."""
        _check_id(table)
        found = self._tables.get(table)
        return found.setup if found is not None else self.journal.laying_of(table)[0].setup

    def at_hand(self, table: str) -> Table | None:
        """A table, if it is in memory."""
        return self._tables.get(table)

    def tables(self, first: int = 0, most: int | None = None, *, over: bool = False) -> list[Summary]:
        """Tables, the newest first; none is opened for it.

        :param first: so many of the newest are left out.
        :param most: so many are told at most; None for all.
        :param over: those alone that are over.
        """
        found = self.journal.summaries(first, most, over=over)
        seatings = self.journal.seatings([each.brief.table for each in found])
        return [
            Summary(
                laid.table,
                laid.setup.box,
                laid.setup.mode,
                _plain(seatings[laid.table]) if laid.table in seatings else laid.setup.seats,
                laid.at,
                played or laid.at,
                seq,
                is_over,
                end,
            )
            for laid, seq, played, is_over, end in found
        ]

    def dropped_before(self, table: Table) -> int:
        """How many tables of the same box were laid here shortly before, and left as they were once this was laid.

        So somebody would do who lays tables until the luck of one pleases. Up to a hundred are counted.
        """
        return self.journal.left_before(table.laid, table.laid.at - SHORTLY)

    def count_up(self, most: int) -> bool:
        """Note how some tables ended that were over before ends were noted; one that cannot be opened is left alone.

        :returns: whether there are more of them.
        """
        if self._all_counted:
            return False
        ahead = [table for table in self.journal.unnoted() if table not in self._unread]
        self._all_counted = not ahead
        for table in ahead[:most]:
            try:
                laid, _, _ = self.journal.laying_of(table)
                self._note_end(table, _retraced(laid, self.journal.entries(table)).ask())
            except ValueError:
                self._unread.add(table)
        return len(ahead) > most

    def actor(self, table: Table, key: str | None) -> Actor | None:
        """Who holds a key; a spectator without one; None if it opens nothing here."""
        return SPECTATOR if key is None else table.seating.holder(table.keys, key)

    def actor_by(self, table: str, key: str) -> Actor | None:
        """Who holds a key of a table, which is not opened for it."""
        _check_id(table)
        found = self._tables.get(table)
        if found is not None:
            return found.seating.holder(found.keys, key)
        keys = self.journal.keys(table)
        seating = Seating.begun([Seat("")] * len(keys.seats))
        newest = self.journal.seatings([table]).get(table)
        return (seating.followed(newest) if newest else seating).holder(keys, key)

    def take_in(self, record: Record) -> Table:
        """Lay a table from a record. One that is not over goes on under a new seal, whatever secret it tells."""
        written = [
            JournalLine(each.seq, each.at, each.entry)
            for each in record.entries
            if not isinstance(each.entry, MaskedEntry)
        ]
        if len(written) < len(record.entries):
            raise Malformed("core.record_masked")
        bounded(record)
        if tuple(seat.name for seat in named(record.laid.setup.seats)) != tuple(
            s.name for s in record.laid.setup.seats
        ):
            raise Malformed("core.bad_name", n=LONGEST_NAME)
        secret = opened_secret(record)
        laid = msgspec.structs.replace(record.laid, after=None)
        if not _retraced(laid, written).settled() or secret is None:
            return self._go_on(laid, written)
        if head_of(record, secret) != record.head:
            raise Malformed("core.other_head")
        was = laid.was or laid.table if laid.chain else None
        return self._copy(msgspec.structs.replace(laid, was=was), secret, written)

    def send(self, table: Table, going: Departure | None) -> None:
        """Keep that a table leaves for another Digside, that it is known to be there, or with None that it stays.

        Leaving and staying are entries of the table.

        :raises Missing: where it is only shown, and kept nowhere.
        """
        if not table.kept:
            raise Missing("core.no_table", table=AsTyped(table.id))
        with table.lock:  # no step is under way
            entry: TableLeft | TableStayed | None = None
            if going is not None and table.going is None:
                entry = TableLeft(going.ticket, going.house)
            elif going is None and table.left is not None:
                entry = TableStayed(table.left.ticket)

            def keep(*lines: JournalLine) -> None:
                self.journal.send(table.id, going, lines)
                table.went = going  # before anybody is told of it

            try:
                if entry is None:
                    keep()
                else:
                    table.note(entry, keep)
            except CommitOutcomeUnknown:
                table.catch_up()
                table.went = self.journal.going(table.id)
                raise

    def arrive(
        self, ticket: str, house: str, laid: Laid, secret: bytes, keys: Keys, written: Sequence[JournalLine]
    ) -> Arrival:
        """Take in a table from another Digside with its luck, its keys and all that was made at it; once a ticket.

        :param house: which Digside this is.
        :raises Malformed: where it is not as it was written, or was not sent here by that ticket.
        :raises Illegal: where there is another table of that id.
        """
        known = self.journal.arrival(laid.table, ticket)
        if known is None:
            self._check_room()
            check_arrives(laid, secret, keys, written, TableLeft(ticket, house))
            head = written[-1].link or bytes(32)
            arrived = JournalLine(len(written) + 1, max(self._clock(), written[-1].at), TableArrived(ticket))
            linked = Chain(secret).linked(head, [arrived]) if laid.chain else [arrived]
            self.journal.take_over(ticket, laid, secret, keys, [*written, *linked])
            self._forget(laid.table)  # what was looked at of it, if it left from here once
            known = self.journal.arrival(laid.table, ticket)
        if known is None:
            raise Missing("core.no_table", table=AsTyped(laid.table))
        return known

    def check_takes(self) -> None:
        """Refuse where no table could be taken in now.

        :raises Storage: where there is no room, or the disk takes nothing.
        """
        self._check_room()
        self.journal.writable()

    def delete(self, table: str) -> None:
        """Forget a table for good; whoever still holds it plays on at no table.

        :raises Missing: if there is none.
        """
        _check_id(table)
        self.journal.delete(table)
        self._forget(table)
        self._snapshots.drop(table)

    def _forget(self, table: str) -> None:
        with self._lock:
            self._at_hand.pop(table, None)
            self._tables.pop(table, None)
            self._unread.discard(table)
        for bid in self._farewells:
            bid(table)

    def sound_part(self, table: str) -> Record:
        """The record of a table as far as it is sound: of one that is damaged, up to where that begins.

        :raises Storage: where not even the laying can be read.
        """
        laid, secret, keys = self.journal.laying_of(table)
        history, chain, head = history_of(laid), Chain(secret), beginning(laid)
        sound: list[JournalLine] = []
        with suppress(ValueError):
            for line in self.journal.sound_entries(table):
                head = chain.link(head, line)
                if laid.chain and line.link != head:
                    break
                history.follow(line)
                sound.append(line)
        return export(table_of(laid, secret, keys, NoJournal(), clock=self._clock, written=sound))

    def look_after(self) -> Path | None:
        """Look whether the data are still there; if not, write every table that can be had to a folder beside.

        :returns: that folder, once there was need of one.
        """
        if self._saved is None and not self._reading and self.journal.is_gone():
            stamp = time.strftime("%Y-%m-%d-%H%M%S", time.localtime(self._clock() / 1000))
            for place in (self.folder.parent, Path(tempfile.gettempdir())):
                with suppress(Storage, OSError):
                    return self.save(place / f"{self.folder.name}-saved-{stamp}")
        return self._saved

    def save(self, folder: Path, *, leave_out: Collection[str] = ()) -> Path:
        """Write every table to another folder, those that are open from memory; what cannot be read is left out."""
        with self._lock:
            in_memory = dict(self._tables)
        standings = {each.brief.table: each for each in self._told()}
        other = SqliteJournal(folder)
        try:
            for name in sorted((standings.keys() | in_memory.keys()) - set(leave_out)):
                with suppress(Storage, Missing):
                    table, going = in_memory.get(name), self.journal.going(name)
                    if table is None:
                        other.lay(*self.journal.laying_of(name), self.journal.entries(name))
                    elif table.kept:
                        other.lay(table.laid, table.dealer.secret, table.keys, tuple(table.written))
                    if going is not None:
                        other.send(name, going)
                    if name in standings and (end := standings[name].end) is not None:
                        other.finish(name, end)
        finally:
            other.close()
        self._saved = self.journal.saved = folder
        return folder

    def _told(self) -> Sequence[TableSummary]:
        with suppress(Storage):
            return self.journal.summaries()
        return ()

    def on_open(self, greet: Callable[[Table], None]) -> None:
        """Call `greet` with every table that is opened from now on, and with those that are open."""
        with self._lock:
            self._welcomes.append(greet)
            for table in self._tables.values():
                greet(table)

    def on_close(self, bid: Callable[[str], None]) -> None:
        """Call `bid` with the id of every table that is no more what it was: deleted, or come from another Digside."""
        self._farewells.append(bid)

    def look_again(self, table: Table) -> None:
        """Have a table that somebody looks at be as far as it is anywhere; where that cannot be known, it says so."""
        if self.journal.shared and table.kept and self.journal.behind_since() is None:
            try:
                table.catch_up()
            except StorageUnavailable:
                self.journal.lose_sight()

    def on_remote_change(self, heard: Callable[[Collection[str] | None], None]) -> None:
        """Call `heard` with the tables at which another process has made steps; with None, at any perhaps."""
        self._overhears.append(heard)

    def _others_wrote(self, news: Mapping[str, int] | None) -> None:
        """Where somebody looks at a table it follows; any other is read anew when it is asked for the next time."""
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
            except ValueError:  # a step of a newer Digside, perhaps: whoever opens it anew is told what is wrong
                log.exception("table %s cannot be followed", table.id)
                self._forget(table.id)
        for heard in self._overhears:
            heard(news)

    def _follow(self, table: Table) -> None:
        """Have a table follow what was made elsewhere; where it was deleted meanwhile, it is forgotten here, too.

        :raises Missing: there.
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
        with self._lock:  # and nothing is asked of the journal meanwhile: nobody waits for its answer but who wants it
            self._tables[laid.table] = table
            self._keep_at_hand(table)
            for greet in self._welcomes:
                greet(table)
        if not fresh:
            self._follow(table)  # what was made elsewhere while it was read
        return table

    def _go_on(self, laid: Laid, written: list[JournalLine]) -> Table:
        """A table whose luck goes on under a new seal."""
        secret = secrets.token_bytes(32)
        laid = msgspec.structs.replace(laid, chain=VERSION, was=None)
        more: list[Entry] = [SealRenewed(SealedDealer(secret).seal)]
        seating = _retraced(laid, written).seating
        if seating != (fresh := seating.under_new_keys()):
            more.append(SeatsChanged("host", "host", fresh.seats, fresh.host))
        lines = [JournalLine(len(written) + n, self._clock(), entry) for n, entry in enumerate(more, 1)]
        return self._copy(laid, secret, [*written, *lines])

    def _copy(self, laid: Laid, secret: bytes, written: list[JournalLine]) -> Table:
        self._check_room()
        laid = msgspec.structs.replace(laid, table=self._new_id())
        if laid.chain:
            written = Chain(secret).linked(beginning(laid), written)
        return self._open(laid, secret, _new_keys(len(laid.setup.seats)), written, fresh=True)

    def _check_room(self) -> None:
        """A new table is refused while the tables there are have room to go on.

        :raises Storage: where less is free than a table or two would take.
        """
        free = self.journal.free_bytes()
        if free is not None and free < LEFT_FREE:
            raise Storage("core.no_room", folder=str(self.folder), n=free // 1_000_000)

    def _keep_at_hand(self, table: Table) -> None:
        """Remember the tables asked for last; an older one lives on only as long as somebody still holds it."""
        self._at_hand.pop(table.id, None)
        self._at_hand[table.id] = table
        if len(self._at_hand) > AT_HAND:
            del self._at_hand[next(iter(self._at_hand))]

    def _new_id(self) -> str:
        return random_code(5, lambda new: new in self._tables or self.journal.knows(new))

    def _finish(self, table: Table, written: Sequence[JournalLine]) -> None:
        if table.settled():
            self._note_end(table.id, table.ask())

    def _note_end(self, table: str, ask: Ask) -> None:
        if isinstance(ask, Finished):
            totals = {score.seat: score.total for score in ask.scores}
            end = EndFound(tuple(totals[seat] for seat in sorted(totals)), ask.winners)
            with suppress(Storage):  # the last step is on disk and counts; the list is put right another time
                self.journal.finish(table, end)


def _check_id(table: str) -> None:
    """Refuse an id that no table has, before anything is asked for it."""
    if not (table.isascii() and table.isprintable()):
        raise Missing("core.no_table", table=AsTyped("?"))


def _retraced(laid: Laid, written: Sequence[JournalLine]) -> History:
    """A stranger's table, gone over entry by entry."""
    history = history_of(laid)
    try:
        for line in written:
            history.follow(line)
    except ValueError as error:
        raise Malformed("core.not_a_record").because(error) from None
    return history


def _plain(entry: SeatsChanged) -> tuple[Seat, ...]:
    return Seating(entry.seats).plain


def _new_keys(seats: int) -> Keys:
    return Keys(secrets.token_urlsafe(16), tuple(secrets.token_urlsafe(16) for _ in range(seats)))
