"""The edges of the rules: on one side of each something holds, one step further it does not."""

from __future__ import annotations

import pytest

from companion.game import Chance
from companion.games.tutankhamun.corrections import Purse, Shown
from companion.games.tutankhamun.moves import Barricade, Dig, Pass, Scarab, Stop
from tests.games.tutankhamun.site import Site

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
    site = Site().put_right(Shown("a1", "vase_alabaster", depth=depth)).do(Dig("a1"))
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
    site = Site().put_right(Shown("a1", "chain", depth=1))
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
    site = Site().put_right(Purse(2, silver)).do(*[Scarab()] * doubled)
    site.dig("a1", "vase_alabaster").dig("b1", "scorpion")
    assert (site.state.playing[2], site.state.purses[2]) == (left is not None, left or 0)


@pytest.mark.rule("TUT-15", "TUT-11")
@pytest.mark.parametrize("doubled", [False, True])
@pytest.mark.parametrize(("silver", "left"), [(4, 1), (3, 0), (2, None)])
def test_a_pass_is_paid_to_the_last_coin(silver: int, doubled: bool, left: int | None) -> None:
    site = Site().put_right(Purse(2, silver)).do(*[Scarab()] * doubled)
    assert site.aids["actions"]["pass"]["leaves"] is (left is None)
    site.do(Pass())
    assert (site.state.playing[2], site.state.purses[2]) == (left is not None, left or 0)
