"""Which of the processes of a hall speaks for all of them: whoever has a lease that is kept in their database."""

from __future__ import annotations

import secrets
from contextlib import suppress

from companion.play.postgres_connections import GONE, Connections, PooledConnection

LEASE_S = 6.0
"""Seconds after which a process that has said nothing more has ended: another may have the lease."""
MISSED_SOON = "SET tcp_keepalives_idle = 3; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 4"
TAKE = """
INSERT INTO speaker (holder, until) VALUES (%(me)s, clock_timestamp() + make_interval(secs => %(lease)s))
ON CONFLICT (one) DO UPDATE SET holder = excluded.holder, until = excluded.until
WHERE speaker.holder = excluded.holder OR speaker.until < clock_timestamp() RETURNING true
"""
GIVE_BACK = "DELETE FROM speaker WHERE holder = %(me)s"


class LeaderLock:
    """The lease, in a table that nobody can write to but who may write tables; an advisory lock any role could take.

    It is asked for again and again, and lasts a little longer than that.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._me = secrets.token_hex(8)
        self._db: PooledConnection | None = None
        self._ours = False
        self._closed = False

    def taken(self) -> bool:
        """Try to take the lock, and return whether this process holds it. Not thread-safe."""
        if self._closed:
            return False
        try:
            if self._db is None:
                self._db = self._connections.begun()
                self._db.execute(MISSED_SOON)
            row = self._db.execute(TAKE, {"me": self._me, "lease": LEASE_S}).fetchone()
            self._ours = bool(row and row[0])
        except GONE:
            self._leave()
        return self._ours

    def close(self) -> None:
        """It is anybody's, and ours no more."""
        self._closed = True
        if self._ours and self._db is not None:
            with suppress(*GONE):  # then it lapses
                self._db.execute(GIVE_BACK, {"me": self._me})
        self._leave()

    def _leave(self) -> None:
        db, self._db, self._ours = self._db, None, False
        if db is not None:
            db.close()
