"""A turn: scarab, digs, good cards and bad ones, passing, barricades; and both sides of each edge."""

from __future__ import annotations

import pytest

from companion.game import Chance, Turn
from companion.games.tutankhamun.corrections import SetCard, SetPurse
from companion.games.tutankhamun.moves import Barricade, Deal, Dig, NoBarricade, Pass, Scarab, Stop
from companion.refusals import NotYourTurn
from tests.games.tutankhamun.site import Site, told

# In a real tray with three players seat 2 begins, with ten silver.
BAD = {"mosquito": 1, "snake_head": 2, "scorpion": 3}


@pytest.mark.rule("TUT-10")
def test_turns_go_clockwise() -> None:
    site, order = Site(4), []
    for _ in range(5):
        order.append(site.seat)
        site.uncover("a1")
        if site.state.phase == "digging" and site.state.digs:
            site.stop()
        site.close()
    assert order == [1, 2, 3, 0, 1]


@pytest.mark.rule("TUT-10")
def test_nobody_plays_out_of_turn() -> None:
    site = Site(3)
    for move in (Dig("a1"), Pass(), Scarab(), Stop()):
        refusal = site.refused(move, seat=0)
        assert isinstance(refusal, NotYourTurn)
        assert refusal.rule == "TUT-10"
    assert site.game.moves(site.state, 0).moves == ()


@pytest.mark.rule("TUT-12", "TUT-13")
def test_what_is_uncovered_is_set_aside_and_kept_on_stopping() -> None:
    site = Site().dig("a1", "chain").dig("c3", "vase_alabaster")
    turn = site.board["turn"]
    assert (turn["takings"], turn["digs"]) == (4, 2)
    assert turn["cards"] == [
        {"square": "a1", "card": "chain", "value": 1},
        {"square": "c3", "card": "vase_alabaster", "value": 3},
    ]
    assert site.state.purses == (10, 10, 10)
    site.stop()
    assert site.state.purses == (10, 10, 14)
    assert site.seat == 0


@pytest.mark.rule("TUT-12")
def test_the_lifted_card_leaves_the_tray_and_the_one_below_lies_open() -> None:
    site = Site().dig("b2", "bracelet")
    assert site.square("b2") == {"square": "b2", "depth": 5, "top": "bracelet", "barricade": None}
    assert site.board["cards_left"] == 95
    assert site.board["covered"] == 79


@pytest.mark.rule("TUT-12")
@pytest.mark.parametrize("tray", ["dealt", "laid"])
def test_in_the_companions_tray_the_card_below_shows_by_itself(tray: str) -> None:
    site = Site(tray=tray)
    while site.state.phase == "laying":
        site.do(Deal())
    below = site.state.layers[4][5]
    chance = site.do(Dig("b2")).chance
    assert chance.odds == ((below, 1),)
    assert (chance.pressed, chance.hidden) == (False, False)
    assert site.fall(below).square("b2")["top"] == below


@pytest.mark.rule("TUT-12")
def test_a_pile_is_dug_as_deep_as_one_likes() -> None:
    site = Site().dig("b2", "bracelet").dig("b2", "vase_alabaster").dig("b2", "vase_faience")
    assert site.square("b2")["depth"] == 3
    assert site.board["turn"]["takings"] == 6
    # only the card that still lies there is shown
    assert site.board["turn"]["cards"] == [{"square": "b2", "card": "vase_faience", "value": 1}]


@pytest.mark.rule("TUT-12")
def test_only_what_one_uncovers_oneself_counts() -> None:
    site = Site().dig("a1", "vase_alabaster").stop()
    site.dig("a1", "obelisk_middle")  # lifts the alabaster vase, and uncovers a card worth nothing
    assert site.board["turn"]["takings"] == 0
    assert site.stop().state.purses == (10, 10, 13)


@pytest.mark.rule("TUT-12", "TUT-14")
def test_an_open_bad_card_can_be_lifted_without_harm() -> None:
    site = Site().dig("a1", "scorpion").close()
    site.dig("a1", "chain").stop()
    assert site.state.purses == (11, 10, 7)


@pytest.mark.rule("TUT-12")
@pytest.mark.parametrize("square", ["e1", "a5", "a0", "", "A1", "a11"])
def test_there_are_sixteen_squares(square: str) -> None:
    refusal = Site().refused(Dig(square))
    assert refusal.code == "malformed"
    assert "a1" in refusal.said("en")
    assert "d4" in refusal.said("en")


