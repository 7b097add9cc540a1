"""The journal of a hall: one PostgreSQL database for many service processes.

Whoever makes a step takes the table's head from the number before it to its own; of two that think they have the
table, one finds another number there. The keys of the rows would refuse the second as well.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
from psycopg import sql

from companion.play.entries import EndFound, JournalLine, Keys, Laid, SeatsChanged, TableSummary
from companion.play.group_commit import GroupCommit
from companion.play.journal import MOST_LEFT, Immovable
from companion.play.postgres_callers import CALLS, NO_CALL, PostgresCallers
from companion.play.postgres_codes import PostgresCodes
from companion.play.postgres_connections import PATIENCE_S, Connections, PooledConnection
from companion.play.postgres_leader import LeaderLock
from companion.play.postgres_notices import CHANNEL, PostgresNotices
from companion.play.rows import (
    AppendRequest,
    Unreadable,
    brief_of,
    encode,
    entry_row,
    keys_of,
    line_of,
    opened_of,
    seating_of,
    standing_of,
)
from companion.refusals import AsTyped, CommitOutcomeUnknown, LostRace, Missing, Storage, StorageUnavailable

__all__ = ["CHANNEL", "TICK", "PostgresJournal"]

FORMAT = 1
TRIES = 20  # to make the tables of a database where other processes begin at the same moment
TICK = 0.02  # seconds between two transactions of a process: what comes meanwhile is in the next
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
CREATE INDEX IF NOT EXISTS seatings ON entries (table_id, number)
    WHERE substring(body from 1 for 15) = '\\x7b226b696e64223a22736561747322'::bytea;
CREATE TABLE IF NOT EXISTS codes (
    code text PRIMARY KEY, table_id text NOT NULL, seat integer NOT NULL, until timestamptz NOT NULL,
    UNIQUE (table_id, seat)
);
CREATE INDEX IF NOT EXISTS lapsing ON codes (until);
CREATE TABLE IF NOT EXISTS calls (
    table_id text PRIMARY KEY REFERENCES tables ON DELETE CASCADE, at bigint NOT NULL
);
CREATE TABLE IF NOT EXISTS speaker (
    one boolean PRIMARY KEY DEFAULT true CHECK (one), holder text NOT NULL, until timestamptz NOT NULL
);
CREATE TABLE IF NOT EXISTS notice_key (one boolean PRIMARY KEY DEFAULT true CHECK (one), key text NOT NULL);
INSERT INTO notice_key (key) VALUES (gen_random_uuid()::text || gen_random_uuid()::text) ON CONFLICT DO NOTHING;
INSERT INTO digside_format SELECT 1 WHERE NOT EXISTS (SELECT FROM digside_format);
"""
BEGUN_AT_ONCE = (
    psycopg.errors.UniqueViolation,
    psycopg.errors.DuplicateTable,
    psycopg.errors.DuplicateObject,
)
"""What another process says that begins at the same moment: it makes the same."""
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
SEATINGS = """
SELECT DISTINCT ON (table_id) table_id, body FROM entries
WHERE substring(body from 1 for 15) = '\\x7b226b696e64223a22736561747322'::bytea AND table_id = ANY(%s)
ORDER BY table_id, number DESC
"""
ANSWERED = "SELECT number, asked FROM entries WHERE table_id = %s AND request = %s"
LEFT = """
SELECT count(*) FROM (
    SELECT FROM tables WHERE at BETWEEN %s AND %s AND NOT over AND coalesce(played_at, at) <= %s AND id <> %s
    AND position(%s::bytea IN brief) > 0 LIMIT %s
) AS dropped
"""


