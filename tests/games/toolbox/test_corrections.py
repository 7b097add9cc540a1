"""The table shows otherwise."""

from __future__ import annotations

import msgspec
import pytest

from companion.game import Corrected, Correction
from companion.games.toolbox.bags import Bags, DrawTokens, SetToken
from companion.games.toolbox.points import Award, Points
from companion.games.toolbox.pyramid import DropBlock, SetBlock, SetMummy, WalkMummies
from companion.games.toolbox.track import Advance, SetMarker
from companion.games.toolbox.tray import SetCard, Uncover
from companion.refusals import Illegal
from tests.games.toolbox.tools import Tools, lying


def refused(tools: Tools, correction: Correction) -> str | None:
    """The rule that refuses a correction; and nothing has changed."""
    before = tools.state
    with pytest.raises(Illegal) as refusal:
        tools.mend(correction)
    assert tools.state is before
    return refusal.value.rule


@pytest.mark.rule("TBX-90")
@pytest.mark.parametrize(
    ("box", "correction"),
    [
        ("horus", SetMarker(0, 5)),
        ("tutankhamun", SetToken("egypt", "object:1", "bag", 0)),
        ("jenseits", SetBlock(5, True)),
        ("jenseits", SetMummy("initkaes", "A1", "NW")),
        ("horus", SetCard("a1", "mask")),
    ],
)
def test_only_what_the_box_has_is_put_right(box: str, correction: Correction) -> None:
    assert refused(Tools(box), correction) == "TBX-02"


@pytest.mark.rule("TBX-91")
def test_a_marker_is_set_on_top_at_any_week() -> None:
    tools = Tools("jenseits", 3).mend(SetMarker(0, 30)).mend(SetMarker(2, 30))
    assert [(m["at"], m["height"]) for m in tools.board["track"]["markers"]] == [(30, 0), (15, 0), (30, 1)]
    assert tools.mend(SetMarker(1, 156)).mend(SetMarker(1, 0)).board["track"]["markers"][1]["at"] == 0
    assert refused(tools, SetMarker(0, 157)) == "TBX-91"
    assert refused(tools, SetMarker(0, -1)) == "TBX-91"
    assert refused(tools, SetMarker(3, 1)) == "TBX-04"


@pytest.mark.rule("TBX-91", "TBX-03")
def test_no_marker_is_set_before_all_are_stacked() -> None:
    assert refused(Tools("jenseits", 3, stacked=False), SetMarker(0, 20)) == "TBX-03"


@pytest.mark.rule("TBX-92", "TBX-90")
def test_a_token_goes_from_bag_to_seat_to_seat_and_back() -> None:
    tools = Tools("jenseits")
    census = tools.census
    tools.mend(SetToken("egypt", "object:5", "bag", 1))
    assert tools.board["finds"] == [[], [{"bag": "egypt", "token": "object:5"}], []]
    tools.mend(SetToken("egypt", "object:5", 1, 2))
    assert tools.board["finds"][2] == [{"bag": "egypt", "token": "object:5"}]
    assert tools.census == census
    assert refused(tools, SetToken("egypt", "object:5", "bag", 0)) == "TBX-92"
    assert refused(tools, SetToken("egypt", "object:5", 1, 0)) == "TBX-92"
    tools.mend(SetToken("egypt", "object:5", 2, "bag"))
    assert tools.state == Tools("jenseits").state


@pytest.mark.rule("TBX-92")
@pytest.mark.parametrize(
    ("correction", "rule"),
    [
        (SetToken("egypt", "object:1", "bag", "bag"), "TBX-92"),
        (SetToken("egypt", "object:1", 1, 1), "TBX-92"),
        (SetToken("egypt", "blank", "bag", 0), "TBX-92"),
        (SetToken("egypt", "object:1", "bag", 7), "TBX-04"),
        (SetToken("egypt", "object:1", 7, "bag"), "TBX-04"),
        (SetToken("atlantis", "object:1", "bag", 0), "TBX-30"),
    ],
)
def test_a_token_goes_nowhere_else(correction: SetToken, rule: str) -> None:
    assert refused(Tools("jenseits"), correction) == rule


@pytest.mark.rule("TBX-92")
def test_a_token_is_offered_every_place_but_its_own() -> None:
    tools = Tools("jenseits", 2).do(DrawTokens("egypt", 1), "object:4")
    lying, elsewhere = tools.game.correction_form(tools.state).tables["token"]
    assert ("egypt", "object:4", 0) in lying.rows
    assert elsewhere.fields == ("from", "to")
    assert set(elsewhere.rows) == {("bag", 0), ("bag", 1), (0, "bag"), (0, 1), (1, "bag"), (1, 0)}


@pytest.mark.rule("TBX-92", "TBX-90")
def test_a_bag_may_be_put_right_with_a_hand_in_it() -> None:
    tools = Tools("tomb_raiders", rules=1).do(DrawTokens("egypt", 20))
    census = tools.census
    for _ in range(6):
        tools.fall("blank")
    for token, count in tools.chance.odds:
        for _ in range(count):
            assert not tools.is_free
            tools.mend(SetToken("egypt", token, "bag", 1))  # type: ignore[arg-type]
    assert tools.is_free, "the bag is empty, so the draw is over and the rubble back"
    assert tools.census == census
    assert lying(tools.state, Bags).inside["egypt"].counts == {"blank": 6}


@pytest.mark.rule("TBX-93")
def test_a_block_has_fallen_or_not() -> None:
    tools = Tools("horus").do(DropBlock(), 9).mend(SetBlock(4, True)).mend(SetBlock(9, False))
    assert tools.board["blocks"]["fallen"] == [4]
    assert refused(tools, SetBlock(4, True)) == "TBX-93"
    assert refused(tools, SetBlock(9, False)) == "TBX-93"
    assert refused(tools, SetBlock(37, True)) == "TBX-93"
    assert refused(tools, SetBlock(0, False)) == "TBX-93"