@pytest.mark.rule("TUT-13")
def test_a_card_worth_nothing_changes_nothing() -> None:
    site = Site().dig("a1", "snake_body")
    assert site.board["turn"]["takings"] == 0
    assert site.board["last"] == {"seat": 2, "square": "a1", "card": "snake_body", "points": 0}
    assert site.stop().state.purses == (10, 10, 10)


@pytest.mark.rule("TUT-14")
@pytest.mark.parametrize(("card", "cost"), BAD.items())
def test_a_bad_card_voids_the_takings_and_is_paid(card: str, cost: int) -> None:
    site = Site().dig("a1", "vase_alabaster").dig("b1", "falcon").dig("c1", card)
    assert site.state.purses == (10, 10, 10 - cost)
    assert site.state.takings == 0
    assert site.state.phase == "closing"
    assert site.refused(Dig("d1")).rule == "TUT-12"
    assert site.refused(Stop()).rule == "TUT-13"
    assert site.close().seat == 0


@pytest.mark.rule("TUT-14")
def test_who_has_just_enough_stays_with_nothing() -> None:
    site = Site().put_right(SetPurse(2, 3)).dig("a1", "scorpion")
    assert site.state.purses == (10, 10, 0)
    assert site.state.playing == (True, True, True)


@pytest.mark.rule("TUT-14")
def test_who_cannot_pay_leaves_and_all_they_have_goes() -> None:
    site = Site().put_right(SetPurse(2, 2)).dig("a1", "falcon").dig("b1", "scorpion")
    assert site.state.playing == (True, True, False)
    leaver = site.board["seats"][2]
    assert (leaver["total"], leaver["scarabs"], leaver["barricades"]) == (0, 0, 0)
    assert site.seat == 0
    assert [site.pass_turn().seat, site.dig("c1", "chain").stop().seat] == [1, 0]


@pytest.mark.rule("TUT-11")
def test_a_scarab_doubles_good_cards() -> None:
    site = Site().scarab().dig("a1", "vase_alabaster").dig("b1", "chain")
    assert site.board["turn"]["takings"] == 8
    assert site.board["turn"]["doubled"]
    site.stop()
    assert site.state.purses == (10, 10, 18)
    assert site.state.scarabs == (2, 2, 1)
    assert site.state.scarabs_gone == 1


@pytest.mark.rule("TUT-11", "TUT-14")
def test_a_scarab_doubles_bad_cards() -> None:
    site = Site().scarab().dig("a1", "chain").dig("b1", "scorpion")
    assert site.state.purses == (10, 10, 4)
    assert not site.state.doubled


@pytest.mark.rule("TUT-11", "TUT-14")
def test_a_doubled_loss_can_be_too_much() -> None:
    site = Site().put_right(SetPurse(2, 5)).scarab().dig("b1", "scorpion")
    assert not site.state.playing[2]


@pytest.mark.rule("TUT-11")
def test_a_scarab_counts_for_one_turn() -> None:
    site = Site(2).scarab().dig("a1", "chain").stop()
    assert site.dig("b1", "bracelet").board["turn"]["takings"] == 2


@pytest.mark.rule("TUT-11")
def test_a_scarab_is_laid_at_the_start_one_to_a_turn_while_there_are_any() -> None:
    site = Site(2).scarab()
    assert site.refused(Scarab()).key == "tutankhamun.scarab_lies"
    assert Scarab() not in site.moves
    site.dig("a1", "chain").stop()
    site.dig("b1", "bracelet")
    assert site.refused(Scarab()).key == "tutankhamun.scarab_late"
    site.stop().scarab().dig("c1", "vase_faience").stop().dig("d1", "falcon").stop()
    assert site.refused(Scarab()).key == "tutankhamun.no_scarab"
    assert site.refused(Scarab()).rule == "TUT-11"


@pytest.mark.rule("TUT-11", "TUT-15")
def test_the_fee_is_not_doubled_and_the_scarab_is_gone() -> None:
    site = Site().scarab().pass_turn()
    assert site.state.purses == (10, 10, 7)
    assert site.state.scarabs == (2, 2, 1)


@pytest.mark.rule("TUT-15")
def test_a_turn_without_a_dig_costs_three_silver() -> None:
    assert Site().pass_turn().state.purses == (10, 10, 7)


