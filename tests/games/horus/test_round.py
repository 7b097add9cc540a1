"""Setting up, the level, the dice, and the order of a round."""

from __future__ import annotations

import pytest

from companion.game import Finished, Turn
from companion.games.horus.cards import counts
from companion.games.horus.moves import Discard, End, Enter, Loot, Pick, Ready, Search, Step
from companion.games.horus.state import HorusTerms
from companion.games.horus.uses import Use
from companion.refusals import Malformed
from tests.games.horus.pyramids import BOX, Playing, acting, opened, table


def begun(*chosen: tuple[str, str]) -> Playing:
    """A game whose players have chosen, in the order in which they are asked."""
    game = table(len(chosen))
    return Playing(game, game.start()).does(*(Enter(*each) for each in chosen))


def getting_ready(cards: dict[int, tuple[str, ...]], seats: int = 2, **kept: object) -> Playing:
    """A new round, in which everybody holds these cards."""
    playing = acting(*("5",) * seats, cards=cards, actions=0, **kept)  # type: ignore[arg-type]
    while playing.state.asking:
        playing.does(End())
    return playing.falls(1, 1, 1, 1, 1, playing.state.boxed[-1])


@pytest.mark.rule("HOR-01")
def test_the_keeper_chooses_first_and_each_adventurer_once() -> None:
    game = table(3, first_keeper=1)
    playing = Playing(game, game.start())
    assert playing.ask == Turn((1,))
    assert len(playing.listed()) == 8 * len(BOX.plan.entrances)
    playing.does(Enter("gore", "2"))
    assert playing.ask == Turn((2,))
    assert playing.refused(Enter("gore", "1")).rule == "HOR-01"
    assert playing.refused(Enter("sarti", "35")).rule == "HOR-01"
    assert playing.refused(Enter("nobody", "1")).rule == "HOR-01"
    playing.does(Enter("sarti", "2"), Enter("rice", "4"))
    assert [playing.seat(seat).square for seat in range(3)] == ["4", "2", "2"]
    assert playing.state.keeper == 1
    assert playing.chance.randomizer == "action_dice"
    assert (playing.chance.seat, playing.chance.rule) == (1, "HOR-20")


@pytest.mark.rule("HOR-01")
def test_the_dice_cannot_go_to_an_empty_seat() -> None:
    with pytest.raises(Malformed, match="dice first"):
        table(2, first_keeper=2)


@pytest.mark.rule("HOR-01", "HOR-03", "HOR-30")
def test_the_dice_go_to_the_left_to_whoever_is_still_inside() -> None:
    playing = acting("1", "5", "6", actions=(1, 0, 0), who=("gore", "sarti", "wahab"))
    playing.does(Step("outside")).falls(1, 1, 1, 1, 1, 36)
    assert playing.state.keeper == 1
    playing.falls(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 35)
    assert playing.state.keeper == 2
    playing.falls(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 34)
    assert playing.state.keeper == 1, "seat 0 is outside"


@pytest.mark.rule("HOR-02")
def test_everything_lies_where_it_belongs() -> None:
    game = table(2)
    board = Playing(game, game.start()).board()
    assert {mummy["mummy"]: (mummy["square"], mummy["towards"]) for mummy in board["mummies"]} == {
        name: (mummy.square, mummy.towards) for name, mummy in BOX.plan.mummies.items()
    }
    assert [(deck["left"], deck["of"]) for deck in board["decks"]] == [(18, 18)] * 3
    gods = [tomb["god"] for tomb in board["sarcophagi"]]
    assert [gods.count(god) for god in ("anubis", "thoth", "horus")] == [5, 5, 4]
    assert not any(tomb["open"] or tomb["card"] for tomb in board["sarcophagi"])
    assert all(idol["in_alcove"] for idol in board["idols"])
    assert (board["blocks"]["left"], board["blocks"]["fallen"]) == (36, [])


@pytest.mark.rule("HOR-80")
def test_the_mummies_begin_elsewhere_in_the_variant() -> None:
    usual, other = (table(2, mummies=way).start().mummies for way in ("usual", "alternative"))
    assert {mummy.name: mummy.at for mummy in other} == {
        name: mummy.square for name, mummy in BOX.plan.alternative.items()
    }
    assert [mummy.walker.stretch for mummy in usual] == [mummy.walker.stretch for mummy in other]


