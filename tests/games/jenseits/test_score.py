"""Exhibitions, the score, and the worked examples of the rulebook."""

from __future__ import annotations

import pytest

from companion.games.jenseits.moves import Dig, Exhibit
from companion.games.jenseits.state import knowledge
from tests.games.jenseits.expedition import Expedition, retire_all

CONGRESSES = (
    "congress-london", "congress-paris", "congress-paris", "congress-berlin", "congress-berlin",
    "congress-vienna", "congress-vienna", "congress-moscow", "congress-moscow",
)  # fmt: skip


def parts(table: Expedition, seat: int = 0) -> dict[str, int]:
    return table.game.tally(table.state).scores[seat].parts


@pytest.mark.rule("JVT-60")
def test_objects_score_their_values_the_first_find_included() -> None:
    table = Expedition()
    table.find(0, "palestine", "object:7", "object:5", "open_book", "book:egypt")
    table.give(0, "book-greece-london-3")
    table.stand(0, "greece")
    table.go(Dig("greece", 3))
    assert parts(table)["objects"] == 7 + 5 + 1


@pytest.mark.rule("JVT-60")
@pytest.mark.parametrize(("attended", "points"), list(enumerate([0, 1, 3, 6, 10, 15, 21, 28, 28, 28])))
def test_congresses_score_the_more_the_more_there_are(attended: int, points: int) -> None:
    table = Expedition()
    table.give(0, *CONGRESSES[:attended])
    assert parts(table)["congresses"] == points


@pytest.mark.rule("JVT-60")
def test_exhibitions_score_4_or_5() -> None:
    table = Expedition(3)
    table.give(0, "exhibition-small-london", "exhibition-large-london")
    assert parts(table)["exhibitions"] == 9


@pytest.mark.rule("JVT-61")
def test_most_books_about_a_site_score_5_alone_and_3_each_when_tied() -> None:
    table = Expedition(3)
    table.give(0, "book-greece-london-3")
    table.give(1, "book-greece-rome-2")
    assert [parts(table, seat)["majorities"] for seat in range(3)] == [5, 0, 0]
    table.find(1, "crete", "book:greece")
    assert [parts(table, seat)["majorities"] for seat in range(3)] == [3, 3, 0]
    table.give(1, "book-greece-berlin-1")
    assert [parts(table, seat)["majorities"] for seat in range(3)] == [0, 5, 0]


@pytest.mark.rule("JVT-61")
def test_only_books_about_the_site_make_a_majority() -> None:
    table = Expedition()
    table.give(0, "ethnology-greece-moscow-2", "assistant-paris", "assistant-paris", "open_book-paris-2")
    assert parts(table)["majorities"] == 0
    table.give(1, "book-greece-berlin-1")
    assert [parts(table, seat)["majorities"] for seat in range(2)] == [0, 5]


@pytest.mark.rule("JVT-61")
def test_nobody_scores_a_site_about_which_nobody_has_a_book() -> None:
    table = Expedition(4)
    assert all(parts(table, seat)["majorities"] == 0 for seat in range(4))


@pytest.mark.rule("JVT-62")
def test_most_points_win_and_a_tie_is_shared() -> None:
    table = Expedition(3)
    table.find(0, "egypt", "object:6")
    table.find(1, "greece", "object:6")
    table.find(2, "egypt", "object:5")
    retire_all(table)
    assert [score.total for score in table.end.scores] == [6, 6, 5]
    assert table.end.winners == (0, 1)


@pytest.mark.rule("JVT-63")
def test_the_rulebooks_score_of_67() -> None:
    """13 objects worth 39, exhibitions of 4, 4 and 5, five congresses, no majority."""
    table = Expedition(3)
    table.find(0, "palestine", "object:7", "object:6", "object:5", "object:4")  # 22
    table.find(0, "egypt", "object:4", "object:3", "object:2", "object:1")  # 10
    table.find(0, "mesopotamia", "object:1", "object:1", "object:1", "object:1")  # 4
    table.find(0, "crete", "object:3")  # 3
    table.give(0, "exhibition-small-london", "exhibition-small-paris", "exhibition-large-berlin", *CONGRESSES[:5])
    retire_all(table)
    score = table.end.scores[0]
    assert len(table.who().finds) == 13
    assert score.parts == {"objects": 39, "exhibitions": 13, "congresses": 15, "majorities": 0}
    assert score.total == 67
    assert table.end.winners == (0,)


@pytest.mark.rule("JVT-64", "JVT-44")
def test_the_rulebooks_dig_in_crete() -> None:
    """4 points specific, 4 of 5 general: 8. In 4 weeks the dial gives 5 tokens; the table reports what was drawn."""
    table = Expedition()
    table.give(0, "book-crete-rome-2", "book-crete-paris-1", "assistant-paris", "assistant-rome")
    table.give(0, "open_book-paris-2", "open_book-berlin-2", "open_book-rome-1")
    known = knowledge(table.who().counts, "crete")
    assert (known.specific, table.who().counts.open_books, known.open_books, known.total) == (4, 5, 4, 8)
    table.stand(0, "crete")
    table.dig("crete", 4)
    assert table.at() == 4
    assert table.chance.facts == {"site": "crete", "nth": 1, "of": 5}
    table.draw("object:3", "blank", "object:3", "object:2", "blank")
    assert parts(table)["objects"] == 8 + 1, "3 objects worth 8, and the first find of the site"
    assert table.state.bags["crete"]["blank"] == 16
    assert table.state.bags["crete"].total == 27


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
