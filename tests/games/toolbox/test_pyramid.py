"""Dice, blocks and mummies of The Pyramid of Horus."""

from __future__ import annotations

import random

import pytest

from companion.game import Dealt
from companion.games.toolbox.dice import Roll
from companion.games.toolbox.pyramid import Blocks, DropBlock, WalkMummies
from companion.refusals import Illegal
from tests.games.toolbox.tools import Tools, lying, toolbox
from tests.laws.play import course


def squares(tools: Tools) -> dict[str, str]:
    return {mummy["mummy"]: mummy["square"] for mummy in tools.board["mummies"]}


@pytest.mark.rule("TBX-40")
def test_each_die_is_a_roll_of_its_own() -> None:
    tools = Tools("horus").do(Roll(3))
    assert tools.chance.odds == tuple((face, 1) for face in range(1, 7))
    tools.fall(6)
    assert tools.board["dice"]["rolled"] == [6]
    assert tools.board["dice"]["rolling"] == 2
    assert tools.chance.facts == {"nth": 2, "of": 3, "colour": "yellow"}
    assert tools.fall(6, 1).board["dice"]["rolled"] == [6, 6, 1]


@pytest.mark.rule("TBX-41")
def test_one_to_five_dice_are_rolled_and_lie_until_the_next_roll() -> None:
    tools = Tools("horus").do(Roll(5), 1, 2, 3, 4, 5).do(DropBlock(), 7)
    assert tools.board["dice"]["rolled"] == [1, 2, 3, 4, 5]
    assert tools.do(Roll(1)).board["dice"]["rolled"] == []
    for count in (0, 6, -1):
        with pytest.raises(Illegal) as refused:
            Tools("horus").do(Roll(count))
        assert refused.value.rule == "TBX-41"


@pytest.mark.rule("TBX-50", "HOR-50")
def test_each_block_left_is_as_likely_as_any_other() -> None:
    tools = Tools("horus").do(DropBlock(), 13).do(DropBlock())
    assert tools.chance.odds == tuple((number, 1) for number in range(1, 37) if number != 13)


@pytest.mark.rule("TBX-51", "HOR-50")
def test_no_block_falls_twice_and_there_is_no_37th() -> None:
    tools, numbers = Tools("horus"), list(range(1, 37))
    random.Random(1).shuffle(numbers)
    for fallen, number in enumerate(numbers, 1):
        tools.do(DropBlock(), number)
        assert tools.board["blocks"] == {
            **tools.board["blocks"],
            "of": 36,
            "left": 36 - fallen,
            "fallen": numbers[:fallen],
            "drawn": number,
        }
    assert DropBlock() not in tools.game.moves(tools.state, 0).moves
    with pytest.raises(Illegal) as refused:
        tools.do(DropBlock())
    assert refused.value.rule == "TBX-51"


@pytest.mark.rule("TBX-52", "HOR-52")
def test_the_plan_shows_where_nobody_gets_out() -> None:
    tools = Tools("horus")
    assert tools.board["plan"]["trapped"] == []
    for number in (1, 2, 3, 4):
        tools.do(DropBlock(), number)
    trapped = tools.board["plan"]["trapped"]
    assert len(trapped) == 48
    assert "H2" in trapped
    assert "1" not in trapped


@pytest.mark.rule("TBX-60", "HOR-40", "HOR-41")
def test_three_dice_of_four_or_more_are_three_steps() -> None:
    tools = Tools("horus").do(WalkMummies())
    assert tools.board["dice"]["rolling"] == 5
    tools.fall(4, 1, 6, 3)
    assert squares(tools) == {"initkaes": "A3", "sanakht": "H2", "imhotep": "T3"}
    assert tools.told(Dealt(5)) == {"type": "last_die", "die": "red", "face": 5, "nth": 5, "n": 3}
    tools.fall(5)
    assert squares(tools) == {"initkaes": "NW", "sanakht": "NE", "imhotep": "T4"}


@pytest.mark.rule("TBX-60")
def test_a_plain_roll_moves_no_mummy() -> None:
    tools = Tools("horus").do(Roll(5), 6, 6, 6, 6, 6)
    assert squares(tools) == {"initkaes": "A3", "sanakht": "H2", "imhotep": "T3"}


@pytest.mark.rule("TBX-61", "HOR-40")
def test_a_mummy_turns_at_the_wall_without_losing_a_step() -> None:
    tools = Tools("horus").do(WalkMummies(5))
    imhotep = next(mummy for mummy in tools.board["mummies"] if mummy["mummy"] == "imhotep")
    assert imhotep == {
        "mummy": "imhotep",
        "square": "T2",
        "towards": "NE",
        "stretch": "right",
        "walked": ["T4", "T5", "T4", "T3", "T2"],
    }


@pytest.mark.rule("TBX-61")
def test_a_mummy_never_leaves_its_stretch() -> None:
    game = toolbox("horus")
    corridor = lying(game.start(), Blocks).drawing.corridor
    for _, _, after in course(game, random.Random(4), 800):
        for mummy in game.sees(after, None).board["mummies"]:  # type: ignore[union-attr]
            assert isinstance(mummy, dict)
            assert {mummy["square"], mummy["towards"], *mummy["walked"]} <= set(corridor[mummy["stretch"]])


@pytest.mark.rule("TBX-62", "HOR-40", "HOR-42")
def test_two_mummies_may_share_a_corner() -> None:
    tools = Tools("horus").do(WalkMummies(1)).do(WalkMummies(2))
    assert squares(tools) == {"initkaes": "NW", "sanakht": "NE", "imhotep": "T4"}
    tools.do(WalkMummies(5))
    assert squares(tools)["sanakht"] == "NW"
    assert [len(mummy["walked"]) for mummy in tools.board["mummies"]] == [5, 5, 5]


@pytest.mark.rule("TBX-63")
def test_the_people_may_say_how_many_steps() -> None:
    before = squares(Tools("horus"))
    assert squares(Tools("horus").do(WalkMummies(0))) == before
    for steps in (-1, 6):
        with pytest.raises(Illegal) as refused:
            Tools("horus").do(WalkMummies(steps))
        assert refused.value.rule == "TBX-63"


@pytest.mark.rule("TBX-64", "HOR-80")
def test_the_mummies_may_begin_as_in_the_variant() -> None:
    assert squares(Tools("horus", mummies="alternative")) == {"initkaes": "A1", "sanakht": "H4", "imhotep": "T1"}