@pytest.mark.rule("TUT-15")
def test_to_stop_without_a_dig_is_to_pass_and_to_pass_after_one_is_to_stop() -> None:
    site = Site()
    refusal = site.refused(Stop())
    assert (refusal.rule, refusal.facts["fee"]) == ("TUT-15", 3)
    site.dig("a1", "chain")
    assert site.refused(Pass()).rule == "TUT-15"


@pytest.mark.rule("TUT-15")
@pytest.mark.parametrize(("silver", "stays"), [(3, True), (2, False), (0, False)])
def test_who_cannot_pay_the_fee_leaves(silver: int, stays: bool) -> None:
    site = Site().put_right(SetPurse(2, silver))
    assert site.aids["actions"]["pass"] == {"legal": True, "refusal": None, "costs": 3, "leaves": not stays}
    site.do(Pass())
    assert site.state.playing[2] is stays
    assert site.state.purses[2] == 0


@pytest.mark.rule("TUT-16")
def test_a_barricade_closes_a_square_until_its_owners_next_turn() -> None:
    site = Site().dig("a1", "chain").do(Stop(), Barricade("b2"))
    assert site.state.barricades == (1, 1, 0)
    assert site.square("b2")["barricade"] == 2
    for seat in (0, 1):
        assert site.seat == seat
        refusal = site.refused(Dig("b2"))
        assert refusal.rule == "TUT-16"
        assert "Cleo" in refusal.said("en")
        assert Dig("b2") not in site.moves
        site.dig("c3" if seat else "d3", "falcon" if seat else "bracelet").stop()
    assert site.seat == 2
    assert site.square("b2")["barricade"] is None
    assert site.state.barricades_gone == 1
    assert site.dig("b2", "vase_faience").state.takings == 1


@pytest.mark.rule("TUT-16")
@pytest.mark.parametrize("way", ["stop", "bad card", "pass"])
def test_a_barricade_can_end_any_turn(way: str) -> None:
    site = Site()
    if way == "pass":
        site.do(Pass())
    else:
        site.dig("a1", "chain" if way == "stop" else "mosquito")
        site.do(*[Stop()] if way == "stop" else [])
    assert site.state.phase == "closing"
    assert site.seat == 2
    assert site.moves == (NoBarricade(), *map(Barricade, site.game.terms.squares))
    assert site.do(Barricade("d4")).seat == 0


@pytest.mark.rule("TUT-16")
def test_a_barricade_is_kept_for_later_or_used_up() -> None:
    site = Site(2).dig("a1", "chain").do(Stop(), NoBarricade())
    assert site.state.barricades == (1, 1)
    site.dig("b1", "bracelet").do(Stop(), Barricade("c1")).dig("d1", "falcon").stop()
    site.dig("a2", "vase_faience").do(Stop())
    assert (site.state.phase, site.seat) == ("digging", 1)  # who has none is not asked


@pytest.mark.rule("TUT-16")
def test_a_barricade_is_set_only_when_the_turn_is_over() -> None:
    site = Site()
    for move in (Barricade("a1"), NoBarricade()):
        assert site.refused(move).rule == "TUT-16"
    site.dig("a1", "chain")
    assert site.refused(Barricade("a1")).key == "tutankhamun.turn_runs"


@pytest.mark.rule("TUT-16")
def test_one_barricade_to_a_square() -> None:
    site = Site().dig("a1", "chain").do(Stop(), Barricade("b2")).dig("c1", "bracelet").do(Stop())
    refusal = site.refused(Barricade("b2"))
    assert (refusal.key, refusal.rule) == ("tutankhamun.barricade_there", "TUT-16")
    assert Barricade("b2") not in site.moves
    assert site.refused(Barricade("e9")).code == "malformed"


@pytest.mark.rule("TUT-17")
def test_the_last_card_of_a_square_uncovers_nothing_and_is_a_dig() -> None:
    site = Site()
    for card in ("chain", "falcon", "pectoral", "bracelet", "vase_alabaster"):
        site.dig("a1", card)
    assert site.square("a1")["depth"] == 1
    site.stop()
    before = site.state.purses
    site.dig("a1")
    assert isinstance(site.game.ask(site.state), Turn)
    assert site.square("a1") == {"square": "a1", "depth": 0, "top": None, "barricade": None}
    assert site.stop().state.purses == before
    assert site.refused(Dig("a1")).key == "tutankhamun.bare"
    assert site.refused(Dig("a1")).rule == "TUT-12"


