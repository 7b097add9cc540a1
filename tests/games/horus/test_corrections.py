"""The table shows otherwise."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from companion.game import Corrected
from companion.games.horus.corrections import (
    BackInside,
    PlaceCard,
    SetAbility,
    SetActions,
    SetBlock,
    SetDie,
    SetFigure,
    SetMummy,
    WallStands,
)
from companion.games.horus.moves import End, Pick, Search, Step
from companion.games.horus.uses import Use
from companion.refusals import Refusal
from tests.games.horus.pyramids import Playing, acting, table


def put_right(playing: Playing, correction: Any) -> Playing:
    census = playing.game.census(playing.state)
    after = playing.game.after(playing.state, Corrected(correction))
    assert playing.game.census(after) == census
    return Playing(playing.game, after)


def refused(playing: Playing, correction: Any) -> Refusal:
    with pytest.raises(Refusal) as told:
        playing.game.after(playing.state, Corrected(correction))
    return told.value


@pytest.mark.rule("HOR-31", "HOR-52")
def test_a_figure_stands_elsewhere_but_not_where_nobody_can_be() -> None:
    playing = acting("5", "6", who=("sarti", "rice"), fallen=(17,))
    assert put_right(playing, SetFigure(0, "A3")).seat(0).square == "A3"
    assert put_right(playing, SetFigure(0, "A3")).cards(0) == (), "no mummy touches it for that"
    assert refused(playing, SetFigure(0, "17")).rule == "HOR-31"
    assert refused(playing, SetFigure(0, "Z9")).rule == "HOR-31"
    assert refused(playing, SetFigure(7, "5")).rule == "HOR-01"
    shut = acting("5", "6", who=("sarti", "rice"), fallen=(13, 14, 15, 16))
    assert refused(shut, SetFigure(0, "33")).rule == "HOR-52"


@pytest.mark.rule("HOR-40")
def test_a_mummy_stays_in_its_stretch() -> None:
    playing = acting("5", "6", who=("sarti", "rice"))
    after = put_right(playing, SetMummy("initkaes", "A5", "A1"))
    assert (after.board()["mummies"][0]["square"], after.board()["mummies"][0]["towards"]) == ("A5", "A1")
    assert refused(playing, SetMummy("initkaes", "T1", "A1")).rule == "HOR-40"
    assert refused(playing, SetMummy("initkaes", "A5", "A3")).rule == "HOR-40"
    assert refused(playing, SetMummy("ramses", "A5", "A1")).rule == "HOR-40"


@pytest.mark.rule("HOR-50", "HOR-52")
def test_a_block_has_fallen_or_has_not() -> None:
    playing = acting("5", "33", who=("sarti", "rice"), fallen=(13, 14, 16))
    shut = put_right(playing, SetBlock(15, True))
    assert [shut.seat(seat).fate for seat in (0, 1)] == ["inside", "sealed"]
    back = put_right(playing, SetBlock(14, False))
    assert back.state.fallen == (13, 16)
    assert 14 in back.state.boxed
    assert refused(playing, SetBlock(14, True)).rule == "HOR-50"
    assert refused(playing, SetBlock(15, False)).rule == "HOR-50"
    assert refused(playing, SetBlock(5, True)).rule == "HOR-50", "somebody stands there"
    assert refused(playing, SetBlock(37, True)).rule == "HOR-50"


@pytest.mark.rule("HOR-31", "HOR-52")
def test_a_wall_of_the_plan_is_there_or_is_not() -> None:
    playing = acting("5", "33", who=("sarti", "rice"), fallen=(13, 14, 16))
    assert "6" in playing.game.at(playing.state, 0).steps("5")
    walled = put_right(playing, WallStands("5", "6", True))
    assert "6" not in walled.game.at(walled.state, 0).steps("5")
    assert ["5", "6"] in walled.board()["plan"]["walls"]
    shut = put_right(walled, WallStands("19", "15", True))
    assert [shut.seat(seat).fate for seat in (0, 1)] == ["inside", "sealed"], "as by a block"
    noted = shut.game.noted(shut.state, None)["plan.walls"]
    assert noted == [*map(list, playing.game.box.plan.walls), ["5", "6"], ["19", "15"]]
    assert put_right(walled, WallStands("6", "5", False)).state == playing.state
    assert refused(playing, WallStands("5", "7", True)).rule == "HOR-31", "they do not touch"
    assert refused(playing, WallStands("A1", "A2", True)).rule == "HOR-31", "a mummy walks there"
    choosing = table(2)
    assert refused(Playing(choosing, choosing.start()), WallStands("5", "6", True)).rule == "HOR-01"


@pytest.mark.rule("HOR-12", "HOR-15", "HOR-44")
def test_cards_go_from_place_to_place() -> None:
    playing = acting("5", "6", cards={0: ("treasure-sobek-5", "snake")}, who=("sarti", "rice"))
    assert put_right(playing, PlaceCard("treasure-sobek-5", 0, 1)).cards(1) == ("treasure-sobek-5",)
    assert put_right(playing, PlaceCard("snake", 0, "den")).cards(0) == ("treasure-sobek-5",)
    assert put_right(playing, PlaceCard("snake", 0, "beside_the_board")).state.cast_off == ("snake",)
    assert put_right(playing, PlaceCard("chest-sobek", "pond", 1)).cards(1) == ("chest-sobek",)
    assert put_right(playing, PlaceCard("mummy", "supply", 1)).cards(1) == ("mummy",)
    assert put_right(playing, PlaceCard("idol-thoth", "alcoves", 1)).board()["seats"][1]["cursed"] == ["thoth"]
    for wrong in (
        PlaceCard("snake", 0, "pond"),
        PlaceCard("chest-sobek", "sand", 1),
        PlaceCard("mummy", 0, "den"),
        PlaceCard("idol-thoth", "alcoves", "den"),
        PlaceCard("crown", 0, 1),
        PlaceCard("snake", 0, 0),
    ):
        assert refused(playing, wrong).rule == "HOR-02"
    assert refused(playing, PlaceCard("udjat", 0, 1)).key == "horus.none_unseen"


@pytest.mark.rule("HOR-12")
def test_a_thirteenth_card_that_is_put_right_has_to_go_too() -> None:
    playing = acting("5", "6", cards={0: ("mummy",) * 12}, who=("sarti", "rice"))
    after = put_right(playing, PlaceCard("udjat", "den", 0))
    assert (after.state.asking, after.state.seat_asked) == ("discard", 0)
    assert refused(playing, PlaceCard("mummy", "supply", 0)).rule == "HOR-12", "a thirteenth wound nobody could lay off"


@pytest.mark.rule("HOR-52", "HOR-60")
@pytest.mark.parametrize("fate", ["sealed", "left"])
def test_who_was_sealed_in_or_left_by_mistake_is_inside_again(fate: str) -> None:
    playing = acting("5", "6", "7", who=("sarti", "rice", "gore"), actions=2)
    here = playing.here.replace(action_dice=(6, 6, 1, 1, 1)).without_figure(1, fate)  # type: ignore[arg-type]
    gone = Playing(playing.game, here.flowed().state)
    assert refused(gone, BackInside(0, "9")).key == "horus.is_inside"
    assert refused(gone, BackInside(1, "X9")).rule == "HOR-31"
    rows = gone.game.correction_form(gone.state).tables["inside"][0].rows
    assert (1, "9") in rows
    assert {seat for seat, _ in rows} == {1}
    back = put_right(gone, BackInside(1, "9"))
    assert (back.seat(1).fate, back.seat(1).square, back.seat(1).rests) == ("inside", "9", "")
    assert back.seat(1).actions == 2
    assert back.does(End()).state.seat_asked == 1, "its part of the round is still to come"
    said = gone.game.tells(gone.state, Corrected(BackInside(1, "9")), None)
    assert said == {"type": "inside", "seat": 1, "square": "9"}


@pytest.mark.rule("HOR-43", "HOR-45")
def test_who_turned_by_mistake_is_no_mummy_any_more() -> None:
    full = ("mummy",) * 12
    playing = acting(
        "A2", "6", cards={0: full}, who=("sarti", "rice"), mummies={"initkaes": ("A3", "NW")}, actions=(1, 1)
    )
    playing.does(Step("A3"))
    assert playing.seat(0).fate == "turned"
    back = put_right(playing, BackInside(0, "A2"))
    assert [mummy.seat for mummy in back.state.mummies] == [-1, -1, -1]
    assert back.seat(0).square == "A2"
    assert back.game.census(back.state) == playing.game.census(playing.state)


@pytest.mark.rule("HOR-51")
def test_a_block_that_was_kept_and_has_fallen_is_foretold_no_more() -> None:
    playing = acting("5", "6", who=("rasputin", "rice")).does(Use(ability="prescience")).falls(17)
    playing.does(Use(ability="prescience", keep=True))
    assert playing.you(0)["looked"] == 17
    after = put_right(playing, SetBlock(17, True))
    assert after.you(0)["looked"] is None
    assert after.aids(0)["dangers"]["squares"]["9"]["block"] == pytest.approx(1 / 35)


@pytest.mark.rule("HOR-20", "HOR-34")
def test_a_die_that_was_misread_changes_what_follows_from_it() -> None:
    playing = acting("5", "6", actions=(2, 1), who=("sarti", "rice"))
    after = put_right(playing, SetDie("action", "green", 6))
    assert [after.seat(seat).actions for seat in (0, 1)] == [3, 2]
    lock = acting("A1", "5", actions=(1, 0), who=("sarti", "ardila"), cards={0: ("crowbar", "crowbar")})
    lock.does(Pick()).falls(1, 2, 6, 6, 6)
    assert put_right(lock, SetDie("lock", lock.game.terms.colours[4], 3)).cards(0)[-1] == "idol-sobek"
    assert refused(playing, SetDie("lock", "green", 3)).rule == "HOR-20"
    assert refused(playing, SetDie("action", "pink", 3)).rule == "HOR-20"
    assert refused(playing, SetDie("action", "green", 7)).rule == "HOR-20"


@pytest.mark.rule("HOR-30", "HOR-70")
def test_actions_left_and_an_ability() -> None:
    playing = acting("5", "6", who=("sarti", "rice"))
    assert put_right(playing, SetActions(1, 5)).seat(1).actions == 5
    assert refused(playing, SetActions(1, 6)).rule == "HOR-20"
    assert put_right(playing, SetAbility(0, True)).seat(0).used
    resting = acting("5", "6", actions=0, who=("sarti", "rice"))
    resting.falls(1, 1, 1, 1, 1, 36)
    assert refused(resting, SetActions(1, 5)).rule == "HOR-03", "dice are being rolled"


@pytest.mark.rule("HOR-03")
def test_while_something_is_drawn_nothing_is_put_right() -> None:
    playing = acting("5", "6", who=("sarti", "rice")).does(Search())
    assert refused(playing, SetActions(1, 5)).rule == "HOR-03"
    done = acting("1", "2", who=("sarti", "rice")).does(End())
    assert put_right(done, SetActions(0, 1)).state.seat_asked == 1


@pytest.mark.rule("HOR-02")
def test_a_card_of_which_all_lie_open_beside_the_board_is_not_offered_from_a_deck() -> None:
    playing = acting("5", "6", who=("sarti", "rice"))
    printed = sum(deck["udjat"] for deck in playing.game.terms.decks)
    gone = playing.game.at(replace(playing.state, cast_off=("udjat",) * printed))
    assert PlaceCard("udjat", "den", 0).why_not(gone.as_seen_by(None)) is not None
    assert PlaceCard("udjat", "beside_the_board", 0).why_not(gone.as_seen_by(None)) is None
