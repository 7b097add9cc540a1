"""Total secrecy at the tools: what a search finds lies face down, seen by its owner alone and counted by everybody."""

from __future__ import annotations

import json
import random

import pytest

from companion.boxes import load
from companion.game import Dealt
from companion.games.horus.box import HorusBox
from companion.games.toolbox.cards import LayCard, TurnUp
from companion.games.toolbox.face_down import LayOff, Search, ShowCards
from companion.games.toolbox.loads import Carry
from companion.refusals import Illegal
from tests.games.toolbox.tools import Tools
from tests.laws.play import Way

SECRET = Way("horus", "toolbox", 3, (("total_secrecy", True),))


def secret(seats: int = 3) -> Tools:
    return Tools("horus", seats, total_secrecy=True)


@pytest.mark.rule("TBX-98", "HOR-81", "HOR-82")
def test_what_is_found_lies_face_down_and_is_seen_by_its_finder_alone() -> None:
    tools, census = secret(), secret().census
    tools.do(Search("sand"), seat=1)
    assert (tools.chance.seat, tools.chance.veiled, tools.chance.facts) == (1, True, {"deck": "sand", "left": 18})
    step = Dealt("chest")
    assert tools.told(step) == {"type": "found_unseen", "deck": "sand", "whose": "Ben"}
    assert tools.game.tells(tools.state, step, 1) == {
        "type": "found_own",
        "deck": "sand",
        "whose": "Ben",
        "card": "chest",
    }
    tools.fall("chest").do(Search("pond"), "crocodile", seat=1)
    assert tools.board["hidden"] == {"before": [[], ["sand", "pond"], []], "gone": []}
    own = {"hidden": [{"card": "chest", "deck": "sand"}, {"card": "crocodile", "deck": "pond"}]}
    assert [tools.game.sees(tools.state, seat).you for seat in (None, 0, 1, 2)] == [None, None, own, None]
    assert "chest" not in json.dumps(tools.board)
    assert tools.board["cards"]["before"] == [[], [], []]
    assert [load["cards"] for load in tools.board["loads"]] == [0, 2, 0], "they weigh what they weigh [HOR-10]"
    assert [deck["left"] for deck in tools.board["decks"][:3]] == [18, 17, 17]
    assert tools.census == census
    with pytest.raises(Illegal) as refused:
        tools.do(Carry(1, 11))
    assert refused.value.rule == "TBX-26"


@pytest.mark.rule("TBX-98", "HOR-32")
def test_equipment_lies_open_and_is_no_secret() -> None:
    tools = secret().do(Search("den"), seat=2)
    assert not tools.game.hides(tools.state, Dealt("udjat"))
    assert tools.told(Dealt("udjat")) == {"type": "turned_up", "deck": "den", "card": "udjat", "taker": "Cleo"}
    assert tools.fall("udjat").board["cards"]["before"] == [[], [], ["udjat"]]
    assert tools.board["hidden"]["before"] == [[], [], []]


@pytest.mark.rule("TBX-98", "HOR-81")
def test_what_may_be_found_is_told_and_not_what_has_gone() -> None:
    printed = load(HorusBox).search_decks["den"]
    tools, luck = secret(), random.Random(3)
    for left in range(18, 0, -1):
        tools.do(Search("den"), seat=left % 3)
        assert [card for card, _ in tools.chance.odds] == sorted(printed), "also the one that is certain"
        assert tools.chance.facts["left"] == left
        tools.fall(luck.choices([card for card, _ in tools.chance.odds], [n for _, n in tools.chance.odds])[0])
    with pytest.raises(Illegal) as refused:
        tools.do(Search("den"))
    assert (refused.value.key, refused.value.rule) == ("toolbox.deck_empty", "TBX-98")


@pytest.mark.rule("TBX-98", "HOR-11", "HOR-15")
def test_its_owner_turns_it_up_or_lays_it_off_as_it_lies() -> None:
    tools, census = secret(), secret().census
    for card in ("snake", "necklace-2", "chest", "treasure-hededet-4"):
        tools.do(Search("den" if card in ("snake", "necklace-2") else "sand"), card)
    assert tools.do(LayOff(1)).board["hidden"] == {"before": [["den", "sand", "sand"], [], []], "gone": ["den"]}
    assert tools.do(ShowCards(0)).board["cards"]["before"][0] == ["snake"]
    assert tools.do(LayCard("snake", 0, "den")).board["decks"][0]["left"] == 17
    for act, seat in ((LayOff(2), 0), (ShowCards(-1), 0), (LayOff(0), 1), (ShowCards(), 2)):
        with pytest.raises(Illegal) as refused:
            tools.do(act, seat=seat)
        assert (refused.value.key, refused.value.rule) == ("toolbox.no_covered", "TBX-98")
    tools.do(ShowCards())
    assert tools.board["cards"]["before"][0] == ["chest", "treasure-hededet-4"]
    assert (tools.board["hidden"]["before"][0], tools.game.sees(tools.state, 0).you) == ([], None)
    assert tools.census == census


@pytest.mark.rule("TBX-98")
def test_a_deck_is_turned_up_or_searched_and_never_both() -> None:
    with pytest.raises(Illegal) as refused:
        secret().do(TurnUp("den"))
    assert refused.value.key == "toolbox.in_secret"
    with pytest.raises(Illegal) as refused:
        secret().do(Search("stones"))
    assert refused.value.key == "toolbox.no_deck"
    with pytest.raises(Illegal) as refused:
        Tools("horus").do(Search("den"))
    assert (refused.value.key, refused.value.rule) == ("toolbox.not_here", "TBX-02")
    assert "hidden" not in Tools("horus").board
