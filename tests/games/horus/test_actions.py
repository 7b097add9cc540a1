"""Walking, searching, sarcophagi and locks."""

from __future__ import annotations

import pytest

from companion.game import Turn
from companion.games.horus.moves import End, Jump, Loot, Open, Pick, Search, Step
from companion.pieces.bag import Bag
from tests.games.horus.pyramids import BOX, Playing, acting, box_with, opened, table


@pytest.mark.rule("HOR-31")
def test_a_step_goes_to_a_neighbour_across_no_wall_and_no_block() -> None:
    playing = acting("23", "24", fallen=(25,))
    assert {move.to for move in playing.listed() if isinstance(move, Step)} == {"21", "33"}
    for to in ("A3", "25", "36", "23", "nowhere"):
        assert playing.refused(Step(to)).rule == "HOR-31"
    playing.does(Step("33"))
    assert playing.seat(0).square == "33"
    assert playing.seat(0).actions == 2


@pytest.mark.rule("HOR-31")
def test_squares_are_shared() -> None:
    playing = acting("5", "6", actions=(1, 1))
    playing.does(Step("6"))
    assert [playing.seat(seat).square for seat in (0, 1)] == ["6", "6"]


@pytest.mark.rule("HOR-30", "HOR-31")
def test_without_an_action_nothing_is_done() -> None:
    playing = acting("5", "6", actions=(0, 1), cards={0: ("udjat",)})
    assert playing.ask == Turn((0,)), "the udjat takes no action"
    for move in (Step("9"), Search()):
        assert playing.refused(move).rule == "HOR-30"


@pytest.mark.rule("HOR-32")
@pytest.mark.parametrize(("square", "card"), [("5", "udjat"), ("18", "scorpion"), ("33", "crocodile")])
def test_each_area_has_its_deck(square: str, card: str) -> None:
    playing = acting(square, "6", who=("gore", "sarti"))
    left = [deck["left"] for deck in playing.board()["decks"]]
    playing.does(Search()).falls(card)
    assert sum(left) - sum(deck["left"] for deck in playing.board()["decks"]) == 1
    assert playing.cards(0) == (card,)


@pytest.mark.rule("HOR-32")
def test_neither_the_corridor_nor_an_empty_deck_is_searched() -> None:
    assert acting("A1", "6").refused(Search()).rule == "HOR-32"
    decks = table(2).start().decks
    bare = acting("5", "6", decks=(Bag.of({}), *decks[1:]))
    assert bare.refused(Search()).rule == "HOR-32"


@pytest.mark.rule("HOR-32")
def test_a_card_is_shown_for_a_moment_and_then_lies_as_it_should() -> None:
    playing = acting("33", "6", who=("gore", "sarti"))
    playing.does(Search()).falls("treasure-sobek-5")
    assert playing.board()["shown"] == {
        "seat": 0,
        "card": {"card": "treasure-sobek-5", "kind": "treasure", "god": "sobek", "value": 5},
    }
    playing.does(Search())
    assert playing.board()["shown"] is None
    playing.falls("chest")
    assert playing.cards(0) == ("treasure-sobek-5", "chest-sobek")
    assert playing.board()["seats"][0]["backs"] == ["sobek", "sobek"]
    assert playing.board()["seats"][0]["open"] == []


@pytest.mark.rule("HOR-33", "HOR-39")
def test_a_sarcophagus_is_opened_and_its_treasure_taken() -> None:
    playing = acting("A2", "6", actions=2, who=("sarti", "rice"))
    assert playing.refused(Loot()).rule == "HOR-33"
    playing.does(Open())
    assert playing.chance.facts == {"god": "anubis", "square": "A2"}
    playing.falls("treasure-anubis-6")
    tomb = next(each for each in playing.board()["sarcophagi"] if each["square"] == "A2")
    assert (tomb["open"], tomb["card"]["value"]) == (True, 6)
    assert playing.refused(Open()).rule == "HOR-33"
    playing.does(Loot())
    assert playing.cards(0) == ("treasure-anubis-6",)
    assert playing.board()["seats"][0]["backs"] == ["anubis"]
    assert playing.ask == Turn((1,))


