"""What holds for every toolbox: who may act, what is in it, and that nothing is lost."""

from __future__ import annotations

import random

import msgspec
import pytest

from companion import games
from companion.game import Chance, Dealt, Move, Played, Seat, Setup, Turn
from companion.games.toolbox import TOOLS, Toolbox
from companion.games.toolbox.bags import AddBack, DrawTokens, FirstFind, GiveAway, KeepOne, LookThrough, ReturnFind
from companion.games.toolbox.cards import LayCard, ReadTomb, Shuffle, TurnUp
from companion.games.toolbox.dial import SetDial
from companion.games.toolbox.dice import ChestDie, PickLock, Reroll, Roll
from companion.games.toolbox.face_down import LayOff, Search, ShowCards
from companion.games.toolbox.kit import Kit
from companion.games.toolbox.loads import Carry
from companion.games.toolbox.permits import TurnPermit
from companion.games.toolbox.points import Award
from companion.games.toolbox.pyramid import DropBlock, KeepBlock, LayMummy, LookAtBlock, WalkMummies
from companion.games.toolbox.shovel import Shovel
from companion.games.toolbox.takings import Barricade, LayScarab, Lose, PayFee, Pocket, SetAside
from companion.games.toolbox.track import Advance, Stacking, TimeTrack
from companion.games.toolbox.tray import TrayTool, Uncover, Uncovering
from companion.games.toolbox.turns import PassOn
from companion.pieces.bag import Bag
from companion.refusals import Illegal
from tests.games.toolbox.tools import Tools, lying, toolbox
from tests.laws.play import course

ALL = tuple(name for name, mode in games.registered() if mode == "toolbox")

NEWER = {"turned_up", "chest", "looked", "read", "back", "sorted"}

ONE_OF_EACH: dict[str, tuple[Move, ...]] = {
    "track": (Advance(0, 1),),
    "dial": (SetDial(3),),
    "bags": (
        DrawTokens("egypt", 1),
        ReturnFind(0, "egypt", "object:1"),
        AddBack("egypt"),
        LookThrough("egypt"),
        KeepOne(),
        GiveAway(0, "egypt", "object:1"),
        FirstFind("egypt", 0),
    ),
    "dice": (Roll(1), Reroll((0,)), PickLock("sobek"), ChestDie(0)),
    "blocks": (DropBlock(), LookAtBlock(), KeepBlock(keep=True)),
    "mummies": (WalkMummies(), WalkMummies(1), LayMummy("imhotep")),
    "tray": (Uncover("a1"),),
    "cards": (TurnUp("den"), ReadTomb("anubis:A3"), LayCard("udjat", 0, 1), Shuffle("research")),
    "hidden": (Search("den"), ShowCards(), LayOff(0)),
    "permits": (TurnPermit(0, "egypt"),),
    "ways": (),
    "loads": (Carry(0, 1),),
    "turns": (PassOn(),),
    "takings": (SetAside(1), Pocket(), Lose(1), PayFee(), LayScarab(), Barricade(0, "a1")),
    "points": (Award(0, 1),),
    "shovel": (Shovel("grip"),),
}


@pytest.mark.rule("TBX-01")
@pytest.mark.parametrize("box", ALL)
def test_everybody_is_asked_at_once(box: str) -> None:
    tools = Tools(box, 3)
    assert tools.game.ask(tools.state) == Turn((0, 1, 2))


@pytest.mark.rule("TBX-01")
def test_one_seat_acts_for_another() -> None:
    tools = Tools("jenseits").do(Advance(2, 4), seat=1).do(Award(0, 3), seat=2)
    assert tools.board["track"]["markers"][2]["at"] == 19
    assert tools.board["points"] == [3, 0, 0]


@pytest.mark.rule("TBX-02")
@pytest.mark.parametrize(
    ("box", "tools"),
    [
        ("jenseits", ["track", "dial", "bags", "cards", "permits", "ways", "points", "shovel"]),
        ("tomb_raiders", ["track", "dial", "bags", "cards", "points", "shovel"]),
        ("horus", ["dice", "blocks", "mummies", "cards", "loads", "turns", "points", "shovel"]),
        ("tutankhamun", ["tray", "turns", "takings", "points", "shovel"]),
    ],
)
def test_a_toolbox_has_the_tools_of_its_box_and_no_other(box: str, tools: list[str]) -> None:
    table = Tools(box)
    assert table.board["tools"] == tools
    for tool, moves in ONE_OF_EACH.items():
        for move in moves:
            if tool not in tools:
                with pytest.raises(Illegal) as refused:
                    table.game.after(table.state, Played(0, move))
                assert (refused.value.rule, refused.value.facts["tool"]) == ("TBX-02", tool)


@pytest.mark.rule("TBX-02")
@pytest.mark.parametrize("box", ["jenseits", "tomb_raiders", "horus", "tutankhamun"])
def test_nobody_is_told_of_moves_for_a_tool_that_is_not_there(box: str) -> None:
    table = Tools(box)
    there = {type(move) for tool in table.board["tools"] for move in ONE_OF_EACH[tool]}
    assert set(table.game.offered()) == there


@pytest.mark.rule("TBX-02")
def test_each_tool_is_in_some_box_and_on_the_list() -> None:
    tables = (*map(toolbox, ALL), toolbox("horus", total_secrecy=True))
    assert {type(tool) for table in tables for tool in table.kit.tools} == set(TOOLS)


