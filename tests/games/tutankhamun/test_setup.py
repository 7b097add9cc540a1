"""Setting up: purses, layers, who lays and who begins."""

from __future__ import annotations

import pytest

from companion.game import Move, Played
from companion.games.tutankhamun.moves import Deal, Dig, Lay, Pass
from companion.games.tutankhamun.rules import Tutankhamun
from companion.refusals import Illegal, Malformed, NotYourTurn
from tests.games.tutankhamun.site import Site, box, game, setup


@pytest.mark.rule("TUT-01")
@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_everybody_has_ten_in_coins_two_scarabs_and_a_barricade(seats: int) -> None:
    site = Site(seats)
    assert len(site.board["seats"]) == seats
    for seat, own in enumerate(site.board["seats"]):
        assert own == {
            "seat": seat,
            "total": 10,
            "gold": 1,
            "silver": 5,
            "scarabs": 2,
            "barricades": 1,
            "playing": True,
            "standing": None,
        }


@pytest.mark.rule("TUT-01")
def test_a_purse_has_silver_to_give_change_with() -> None:
    purse = Site(2).pass_turn().board["seats"][1]
    assert (purse["total"], purse["gold"], purse["silver"]) == (7, 1, 2)


@pytest.mark.rule("TUT-02", "TUT-10")
@pytest.mark.parametrize(
    ("seats", "first", "owners", "digger"),
    [
        (2, 0, [0, 1, 0, 1, 0, 0], 1),
        (3, 0, [0, 1, 2, 0, 1, 1], 2),
        (3, 2, [2, 0, 1, 2, 0, 0], 1),
        (4, 0, [0, 1, 2, 3, 0, 0], 1),
        (6, 5, [5, 0, 1, 2, 3, 3], 4),
    ],
)
@pytest.mark.parametrize("tray", ["dealt", "laid", "physical"])
def test_layers_are_laid_clockwise_and_the_last_layer_brings_the_blank_one(
    tray: str, seats: int, first: int, owners: list[int], digger: int
) -> None:
    site = Site(seats, tray=tray, first_layer=first)
    asked = []
    while tray == "laid" and site.state.phase == "laying":
        asked.append(site.seat)
        site.do(Deal())
    if tray == "laid":
        assert asked == owners[:5]
    assert [layer["owner"] for layer in site.board["layers"]] == owners
    assert site.board["first"] == digger
    assert site.seat == digger
    assert all(square["depth"] == 6 and square["top"] == "earth" for square in site.board["tray"]["squares"])


@pytest.mark.rule("TUT-02")
def test_nobody_sits_where_the_first_layer_should_come_from() -> None:
    with pytest.raises(Malformed) as refused:
        game(3, first_layer=3)
    assert refused.value.rule == "TUT-02"


@pytest.mark.rule("TUT-02")
def test_each_layer_has_the_cards_of_the_box() -> None:
    layers = Site().board["layers"]
    assert [layer["cards"] for layer in layers] == [dict(box().layers[number]) for number in range(1, 7)]
    assert all(sum(layer["cards"].values()) == 16 for layer in layers)


@pytest.mark.rule("TUT-02", "TUT-03")
def test_only_the_owner_lays_and_nobody_digs_before_the_layers_lie() -> None:
    site = Site(3, tray="laid", first_layer=1)
    assert site.seat == 1
    assert isinstance(site.refused(Deal(), seat=0), NotYourTurn)
    moves: tuple[Move, ...] = (Dig("a1"), Pass())
    for move in moves:
        refusal = site.refused(move)
        assert isinstance(refusal, Illegal)
        assert (refusal.key, refusal.rule, refusal.facts["n"]) == ("tutankhamun.lay_first", "TUT-02", 1)


@pytest.mark.rule("TUT-03")
def test_an_owner_lays_by_hand_and_the_next_has_it_dealt() -> None:
    site = Site(2, tray="laid")
    by_hand = next(move for move in site.moves if isinstance(move, Lay))
    site.do(by_hand)
    assert site.state.layers[0] == by_hand.cards
    site.do(Deal())
    assert len(site.state.layers) == 2
    assert site.board["laying"] == {"layer": 3, "seat": 0}
    assert site.game.moves(site.state, 0).more


@pytest.mark.rule("TUT-03")
def test_no_layer_is_laid_once_all_lie() -> None:
    site = Site(2, tray="dealt")
    for move in (Deal(), Lay(("earth",) * 16)):
        assert site.refused(move).rule == "TUT-03"


@pytest.mark.rule("TUT-03")
def test_the_cards_of_a_real_tray_are_reported_and_no_others() -> None:
    real = Tutankhamun.settled(setup(2, tray="physical"))
    assert [real.source(each) for each in ("layers", "turns", "cards")] == ["companion", "companion", "table"]
    own = Tutankhamun.settled(setup(2, tray="dealt"))
    assert [own.source(each) for each in ("layers", "turns", "cards")] == ["companion"] * 3


@pytest.mark.rule("TUT-05")
@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_the_tray_is_turned_as_drawn(quarters: int) -> None:
    site = Site(2, tray="laid")
    while site.state.phase == "laying":
        before = site.state.layers
        site.state = site.game.after(site.state, step_of_laying(site))
    assert site.chance.hidden
    assert site.chance.randomizer == "turns"
    assert site.chance.odds == ((0, 1), (1, 1), (2, 1), (3, 1))
    laid = site.state.layers
    assert laid[: len(before)] == before
    corner = laid[0][0]
    site.fall(quarters)
    # the far left corner goes to the far right, the near right, the near left
    assert site.state.layers[0][(0, 3, 15, 12)[quarters]] == corner
    assert site.state.quarters == quarters


@pytest.mark.rule("TUT-05")
@pytest.mark.parametrize("wrong", [4, -1, "1", True])
def test_a_tray_has_four_sides(wrong: int | str) -> None:
    site = Site(2, tray="laid")
    while site.state.phase == "laying":
        site.state = site.game.after(site.state, step_of_laying(site))
    assert site.refused(wrong).rule == "TUT-05"


def step_of_laying(site: Site) -> Played:
    return Played(site.seat, next(move for move in site.moves if isinstance(move, Lay)))
