"""Which tables call for the host of a hall, kept in its database and known to every process."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping

import psycopg

from companion.play.postgres_connections import Connections
from companion.refusals import Missing

CALLS = "digside_calls"
"""The channel on which it is told of which table somebody calls for the host, or no longer does."""
CALL = """
WITH made AS (INSERT INTO calls VALUES (%(table)s, %(at)s) ON CONFLICT DO NOTHING RETURNING table_id)
SELECT pg_notify(%(channel)s, table_id) FROM made
"""
NO_CALL = """
WITH gone AS (DELETE FROM calls WHERE table_id = %(table)s RETURNING table_id)
SELECT pg_notify(%(channel)s, table_id) FROM gone
"""


class PostgresCallers:
    """The tables that call for the host, the same at every process: what the database says is known here, too.

    Where it is told that something has become of a call it is read what; so whoever is told last knows what is so.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._since: dict[str, int] = {}
        self._lock = threading.Lock()  # what was read first is noted first
        self._heard: Callable[[str], None] = lambda table: None

    def all(self) -> Mapping[str, int]:
        return self._since.copy()

    def call(self, table: str, at: int) -> None:
        try:
            self._do(CALL, table, at)
        except psycopg.errors.ForeignKeyViolation:
            raise Missing("core.no_table", table=table) from None

    def take_back(self, table: str) -> bool:
        return self._do(NO_CALL, table)

    def _do(self, statement: str, table: str, at: int = 0) -> bool:
        """Whether that was news."""
        with self._connections.looking(writes=True) as db:
            news = db.execute(statement, {"table": table, "at": at, "channel": CALLS}).fetchone() is not None
        self._note(table)
        return news

    def listen(self, heard: Callable[[str], None]) -> None:
        self._heard = heard

    def read(self, table: str) -> None:
        """Something has become of a table's call."""
        self._note(table)
        self._heard(table)

    def read_all(self) -> None:
        """Something may have become of any."""
        with self._lock, self._connections.looking() as db:
            before, self._since = self._since, dict(db.execute("SELECT table_id, at FROM calls").fetchall())
        for table in before.keys() ^ self._since.keys():
            self._heard(table)

    def _note(self, table: str) -> None:
        with self._lock:
            row = self._connections.one("SELECT at FROM calls WHERE table_id = %s", table)
            self._since.pop(table, None)
            if row:
                self._since[table] = row[0]
