"""The journal of a hall: one PostgreSQL database for many service processes.

Whoever makes a step takes the table's head from the number before it to its own; of two that think they have the
table, one finds another number there. The keys of the rows would refuse the second as well.
"""

from __future__ import annotations

import logging
import math
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from companion.play.codes import LIFETIME, Invitation, drawn, plain
from companion.play.entries import End, JournalLine, Keys, Laid, Standing
from companion.play.journal import Immovable
from companion.play.rows import Wish, brief_of, encode, entry_row, keys_of, line_of, opened_of, standing_of
from companion.play.together import Together
from companion.refusals import AsTyped, Away, Malformed, Missing, Overtaken, Perhaps, Storage

log = logging.getLogger(__name__)

FORMAT = 1
TICK = 0.02  # seconds between two transactions of a process: what comes meanwhile is in the next
CHANNEL = "digside"
CALLS = "digside_calls"
"""The channel on which it is told of which table somebody calls for the host, or no longer does."""
PAYLOAD = 7900  # bytes of a notification; PostgreSQL takes fewer than 8000
PATIENCE_S = 5  # for an answer of the database
TRIED_AGAIN = 0.3  # seconds after which a database that was away is asked again
LENGTH = 7
"""Letters of a short code: in a hall many more hold at once than in a house, and each process lets people guess."""
LOOKS = 6  # connections that look, at most: to begin one costs more than many looks
ALL = "*"
BY_KEY = "-c enable_seqscan=off -c plan_cache_mode=force_generic_plan"
"""For every connection: each question here is by a key, so one plan is good for few tables and for many.

Left to itself the database plans a statement anew each time once there are many tables, which takes longer than to
carry it out; and it keeps what it planned while there were few: to look at all of them.
"""
SCHEMA = """
CREATE TABLE IF NOT EXISTS digside_format (format integer NOT NULL);
CREATE TABLE IF NOT EXISTS tables (
    id text PRIMARY KEY, at bigint NOT NULL, seq integer NOT NULL, played_at bigint, over boolean NOT NULL,
    after text UNIQUE, brief bytea NOT NULL, laid bytea NOT NULL, secret bytea NOT NULL, keys bytea NOT NULL,
    ended bytea
) WITH (fillfactor = 80);
CREATE INDEX IF NOT EXISTS newest ON tables (at DESC, id);
CREATE INDEX IF NOT EXISTS unnoted ON tables (id) WHERE over AND ended IS NULL;
CREATE TABLE IF NOT EXISTS entries (
    table_id text NOT NULL, number integer NOT NULL, at bigint NOT NULL, request text, asked text,
    body bytea NOT NULL, link bytea, PRIMARY KEY (table_id, number), UNIQUE (table_id, request)
);
CREATE TABLE IF NOT EXISTS codes (
    code text PRIMARY KEY, table_id text NOT NULL, seat integer NOT NULL, until timestamptz NOT NULL,
    UNIQUE (table_id, seat)
);
CREATE INDEX IF NOT EXISTS lapsing ON codes (until);
CREATE TABLE IF NOT EXISTS calls (
    table_id text PRIMARY KEY REFERENCES tables ON DELETE CASCADE, at bigint NOT NULL
);
INSERT INTO digside_format SELECT 1 WHERE NOT EXISTS (SELECT FROM digside_format);
"""
TAKE = """
WITH wanted AS (
    SELECT * FROM unnest(%(tables)s::text[], %(before)s::int[], %(last)s::int[], %(at)s::bigint[])
    AS w (id, before, last, at)
), taken AS (
    UPDATE tables t SET seq = w.last, played_at = w.at FROM wanted w
    WHERE t.id = ANY(%(tables)s::text[]) AND t.id = w.id AND t.seq = w.before
    RETURNING t.id
), made AS (
    INSERT INTO entries (table_id, number, at, request, asked, body, link)
    SELECT l.* FROM unnest(%(of)s::text[], %(numbers)s::int[], %(ats)s::bigint[], %(requests)s::text[],
        %(asked)s::text[], %(bodies)s::bytea[], %(links)s::bytea[]) AS l (of, number, at, request, asked, body, link)
    JOIN taken ON taken.id = l.of
)
SELECT pg_notify(%(channel)s, %(news)s), ARRAY(SELECT id FROM taken)
"""
"""Each table from its number before to its last, all in one transaction, and one word of it to the other processes."""
ENTRIES = (
    "SELECT number, at, request, asked, body, link FROM entries WHERE table_id = %s AND number > %s ORDER BY number"
)
CODE = """
INSERT INTO codes VALUES (%s, %s, %s, now() + make_interval(secs => %s))
ON CONFLICT (table_id, seat) DO UPDATE SET until = excluded.until RETURNING code
"""
CALL = """
WITH made AS (INSERT INTO calls VALUES (%(table)s, %(at)s) ON CONFLICT DO NOTHING RETURNING table_id)
SELECT pg_notify(%(channel)s, table_id) FROM made
"""
NO_CALL = """
WITH gone AS (DELETE FROM calls WHERE table_id = %(table)s RETURNING table_id)
SELECT pg_notify(%(channel)s, table_id) FROM gone
"""
LAPSED = "DELETE FROM codes WHERE code IN (SELECT code FROM codes WHERE until <= now() FOR UPDATE SKIP LOCKED)"
WORD = int.from_bytes(b"speaks")
MISSED_SOON = "SET tcp_keepalives_idle = 3; SET tcp_keepalives_interval = 1; SET tcp_keepalives_count = 4"
GONE = (psycopg.OperationalError, psycopg.InterfaceError)