@pytest.mark.rule("TUT-30")
def test_digs_and_only_digs_are_lifts() -> None:
    site = Site()
    assert site.game.lift_wanted(Dig("c2"))
    assert not any(site.game.lift_wanted(move) for move in (Scarab(), Stop(), Pass(), Barricade("c2"), NoBarricade()))
    assert told(site, Dig("c2")) == {"type": "dig", "square": "c2"}


# In a real tray; with three players seat 2 begins.
GOOD = ("chain", "falcon", "bracelet", "vase_faience", "vase_alabaster")


@pytest.mark.rule("TUT-16")
@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_barricade_stands_in_every_turn_before_its_owners_next_and_in_none_after(seats: int) -> None:
    site = Site(seats)
    owner = site.seat
    site.do(Pass(), Barricade("b2"))
    for square, card in zip(("a1", "a2", "a3", "a4", "b1"), GOOD[: seats - 1], strict=False):
        assert site.seat != owner
        assert site.refused(Dig("b2")).key == "tutankhamun.barricaded"
        site.dig(square, card).stop()
    assert site.seat == owner
    assert Dig("b2") in site.moves
    assert site.pass_turn().seat != owner
    assert Dig("b2") in site.moves


@pytest.mark.rule("TUT-16")
def test_a_turn_takes_away_its_own_barricade_and_no_other() -> None:
    site = Site(2).do(Pass(), Barricade("b2")).dig("a1", "chain").do(Stop(), Barricade("c3"))
    assert [site.square(square)["barricade"] for square in ("b2", "c3")] == [None, 0]
    assert site.pass_turn().square("c3")["barricade"] is None


@pytest.mark.rule("TUT-12", "TUT-17")
@pytest.mark.parametrize(("depth", "uncovers"), [(2, True), (1, False)])
def test_a_dig_uncovers_a_card_unless_it_lifts_the_last(depth: int, uncovers: bool) -> None:
    site = Site().put_right(SetCard("a1", "vase_alabaster", depth=depth)).do(Dig("a1"))
    assert isinstance(site.game.ask(site.state), Chance) is uncovers
    if uncovers:
        site.fall("chain")
    assert site.square("a1")["depth"] == depth - 1
    assert site.state.takings == int(uncovers)
    assert [site.refused(move).key for move in (Pass(), Scarab())] == [
        "tutankhamun.has_dug",
        "tutankhamun.scarab_late",
    ]
    assert site.stop().seat == 0


@pytest.mark.rule("TUT-12", "TUT-17")
def test_a_last_card_can_be_lifted_and_then_nothing() -> None:
    site = Site().put_right(SetCard("a1", "chain", depth=1))
    assert site.aids["squares"]["a1"]["dig"]["legal"]
    assert Dig("a1") in site.moves
    site.do(Dig("a1"))
    assert not site.aids["squares"]["a1"]["dig"]["legal"]
    assert Dig("a1") not in site.moves
    assert site.refused(Dig("a1")).key == "tutankhamun.bare"


@pytest.mark.rule("TUT-14", "TUT-11")
@pytest.mark.parametrize(
    ("silver", "doubled", "left"),
    [(4, False, 1), (3, False, 0), (2, False, None), (7, True, 1), (6, True, 0), (5, True, None)],
)
def test_a_bad_card_is_paid_to_the_last_coin_and_not_from_what_is_set_aside(
    silver: int, doubled: bool, left: int | None
) -> None:
    site = Site().put_right(SetPurse(2, silver)).do(*[Scarab()] * doubled)
    site.dig("a1", "vase_alabaster").dig("b1", "scorpion")
    assert (site.state.playing[2], site.state.purses[2]) == (left is not None, left or 0)


@pytest.mark.rule("TUT-15", "TUT-11")
@pytest.mark.parametrize("doubled", [False, True])
@pytest.mark.parametrize(("silver", "left"), [(4, 1), (3, 0), (2, None)])
def test_a_pass_is_paid_to_the_last_coin(silver: int, doubled: bool, left: int | None) -> None:
    site = Site().put_right(SetPurse(2, silver)).do(*[Scarab()] * doubled)
    assert site.aids["actions"]["pass"]["leaves"] is (left is None)
    site.do(Pass())
    assert (site.state.playing[2], site.state.purses[2]) == (left is not None, left or 0)
