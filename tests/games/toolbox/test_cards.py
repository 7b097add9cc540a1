"""Decks, places and what everybody carries; whose turn it is."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from companion.boxes import load
from companion.game import Dealt
from companion.games.horus.box import HorusBox
from companion.games.toolbox.cards import LayCard, ReadTomb, Shuffle, TurnUp
from companion.games.toolbox.dice import ChestDie, PickLock, Reroll, Roll
from companion.games.toolbox.loads import Carry
from companion.games.toolbox.permits import TurnPermit
from companion.games.toolbox.pyramid import DropBlock, KeepBlock, LayMummy, LookAtBlock, WalkMummies
from companion.games.toolbox.track import Advance
from companion.games.toolbox.turns import PassOn
from companion.play.record import encode, export
from companion.play.table import HOST, Actor
from companion.play.view import view
from companion.refusals import Illegal
from tests.games.toolbox.tools import Tools
from tests.laws.play import Way


def place(tools: Tools, name: str) -> dict[str, object]:
    found: dict[str, object] = next(each for each in tools.board["cards"]["places"] if each["place"] == name)
    return found


def before(tools: Tools, seat: int) -> list[str]:
    lying: list[str] = tools.board["cards"]["before"][seat]
    return lying


@pytest.mark.rule("TBX-22", "HOR-02")
def test_each_card_of_a_deck_is_as_likely_as_any_other() -> None:
    tools = Tools("horus").do(TurnUp("sand"), seat=1)
    assert tools.chance.question == "top of sand"
    assert dict(tools.chance.odds) == dict(load(HorusBox).search_decks["sand"])
    tools.fall("chest").do(TurnUp("sand"), seat=1)
    assert dict(tools.chance.odds)["chest"] == 1
    assert (tools.chance.seat, tools.chance.facts) == (1, {"deck": "sand", "left": 17})
    with pytest.raises(Illegal) as refused:
        Tools("horus").do(TurnUp("nile"))
    assert refused.value.rule == "TBX-22"


@pytest.mark.rule("TBX-23")
def test_the_last_kind_of_a_deck_is_certain_and_an_empty_deck_gives_nothing() -> None:
    tools = Tools("horus")
    for _ in range(8):
        tools.do(TurnUp("stones", 2))
    assert before(tools, 2) == ["block"] * 8
    with pytest.raises(Illegal) as refused:
        tools.do(TurnUp("stones", 2))
    assert refused.value.rule == "TBX-23"


@pytest.mark.rule("TBX-24")
def test_a_card_goes_where_a_hand_lays_it_and_back_into_its_own_deck_alone() -> None:
    tools = Tools("horus").do(TurnUp("den"), "udjat").do(LayCard("udjat", 0, 1))
    assert (before(tools, 0), before(tools, 1)) == ([], ["udjat"])
    census = tools.census
    assert place(tools.do(LayCard("udjat", 1, "out")), "out")["cards"] == ["udjat"]
    tools.do(LayCard("udjat", "out", "den"))
    assert tools.board["decks"][0]["left"] == 18
    assert tools.census == census
    tools.do(TurnUp("den"), "udjat")
    for card, giver, taker in (("udjat", 0, "pond"), ("udjat", 0, 0), ("crowbar", 0, 1), ("udjat", "sky", 1)):
        with pytest.raises(Illegal) as refused:
            tools.do(LayCard(card, giver, taker))
        assert refused.value.rule == "TBX-24"


@pytest.mark.rule("TBX-25", "HOR-33")
def test_a_sarcophagus_is_opened_in_its_place_and_once() -> None:
    tools = Tools("horus").do(TurnUp("anubis", "anubis:A3"))
    assert tools.chance.question == "top of anubis to anubis:A3", "as it is sealed"
    assert dict(tools.chance.odds) == dict(load(HorusBox).sarcophagus_cards["anubis"])
    tools.fall("treasure-anubis-7")
    assert place(tools, "anubis:A3") == {"place": "anubis:A3", "cards": ["treasure-anubis-7"], "lid": None}
    assert before(tools, 0) == []
    for deck, to in (("anubis", "anubis:A3"), ("anubis", None), ("thoth", "anubis:A4"), ("den", "anubis:A4")):
        with pytest.raises(Illegal) as refused:
            tools.do(TurnUp(deck, to))
        assert refused.value.rule == "TBX-25"
    assert before(tools.do(LayCard("treasure-anubis-7", "anubis:A3", 0)), 0) == ["treasure-anubis-7"]


def all_shown(tools: Tools, seat: int | None) -> str:
    """All that a seat is shown, but for how likely what it may not count is."""
    ask: Any = tools.game.ask(tools.state)
    odds = [outcome if ask.veiled else (outcome, weight) for outcome, weight in getattr(ask, "odds", ())]
    asked = getattr(ask, "question", None), getattr(ask, "facts", None), odds
    moves = () if odds else tools.game.moves(tools.state, seat or 0)
    return repr((tools.game.sees(tools.state, seat), tools.game.aids(tools.state, seat), asked, moves))


@pytest.mark.rule("TBX-29", "HOR-74", "HOR-82")
def test_what_is_read_in_a_sarcophagus_lies_there_when_it_is_opened() -> None:
    tools = Tools("horus")
    census, printed = tools.census, dict(load(HorusBox).sarcophagus_cards["anubis"])
    tools.do(ReadTomb("anubis:A3"), seat=1)
    assert (dict(tools.chance.odds), tools.chance.veiled, tools.chance.seat) == (printed, False, 1)
    assert tools.told(Dealt("treasure-anubis-7")) == {"type": "read", "whose": "Ben", "place": "anubis:A3"}
    tools.fall("treasure-anubis-7")
    own = {"read": [{"place": "anubis:A3", "card": "treasure-anubis-7"}]}
    assert [tools.game.sees(tools.state, seat).you for seat in (None, 0, 1, 2)] == [None, None, own, None]
    assert place(tools, "anubis:A3") == {"place": "anubis:A3", "cards": [], "lid": "anubis", "readers": [1]}
    assert next(deck["left"] for deck in tools.board["decks"] if deck["deck"] == "anubis") == sum(printed.values())
    tools.do(ReadTomb("anubis:A3"), seat=2)
    assert [outcome for outcome, weight in tools.chance.odds if weight] == ["treasure-anubis-7"]
    assert (set(dict(tools.chance.odds)), tools.chance.veiled) == (set(printed), True)
    tools.fall("treasure-anubis-7")
    assert place(tools, "anubis:A3")["readers"] == [1, 2]
    tools.do(TurnUp("anubis", "anubis:A4"), seat=0)
    assert tools.chance.veiled
    assert dict(tools.chance.odds)["treasure-anubis-7"] == printed["treasure-anubis-7"] - 1, "one lies elsewhere"
    other = next(outcome for outcome, weight in tools.chance.odds if weight)
    tools.fall(other).do(TurnUp("anubis", "anubis:A3"), "treasure-anubis-7")
    assert place(tools, "anubis:A3") == {"place": "anubis:A3", "cards": ["treasure-anubis-7"], "lid": None}
    assert tools.game.sees(tools.state, 1).you is None, "everybody sees it now"
    assert tools.census == census
    assert not tools.do(TurnUp("anubis", next(at for at in tombs(tools) if "anubis" in at))).chance.veiled


def tombs(tools: Tools) -> list[str]:
    """The sarcophagi that are closed."""
    return [each["place"] for each in tools.board["cards"]["places"] if each["lid"]]


@pytest.mark.rule("TBX-29", "HOR-82")
def test_which_card_was_read_makes_no_difference_to_others() -> None:
    """Nor does what is drawn for another sarcophagus of that god tell it, until the one that was read is opened."""
    courses = []
    for card in ("treasure-anubis-5", "treasure-anubis-7"):
        tools, shown = Tools("horus"), []
        tools.do(ReadTomb("anubis:A3"), card, seat=1)
        shown.append([all_shown(tools, seat) for seat in (None, 0, 2)])
        tools.do(TurnUp("anubis", "anubis:A4"))
        shown.append([all_shown(tools, seat) for seat in (None, 0, 2)])
        tools.fall("treasure-anubis-6").do(TurnUp("anubis", "anubis:A3"))
        shown.append([all_shown(tools, seat) for seat in (None, 0, 2)])
        tools.fall(card)
        shown.append([])
        tools.do(ReadTomb(next(at for at in tombs(tools) if "anubis" in at)), seat=0)
        courses.append(shown)
    assert courses[0] == courses[1]


@pytest.mark.rule("TBX-29")
def test_what_cannot_be_read_is_refused() -> None:
    tools = Tools("horus").do(ReadTomb("anubis:A3"), "treasure-anubis-7").do(TurnUp("thoth", tomb_of("thoth")))
    tools.fall(next(outcome for outcome, weight in tools.chance.odds if weight))
    for at, key in (
        ("anubis:A3", "toolbox.read_already"),
        (tomb_of("thoth"), "toolbox.no_closed"),
        ("nile", "toolbox.no_closed"),
    ):
        with pytest.raises(Illegal) as refused:
            tools.do(ReadTomb(at))
        assert (refused.value.rule, refused.value.key) == ("TBX-29", key)
    real = Way("horus", "toolbox", 2).table(decks="table")
    with pytest.raises(Illegal) as refused:
        real.play(HOST, real.seq, "read", {"type": "read_tomb", "place": "anubis:A3"}, seat=1)
    assert refused.value.key == "toolbox.real_tombs"
    assert "readers" not in json.dumps(view(real, HOST)["board"])


def tomb_of(god: str) -> str:
    """A sarcophagus of a god."""
    return next(each for each in tombs(Tools("horus")) if each.startswith(god))


@pytest.mark.rule("TBX-29", "HOR-82")
def test_nobody_else_reads_the_card_in_a_view_the_log_or_the_record() -> None:
    table = Way("horus", "toolbox", 2).table()
    table.play(HOST, table.seq, "read", {"type": "read_tomb", "place": "anubis:A3"}, seat=1)
    mine, others = (view(table, Actor("seat", seat)) for seat in (1, 0))
    read: Any = mine["you"]
    assert read["read"][0]["card"].startswith("treasure-anubis")
    assert others["you"] is None
    assert mine["log"] == others["log"]
    assert read["read"][0]["card"] not in encode(export(table)).decode().partition('"entries"')[2]
    offer = table.offer(Actor("seat", 1))
    assert (offer.open, offer.why) == (False, "undo.revealed")
    table.play(HOST, table.seq, "open", {"type": "turn_up", "deck": "anubis", "to": "anubis:A3"}, seat=0)
    shown: Any = view(table, Actor("seat", 0))["board"]
    assert next(each["cards"] for each in shown["cards"]["places"] if each["place"] == "anubis:A3") == [
        read["read"][0]["card"]
    ]


@pytest.mark.rule("TBX-26", "HOR-10", "HOR-14")
def test_what_is_carried_makes_the_level() -> None:
    tools = Tools("horus").do(TurnUp("den"), "udjat").do(TurnUp("den"), "crowbar").do(Carry(0, 4), seat=1)
    assert [tools.board["loads"][0][what] for what in ("cards", "level", "from")] == [6, 3, "house"]
    tools.do(Carry(0, 4))
    assert [tools.board["loads"][0][what] for what in ("cards", "level", "from")] == [10, 5, "found"]
    for cards in (0, 3, -11):
        with pytest.raises(Illegal) as refused:
            tools.do(Carry(0, cards))
        assert refused.value.rule == "TBX-26"


@pytest.mark.rule("TBX-27", "HOR-20")
def test_dice_at_the_level_are_actions_but_for_cursed_ones() -> None:
    """The rulebook's example: 6, 8 and 3 cards; the last carries the idol whose die is green."""
    tools = Tools("horus")
    for seat, cards in enumerate((6, 8, 2)):
        tools.do(Carry(seat, cards))
    tools.do(LayCard("idol-sobek", "alcoves", 2)).do(Roll(5), 3, 2, 4, 3, 4)
    assert [load["actions"] for load in tools.board["loads"]] == [4, 2, 4]
    assert tools.board["loads"][2]["cursed"] == ["green"]
    tools.do(WalkMummies(), 1, 1, 1, 1, 1).do(PickLock("sobek"), 6, 6, 6, 6, 6).do(Reroll((0,)), 5).do(
        Roll(4), 6, 6, 6, 6
    )
    assert [load["actions"] for load in tools.board["loads"]] == [4, 2, 4]


