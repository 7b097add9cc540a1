"""The journal of one machine: an SQLite file with one writer."""

from __future__ import annotations

import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import IO

from companion.play.callers import OwnCallers
from companion.play.codes import OwnCodes
from companion.play.entries import Departure, EndFound, JournalLine, Keys, Laid
from companion.play.folder import CLOSED, FILE, OPEN, clear_word, copy_to, hold, make_folder, to_look, which
from companion.play.group_commit import GroupCommit
from companion.play.heads import Heads, head_of
from companion.play.marks import Row, mark, marked
from companion.play.moving import Departures, check_comes_back
from companion.play.replacing import go_on
from companion.play.rows import AppendRequest, encode, entry_row
from companion.play.sqlite_reader import AFTER, NO_ENTRY, OF_SEATS, SqliteReader
from companion.refusals import AsTyped, CommitOutcomeUnknown, LostRace, Missing, Storage
from companion.whole_file import sync_folder

FORMAT = 2
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
"""Points and winners, so that listing tables need not open each. Added later; a file without it lacks only these."""
LINKS = """
ALTER TABLE entries ADD COLUMN link BLOB;
ALTER TABLE entries ADD COLUMN mark INTEGER;
ALTER TABLE tables ADD COLUMN mark INTEGER;
ALTER TABLE ends ADD COLUMN mark INTEGER;
"""
"""Since format 2: the link of each entry, and for each row a checksum that shows damage. Older rows have neither."""
NEWEST = "CREATE INDEX IF NOT EXISTS newest ON tables (at DESC, id, over)"
"""For a page of the list of tables; without the index it is only slower, as are the next two."""
SEATINGS = f"CREATE INDEX IF NOT EXISTS seatings ON entries (table_id, seq) WHERE {OF_SEATS}"
"""For the list, too: the newest entry about the seats of a table."""
FOLLOWING = f"CREATE INDEX IF NOT EXISTS following ON tables ({AFTER})"
"""For finding the table that the same people played next."""

UNWRITABLE = (sqlite3.IntegrityError, OverflowError, UnicodeEncodeError)
"""What is wrong with an entry itself, and not with the disk."""
INSERT = "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


