"""What the processes of a hall tell each other of its tables, by the database that they share."""

from __future__ import annotations

import hmac
import logging
import secrets
import threading
import time
from collections.abc import Callable, Mapping

from companion.play.postgres_callers import CALLS, PostgresCallers
from companion.play.postgres_connections import GONE, PATIENCE_S, TRIED_AGAIN, Connections, PooledConnection
from companion.refusals import StorageUnavailable

log = logging.getLogger(__name__)

CHANNEL = "digside"
MAC = 32  # hexadecimal digits that show that a notice is from one of these processes: any role may send notices
PAYLOAD = 7900  # bytes of a notification; PostgreSQL takes fewer than 8000
ALL = "*"
PIECE = 0.2  # seconds that notices are waited for at a time
EVERY_S = 1.0  # after which the listener's link is asked for a sign of life
NEWEST = "SELECT id, seq FROM tables WHERE id = ANY(%s)"

Heard = Callable[[Mapping[str, int] | None], None]


class PostgresNotices:
    """The word of each step to the other processes, and theirs to this one.

    :ivar behind_since: the last moment at which nothing of others' was missed, while something may be: the link to the
        database is cut, or what came meanwhile has not been looked for yet.
    :ivar in_doubt: is called when that has changed.
    """

    def __init__(self, connections: Connections, callers: PostgresCallers) -> None:
        self._connections = connections
        self._callers = callers
        self._me = secrets.token_hex(4)
        self._key = b""
        self._lock = threading.Lock()
        self._doubted: set[str] = set()
        self._closing = threading.Event()
        self._listening: threading.Thread | None = None
        self._sure_at = connections.now()
        self.behind_since: int | None = None
        self.in_doubt: Callable[[], None] = lambda: None

    def use_key(self, row: tuple[str] | None) -> None:
        """Sign notices, and believe those that are signed, by a key that lies where no other role reads it."""
        self._key = row[0].encode() if row else b""

    def news(self, newest: Mapping[str, int]) -> str:
        """The word to other processes."""
        told = f"{self._me} {' '.join(f'{table}={seq}' for table, seq in newest.items())}"
        return self._signed(told if len(told.encode()) < PAYLOAD - MAC - 1 else f"{self._me} {ALL}")

    def _signed(self, told: str) -> str:
        return f"{hmac.digest(self._key, told.encode(), 'sha256').hex()[:MAC]} {told}"

    def listen(self, heard: Heard) -> None:
        """Call `heard`, from a thread of its own, as `Journal.listen` says."""
        if self._listening is not None:
            raise RuntimeError("somebody listens already")
        ready = threading.Event()
        self._listening = threading.Thread(target=self._listen, args=(heard, ready), name="notices", daemon=True)
        self._listening.start()
        ready.wait(PATIENCE_S)

    def doubt(self, table: str) -> None:
        """Look, as soon as can be, what has become of a table: a step of it was not plainly made, or was not.

        What was told under the name of this process may be of such a step, and is heard like anybody else's word.
        """
        with self._lock:
            self._me = secrets.token_hex(4)
            if self._listening is not None:
                self._doubted.add(table)

    def lose_sight(self) -> None:
        """What others write could not be read."""
        if self.behind_since is None and not self._closing.is_set():
            self.behind_since = self._sure_at
            self.in_doubt()

    def _sees(self, heard: Heard) -> None:
        """The link carries: whoever lost sight looks at all tables."""
        if self.behind_since is not None:
            heard(None)
            self.behind_since = None
            self.in_doubt()
        self._sure_at = self._connections.now()

    def close(self) -> None:
        """Listen no more."""
        self._closing.set()
        if self._listening is not None and self._listening is not threading.current_thread():
            self._listening.join(PATIENCE_S)

    def _listen(self, heard: Heard, ready: threading.Event) -> None:
        """By a connection of its own. What was missed while it was away is unknown: whoever listens looks at all.

        Whoever cannot do so, because it is away again, is told again once it is back.
        """
        while not self._closing.is_set():
            try:
                with self._connections.begun() as db:
                    db.execute(f"LISTEN {CHANNEL}")
                    db.execute(f"LISTEN {CALLS}")
                    self._callers.read_all()
                    if ready.is_set():
                        self.lose_sight()
                    self._sees(heard)
                    ready.set()
                    self._hear(db, heard)
            except (*GONE, StorageUnavailable):
                pass
            except Exception:  # whoever listens made a mistake: what comes later is told all the same
                log.exception("a notice was not followed")
            if ready.is_set():
                self.lose_sight()
            ready.set()
            self._closing.wait(TRIED_AGAIN)

    def _hear(self, db: PooledConnection, heard: Heard) -> None:
        look_in = time.monotonic() + EVERY_S
        while not self._closing.is_set():
            for notice in db.notifies(timeout=PIECE):
                if notice.channel == CALLS:
                    self._callers.read(notice.payload)
                else:
                    self._heard(notice.payload, heard)
                if self._closing.is_set():
                    return
            self._settle(db, heard)
            if time.monotonic() > look_in:
                self._connections.look_in(db)
                self._sees(heard)
                look_in = time.monotonic() + EVERY_S

    def _heard(self, payload: str, heard: Heard) -> None:
        _, _, said = payload.partition(" ")
        if not hmac.compare_digest(payload.encode(), self._signed(said).encode()):
            return  # not from one of ours, whoever is connected
        by, _, told = said.partition(" ")
        if by != self._me:
            pairs = [each.partition("=") for each in told.split()]
            heard(None if told == ALL else {table: int(seq) for table, _, seq in pairs})

    def _settle(self, db: PooledConnection, heard: Heard) -> None:
        """Tell how far the tables have come that are in doubt, and which of them are gone."""
        with self._lock:
            doubted, self._doubted = self._doubted, set()
        if doubted:  # where that cannot be read, all tables are looked at once it can
            newest: dict[str, int] = dict(db.execute(NEWEST, ([*doubted],)).fetchall())
            heard({table: newest.get(table, 0) for table in doubted if newest.get(table) != 0})