@pytest.mark.rule("TBX-93", "TBX-51")
def test_nothing_is_drawn_once_the_last_block_was_put_right() -> None:
    tools = Tools("horus")
    for number in range(1, 36):
        tools.mend(SetBlock(number, True))
    tools.do(DropBlock()).mend(SetBlock(36, True))
    assert tools.is_free
    assert tools.board["blocks"]["left"] == 0


@pytest.mark.rule("TBX-94")
def test_a_mummy_stands_and_looks_within_its_stretch() -> None:
    tools = Tools("horus").mend(SetMummy("imhotep", "NE", "T5"))
    imhotep = next(mummy for mummy in tools.board["mummies"] if mummy["mummy"] == "imhotep")
    assert imhotep == {"mummy": "imhotep", "square": "NE", "towards": "T5", "stretch": "right", "walked": []}
    assert refused(tools, SetMummy("imhotep", "A3", "T5")) == "TBX-94"
    assert refused(tools, SetMummy("imhotep", "NE", "T4")) == "TBX-94"
    assert refused(tools, SetMummy("tutankhamun", "NE", "T5")) == "TBX-94"


@pytest.mark.rule("TBX-95", "TBX-90")
def test_another_card_of_the_layer_lies_open() -> None:
    tools = Tools("tutankhamun").do(Uncover("a1"), "snake_head")
    census = tools.census
    tools.mend(SetCard("a1", "falcon"))
    assert tools.board["tray"]["squares"][0] == {"square": "a1", "depth": 5, "top": "falcon"}
    assert tools.census == census
    tools.do(Uncover("b1"))
    assert dict(tools.chance.odds)["snake_head"]
    assert dict(tools.chance.odds)["falcon"] == 0
    assert refused(tools, SetCard("b1", "chain")) == "TBX-95"
    assert refused(tools, SetCard("a1", "mask")) == "TBX-95"
    assert refused(tools, SetCard("z9", "chain")) == "TBX-70"


@pytest.mark.rule("TBX-96")
def test_a_tally_is_put_right() -> None:
    tools = Tools("horus").mend(Points(1, 12))
    assert tools.board["points"] == [0, 12, 0]
    assert refused(tools, Points(1, 1000)) == "TBX-80"
    assert refused(tools, Points(5, 1)) == "TBX-04"


@pytest.mark.rule("TBX-90")
@pytest.mark.parametrize(
    ("given", "correction"),
    [
        ({"type": "marker", "seat": 0, "at": 3}, SetMarker(0, 3)),
        (
            {"type": "token", "bag": "egypt", "token": "blank", "from": "bag", "to": 1},
            SetToken("egypt", "blank", "bag", 1),
        ),
        ({"type": "fallen", "number": 5, "fallen": True}, SetBlock(5, True)),
        ({"type": "points", "seat": 0, "points": -3}, Points(0, -3)),
    ],
)
def test_corrections_are_read_from_json(given: object, correction: Correction) -> None:
    assert msgspec.convert(given, SetMarker | SetToken | SetBlock | SetMummy | SetCard | Points) == correction
    assert msgspec.to_builtins(correction) == given


@pytest.mark.rule("TBX-90")
def test_a_screen_begins_with_everything_as_it_stands() -> None:
    thebes = Tools("jenseits", 3).do(Advance(1, 4)).do(Award(2, 5))
    assert {tag: rows for tag, rows in thebes.stands.items() if tag != "printed"} == {
        "marker": [{"type": "marker", "seat": seat, "at": at} for seat, at in enumerate((15, 19, 15))],
        "points": [{"type": "points", "seat": seat, "points": points} for seat, points in enumerate((0, 0, 5))],
    }
    assert "marker" not in Tools("jenseits", 3, stacked=False).stands
    walked = Tools("horus").do(WalkMummies(1)).stands["mummy"]
    assert walked[0] == {"type": "mummy", "mummy": "initkaes", "square": "A4", "towards": "NW"}
    assert [each["mummy"] for each in walked] == ["initkaes", "sanakht", "imhotep"]
    opened = Tools("tutankhamun").do(Uncover("a1"), "obelisk_base").do(Uncover("b1"), "falcon").stands
    assert opened["card"] == [{"type": "card", "square": "a1", "card": "obelisk_base"}], "another falcon there is none"


@pytest.mark.rule("TBX-90")
def test_the_log_tells_every_field_of_a_correction() -> None:
    tools = Tools("jenseits").do(Advance(0, 1))
    told = tools.told(Corrected(SetToken("egypt", "object:4", "bag", 1)))
    assert told == {
        "type": "token",
        "bag": "egypt",
        "token": "object:4",
        "from": "bag",
        "to": 1,
        "giver": "bag",
        "taker": "Ben",
    }
    assert tools.told(Corrected(SetMarker(2, 60)))["date"] == "9/1902"


def test_a_marker_is_put_right_in_weeks_as_they_are_printed() -> None:
    tools = Tools("jenseits", 2)
    can = tools.game.correction_form(tools.state)
    weeks = next(table for table in can.tables["marker"] if table.fields == ("at",))
    assert [can.names[f"at={at}"] for (at,) in weeks.rows][14:16] == [("15/1901",), ("16/1901",)]
    assert can.names["at=156"] == ("1/1904",)


def test_without_years_a_week_is_called_by_its_number() -> None:
    tools = Tools("tomb_raiders", 2)
    can = tools.game.correction_form(tools.state)
    assert [table.fields for table in can.tables["marker"]] == [("seat",)]
    assert not any(name.startswith("at=") for name in can.names)
