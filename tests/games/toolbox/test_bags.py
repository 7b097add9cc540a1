"""Bags of tokens and piles of cards."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.boxes import load
from companion.game import Chance, Dealt, Played
from companion.games.jenseits.box import JenseitsBox
from companion.games.tomb_raiders.box import TombRaidersBox
from companion.games.toolbox.bags import Bags, Draw, Drawing, ReturnFind
from companion.pieces.bag import Bag
from companion.play.table import HOST
from companion.play.view import view
from companion.refusals import Illegal
from tests.games.toolbox.tools import Tools, lying, toolbox, wander
from tests.laws.play import Way


def bag(tools: Tools, name: str) -> Any:
    return next(bag for bag in tools.board["bags"] if bag["bag"] == name)


@pytest.mark.rule("TBX-30", "JVT-45")
def test_each_site_has_its_bag_of_thirty() -> None:
    tools, box = Tools("jenseits"), load(JenseitsBox)
    assert [each["bag"] for each in tools.board["bags"]] == ["greece", "crete", "egypt", "palestine", "mesopotamia"]
    for each in tools.board["bags"]:
        assert (each["left"], each["start"]) == (30, 30)
        assert each["inside"] == dict(box.bags[each["bag"]])
    with pytest.raises(Illegal) as refused:
        tools.do(Draw("atlantis", 1))
    assert refused.value.rule == "TBX-30"


@pytest.mark.rule("TBX-30")
def test_each_region_has_its_pile() -> None:
    tools = Tools("tomb_raiders").do(Draw("greece", 1))
    odds = dict(tools.chance.odds)
    assert odds == {
        "blank": 6,
        "object:1": 4,
        "object:2": 4,
        "object:3": 2,
        "object:4": 1,
        "object:5": 2,
        "object:6": 1,
    }


@pytest.mark.rule("TBX-31")
def test_the_odds_are_what_is_in_the_bag() -> None:
    tools = Tools("jenseits").do(Draw("egypt", 3))
    assert dict(tools.chance.odds) == bag(tools, "egypt")["inside"]
    tools.fall("object:5", "blank")
    odds = dict(tools.chance.odds)
    assert "object:5" not in odds
    assert odds["blank"] == 15
    assert tools.chance.facts == {"site": "egypt", "nth": 3, "of": 3}


@pytest.mark.rule("TBX-32", "JVT-44", "TTR-43")
@pytest.mark.parametrize("box", ["jenseits", "tomb_raiders"])
def test_rubble_stays_out_until_the_draw_is_over(box: str) -> None:
    tools = Tools(box).do(Draw("crete", 3), "blank", "blank")
    rubble = (
        load(JenseitsBox).sites["crete"].blanks if box == "jenseits" else load(TombRaidersBox).regions["crete"].rubble
    )
    assert dict(tools.chance.odds)["blank"] == rubble - 2
    assert tools.board["drawing"]["drawn"] == ["blank", "blank"]
    tools.fall("object:1").do(Draw("crete", 1))
    assert dict(tools.chance.odds)["blank"] == rubble


@pytest.mark.rule("TBX-33")
def test_finds_stay_with_their_seat_in_the_order_drawn() -> None:
    tools = Tools("jenseits")
    tools.do(Draw("egypt", 3), "object:4", "blank", "book:mesopotamia", seat=1)
    tools.do(Draw("crete", 1, seat=1), "open_book", seat=2)
    assert tools.board["finds"] == [
        [],
        [
            {"bag": "egypt", "token": "object:4"},
            {"bag": "egypt", "token": "book:mesopotamia"},
            {"bag": "crete", "token": "open_book"},
        ],
        [],
    ]
    assert bag(tools, "egypt")["left"] == 28
    assert tools.board["drawing"] is None
    assert tools.board["last_draw"] == {"bag": "crete", "seat": 1, "of": 1, "drawn": ["open_book"]}


@pytest.mark.rule("TBX-33")
def test_the_hand_that_draws_is_the_one_the_draw_is_for() -> None:
    assert Tools("jenseits").do(Draw("egypt", 1, seat=2), seat=0).chance.seat == 2
    assert Tools("jenseits").do(Draw("egypt", 1), seat=1).chance.seat == 1


@pytest.mark.rule("TBX-34", "JVT-44", "TTR-43")
@pytest.mark.parametrize("box", ["jenseits", "tomb_raiders"])
def test_a_bag_with_fewer_tokens_is_emptied(box: str) -> None:
    tools, luck = Tools(box), random.Random(3)
    printed = lying(tools.state, Bags).printed["egypt"].total
    draws = 0
    while sum(lying(tools.state, Bags).inside["egypt"].counts.values()) > load(JenseitsBox).sites["egypt"].blanks:
        tools.do(Draw("egypt", printed))
        while not tools.is_free:
            tools.fall(luck.choices([o for o, _ in tools.chance.odds], [w for _, w in tools.chance.odds])[0])
            draws += 1
        assert draws == printed, "everything was drawn, and the draw is over"
    assert set(lying(tools.state, Bags).inside["egypt"].counts) == {"blank"}


@pytest.mark.rule("TBX-34")
@pytest.mark.parametrize(("box", "count"), [("jenseits", 0), ("jenseits", -1), ("jenseits", 31), ("tomb_raiders", 21)])
def test_a_draw_is_of_one_token_and_no_more_than_were_ever_there(box: str, count: int) -> None:
    with pytest.raises(Illegal) as refused:
        Tools(box).do(Draw("egypt", count))
    assert refused.value.rule == "TBX-34"


@pytest.mark.rule("TBX-34")
def test_an_empty_bag_is_not_drawn_from() -> None:
    tools = Tools("jenseits")
    bags = lying(tools.state, Bags)
    emptied = replace(bags, inside=bags.inside | {"egypt": Bag.of({})})
    tools.state = replace(tools.state, tools=tools.state.tools | {"bags": emptied})
    with pytest.raises(Illegal) as refused:
        tools.do(Draw("egypt", 1))
    assert (refused.value.key, refused.value.rule) == ("toolbox.bag_empty", "TBX-34")
    assert not any(isinstance(move, Draw) and move.bag == "egypt" for move in tools.game.moves(tools.state, 0).moves)
    assert "egypt" not in json.dumps(tools.game.aids(tools.state, 0))


@pytest.mark.rule("TBX-35")
def test_a_find_is_put_back_by_hand() -> None:
    tools = Tools("jenseits").do(Draw("egypt", 1), "object:4", seat=1)
    for move in (
        ReturnFind(0, "egypt", "object:4"),
        ReturnFind(1, "crete", "object:4"),
        ReturnFind(1, "egypt", "blank"),
    ):
        with pytest.raises(Illegal) as refused:
            tools.do(move)
        assert refused.value.rule == "TBX-35"
    tools.do(ReturnFind(1, "egypt", "object:4"))
    assert tools.board["finds"] == [[], [], []]
    assert bag(tools, "egypt")["left"] == 30


@pytest.mark.rule("TBX-36", "TTR-13")
def test_nobody_can_count_a_pile_of_the_tomb_raiders() -> None:
    game = toolbox("tomb_raiders", 4)
    for before, step, after in wander(game, random.Random(2), 600):
        for each in game.sees(after, None).board["bags"]:  # type: ignore[union-attr]
            assert isinstance(each, dict)
            assert (each["left"], each["inside"]) == (None, None)
        assert "bags" not in game.aids(after, 0)
        ask = game.ask(after)
        if isinstance(ask, Chance) and ask.randomizer == "tokens":
            assert ask.veiled
            assert isinstance(after.hand, Drawing)
            assert [token for token, _ in ask.odds] == list(lying(after, Bags).printed[after.hand.bag])
        if isinstance(step, Dealt | Played):
            assert "left" not in game.tells(before, step, None)


@pytest.mark.rule("TBX-36", "TTR-13")
def test_a_screen_is_told_what_may_be_drawn_from_a_pile_and_not_how_likely() -> None:
    table = Way("tomb_raiders", "toolbox", 2).table(tokens="table")
    table.answer(HOST, 0, "one", None)
    table.play(HOST, 1, "two", {"type": "draw", "bag": "egypt", "count": 1})
    ask: Any = view(table)["ask"]
    assert ask["odds"] == [[token, None] for token in lying(toolbox("tomb_raiders").start(), Bags).printed["egypt"]]
    table.answer(HOST, 2, "three", "object:4")
    assert "blank" not in json.dumps(view(table)["board"])


@pytest.mark.rule("TBX-36")
def test_the_bags_of_jenseits_may_be_counted() -> None:
    tools = Tools("jenseits").do(Draw("egypt", 1))
    assert not tools.chance.veiled
    tools.fall("object:4")
    assert tools.game.aids(tools.state, 0)["bags"]["egypt"] == {  # type: ignore[index, call-overload]
        "objects": round(11 / 29, 4),
        "blank": round(16 / 29, 4),
    }


@pytest.mark.rule("TBX-37", "JVT-45")
def test_the_first_diggers_object_is_not_in_the_bag() -> None:
    inside = bag(Tools("jenseits"), "mesopotamia")["inside"]
    assert inside["object:1"] == load(JenseitsBox).sites["mesopotamia"].objects[1] - 1
