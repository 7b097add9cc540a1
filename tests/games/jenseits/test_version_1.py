"""A table begun by version 1 of the rules goes on by it: a dig that reached the new year used the
permit of that year, and the end of the game was a new year, too."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from companion.game import Turn
from companion.games.jenseits.moves import Dig, Refresh, Retire
from companion.play.entries import MovePlayed
from companion.play.hall import Hall
from companion.play.record import decode
from companion.play.table import HOST
from tests.games.jenseits.expedition import Expedition
from tests.games.jenseits.test_cards import used_up

FILE = Path(__file__).parent / "records" / "version_1.json"
ACROSS = 74
"""The entry of a dig at a site whose permit is used, across the new year."""


def digger(*cards: str) -> Expedition:
    table = Expedition(rules=1)
    table.give(0, "book-greece-london-3", *cards)
    table.stand(0, "greece")
    table.set(1, 30, 1903)
    table.permit(0, "greece", up=False)
    return table


def test_a_table_of_version_1_goes_on_by_it(tmp_path: Path) -> None:
    """As it stood before that dig, taken in as a table that is still in play."""
    record = decode(FILE.read_bytes())
    before = msgspec.structs.replace(record, over=False, secret=None, entries=record.entries[: ACROSS - 1])
    table = Hall(tmp_path).take_in(before)
    dig = record.entries[ACROSS - 1].entry
    assert isinstance(dig, MovePlayed)
    assert isinstance(table.ask(), Turn)
    assert table.read_move(dig.move) in table.moves(HOST).moves
    table.play(HOST, table.seq, "dig", dig.move)
    assert table.laid.rules == 1


@pytest.mark.rule("JVT-09", "JVT-46")
def test_a_dig_into_the_new_year_uses_the_new_years_permit() -> None:
    table = digger("book-greece-london-2")
    table.permit(0, "crete", up=False)
    table.set(0, 50, 1901)
    table.set(1, 30, 1902)
    refusal = table.refuses(Dig("greece", 2))
    assert refusal.rule == "JVT-40"
    assert refusal.facts["n"] == 1, "a week longer, and the dig ends in week 1"
    table.dig("greece", 3)
    table.draw("blank", "blank")
    assert table.week() == (1, 1902)
    assert table.who().turned == {"greece"}


@pytest.mark.rule("JVT-40", "JVT-09")
def test_a_used_permit_says_which_dig_would_reach_the_new_year() -> None:
    table = digger()
    table.set(0, 45, 1901)
    refusal = table.refuses(Dig("greece", 3))
    assert "a dig that ends 5 weeks later" in str(refusal)
    assert Dig("greece", 3 + 5) in table.moves
    assert Dig("greece", 3 + 4) not in table.moves


@pytest.mark.rule("JVT-40", "JVT-42")
def test_where_no_dig_is_so_long_the_way_to_the_new_year_is_told() -> None:
    table = digger()
    table.set(0, 40, 1901)
    refusal = table.refuses(Dig("greece", 12))
    assert str(refusal).endswith("the new year, 13 weeks from now.")
    table.set(0, 41, 1901)
    assert Dig("greece", 12) in table.moves
    assert "later" in str(table.refuses(Dig("greece", 3)))


@pytest.mark.rule("JVT-40", "JVT-09")
def test_a_special_permit_is_not_used_up_for_a_dig_that_reaches_the_new_year() -> None:
    table = digger("special_permit-london")
    table.set(0, 50, 1901)
    assert table.refuses(Dig("greece", 3, ("special_permit",))).key == "jenseits.permit_is_up"
    assert Dig("greece", 3) in table.moves


@pytest.mark.rule("JVT-21")
def test_a_new_pile_was_shuffled_without_a_word() -> None:
    table = digger()
    table.state = msgspec.structs.replace(table.state, piles=used_up(table.state.piles).discard("car-rome"))
    table.play(Refresh())
    assert table.chance.question == "card 1"
    assert len(table.chance.odds) == 5


@pytest.mark.rule("JVT-09", "JVT-07")
def test_the_end_of_the_game_turned_permits_up() -> None:
    table = digger()
    table.set(0, 20, 1903)
    table.play(Retire())
    assert table.who().turned == frozenset()