class SqliteJournal(SqliteReader):
    """A journal in ``digside.sqlite`` in a data folder, held by this process alone.

    :param reading: only look, beside another process that may be writing.
    """

    shared = False

    def __init__(self, folder: Path, *, reading: bool = False) -> None:
        super().__init__(folder, writes=not reading)
        self.codes = OwnCodes()
        self.callers = OwnCallers()
        self.saved: Path | None = None  # where the tables were written to, once the folder was gone
        self._write_lock = threading.Lock()
        self._steps = GroupCommit(self._make)
        self._folder_lock: IO[str] | None = None
        self._opened: dict[str, tuple[int, int]] = {}  # which files these were when they were opened
        self._lost = False
        self._marked_open = False  # in the file itself, for whoever finds it without its log
        file = folder / FILE
        self.copied_alone = False
        if reading:
            with self._reading():
                if not file.exists():
                    raise Missing("core.no_data", folder=str(folder))
                self._heads = Heads(folder, reading=True)  # before the journal, which may go on meanwhile
                self._db = self._read_db = to_look(file)
            return
        with clear_word(folder):
            make_folder(folder)
            self._folder_lock = hold(folder)
        try:
            go_on(folder)
            with_log = os.path.exists(f"{file}-wal")
            with clear_word(folder):
                _refuse_log_without_file(file)
                self._db = self._open(file)
                self.copied_alone = not with_log and self._is_open()
                with suppress(sqlite3.OperationalError):  # a full disk: what is kept can still be read
                    self._note_open(OPEN)
                self._read_db = to_look(file)
                self._heads = Heads(folder)
                self._goings = Departures(self._read_db)
                self._opened = {each: which(each) for each in (str(file), f"{file}-wal") if os.path.exists(each)}
        except BaseException:
            self._folder_lock.close()
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
            with suppress(sqlite3.OperationalError):  # a full disk: reading is slower without them
                db.execute(NEWEST)
                db.execute(FOLLOWING)
                db.execute(SEATINGS)
                db.execute("DROP TABLE IF EXISTS left_out")  # belongs to a backup alone
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

    def _make(self, requests: Sequence[AppendRequest]) -> list[Exception | None]:
        """Append what several tables ask for, with one sync.

        :returns: for each request why it was refused, or None.
        """
        try:
            rows = [row for request in requests for row in _rows(request)]
            with self._writing() as db:
                if any(request.table in self._goings.left for request in requests):
                    return [self._append_one(db, request) for request in requests]
                db.executemany(INSERT, rows)
                return [None] * len(requests)
        except UNWRITABLE:  # one of them: all others are made without it
            with self._writing() as db:
                return [self._append_one(db, request) for request in requests]

    def _append_one(self, db: sqlite3.Connection, request: AppendRequest) -> Exception | None:
        """Append what one table asks for, within a transaction; where it is refused, the rest of that stays."""
        if (going := self._goings.left.get(request.table)) is not None:
            return going.refusal(request.table)
        db.execute("SAVEPOINT request")
        try:
            db.executemany(INSERT, _rows(request))
        except UNWRITABLE as error:
            db.execute("ROLLBACK TO request")
            if not isinstance(error, sqlite3.IntegrityError):
                return error
            if db.execute("SELECT 1 FROM tables WHERE id = ?", (request.table,)).fetchone() is None:
                return Missing("core.no_table", table=request.table)  # deleted meanwhile
            return LostRace("core.stale")
        db.execute("RELEASE request")
        return None

    def finish(self, table: str, end: EndFound) -> None:
        self.callers.take_back(table)
        body = encode(end)
        query = "SELECT over, (SELECT body FROM ends WHERE table_id = id) FROM tables WHERE id = ?"
        with self._reading(table):
            noted = self._read_db.execute(query, (table,)).fetchone()
        if noted is not None and noted != (1, body):
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

    def send(self, table: str, going: Departure | None, written: Sequence[JournalLine] = ()) -> None:
        with self._writing() as db:
            if db.execute("SELECT 1 FROM tables WHERE id = ?", (table,)).fetchone() is None:
                raise Missing("core.no_table", table=table)
            db.executemany(INSERT, _rows(AppendRequest(table, written)))
            self._goings.keep(db, table, going)
        self._goings.now(table, going)

    def take_over(self, ticket: str, laid: Laid, secret: bytes, keys: Keys, written: Sequence[JournalLine]) -> None:
        table, have = laid.table, 0
        with self._writing() as db:
            if self.arrival(table, ticket) is not None:
                return
            row = db.execute("SELECT id, at, over, laid, secret FROM tables WHERE id = ?", (table,)).fetchone()
            if row is not None:
                kept = self.entries(table)
                check_comes_back((*self.laying_of(table)[:2], kept), self.going(table), laid, secret, written)
                have, row = len(kept), (*row, encode(keys))
                db.execute("UPDATE tables SET keys = ?, mark = ? WHERE id = ?", (row[-1], mark(row), table))
            else:
                fresh = (table, laid.at, 0, encode(laid), secret, encode(keys))
                db.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?)", marked(fresh))
            db.executemany(INSERT, _rows(AppendRequest(table, written[have:])))
            self._goings.keep(db, table, None)
        self._goings.now(table, None)
        self._heads.note(table, head_of(written[-1]))

    def listen(self, heard: Callable[[Mapping[str, int] | None], None]) -> None:
        """Nobody else writes here."""

    def behind_since(self) -> None:
        """Nobody else writes here."""

    def lose_sight(self) -> None:
        """Nobody else writes here."""

    def when_in_doubt(self, changed: Callable[[], None]) -> None:
        """Nobody else writes here."""

    def is_leader(self) -> bool:
        return True

    def free_bytes(self) -> int:
        try:
            return shutil.disk_usage(self.folder).free
        except FileNotFoundError:
            self.check_there()
            raise Storage("core.data_gone", folder=str(self.folder)) from None
        except OSError as error:
            raise Storage("core.disk", folder=str(self.folder), reason=error.strerror or str(error)) from error

    def now(self) -> int:
        return time.time_ns() // 1_000_000

    def is_gone(self) -> bool:
        """Whether the file that is written to was deleted, or another was put in its place."""
        self._lost = self._lost or any(which(file) != opened for file, opened in self._opened.items())
        return self._lost

    def copy(self, file: Path) -> None:
        """Copy the whole journal to a file on disk; others may write meanwhile."""
        with closing(to_look(self.folder / FILE)) as db, clear_word(file.parent):
            copy_to(db, file)

    def writable(self) -> None:
        """Check that a step could be written now.

        :raises Storage: where the disk takes nothing.
        """
        with self._writing() as db:
            db.execute(f"PRAGMA user_version={FORMAT}")

    def close(self) -> None:
        with self._write_lock, self._read_lock:
            self._read_db.close()
            self._heads.close()
            if self._writes:
                with suppress(sqlite3.Error):  # a disk that takes nothing: the next start finds the log
                    self._note_open(CLOSED)
            self._db.close()
            if self._folder_lock is not None:
                self._folder_lock.close()

    def _is_open(self) -> bool:
        """Whether the file itself is marked as being written, so that its log belongs to it."""
        return bool(self._db.execute("PRAGMA application_id").fetchone()[0] == OPEN)

    def _note_open(self, mark: int) -> None:
        """Mark the file itself, and not only its log, as being written, or as complete without its log.

        Where the log cannot be emptied, as somebody reads it, the file keeps the mark it has.
        """
        if self._checkpoint():  # else the mark would be in the file before all the rest
            self._db.execute(f"PRAGMA application_id={mark}")
            if self._checkpoint():
                self._marked_open = mark == OPEN

    def _checkpoint(self) -> bool:
        """Move the log into the file. Returns whether all of it was moved."""
        return bool(self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0)

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction, committed to the disk when the block ends; rolled back where it raises."""
        with self._write_lock, clear_word(self.folder):
            self.check_there()
            if not self._marked_open:  # the disk refused that at the start
                self._note_open(OPEN)
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
                self._commit()
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
            if self.is_gone():  # it was written to a file that nobody finds again, unless it is put back
                raise CommitOutcomeUnknown("core.perhaps_gone", folder=str(self.folder))

    def check_there(self) -> None:
        """Refuse once the file is gone."""
        if self.is_gone() and self.saved is None:
            raise Storage("core.data_gone", folder=str(self.folder))
        if self._lost:
            raise Storage("core.data_saved", folder=str(self.folder), saved=AsTyped(self.saved))

    def _commit(self) -> None:
        """Commit.

        :raises CommitOutcomeUnknown: where the disk failed in the middle of it.
        """
        try:
            self._db.execute("COMMIT")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF == sqlite3.SQLITE_IOERR:
                raise CommitOutcomeUnknown("core.perhaps", folder=str(self.folder), reason=str(error)) from error
            raise


def _refuse_log_without_file(file: Path) -> None:
    """Refuse a log whose file is gone: a new file would be made, and the steps in the log spoilt with it."""
    log = Path(f"{file}-wal")
    if not file.exists() and log.exists() and log.stat().st_size:
        raise Storage("core.data_damaged", folder=str(file.parent), reason=f"{file.name} is missing beside {log.name}")


def _rows(request: AppendRequest) -> list[Row]:
    return [marked((request.table, *entry_row(line))) for line in request.written]
