"""Short codes for seats in the database of a hall, the same at every process."""

from __future__ import annotations

from contextlib import suppress

import psycopg

from companion.play.codes import LIFETIME, Invitation, plain, random_code
from companion.play.postgres_connections import Connections

LENGTH = 7
"""Letters of a short code: in a hall many more hold at once than in a house, and each process lets people guess."""
CODE = """
INSERT INTO codes VALUES (%s, %s, %s, now() + make_interval(secs => %s))
ON CONFLICT (table_id, seat) DO UPDATE SET until = excluded.until RETURNING code
"""
LAPSED = "DELETE FROM codes WHERE code IN (SELECT code FROM codes WHERE until <= now() FOR UPDATE SKIP LOCKED)"


class PostgresCodes:
    """Short codes for seats, the same at every process."""

    def __init__(self, connections: Connections) -> None:
        self._connections = connections

    def code(self, invitation: Invitation, *, holds: float = LIFETIME) -> str:
        with self._connections.looking(writes=True) as db:
            db.execute(LAPSED)
            while True:
                with suppress(psycopg.errors.UniqueViolation):  # somebody else's seat has it
                    row = db.execute(CODE, (random_code(LENGTH), *invitation, holds)).fetchone()
                    return str(row[0]) if row else ""

    def seat(self, typed: str) -> Invitation | None:
        row = self._connections.one("SELECT table_id, seat FROM codes WHERE code = %s AND until > now()", plain(typed))
        return Invitation(*row) if row else None
