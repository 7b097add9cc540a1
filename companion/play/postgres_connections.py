"""Connections to the database of a hall: few of them, none waited on for long, and what it means where one breaks."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from companion.refusals import CommitOutcomeUnknown, Malformed, Storage, StorageUnavailable

Told = TypeVar("Told")

PATIENCE_S = 5.0  # for an answer of the database
OWN_SHARE = 0.8  # of it after which the database gives up by itself, and says so: then it has certainly not done it
QUICK_S = 2.0  # for what it answers at once
TRIED_AGAIN = 0.3  # seconds after which a database that was away is asked again
LOOKS = 6  # connections that look, at most: to begin one costs more than many looks
BEHIND_S = 0.3  # that steps wait for a row that somebody else holds: all other tables of the process wait with them
BY_KEY = "-c enable_seqscan=off -c plan_cache_mode=force_generic_plan"
"""For every connection: each question here is by a key, so one plan is good for few tables and for many.

Left to itself the database plans a statement anew each time once there are many tables, which takes longer than to
carry it out; and it keeps what it planned while there were few: to look at all of them.
"""
WITHOUT_SAYING = {
    "connect_timeout": int(QUICK_S),
    "tcp_user_timeout": int(PATIENCE_S * 1000),
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 2,
    "application_name": "digside",
    "client_encoding": "UTF8",  # a database of no encoding of its own (SQL_ASCII) gives text as bytes otherwise
}
ON_DISK = "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"
"""A step counts once it is on disk, whatever the database is content with elsewhere."""
TIME = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"
GONE = (psycopg.OperationalError, psycopg.InterfaceError)


class NotReached(psycopg.OperationalError):
    """There was no connection: nothing was said, and nothing done."""


class Silent(psycopg.OperationalError):
    """There was no answer for too long."""


NOT_DONE = (
    NotReached,
    psycopg.errors.ReadOnlySqlTransaction,
    psycopg.errors.LockNotAvailable,
    psycopg.errors.QueryCanceled,
    psycopg.errors.DeadlockDetected,
)
"""After these it has certainly not done what it was told."""


class PooledConnection(psycopg.Connection[Any]):
    """A connection that ends where no answer comes for too long, be the database stopped or the way to it silent.

    :ivar patience: seconds until then.
    """

    patience = PATIENCE_S

    def wait(self, gen: PQGen[Told], *args: Any, **wishes: Any) -> Told:
        return super().wait(self._bounded(gen), *args, **wishes)

    def _bounded(self, answer: PQGen[Told]) -> PQGen[Told]:
        """An answer, as long as something of it comes in time; whoever waits looks in ten times a second."""
        ends = time.monotonic() + self.patience
        try:
            wanted = next(answer)
            while True:
                ready = yield wanted
                if not ready and time.monotonic() > ends:
                    self.pgconn.finish()
                    raise Silent("no answer")
                wanted = answer.send(ready)
        except StopIteration as ended:
            told: Told = ended.value
            return told

    @contextmanager
    def within(self, seconds: float) -> Iterator[None]:
        """With less patience."""
        before, self.patience = self.patience, min(seconds, self.patience)
        try:
            yield
        finally:
            self.patience = before


class Connections:
    """The connections of one process to a database, for any thread.

    :param address: as libpq takes it; what it says itself stands.
    :param patience: seconds within which the database has to answer.
    :param reading: only look.
    :ivar place: where it is, and no password.
    """

    def __init__(self, address: str, *, patience: float = PATIENCE_S, reading: bool = False) -> None:
        try:
            said = conninfo_to_dict(address)
        except psycopg.ProgrammingError:  # what it says may have the password in it
            raise Malformed("core.bad_journal") from None
        self.place = f"{said.get('host') or 'localhost'}/{said.get('dbname') or 'digside'}"
        self.address = _completed(said, patience, reading=reading)
        self._patience = patience
        self._idle: list[PooledConnection] = []
        self._places = threading.Semaphore(LOOKS)
        self._lock = threading.Lock()
        self._away_until = 0.0
        self._closed = False
        self._writer: PooledConnection | None = None
        self._ahead = 0  # of this process's own count of time, in milliseconds

    def now(self) -> int:
        """Milliseconds since 1970 by the database's clock, as it was last asked."""
        return _counted() + self._ahead

    def one(self, query: str, *values: object) -> Any:
        """The first row that is found; empty where there is none."""
        with self.looking() as db:
            return db.execute(query, values).fetchone() or ()

    @contextmanager
    def looking(self, *, writes: bool = False) -> Iterator[PooledConnection]:
        """A connection, for one thread as long as it wants it; whoever comes when all are taken waits for one."""
        with self.asking(writes=writes), self._place():
            db = self._idle_one() or self.begun()
            try:
                yield db
            finally:
                with self._lock:
                    kept = not db.closed and not self._closed
                    if kept:
                        self._idle.append(db)
                if not kept:
                    db.close()

    def writing(self) -> PooledConnection:
        """The connection that steps are made by; used by one thread at a time."""
        if self._writer is None or self._writer.closed:
            db = self.begun()
            db.execute(f"SET lock_timeout = {BEHIND_S * 1000:.0f}".encode())
            self._writer = db
        return self._writer

    def begun(self) -> PooledConnection:
        """A new connection. While the database is away, one tries for all."""
        if not self._tries():
            raise NotReached("away")
        try:
            db = PooledConnection.connect(self.address, autocommit=True)
            db.patience = self._patience
            self.look_in(db)
            db.execute(ON_DISK)
        except psycopg.OperationalError as error:
            self._was_away()
            raise NotReached(str(error)) from error
        self._away_until = 0.0
        return db

    def look_in(self, db: PooledConnection) -> None:
        """Ask what time it is: whether a link still carries anything shows only when something is asked."""
        with db.within(QUICK_S):
            told = db.execute(TIME).fetchone()
        if told:
            self._ahead = told[0] - _counted()

    @contextmanager
    def asking(self, *, writes: bool) -> Iterator[None]:
        """Says what it means for the people at the tables where the database does not do as it is told."""
        try:
            yield
        except psycopg.errors.DiskFull as error:
            raise Storage("core.database_full") from error
        except NOT_DONE as error:
            raise StorageUnavailable("core.database_away") from error
        except GONE as error:
            if isinstance(error, Silent):
                self._was_away()
            raise (
                CommitOutcomeUnknown("core.database_perhaps") if writes else StorageUnavailable("core.database_away")
            ) from error

    def close(self) -> None:
        """End all of them."""
        with self._lock:
            self._closed = True
            for db in (*self._idle, *filter(None, [self._writer])):
                db.close()
            self._idle.clear()

    @contextmanager
    def _place(self) -> Iterator[None]:
        if not self._places.acquire(timeout=self._patience):
            raise NotReached("every connection is taken")
        try:
            yield
        finally:
            self._places.release()

    def _idle_one(self) -> PooledConnection | None:
        """A connection that is still one: the database may have been started anew since it was used last."""
        while True:
            with self._lock:
                if not self._idle:
                    return None
                db = self._idle.pop()
            try:
                self.look_in(db)
            except Silent as error:  # nor would any other answer
                self._was_away()
                raise NotReached("silent") from error
            except GONE:
                db.close()
            else:
                return db

    def _tries(self) -> bool:
        with self._lock:
            now = time.monotonic()
            if now < self._away_until:
                return False
            if self._away_until:
                self._away_until = now + QUICK_S
            return True

    def _was_away(self) -> None:
        """It is not asked again for a moment, by none of the connections."""
        with self._lock:
            self._away_until = time.monotonic() + TRIED_AGAIN
            idle, self._idle = self._idle, []
        for db in idle:
            db.close()


def _completed(said: Mapping[str, Any], patience: float, *, reading: bool) -> str:
    """An address with what goes without saying."""
    own_ms = int(patience * OWN_SHARE * 1000)
    ours = f"-c statement_timeout={own_ms} -c lock_timeout={own_ms} {BY_KEY}"
    only_looks = " -c default_transaction_read_only=on" if reading else ""
    options = f"{said.get('options') or os.environ.get('PGOPTIONS', '')} {ours}{only_looks}".strip()
    return make_conninfo("", **{**WITHOUT_SAYING, **said, "options": options})


def _counted() -> int:
    return time.monotonic_ns() // 1_000_000
