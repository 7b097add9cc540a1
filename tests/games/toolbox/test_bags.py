"""Bags of tokens and piles of cards."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from msgspec.structs import replace

from companion import games
from companion.boxes import load
from companion.game import Chance, Dealt, Played, Seat, Setup
from companion.games.jenseits.box import JenseitsBox
from companion.games.tomb_raiders.box import TombRaidersBox
from companion.games.toolbox.bags import (
    AddBack,
    Bags,
    DrawingHand,
    DrawTokens,
    FirstFind,
    GiveAway,
    KeepOne,
    LookThrough,
    ReturnFind,
)
from companion.games.toolbox.cards import TurnUp
from companion.games.toolbox.track import Advance
from companion.pieces.bag import Bag
from companion.play.table import HOST
from companion.play.view import view
from companion.refusals import Illegal
from tests.games.toolbox.tools import Tools, lying, toolbox
from tests.laws.play import Way, course


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
        tools.do(DrawTokens("atlantis", 1))
    assert refused.value.rule == "TBX-30"


@pytest.mark.rule("TBX-30")
def test_each_region_has_its_pile() -> None:
    tools = Tools("tomb_raiders", rules=1).do(DrawTokens("greece", 1))
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
    tools = Tools("jenseits").do(DrawTokens("egypt", 3))
    assert dict(tools.chance.odds) == bag(tools, "egypt")["inside"]
    tools.fall("object:5", "blank")
    odds = dict(tools.chance.odds)
    assert "object:5" not in odds
    assert odds["blank"] == 15
    assert tools.chance.facts == {"site": "egypt", "nth": 3, "of": 3}


@pytest.mark.rule("TBX-32", "JVT-44", "TTR-43")
@pytest.mark.parametrize("box", ["jenseits", "tomb_raiders"])
def test_rubble_stays_out_until_the_draw_is_over(box: str) -> None:
    tools = Tools(box, rules=1).do(DrawTokens("crete", 3), "blank", "blank")
    rubble = (
        load(JenseitsBox).sites["crete"].blanks if box == "jenseits" else load(TombRaidersBox).regions["crete"].rubble
    )
    assert dict(tools.chance.odds)["blank"] == rubble - 2
    assert tools.board["drawing"]["drawn"] == ["blank", "blank"]
    tools.fall("object:1").do(DrawTokens("crete", 1))
    assert dict(tools.chance.odds)["blank"] == rubble


@pytest.mark.rule("TBX-33")
def test_finds_stay_with_their_seat_in_the_order_drawn() -> None:
    tools = Tools("jenseits")
    tools.do(DrawTokens("egypt", 3), "object:4", "blank", "book:mesopotamia", seat=1)
    tools.do(DrawTokens("crete", 1, seat=1), "open_book", seat=2)
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
    assert Tools("jenseits").do(DrawTokens("egypt", 1, seat=2), seat=0).chance.seat == 2
    assert Tools("jenseits").do(DrawTokens("egypt", 1), seat=1).chance.seat == 1


@pytest.mark.rule("TBX-34", "JVT-44", "TTR-43")
@pytest.mark.parametrize("box", ["jenseits", "tomb_raiders"])
def test_a_bag_with_fewer_tokens_is_emptied(box: str) -> None:
    tools, luck = Tools(box, rules=1), random.Random(3)
    printed = lying(tools.state, Bags).printed["egypt"].total
    draws = 0
    while sum(lying(tools.state, Bags).inside["egypt"].counts.values()) > load(JenseitsBox).sites["egypt"].blanks:
        tools.do(DrawTokens("egypt", printed))
        while not tools.is_free:
            tools.fall(luck.choices([o for o, _ in tools.chance.odds], [w for _, w in tools.chance.odds])[0])
            draws += 1
        assert draws == printed, "everything was drawn, and the draw is over"
    assert set(lying(tools.state, Bags).inside["egypt"].counts) == {"blank"}


@pytest.mark.rule("TBX-34")
@pytest.mark.parametrize(("box", "count"), [("jenseits", 0), ("jenseits", -1), ("jenseits", 31), ("tomb_raiders", 21)])
def test_a_draw_is_of_one_token_and_no_more_than_were_ever_there(box: str, count: int) -> None:
    with pytest.raises(Illegal) as refused:
        Tools(box).do(DrawTokens("egypt", count))
    assert refused.value.rule == "TBX-34"


@pytest.mark.rule("TBX-34")
def test_an_empty_bag_is_not_drawn_from() -> None:
    tools = Tools("jenseits")
    bags = lying(tools.state, Bags)
    emptied = replace(bags, inside=bags.inside | {"egypt": Bag.of({})})
    tools.state = replace(tools.state, tools=tools.state.tools | {"bags": emptied})
    with pytest.raises(Illegal) as refused:
        tools.do(DrawTokens("egypt", 1))
    assert (refused.value.key, refused.value.rule) == ("toolbox.bag_empty", "TBX-34")
    assert not any(
        isinstance(move, DrawTokens) and move.bag == "egypt" for move in tools.game.moves(tools.state, 0).moves
    )
    assert "egypt" not in json.dumps(tools.game.aids(tools.state, 0))


@pytest.mark.rule("TBX-35")
def test_a_find_is_put_back_by_hand() -> None:
    tools = Tools("jenseits").do(DrawTokens("egypt", 1), "object:4", seat=1)
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
    for before, step, after in course(game, random.Random(2), 600):
        for each in game.sees(after, None).board["bags"]:  # type: ignore[union-attr]
            assert isinstance(each, dict)
            assert (each["left"], each["inside"]) == (None, None)
        assert "bags" not in game.aids(after, 0)
        ask = game.ask(after)
        if isinstance(ask, Chance) and ask.randomizer == "tokens" and not ask.hidden:
            assert ask.veiled
            assert isinstance(after.hand, DrawingHand)
            assert [token for token, _ in ask.odds] == list(lying(after, Bags).printed[after.hand.bag])
        if isinstance(step, Dealt | Played):
            assert "left" not in game.tells(before, step, None)


@pytest.mark.rule("TBX-36", "TTR-13")
def test_a_screen_is_told_what_may_be_drawn_from_a_pile_and_not_how_likely() -> None:
    table = Way("tomb_raiders", "toolbox", 2).table(tokens="table")
    table.answer(HOST, 0, "one", None)
    table.play(HOST, 1, "back", {"type": "add_back", "bag": "egypt"})
    table.play(HOST, 2, "two", {"type": "draw", "bag": "egypt", "count": 1})
    ask: Any = view(table)["ask"]
    assert ask["odds"] == [[token, None] for token in lying(toolbox("tomb_raiders").start(), Bags).printed["egypt"]]
    table.answer(HOST, 3, "three", "object:4")
    assert "blank" not in json.dumps(view(table)["board"])


def grown(*backs: str, seats: int = 3) -> Tools:
    """Tools on whose piles these cards have come, by their backs."""
    tools = Tools("tomb_raiders", seats)
    for back in backs:
        tools.do(TurnUp("draw_pile"), f"back:{back}")
    return tools


@pytest.mark.rule("TBX-38", "TTR-11")
def test_piles_begin_empty_and_grow_by_the_backs_of_the_draw_pile() -> None:
    tools = Tools("tomb_raiders")
    with pytest.raises(Illegal) as refused:
        tools.do(DrawTokens("egypt", 1))
    assert refused.value.rule == "TBX-34"
    census = tools.census
    tools.do(TurnUp("draw_pile"))
    assert dict(tools.chance.odds)["back:egypt"] == 20
    assert sum(weight for _, weight in tools.chance.odds) == 163
    tools.fall("back:egypt").do(DrawTokens("egypt", 5))
    answers = 0
    while tools.chance.hidden:
        tools.fall(max(outcome for outcome, weight in tools.chance.odds if weight))
        answers += 1
    assert answers == len(load(TombRaidersBox).piles["egypt"])
    assert sum(weight for _, weight in tools.chance.odds) == 1
    tools.fall(next(outcome for outcome, weight in tools.chance.odds if weight))
    assert tools.is_free, "there was but one card"
    assert tools.census == census


@pytest.mark.rule("TBX-38", "TTR-43")
def test_the_first_dig_has_the_odds_of_what_came_and_not_of_the_whole_region() -> None:
    """Two of the twenty cards have come. That both are rubble is as likely as 6 out of 20 and 5 out of 19."""
    luck, both, tries = random.Random(11), 0, 1200
    start = grown("crete", "crete")
    for _ in range(tries):
        tools = Tools("tomb_raiders")
        tools.game, tools.state = start.game, start.state
        tools.do(DrawTokens("crete", 2))
        while not tools.is_free:
            tools.fall(luck.choices([o for o, _ in tools.chance.odds], [w for _, w in tools.chance.odds])[0])
        both += tools.board["last_draw"]["drawn"] == ["blank", "blank"]
    assert abs(both / tries - 6 / 20 * 5 / 19) < 0.03


@pytest.mark.rule("TBX-38", "TTR-11")
def test_of_a_real_draw_pile_the_backs_are_pressed_and_real_piles_are_only_counted() -> None:
    printed = games.box("tomb_raiders")
    setup = Setup("tomb_raiders", "toolbox", (Seat("Ada"), Seat("Ben")), {"tokens": "table", "decks": "table"})
    game = games.open_game(setup, printed)
    tools = Tools("tomb_raiders", 2)
    tools.game, tools.state = game, game.after(game.start(), Dealt(0))  # type: ignore[assignment]
    tools.do(AddBack("greece")).do(AddBack("greece")).do(DrawTokens("greece", 3), "blank", "object:6")
    assert tools.is_free, "two cards lay there"
    for _ in range(17):
        tools.state = game.after(tools.state, Played(0, AddBack("crete")))
    assert tools.board["decks"][0]["left"] == 163 - 2 - 17


@pytest.mark.rule("TBX-39", "TTR-32", "TTR-33")
def test_a_pile_is_looked_through_by_one_alone_who_keeps_a_card_or_none() -> None:
    tools = grown("egypt", "egypt").do(LookThrough("egypt"), seat=1)
    while not tools.is_free:
        tools.fall(max(outcome for outcome, weight in tools.chance.odds if weight))
    looks = [tools.game.sees(tools.state, seat).you for seat in range(3)]
    assert looks[0] == looks[2] == {"look": None}
    assert looks[1] == {"look": {"bag": "egypt", "cards": {"blank": 2}}}
    assert tools.board["looking"] == {"seat": 1, "bag": "egypt"}
    for move, seat in ((KeepOne(), 0), (KeepOne("blank"), 1), (KeepOne("object:6"), 1)):
        with pytest.raises(Illegal) as refused:
            tools.do(move, seat=seat)
        assert refused.value.rule == "TBX-39"
    assert tools.do(KeepOne(), seat=1).board["looking"] is None
    assert tools.board["finds"] == [[], [], []]


@pytest.mark.rule("TBX-39", "TTR-61")
def test_what_is_given_to_a_museum_leaves_the_game() -> None:
    tools = grown("egypt").do(DrawTokens("egypt", 1))
    while not tools.is_free:
        rubble = "blank" in tools.chance.question
        tools.fall(sorted(outcome for outcome, weight in tools.chance.odds if weight)[0 if rubble else -1])
    found = tools.board["finds"][0][0]
    census = tools.census
    tools.do(GiveAway(0, found["bag"], found["token"]))
    assert tools.board["finds"] == [[], [], []]
    assert tools.census == census
    with pytest.raises(Illegal):
        tools.do(DrawTokens("egypt", 1))


@pytest.mark.rule("TBX-97", "TTR-71")
def test_three_weeks_behind_are_a_point() -> None:
    tools = Tools("tomb_raiders").do(Advance(0, 11)).do(Advance(1, 5))
    assert tools.board["track"]["bonus"] == [0, 2, 3]
    assert [score.parts for score in tools.game.tally(tools.state).scores] == [
        {"points": 0, "weeks_behind": 0},
        {"points": 0, "weeks_behind": 2},
        {"points": 0, "weeks_behind": 3},
    ]
    assert "bonus" not in Tools("jenseits").board["track"]


@pytest.mark.rule("TBX-36")
def test_the_bags_of_jenseits_may_be_counted() -> None:
    tools = Tools("jenseits").do(DrawTokens("egypt", 1))
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
    tools = Tools("jenseits").do(FirstFind("mesopotamia", 2))
    assert tools.board["finds"] == [[], [], [{"bag": "mesopotamia", "token": "object:1"}]]
    with pytest.raises(Illegal) as refused:
        tools.do(FirstFind("mesopotamia", 1))
    assert refused.value.rule == "TBX-37"
    assert tools.census == Tools("jenseits").census