@pytest.mark.rule("HOR-33")
def test_whoever_stands_there_takes_what_another_has_opened() -> None:
    playing = opened(acting("5", "T3", actions=1), "thoth", "T3", "treasure-thoth-7")
    playing.does(End(), Loot())
    assert playing.cards(1) == ("treasure-thoth-7",)


@pytest.mark.rule("HOR-33")
def test_only_from_the_square_beside_it() -> None:
    playing = opened(acting("A3", "5"), "anubis", "A2")
    assert playing.refused(Loot()).rule == "HOR-33"
    assert acting("H2", "5").refused(Open()).rule == "HOR-33"


@pytest.mark.rule("HOR-33", "HOR-34")
def test_where_there_are_several_the_move_names_the_god() -> None:
    box = box_with(
        """
[plan]
sarcophagi.anubis = ["A1", "A2", "A3", "A4", "NW"]
alcoves.thoth = ["NW"]
""".strip()
    )
    playing = acting("NW", "5", game=table(2, box=box))
    assert playing.refused(Open()).key == "horus.which_god"
    assert playing.refused(Pick()).key == "horus.which_god"
    assert {Open("anubis"), Open("horus")} <= set(playing.listed())
    playing.does(Open("anubis")).falls("treasure-anubis-4").does(Loot("anubis"))
    assert playing.refused(Open("horus")).key == "horus.one_only", "now there is one left"
    playing.does(Open()).falls("treasure-horus-9")


@pytest.mark.rule("HOR-34")
@pytest.mark.parametrize(
    ("god", "square", "dice"),
    [
        ("sobek", "A1", (3, 6, 1, 5, 2)),
        ("hededet", "T5", (1, 1, 2, 2, 3)),
        ("thoth", "NE", (4, 3, 2, 1, 6)),
        ("anubis", "NW", (1, 2, 3, 4, 4)),
        ("horus", "H2", (5, 4, 3, 2, 1)),
        ("horus", "H3", (1, 3, 5, 2, 4)),
    ],
)
def test_a_lock_opens_with_its_numbers_among_the_five(god: str, square: str, dice: tuple[int, ...]) -> None:
    playing = acting(square, "5", actions=(1, 0), mummies={"sanakht": ("H1", "NW")})
    playing.does(Pick())
    playing.falls(*dice)
    assert f"idol-{god}" in playing.cards(0)
    assert god not in playing.state.idols
    wrong = tuple(6 if face == 1 else face for face in dice)
    failed = acting(square, "5", actions=(1, 0), mummies={"sanakht": ("H1", "NW")}).does(Pick()).falls(*wrong)
    assert failed.cards(0) == ()


@pytest.mark.rule("HOR-34", "HOR-39")
def test_the_worked_example_of_a_lock() -> None:
    """Of three actions two roll for the lock of Sobek, and the third walks on."""
    playing = acting("A1", "5", actions=3)
    playing.does(Pick()).falls(2, 2, 3, 4, 5)
    assert playing.board()["dice"]["missing"] == [1]
    playing.does(Pick(reroll=(0, 3, 4)))
    assert [playing.chance.facts["nth"], playing.chance.facts["left"]] == [1, 3]
    playing.falls(1, 6, 6)
    assert playing.cards(0) == ("idol-sobek",)
    assert playing.state.lock_dice == ()
    playing.does(Step("A2"))
    assert playing.seat(0).square == "A2"


@pytest.mark.rule("HOR-34")
def test_dice_do_not_stay_for_another_player_another_lock_or_another_round() -> None:
    playing = acting("A1", "A1", actions=(2, 2))
    playing.does(Pick()).falls(1, 2, 6, 6, 6)
    assert playing.refused(Pick()).rule == "HOR-34"
    assert playing.refused(Pick(reroll=(3, 2))).rule == "HOR-34"
    assert playing.refused(Pick(reroll=(5,))).rule == "HOR-34"
    playing.does(End())
    assert playing.state.lock_dice == ()
    assert playing.refused(Pick(reroll=(2,))).rule == "HOR-34"
    walking = acting("H2", "5", actions=3, mummies={"sanakht": ("NE", "NW")})
    walking.does(Pick()).falls(1, 2, 6, 6, 6).does(Step("H3"))
    assert walking.state.lock == "horus", "still beside the same alcove"
    walking.state = acting("H2", "5", actions=3, mummies={"sanakht": ("NE", "NW")}).state
    walking.does(Pick()).falls(1, 2, 6, 6, 6).does(Step("H1"))
    assert (walking.state.lock, walking.state.lock_dice) == ("", ())


