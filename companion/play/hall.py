"""All tables of a data folder: laid, imported, copied, moved to another Digside, deleted and saved."""

from __future__ import annotations

import secrets
import tempfile
import time
from collections.abc import Collection, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from companion import __version__, games
from companion.boxes import Value, content_of, owners
from companion.game import Setup
from companion.play.chain import VERSION, Chain, beginning
from companion.play.codes import random_code
from companion.play.dealer import SealedDealer
from companion.play.entries import (
    Arrival,
    Departure,
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
from companion.play.journal import NoJournal
from companion.play.laid_game import TOGETHER
from companion.play.open_tables import OpenTables, Summary, check_id, retraced
from companion.play.opening import history_of, table_of
from companion.play.record import Record, bounded, check_arrives, export, head_of, opened_secret
from companion.play.seating import LONGEST_NAME, Seating, named
from companion.play.sitting import check_setup
from companion.play.sqlite_journal import SqliteJournal
from companion.play.story import account_of
from companion.play.table import HOST, Table
from companion.refusals import AsTyped, CommitOutcomeUnknown, Illegal, LostRace, Malformed, Missing, Storage

__all__ = ["Hall", "Summary"]

LEFT_FREE = 50 * 1000 * 1000  # bytes kept free on the disk for the steps of existing tables


class Hall(OpenTables):
    """The tables of one data folder, by the only process that writes there; or beside it, only to read."""

    _saved: Path | None = None  # where the tables were written to once the folder was gone

    def check_on_file(self) -> None:
        """Check that the tables are in a file of this machine, and not in a shared database.

        :raises Illegal: where they are in a database.
        """
        if self.journal.shared:
            raise Illegal("evening.backups.in_database")

    def differing(self, table: Table) -> dict[str, Value]:
        """The figures by which the copy on a table differs from its box, as far as everybody has seen them."""
        with table.lock:
            settled = table.hinge(table.seq) is None
            return table.game.noted(table.state, None, settled=settled)

    def is_noted(self, table: Table) -> bool:
        """Whether the owner's box file has these figures already."""
        box, figures = self.box(table.setup.box), self.differing(table)
        return all(owners.has(box, key, value) for key, value in figures.items())

    def note(self, table: Table) -> None:
        """Write these figures into the owner's box file, for later tables; only ever called for the owner."""
        owners.write_figures(self.own_boxes, table.setup.box, self.differing(table))

    def lay(self, setup: Setup, *, secret: bytes | None = None, kept: bool = True, after: str | None = None) -> Table:
        """Lay a new table.

        :param secret: the 32 bytes the luck comes from; random unless a test gives them.
        :param kept: False for a table that is only shown: no journal and no list has it.
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
        """The next table of the same people, with the same seats, options and sources; laid the first time it is asked
        for. That also confirms the reports that ended this one.

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
            except LostRace:  # another process laid it just now
                following = self.journal.following(table.id)
                if following is None:
                    raise
        table.next = following
        return self.table(following)

    def _laid_after(self, table: Table, setup: Setup) -> Table:
        """Lay the next table, with the same devices at its seats and the same host."""
        following, seating = self.lay(setup, after=table.id), table.seating
        now = [msgspec.structs.replace(each, key=at) for at, each in enumerate(seating.seats)]
        host = seating.host if isinstance(seating.host, str) else seating.seat_of(seating.host) or 0
        moved = Seating(tuple(now), host, seating.seat_of(seating.own), len(now))
        if moved != following.seating:
            made = SeatsChanged("host", "host", moved.seats, moved.host, moved.own)
            following.seat(f"after {table.id}", table.id, lambda: made)
        return following

    def branch(self, table: Table, seq: int) -> Table:
        """Copy a finished table as it was after an entry, to be played on under a new seal and with new keys.

        :raises Illegal: before the end of the table, as the copy would reveal what is hidden there; and where the game
            was over at that entry.
        """
        if not table.settled():
            raise Illegal("core.before_the_end")
        if not 0 <= seq <= table.seq:
            raise Malformed("undo.no_such_step")
        if table.over(seq):
            raise Illegal("core.nothing_left")
        copied = [JournalLine(line.seq, line.at, line.entry) for line in table.written[:seq]]
        return self._go_on(msgspec.structs.replace(table.laid, at=self._clock(), after=None), copied)

    def take_in(self, record: Record) -> Table:
        """Lay a table from a record. One that is not over goes on under a new seal, whatever the record has."""
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
        if not retraced(laid, written).settled() or secret is None:
            return self._go_on(laid, written)
        if head_of(record, secret) != record.head:
            raise Malformed("core.other_head")
        was = laid.was or laid.table if laid.chain else None
        return self._copy(msgspec.structs.replace(laid, was=was), secret, written)

    def send(self, table: Table, going: Departure | None) -> None:
        """Note that a table leaves for another Digside, or has arrived there; with None, that it stays after all.

        Leaving and staying are entries of the table.

        :raises Missing: where it is only shown, and in no journal.
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
                table.went = going  # before the listeners are called

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
        """Take in a table from another Digside, with its luck, keys and entries; once for each ticket.

        :param house: the id of this Digside.
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
            self._forget(laid.table)  # if it left from here once
            known = self.journal.arrival(laid.table, ticket)
        if known is None:
            raise Missing("core.no_table", table=AsTyped(laid.table))
        return known

    def check_takes(self) -> None:
        """Check that a table could be taken in now.

        :raises Storage: where there is no room, or the disk takes nothing.
        """
        self._check_room()
        self.journal.writable()

    def delete(self, table: str) -> None:
        """Delete a table for good.

        :raises Missing: if there is none.
        """
        check_id(table)
        self.journal.delete(table)
        self._forget(table)
        self._snapshots.drop(table)

    def sound_part(self, table: str) -> Record:
        """The record of a table up to its first damaged entry.

        :raises Storage: where not even how it was laid can be read.
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
        """Check that the data folder is still there; if not, write every table that can be saved to a folder beside it.

        :returns: that folder, once that was necessary.
        """
        if self._saved is None and not self._reading and self.journal.is_gone():
            stamp = time.strftime("%Y-%m-%d-%H%M%S", time.localtime(self._clock() / 1000))
            for place in (self.folder.parent, Path(tempfile.gettempdir())):
                with suppress(Storage, OSError):
                    return self.save(place / f"{self.folder.name}-saved-{stamp}")
        return self._saved

    def save(self, folder: Path, *, leave_out: Collection[str] = ()) -> Path:
        """Write every table to another folder, open ones from memory; unreadable ones are left out."""
        with self._lock:
            in_memory = dict(self._tables)
        summaries: dict[str, TableSummary] = {}
        with suppress(Storage):
            summaries = {each.brief.table: each for each in self.journal.summaries()}
        other = SqliteJournal(folder)
        try:
            for name in sorted((summaries.keys() | in_memory.keys()) - set(leave_out)):
                with suppress(Storage, Missing):
                    table, going = in_memory.get(name), self.journal.going(name)
                    if table is None:
                        other.lay(*self.journal.laying_of(name), self.journal.entries(name))
                    elif table.kept:
                        other.lay(table.laid, table.dealer.secret, table.keys, tuple(table.written))
                    if going is not None:
                        other.send(name, going)
                    if name in summaries and (end := summaries[name].end) is not None:
                        other.finish(name, end)
        finally:
            other.close()
        self._saved = self.journal.saved = folder
        return folder

    def _go_on(self, laid: Laid, written: list[JournalLine]) -> Table:
        """Lay a copy of a table whose luck goes on under a new seal."""
        secret = secrets.token_bytes(32)
        laid = msgspec.structs.replace(laid, chain=VERSION, was=None)
        more: list[Entry] = [SealRenewed(SealedDealer(secret).seal)]
        seating = retraced(laid, written).seating
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
        """Refuse a new table where the disk is almost full: the tables there are need that room to go on.

        :raises Storage: where less than `LEFT_FREE` is free.
        """
        free = self.journal.free_bytes()
        if free is not None and free < LEFT_FREE:
            raise Storage("core.no_room", folder=str(self.folder), n=free // 1_000_000)

    def _new_id(self) -> str:
        return random_code(5, lambda new: new in self._tables or self.journal.knows(new))


def _new_keys(seats: int) -> Keys:
    return Keys(secrets.token_urlsafe(16), tuple(secrets.token_urlsafe(16) for _ in range(seats)))
