"""Reads the SQLite file of a data folder, also where rows of it are damaged or out of their place."""

from __future__ import annotations

import logging
import math
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from companion.play.entries import (
    LATEST,
    Arrival,
    Departure,
    JournalLine,
    Keys,
    Laid,
    SeatsChanged,
    TableSummary,
)
from companion.play.folder import DAMAGED
from companion.play.heads import Head, Heads
from companion.play.journal import MOST_LEFT
from companion.play.marks import Row, is_whole
from companion.play.moving import Departures, arrival_before_entries, arrival_in, has
from companion.play.rows import SEATS, Unreadable, line_of, opened_of, seating_of, standing_of
from companion.play.scanning import scanned
from companion.refusals import Malformed, Missing, Storage

log = logging.getLogger(__name__)

NO_ENTRY = Head(0, bytes(32))
AT_ONCE = 500  # tables that one query asks about
STEPS_BETWEEN_LOOKS = 10_000  # instructions of SQLite's machine: some milliseconds

OF_SEATS = f"substr(body, 1, {len(SEATS)}) = x'{SEATS.hex()}'"
"""Which entries are about seats; as the index over them has it."""
AFTER = "CASE WHEN json_valid(CAST(laid AS TEXT)) THEN json_extract(CAST(laid AS TEXT), '$.after') END"
"""Which table a table follows; as the index over that has it."""
OF_BOX = AFTER.replace("$.after", "$.setup.box")
PLAYED = "(SELECT at FROM entries e WHERE e.table_id = t.id ORDER BY seq DESC LIMIT 1)"
LEFT = f"""
SELECT count(*) FROM (
    SELECT 1 FROM tables t WHERE at BETWEEN ? AND ? AND NOT over AND coalesce({PLAYED}, at) <= ? AND id <> ?
    AND {OF_BOX} = ? LIMIT ?
)
"""  # noqa: S608