class PostgresJournal(Immovable):
    """A journal in a database that other processes may have open as well.

    :param address: where it is, as libpq takes it: ``postgresql://user@host/database``.
    :param tick: seconds between two transactions that steps are made in.
    :param reading: only look: nothing is written there, not even what tables are kept in.
    """

    shared = True

    def __init__(self, address: str, *, tick: float = TICK, reading: bool = False) -> None:
        try:
            parts = conninfo_to_dict(address)
        except psycopg.ProgrammingError:  # what it says may have the password in it
            raise Malformed("core.bad_journal") from None
        self.place = f"{parts.get('host') or 'localhost'}/{parts.get('dbname') or 'digside'}"  # and no password
        only_looks = "-c default_transaction_read_only=on" if reading else ""
        self._address = make_conninfo(
            address,
            connect_timeout=2,
            tcp_user_timeout=PATIENCE_S * 1000,
            application_name="digside",
            options=f"-c statement_timeout={PATIENCE_S}s -c lock_timeout={PATIENCE_S}s {BY_KEY} {only_looks}",
        )
        self.me = secrets.token_hex(4)
        self.codes = _Codes(self)
        self.callers = _Callers(self)
        self.damaged: dict[str, str] = {}
        self.saved: Path | None = None
        self._idle: list[psycopg.Connection[Any]] = []
        self._places = threading.Semaphore(LOOKS)
        self._lock = threading.Lock()
        self._away_until = 0.0
        self._closing = threading.Event()
        self._listening: threading.Thread | None = None
        self._writer: psycopg.Connection[Any] | None = None
        self._word = _Word(self)
        self._steps = Together(self._take, pause=tick)
        self._begin(reading=reading)

    def _begin(self, *, reading: bool) -> None:
        """The tables of the database, made if there are none yet."""
        try:
            with self._looking() as db, db.transaction():
                if not reading:
                    db.execute("SELECT pg_advisory_xact_lock(%s)", (int.from_bytes(b"digside"),))
                    db.execute(SCHEMA)
                if db.execute("SELECT format FROM digside_format").fetchone() != (FORMAT,):
                    raise Storage("core.newer_data", folder=AsTyped(self.place))
        except Away as away:
            reason = str(away.__cause__).strip().rpartition("\n")[2]
            raise Away("core.database_unreached", place=AsTyped(self.place), reason=AsTyped(reason)) from away
        except psycopg.errors.UndefinedTable:
            raise Missing("core.no_data", folder=AsTyped(self.place)) from None

    def lay(self, laid: Laid, secret: bytes, keys: Keys, written: Sequence[JournalLine] = ()) -> None:
        row = {
            "id": laid.table,
            "at": laid.at,
            "seq": written[-1].seq if written else 0,
            "played_at": written[-1].at if written else None,
            "over": False,
            "after": laid.after,
            "brief": brief_of(laid),
            "laid": encode(laid),
            "secret": secret,
            "keys": encode(keys),
        }
        names = sql.SQL(", ").join(map(sql.Identifier, row))
        values = sql.SQL(", ").join(map(sql.Placeholder, row))
        with self._looking(writes=True) as db, db.transaction():
            try:
                db.execute(sql.SQL("INSERT INTO tables ({}) VALUES ({})").format(names, values), row)
            except psycopg.errors.UniqueViolation:
                raise Overtaken("core.stale") from None
            with db.cursor() as cursor:
                copied = "INSERT INTO entries (table_id, number, at, request, asked, body, link)"
                rows = [(laid.table, *entry_row(line)) for line in written]
                cursor.executemany(f"{copied} VALUES (%s, %s, %s, %s, %s, %s, %s)", rows)

    def append(self, table: str, written: Sequence[JournalLine]) -> None:
        wish = Wish(table, written)
        if not wish.is_in_order():
            raise Overtaken("core.stale")
        made = self._steps.do(wish)
        if isinstance(made, Storage):
            raise made
        if not made:
            if not self.knows(table):
                raise Missing("core.no_table", table=table)
            raise Overtaken("core.stale")

    def _take(self, wishes: Sequence[Wish]) -> list[bool | Storage]:
        """Make what is wished for at many tables in one transaction; which of it was made."""
        try:
            made = self._taken(wishes)
        except psycopg.errors.UniqueViolation:  # of a request that was answered: whose it was is seen one by one
            if len(wishes) == 1:
                return [False]
            return [self._take_alone(wish) for wish in wishes]
        return [wish.table in made for wish in wishes]

    def _take_alone(self, wish: Wish) -> bool | Storage:
        """As said to whoever wished for it: what was made before is made, though the database is away now."""
        try:
            return self._take([wish])[0]
        except Storage as refused:
            return refused

    def _taken(self, wishes: Sequence[Wish]) -> set[str]:
        lines = [(wish.table, *entry_row(line)) for wish in wishes for line in wish.written]
        of, numbers, ats, requests, asked, bodies, links = map(list, zip(*lines, strict=True))
        row = {
            "tables": [wish.table for wish in wishes],
            "before": [wish.written[0].seq - 1 for wish in wishes],
            "last": [wish.written[-1].seq for wish in wishes],
            "at": [wish.written[-1].at for wish in wishes],
            "of": of,
            "numbers": numbers,
            "ats": ats,
            "requests": requests,
            "asked": asked,
            "bodies": bodies,
            "links": links,
            "channel": CHANNEL,
            "news": self._news({wish.table: wish.written[-1].seq for wish in wishes}),
        }
        with self._asking(writes=True):
            try:
                found = self._writing().execute(TAKE, row).fetchone()
            except _NotReached:
                raise
            except GONE as error:  # two processes took two tables crosswise; or the database was started anew
                with _or_else(error):  # if it was made after all, it is not made again
                    found = self._writing().execute(TAKE, row).fetchone()
        return set(found[1]) if found else set()

    def _writing(self) -> psycopg.Connection[Any]:
        """The connection that steps are made by; used by one thread at a time."""
        if self._writer is None or self._writer.closed:
            self._writer = self._connect()
        return self._writer

    def finish(self, table: str, end: End) -> None:
        ended = encode(end)
        with self._looking(writes=True) as db:
            note = "UPDATE tables SET over = true, ended = %s WHERE id = %s AND ended IS DISTINCT FROM %s"
            if db.execute(note, (ended, table, ended)).rowcount:
                db.execute(NO_CALL, {"table": table, "channel": CALLS})

    def delete(self, table: str) -> None:
        with self._looking(writes=True) as db, db.transaction():
            db.execute(NO_CALL, {"table": table, "channel": CALLS})
            if db.execute("DELETE FROM tables WHERE id = %s", (table,)).rowcount == 0:
                raise Missing("core.no_table", table=table)
            db.execute("DELETE FROM entries WHERE table_id = %s", (table,))
            db.execute("DELETE FROM codes WHERE table_id = %s", (table,))
            db.execute("SELECT pg_notify(%s, %s)", (CHANNEL, self._news({table: 0})))

    def summaries(self, first: int = 0, most: int | None = None, *, since: int = 0) -> list[Standing]:
        told = "SELECT id, brief, seq, played_at, over, ended FROM tables WHERE at >= %s ORDER BY at DESC, id"
        with self._looking() as db:
            rows = db.execute(f"{told} LIMIT %s OFFSET %s", (since, most, first)).fetchall()
        damaged, found = dict[str, str](), []
        for table, brief, seq, at, over, ended in rows:
            try:
                found.append(standing_of(brief, seq, at, over, ended))
            except msgspec.DecodeError as error:
                damaged[table] = str(error)
        self.damaged = damaged
        return found

    def count(self) -> int:
        return int(self._one("SELECT count(*) FROM tables")[0])

    def unnoted(self) -> list[str]:
        with self._looking() as db:
            return [row[0] for row in db.execute("SELECT id FROM tables WHERE over AND ended IS NULL")]

    def following(self, table: str) -> str | None:
        row = self._one("SELECT id FROM tables WHERE after = %s", table)
        return row[0] if row else None

    def last_step(self) -> tuple[str, int] | None:
        row = self._one("SELECT id, seq FROM tables WHERE seq > 0 ORDER BY played_at DESC LIMIT 1")
        return (row[0], row[1]) if row else None

    def knows(self, table: str) -> bool:
        return bool(self._one("SELECT 1 FROM tables WHERE id = %s", table))

    def opened(self, table: str) -> tuple[Laid, bytes, Keys]:
        row = self._one("SELECT laid, secret, keys FROM tables WHERE id = %s", table)
        if not row:
            raise Missing("core.no_table", table=table)
        with _readable(table):
            return opened_of(*row)

    def keys(self, table: str) -> Keys:
        row = self._one("SELECT keys FROM tables WHERE id = %s", table)
        if not row:
            raise Missing("core.no_table", table=table)
        with _readable(table):
            return keys_of(row[0])

    def entries(self, table: str, after: int = 0) -> list[JournalLine]:
        with self._looking() as db, _readable(table):
            return [line_of(*row) for row in db.execute(ENTRIES, (table, after))]

    def sound_entries(self, table: str) -> list[JournalLine]:
        lines: list[JournalLine] = []
        with self._looking() as db, suppress(msgspec.DecodeError):
            for row in db.execute(ENTRIES, (table, 0)):
                line = line_of(*row)
                if line.seq != len(lines) + 1:
                    break
                lines.append(line)
        return lines

    def newest(self) -> int:
        return int(self._one("SELECT max(at) FROM tables")[0] or 0)

    def listen(self, heard: Callable[[Mapping[str, int] | None], None]) -> None:
        if self._listening is not None:
            raise RuntimeError("somebody listens already")
        ready = threading.Event()
        self._listening = threading.Thread(target=self._listen, args=(heard, ready), name="notices", daemon=True)
        self._listening.start()
        ready.wait(PATIENCE_S)

    def _listen(self, heard: Callable[[Mapping[str, int] | None], None], ready: threading.Event) -> None:
        """By a connection of its own. What was missed while it was away is unknown: whoever listens looks at all.

        Whoever cannot do so, because it is away again, is told again once it is back.
        """
        while not self._closing.is_set():
            try:
                with self._connect() as db:
                    db.execute(f"LISTEN {CHANNEL}")
                    db.execute(f"LISTEN {CALLS}")
                    self.callers.read_all()
                    if ready.is_set():
                        heard(None)
                    ready.set()
                    self._hear(db, heard)
            except (*GONE, Away):
                pass
            except Exception:  # whoever listens made a mistake: what comes later is told all the same
                log.exception("a notice was not followed")
            ready.set()
            self._closing.wait(TRIED_AGAIN)

    def _hear(self, db: psycopg.Connection[Any], heard: Callable[[Mapping[str, int] | None], None]) -> None:
        while not self._closing.is_set():
            for notice in db.notifies(timeout=0.2):
                if notice.channel == CALLS:
                    self.callers.read(notice.payload)
                else:
                    self._heard(notice.payload, heard)
                if self._closing.is_set():
                    return

    def _heard(self, payload: str, heard: Callable[[Mapping[str, int] | None], None]) -> None:
        by, _, told = payload.partition(" ")
        if by != self.me:
            pairs = [each.partition("=") for each in told.split()]
            heard(None if told == ALL else {table: int(seq) for table, _, seq in pairs})

    def _news(self, newest: Mapping[str, int]) -> str:
        """The word to other processes."""
        told = f"{self.me} {' '.join(f'{table}={seq}' for table, seq in newest.items())}"
        return told if len(told.encode()) < PAYLOAD else f"{self.me} {ALL}"

    def has_word(self) -> bool:
        return self._word.taken()

    def free(self) -> None:
        """The database's machine knows; it refuses what it has no room for."""

    def gone(self) -> bool:
        return False

    def check_there(self) -> None:
        """It is elsewhere, and says by itself when it does not take a step."""

    def writable(self) -> None:
        with self._looking(writes=True) as db:
            db.execute("UPDATE digside_format SET format = format")

    def sound(self, within: float = math.inf) -> bool:
        ends = time.monotonic() + within
        with self._looking() as db:
            told = "SELECT count(*), coalesce(max(number), 0) FROM entries WHERE table_id = %s"
            for table, seq in db.execute("SELECT id, seq FROM tables ORDER BY at DESC").fetchall():
                if time.monotonic() > ends:
                    return False
                if db.execute(told, (table,)).fetchone() != (seq, seq):
                    raise Storage("core.table_damaged", table=table).because(ValueError("-"))
        return True

    def close(self) -> None:
        self._closing.set()
        if self._listening is not None and self._listening is not threading.current_thread():
            self._listening.join(PATIENCE_S)
        self._word.leave()
        with self._lock:
            for db in (*self._idle, *filter(None, [self._writer])):
                db.close()
            self._idle.clear()

    def _one(self, query: str, *values: object) -> Any:
        """The first row that is found; empty where there is none."""
        with self._looking() as db:
            return db.execute(query, values).fetchone() or ()

    @contextmanager
    def _looking(self, *, writes: bool = False) -> Iterator[psycopg.Connection[Any]]:
        """A connection, for one thread as long as it wants it; whoever comes when all are taken waits for one."""
        with self._asking(writes=writes), self._place():
            db = self._idle_one() or self._connect()
            try:
                yield db
            finally:
                with self._lock:
                    kept = not db.closed and not self._closing.is_set()
                    if kept:
                        self._idle.append(db)
                if not kept:
                    db.close()

    @contextmanager
    def _place(self) -> Iterator[None]:
        if not self._places.acquire(timeout=PATIENCE_S):
            raise _NotReached("every connection is taken")
        try:
            yield
        finally:
            self._places.release()

    def _idle_one(self) -> psycopg.Connection[Any] | None:
        """A connection that is still one: the database may have been started anew since it was used last."""
        while True:
            with self._lock:
                if not self._idle:
                    return None
                db = self._idle.pop()
            with suppress(*GONE):
                db.execute("SELECT 1")
                return db
            db.close()

    def _connect(self) -> psycopg.Connection[Any]:
        if time.monotonic() < self._away_until:
            raise _NotReached("away")
        try:
            return psycopg.connect(self._address, autocommit=True)
        except psycopg.OperationalError as error:
            self._away_until = time.monotonic() + TRIED_AGAIN
            raise _NotReached(str(error)) from error

    @contextmanager
    def _asking(self, *, writes: bool) -> Iterator[None]:
        """Says what it means for the people at the tables where the database does not do as it is told."""
        try:
            yield
        except psycopg.errors.DiskFull as error:
            raise Storage("core.database_full") from error
        except (*GONE, psycopg.errors.ReadOnlySqlTransaction) as error:
            unsaid = writes and not isinstance(error, (_NotReached, psycopg.errors.ReadOnlySqlTransaction))
            raise (Perhaps("core.database_perhaps") if unsaid else Away("core.database_away")) from error


