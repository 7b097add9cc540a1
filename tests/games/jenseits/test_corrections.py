"""The table shows otherwise: everything can be put right, and nothing is lost or made."""

from __future__ import annotations

import msgspec
import pytest

from companion.game import Chance, Correction
from companion.games.jenseits.corrections import SetCard, SetFigure, SetMarker, SetPermit, SetToken
from companion.games.jenseits.moves import Dig, Take
from companion.refusals import Refusal
from tests.games.jenseits.expedition import OPEN, Expedition, game


def census(table: Expedition) -> dict[str, int]:
    return dict(table.game.census(table.state))


@pytest.mark.rule("JVT-01", "JVT-04")
def test_a_marker_is_put_on_any_week_on_top_of_the_others() -> None:
    table = Expedition()
    table.put(SetMarker(1, 16, 1902))
    assert table.week(1) == (16, 1902)
    table.put(SetMarker(0, 16, 1902))
    assert table.seat == 0
    table.put(SetMarker(0, 16, 1902, on_top=False))
    assert table.seat == 1
    table.put(SetMarker(0, 1, 1904))
    assert table.at(0) == table.game.terms.end


@pytest.mark.rule("JVT-01", "JVT-06")
@pytest.mark.parametrize(("week", "year"), [(0, 1901), (53, 1901), (2, 1904), (1, 1900)])
def test_a_marker_stays_on_the_track(week: int, year: int) -> None:
    assert Expedition().refuses_correction(SetMarker(0, week, year)).rule in {"JVT-01", "JVT-06"}


@pytest.mark.rule("JVT-03")
def test_markers_are_stacked_before_they_are_put_right() -> None:
    table = Expedition()
    table.state = game().start()
    assert table.refuses_correction(SetMarker(0, 2, 1901)).rule == "JVT-03"


@pytest.mark.rule("JVT-10")
def test_a_figure_is_put_in_another_place() -> None:
    table = Expedition()
    table.put(SetFigure(1, "egypt"))
    assert table.who(1).place == "egypt"
    assert table.refuses_correction(SetFigure(1, "atlantis")).rule == "JVT-10"


@pytest.mark.rule("JVT-46")
def test_a_permit_is_turned() -> None:
    table = Expedition()
    table.put(SetPermit(0, "egypt", up=False))
    table.put(SetPermit(0, "egypt", up=False))
    assert table.who().turned == {"egypt"}
    table.put(SetPermit(0, "egypt", up=True))
    assert table.who().turned == frozenset()
    assert table.refuses_correction(SetPermit(0, "rome", up=True)).rule == "JVT-42"


@pytest.mark.rule("JVT-45")
def test_a_token_goes_between_bag_site_and_seats() -> None:
    table = Expedition()
    before = census(table)
    table.put(SetToken("egypt", "object:6", "bag", 1))
    assert table.who(1).counts.points == 6
    table.put(SetToken("egypt", "object:6", 1, 0))
    table.put(SetToken("egypt", "object:6", 0, "bag"))
    table.put(SetToken("egypt", "object:1", "site", 0))
    assert "egypt" not in table.state.first_finds
    table.put(SetToken("egypt", "object:1", 0, "site"))
    assert table.state.bags["egypt"].total == 30
    assert census(table) == before


@pytest.mark.rule("JVT-44", "JVT-45")
@pytest.mark.parametrize(
    "wrong",
    [
        SetToken("egypt", "object:6", 0, "bag"),
        SetToken("egypt", "object:6", "site", "bag"),
        SetToken("egypt", "object:6", "bag", "site"),
        SetToken("egypt", "object:1", "bag", "site"),
        SetToken("egypt", "object:6", "bag", "nowhere"),
        SetToken("egypt", "object:7", "bag", 0),
        SetToken("egypt", "blank", "bag", 0),
        SetToken("rome", "object:1", "bag", 0),
        SetToken("egypt", "object:6", "bag", 2),
        SetToken("egypt", "object:6", -1, "bag"),
    ],
)
def test_a_token_that_is_not_there_is_not_moved(wrong: Correction) -> None:
    Expedition().refuses_correction(wrong)


@pytest.mark.rule("JVT-44")
def test_a_bag_in_which_somebody_digs_waits() -> None:
    table = Expedition()
    table.give(0, "book-greece-london-3")
    table.stand(0, "greece")
    table.dig("greece", 3)
    assert table.refuses_correction(SetToken("greece", "object:1", "bag", 0)).rule == "JVT-44"
    table.put(SetToken("egypt", "object:1", "bag", 0))


