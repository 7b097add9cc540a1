"""What an SQLite journal keeps of tables that move: which have left for another Digside, and which came by a ticket."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from companion.play.entries import Arrival, Going, JournalLine, Laid
from companion.play.rows import encode, read_going
from companion.refusals import AsTyped, Illegal

ROOM = (
    "CREATE TABLE IF NOT EXISTS goings (table_id TEXT PRIMARY KEY, body BLOB NOT NULL) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS tickets (ticket TEXT PRIMARY KEY, table_id TEXT, seq INTEGER, head TEXT) WITHOUT ROWID",
)
"""Made within the step that first needs it: a file in which none has moved is as it was."""


class Moves:
    """The tables that have left, at hand: they are asked for before every step.

    What changes something takes the connection of whoever writes, in the middle of its step.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        rows = db.execute("SELECT table_id, body FROM goings").fetchall() if _has(db, "goings") else []
        self.left: dict[str, Going] = {table: read_going(body) for table, body in rows}

    def check_here(self, table: str) -> None:
        """Refuse a step at a table that has left."""
        if (going := self.left.get(table)) is not None:
            raise going.refusal(table)

    def note(self, db: sqlite3.Connection, table: str, going: Going | None) -> None:
        """Keep that a table has left, or with None that it is here; call `is_here` once that is on disk."""
        _make_room(db)
        if going is None:
            db.execute("DELETE FROM goings WHERE table_id = ?", (table,))
        else:
            db.execute("INSERT OR REPLACE INTO goings VALUES (?, ?)", (table, encode(going)))
            self.left[table] = going  # before it is on disk, so that where that fails midway no step is made

    def is_here(self, table: str) -> None:
        """Accept steps of a table again."""
        self.left.pop(table, None)

    def has_come(self, db: sqlite3.Connection, ticket: str, table: str) -> bool:
        """Whether a table came by a ticket.

        :raises Illegal: where the ticket was barred.
        """
        known = arrival(db, ticket)
        if known is not None and known.table is None:
            raise Illegal("core.ticket_barred", table=AsTyped(table))
        return known is not None

    def came(self, db: sqlite3.Connection, ticket: str, table: str, written: Sequence[JournalLine]) -> None:
        """Keep that a table came by a ticket, with these entries."""
        self.note(db, table, None)
        head = written[-1].link.hex() if written and written[-1].link else None
        db.execute("INSERT INTO tickets VALUES (?, ?, ?, ?)", (ticket, table, len(written), head))

    def check_comes_back(
        self, here: tuple[Laid, bytes, Sequence[JournalLine]], laid: Laid, secret: bytes, written: Sequence[JournalLine]
    ) -> None:
        """Refuse a table of the name of one that is here, unless that one left and this is what became of it."""
        going, (kept_laid, kept_secret, kept) = self.left.get(laid.table), here
        same = (kept_laid, kept_secret) == (laid, secret) and list(kept) == list(written[: len(kept)])
        if same and going is not None and not going.there:
            raise going.refusal(laid.table)  # it is to be said here first that it has arrived
        if not same or going is None:
            raise Illegal("core.table_here", table=AsTyped(laid.table))

    def bar(self, db: sqlite3.Connection, ticket: str) -> Arrival:
        """What has become of a ticket; where nothing has, nothing comes by it any more."""
        _make_room(db)
        db.execute("INSERT OR IGNORE INTO tickets VALUES (?, NULL, 0, NULL)", (ticket,))
        return arrival(db, ticket) or Arrival(None)


def arrival(db: sqlite3.Connection, ticket: str) -> Arrival | None:
    """What has become of a ticket, if it is known."""
    if not _has(db, "tickets"):
        return None
    row = db.execute("SELECT table_id, seq, head FROM tickets WHERE ticket = ?", (ticket,)).fetchone()
    return Arrival(*row) if row is not None else None


def _make_room(db: sqlite3.Connection) -> None:
    for each in ROOM:
        db.execute(each)


def _has(db: sqlite3.Connection, name: str) -> bool:
    return db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (name,)).fetchone() is not None