class PostgresJournal(Immovable):
    """A journal in a database that other processes may have open as well.

    :param address: where it is, as libpq takes it: ``postgresql://user@host/database``.
    :param tick: seconds between two transactions that steps are made in.
    :param reading: only look: nothing is written there, not even what tables are kept in.
    """

    shared = True

    def __init__(
        self, address: str, *, tick: float = TICK, reading: bool = False, patience: float = PATIENCE_S
    ) -> None:
        self._connections = Connections(address, patience=patience, reading=reading)
        self.place = self._connections.place
        self.codes = PostgresCodes(self._connections)
        self.callers = PostgresCallers(self._connections)
        self.damaged: dict[str, str] = {}
        self.saved: Path | None = None
        self._notices = PostgresNotices(self._connections, self.callers)
        self._leader = LeaderLock(self._connections)
        self._steps = GroupCommit(self._take, pause=tick)
        self._begin(reading=reading)

    def _begin(self, *, reading: bool) -> None:
        """The tables of the database, made if there are none yet."""
        try:
            self._make(reading=reading)
            with self._connections.looking() as db:
                if db.execute("SELECT format FROM digside_format").fetchone() != (FORMAT,):
                    raise Storage("core.newer_data", folder=AsTyped(self.place))
                if not reading:
                    self._notices.use_key(db.execute("SELECT key FROM notice_key").fetchone())
        except StorageUnavailable as away:
            reason = str(away.__cause__).strip().rpartition("\n")[2].strip()
            raise StorageUnavailable(
                "core.database_unreached", place=AsTyped(self.place), reason=AsTyped(reason)
            ) from away
        except psycopg.errors.UndefinedTable:
            raise Missing("core.no_data", folder=AsTyped(self.place)) from None

    def _make(self, *, reading: bool) -> None:
        """Make what is missing; where it is all there nothing is touched that somebody may be using."""
        for tries in range(TRIES, -1, -1):
            try:
                with self._connections.looking() as db, db.transaction():
                    if not reading and not _is_made(db):
                        db.execute(SCHEMA)
            except BEGUN_AT_ONCE:
                if not tries:
                    raise
                time.sleep(TICK)
            else:
                return

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
        with self._connections.looking(writes=True) as db, db.transaction():
            try:
                db.execute(sql.SQL("INSERT INTO tables ({}) VALUES ({})").format(names, values), row)
            except psycopg.errors.UniqueViolation:
                raise LostRace("core.stale") from None
            with db.cursor() as cursor:
                copied = "INSERT INTO entries (table_id, number, at, request, asked, body, link)"
                rows = [(laid.table, *entry_row(line)) for line in written]
                cursor.executemany(f"{copied} VALUES (%s, %s, %s, %s, %s, %s, %s)", rows)

    def append(self, table: str, written: Sequence[JournalLine]) -> None:
        wish = AppendRequest(table, written)
        if not wish.is_in_order():
            raise LostRace("core.stale")
        made = self._steps.do(wish)
        if made is True:
            return
        if not made or isinstance(made, CommitOutcomeUnknown):
            self._notices.doubt(table)
        if isinstance(made, Exception):
            raise made
        with suppress(StorageUnavailable):  # somebody has made a step of that number, be it this very one
            if not self.knows(table):
                raise Missing("core.no_table", table=table)
        raise LostRace("core.stale")

    def acknowledge(self, table: str, newest: JournalLine) -> None:
        """The database keeps its own count."""

    def _take(self, wishes: Sequence[AppendRequest]) -> list[bool | Exception]:
        """Make what is wished for at many tables; of each whether it was made, or what kept it from being made.

        Where the answer is lost it is asked again: what was made after all is not made again. Only what then is
        certain is said to be so.
        """
        try:
            return self._tried(wishes)
        except CommitOutcomeUnknown as error:
            lost = error
        try:
            again = self._tried(wishes)
        except CommitOutcomeUnknown:
            return [lost] * len(wishes)
        return [lost if isinstance(made, Exception) else made for made in again]

    def _tried(self, wishes: Sequence[AppendRequest]) -> list[bool | Exception]:
        """In one transaction; one by one where it does not come to that, as one of them keeps the others from it.

        :raises CommitOutcomeUnknown: where the answer is lost.
        """
        try:
            with self._connections.asking(writes=True):
                made = self._taken(wishes)
        except CommitOutcomeUnknown:
            raise
        except Exception as error:
            if len(wishes) > 1:
                return [made for wish in wishes for made in self._take([wish])]
            answered_before = isinstance(error, psycopg.errors.UniqueViolation)  # a request, by another step
            return [False if answered_before else error]
        return [wish.table in made for wish in wishes]

    def _taken(self, wishes: Sequence[AppendRequest]) -> set[str]:
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
            "news": self._notices.news({wish.table: wish.written[-1].seq for wish in wishes}),
        }
        found = self._connections.writing().execute(TAKE, row).fetchone()
        return set(found[1]) if found else set()

    def finish(self, table: str, end: EndFound) -> None:
        ended = encode(end)
        with self._connections.looking(writes=True) as db:
            note = "UPDATE tables SET over = true, ended = %s WHERE id = %s AND ended IS DISTINCT FROM %s"
            if db.execute(note, (ended, table, ended)).rowcount:
                db.execute(NO_CALL, {"table": table, "channel": CALLS})

    def delete(self, table: str) -> None:
        with self._connections.looking(writes=True) as db, db.transaction():
            db.execute(NO_CALL, {"table": table, "channel": CALLS})
            if db.execute("DELETE FROM tables WHERE id = %s", (table,)).rowcount == 0:
                raise Missing("core.no_table", table=table)
            db.execute("DELETE FROM entries WHERE table_id = %s", (table,))
            db.execute("DELETE FROM codes WHERE table_id = %s", (table,))
            db.execute("SELECT pg_notify(%s, %s)", (CHANNEL, self._notices.news({table: 0})))

    def summaries(self, first: int = 0, most: int | None = None, *, over: bool = False) -> list[TableSummary]:
        which = "WHERE over" if over else ""
        told = f"SELECT id, brief, seq, played_at, over, ended FROM tables {which} ORDER BY at DESC, id"  # noqa: S608
        with self._connections.looking() as db:
            rows = db.execute(f"{told} LIMIT %s OFFSET %s".encode(), (most, first)).fetchall()
        damaged, found = dict[str, str](), []
        for table, brief, seq, at, is_over, ended in rows:
            try:
                found.append(standing_of(brief, seq, at, is_over, ended))
            except Unreadable as error:
                damaged[table] = str(error)
        self.damaged = damaged
        return found

    def seatings(self, tables: Sequence[str]) -> dict[str, SeatsChanged]:
        with self._connections.looking() as db, suppress(Unreadable):
            return {table: seating_of(body) for table, body in db.execute(SEATINGS, ([*tables],))}
        return {}

    def left_before(self, laid: Laid, since: int) -> int:
        of_the_box = encode({"box": laid.setup.box})[1:-1]  # as `brief_of` writes it
        return int(self._connections.one(LEFT, since, laid.at, laid.at, laid.table, of_the_box, MOST_LEFT)[0])

    def count(self) -> int:
        return int(self._connections.one("SELECT count(*) FROM tables")[0])

    def unnoted(self) -> list[str]:
        with self._connections.looking() as db:
            return [row[0] for row in db.execute("SELECT id FROM tables WHERE over AND ended IS NULL")]

    def following(self, table: str) -> str | None:
        row = self._connections.one("SELECT id FROM tables WHERE after = %s", table)
        return row[0] if row else None

    def last_step(self) -> tuple[str, int] | None:
        row = self._connections.one("SELECT id, seq FROM tables WHERE seq > 0 ORDER BY played_at DESC LIMIT 1")
        return (row[0], row[1]) if row else None

    def knows(self, table: str) -> bool:
        return bool(self._connections.one("SELECT 1 FROM tables WHERE id = %s", table))

    def laying_of(self, table: str) -> tuple[Laid, bytes, Keys]:
        row = self._connections.one("SELECT laid, secret, keys FROM tables WHERE id = %s", table)
        if not row:
            raise Missing("core.no_table", table=table)
        with _readable(table):
            return opened_of(*row)

    def keys(self, table: str) -> Keys:
        row = self._connections.one("SELECT keys FROM tables WHERE id = %s", table)
        if not row:
            raise Missing("core.no_table", table=table)
        with _readable(table):
            return keys_of(row[0])

    def entries(self, table: str, after: int = 0) -> list[JournalLine]:
        with self._connections.looking() as db, _readable(table):
            return [line_of(*row) for row in db.execute(ENTRIES, (table, after))]

    def answered(self, table: str, request: str) -> tuple[int, str | None] | None:
        row = self._connections.one(ANSWERED, table, request)
        return (row[0], row[1]) if row else None

    def length(self, table: str) -> int:
        row = self._connections.one("SELECT seq FROM tables WHERE id = %s", table)
        return int(row[0]) if row else 0

    def sound_entries(self, table: str) -> list[JournalLine]:
        lines: list[JournalLine] = []
        with self._connections.looking() as db, suppress(Unreadable):
            for row in db.execute(ENTRIES, (table, 0)):
                line = line_of(*row)
                if line.seq != len(lines) + 1:
                    break
                lines.append(line)
        return lines

    def newest(self) -> int:
        return int(self._connections.one("SELECT max(at) FROM tables")[0] or 0)

    def now(self) -> int:
        return self._connections.now()

    def listen(self, heard: Callable[[Mapping[str, int] | None], None]) -> None:
        self._notices.listen(heard)

    def behind_since(self) -> int | None:
        return self._notices.behind_since

    def lose_sight(self) -> None:
        self._notices.lose_sight()

    def when_in_doubt(self, changed: Callable[[], None]) -> None:
        self._notices.in_doubt = changed

    def is_leader(self) -> bool:
        return self._leader.taken()

    def free_bytes(self) -> None:
        """The database's machine knows; it refuses what it has no room for."""

    def is_gone(self) -> bool:
        return False

    def check_there(self) -> None:
        """It is elsewhere, and says by itself when it does not take a step."""

    def writable(self) -> None:
        with self._connections.looking(writes=True) as db:
            db.execute("UPDATE digside_format SET format = format")

    def sound(self, within: float = math.inf) -> bool:
        ends = time.monotonic() + within
        with self._connections.looking() as db:
            told = "SELECT count(*), coalesce(max(number), 0) FROM entries WHERE table_id = %s"
            for table, seq in db.execute("SELECT id, seq FROM tables ORDER BY at DESC").fetchall():
                if time.monotonic() > ends:
                    return False
                if db.execute(told, (table,)).fetchone() != (seq, seq):
                    raise Storage("core.table_damaged", table=table).because(ValueError("-"))
        return True

    def close(self) -> None:
        self._notices.close()
        self._leader.close()
        self._connections.close()


def _is_made(db: PooledConnection) -> bool:
    """Whether everything is there that tables are kept in."""
    names = re.findall(r"IF NOT EXISTS (\w+)", SCHEMA)
    there = db.execute("SELECT every(to_regclass(name) IS NOT NULL) FROM unnest(%s::text[]) AS name", (names,))
    return there.fetchone() == (True,)


@contextmanager
def _readable(table: str) -> Iterator[None]:
    try:
        yield
    except Unreadable as error:
        raise Storage("core.table_damaged", table=table).because(ValueError(str(error))) from error