@pytest.mark.rule("HOR-35", "HOR-77")
def test_one_helper_supplies_the_one_number_that_is_missing() -> None:
    def picking(*cards: str, who: str = "gore", dice: tuple[int, ...] = (1, 2, 6, 6, 6)) -> Playing:
        start = acting("A1", "5", who=(who, "rice"), cards={0: cards}, actions=(1, 0))
        return start.does(Pick()).falls(*dice)

    alone = picking(who="ardila").does(Pick(ability=True))
    assert (alone.cards(0), alone.seat(0).used) == (("idol-sobek",), True)
    bar = picking("crowbar")
    assert bar.refused(Pick(ability=True)).rule == "HOR-35"
    bar.does(Pick(crowbar=1))
    assert (bar.cards(0), bar.state.cast_off) == (("idol-sobek",), ("crowbar",))
    both = picking("crowbar", "crowbar", who="ardila")
    assert both.refused(Pick(crowbar=1, ability=True)).key == "horus.one_helper"
    assert {Pick(crowbar=1), Pick(ability=True)} == {move for move in both.listed() if isinstance(move, Pick)}


@pytest.mark.rule("HOR-35", "HOR-77")
def test_two_helpers_never_open_a_lock_together() -> None:
    start = acting("A1", "5", who=("ardila", "gore"), cards={0: ("crowbar", "crowbar")}, actions=(2, 0))
    playing = start.does(Pick()).falls(1, 6, 6, 6, 6)
    for move in (Pick(crowbar=2), Pick(crowbar=1, ability=True), Pick(crowbar=1), Pick(ability=True), Pick(crowbar=3)):
        assert playing.refused(move).rule == "HOR-35"
    assert not any(move.crowbar or move.ability for move in playing.listed() if isinstance(move, Pick))
    assert playing.aids()["locks"][0]["helpers"] == 1
    playing.does(Pick(reroll=(1, 2, 3, 4))).falls(2, 6, 6, 6).does(Pick(crowbar=1))
    assert playing.cards(0) == ("crowbar", "idol-sobek")


@pytest.mark.rule("HOR-36", "HOR-50")
def test_the_idol_of_horus_brings_a_block_down_at_once() -> None:
    playing = acting("H2", "30", actions=(2, 1), who=("gore", "wahab"), mummies={"sanakht": ("NE", "NW")})
    playing.does(Pick()).falls(1, 2, 3, 4, 5)
    assert playing.cards(0) == ("idol-horus",)
    assert (playing.chance.randomizer, playing.chance.rule, playing.chance.seat) == ("blocks", "HOR-36", 0)
    playing.falls(30)
    assert playing.state.asking == "jump"
    assert playing.ask == Turn((1,))
    playing.does(Jump("29"))
    assert playing.cards(1) == ("block",)
    assert playing.ask == Turn((0,)), "the actions go on"
    assert playing.seat(0).actions == 1


@pytest.mark.rule("HOR-37", "HOR-21")
def test_an_idol_lies_open_and_curses_its_die() -> None:
    playing = acting("5", "6", cards={0: ("idol-sobek", "idol-thoth")})
    mine = playing.board()["seats"][0]
    assert [card["card"] for card in mine["open"]] == ["idol-sobek", "idol-thoth"]
    assert mine["cursed"] == ["sobek", "thoth"]
    idol = next(each for each in playing.board()["idols"] if each["god"] == "sobek")
    assert (idol["holder"], idol["colour"]) == (0, BOX.dice.gods["sobek"])