class SqliteReader:
    """What the file of a data folder holds, read by a connection of its own: no reader waits for a sync.

    :ivar damaged: why tables were left out of the list, by their ids, when it was last read.
    """

    _read_db: sqlite3.Connection
    _heads: Heads
    _goings: Departures
    """The tables that have left; kept in memory by whoever writes."""

    def __init__(self, folder: Path, *, writes: bool) -> None:
        self.folder = folder
        self.damaged: dict[str, str] = {}
        self._writes = writes
        self._read_lock = threading.Lock()
        self._searched: set[str] = set()  # tables whose entries were looked for row by row, in vain

    def going(self, table: str) -> Departure | None:
        if self._writes:
            return self._goings.left.get(table)
        with self._reading():
            return self._departures().left.get(table)

    def _departures(self) -> Departures:
        """The tables that have left, as of now."""
        return self._goings if self._writes else Departures(self._read_db)

    def arrival(self, table: str, ticket: str) -> Arrival | None:
        with self._reading():
            before = arrival_before_entries(self._read_db, ticket)
        return before or arrival_in(self.entries(table), table, ticket)

    def summaries(self, first: int = 0, most: int | None = None, *, over: bool = False) -> list[TableSummary]:
        with self._reading():
            rows = self._summary_rows(first, most, over=over)
        damaged, found = dict[str, str](), []
        if first == 0 and most is None and not over:
            damaged = dict.fromkeys(self._heads.known.keys() - {row[0] for row in rows}, "-")
        for row in rows:
            try:
                found.append(_summary(row))
            except ValueError as error:
                damaged[str(row[0])] = str(error)
        with self._reading():
            damaged |= self._departures().damaged
        self.damaged = damaged
        return found

    def _summary_rows(self, first: int, most: int | None, *, over: bool) -> list[Any]:
        """The rows for `summaries`; where damage misleads the index, all rows are read one by one."""
        ids_query = "SELECT id FROM tables WHERE over >= ? ORDER BY at DESC, id LIMIT ? OFFSET ?"
        query = f"{self._summary_query()} WHERE t.id IN ({ids_query}) ORDER BY t.at DESC, t.id"
        bounds = over, -1 if most is None else most, first
        try:
            ids = {row[0] for row in self._read_db.execute(ids_query, bounds)}
            rows = self._read_db.execute(query, bounds).fetchall()
            is_complete = len(rows) == len(ids) and (most is not None or over or not self._heads.known.keys() - ids)
        except sqlite3.OperationalError:
            raise
        except DAMAGED:
            is_complete = False
        if is_complete:
            return rows
        salvaged = [row for row in self._salvaged_summaries() if row[2] or not over]
        return salvaged[first : None if most is None else first + most]

    def _summary_query(self) -> str:
        """Select each table's row, with those of its newest entry and of how it ended."""
        entry = f"e.table_id, e.seq, e.at, e.request, e.asked, e.body, {self._since_format_2('e.link, e.mark')}"
        end = f"n.table_id, n.body, {self._since_format_2('n.mark')}" if self._has_ends() else "NULL, NULL, NULL"
        ended = "LEFT JOIN ends n ON n.table_id = t.id" if self._has_ends() else ""
        newest = (
            "LEFT JOIN entries e ON e.table_id = t.id AND e.seq = (SELECT max(seq) FROM entries WHERE table_id = t.id)"
        )
        table = f"t.id, t.at, t.over, t.laid, t.secret, t.keys, {self._since_format_2('t.mark')}"
        return f"SELECT {table}, {entry}, {end} FROM tables t {newest} {ended}"  # noqa: S608

    def seatings(self, tables: Sequence[str]) -> dict[str, SeatsChanged]:
        found: dict[str, SeatsChanged] = {}
        for at in range(0, len(tables), AT_ONCE):
            some = tables[at : at + AT_ONCE]
            with suppress(Storage, Unreadable), self._reading():
                by = "INDEXED BY seatings" if has(self._read_db, "seatings") else ""
                query = f"SELECT table_id, max(seq), body FROM entries {by} WHERE {OF_SEATS} AND table_id IN"  # noqa: S608
                rows = self._read_db.execute(f"{query} ({', '.join('?' * len(some))}) GROUP BY table_id", some)
                found |= {table: seating_of(body) for table, _, body in rows}
        return found

    def left_before(self, laid: Laid, since: int) -> int:
        values = (since, laid.at, laid.at, laid.table, laid.setup.box, MOST_LEFT)
        with self._reading():
            return int(self._read_db.execute(LEFT, values).fetchone()[0])

    def _has_ends(self) -> bool:
        return self._writes or has(self._read_db, "ends")

    def count(self) -> int:
        with self._reading():
            return int(self._read_db.execute("SELECT count(*) FROM tables").fetchone()[0])

    def unnoted(self) -> list[str]:
        with self._reading():
            over = [row[0] for row in self._salvaged("id, over, mark", "tables") if row[1]]
            rows = self._salvaged("table_id, body, mark", "ends") if self._has_ends() else []
        noted = {row[0] for row in rows if is_whole(row)}
        return [table for table in over if table not in noted]

    def following(self, table: str) -> str | None:
        with self._reading():
            row = self._read_db.execute(f"SELECT id FROM tables WHERE {AFTER} = ?", (table,)).fetchone()  # noqa: S608
        return row[0] if row is not None else None

    def last_step(self) -> tuple[str, int] | None:
        newest = "(SELECT {} FROM entries e WHERE e.table_id = t.id ORDER BY seq DESC LIMIT 1)"
        query = f"SELECT id, {newest.format('seq')}, {newest.format('at')} AS played FROM tables t"  # noqa: S608
        row = None
        with suppress(Storage), self._reading():  # a damaged row is reported to whoever opens its table
            row = self._read_db.execute(f"{query} ORDER BY played DESC LIMIT 1").fetchone()
        return (row[0], row[1]) if row is not None and isinstance(row[1], int) else None

    def newest(self) -> int:
        """When the newest table was laid, or 0; damaged rows do not count."""
        columns = f"id, at, over, laid, secret, keys, {self._since_format_2('mark')}"
        with self._reading():
            try:
                for row in self._read_db.execute(f"SELECT {columns} FROM tables ORDER BY at DESC"):  # noqa: S608
                    if _has_sound_time(row):
                        return int(row[1])
            except sqlite3.OperationalError:
                raise
            except DAMAGED:
                rows = scanned(self._read_db, columns, "tables", ["id"])
                return max((row[1] for row in rows if _has_sound_time(row)), default=0)
        return 0

    def knows(self, table: str) -> bool:
        with self._reading():
            with suppress(*DAMAGED):
                if self._read_db.execute("SELECT 1 FROM tables WHERE id = ?", (table,)).fetchone() is not None:
                    return True
            return table in self._heads.known and self._laying_row(table) is not None

    def _laying_row(self, table: str) -> Any:
        """The row of a table, also where the index no longer finds it; None where there is none."""
        columns = f"id, at, over, laid, secret, keys, {self._since_format_2('mark')}"
        row = None
        try:
            row = self._read_db.execute(f"SELECT {columns} FROM tables WHERE id = ?", (table,)).fetchone()  # noqa: S608
        except sqlite3.OperationalError:
            raise
        except DAMAGED:
            log.warning("looking for table %s row by row", table)
        if (row is None or not is_whole(row)) and table in self._heads.known:
            row = next(iter(scanned(self._read_db, columns, "tables", ["id"], table)), row)
        return row

    def laying_of(self, table: str) -> tuple[Laid, bytes, Keys]:
        with self._reading(table):
            row = self._laying_row(table)
            if row is None and table in self._heads.known:
                raise damaged_table(table, Malformed("entry.laying_lost"))
            if row is None:
                raise Missing("core.no_table", table=table)
            if not is_whole(row):
                raise damaged_table(table, Malformed("entry.not_as_written"))
            return opened_of(*row[3:6])

    def keys(self, table: str) -> Keys:
        return self.laying_of(table)[2]

    def entries(self, table: str, after: int = 0) -> list[JournalLine]:
        known = self._heads.known.get(table)
        with self._reading(table):
            lines = self._lines_anywhere(table, after)
        newest = lines[-1].seq if lines else after
        in_order = newest == after + len(lines)  # else opening the table reports which entry is missing
        if known is not None and in_order and not _reaches(lines, known, after):
            raise damaged_table(table, Malformed("entry.end_lost", seq=newest, n=known.seq))
        return lines

    def _lines_anywhere(self, table: str, after: int) -> list[JournalLine]:
        """The entries of a table, found by their keys; where damage misleads those, every row is read, but once."""
        known = self._heads.known.get(table, NO_ENTRY)
        try:
            lines = list(self._lines(table, after))
            if _is_complete(lines, known, after):
                return lines
        except sqlite3.OperationalError:
            raise
        except (*DAMAGED, Unreadable, Storage):
            if table in self._searched:
                raise
        if table in self._searched:
            return lines
        self._searched.add(table)
        lines = [_line(table, row) for row in self._salvaged_entries(table) if row[1] > after]
        if _is_complete(lines, known, after):
            self._searched.discard(table)
        return lines

    def _lines(self, table: str, after: int = 0) -> Iterator[JournalLine]:
        columns = f"table_id, seq, at, request, asked, body, {self._since_format_2('link, mark')}"
        query = f"SELECT {columns} FROM entries WHERE table_id = ? AND seq > ? ORDER BY seq"  # noqa: S608
        for row in self._read_db.execute(query, (table, after)):
            yield _line(table, row)

    def answered(self, table: str, request: str) -> tuple[int, str | None] | None:
        query = "SELECT seq, asked FROM entries WHERE table_id = ? AND request = ?"
        with self._reading(table):
            row = self._read_db.execute(query, (table, request)).fetchone()
        return (row[0], row[1]) if row else None

    def length(self, table: str) -> int:
        with self._reading(table):
            row: tuple[Any, ...] = (None,)
            with suppress(*DAMAGED):
                row = self._read_db.execute("SELECT max(seq) FROM entries WHERE table_id = ?", (table,)).fetchone()
        if isinstance(row[0], int):
            return row[0]
        return max((line.seq for line in self.entries(table)), default=0)

    def sound_entries(self, table: str) -> list[JournalLine]:
        """The entries of a table up to the first that is damaged."""
        lines: list[JournalLine] = []
        with suppress(Storage), self._reading(table):
            for line in self._lines(table):
                if line.seq != len(lines) + 1:
                    break
                lines.append(line)
        return lines

    def _salvaged_summaries(self) -> list[Any]:
        """The rows of `_summary_query`, put together from every row that can still be read."""
        newest = {row[0]: row for row in self._salvaged_entries()}  # the last one of each table stays
        ends = {row[0]: row for row in self._salvaged("table_id, body, mark", "ends")} if self._has_ends() else {}
        tables = self._salvaged("id, at, over, laid, secret, keys, mark", "tables")
        rows = [(*row, *newest.get(row[0], (None,) * 8), *ends.get(row[0], (None,) * 3)) for row in tables]
        return sorted(rows, key=lambda row: (-row[1] if isinstance(row[1], int) else 0, str(row[0])))

    def _salvaged(self, columns: str, name: str) -> list[Any]:
        """Every row of a table of the file that can still be read."""
        key, *others, mark = columns.split(", ")
        return scanned(self._read_db, ", ".join([key, *others, self._since_format_2(mark)]), name, [key])

    def _salvaged_entries(self, table: str | None = None) -> list[Any]:
        columns = f"table_id, seq, at, request, asked, body, {self._since_format_2('link, mark')}"
        return scanned(self._read_db, columns, "entries", ["table_id", "seq"], table)

    def _since_format_2(self, columns: str) -> str:
        """Columns that came with format 2; NULLs in their place where a file that is only read is older."""
        known = self._writes or self._read_db.execute("PRAGMA user_version").fetchone()[0] >= 2
        return columns if known else ", ".join("NULL" for _ in columns.split(","))

    def sound(self, within: float = math.inf) -> bool:
        """Check that the file is whole.

        :param within: seconds after which it looks no further.
        :returns: whether it has looked at everything.
        :raises Storage: where the file is damaged.
        """
        ends = time.monotonic() + within
        with self._reading():
            self._read_db.set_progress_handler(lambda: time.monotonic() > ends, STEPS_BETWEEN_LOOKS)
            try:
                wrong = self._read_db.execute("PRAGMA quick_check(1)").fetchone()[0]
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
                    return False
                raise
            finally:
                self._read_db.set_progress_handler(None, 0)
            if wrong != "ok":
                raise sqlite3.DatabaseError(wrong)
            return True

    @contextmanager
    def _reading(self, table: str | None = None) -> Iterator[None]:
        """Hold the connection, and refuse as `Storage` what cannot be read: a table, or the file."""
        try:
            with self._read_lock:
                yield
        except (*DAMAGED, Unreadable) as error:
            if table is not None and not isinstance(error, sqlite3.OperationalError):
                raise damaged_table(table, error) from error
            key = "core.data_unread" if isinstance(error, sqlite3.OperationalError) else "core.data_damaged"
            raise Storage(key, folder=str(self.folder), reason=str(error)) from error
        except OSError as error:
            reason = error.strerror or str(error)
            raise Storage("core.data_unread", folder=str(self.folder), reason=reason) from error