@pytest.mark.rule("TBX-42", "HOR-34")
def test_dice_are_rolled_again_and_the_others_lie_as_they_were() -> None:
    tools = Tools("horus").do(Roll(5), 1, 6, 2, 6, 6).do(Reroll((4, 1)))
    assert tools.board["dice"]["rolled"] == [1, None, 2, 6, None]
    assert tools.chance.facts["colour"] == "yellow"
    assert tools.fall(3, 4).board["dice"]["rolled"] == [1, 3, 2, 6, 4]
    for dice in ((), (5,), (-1,), (0, 0)):
        with pytest.raises(Illegal) as refused:
            tools.do(Reroll(dice))
        assert refused.value.rule == "TBX-42"


@pytest.mark.rule("TBX-43", "HOR-34")
def test_a_lock_shows_which_numbers_are_missing_until_the_next_roll() -> None:
    tools = Tools("horus").do(PickLock("anubis"), 1, 1, 3, 3, 6)
    assert (tools.board["dice"]["lock"], tools.board["dice"]["missing"]) == ("anubis", [2, 4])
    assert tools.do(Reroll((1, 3)), 2, 4).board["dice"]["missing"] == []
    assert tools.do(Roll(1), 1).board["dice"]["lock"] is None
    with pytest.raises(Illegal) as refused:
        tools.do(PickLock("seth"))
    assert refused.value.rule == "TBX-43"


