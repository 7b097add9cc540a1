"""The journal of one machine: an SQLite file with one writer."""

from __future__ import annotations

import logging
import math
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from companion.play.callers import OwnCallers
from companion.play.codes import OwnCodes
from companion.play.entries import (
    LATEST,
    Arrival,
    Departure,
    EndFound,
    JournalLine,
    Keys,
    Laid,
    SeatsChanged,
    TableSummary,
)
from companion.play.folder import CLOSED, DAMAGED, FILE, OPEN, clear_word, copy_to, hold, make_folder, to_look, which
from companion.play.group_commit import GroupCommit
from companion.play.heads import Head, Heads, head_of
from companion.play.journal import MOST_LEFT
from companion.play.marks import Row, is_whole, mark, marked
from companion.play.moving import Departures, arrival_before_entries, arrival_in, check_comes_back, has
from companion.play.replacing import go_on
from companion.play.rows import (
    SEATS,
    AppendRequest,
    Unreadable,
    encode,
    entry_row,
    line_of,
    opened_of,
    seating_of,
    standing_of,
)
from companion.play.scanning import scanned
from companion.refusals import AsTyped, CommitOutcomeUnknown, LostRace, Malformed, Missing, Storage
from companion.whole_file import sync_folder

log = logging.getLogger(__name__)

FORMAT = 2
NO_ENTRY = Head(0, bytes(32))
AT_ONCE = 500  # tables of which something is asked together
STEPS_BETWEEN_LOOKS = 10_000  # of SQLite's machine, some milliseconds
SCHEMA = """
CREATE TABLE tables (id TEXT PRIMARY KEY, at INTEGER NOT NULL, over INTEGER NOT NULL,
    laid BLOB NOT NULL, secret BLOB NOT NULL, keys BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE entries (
    table_id TEXT NOT NULL REFERENCES tables (id), seq INTEGER NOT NULL, at INTEGER NOT NULL,
    request TEXT, asked TEXT, body BLOB NOT NULL,
    PRIMARY KEY (table_id, seq), UNIQUE (table_id, request)
) WITHOUT ROWID;
"""
ENDS = """
CREATE TABLE IF NOT EXISTS ends (
    table_id TEXT PRIMARY KEY REFERENCES tables (id) ON DELETE CASCADE, body BLOB NOT NULL
) WITHOUT ROWID;
"""
"""Points and winners, so that a list need not open every table. Came later: what reads no ends misses nothing."""
LINKS = """
ALTER TABLE entries ADD COLUMN link BLOB;
ALTER TABLE entries ADD COLUMN mark INTEGER;
ALTER TABLE tables ADD COLUMN mark INTEGER;
ALTER TABLE ends ADD COLUMN mark INTEGER;
"""
"""Since format 2: the link of each entry, and over each row a mark that shows damage to it. Older rows have none."""
NEWEST = "CREATE INDEX IF NOT EXISTS newest ON tables (at DESC, id, over)"
"""For the list: a page of it is read without the boxes of all tables. What has none is told all the same, later."""

OF_SEATS = f"substr(body, 1, {len(SEATS)}) = x'{SEATS.hex()}'"
SEATINGS = f"CREATE INDEX IF NOT EXISTS seatings ON entries (table_id, seq) WHERE {OF_SEATS}"
"""For the list, too: who sits at a table by now, without all that was played there."""

AFTER = "CASE WHEN json_valid(CAST(laid AS TEXT)) THEN json_extract(CAST(laid AS TEXT), '$.after') END"
FOLLOWING = f"CREATE INDEX IF NOT EXISTS following ON tables ({AFTER})"
"""For whoever asks which table the same people played next: else each that was ever laid would be read for it."""

OF_BOX = AFTER.replace("$.after", "$.setup.box")
PLAYED = "(SELECT at FROM entries e WHERE e.table_id = t.id ORDER BY seq DESC LIMIT 1)"
LEFT = f"""
SELECT count(*) FROM (
    SELECT 1 FROM tables t WHERE at BETWEEN ? AND ? AND NOT over AND coalesce({PLAYED}, at) <= ? AND id <> ?
    AND {OF_BOX} = ? LIMIT ?
)
"""  # noqa: S608

UNWRITABLE = (sqlite3.IntegrityError, OverflowError, UnicodeEncodeError)
"""What is wrong with an entry itself, and not with the disk."""
INSERT = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


