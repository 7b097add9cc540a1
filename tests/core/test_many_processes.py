"""Two that think they have a table: one database, and what each of them shows in the end."""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, cast

import psycopg
import pytest
from msgspec.structs import replace
from psycopg.conninfo import conninfo_to_dict

from companion.game import Seat, Setup
from companion.play.entries import JournalLine, TableClosed
from companion.play.hall import Hall
from companion.play.hosting import sit, want_host
from companion.play.postgres_connections import BEHIND_S, LOOKS, Connections, NotReached, PooledConnection
from companion.play.postgres_journal import PostgresJournal
from companion.play.postgres_notices import ALL, CHANNEL, MAC, PAYLOAD
from companion.play.record import encode, export
from companion.play.rows import AppendRequest
from companion.play.table import HOST, SPECTATOR, Actor, Table
from companion.play.view import view
from companion.refusals import (
    CommitOutcomeUnknown,
    Illegal,
    LostRace,
    Malformed,
    Missing,
    Stale,
    Storage,
    StorageUnavailable,
)
from tests.core.coins import KEYS, SECRET, laid
from tests.venue.database import Database

PATIENCE = 20.0
TAP = [JournalLine(1, 1, TableClosed(), "tap", "-")]
AWARD = {"type": "award", "seat": 0, "points": 1}


class Deaf(PostgresJournal):
    """Hears nothing of what others write: as a process whose notice is still under way."""

    def listen(self, heard: Callable[[Mapping[str, int] | None], None]) -> None:
        self.heard = heard


@pytest.fixture
def halls(database: Database, tmp_path: Path) -> Iterator[Callable[..., Hall]]:
    """Opens one more hall over the same tables."""
    address, opened = database.make(), list[Hall]()

    def another(kind: type[PostgresJournal] = PostgresJournal) -> Hall:
        opened.append(Hall(tmp_path, journal=kind(address)))
        return opened[-1]

    yield another
    for each in opened:
        each.close()


def _lay(hall: Hall) -> Table:
    return hall.lay(Setup("horus", "toolbox", (Seat("Ada"), Seat("Ben"))))


def _deaf(hall: Hall) -> Deaf:
    assert isinstance(hall.journal, Deaf)
    return hall.journal


def _address(hall: Hall) -> str:
    assert isinstance(hall.journal, PostgresJournal)
    return hall.journal._connections.address


def _forgotten(hall: Hall, table: str) -> None:
    """It is in memory no more, and is still in the journal."""
    hall._at_hand.clear()
    hall._tables.pop(table, None)


def _heard(table: Table) -> threading.Event:
    """Set once somebody is told of a step."""
    told = threading.Event()
    table.listen(lambda *_: told.set())
    return told


def test_the_second_is_told_it_is_late_and_follows(halls: Callable[..., Hall]) -> None:
    one, other = halls(Deaf), halls(Deaf)
    table = _lay(one)
    same = other.table(table.id)
    told = _heard(same)
    table.play(HOST, 0, "ada", AWARD)
    with pytest.raises(Stale):
        same.play(HOST, 0, "ben", {"type": "award", "seat": 1, "points": 5})
    assert view(same) == view(table)
    assert told.is_set(), "whoever looks at it there sees the true state"
    assert same.play(HOST, 1, "ben", {"type": "award", "seat": 1, "points": 5}) == 2
    assert [line.request for line in one.journal.entries(table.id)] == ["ada", "ben"]


def test_two_who_take_a_seat_or_the_hosts_role_at_two_processes_are_told_of_each_other(
    halls: Callable[..., Hall],
) -> None:
    one, other = halls(Deaf), halls(Deaf)
    table = _lay(one)
    same = other.table(table.id)
    assert sit(table, "zoe", "Zoë", 0) == 0
    with pytest.raises(Illegal):
        sit(same, "eve", "Eve", 0)
    assert sit(same, "ole", "Ole", None) == 1
    for here, seat in ((table, 0), (same, 1)):
        want_host(here, Actor("seat", seat), f"want {seat}", now=table.laid.at, silent=True, present=())
    table.catch_up()
    assert [each.seating.hosts_seat for each in (table, same)] == [0, 0]
    assert [hall.actor_by(table.id, table.keys.host) for hall in (one, other, halls())] == [SPECTATOR] * 3
    assert [seat.name for seat in halls().tables()[0].seats] == ["Zoë", "Ole"]