@pytest.mark.rule("TBX-03")
@pytest.mark.parametrize(
    ("box", "move"),
    [("jenseits", DrawTokens("egypt", 2)), ("horus", Roll(2)), ("horus", DropBlock()), ("tutankhamun", Uncover("a1"))],
)
def test_a_hand_finishes_before_anything_else_is_done(box: str, move: Move) -> None:
    tools = Tools(box).do(move)
    assert isinstance(tools.game.ask(tools.state), Chance)
    assert tools.game.moves(tools.state, 0).moves == ()
    with pytest.raises(Illegal) as refused:
        tools.do(Award(0, 1))
    assert (refused.value.key, refused.value.rule) == ("core.chance_first", "TBX-03")


@pytest.mark.rule("TBX-03")
def test_hands_that_begin_with_two_tools_finish_one_after_the_other() -> None:
    track = next(tool for tool in toolbox("jenseits").kit.tools if isinstance(tool, TimeTrack))
    tray = TrayTool(side=1, cards=(Bag.of(["chain", "falcon"]), Bag.of(["mask"])), values={}, house=())
    setup = Setup("any", "toolbox", (Seat("Ada"), Seat("Ben")))
    game = Toolbox(setup, Kit(("Ada", "Ben"), (track, tray)), ("start", "cards"))
    state = game.start()
    assert [type(hand) for hand in state.hands] == [Stacking, Uncovering]
    state = game.after(state, Dealt(1))
    assert game.ask(state) == Turn((0, 1)), "the only card of the upper layer is certain"
    assert lying(state, TrayTool).tops == ("mask",)
    assert lying(state, TimeTrack).track.order == (1, 0)


@pytest.mark.rule("TBX-01")
@pytest.mark.parametrize("box", ALL)
def test_nothing_falls_that_nobody_asked_for(box: str) -> None:
    with pytest.raises(Illegal) as refused:
        Tools(box).fall(1)
    assert (refused.value.key, refused.value.rule) == ("core.no_draw", "TBX-01")


@pytest.mark.rule("TBX-04")
@pytest.mark.parametrize(
    "move", [Advance(3, 1), Award(-1, 1), DrawTokens("egypt", 1, seat=3), ReturnFind(9, "egypt", "x")]
)
def test_a_seat_that_is_not_there_is_refused(move: Move) -> None:
    with pytest.raises(Illegal) as refused:
        Tools("jenseits", 3).do(move)
    assert refused.value.rule == "TBX-04"


@pytest.mark.rule("TBX-04")
@pytest.mark.parametrize("seat", [-1, 3])
def test_nobody_acts_from_a_seat_that_is_not_there(seat: int) -> None:
    tools = Tools("jenseits", 3)
    with pytest.raises(Illegal) as refused:
        tools.do(Award(0, 1), seat=seat)
    assert (refused.value.key, refused.value.rule) == ("toolbox.no_seat", "TBX-04")
    asked = tools.game.why_not(tools.state, seat, Award(0, 1))
    assert asked is not None
    assert asked.plain() == refused.value.plain()


@pytest.mark.rule("TBX-05")
@pytest.mark.parametrize(
    ("box", "move", "outcome"),
    [
        ("jenseits", DrawTokens("egypt", 1), "object:7"),
        ("jenseits", DrawTokens("egypt", 1), 4),
        ("horus", Roll(1), 7),
        ("horus", Roll(1), "4"),
        ("horus", DropBlock(), 37),
        ("tutankhamun", Uncover("a1"), "mask"),
    ],
)
def test_only_what_can_fall_may_be_reported(box: str, move: Move, outcome: int | str) -> None:
    tools = Tools(box).do(move)
    with pytest.raises(Illegal) as refused:
        tools.fall(outcome)
    assert (refused.value.key, refused.value.rule) == ("toolbox.cannot_fall", "TBX-05")


@pytest.mark.rule("TBX-06")
def test_the_highest_tally_wins_and_a_tie_is_shared() -> None:
    tools = Tools("horus").do(Award(0, 7)).do(Award(2, 7)).do(Award(1, -2))
    tally = tools.game.tally(tools.state)
    assert [score.total for score in tally.scores] == [7, -2, 7]
    assert tally.winners == (0, 2)


@pytest.mark.rule("TBX-80")
def test_points_are_given_and_taken_within_bounds() -> None:
    tools = Tools("horus").do(Award(1, 990)).do(Award(1, 9)).do(Award(0, -999))
    assert tools.board["points"] == [-999, 999, 0]
    for move in (Award(1, 1), Award(0, -1), Award(2, 10**30)):
        with pytest.raises(Illegal) as refused:
            tools.do(move)
        assert refused.value.rule == "TBX-80"


@pytest.mark.rule("TBX-85")
def test_the_shovel_shows_its_last_cue_until_it_is_stopped() -> None:
    tools = Tools("tutankhamun")
    shown = [tools.do(Shovel(cue)).board["cue"] for cue in ("grip", "release", "stop", "grip")]
    assert shown == ["grip", "release", None, "grip"]


@pytest.mark.rule("TBX-85", "TBX-86")
def test_the_shovel_is_asked_for_what_it_is_told_and_for_lifts() -> None:
    game = toolbox("tutankhamun")
    assert [game.cue(Played(0, Shovel(cue))) for cue in ("grip", "release", "stop")] == ["grip", "release", "stop"]
    assert game.cue(Played(0, Uncover("a1"))) is None
    assert [game.lift_wanted(move) for move in (Uncover("a1"), Award(0, 1), Shovel("grip"))] == [True, False, False]


@pytest.mark.parametrize("box", ALL)
def test_each_step_is_told_with_its_fields(box: str) -> None:
    game = toolbox(box)
    for before, step, _ in course(game, random.Random(13), 400):
        told = game.tells(before, step, None)
        if isinstance(step, Played):
            assert msgspec.to_builtins(step.move).items() <= told.items()
        else:
            assert told["type"] in {"start", "drawn", "die", "last_die", "falls", "comes_to_light", *NEWER}
