"""A table goes on by the rules it was begun with, as long as its game still knows them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion import games
from companion.game import Seat, Setup
from companion.games.bundle import Bundle
from companion.play.hall import Hall
from companion.play.proof import verify
from companion.play.record import Record, export
from companion.play.table import HOST, Table
from companion.refusals import Malformed
from tests.elsewhere import shaft
from tests.elsewhere.shaft.rules import ShaftReferee, Terms


class Shaft(ShaftReferee):
    """A game of three versions: since the third every stone counts double, and the first is no longer known."""

    oldest_rules = 2
    newest_rules = 3

    def agreed(self, setup: Setup, box: Any) -> Terms:
        terms = super().agreed(setup, box)
        times = {2: 1, 3: 2}[self.rules_version]
        return msgspec.structs.replace(terms, worth={stone: times * worth for stone, worth in terms.worth.items()})


@pytest.fixture
def hall(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Hall:
    known = msgspec.structs.replace(shaft.refereed(), rules=Shaft)
    bundle = Bundle(shaft.GAME.box, refereed=lambda: known)
    monkeypatch.setattr(games, "names", lambda: ("shaft",))
    monkeypatch.setattr(games, "bundle", lambda name: bundle)
    return Hall(tmp_path)


def lay(hall: Hall) -> Table:
    return hall.lay(Setup("shaft", "referee", (Seat("Ada"), Seat("Ben"))), secret=bytes(32))


def laid_by(hall: Hall, version: int) -> Table:
    """A table that was begun when this version was the newest."""
    before = Shaft.newest_rules
    Shaft.newest_rules = version
    try:
        return lay(hall)
    finally:
        Shaft.newest_rules = before


def worth_of_an_agate(table: Table) -> int:
    game: Any = table.game
    terms: Terms = game.terms
    return terms.worth["agate"]


def with_rules(record: Record, version: int) -> Record:
    return msgspec.structs.replace(record, laid=msgspec.structs.replace(record.laid, rules=version, digside="7.7"))


def test_a_new_table_is_played_by_the_newest_rules(hall: Hall) -> None:
    table = lay(hall)
    assert (table.laid.rules, worth_of_an_agate(table)) == (3, 2)


def test_a_table_opened_again_goes_on_by_the_rules_it_was_begun_with(hall: Hall, tmp_path: Path) -> None:
    begun = laid_by(hall, 2)
    begun.play(HOST, 0, "dig", {"type": "dig"})
    hall.close()
    again = Hall(tmp_path).table(begun.id)
    again.play(HOST, again.seq, "dig more", {"type": "dig"})
    assert (again.laid.rules, worth_of_an_agate(again)) == (2, 1)


def test_a_record_is_verified_by_the_rules_it_was_begun_with(hall: Hall) -> None:
    table = laid_by(hall, 2)
    table.play(HOST, 0, "dig", {"type": "dig"})
    table.end(HOST, table.seq, "close")
    record = export(table)
    assert verify(record).holds
    taken = hall.take_in(record)
    assert (taken.laid.rules, worth_of_an_agate(taken)) == (2, 1)


@pytest.mark.parametrize(
    ("version", "key"), [(0, "core.older_rules"), (1, "core.older_rules"), (4, "core.newer_rules")]
)
def test_rules_that_are_not_known_here_are_refused(hall: Hall, version: int, key: str) -> None:
    table = lay(hall)
    table.end(HOST, table.seq, "close")
    strange = with_rules(export(table), version)
    for look in (verify, hall.take_in):
        with pytest.raises(Malformed) as refused:
            look(strange)
        assert (refused.value.key, refused.value.facts) == (key, {"digside": "7.7"})
