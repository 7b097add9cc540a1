"""Two that think they have a table: one database, and what each of them shows in the end."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, cast

import psycopg
import pytest
from msgspec.structs import replace

from companion.game import Seat, Setup
from companion.play.entries import Closed, JournalLine
from companion.play.hall import Hall
from companion.play.postgres_journal import ALL, LOOKS, PAYLOAD, PostgresJournal
from companion.play.rows import Wish
from companion.play.table import HOST, Table
from companion.play.view import view
from companion.refusals import Missing, Overtaken, Perhaps, Stale, Storage
from tests.core.coins import KEYS, SECRET, laid
from tests.venue.database import Database

PATIENCE = 20.0
TAP = [JournalLine(1, 1, Closed(), "tap", "-")]
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
    other.farewell(lambda _: gone.set())
    one.delete(table.id)
    assert gone.wait(PATIENCE)
    with pytest.raises(Missing):
        other.table(table.id)
    with pytest.raises(Missing):
        table.play(HOST, 0, "tap", AWARD)


def test_a_table_is_followed_by_one_whichever_process_is_asked(halls: Callable[..., Hall]) -> None:
    one, other = halls(Deaf), halls(Deaf)
    table = _lay(one)
    table.close(HOST, 0, "end")
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
        journal.append(name, [JournalLine(1, 1, Closed(), "tap", "-")])

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


class Planned(PostgresJournal):
    """Notes how the database went about each statement."""

    def __init__(self, address: str) -> None:
        self.plans = list[tuple[str, Mapping[str, Any]]]()
        super().__init__(address)

    def _connect(self) -> psycopg.Connection[Any]:
        db = super()._connect()
        db.execute("LOAD 'auto_explain'")
        db.execute("SET auto_explain.log_format = 'json'")
        db.execute("SET client_min_messages = 'log'")
        db.add_notice_handler(self._note)
        db.execute("SET auto_explain.log_min_duration = 0")
        return db

    def _note(self, notice: psycopg.errors.Diagnostic) -> None:
        told = json.loads((notice.message_primary or "").partition("plan:")[2] or "{}")
        if told:
            self.plans.append((told["Query Text"], told["Plan"]))


def _scans(plan: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Every place where a table of the database is read."""
    if plan.get("Relation Name") in {"tables", "entries"} and "Scan" in plan["Node Type"]:
        yield plan
    for under in plan.get("Plans", ()):
        yield from _scans(under)


def test_a_press_is_found_by_key_however_many_tables_there_are(database: Database) -> None:
    """What was planned while there were few tables, and no statistics of them, is good for many as well."""
    journal = Planned(database.make())
    journal.lay(laid(), SECRET, KEYS)
    many = """INSERT INTO tables SELECT 'b' || n, n, 0, NULL, false, NULL, brief, laid, secret, keys, NULL
        FROM tables, generate_series(1, 5000) AS n WHERE id = 'coins'"""
    lines = "INSERT INTO entries SELECT 'b' || n, 99, 0, NULL, NULL, '', NULL FROM generate_series(1, 5000) AS n"
    off = "ALTER TABLE {} SET (autovacuum_enabled = false)"
    with psycopg.connect(journal._address, autocommit=True) as db:
        for seq, grow in enumerate((off.format("tables"), off.format("entries"), many, lines, "ANALYZE")):
            db.execute(grow.encode())
            journal.plans.clear()
            for number in range(seq * 12 + 1, seq * 12 + 13):
                journal.append("coins", [JournalLine(number, 1, Closed(), f"tap {number}", "-")])
                assert len(journal.entries("coins", after=number - 1)) == 1
                assert journal.opened("coins")
                assert journal.keys("coins")
                assert journal.knows("coins")
                assert journal.following("coins") is None
                assert len(journal.summaries(0, 1)) == 1
            scans = [(query, scan) for query, plan in journal.plans for scan in _scans(plan)]
            assert len(scans) == 7 * 12
            for query, scan in scans:
                of_the_list = "OFFSET" in query and scan.get("Index Name") == "newest"
                assert of_the_list or scan.keys() & {"Index Cond", "Recheck Cond"}, f"{grow}: {query}: {scan}"
    journal.close()


