"""Exhibitions."""

from __future__ import annotations

import pytest

from companion.games.jenseits.moves import Exhibit
from tests.games.jenseits.expedition import Expedition

LONDON = "exhibition-small-london"  # 1 object from Greece, 2 from Egypt


def gallery(*egyptian: str) -> Expedition:
    table = Expedition()
    table.show("b", LONDON)
    table.find(0, "greece", "object:1")
    table.find(0, "egypt", *egyptian)
    return table


@pytest.mark.rule("JVT-50")
def test_an_exhibition_is_held_in_its_city_and_the_objects_are_kept() -> None:
    table = gallery("object:1", "object:1")
    finds = table.who().finds
    table.play(Exhibit(LONDON))
    assert table.at() == 2 + 3
    assert table.who().place == "london"
    assert table.who().cards == (LONDON,)
    assert table.who().finds == finds
    assert table.game.tally(table.state).scores[0].parts["exhibitions"] == 4


@pytest.mark.rule("JVT-50")
def test_objects_are_asked_for_by_number_and_origin_whatever_their_value() -> None:
    table = gallery("object:6")
    refusal = table.refuses(Exhibit(LONDON))
    assert refusal.rule == "JVT-50"
    assert str(refusal) == "This exhibition needs 1 more object, from: Egypt."


@pytest.mark.rule("JVT-50")
def test_all_that_is_missing_is_told_at_once() -> None:
    table = Expedition()
    table.show("b", LONDON)
    refusal = table.refuses(Exhibit(LONDON))
    assert str(refusal) == "This exhibition needs 3 more objects, from: Greece, Egypt, Egypt."
    for language in ("fr", "it", "de"):
        assert "3" in refusal.said(language)
        assert "{" not in refusal.said(language)


@pytest.mark.rule("JVT-50")
def test_books_are_no_objects() -> None:
    table = gallery("object:1", "open_book", "book:mesopotamia")
    assert table.refuses(Exhibit(LONDON)).rule == "JVT-50"


@pytest.mark.rule("JVT-50")
def test_only_what_is_shown_can_be_held() -> None:
    table = gallery("object:1", "object:1")
    for card in ("exhibition-small-paris", "congress-london", "nonsense"):
        assert table.refuses(Exhibit(card)).rule == "JVT-50"


@pytest.mark.rule("JVT-50", "JVT-13")
def test_one_can_fly_to_an_exhibition() -> None:
    table = gallery("object:1", "object:1")
    table.give(0, "zeppelin-rome")
    table.play(Exhibit(LONDON, zeppelin=True))
    assert table.at() == 3


@pytest.mark.rule("JVT-50")
def test_the_same_objects_may_be_shown_again() -> None:
    table = gallery("object:1", "object:1", "object:2", "object:3")
    table.find(0, "palestine", "object:1", "object:2", "object:3")
    table.show("a", "exhibition-large-paris")
    table.set(1, 50, 1903)
    table.play(Exhibit(LONDON))
    table.play(Exhibit("exhibition-large-paris"))
    assert table.game.tally(table.state).scores[0].parts["exhibitions"] == 9


@pytest.mark.rule("JVT-51")
def test_its_place_stays_empty() -> None:
    table = gallery("object:1", "object:1")
    table.show("a", "exhibition-small-berlin")
    table.show("c", "exhibition-small-paris")
    table.play(Exhibit(LONDON))
    assert table.state.shown == ("exhibition-small-berlin", None, "exhibition-small-paris")
    assert table.seat == 1, "nothing is drawn for it"
