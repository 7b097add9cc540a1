"""What published programs for this game get wrong."""

from __future__ import annotations

import pytest

from companion.games.jenseits.moves import Dig
from companion.games.jenseits.state import knowledge
from tests.games.jenseits.expedition import Expedition, box


@pytest.mark.rule("JVT-44")
def test_rubble_is_not_returned_within_a_dig() -> None:
    table = Expedition()
    table.give(0, "book-greece-london-3", "book-greece-london-2", "book-greece-rome-2")
    table.stand(0, "greece")
    table.dig("greece", 5)
    odds = []
    while table.state.digging is not None:
        counts = dict(table.chance.odds)
        odds.append((counts["blank"], sum(counts.values())))
        table.draw("blank")
    assert odds == [(16, 30), (15, 29), (14, 28), (13, 27), (12, 26)]


@pytest.mark.rule("JVT-32")
def test_open_books_never_count_for_more_than_specific_knowledge() -> None:
    table = Expedition()
    table.give(0, "book-greece-berlin-1", "open_book-paris-2", "open_book-london-2", "open_book-moscow-2")
    assert knowledge(table.who().counts, "greece").total == 2
    assert table.game.terms.least_weeks[2] == 6
    table.stand(0, "greece")
    assert table.refuses(Dig("greece", 5)).rule == "JVT-42"


@pytest.mark.rule("JVT-40", "JVT-25")
@pytest.mark.parametrize(
    "wrong", [Dig("greece", 5), Dig("greece", 13), Dig("crete", 8), Dig("greece", 8, ("assistant",))]
)
def test_a_refused_dig_uses_nothing_up(wrong: Dig) -> None:
    table = Expedition()
    table.give(0, "book-greece-rome-2", "special_permit-london", "zeppelin-rome", "shovel-rome")
    table.permit(0, "crete", up=False)
    before = table.who()
    table.refuses(wrong)
    assert table.who() == before
    assert table.at() == 0
    assert table.state.piles.discards == ()


@pytest.mark.rule("JVT-11")
def test_the_way_there_is_as_long_as_the_way_back() -> None:
    legs = Expedition().game.terms.legs
    assert all(legs[a][b] == legs[b][a] for a in legs for b in legs)
    assert all(legs[a][b] <= legs[a][c] + legs[c][b] for a in legs for b in legs for c in legs)


@pytest.mark.rule("JVT-42")
def test_there_is_one_dial() -> None:
    """What a dig draws, what help says it draws and what the board shows are the same figures, in all 144 cells."""
    table = Expedition()
    rows = table.game.sees(table.state, None).board["dial"]["rows"]  # type: ignore[index, call-overload]
    assert rows == box().dial.rows
    for points in range(1, 13):
        for weeks in range(1, 13):
            assert table.game.terms.dial.tokens(points, weeks) == rows[points - 1][weeks - 1]
    assert table.game.terms.dial.tokens(40, 4) == rows[11][3]


@pytest.mark.rule("JVT-45")
@pytest.mark.parametrize("site", ["greece", "crete", "egypt", "palestine", "mesopotamia"])
def test_a_bag_has_30_tokens_and_not_32_or_33(site: str) -> None:
    table = Expedition()
    assert table.state.bags[site].total == 30
    assert sum(box().sites[site].objects.values()) == 13, "12 in the bag, one on the site"