class SqliteJournal:
    """A journal in ``digside.sqlite`` in a data folder, held by this process alone.

    :param reading: only look, beside another process that may be writing.
    """

    shared = False

    def __init__(self, folder: Path, *, reading: bool = False) -> None:
        self.folder = folder
        self.codes = OwnCodes()
        self.callers = OwnCallers()
        self.damaged: dict[str, str] = {}  # tables that could not be told when they were last told
        self.saved: Path | None = None  # where the tables were written to, once the folder was gone
        self._lock = threading.Lock()  # of whoever writes
        self._steps = GroupCommit(self._make)
        self._searched: set[str] = set()  # tables whose entries are not to be found wherever one looks
        self._looks = threading.Lock()  # of whoever reads: by a connection of its own, so that no sync is waited for
        self._held: IO[str] | None = None
        self._opened: dict[str, tuple[int, int]] = {}
        self._lost = False
        self._says_open = False  # the file itself, to whoever finds it without its log
        file = folder / FILE
        self.copied_alone = False
        if reading:
            with self._reading():
                if not file.exists():
                    raise Missing("core.no_data", folder=str(folder))
                self._heads = Heads(folder, reading=True)  # before the journal, which may go on meanwhile
                self._db = self._seen = to_look(file)
            return
        with clear_word(folder):
            make_folder(folder)
            self._held = hold(folder)
        try:
            go_on(folder)
            with_log = os.path.exists(f"{file}-wal")
            with clear_word(folder):
                _refuse_log_without_file(file)
                self._db = self._open(file)
                self.copied_alone = not with_log and self._is_open()
                with suppress(sqlite3.OperationalError):  # a full disk: what is kept can still be looked at
                    self._note_open(OPEN)
                self._seen = to_look(file)
                self._heads = Heads(folder)
                self._goings = Departures(self._seen)
                self._opened = {each: which(each) for each in (str(file), f"{file}-wal") if os.path.exists(each)}
        except BaseException:
            self._held.close()
            raise

    def _open(self, path: Path) -> sqlite3.Connection:
        os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # it holds secrets: nobody else on the machine reads it
        with ExitStack() as undo:
            db = undo.enter_context(closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)))
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=FULL")
            db.execute("PRAGMA foreign_keys=ON")
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version > FORMAT:
                raise Storage("core.newer_data", folder=str(self.folder))
            if 0 < version < FORMAT:
                copy_to(db, path.with_name(f"{FILE}.before-format-{FORMAT}"))
                sync_folder(path.parent)
            if version < FORMAT:
                missing = ENDS + LINKS if version else SCHEMA + ENDS + LINKS
                db.executescript(f"BEGIN; {missing} PRAGMA user_version={FORMAT}; COMMIT;")
            with suppress(sqlite3.OperationalError):  # a full disk: what they are for takes longer
                db.execute(NEWEST)
                db.execute(FOLLOWING)
                db.execute(SEATINGS)
                db.execute("DROP TABLE IF EXISTS left_out")  # what a backup lacked is said of that backup alone
            undo.pop_all()
            return db

    def lay(self, laid: Laid, secret: bytes, keys: Keys, written: Sequence[JournalLine] = ()) -> None:
        with self._writing() as db:
            row = (laid.table, laid.at, 0, encode(laid), secret, encode(keys))
            try:
                db.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?)", marked(row))
            except sqlite3.IntegrityError:
                raise LostRace("core.stale") from None
            if laid.after is not None and self.following(laid.after):
                raise LostRace("core.stale")
            db.executemany(INSERT, _rows(AppendRequest(laid.table, written)))
        self._heads.note(laid.table, head_of(written[-1]) if written else NO_ENTRY)

    def append(self, table: str, written: Sequence[JournalLine]) -> None:
        refused = self._steps.do(AppendRequest(table, written))
        if refused is not None:
            raise refused

    def acknowledge(self, table: str, newest: JournalLine) -> None:
        self._heads.note(table, head_of(newest))

    def _make(self, wishes: Sequence[AppendRequest]) -> list[Exception | None]:
        """Make what is wished for at many tables with one sync; of each that was not made, why."""
        try:
            wanted = [row for wish in wishes for row in _rows(wish)]
            with self._writing() as db:
                if any(wish.table in self._goings.left for wish in wishes):
                    return self._one_by_one_made(db, wishes)
                db.executemany(INSERT, wanted)
                return [None] * len(wishes)
        except UNWRITABLE:  # one of them: all others are made without it
            with self._writing() as db:
                return self._one_by_one_made(db, wishes)

    def _one_by_one_made(self, db: sqlite3.Connection, wishes: Sequence[AppendRequest]) -> list[Exception | None]:
        return [self._refused(db, wish) for wish in wishes]

    def _refused(self, db: sqlite3.Connection, wish: AppendRequest) -> Exception | None:
        """Make what is wished for, or nothing of it; what else is made with it stays."""
        if (going := self._goings.left.get(wish.table)) is not None:
            return going.refusal(wish.table)
        db.execute("SAVEPOINT wish")
        try:
            db.executemany(INSERT, _rows(wish))
        except UNWRITABLE as error:
            db.execute("ROLLBACK TO wish")
            if not isinstance(error, sqlite3.IntegrityError):
                return error
            if db.execute("SELECT 1 FROM tables WHERE id = ?", (wish.table,)).fetchone() is None:
                return Missing("core.no_table", table=wish.table)  # it was deleted under somebody's hand
            return LostRace("core.stale")
        db.execute("RELEASE wish")
        return None

    def finish(self, table: str, end: EndFound) -> None:
        self.callers.take_back(table)
        body = encode(end)
        noted = "SELECT over, (SELECT body FROM ends WHERE table_id = id) FROM tables WHERE id = ?"
        with self._reading(table):
            known = self._seen.execute(noted, (table,)).fetchone()
        if known is not None and known != (1, body):
            with self._writing() as db:
                row = db.execute("SELECT id, at, 1, laid, secret, keys FROM tables WHERE id = ?", (table,)).fetchone()
                db.execute("UPDATE tables SET over = 1, mark = ? WHERE id = ?", (mark(row), table))
                db.execute("INSERT OR REPLACE INTO ends VALUES (?, ?, ?)", marked((table, body)))

    def delete(self, table: str) -> None:
        with self._writing() as db:
            db.execute("DELETE FROM ends WHERE table_id = ?", (table,))
            db.execute("DELETE FROM entries WHERE table_id = ?", (table,))
            if db.execute("DELETE FROM tables WHERE id = ?", (table,)).rowcount == 0:
                raise Missing("core.no_table", table=table)
            if table in self._goings.left:
                self._goings.keep(db, table, None)
        self._goings.now(table, None)
        self._heads.forget(table)
        self.codes.forget(table)
        self.callers.take_back(table)

    def going(self, table: str) -> Departure | None:
        if self._held is not None:
            return self._goings.left.get(table)
        with self._reading():
            return self._moved().left.get(table)

    def _moved(self) -> Departures:
        """Which tables have left, as it is now."""
        return self._goings if self._held is not None else Departures(self._seen)

    def send(self, table: str, going: Departure | None, written: Sequence[JournalLine] = ()) -> None:
        with self._writing() as db:
            if db.execute("SELECT 1 FROM tables WHERE id = ?", (table,)).fetchone() is None:
                raise Missing("core.no_table", table=table)
            db.executemany(INSERT, _rows(AppendRequest(table, written)))
            self._goings.keep(db, table, going)
        self._goings.now(table, going)

    def arrival(self, table: str, ticket: str) -> Arrival | None:
        with self._reading():
            before = arrival_before_entries(self._seen, ticket)
        return before or arrival_in(self.entries(table), table, ticket)

    def take_over(self, ticket: str, laid: Laid, secret: bytes, keys: Keys, written: Sequence[JournalLine]) -> None:
        table, here = laid.table, 0
        with self._writing() as db:
            if self.arrival(table, ticket) is not None:
                return
            row = db.execute("SELECT id, at, over, laid, secret FROM tables WHERE id = ?", (table,)).fetchone()
            if row is not None:
                kept = self.entries(table)
                check_comes_back((*self.laying_of(table)[:2], kept), self.going(table), laid, secret, written)
                here, row = len(kept), (*row, encode(keys))
                db.execute("UPDATE tables SET keys = ?, mark = ? WHERE id = ?", (row[-1], mark(row), table))
            else:
                fresh = (table, laid.at, 0, encode(laid), secret, encode(keys))
                db.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?)", marked(fresh))
            db.executemany(INSERT, _rows(AppendRequest(table, written[here:])))
            self._goings.keep(db, table, None)
        self._goings.now(table, None)
        self._heads.note(table, head_of(written[-1]))

    def summaries(self, first: int = 0, most: int | None = None, *, over: bool = False) -> list[TableSummary]:
        with self._reading():
            asked = "SELECT id FROM tables WHERE over >= ? ORDER BY at DESC, id LIMIT ? OFFSET ?"
            page = f"{self._told()} WHERE t.id IN ({asked}) ORDER BY t.at DESC, t.id"
            bounds = over, -1 if most is None else most, first
            try:
                ids = {row[0] for row in self._seen.execute(asked, bounds)}
                rows = self._seen.execute(page, bounds).fetchall()
                astray = len(rows) != len(ids) or (most is None and not over and self._heads.known.keys() - ids)
            except sqlite3.OperationalError:
                raise
            except DAMAGED:
                astray = True
            if astray:
                rows = [row for row in self._one_by_one() if row[2] or not over]
                rows = rows[first : None if most is None else first + most]
        damaged, found = dict[str, str](), []
        if first == 0 and most is None and not over:
            damaged = dict.fromkeys(self._heads.known.keys() - {row[0] for row in rows}, "-")
        for row in rows:
            try:
                found.append(_standing(row))
            except ValueError as error:
                damaged[str(row[0])] = str(error)
        with self._reading():
            damaged |= self._moved().damaged
        self.damaged = damaged
        return found

    def _told(self) -> str:
        """What tells how tables stand: the row of each, of its newest entry, and of how it ended."""
        entry = f"e.table_id, e.seq, e.at, e.request, e.asked, e.body, {self._since_2('e.link, e.mark')}"
        end = f"n.table_id, n.body, {self._since_2('n.mark')}" if self._tells_ends() else "NULL, NULL, NULL"
        ended = "LEFT JOIN ends n ON n.table_id = t.id" if self._tells_ends() else ""
        newest = (
            "LEFT JOIN entries e ON e.table_id = t.id AND e.seq = (SELECT max(seq) FROM entries WHERE table_id = t.id)"
        )
        table = f"t.id, t.at, t.over, t.laid, t.secret, t.keys, {self._since_2('t.mark')}"
        return f"SELECT {table}, {entry}, {end} FROM tables t {newest} {ended}"  # noqa: S608

    def seatings(self, tables: Sequence[str]) -> dict[str, SeatsChanged]:
        found: dict[str, SeatsChanged] = {}
        for at in range(0, len(tables), AT_ONCE):
            some = tables[at : at + AT_ONCE]
            with suppress(Storage, Unreadable), self._reading():
                by = "INDEXED BY seatings" if has(self._seen, "seatings") else ""
                told = f"SELECT table_id, max(seq), body FROM entries {by} WHERE {OF_SEATS} AND table_id IN"  # noqa: S608
                rows = self._seen.execute(f"{told} ({', '.join('?' * len(some))}) GROUP BY table_id", some)
                found |= {table: seating_of(body) for table, _, body in rows}
        return found

    def left_before(self, laid: Laid, since: int) -> int:
        told = (since, laid.at, laid.at, laid.table, laid.setup.box, MOST_LEFT)
        with self._reading():
            return int(self._seen.execute(LEFT, told).fetchone()[0])

    def _tells_ends(self) -> bool:
        return self._held is not None or has(self._seen, "ends")

    def count(self) -> int:
        with self._reading():
            return int(self._seen.execute("SELECT count(*) FROM tables").fetchone()[0])

    def unnoted(self) -> list[str]:
        with self._reading():
            over = [row[0] for row in self._all("id, over, mark", "tables") if row[1]]
            rows = self._all("table_id, body, mark", "ends") if self._tells_ends() else []
        noted = {row[0] for row in rows if is_whole(row)}
        return [table for table in over if table not in noted]

    def following(self, table: str) -> str | None:
        with self._reading():
            row = self._seen.execute(f"SELECT id FROM tables WHERE {AFTER} = ?", (table,)).fetchone()  # noqa: S608
        return row[0] if row is not None else None

    def last_step(self) -> tuple[str, int] | None:
        newest = "(SELECT {} FROM entries e WHERE e.table_id = t.id ORDER BY seq DESC LIMIT 1)"
        told = f"SELECT id, {newest.format('seq')}, {newest.format('at')} AS played FROM tables t"  # noqa: S608
        row = None
        with suppress(Storage), self._reading():  # a row that is damaged is told to whoever wants its table
            row = self._seen.execute(f"{told} ORDER BY played DESC LIMIT 1").fetchone()
        return (row[0], row[1]) if row is not None and isinstance(row[1], int) else None

    def listen(self, heard: Callable[[Mapping[str, int] | None], None]) -> None:
        """Nobody else writes here."""

    def behind_since(self) -> None:
        """Nobody else writes here."""

    def lose_sight(self) -> None:
        """Nor is anything of others looked for."""

    def when_in_doubt(self, told: Callable[[], None]) -> None:
        """There is no doubt."""

    def has_word(self) -> bool:
        return True

    def free_bytes(self) -> int:
        try:
            return shutil.disk_usage(self.folder).free
        except FileNotFoundError:
            self.check_there()
            raise Storage("core.data_gone", folder=str(self.folder)) from None
        except OSError as error:
            raise Storage("core.disk", folder=str(self.folder), reason=error.strerror or str(error)) from error

    def _one_by_one(self) -> list[Any]:
        """What `_told` tells of all tables, where a row that is damaged keeps it from being told at once."""
        newest = {row[0]: row for row in self._scanned_entries()}  # of each table the last one stays
        ends = {row[0]: row for row in self._all("table_id, body, mark", "ends")} if self._tells_ends() else {}
        told = self._all("id, at, over, laid, secret, keys, mark", "tables")
        rows = [(*row, *newest.get(row[0], (None,) * 8), *ends.get(row[0], (None,) * 3)) for row in told]
        return sorted(rows, key=lambda row: (-row[1] if isinstance(row[1], int) else 0, str(row[0])))

    def _all(self, columns: str, tree: str) -> list[Any]:
        """All rows of a tree that can be read."""
        key, *others, mark = columns.split(", ")
        return scanned(self._seen, ", ".join([key, *others, self._since_2(mark)]), tree, [key])

    def _scanned_entries(self, table: str | None = None) -> list[Any]:
        columns = f"table_id, seq, at, request, asked, body, {self._since_2('link, mark')}"
        return scanned(self._seen, columns, "entries", ["table_id", "seq"], table)

    def knows(self, table: str) -> bool:
        with self._reading():
            with suppress(*DAMAGED):
                if self._seen.execute("SELECT 1 FROM tables WHERE id = ?", (table,)).fetchone() is not None:
                    return True
            return table in self._heads.known and self._row(table) is not None

    def _row(self, table: str) -> Any:
        """The row of a table, wherever it lies; None where there is none."""
        columns = f"id, at, over, laid, secret, keys, {self._since_2('mark')}"
        row = None
        try:
            row = self._seen.execute(f"SELECT {columns} FROM tables WHERE id = ?", (table,)).fetchone()  # noqa: S608
        except sqlite3.OperationalError:
            raise
        except DAMAGED:
            log.warning("table %s is looked for row by row", table)
        if (row is None or not is_whole(row)) and table in self._heads.known:
            row = next(iter(scanned(self._seen, columns, "tables", ["id"], table)), row)
        return row

    def laying_of(self, table: str) -> tuple[Laid, bytes, Keys]:
        with self._reading(table):
            row = self._row(table)
            if row is None and table in self._heads.known:
                raise _damaged(table, Malformed("entry.laying_lost"))
            if row is None:
                raise Missing("core.no_table", table=table)
            if not is_whole(row):
                raise _damaged(table, Malformed("entry.not_as_written"))
            return opened_of(*row[3:6])

    def keys(self, table: str) -> Keys:
        return self.laying_of(table)[2]

    def entries(self, table: str, after: int = 0) -> list[JournalLine]:
        known = self._heads.known.get(table)
        with self._reading(table):
            lines = self._lines_anywhere(table, after)
        newest = lines[-1].seq if lines else after
        in_order = newest == after + len(lines)  # else whoever opens it is told which entry is missing
        if known is not None and in_order and not _reaches(lines, known, after):
            raise _damaged(table, Malformed("entry.end_lost", seq=newest, n=known.seq))
        return lines

    def _lines_anywhere(self, table: str, after: int) -> list[JournalLine]:
        """The entries of a table, by their keys; where these lead astray, all that lies there is read, but once."""
        known = self._heads.known.get(table, NO_ENTRY)
        try:
            lines = list(self._lines(table, after))
            if _is_whole(lines, known, after):
                return lines
        except sqlite3.OperationalError:
            raise
        except (*DAMAGED, Unreadable, Storage):
            if table in self._searched:
                raise
        if table in self._searched:
            return lines
        self._searched.add(table)
        lines = [_line(table, row) for row in self._scanned_entries(table) if row[1] > after]
        if _is_whole(lines, known, after):
            self._searched.discard(table)
        return lines

    def answered(self, table: str, request: str) -> tuple[int, str | None] | None:
        told = "SELECT seq, asked FROM entries WHERE table_id = ? AND request = ?"
        with self._reading(table):
            row = self._seen.execute(told, (table, request)).fetchone()
        return (row[0], row[1]) if row else None

    def length(self, table: str) -> int:
        with self._reading(table):
            row: tuple[Any, ...] = (None,)
            with suppress(*DAMAGED):
                row = self._seen.execute("SELECT max(seq) FROM entries WHERE table_id = ?", (table,)).fetchone()
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

    def _lines(self, table: str, after: int = 0) -> Iterator[JournalLine]:
        columns = f"table_id, seq, at, request, asked, body, {self._since_2('link, mark')}"
        told = f"SELECT {columns} FROM entries WHERE table_id = ? AND seq > ? ORDER BY seq"  # noqa: S608
        for row in self._seen.execute(told, (table, after)):
            yield _line(table, row)

    def newest(self) -> int:
        """When the newest table was laid, or 0; one that is damaged says nothing of that."""
        columns = f"id, at, over, laid, secret, keys, {self._since_2('mark')}"
        with self._reading():
            try:
                for row in self._seen.execute(f"SELECT {columns} FROM tables ORDER BY at DESC"):  # noqa: S608
                    if _tells_when(row):
                        return int(row[1])
            except sqlite3.OperationalError:
                raise
            except DAMAGED:
                rows = scanned(self._seen, columns, "tables", ["id"])
                return max((row[1] for row in rows if _tells_when(row)), default=0)
        return 0

    def now(self) -> int:
        return time.time_ns() // 1_000_000

    def is_gone(self) -> bool:
        """Whether the file that is written to is not there any more: deleted, or another in its place."""
        self._lost = self._lost or any(which(file) != opened for file, opened in self._opened.items())
        return self._lost

    def copy(self, file: Path) -> None:
        """A copy of all that is kept, whole and on disk; others may write meanwhile."""
        with closing(to_look(self.folder / FILE)) as db, clear_word(file.parent):
            copy_to(db, file)

    def _since_2(self, columns: str) -> str:
        """Columns by name, or nothing in their place: what is only looked at may not have them yet."""
        known = self._held is not None or self._seen.execute("PRAGMA user_version").fetchone()[0] >= 2
        return columns if known else ", ".join("NULL" for _ in columns.split(","))

    def writable(self) -> None:
        """Refuses if the disk would not take a step now."""
        with self._writing() as db:
            db.execute(f"PRAGMA user_version={FORMAT}")

    def sound(self, within: float = math.inf) -> bool:
        """Refuses if what is kept is damaged.

        :param within: seconds after which it looks no further.
        :returns: whether it has looked at everything.
        """
        ends = time.monotonic() + within
        with self._reading():
            self._seen.set_progress_handler(lambda: time.monotonic() > ends, STEPS_BETWEEN_LOOKS)
            try:
                wrong = self._seen.execute("PRAGMA quick_check(1)").fetchone()[0]
            except sqlite3.OperationalError as error:
                if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
                    return False
                raise
            finally:
                self._seen.set_progress_handler(None, 0)
            if wrong != "ok":
                raise sqlite3.DatabaseError(wrong)
            return True

    def close(self) -> None:
        with self._lock, self._looks:
            self._seen.close()
            self._heads.close()
            if self._held is not None:
                with suppress(sqlite3.Error):  # a disk that takes nothing: the next start finds the log
                    self._note_open(CLOSED)
            self._db.close()
            if self._held is not None:
                self._held.close()

    def _is_open(self) -> bool:
        """Whether the file itself says that somebody writes, so that its log belongs to it."""
        return bool(self._db.execute("PRAGMA application_id").fetchone()[0] == OPEN)

    def _note_open(self, mark: int) -> None:
        """Note in the file itself, and not only in its log, that somebody writes, or that all is in it.

        Where the log cannot be emptied, as somebody reads it, the file says what it said before.
        """
        if self._log_emptied():  # else the note would be in the file before all is
            self._db.execute(f"PRAGMA application_id={mark}")
            if self._log_emptied():
                self._says_open = mark == OPEN

    def _log_emptied(self) -> bool:
        """Write all that is in the log into the file; whether all of it is there."""
        return bool(self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0)

    @contextmanager
    def _reading(self, table: str | None = None) -> Iterator[None]:
        """Says so where what is kept cannot be read: of a table, or of all."""
        try:
            with self._looks:
                yield
        except (*DAMAGED, Unreadable) as error:
            if table is not None and not isinstance(error, sqlite3.OperationalError):
                raise _damaged(table, error) from error
            key = "core.data_unread" if isinstance(error, sqlite3.OperationalError) else "core.data_damaged"
            raise Storage(key, folder=str(self.folder), reason=str(error)) from error
        except OSError as error:
            reason = error.strerror or str(error)
            raise Storage("core.data_unread", folder=str(self.folder), reason=reason) from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock, clear_word(self.folder):
            self.check_there()
            if not self._says_open:  # the disk took no note of it at the start
                self._note_open(OPEN)
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._commit()
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
            if self.is_gone():  # it was written to a file that nobody will find again, unless it comes back
                raise CommitOutcomeUnknown("core.perhaps_gone", folder=str(self.folder))

    def check_there(self) -> None:
        """Refuse once what is kept is gone."""
        self.is_gone()
        self._refuse_once_lost()

    def _refuse_once_lost(self) -> None:
        if self._lost and self.saved is None:
            raise Storage("core.data_gone", folder=str(self.folder))
        if self._lost:
            raise Storage("core.data_saved", folder=str(self.folder), saved=AsTyped(self.saved))

    def _commit(self) -> None:
        """All of it, or nothing; whatever a disk that fails in the middle of it has made of it."""
        try:
            self._db.execute("COMMIT")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_IOERR:
                raise CommitOutcomeUnknown("core.perhaps", folder=str(self.folder), reason=str(error)) from error
            raise