@pytest.mark.rule("TBX-44", "HOR-62")
def test_a_chest_is_worth_its_die() -> None:
    tools = Tools("horus").do(Roll(2), 1, 2).do(ChestDie(1), 5, seat=0)
    assert tools.board["points"] == [0, 5, 0]
    assert tools.board["dice"]["rolled"] == [1, 2]
    with pytest.raises(Illegal) as refused:
        Tools("horus", rules=1).do(ChestDie(1))
    assert refused.value.rule == "TBX-44"


@pytest.mark.rule("TBX-53", "HOR-51", "HOR-82")
def test_a_block_is_looked_at_by_one_alone_and_falls_next_or_goes_back() -> None:
    tools = Tools("horus").do(LookAtBlock(), 17, seat=1)
    seen = [tools.game.sees(tools.state, seat).you for seat in (None, 0, 1, 2)]
    assert seen == [None, None, {"block": 17}, None]
    assert (tools.board["blocks"]["looker"], tools.board["blocks"]["aside"]) == (1, False)
    for move, seat in ((LookAtBlock(), 0), (KeepBlock(keep=True), 2)):
        with pytest.raises(Illegal) as refused:
            tools.do(move, seat=seat)
        assert refused.value.rule == "TBX-53"
    tools.do(KeepBlock(keep=True), seat=1).do(DropBlock())
    assert [outcome for outcome, weight in tools.chance.odds if weight] == [17]
    assert tools.chance.veiled
    assert len(tools.chance.odds) == 36
    tools.fall(17).do(LookAtBlock(), 4).do(KeepBlock(keep=False)).do(DropBlock())
    assert dict(tools.chance.odds)[4] == 1
    assert "looker" not in Tools("horus", rules=1).board["blocks"]