def test_no_more_connections_than_a_process_may_have(database: Database) -> None:
    """However many look at once: those that wait get one that was used before."""
    begun = list[int]()

    class Counted(PostgresJournal):
        """Counts the connections that are begun."""

        def _connect(self) -> psycopg.Connection[Any]:
            begun.append(1)
            return super()._connect()

    journal = Counted(database.make())
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
    journal.append("b", [JournalLine(1, 1, Closed(), "tap", "-")])
    late = JournalLine(1, 1, Closed(), "late", "-")
    doubled = JournalLine(2, 1, Closed(), "tap", "-")
    for wrong in (late, doubled):
        assert journal._take([_wish("a", journal), Wish("b", [wrong]), _wish("c", journal)]) == [True, False, True]
    assert [len(journal.entries(name)) for name in ("a", "b", "c")] == [2, 1, 2]
    journal.close()


def test_what_was_made_one_by_one_is_made_though_the_database_goes_away_then(database: Database) -> None:
    class Leaving(PostgresJournal):
        """The database goes away after so many statements."""

        left = 3

        def _writing(self) -> psycopg.Connection[Any]:
            self.left -= 1
            if self.left < 0:
                raise psycopg.OperationalError("away")
            return super()._writing()

    journal = Leaving(database.make())
    for name in ("a", "b", "c"):
        journal.lay(replace(laid(), table=name), SECRET, KEYS)
    journal.append("b", [JournalLine(1, 1, Closed(), "tap", "-")])
    first, second, third = journal._take(
        [Wish("a", TAP), Wish("b", [JournalLine(2, 1, Closed(), "tap", "-")]), Wish("c", TAP)]
    )
    assert first is True
    assert isinstance(second, Storage)
    assert isinstance(third, Storage)
    assert [len(journal.entries(name)) for name in ("a", "b", "c")] == [1, 1, 0]
    journal.close()


def _wish(table: str, journal: PostgresJournal) -> Wish:
    seq = len(journal.entries(table)) + 1
    return Wish(table, [JournalLine(seq, 1, Closed(), f"tap {seq}", "-")])


def test_a_notice_of_very_many_tables_says_that_it_may_be_any(database: Database) -> None:
    journal = PostgresJournal(database.make())
    news = journal._news({f"t{n:04}": n for n in range(2000)})
    assert news.endswith(f" {ALL}")
    assert len(news) < PAYLOAD
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
        assert not isinstance(refused.value, Perhaps)
        assert view(table) == seen, "who looks, looks on"
        told = _heard(same)
        own.start()
        _until_it_answers(one)
        assert table.play(HOST, 1, "tap", AWARD) == 2
        assert told.wait(PATIENCE), "the other process hears again, too"
        same.catch_up()
        assert view(same) == view(table)
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


def test_a_step_whose_answer_was_lost_is_made_once(database: Database) -> None:
    """The connection breaks after the step was made, and before it is known: it is asked again, and found."""
    address = database.make()

    class Cut(PostgresJournal):
        """A wire that is cut once a step has gone over it."""

        cut = False

        def _writing(self) -> psycopg.Connection[Any]:
            db = super()._writing()
            if not self.cut:
                self.cut = True
                return cast("psycopg.Connection[Any]", CutWire(db))
            return db

    journal = Cut(address)
    journal.lay(laid(), SECRET, KEYS)
    with pytest.raises(Overtaken):
        journal.append("coins", [JournalLine(1, 1, Closed(), "tap", "-")])
    assert [line.request for line in journal.entries("coins")] == ["tap"]
    journal.close()


class CutWire:
    """A connection that breaks after what was asked has been done."""

    def __init__(self, db: psycopg.Connection[Any]) -> None:
        self._db = db

    def execute(self, *asked: Any) -> None:
        self._db.execute(*asked)
        self._db.close()
        raise psycopg.OperationalError("the wire was cut")