def _refuse_log_without_file(file: Path) -> None:
    """Refuse where steps lie in a log whose file is gone: a new file would be made, and the log spoilt with it."""
    log = Path(f"{file}-wal")
    if not file.exists() and log.exists() and log.stat().st_size:
        raise Storage("core.data_damaged", folder=str(file.parent), reason=f"{file.name} is missing beside {log.name}")


def _rows(wish: AppendRequest) -> list[Row]:
    return [marked((wish.table, *entry_row(line))) for line in wish.written]


def _line(table: str, row: tuple[Any, ...]) -> JournalLine:
    """An entry.

    :raises Storage: where its row is not as it was written.
    """
    _, seq, at, request, asked, body, link, _ = row
    if not is_whole(row):
        raise _damaged(table, Malformed("entry.other_link", seq=seq))
    return line_of(seq, at, request, asked, body, link)


def _standing(row: tuple[Any, ...]) -> TableSummary:
    """How a table stands.

    :raises Malformed: where its row or that of its newest entry is not as it was written.
    """
    table, entry, end = row[:7], row[7:15], row[15:]
    if not is_whole(table):
        raise Malformed("entry.not_as_written")
    if not (is_whole(entry) or entry[0] is None):
        raise Malformed("entry.other_link", seq=entry[1])
    noted = table[2] and end[1] is not None and is_whole(end)  # one that is damaged is counted up anew
    return standing_of(table[3], entry[1], entry[2], table[2], end[1] if noted else None)


def _damaged(table: str, why: Exception) -> Storage:
    reason = why if isinstance(why, ValueError) else ValueError(str(why))
    return Storage("core.table_damaged", table=table).because(reason)


def _tells_when(row: Row) -> bool:
    """Whether the row of a table is sound, so that its time is that of its laying."""
    return is_whole(row) and isinstance(row[1], int) and 0 <= row[1] < LATEST


def _is_whole(lines: Sequence[JournalLine], known: Head, after: int) -> bool:
    """Whether no entry after so many is missing, as far as has been told of them."""
    return (not lines or lines[-1].seq == after + len(lines)) and _reaches(lines, known, after)


def _reaches(lines: Sequence[JournalLine], known: Head, after: int = 0) -> bool:
    """Whether entries after so many go as far as has been told of them, and by the same way."""
    at = known.seq - after
    return at <= 0 or (len(lines) >= at and lines[at - 1].link in {None, known.link})