def test_the_same_request_at_two_processes_is_answered_the_same_and_made_once(halls: Callable[..., Hall]) -> None:
    one, other = halls(Deaf), halls(Deaf)
    table = _lay(one)
    same = other.table(table.id)
    assert table.play(HOST, 0, "tap", AWARD) == same.play(HOST, 0, "tap", AWARD) == 1
    assert len(one.journal.entries(table.id)) == 1


def test_whoever_knows_more_than_a_process_is_not_told_to_look_again(halls: Callable[..., Hall]) -> None:
    """Its own process was killed, and the notice of its last step has not come to the next one yet."""
    one, other = halls(Deaf), halls(Deaf)
    table = _lay(one)
    same = other.table(table.id)
    table.play(HOST, 0, "tap", AWARD)
    assert same.play(HOST, 1, "next", AWARD) == 2


def test_a_press_that_was_answered_is_answered_again_by_a_process_that_lags(halls: Callable[..., Hall]) -> None:
    """Its own process was killed once the next step had been made, and nothing of both has come to this one yet."""
    one, other = halls(Deaf), halls(Deaf)
    table = _lay(one)
    same = other.table(table.id)
    assert table.play(HOST, 0, "first", AWARD) == 1
    assert table.play(HOST, 1, "tap", AWARD) == 2
    assert table.play(HOST, 2, "next", AWARD) == 3
    assert same.play(HOST, 1, "tap", AWARD) == 2
    with pytest.raises(Malformed):
        same.play(HOST, 1, "tap", {"type": "award", "seat": 1, "points": 5})
    assert len(one.journal.entries(table.id)) == 3


def test_whoever_looks_elsewhere_is_told_of_each_step(halls: Callable[..., Hall]) -> None:
    one, other = halls(), halls()
    table = _lay(one)
    same = other.table(table.id)
    told = _heard(same)
    table.play(HOST, 0, "tap", AWARD)
    assert told.wait(PATIENCE)
    assert view(same) == view(table)


def test_a_table_that_nobody_looks_at_is_read_anew_when_it_is_asked_for(halls: Callable[..., Hall]) -> None:
    one, other = halls(), halls()
    table = _lay(one)
    left, watched = other.table(table.id).id, _lay(one)
    looked_at = other.table(watched.id)
    told = _heard(looked_at)
    table.play(HOST, 0, "tap", AWARD)
    watched.play(HOST, 0, "tap", AWARD)
    assert told.wait(PATIENCE), "the notices come in order"
    assert left not in other._tables
    assert other.table(left).seq == 1


def test_a_table_that_is_deleted_elsewhere_is_gone_here(halls: Callable[..., Hall]) -> None:
    one, other = halls(), halls()
    table = other.table(_lay(one).id)
    gone = threading.Event()
    other.on_close(lambda _: gone.set())
    one.delete(table.id)
    assert gone.wait(PATIENCE)
    with pytest.raises(Missing):
        other.table(table.id)
    with pytest.raises(Missing):
        table.play(HOST, 0, "tap", AWARD)


def test_a_table_that_was_deleted_while_nobody_listened_is_gone_once_somebody_does(halls: Callable[..., Hall]) -> None:
    one, other = halls(Deaf), halls(Deaf)
    table = other.table(_lay(one).id)
    gone = list[str]()
    other.on_close(gone.append)
    one.delete(table.id)
    _deaf(other).heard(None)
    assert gone == [table.id]
    with pytest.raises(Missing):
        other.table(table.id)


def test_a_table_that_is_deleted_while_it_is_opened_is_not_opened(halls: Callable[..., Hall], tmp_path: Path) -> None:
    for one, other in ((halls(Deaf), halls(Deaf)), (own := Hall(tmp_path), own)):
        table = _lay(one).id
        _forgotten(one, table)
        read = other.journal.entries

        def entries(table: str, after: int = 0, one: Hall = one, read: Any = read) -> Any:
            lines = read(table, after)
            with suppress(Missing):  # the second time
                one.delete(table)
            return lines

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(other.journal, "entries", entries)
            with pytest.raises(Missing):
                other.table(table)
        assert other.at_hand(table) is None
    own.close()