@pytest.mark.rule("JVT-20")
def test_a_card_goes_between_piles_board_and_seats() -> None:
    table = Expedition(3)
    before = census(table)
    table.put(SetCard("car-rome", "pile", 0))
    assert table.who().counts.cars == 1
    table.put(SetCard("car-rome", 0, "discards"))
    assert table.state.piles.discards == ("car-rome",)
    table.put(SetCard("car-rome", "discards", "aside"))
    table.put(SetCard("car-rome", "aside", "pile"))
    assert table.state.piles.size == 27 + 32
    table.put(SetCard("exhibition-small-paris", "pile", "b"))
    table.put(SetCard("exhibition-small-paris", "b", 1))
    table.put(SetCard("exhibition-small-paris", 1, "pile"))
    table.put(SetCard("exhibition-large-paris", "aside", "a"))
    table.put(SetCard("exhibition-large-paris", "a", "discards"))
    assert census(table) == before


@pytest.mark.rule("JVT-20")
def test_another_card_lies_open_than_was_thought() -> None:
    table = Expedition()
    before = census(table)
    table.put(SetCard(OPEN[1], "open", "pile"))
    assert isinstance(table.game.ask(table.state), Chance), "the empty place could be filled, too"
    table.put(SetCard("zeppelin-rome", "pile", "open"))
    assert table.state.open == (OPEN[0], "zeppelin-rome", *OPEN[2:])
    assert table.seat == 0
    assert census(table) == before


@pytest.mark.rule("JVT-20", "JVT-23")
def test_an_exhibition_that_came_early_at_the_table_can_be_shown() -> None:
    table = Expedition()
    table.play(Take(OPEN[0]))
    table.refuses_draw("exhibition-small-paris")
    table.put(SetCard("exhibition-small-paris", "pile", "a"))
    table.deal("car-rome")
    assert table.state.shown[0] == "exhibition-small-paris"


@pytest.mark.rule("JVT-20")
@pytest.mark.parametrize(
    "wrong",
    [
        SetCard("nonsense", "pile", 0),
        SetCard("blank", "pile", 0),
        SetCard("car-rome", 0, "pile"),
        SetCard("car-rome", "aside", "pile"),
        SetCard("car-rome", "discards", "pile"),
        SetCard("car-rome", "open", "pile"),
        SetCard("car-rome", "pile", "open"),
        SetCard("car-rome", "pile", "a"),
        SetCard("car-rome", "pile", "nowhere"),
        SetCard("car-rome", "nowhere", "pile"),
        SetCard("exhibition-small-paris", "pile", "open"),
        SetCard("exhibition-small-paris", "a", "pile"),
        SetCard("car-rome", "pile", 2),
    ],
)
def test_a_card_that_is_not_there_or_does_not_belong_there_is_not_moved(wrong: Correction) -> None:
    Expedition().refuses_correction(wrong)


def test_a_seat_that_is_not_there_is_refused() -> None:
    table = Expedition()
    for seat in (-1, 2):
        table.refuses_correction(SetMarker(seat, 1, 1901))
        table.refuses_correction(SetFigure(seat, "rome"))
        table.refuses_correction(SetPermit(seat, "egypt", up=True))


def test_corrections_are_written_as_json() -> None:
    written = {"type": "token", "site": "egypt", "token": "object:1", "from": "bag", "to": 1}
    assert msgspec.to_builtins(msgspec.convert(written, SetToken)) == written


def test_what_a_seat_holds_counts_at_once() -> None:
    table = Expedition()
    table.stand(0, "egypt")
    table.give(0, "book-egypt-london-2")
    assert Dig("egypt", 6) in table.moves
    table.put(SetCard("book-egypt-london-2", 0, "pile"))
    with pytest.raises(Refusal):
        table.dig("egypt", 6)


def test_a_sheet_begins_where_markers_figures_and_permits_stand() -> None:
    table = Expedition(3)
    table.stand(1, "crete")
    stands = table.game.correction_form(table.state).stands
    assert [each["seat"] for each in stands["marker"]] == [0, 1, 2]
    assert [each["place"] for each in stands["figure"]] == ["warsaw", "crete", "warsaw"]
    assert len(stands["permit"]) == len(table.game.terms.sites) * 3
    table.state = table.game.start()
    assert table.game.correction_form(table.state).stands["marker"] == (), "no marker stands anywhere yet"
