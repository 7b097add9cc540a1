"""The track of weeks and the dial, of both games about Thebes."""

from __future__ import annotations

import pytest

from companion.game import Played
from companion.games.toolbox.dial import SetDial
from companion.games.toolbox.track import Advance
from companion.refusals import Illegal
from tests.games.toolbox.tools import Tools


@pytest.mark.rule("TBX-10", "JVT-03", "TTR-01")
@pytest.mark.parametrize("box", ["jenseits", "tomb_raiders"])
def test_the_starting_stack_is_drawn_from_the_top(box: str) -> None:
    tools = Tools(box, 4, stacked=False)
    assert tools.board["track"]["markers"] == []
    assert dict(tools.chance.odds) == {0: 1, 1: 1, 2: 1, 3: 1}
    tools.fall(2)
    assert dict(tools.chance.odds) == {0: 1, 1: 1, 3: 1}
    tools.fall(0, 3)
    assert tools.is_free, "the last one is certain"
    assert tools.board["track"]["next"] == [2, 0, 3, 1]
    assert [marker["height"] for marker in tools.board["track"]["markers"]] == [2, 0, 3, 1]


@pytest.mark.rule("TBX-10", "JVT-02")
@pytest.mark.parametrize(("seats", "week", "year"), [(2, 1, 1901), (3, 16, 1901), (4, 1, 1902)])
def test_the_box_says_when_the_time_begins(seats: int, week: int, year: int) -> None:
    track = Tools("jenseits", seats).board["track"]
    assert track["start"] == {"week": week, "year": year}
    assert track["end"] == {"week": 1, "year": 1904}
    assert all((marker["week"], marker["year"]) == (week, year) for marker in track["markers"])


@pytest.mark.rule("TBX-11")
def test_a_marker_that_arrives_goes_on_top() -> None:
    tools = Tools("jenseits", 3).do(Advance(0, 5)).do(Advance(1, 5)).do(Advance(2, 5))
    markers = tools.board["track"]["markers"]
    assert [marker["height"] for marker in markers] == [0, 1, 2]
    tools.do(Advance(0, 1)).do(Advance(0, -1))
    assert [marker["height"] for marker in tools.board["track"]["markers"]] == [2, 0, 1]


@pytest.mark.rule("TBX-12")
def test_next_is_the_marker_furthest_back_and_on_top() -> None:
    tools = Tools("jenseits", 3)
    assert tools.board["track"]["next"] == [0, 1, 2]
    assert tools.do(Advance(0, 3)).board["track"]["next"] == [1, 2, 0]
    assert tools.do(Advance(1, 3)).board["track"]["next"] == [2, 1, 0]


@pytest.mark.rule("TBX-12", "JVT-05")
def test_the_year_is_that_of_the_marker_furthest_back() -> None:
    tools = Tools("jenseits", 2).do(Advance(0, 60))
    assert tools.board["track"]["year"] == 1901
    assert tools.board["track"]["markers"][0] == {"seat": 0, "week": 9, "year": 1902, "at": 60, "height": 0}
    assert tools.do(Advance(1, 52)).board["track"]["year"] == 1902


@pytest.mark.rule("TBX-13", "JVT-06")
def test_a_marker_may_reach_the_end_and_not_pass_it() -> None:
    tools = Tools("jenseits", 2)
    with pytest.raises(Illegal, match="156 weeks") as refused:
        tools.do(Advance(0, 157))
    assert refused.value.rule == "TBX-13"
    markers = tools.do(Advance(0, 156)).board["track"]["markers"]
    assert (markers[0]["week"], markers[0]["year"]) == (1, 1904)
    with pytest.raises(Illegal, match="0 weeks"):
        tools.do(Advance(0, 1))


@pytest.mark.rule("TBX-13", "TTR-03")
def test_the_track_of_the_tomb_raiders_has_no_end() -> None:
    tools = Tools("tomb_raiders").do(Advance(0, 300))
    track = tools.board["track"]
    assert (track["end"], track["start"]) == (None, {"week": 0, "year": None})
    assert track["markers"][0] == {"seat": 0, "week": 300, "year": None, "at": 300, "height": 0}
    with pytest.raises(Illegal):
        tools.do(Advance(0, 700))


@pytest.mark.rule("TBX-14")
def test_a_marker_is_not_put_back_before_the_first_week() -> None:
    tools = Tools("jenseits", 3).do(Advance(1, -15))
    assert tools.board["track"]["markers"][1]["at"] == 0
    with pytest.raises(Illegal) as refused:
        tools.do(Advance(0, -16))
    assert (refused.value.rule, refused.value.facts["n"]) == ("TBX-14", 15)


@pytest.mark.rule("TBX-15")
def test_standing_still_is_no_move() -> None:
    with pytest.raises(Illegal) as refused:
        Tools("jenseits").do(Advance(0, 0))
    assert refused.value.rule == "TBX-15"


@pytest.mark.rule("TBX-20", "JVT-64")
def test_the_dial_shows_tokens_for_each_number_of_weeks() -> None:
    tools = Tools("jenseits").do(SetDial(8))
    dial = tools.board["dial"]
    assert dial["tokens"][4] == 5
    assert dial["tokens"] == [0, *dial["rows"][7]]
    assert tools.game.aids(tools.state, 0)["dial"] == dial["rows"][7]
    assert set(tools.do(SetDial(0)).board["dial"]["tokens"]) == {0}
    with pytest.raises(Illegal) as refused:
        tools.do(SetDial(-1))
    assert refused.value.rule == "TBX-20"


@pytest.mark.rule("TBX-20", "TTR-44")
def test_the_chart_of_the_tomb_raiders_is_read_the_same_way() -> None:
    dial = Tools("tomb_raiders").do(SetDial(4)).board["dial"]
    assert dial["tokens"][11] == 4
    assert (dial["from"], Tools("jenseits").board["dial"]["from"]) == ("house", "found")


@pytest.mark.rule("TBX-21", "JVT-33", "TTR-41")
@pytest.mark.parametrize("box", ["jenseits", "tomb_raiders"])
@pytest.mark.parametrize("knowledge", [12, 13, 99])
def test_more_knowledge_is_read_at_12(box: str, knowledge: int) -> None:
    tools = Tools(box)
    assert tools.told(Played(0, SetDial(knowledge)))["reads"] == 12
    dial = tools.do(SetDial(knowledge)).board["dial"]
    assert dial["knowledge"] == 12
    assert dial["tokens"][1:] == dial["rows"][11]