def test_whoever_presses_at_a_table_that_was_deleted_unheard_learns_it_for_all(halls: Callable[..., Hall]) -> None:
    one, other = halls(), halls()
    table = other.table(_lay(one).id)
    gone = threading.Event()
    other.on_close(lambda _: gone.set())
    with psycopg.connect(_address(one), autocommit=True) as db:
        db.execute("DELETE FROM tables")  # without a word
    with pytest.raises(Missing):
        table.play(HOST, 0, "tap", AWARD)
    assert gone.wait(PATIENCE)
    assert other.at_hand(table.id) is None


@pytest.mark.parametrize("name", ["a\0b", "a\ud800", ""])
def test_what_no_table_can_be_called_is_missing(halls: Callable[..., Hall], name: str) -> None:
    hall = halls()
    asks: list[Callable[[str], object]] = [hall.table, hall.delete, lambda table: hall.actor_by(table, "key")]
    for ask in asks:
        with pytest.raises(Missing):
            ask(name)


def test_a_request_with_nul_is_not_understood(halls: Callable[..., Hall]) -> None:
    table = _lay(halls())
    with pytest.raises(Malformed):
        table.play(HOST, 0, "tap\0", AWARD)
    assert table.play(HOST, 0, "tap", AWARD) == 1


def test_a_process_whose_clock_is_fast_spoils_nobodys_hours(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address, now, year = database.make(), time.time_ns() // 1_000_000, 365 * 24 * 60 * 60 * 1000
    fast = Hall(tmp_path, journal=PostgresJournal(address), clock=lambda: now + year)
    assert _lay(fast).laid.at == now + year
    with monkeypatch.context() as patch:
        patch.setattr(time, "time_ns", lambda: (now + year) * 1_000_000)
        right = Hall(tmp_path, journal=PostgresJournal(address))
        table = _lay(right)
        table.play(HOST, 0, "tap", AWARD)
    assert now <= table.laid.at <= table.written[0].at < now + 60_000
    fast.close()
    right.close()


def test_a_table_is_followed_by_one_whichever_process_is_asked(halls: Callable[..., Hall]) -> None:
    one, other = halls(Deaf), halls(Deaf)
    table = _lay(one)
    table.end(HOST, 0, "end")
    assert one.rematch(table).id == other.rematch(other.table(table.id)).id
    assert one.journal.count() == 2


def test_steps_of_many_tables_are_one_transaction_and_one_notice(database: Database) -> None:
    """What comes while a transaction is under way is in the next, however many tables it is."""
    address = database.make()
    journal, ears = PostgresJournal(address, tick=0.1), PostgresJournal(address)
    heard, all_told = list[Mapping[str, int] | None](), threading.Event()

    def hear(news: Mapping[str, int] | None) -> None:
        heard.append(news)
        if {table for each in heard for table in each or ()} == names:
            all_told.set()

    names = {f"table{n}" for n in range(24)}
    for name in names:
        journal.lay(replace(laid(), table=name), SECRET, KEYS)
    ears.listen(hear)
    ready = threading.Barrier(len(names))

    def press(name: str) -> None:
        ready.wait(PATIENCE)
        journal.append(name, [JournalLine(1, 1, TableClosed(), "tap", "-")])

    threads = [threading.Thread(target=press, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert all_told.wait(PATIENCE)
    assert len(heard) <= 3, "the first at once, the others together"
    assert all(len(journal.entries(name)) == 1 for name in names)
    journal.close()
    ears.close()


Connected = Callable[[type[Connections]], None]


@pytest.fixture
def connected(monkeypatch: pytest.MonkeyPatch) -> Connected:
    """Has journals connect by another kind of connections from then on."""

    def by(kind: type[Connections]) -> None:
        monkeypatch.setattr("companion.play.postgres_journal.Connections", kind)

    return by


PLANS = list[tuple[str, Mapping[str, Any]]]()


class Planned(Connections):
    """Notes how the database went about each statement."""

    def begun(self) -> PooledConnection:
        db = super().begun()
        db.execute("LOAD 'auto_explain'")
        db.execute("SET auto_explain.log_format = 'json'")
        db.execute("SET client_min_messages = 'log'")
        db.add_notice_handler(self._note)
        db.execute("SET auto_explain.log_min_duration = 0")
        return db

    def _note(self, notice: psycopg.errors.Diagnostic) -> None:
        told = json.loads((notice.message_primary or "").partition("plan:")[2] or "{}")
        if told:
            PLANS.append((told["Query Text"], told["Plan"]))


def _scans(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Every place where a table of the database is read."""
    if plan.get("Relation Name") in {"tables", "entries"} and "Scan" in plan["Node Type"]:
        yield plan
    for under in plan.get("Plans", ()):
        yield from _scans(under)


def test_a_press_is_found_by_key_however_many_tables_there_are(database: Database, connected: Connected) -> None:
    """What was planned while there were few tables, and no statistics of them, is good for many as well."""
    connected(Planned)
    journal = PostgresJournal(address := database.make())
    journal.lay(laid(), SECRET, KEYS)
    many = """INSERT INTO tables SELECT 'b' || n, n, 0, NULL, false, NULL, brief, laid, secret, keys, NULL
        FROM tables, generate_series(1, 5000) AS n WHERE id = 'coins'"""
    lines = "INSERT INTO entries SELECT 'b' || n, 99, 0, NULL, NULL, '', NULL FROM generate_series(1, 5000) AS n"
    off = "ALTER TABLE {} SET (autovacuum_enabled = false)"
    with psycopg.connect(address, autocommit=True) as db:
        for seq, grow in enumerate((off.format("tables"), off.format("entries"), many, lines, "ANALYZE")):
            db.execute(grow.encode())
            PLANS.clear()
            for number in range(seq * 12 + 1, seq * 12 + 13):
                journal.append("coins", [JournalLine(number, 1, TableClosed(), f"tap {number}", "-")])
                assert len(journal.entries("coins", after=number - 1)) == 1
                assert journal.laying_of("coins")
                assert journal.keys("coins")
                assert journal.knows("coins")
                assert journal.following("coins") is None
                assert len(journal.summaries(0, 1)) == 1
            scans = [(query, scan) for query, plan in PLANS for scan in _scans(plan)]
            assert len(scans) == 7 * 12
            for query, scan in scans:
                of_the_list = "OFFSET" in query and scan.get("Index Name") == "newest"
                assert of_the_list or scan.keys() & {"Index Cond", "Recheck Cond"}, f"{grow}: {query}: {scan}"
    journal.close()


def test_no_more_connections_than_a_process_may_have(database: Database, connected: Connected) -> None:
    """However many look at once: those that wait get one that was used before."""
    begun = list[int]()

    class Counted(Connections):
        """Counts the connections that are begun."""

        def begun(self) -> PooledConnection:
            begun.append(1)
            return super().begun()

    connected(Counted)
    journal = PostgresJournal(database.make())
    journal.lay(laid(), SECRET, KEYS)
    ready = threading.Barrier(30)

    def look() -> None:
        ready.wait(PATIENCE)
        for _ in range(5):
            journal.knows("coins")

    threads = [threading.Thread(target=look) for _ in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert len(begun) <= LOOKS
    journal.close()


def test_one_that_is_late_keeps_nobody_else_from_being_kept(database: Database) -> None:
    journal = PostgresJournal(database.make())
    for name in ("a", "b", "c"):
        journal.lay(replace(laid(), table=name), SECRET, KEYS)
    journal.append("b", [JournalLine(1, 1, TableClosed(), "tap", "-")])
    late = JournalLine(1, 1, TableClosed(), "late", "-")
    doubled = JournalLine(2, 1, TableClosed(), "tap", "-")
    for wrong in (late, doubled):
        assert journal._take([_wish("a", journal), AppendRequest("b", [wrong]), _wish("c", journal)]) == [
            True,
            False,
            True,
        ]
    assert [len(journal.entries(name)) for name in ("a", "b", "c")] == [2, 1, 2]
    journal.close()


def test_what_was_made_one_by_one_is_made_though_the_database_goes_away_then(
    database: Database, connected: Connected
) -> None:
    class Leaving(Connections):
        """The database goes away after so many statements."""

        left = 3

        def writing(self) -> PooledConnection:
            self.left -= 1
            if self.left < 0:
                raise psycopg.OperationalError("away")
            return super().writing()

    connected(Leaving)
    journal = PostgresJournal(database.make())
    for name in ("a", "b", "c"):
        journal.lay(replace(laid(), table=name), SECRET, KEYS)
    journal.append("b", [JournalLine(1, 1, TableClosed(), "tap", "-")])
    first, second, third = journal._take(
        [
            AppendRequest("a", TAP),
            AppendRequest("b", [JournalLine(2, 1, TableClosed(), "tap", "-")]),
            AppendRequest("c", TAP),
        ]
    )
    assert first is True
    assert isinstance(second, Storage)
    assert isinstance(third, Storage)
    assert [len(journal.entries(name)) for name in ("a", "b", "c")] == [1, 1, 0]
    journal.close()


def _wish(table: str, journal: PostgresJournal) -> AppendRequest:
    seq = len(journal.entries(table)) + 1
    return AppendRequest(table, [JournalLine(seq, 1, TableClosed(), f"tap {seq}", "-")])


def test_no_other_role_speaks_for_a_process_or_takes_its_word(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever may connect may send notices and take advisory locks; neither says anything here."""
    address = database.make()
    one = Hall(tmp_path, journal=PostgresJournal(address))
    table = _lay(one)
    heard: list[Mapping[str, int] | None] = []
    other = Deaf(address)
    PostgresJournal.listen(other, heard.append)
    with psycopg.connect(address, autocommit=True) as db:
        db.execute("CREATE ROLE guest LOGIN")
        db.execute("SELECT pg_advisory_lock(%s)", (int.from_bytes(b"speaks"),))
        db.execute("SET ROLE guest")
        for word in (f"x {table.id}=0", f"{'0' * MAC} x {table.id}=0", f"x {ALL}", "", "x y=z", f"{'0' * MAC} x a=b"):
            db.execute("SELECT pg_notify(%s, %s)", (CHANNEL, word))
        for secret in ("notice_key", "tables", "speaker"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                db.execute(f"SELECT * FROM {secret}".encode())
        table.play(HOST, 0, "tap", AWARD)
        assert one.journal.is_leader()
    until = time.monotonic() + PATIENCE
    while {table.id: 1} not in heard and time.monotonic() < until:
        time.sleep(0.01)
    assert heard == [{table.id: 1}]
    other.close()
    one.close()
    with psycopg.connect(address, autocommit=True) as db:
        db.execute("DROP ROLE guest")


def test_one_process_has_the_word_until_it_ends_or_says_nothing(
    halls: Callable[..., Hall], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = halls(), halls()
    assert [one.journal.is_leader(), other.journal.is_leader(), one.journal.is_leader()] == [True, False, True]
    one.journal.close()
    assert other.journal.is_leader()
    monkeypatch.setattr("companion.play.postgres_leader.LEASE_S", 0.0)
    third = halls()
    assert other.journal.is_leader()
    assert third.journal.is_leader(), "the lease has lapsed"


def test_a_notice_of_very_many_tables_says_that_it_may_be_any(database: Database) -> None:
    journal = PostgresJournal(database.make())
    news = journal._notices.news({f"t{n:04}": n for n in range(2000)})
    assert news.endswith(f" {ALL}")
    assert len(news) < PAYLOAD
    journal.close()


def test_a_row_that_somebody_holds_keeps_no_other_table_waiting(database: Database) -> None:
    address = database.make()
    journal = PostgresJournal(address)
    for name in ("a", "b", "c"):
        journal.lay(replace(laid(), table=name), SECRET, KEYS)
    with psycopg.connect(address) as somebody:
        somebody.execute("UPDATE tables SET keys = keys WHERE id = 'b'")
        began = time.monotonic()
        first, second, third = journal._take([AppendRequest(name, TAP) for name in ("a", "b", "c")])
        assert (first, third) == (True, True)
        assert isinstance(second, StorageUnavailable), "it has certainly not been made"
        assert time.monotonic() - began < 4 * BEHIND_S
    assert journal._take([AppendRequest("b", TAP)]) == [True]
    journal.close()


def test_a_process_that_starts_asks_nobody_to_wait(database: Database) -> None:
    address = database.make()
    first = PostgresJournal(address)
    first.lay(laid(), SECRET, KEYS)
    with psycopg.connect(address) as somebody:
        somebody.execute("UPDATE tables SET keys = keys")
        PostgresJournal(address, patience=1).close()
    first.close()


def test_a_database_that_is_there_and_answers_nothing_keeps_nobody_waiting(tmp_path: Path) -> None:
    own = Database()
    try:
        address = own.make()
        hall = Hall(tmp_path, journal=PostgresJournal(address, patience=1))
        at_hand, pressed, unread = (_lay(hall) for _ in range(3))
        pressed.play(HOST, 0, "tap", AWARD)
        _forgotten(hall, unread.id)
        seen = _heard(pressed)
        with _still(own):
            began = time.monotonic()
            deleting = threading.Thread(target=lambda: suppressed(lambda: hall.delete(at_hand.id)))
            deleting.start()
            assert hall.table(at_hand.id) is at_hand, "whoever looks waits for nothing that is asked of the database"
            assert time.monotonic() - began < 1
            with pytest.raises(CommitOutcomeUnknown):
                pressed.play(HOST, 1, "lost", AWARD)
            with pytest.raises(StorageUnavailable):
                pressed.play(HOST, 1, "next", AWARD)
            with pytest.raises(StorageUnavailable):
                hall.table(unread.id)
            deleting.join(PATIENCE)
            assert time.monotonic() - began < 8
        assert seen.wait(PATIENCE), "what was made after all is shown, once it is known"
        assert [line.request for line in pressed.written] == ["tap", "lost"]
        hall.close()
    finally:
        own.stop()


def suppressed(act: Callable[[], object]) -> None:
    with suppress(Storage):
        act()


@contextmanager
def _still(database: Database) -> Iterator[None]:
    """It stands still, with all its processes: as where its disk does not answer any more."""
    assert database.process
    family = [database.process.pid]
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parent = int(stat.read_text(encoding="utf-8").rpartition(")")[2].split()[1])
            family += [int(stat.parent.name)] if parent == database.process.pid else []
    for process in family:
        os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in family:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)


class Way:
    """The way to a database over a network, which may fall silent and tells nobody."""

    def __init__(self, database: Database) -> None:
        self._far = str(database.folder / ".s.PGSQL.5432")
        self._door = socket.create_server(("127.0.0.1", 0))
        self._silent = list[threading.Event]()
        self._is_cut = False
        self.address = f"postgresql://digside@127.0.0.1:{self._door.getsockname()[1]}/digside"
        threading.Thread(target=self._open, daemon=True).start()

    def fall_silent(self) -> None:
        """What is connected now hears nothing more; what connects from now on does."""
        for each in self._silent:
            each.set()

    def cut(self) -> None:
        """What is connected hears nothing more, and nothing connects."""
        self._is_cut = True
        self.fall_silent()

    def mend(self) -> None:
        """What connects from now on is heard."""
        self._is_cut = False

    def close(self) -> None:
        self._door.close()

    def _open(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._door.accept()
                if self._is_cut:
                    near.close()
                    continue
                far = socket.socket(socket.AF_UNIX)
                far.connect(self._far)
                self._silent.append(silent := threading.Event())
                for ends in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(*ends, silent), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket, silent: threading.Event) -> None:
        with suppress(OSError):
            while said := one.recv(65536):
                if not silent.is_set():
                    other.sendall(said)
            other.shutdown(socket.SHUT_RDWR)


def test_whoever_listens_on_a_link_that_fell_silent_notices_and_hears_again(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.play.postgres_notices.EVERY_S", 0.1)
    one = Hall(tmp_path, journal=PostgresJournal(database.make()))
    way = Way(database)
    other = Hall(tmp_path, journal=PostgresJournal(way.address, patience=0.5))
    table = _lay(one)
    same = other.table(table.id)
    told = _heard(same)
    way.fall_silent()
    table.play(HOST, 0, "tap", AWARD)
    assert told.wait(PATIENCE)
    assert view(same) == view(table)
    said = conninfo_to_dict(_address(other))
    assert [said[f"keepalives_{each}"] for each in ("idle", "interval", "count")] == ["5", "2", "2"]
    one.close()
    other.close()
    way.close()


@pytest.mark.parametrize("every", [0.1, 1000.0], ids=["while it listens", "when somebody looks"])
def test_what_may_be_out_of_date_says_so(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: float
) -> None:
    """A process that is cut off from the database shows what it knows, and since when it may know too little."""
    monkeypatch.setattr("companion.play.postgres_notices.EVERY_S", every)
    one = Hall(tmp_path, journal=PostgresJournal(database.make()))
    way = Way(database)
    other = Hall(tmp_path, journal=PostgresJournal(way.address, patience=0.5))
    table, changed = _lay(one), threading.Event()
    other.journal.when_in_doubt(changed.set)
    same = other.table(table.id)
    other.look_again(same)
    assert "stale_since" not in view(same)
    way.cut()
    table.play(HOST, 0, "tap", AWARD)
    if every > 1:
        other.look_again(same)
    assert changed.wait(PATIENCE)
    seen = view(same)
    assert seen["seq"] == 0
    assert seen["stale_since"] == other.journal.behind_since()
    assert "stale_since" not in view(table), "whoever has the database knows it all"
    changed.clear()
    way.mend()
    if every < 1:
        assert changed.wait(PATIENCE)
        assert view(same) == view(table)
    one.close()
    other.close()
    way.close()


def test_whoever_looks_sees_what_was_acknowledged_before(halls: Callable[..., Hall]) -> None:
    """Though its notice has not come to the process that is asked."""
    one, other = halls(Deaf), halls(Deaf)
    table = _lay(one)
    same = other.table(table.id)
    table.play(HOST, 0, "tap", AWARD)
    other.look_again(same)
    assert view(same) == view(table)


def test_an_address_keeps_what_it_says(database: Database) -> None:
    address = database.make()
    with psycopg.connect(address, autocommit=True) as db:
        db.execute("CREATE SCHEMA club")
    journal = PostgresJournal(f"{address}&options=-csearch_path%3Dclub&application_name=club")
    told = [journal._connections.one(f"SHOW {each}") for each in ("search_path", "application_name", "enable_seqscan")]
    assert told == [("club",), ("club",), ("off",)]
    journal.lay(laid(), SECRET, KEYS)
    with psycopg.connect(address) as db:
        assert db.execute("SELECT id FROM club.tables").fetchall() == [("coins",)]
    journal.close()


@pytest.mark.parametrize(
    ("content_with", "asked"), [("off", "on"), ("local", "local"), ("remote_apply", "remote_apply")]
)
def test_a_step_counts_once_it_is_on_disk(database: Database, content_with: str, asked: str) -> None:
    address = database.make()
    with psycopg.connect(address, autocommit=True) as db:
        db.execute(f"ALTER DATABASE digside SET synchronous_commit = {content_with}".encode())
    journal = PostgresJournal(address)
    shown = "SHOW synchronous_commit"
    assert journal._connections.one(shown) == journal._connections.writing().execute(shown).fetchone() == (asked,)
    journal.close()


def test_while_the_database_is_away_nothing_is_made_and_then_it_goes_on_by_itself(tmp_path: Path) -> None:
    own = Database()
    try:
        address = own.make()
        one, other = (Hall(tmp_path, journal=PostgresJournal(address)) for _ in range(2))
        table = _lay(one)
        same = other.table(table.id)
        table.play(HOST, 0, "before", AWARD)
        own.kill()
        seen = view(table)
        for _ in range(2):
            with pytest.raises(Storage, match="database"):
                table.play(HOST, 1, "tap", AWARD)
        with pytest.raises(Storage, match="database") as refused:
            one.lay(table.setup)
        assert not isinstance(refused.value, CommitOutcomeUnknown)
        assert view(table) | {"stale_since": 0} == seen | {"stale_since": 0}, "who looks, looks on"
        told = _heard(same)
        own.start()
        _until_it_answers(one)
        assert table.play(HOST, 1, "tap", AWARD) == 2
        assert told.wait(PATIENCE), "the other process hears again, too"
        same.catch_up()
        assert view(same) | {"stale_since": 0} == view(table) | {"stale_since": 0}
        one.close()
        other.close()
    finally:
        own.stop()


def _until_it_answers(hall: Hall) -> None:
    for _ in range(200):
        try:
            hall.journal.writable()
        except Storage:
            threading.Event().wait(0.05)
        else:
            return
    raise AssertionError("the database does not come back")


class Cut(Connections):
    """A wire that is cut once a step has gone over it; what comes of asking again is the test's to say."""

    again: Callable[[], None] = staticmethod(lambda: None)
    cuts = 0

    def writing(self) -> PooledConnection:
        db = super().writing()
        self.cuts += 1
        if self.cuts == 1:
            return cast("PooledConnection", CutWire(db))
        self.again()
        return db


class CutWire:
    """A connection that breaks after what was asked has been done."""

    def __init__(self, db: PooledConnection) -> None:
        self._db = db

    def execute(self, *asked: Any) -> None:
        self._db.execute(*asked)
        self._db.close()
        raise psycopg.OperationalError("the wire was cut")


def test_a_step_whose_answer_was_lost_is_made_once(database: Database, connected: Connected) -> None:
    """The connection breaks after the step was made, and before it is known: it is asked again, and found."""
    connected(Cut)
    journal = PostgresJournal(database.make())
    journal.lay(laid(), SECRET, KEYS)
    with pytest.raises(LostRace):
        journal.append("coins", [JournalLine(1, 1, TableClosed(), "tap", "-")])
    assert [line.request for line in journal.entries("coins")] == ["tap"]
    journal.close()


def test_what_may_have_been_made_is_not_said_to_be_undone(
    database: Database, tmp_path: Path, connected: Connected, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is lost; and then there is none to be had, or none that says more than that the number is taken."""
    connected(Cut)
    address = database.make()
    for again, read in ((_leaves, None), (lambda: None, _leaves)):
        monkeypatch.setattr(Cut, "again", staticmethod(again))
        hall = Hall(tmp_path, journal=PostgresJournal(address))
        table = _lay(hall)
        told = _heard(table)
        with monkeypatch.context() as patch:
            if read is not None:
                patch.setattr(hall.journal, "entries", read)
                patch.setattr(hall.journal, "knows", read)
            with pytest.raises(CommitOutcomeUnknown):
                table.play(HOST, 0, "tap", AWARD)
        monkeypatch.setattr(Cut, "again", staticmethod(lambda: None))
        assert told.wait(PATIENCE), "its own screens show it, too, once it is known"
        assert table.play(HOST, 0, "tap", AWARD) == table.seq == 1
        hall.close()


def test_a_step_that_is_made_after_it_was_given_up_is_heard_as_anybody_elses(database: Database) -> None:
    address = database.make()
    journal, heard = PostgresJournal(address), threading.Event()
    journal.listen(lambda news: heard.set() if news == {"coins": 1} else None)
    word = journal._notices.news({"coins": 1})
    journal._notices.doubt("coins")
    with psycopg.connect(address, autocommit=True) as db:
        db.execute("SELECT pg_notify(%s, %s)", (CHANNEL, word))
    assert heard.wait(PATIENCE)
    journal.close()


def _leaves(*_: object, **__: object) -> None:
    with Connections("").asking(writes=False):
        raise NotReached("too many clients")


def test_what_was_dumped_is_played_on_elsewhere(database: Database, tmp_path: Path) -> None:
    """The drill of `docs/hall.md`: dumped in the middle of play, lost, and put back into a fresh database."""
    hall = Hall(tmp_path / "before", journal=PostgresJournal(database.make()))
    table = _lay(hall)
    for number in range(3):
        table.play(HOST, table.seq, f"award {number}", AWARD)
    kept = encode(export(table))
    dumped = database.run("pg_dump", "--format=custom", database.address())
    table.play(HOST, table.seq, "after the dump", AWARD)
    hall.close()
    database.run("pg_restore", "--exit-on-error", f"--dbname={database.make('another')}", told=dumped)
    with closing(Hall(tmp_path / "after", journal=PostgresJournal(database.address("another")))) as fresh:
        back = fresh.table(table.id)
        assert encode(export(back)) == kept
        assert back.keys == table.keys
        back.play(HOST, back.seq, "goes on", AWARD)
        assert back.seq == table.seq