@pytest.mark.rule("TBX-53", "HOR-82")
def test_nobody_else_reads_the_block_in_a_view_or_in_the_log() -> None:
    table = Way("horus", "toolbox", 2).table()
    table.play(HOST, table.seq, "look", {"type": "look_at_block"}, seat=1)
    mine, others = (view(table, Actor("seat", seat)) for seat in (1, 0))
    assert mine["you"] == {"block": mine["you"]["block"]}  # type: ignore[index,call-overload]
    assert others["you"] is None
    assert mine["log"] == others["log"]
    for who in (1, 0):
        with pytest.raises(Illegal):
            table.play(HOST, table.seq, f"again {who}", {"type": "look_at_block"}, seat=who)
    real = Way("horus", "toolbox", 2).table(blocks="table")
    with pytest.raises(Illegal) as refused:
        real.play(HOST, real.seq, "look", {"type": "look_at_block"}, seat=1)
    assert refused.value.key == "toolbox.real_blocks"


@pytest.mark.rule("TBX-65", "HOR-71")
def test_a_mummy_that_was_shot_gets_up_instead_of_walking() -> None:
    tools = Tools("horus").do(LayMummy("imhotep"))
    assert [mummy.get("lying") for mummy in tools.board["mummies"]] == [None, None, True]
    at = tools.board["mummies"][2]["square"]
    tools.do(WalkMummies(3))
    assert (tools.board["mummies"][2]["square"], tools.board["mummies"][2]["walked"]) == (at, [])
    assert tools.do(WalkMummies(1)).board["mummies"][2]["square"] != at
    assert "lying" not in tools.do(LayMummy("sanakht")).do(LayMummy("sanakht")).board["mummies"][1]
    with pytest.raises(Illegal) as refused:
        tools.do(LayMummy("ramses"))
    assert refused.value.rule == "TBX-65"


