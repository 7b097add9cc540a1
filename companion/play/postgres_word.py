"""Which of the processes of a hall speaks for all of them: whoever has a lock of the database that they share."""

from __future__ import annotations

from companion.play.postgres_connections import GONE, Connection, Connections

WORD = int.from_bytes(b"speaks")
MISSED_SOON = "SET tcp_keepalives_idle = 3; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 4"


class Word:
    """The lock, by a connection of its own that ends with the process.

    The database misses a machine that is gone within seconds, too, and gives the lock to the next who asks.
    """

    def __init__(self, connections: Connections) -> None:
        self._connections = connections
        self._db: Connection | None = None
        self._ours = False
        self._closed = False

    def taken(self) -> bool:
        """Whether it is ours, or has become ours just now; asked by one thread at a time."""
        if self._closed:
            return False
        try:
            if self._db is None:
                self._db = self._connections.begun()
                self._db.execute(MISSED_SOON)
            asked = "SELECT true" if self._ours else "SELECT pg_try_advisory_lock(%s)"
            row = self._db.execute(asked, () if self._ours else (WORD,)).fetchone()
            self._ours = bool(row and row[0])
        except GONE:
            self._leave()
        return self._ours

    def close(self) -> None:
        """It is anybody's, and ours no more."""
        self._closed = True
        self._leave()

    def _leave(self) -> None:
        db, self._db, self._ours = self._db, None, False
        if db is not None:
            db.close()