@pytest.mark.rule("HOR-03")
def test_a_round_has_its_parts_in_order() -> None:
    playing = begun(("gore", "1"), ("sarti", "2"))
    asked = []
    for _ in range(5):
        asked.append(playing.chance.randomizer)
        assert not playing.board()["seats"][0]["rolled"]
        playing.falls(1)
    assert set(asked) == {"action_dice"}
    assert playing.board()["seats"][0]["rolled"], "until the next round"
    assert playing.chance.randomizer == "mummy_dice", "nobody has an action, so nobody is asked"
    playing.falls(1, 1, 1, 1, 1)
    assert playing.chance.randomizer == "blocks"
    playing.falls(30)
    assert (playing.state.round, playing.state.keeper) == (2, 1)
    assert playing.chance.randomizer == "action_dice"


FOUR = ("treasure-sobek-3", "treasure-sobek-4", "treasure-hededet-2", "necklace-1")


@pytest.mark.rule("HOR-10", "HOR-14")
@pytest.mark.parametrize(
    ("cards", "level"),
    [
        ((*FOUR, "snake", "block"), 3),
        ((*FOUR, "chest-sobek", "udjat", "crowbar", "mummy"), 4),
        (("treasure-sobek-3", "idol-thoth", "crocodile"), 2),
    ],
)
def test_the_worked_example_of_levels(cards: tuple[str, ...], level: int) -> None:
    playing = getting_ready({0: cards}, who=("gore", "sarti"))
    playing.does(Ready())
    assert playing.seat(0).level == level


@pytest.mark.rule("HOR-10")
def test_the_level_follows_the_box_for_every_number_of_cards() -> None:
    terms: HorusTerms = table(2).terms
    for count in range(13):
        assert terms.level(count) == BOX.level_of(count)


@pytest.mark.rule("HOR-11", "HOR-15")
def test_before_the_level_is_read_anything_but_wounds_may_be_laid_off() -> None:
    playing = getting_ready({1: (*FOUR, "snake", "idol-thoth"), 0: ("crowbar",)})
    assert playing.ask == Turn((1,)), "the keeper first"
    assert playing.refused(Ready(("snake",))).rule == "HOR-11"
    assert playing.refused(Ready(("udjat",))).rule == "HOR-11"
    assert playing.refused(Ready(("necklace-1", "necklace-1"))).rule == "HOR-11"
    assert playing.refused(Discard("crowbar")).rule == "HOR-12"
    playing.does(Ready(("idol-thoth", "necklace-1")))
    assert playing.cards(1) == ("treasure-sobek-3", "treasure-sobek-4", "treasure-hededet-2", "snake")
    assert playing.state.cast_off == ("idol-thoth", "necklace-1")
    assert "thoth" not in playing.state.idols, "what is laid off does not come back"
    assert playing.ask == Turn((0,))
    playing.does(Ready())
    assert playing.chance.randomizer == "action_dice"


@pytest.mark.rule("HOR-11")
def test_whoever_has_nothing_to_lay_off_is_not_asked() -> None:
    playing = getting_ready({1: ("snake", "mummy"), 0: ()})
    assert playing.chance.randomizer == "action_dice"
    assert [playing.seat(seat).level for seat in (0, 1)] == [2, 2]


TWELVE = ("snake",) * 3 + ("scorpion",) * 6 + ("crocodile",) * 2


@pytest.mark.rule("HOR-12")
def test_a_thirteenth_card_needs_another_laid_off_at_once() -> None:
    playing = acting("5", "6", cards={0: (*TWELVE, "crowbar")}, who=("gore", "sarti"))
    playing.does(Search()).falls("udjat")
    assert (playing.state.asking, playing.ask) == ("discard", Turn((0,)))
    assert playing.refused(Search()).rule == "HOR-30"
    assert playing.refused(Discard("snake")).rule == "HOR-11"
    playing.does(Discard("udjat"))
    assert playing.cards(0) == (*TWELVE, "crowbar")
    assert playing.state.asking == "act"


