"""What an SQLite journal keeps of tables that have left for another Digside, beside the entry that says so.

That a table has left is an entry of its own, and a link of its chain. Here is where it went, and whether it is known to
have arrived. Tables that left before there was such an entry have nothing but what is here.
"""

from __future__ import annotations

import logging
import re
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

from companion.play.entries import Arrival, Departure, JournalLine, Laid, TableArrived, TableLeft
from companion.play.folder import DAMAGED
from companion.play.marks import is_whole, marked
from companion.play.rows import encode, read_entry, read_going
from companion.play.scanning import scanned
from companion.refusals import AsTyped, Illegal

log = logging.getLogger(__name__)

GOINGS = "CREATE TABLE IF NOT EXISTS goings (table_id TEXT PRIMARY KEY, body BLOB NOT NULL, mark INTEGER) WITHOUT ROWID"
"""Made within the step that first needs it: a file from which none has moved is as it was."""


BODY = re.compile(rb'\{"ticket":"')
LOST = Departure("", "?", "", there=True)
"""How a table left of which it is only known that it did."""


class Departures:
    """The tables that have left, at hand: they are looked up before every step.

    What changes something takes the connection of whoever writes, in the middle of its transaction.

    :ivar damaged: why, of each table of which nothing but a damaged row says that it left; it stays closed.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self.left: dict[str, Departure] = {}
        self.damaged: dict[str, str] = {}
        if not has(db, "goings"):
            return
        rows, doubtful = scanned(db, f"table_id, body, {_mark_column(db)}", "goings", ["table_id"]), []
        for row in rows:
            if row[2] is not None and is_whole(row):
                self._read(db, *row[:2])
            else:
                doubtful.append(row)
        is_lost = len(rows) != _count(db)
        if doubtful or is_lost:
            self._look_into(db, doubtful, is_lost=is_lost)

    def _look_into(
        self, db: sqlite3.Connection, doubtful: Sequence[tuple[str, bytes, int | None]], *, is_lost: bool
    ) -> None:
        """Rows are damaged, or from before there were marks, or lost."""
        tables = _tables(db)
        named = [row for row in doubtful if row[0] in tables]
        for row in named:
            if is_whole(row):
                self._read(db, *row[:2])
            else:
                self._close(db, row[0])
        if is_lost or len(named) < len(doubtful):
            for table in _written_of(db, tables):
                self._close(db, table)

    def _read(self, db: sqlite3.Connection, table: str, body: bytes) -> None:
        try:
            self.left[table] = read_going(body)
        except (ValueError, TypeError):  # a row from before there were marks
            self._close(db, table)

    def _close(self, db: sqlite3.Connection, table: str) -> None:
        """Have a table be closed whose row is damaged; where its newest entry says that it left, that is enough."""
        log.error("where table %s went cannot be read", table)
        if table not in self.left and not _has_left_entry(db, table):
            self.left[table], self.damaged[table] = LOST, "where it went is not as it was written"

    def keep(self, db: sqlite3.Connection, table: str, going: Departure | None) -> None:
        """Keep how a table has left, or with None that it is here; `now` says so once that is on disk."""
        db.execute(GOINGS)
        if _mark_column(db) != "mark":
            db.execute("ALTER TABLE goings ADD COLUMN mark INTEGER")
        if going is None:
            db.execute("DELETE FROM goings WHERE table_id = ?", (table,))
        else:
            row = marked((table, encode(going)))
            db.execute("INSERT OR REPLACE INTO goings (table_id, body, mark) VALUES (?, ?, ?)", row)

    def now(self, table: str, going: Departure | None) -> None:
        """A table has left, or is here; it is on disk."""
        self.damaged.pop(table, None)
        if going is None:
            self.left.pop(table, None)
        else:
            self.left[table] = going


def arrival_in(lines: Sequence[JournalLine], table: str, ticket: str) -> Arrival | None:
    """What the entries of a table say of a ticket: up to which entry it came by that."""
    for line, arrived in pairwise(lines):
        if isinstance(arrived.entry, TableArrived) and arrived.entry.ticket == ticket:
            return Arrival(table, line.seq, line.link.hex() if line.link else None)
    return None


def arrival_before_entries(db: sqlite3.Connection, ticket: str) -> Arrival | None:
    """What has become of a ticket from before arriving was an entry."""
    if not has(db, "tickets"):
        return None
    row = db.execute("SELECT table_id, seq, head FROM tickets WHERE ticket = ?", (ticket,)).fetchone()
    return Arrival(*row) if row is not None and row[0] is not None else None


def check_comes_back(
    here: tuple[Laid, bytes, Sequence[JournalLine]],
    going: Departure | None,
    laid: Laid,
    secret: bytes,
    written: Sequence[JournalLine],
) -> None:
    """Refuse a table of the name of one that is here, unless that one left and this is what became of it."""
    kept_laid, kept_secret, kept = here
    has_left = going is not None or (bool(kept) and isinstance(kept[-1].entry, TableLeft))
    same = (kept_laid, kept_secret) == (laid, secret) and list(kept) == list(written[: len(kept)])
    if not (has_left and same and len(written) > len(kept)):
        raise Illegal("core.table_here", table=AsTyped(laid.table))


def _count(db: sqlite3.Connection) -> int | None:
    """How many rows there are, readable or not; None where not even that can be told."""
    with suppress(*DAMAGED):
        return int(db.execute("SELECT count(*) FROM goings").fetchone()[0])
    return None


def _tables(db: sqlite3.Connection) -> set[str]:
    """The ids of all tables that can be read."""
    rows = scanned(db, "id, NULL", "tables", ["id"])
    return {row[0] for row in rows if isinstance(row[0], str)}


def _written_of(db: sqlite3.Connection, tables: set[str]) -> set[str]:
    """The tables that bytes of the file itself tell of as rows of `goings`, wherever they lie: `tqv3p{"ticket":"…`."""
    (file,) = (row[2] for row in db.execute("PRAGMA database_list") if row[1] == "main")
    found = set[str]()
    for each in (Path(file), Path(f"{file}-wal")):
        content = each.read_bytes() if each.exists() else b""
        for body in BODY.finditer(content):
            found |= {
                table
                for table in tables
                if _differ(table.encode(), content[max(0, body.start() - len(table)) : body.start()]) <= 1
            }
    return found


def _differ(one: bytes, other: bytes) -> int:
    """How many bytes differ."""
    return abs(len(one) - len(other)) + sum(a != b for a, b in zip(one, other, strict=False))


def _has_left_entry(db: sqlite3.Connection, table: str) -> bool:
    """Whether the newest entry of a table says that it left."""
    with suppress(*DAMAGED, ValueError):
        asked = "SELECT body FROM entries WHERE table_id = ? ORDER BY seq DESC LIMIT 1"
        row = db.execute(asked, (table,)).fetchone()
        return row is not None and isinstance(read_entry(row[0]), TableLeft)
    return False


def has(db: sqlite3.Connection, name: str) -> bool:
    """Whether a database has a table of that name."""
    return db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)).fetchone() is not None


def _mark_column(db: sqlite3.Connection) -> str:
    """The name of the column of marks, or nothing in its place where the table is from before there were any."""
    return "mark" if any(row[1] == "mark" for row in db.execute("PRAGMA table_info(goings)")) else "NULL"
