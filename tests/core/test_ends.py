"""An end that hangs on a report: everything waits for it to be confirmed, and then it is as any other end."""

from __future__ import annotations

import random
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.game import Chance, Seat, Setup
from companion.play.entries import DeviceJoined, EndConfirmed, GameEnded, JournalLine, TableClosed
from companion.play.evenings import evenings
from companion.play.hall import Hall
from companion.play.history import History
from companion.play.proof import verify
from companion.play.record import decode, draws_of, encode, export
from companion.play.stage import Stage
from companion.play.story import account_of, story
from companion.play.table import HOST, SPECTATOR, Actor, Table
from companion.play.view import view
from companion.refusals import Illegal, Malformed, Over
from companion.terminal.session import Terminal
from tests.core.scribe import Scribe
from tests.laws.play import SECRET, Presser

REAL_TRAY = Setup("tutankhamun", "referee", (Seat("Ada"), Seat("Ben")), options={"tray": "physical"})


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    return Hall(tmp_path)


def hanging(hall: Hall) -> Table:
    """A real tray, dug out to its last layer: the card that was reported last has ended the game."""
    table = hall.lay(REAL_TRAY, secret=SECRET)
    for _ in Presser(table, random.Random(5)).go_on(3000):
        pass
    assert table.hinge() is not None
    return table


def test_nobody_says_for_good_what_is_not_settled(hall: Hall) -> None:
    table = hanging(hall)
    account = account_of(table)
    for told in (lambda: story(table, account), lambda: draws_of(table), lambda: hall.branch(table, 3)):
        with pytest.raises(Illegal, match="once the game is over"):
            told()
    assert [(each.over, each.end) for each in hall.tables()] == [(False, None)]
    assert evenings(hall) == ([], False)
    hall.close()
    hall = Hall(hall.folder)
    table = hall.table(table.id)
    assert not table.settled()
    assert [each.over for each in hall.tables()] == [False]
    table.settle(HOST, table.seq, "that is right")
    assert [each.over for each in hall.tables()] == [True]
    assert [evening.table for evening in evenings(hall)[0]] == [table.id]
    assert story(table, account).seq == table.seq
    hall.close()
    again = Hall(hall.folder).table(table.id)
    assert again.settled()
    assert view(again)["secret"] == SECRET.hex()


def test_everybody_may_confirm_an_end_but_its_reporter_and_who_looks_on_and_nothing_follows(hall: Hall) -> None:
    table = hanging(hall)
    hinge = table.hinge()
    assert hinge is not None
    assert hinge.seat is not None
    asked = (HOST, Actor("seat", 1 - hinge.seat), Actor("seat", hinge.seat), SPECTATOR)
    shown: list[Any] = [view(table, actor)["hinge"] for actor in asked]
    assert [each["confirm"] for each in shown] == [True, True, False, False]
    table.settle(HOST, table.seq, "that is right")
    for more in (GameEnded(), EndConfirmed("host"), TableClosed(), DeviceJoined("host", "ab" * 32)):
        with pytest.raises(Over):
            History(table.game, table.laid, [*table.written, JournalLine(table.seq + 1, 0, more)])


def test_what_was_reported_last_is_put_right_and_the_game_goes_on(hall: Hall) -> None:
    table = hanging(hall)
    hinge = table.hinge()
    assert hinge is not None
    reporter = Actor("seat", hinge.seat)
    table.take_back(reporter, table.seq, "it was another")
    ask = table.ask()
    assert isinstance(ask, Chance)
    before = view(table, reporter)["head"]
    table.answer(reporter, table.seq, "this one", ask.odds[-1][0])
    assert not table.settled()
    assert view(table)["head"] != before


def test_the_host_confirms_an_end_by_closing_the_table_or_by_another_game(hall: Hall) -> None:
    closed, rematched = hanging(hall), hanging(hall)
    closed.end(HOST, closed.seq, "close")
    following = hall.rematch(rematched)
    for table in (closed, rematched):
        assert table.settled()
        assert not view(table)["closed"]
        assert verify(export(table)).fault is None
    assert hall.rematch(rematched) is following


def test_a_record_is_over_once_its_end_is_confirmed_by_somebody_else(hall: Hall) -> None:
    table = hanging(hall)
    hinge = table.hinge()
    assert not export(table).over
    assert hinge is not None
    assert hinge.seat is not None
    table.settle(Actor("seat", 1 - hinge.seat), table.seq, "that is right")
    assert hall.take_in(decode(encode(export(table)))).settled()


def test_an_older_table_is_over_with_its_last_report(hall: Hall) -> None:
    table = hanging(hall)
    older = History(table.game, msgspec.structs.replace(table.laid, confirms=False), table.written)
    assert older.settled()
    assert not older.offer(HOST).open
    assert "confirms" not in msgspec.to_builtins(older.laid)


def test_the_bell_rings_when_it_is_settled(hall: Hall) -> None:
    table, scribe = hanging(hall), Scribe()
    Stage(scribe).attach(table)
    assert "sound done" not in scribe.told
    table.settle(HOST, table.seq, "that is right")
    assert "sound done" in scribe.told


def test_a_terminal_says_on_what_the_end_hangs(hall: Hall) -> None:
    table, said = hanging(hall), StringIO()
    terminal = Terminal(table, "en", heard=StringIO("undo\nredo\nsettle\nsettle\n"), said=said)
    assert terminal.run() == 1
    words = said.getvalue()
    assert words.count("The end depends on what") == 2
    assert words.count("type settle; if not, undo") == 2
    assert "It is over." in words
    assert terminal.refused == 1


def test_what_is_no_end_is_not_confirmed(hall: Hall) -> None:
    table = hall.lay(REAL_TRAY)
    with pytest.raises(Illegal):
        table.settle(HOST, table.seq, "too early")
    with pytest.raises(Malformed):
        table.settle(HOST, table.seq, "")
