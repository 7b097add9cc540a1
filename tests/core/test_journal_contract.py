"""What every journal promises, whatever it is kept in: the same tests run over each of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
from msgspec.structs import replace

from companion.play.codes import Invitation
from companion.play.entries import EndFound, JournalLine, MovePlayed, TableClosed
from companion.play.journal import Journal
from companion.play.postgres_journal import PostgresJournal
from companion.play.rows import AppendRequest
from companion.play.sqlite_journal import SqliteJournal
from companion.play.table import HOST, Table
from companion.play.view import view
from companion.refusals import LostRace, Missing
from tests.core.coins import KEYS, SECRET, Clock, CoinGame, coin_table, laid

TOSS = {"type": "toss", "count": 3}
TAP = JournalLine(1, 5, MovePlayed("host", 0, {"type": "end"}), "tap", "digest", b"link" * 8)
CLOSE = JournalLine(2, 7, TableClosed(), "close", "digest", b"knil" * 8)

Opens = Callable[[], Journal]


@pytest.fixture(params=["sqlite", "postgres"])
def opens(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Opens]:
    """Opens the journal; again after it was closed, as another process would."""
    opened: list[Journal] = []
    address = request.getfixturevalue("database").make(encoding="SQL_ASCII") if request.param == "postgres" else ""

    def again() -> Journal:
        for journal in opened:
            journal.close()
        opened[:] = [PostgresJournal(address) if address else SqliteJournal(tmp_path)]
        return opened[0]

    yield again
    for journal in opened:
        journal.close()


@pytest.fixture
def journal(opens: Opens) -> Journal:
    return opens()


def _now_and_again(journal: Journal, opens: Opens) -> Iterator[Journal]:
    """A journal, and then what whoever opens it later finds."""
    yield journal
    yield opens()


def test_a_table_is_told_as_it_was_laid(journal: Journal, opens: Opens) -> None:
    journal.lay(laid(), SECRET, KEYS, [TAP])
    for each in _now_and_again(journal, opens):
        assert each.laying_of("coins") == (laid(), SECRET, KEYS)
        assert each.keys("coins") == KEYS
        assert each.entries("coins") == each.sound_entries("coins") == [TAP]
        assert each.knows("coins")
        assert not each.knows("other")


def test_entries_are_told_in_order_with_their_links_and_requests(journal: Journal, opens: Opens) -> None:
    journal.lay(laid(), SECRET, KEYS)
    journal.append("coins", [TAP, CLOSE])
    journal.append("coins", [JournalLine(3, 9, TableClosed())])
    again = opens()
    assert again.entries("coins") == [TAP, CLOSE, JournalLine(3, 9, TableClosed())]
    assert again.entries("coins", after=1) == [CLOSE, JournalLine(3, 9, TableClosed())]
    assert again.entries("coins", after=3) == []


@pytest.mark.parametrize(
    "second",
    [
        pytest.param([JournalLine(1, 9, TableClosed())], id="the number of one that is there"),
        pytest.param([CLOSE, JournalLine(1, 9, TableClosed())], id="a number twice"),
        pytest.param([replace(CLOSE, request="tap")], id="the request of one that is there"),
    ],
)
def test_what_is_there_is_not_written_again(journal: Journal, second: list[JournalLine]) -> None:
    """The fence: of two that think they have a table, the second is refused, and with all that it wrote."""
    journal.lay(laid(), SECRET, KEYS, [TAP])
    with pytest.raises(LostRace):
        journal.append("coins", second)
    assert journal.entries("coins") == [TAP]
    journal.append("coins", [CLOSE])
    assert journal.entries("coins") == [TAP, CLOSE]


@pytest.mark.parametrize("request_id", ["nul\0", "half a sign \ud800"])
def test_one_that_cannot_be_kept_keeps_nobody_else_from_being_kept(journal: Journal, request_id: str) -> None:
    tables = ("a", "b", "c")
    for name in tables:
        journal.lay(replace(laid(), table=name), SECRET, KEYS)
    good, bad = TAP, replace(TAP, request=request_id)
    steps: Any = journal
    steps._steps._make([AppendRequest("a", [good]), AppendRequest("b", [bad]), AppendRequest("c", [good])])
    assert [journal.entries(name) for name in ("a", "c")] == [[TAP], [TAP]]
    with suppress(ValueError, psycopg.DataError):
        journal.append("b", [bad])
    journal.append("a", [CLOSE])
    assert journal.entries("a") == [TAP, CLOSE]


def test_a_table_that_is_not_there_is_said_to_be_missing(journal: Journal) -> None:
    assert journal.entries("other") == []
    asks: list[Callable[[str], object]] = [journal.laying_of, journal.keys, journal.delete]
    asks.append(partial(journal.append, written=[TAP]))
    for ask in asks:
        with pytest.raises(Missing):
            ask("other")


def test_a_deleted_table_is_gone_with_all_that_was_kept_of_it(journal: Journal, opens: Opens) -> None:
    journal.lay(laid(), SECRET, KEYS, [TAP])
    journal.lay(replace(laid(), table="other"), SECRET, KEYS, [TAP])
    journal.finish("coins", EndFound((1, 0), (0,)))
    journal.delete("coins")
    for each in _now_and_again(journal, opens):
        assert not each.knows("coins")
        assert each.entries("coins") == []
        assert each.unnoted() == []
        assert each.damaged == {}
        assert [told.brief.table for told in each.summaries()] == ["other"]
        with pytest.raises(Missing):
            each.append("coins", [CLOSE])


def test_tables_are_listed_the_newest_first(journal: Journal) -> None:
    for at, table in ((5, "b"), (5, "a"), (9, "c"), (2, "d")):
        journal.lay(replace(laid(), table=table, at=at), SECRET, KEYS)
    journal.append("a", [TAP, CLOSE])
    journal.finish("a", EndFound((1, 0), (0,)))
    journal.finish("a", EndFound((1, 0), (0,)))
    assert [told.brief.table for told in journal.summaries()] == ["c", "a", "b", "d"]
    assert [each[1:] for each in journal.summaries(0, 2)] == [
        (0, None, False, None),
        (2, 7, True, EndFound((1, 0), (0,))),
    ]
    assert [each.brief.table for each in journal.summaries(1, 2)] == ["a", "b"]
    assert [each.brief.table for each in journal.summaries(over=True)] == ["a"]
    assert journal.count() == 4
    assert journal.newest() == 9
    assert journal.last_step() == ("a", 2)
    assert journal.unnoted() == []


def test_tables_are_counted_that_were_left_before_another_of_their_box_was_laid(journal: Journal) -> None:
    asked = replace(laid(), table="asked", at=100)
    other_box = replace(laid().setup, box="horus")
    for table, at in (("early", 40), ("left", 60), ("tried", 70), ("played", 80), ("ended", 90), ("later", 101)):
        journal.lay(replace(laid(), table=table, at=at), SECRET, KEYS)
    journal.lay(replace(laid(), table="other", at=60, setup=other_box), SECRET, KEYS)
    journal.lay(asked, SECRET, KEYS)
    journal.append("tried", [replace(TAP, at=75)])
    journal.append("played", [replace(TAP, at=120)])
    journal.finish("ended", EndFound((1, 0), (0,)))
    assert journal.left_before(asked, since=50) == 2, "one that was left, and one that was tried and left"


def test_the_hour_is_that_of_the_clock_on_the_wall(journal: Journal) -> None:
    assert abs(journal.now() - time.time_ns() // 1_000_000) < 60_000


def test_one_table_follows_another(journal: Journal, opens: Opens) -> None:
    journal.lay(laid(), SECRET, KEYS)
    assert journal.following("coins") is None
    journal.lay(replace(laid(), table="next", after="coins"), SECRET, KEYS)
    for again in (replace(laid(), table="third", after="coins"), replace(laid(), table="next")):
        with pytest.raises(LostRace):
            journal.lay(again, SECRET, KEYS)
    for each in _now_and_again(journal, opens):
        assert each.following("coins") == "next"
        assert each.count() == 2
    last = opens()
    last.delete("next")
    assert last.following("coins") is None


def test_an_empty_journal_tells_of_nothing(journal: Journal) -> None:
    assert journal.summaries() == []
    assert journal.count() == journal.newest() == 0
    assert journal.last_step() is None


def test_a_code_is_for_one_seat_however_it_is_typed(journal: Journal) -> None:
    journal.lay(laid(), SECRET, KEYS)
    seats = [Invitation("coins", seat) for seat in range(2)]
    codes = [journal.codes.code(seat) for seat in seats]
    assert codes[0] != codes[1]
    for seat, code in zip(seats, codes, strict=True):
        assert journal.codes.seat(f" {code[:2].upper()}-{code[2:]} ") == seat
        assert journal.codes.code(seat) == code, "shown again, it is the same"
    assert journal.codes.seat("guess") is None
    journal.delete("coins")
    assert [journal.codes.seat(code) for code in codes] == [None, None]


def test_a_code_holds_for_a_while_after_it_was_last_shown(journal: Journal) -> None:
    seat, other = Invitation("coins", 0), Invitation("coins", 1)
    code, kept = journal.codes.code(seat, holds=0), journal.codes.code(other)
    assert journal.codes.seat(code) is None
    anew = journal.codes.code(seat, holds=60)
    assert anew != code
    assert journal.codes.code(seat, holds=0) == anew, "it holds from now on anew, for as long as is said"
    assert journal.codes.seat(anew) is None
    assert journal.codes.seat(kept) == other


def test_a_table_calls_once_until_that_is_taken_back(journal: Journal) -> None:
    for name in ("coins", "other", "third"):
        journal.lay(replace(laid(), table=name), SECRET, KEYS)
        journal.callers.call(name, 5)
    journal.callers.call("coins", 9)
    assert journal.callers.all() == {"coins": 5, "other": 5, "third": 5}
    assert [journal.callers.take_back("coins") for _ in range(2)] == [True, False]
    journal.finish("other", EndFound((1, 0), (0,)))
    journal.delete("third")
    journal.callers.call("coins", 11)
    assert journal.callers.all().get("coins") == 11
    journal.callers.take_back("coins")
    assert not journal.callers.take_back("other"), "nobody calls at a table that has ended"
    assert not journal.callers.take_back("third"), "nor at one that was deleted"


def test_a_journal_that_is_well_says_so(journal: Journal) -> None:
    journal.lay(laid(), SECRET, KEYS, [TAP])
    journal.writable()
    journal.check_there()
    assert journal.sound()
    assert not journal.is_gone()
    assert journal.saved is None
    assert journal.entries("coins") == [TAP]


def test_a_table_is_played_on_where_it_was_left(journal: Journal, opens: Opens) -> None:
    table = coin_table(journal)
    for press in range(5):
        table.play(HOST, table.seq, f"press {press}", TOSS)
    again = coin_table(opens(), written=tuple(table.written))
    told = again._journal.entries("coins")
    replayed = Table(CoinGame(), laid(), SECRET, KEYS, journal=again._journal, clock=Clock(), written=told)
    assert told == [*table.written]
    assert view(replayed) == view(table)
    assert replayed.play(HOST, 0, "press 0", TOSS) == 4, "a request that was answered is answered the same again"
    assert replayed.seq == table.seq