class _Codes:
    """Short codes for seats, the same at every process."""

    def __init__(self, journal: PostgresJournal) -> None:
        self._journal = journal

    def code(self, invitation: Invitation, *, holds: float = LIFETIME) -> str:
        with self._journal._looking(writes=True) as db:
            db.execute(LAPSED)
            while True:
                with suppress(psycopg.errors.UniqueViolation):  # somebody else's seat has it
                    row = db.execute(CODE, (drawn(LENGTH), *invitation, holds)).fetchone()
                    return str(row[0]) if row else ""

    def seat(self, typed: str) -> Invitation | None:
        row = self._journal._one("SELECT table_id, seat FROM codes WHERE code = %s AND until > now()", plain(typed))
        return Invitation(*row) if row else None


class _Callers:
    """The tables that call for the host, the same at every process: what the database says is known here, too.

    Where it is told that something has become of a call it is read what; so whoever is told last knows what is so.
    """

    def __init__(self, journal: PostgresJournal) -> None:
        self._journal = journal
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
        with self._journal._looking(writes=True) as db:
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
        with self._lock, self._journal._looking() as db:
            before, self._since = self._since, dict(db.execute("SELECT table_id, at FROM calls").fetchall())
        for table in before.keys() ^ self._since.keys():
            self._heard(table)

    def _note(self, table: str) -> None:
        with self._lock:
            row = self._journal._one("SELECT at FROM calls WHERE table_id = %s", table)
            self._since.pop(table, None)
            if row:
                self._since[table] = row[0]


