"""The table shows otherwise: it is put right, nothing is made or lost by it, and nothing hidden shows."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.game import Corrected, Correction, Played
from companion.games.tutankhamun.corrections import (
    Leave,
    SetBarricades,
    SetCard,
    SetPurse,
    SetScarabs,
    SetStanding,
    SetTakings,
)
from companion.games.tutankhamun.moves import Barricade, Deal, Dig, NoBarricade, Pass, Scarab, Stop
from companion.games.tutankhamun.rules import Tutankhamun
from companion.games.tutankhamun.state import NOWHERE
from tests.games.tutankhamun.site import Site, box, setup


@pytest.mark.rule("TUT-01")
def test_money_comes_from_the_bank_and_goes_there() -> None:
    site = Site().dig("a1", "bracelet")
    before = site.game.census(site.state)
    site.put_right(SetPurse(0, 17)).put_right(SetTakings(5))
    assert site.game.census(site.state) == before
    assert site.state.purses == (17, 10, 10)
    assert site.stop().state.purses == (17, 10, 15)


@pytest.mark.rule("TUT-11", "TUT-16")
def test_scarabs_and_barricades_come_back_from_those_that_are_gone() -> None:
    site = Site().scarab().dig("a1", "chain").do(Stop(), Barricade("b2"))
    before = site.game.census(site.state)
    site.put_right(SetScarabs(2, 2)).put_right(SetStanding(2, "c3")).put_right(SetBarricades(0, 0))
    assert site.state.scarabs == (2, 2, 2)
    assert (site.square("b2")["barricade"], site.square("c3")["barricade"]) == (None, 2)
    assert site.state.barricades == (0, 1, 0)
    site.put_right(SetStanding(2))
    assert site.state.barricades == (0, 1, 1)
    assert site.square("c3")["barricade"] is None
    assert site.game.census(site.state) == before


@pytest.mark.parametrize("tray", ["dealt", "physical"])
@pytest.mark.parametrize("seed", range(6))
def test_an_open_card_changes_places_with_one_nobody_has_seen(tray: str, seed: int) -> None:
    site = Site(tray=tray, seed=seed).uncover("a1")
    before, layer = site.game.census(site.state), site.state.layers[4]
    other = "falcon" if site.square("a1")["top"] != "falcon" else "mosquito"
    site.put_right(SetCard("a1", other))
    assert site.square("a1")["top"] == other
    assert site.game.census(site.state) == before
    if tray == "dealt":
        assert sorted(site.state.layers[4]) == sorted(layer)


def test_what_was_seen_of_a_layer_cannot_lie_open_elsewhere() -> None:
    site = Site().dig("a1", "chain").dig("b1", "falcon")
    refusal = site.refused(SetCard("a1", "falcon"))
    assert (refusal.key, refusal.rule) == ("tutankhamun.none_unseen", "TUT-02")


@pytest.mark.rule("TUT-14", "TUT-20")
def test_somebody_goes_home() -> None:
    site = Site().dig("a1", "bracelet")
    before = site.game.census(site.state)
    site.put_right(Leave(2))
    assert (site.seat, site.state.purses, site.state.takings) == (0, (10, 10, 0), 0)
    site.put_right(Leave(1))
    assert site.game.census(site.state) == before
    assert site.end.winners == (0,)


@pytest.mark.rule("TUT-16")
def test_the_barricade_of_one_who_has_left_goes_when_their_turn_would_have_begun() -> None:
    site = Site().dig("a1", "chain").do(Stop(), Barricade("b2")).put_right(Leave(2))
    assert site.pass_turn().square("b2")["barricade"] == 2
    assert site.dig("c1", "bracelet").stop().seat == 0
    assert site.square("b2")["barricade"] is None
    assert site.state.barricades_gone == 1


@pytest.mark.rule("TUT-20")
def test_the_last_card_of_a_real_tray_can_come_to_light_by_correction() -> None:
    site = Site()
    for square in site.game.terms.squares:
        site.put_right(SetCard(square, "", depth=0))
        if site.is_over:
            break
    assert site.is_over
    assert site.board["cards_left"] == 0


@pytest.mark.parametrize(
    ("wrong", "key"),
    [
        (SetPurse(0, -1), "tutankhamun.below_zero"),
        (SetPurse(0, 10**20), "tutankhamun.out_of_reach"),
        (SetPurse(3, 1), "tutankhamun.no_seat"),
        (SetPurse(-1, 1), "tutankhamun.no_seat"),
        (SetTakings(-1), "tutankhamun.below_zero"),
        (SetScarabs(0, 3), "tutankhamun.out_of_reach"),
        (SetScarabs(0, -1), "tutankhamun.out_of_reach"),
        (SetBarricades(0, 2), "tutankhamun.out_of_reach"),
        (SetStanding(0, "z9"), "tutankhamun.no_square"),
        (SetCard("z9", "chain"), "tutankhamun.no_square"),
        (SetCard("a1", ""), "tutankhamun.card_or_bare"),
        (SetCard("a1", "chain", depth=0), "tutankhamun.card_or_bare"),
        (SetCard("a1", "mask"), "tutankhamun.none_unseen"),
        (SetCard("a1", "chain", depth=7), "tutankhamun.out_of_reach"),
        (Leave(5), "tutankhamun.no_seat"),
    ],
)
def test_nonsense_is_refused(wrong: Correction, key: str) -> None:
    assert Site().dig("a1", "bracelet").refused(wrong).key == key


def test_a_correction_has_its_time() -> None:
    site = Site()
    assert site.refused(SetTakings(3)).key == "tutankhamun.nothing_set_aside"
    site.do(Dig("a1"))
    assert site.refused(SetCard("a1", "chain")).key == "core.chance_first"
    assert site.put_right(SetPurse(0, 4)).state.purses[0] == 4
    laying = Site(tray="laid")
    for wrong in (SetCard("a1", "chain"), Leave(0)):
        assert laying.refused(wrong).key == "tutankhamun.lay_first"


def test_a_seat_that_has_left_is_not_put_right() -> None:
    site = Site().put_right(Leave(0))
    for wrong in (SetPurse(0, 3), SetScarabs(0, 1), SetBarricades(0, 1), SetStanding(0, "a1"), Leave(0)):
        assert site.refused(wrong).key == "tutankhamun.has_left"


@pytest.mark.rule("TUT-16")
def test_a_barricade_stands_on_one_square_and_comes_from_a_hand() -> None:
    site = Site().put_right(SetStanding(0, "b2"))
    assert site.state.barricades == (0, 1, 1)
    assert site.refused(SetStanding(1, "b2")).key == "tutankhamun.barricade_there"
    site.put_right(SetStanding(0)).put_right(SetBarricades(0, 0))
    assert site.refused(SetStanding(0, "b2")).key == "tutankhamun.no_barricade"
    site.dig("a1", "chain").do(Stop()).put_right(SetStanding(2, "c1"))
    assert site.refused(Barricade("d1")).rule == "TUT-16"


@pytest.mark.rule("TUT-16")
def test_a_barricade_that_was_put_out_of_the_game_is_not_set() -> None:
    site = Site().do(Pass()).put_right(SetBarricades(2, 0))
    assert (site.state.phase, site.moves) == ("closing", (NoBarricade(),))
    assert site.refused(Barricade("b2")).key == "tutankhamun.no_barricade"
    assert site.close().state.barricades == (1, 1, 0)


@pytest.mark.rule("TUT-16")
def test_a_game_by_the_first_rules_is_replayed_as_it_was() -> None:
    first = Tutankhamun(setup(3, tray="physical"), box(), 1)
    state = first.after(first.start(), Played(2, Pass()))
    state = first.after(state, Corrected(SetBarricades(2, 0)))
    state = first.after(state, Played(2, Barricade("b2")))
    assert state.standing == (NOWHERE, NOWHERE, 5)
    assert first.census(state) == first.census(first.start())


@pytest.mark.rule("TUT-03")
def test_how_many_cards_lie_in_a_dealt_tray_is_not_put_right() -> None:
    refusal = Site(tray="dealt").refused(SetCard("a1", "chain", depth=5))
    assert (refusal.key, refusal.rule) == ("tutankhamun.own_tray", "TUT-03")


def test_passing_is_as_before_after_a_correction() -> None:
    site = Site(tray="laid")
    while site.state.phase == "laying":
        site.do(Deal())
    site.put_right(SetPurse(1, 4)).do(Scarab()).do(Pass())
    assert site.state.phase == "closing"


def laying() -> Site:
    return Site(tray="laid")


def reporting() -> Site:
    return Site().do(Dig("a1"))


def digging() -> Site:
    site = Site(4).dig("a1", "chain").do(Stop(), Barricade("b2")).put_right(Leave(1))
    return site.put_right(SetCard("c3", "", depth=0)).scarab().dig("d4", "falcon")


def closing() -> Site:
    return Site(tray="dealt").do(Pass())


@pytest.mark.rule("TUT-40")
@pytest.mark.parametrize("made", [laying, reporting, digging, closing])
def test_the_sheet_begins_as_the_table_stands_and_names_no_card_but_open_ones(made: Callable[[], Site]) -> None:
    site = made()
    sheet = site.game.correction_form(site.state)
    begins = sheet.stands
    seats = [seat for seat in site.board["seats"] if seat["playing"]]
    assert [row["silver"] for row in begins["purse"]] == [seat["total"] for seat in seats]
    assert [row["n"] for row in begins["scarabs"]] == [seat["scarabs"] for seat in seats]
    assert [row["n"] for row in begins["barricades"]] == [seat["barricades"] for seat in seats]
    assert [row["square"] or None for row in begins["standing"]] == [seat["standing"] for seat in seats]
    opened = {square["square"]: square["top"] for square in site.board["tray"]["squares"]}
    in_a_turn = made in {digging, closing}
    assert {row["square"]: row["card"] or None for row in begins["card"]} == (opened if in_a_turn else {})
    assert begins["takings"] == (({"type": "takings", "silver": 4},) if made is digging else ())
    assert begins["leave"] == ()
    in_this_phase = {"card", "leave"} if in_a_turn else set()
    in_this_phase |= {"takings"} if made is digging else set()
    offered = {kind for kind, tables in sheet.tables.items() if all(each.rows for each in tables)}
    assert offered == {"purse", "scarabs", "barricades", "standing", "printed"} | in_this_phase