@pytest.mark.rule("TBX-07", "HOR-01")
def test_the_dice_go_on_to_the_left_or_to_whom_it_is_said() -> None:
    tools, luck = Tools("horus", 3), random.Random(2)
    assert tools.board["turn"] == {"seat": 0, "held": "dice", "passed": 0}
    kept = [tools.do(PassOn(), seat=luck.randrange(3)).board["turn"]["seat"] for _ in range(4)]
    assert kept == [1, 2, 0, 1]
    assert tools.do(PassOn(0)).board["turn"] == {"seat": 0, "held": "dice", "passed": 5}


def turned_up(tools: Tools, luck: random.Random) -> str:
    """Turns up a card of the research deck, by chance."""
    tools.do(TurnUp("research"))
    if tools.is_free:
        return ""
    outcome = luck.choices([o for o, _ in tools.chance.odds], [w for _, w in tools.chance.odds])[0]
    tools.fall(outcome)
    return str(outcome)


@pytest.mark.rule("TBX-28", "JVT-20", "JVT-21", "JVT-23")
def test_the_research_deck_is_drawn_pile_by_pile_and_then_shuffled_anew() -> None:
    tools, luck = Tools("jenseits", 3), random.Random(5)
    census = tools.census
    first = [turned_up(tools, luck) for _ in range(4 + 27)]
    assert not any(card.startswith("exhibition") for card in first)
    for card in first:
        tools.do(LayCard(card, "open", "discards"))
    with pytest.raises(Illegal) as refused:
        tools.do(Shuffle("research"))
    assert refused.value.rule == "TBX-28"
    second = [turned_up(tools, luck) for _ in range(27 + 5)]
    shown = [card for card in second if card.startswith("exhibition-small")]
    assert len(shown) == 5 - second.count("")
    assert [place(tools, at)["cards"] for at in "abc"] == [[card] for card in shown[:-4:-1]]
    assert tools.board["decks"][0]["left"] == 0
    for card in second:
        if card in place(tools, "open")["cards"]:  # type: ignore[operator]
            tools.do(LayCard(card, "open", "discards"))
    tools.do(Shuffle("research"))
    assert tools.board["decks"][0]["left"] == 85 - 0 + 10 - 3
    assert any("exhibition-large" in str(card) for card, _ in tools.do(TurnUp("research")).chance.odds)
    assert tools.census == census


@pytest.mark.rule("TBX-16", "JVT-09")
def test_permits_turn_up_with_the_new_year_of_their_own_seat() -> None:
    tools = Tools("jenseits", 2).do(TurnPermit(0, "egypt")).do(TurnPermit(1, "egypt")).do(TurnPermit(0, "crete"))
    assert [site for site, up in tools.board["permits"][0].items() if not up] == ["crete", "egypt"]
    tools.do(Advance(0, 51))
    assert not tools.board["permits"][0]["egypt"]
    tools.do(Advance(0, 1))
    assert all(tools.board["permits"][0].values())
    assert not tools.board["permits"][1]["egypt"]
    assert tools.do(TurnPermit(1, "egypt")).board["permits"][1]["egypt"]
    tools.do(TurnPermit(0, "egypt")).do(Advance(0, 104))
    assert not tools.board["permits"][0]["egypt"], "past the end there is no new year"
    with pytest.raises(Illegal) as refused:
        tools.do(TurnPermit(0, "atlantis"))
    assert refused.value.rule == "TBX-16"


@pytest.mark.rule("TBX-17", "JVT-11", "JVT-12")
def test_it_is_said_how_far_it_is_from_here_to_there() -> None:
    ways = Tools("jenseits").board["ways"]
    assert ways["london"]["egypt"] == ways["egypt"]["london"] == {"plain": 4, "car": 3}
    assert ways["london"]["warsaw"] == {"plain": 2, "car": 2}
    assert Tools("jenseits").do(Advance(0, 37)).board["track"]["markers"][0]["at"] == 15 + 37