class _Word:
    """Who speaks for all processes: whoever has a lock, by a connection of its own that ends with the process.

    The database misses a machine that is gone within seconds, too, and gives the lock to the next who asks.
    """

    def __init__(self, journal: PostgresJournal) -> None:
        self._journal = journal
        self._db: psycopg.Connection[Any] | None = None
        self._ours = False

    def taken(self) -> bool:
        """Whether it is ours, or has become ours just now; asked by one thread at a time."""
        try:
            if self._journal._closing.is_set():
                return False
            if self._db is None:
                self._db = self._journal._connect()
                self._db.execute(MISSED_SOON)
            asked = "SELECT true" if self._ours else "SELECT pg_try_advisory_lock(%s)"
            row = self._db.execute(asked, () if self._ours else (WORD,)).fetchone()
            self._ours = bool(row and row[0])
        except GONE:
            self.leave()
        return self._ours

    def leave(self) -> None:
        """It is anybody's."""
        db, self._db, self._ours = self._db, None, False
        if db is not None:
            db.close()


class _NotReached(psycopg.OperationalError):
    """There was no connection: nothing was said, and nothing done."""


@contextmanager
def _or_else(first: Exception) -> Iterator[None]:
    """A second try: where it does not even come to that, the first stands."""
    try:
        yield
    except _NotReached:
        raise first from None


@contextmanager
def _readable(table: str) -> Iterator[None]:
    try:
        yield
    except msgspec.DecodeError as error:
        raise Storage("core.table_damaged", table=table).because(ValueError(str(error))) from error