def _line(table: str, row: tuple[Any, ...]) -> JournalLine:
    """An entry from its row.

    :raises Storage: where the row is not as it was written.
    """
    _, seq, at, request, asked, body, link, _ = row
    if not is_whole(row):
        raise damaged_table(table, Malformed("entry.other_link", seq=seq))
    return line_of(seq, at, request, asked, body, link)


def _summary(row: tuple[Any, ...]) -> TableSummary:
    """A table in the list of tables, from a row of `_summary_query`.

    :raises Malformed: where its row or that of its newest entry is not as it was written.
    """
    table, entry, end = row[:7], row[7:15], row[15:]
    if not is_whole(table):
        raise Malformed("entry.not_as_written")
    if not (is_whole(entry) or entry[0] is None):
        raise Malformed("entry.other_link", seq=entry[1])
    noted = table[2] and end[1] is not None and is_whole(end)  # a damaged one is counted up anew
    return standing_of(table[3], entry[1], entry[2], table[2], end[1] if noted else None)


def damaged_table(table: str, why: Exception) -> Storage:
    """The refusal for a table that is not as it was written."""
    reason = why if isinstance(why, ValueError) else ValueError(str(why))
    return Storage("core.table_damaged", table=table).because(reason)


def _has_sound_time(row: Row) -> bool:
    """Whether the row of a table is whole, so that its time can be trusted."""
    return is_whole(row) and isinstance(row[1], int) and 0 <= row[1] < LATEST


def _is_complete(lines: Sequence[JournalLine], known: Head, after: int) -> bool:
    """Whether entries from `after` on have no gap, and reach the newest that was ever shown."""
    return (not lines or lines[-1].seq == after + len(lines)) and _reaches(lines, known, after)


def _reaches(lines: Sequence[JournalLine], known: Head, after: int = 0) -> bool:
    """Whether entries from `after` on go as far as the newest that was ever shown, and through it."""
    at = known.seq - after
    return at <= 0 or (len(lines) >= at and lines[at - 1].link in {None, known.link})