@pytest.mark.rule("HOR-12")
def test_with_nothing_but_wounds_nothing_more_is_taken() -> None:
    wounds = (*TWELVE, "mummy")
    searching = acting("5", "6", cards={0: wounds})
    assert searching.refused(Search()).rule == "HOR-12"
    picking = acting("T5", "6", cards={0: wounds})
    assert picking.refused(Pick()).rule == "HOR-12"
    looting = opened(acting("A1", "6", cards={0: wounds}), "anubis", "A1")
    assert looting.refused(Loot()).rule == "HOR-12"


@pytest.mark.rule("HOR-13")
def test_a_satchel_and_two_treasures_are_one_card() -> None:
    assert counts(("satchel", "necklace-1", "chest-sobek")) == 1
    assert counts(("satchel", "necklace-1", "chest-sobek", "treasure-sobek-3")) == 2
    assert counts(("satchel", "satchel", *FOUR)) == 2
    assert counts(("satchel", "idol-horus")) == 2, "an idol does not go in"
    playing = getting_ready({1: ("satchel", *FOUR)}, who=("gore", "sarti"))
    playing.does(Ready(("satchel",)))
    assert playing.cards(1) == FOUR, "what it held lies there again"
    assert playing.seat(1).level == 3


@pytest.mark.rule("HOR-20", "HOR-21", "HOR-22")
def test_the_worked_example_of_actions() -> None:
    game = table(4)
    playing = acting("5", "6", "7", "8", cards={2: ("idol-sobek",)}, game=game)
    here = playing.here
    for seat, level in enumerate((3, 4, 2, 5)):
        here = here.with_seat(seat, level=level)
    green = game.terms.dice.index("sobek")
    dice = [2, 3, 3, 4]
    dice.insert(green, 4)
    assert [here.actions(seat, tuple(dice)) for seat in range(4)] == [4, 2, 4, 0]
    free = here.with_seat(2, cards=())
    assert free.actions(2, tuple(dice)) == 5, "an idol that is laid off curses nobody"
    assert BOX.dice.gods["sobek"] == "green"


@pytest.mark.rule("HOR-20")
def test_one_roll_counts_for_everybody_by_level_and_curse() -> None:
    playing = begun(("gore", "1"), ("sarti", "2"))
    playing.falls(1, 2, 3, 1, 6)
    assert [playing.seat(seat).actions for seat in (0, 1)] == [3, 3]
    assert playing.board()["dice"]["action"] == [1, 2, 3, 1, 6]


@pytest.mark.rule("HOR-30")
def test_the_keeper_acts_first_and_may_stop_early() -> None:
    playing = begun(("gore", "1"), ("sarti", "2"))
    playing.falls(6, 6, 6, 6, 6)
    assert playing.ask == Turn((0,))
    playing.does(Search()).falls("crowbar").does(Step("5"), Search()).falls("snake").does(End())
    assert playing.ask == Turn((1,))
    assert playing.refused(Step("5"), seat=0).code == "not_your_turn"
    playing.does(*(Step(to) for to in ("6", "10", "14", "18", "31")))
    assert playing.chance.randomizer == "mummy_dice", "without an action left nobody is asked"


@pytest.mark.rule("HOR-38")
def test_the_worked_example_of_a_search() -> None:
    playing = acting("5", "6", actions=4, who=("gore", "sarti"))
    playing.does(Search()).falls("necklace-2").does(Search()).falls("crowbar").does(Search()).falls("snake")
    assert playing.cards(0) == ("necklace-2", "crowbar", "snake")
    board = playing.board()["seats"][0]
    assert [card["card"] for card in board["open"]] == ["crowbar", "snake"]
    assert board["backs"] == ["rubble"]
    playing.does(Step("9"))
    assert playing.seat(0).square == "9"
    assert playing.ask == Turn((1,))


@pytest.mark.rule("HOR-61")
def test_when_nobody_is_inside_the_game_is_over_at_once() -> None:
    playing = acting("1", "2", actions=1)
    playing.does(Step("outside"), Step("outside"))
    assert isinstance(playing.ask, Finished)
    assert playing.refused(Use(card="udjat"), seat=0).code == "over"
