"""The tray of Tutankhamun."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from companion import games, trials
from companion.boxes import load
from companion.game import Chance, Dealt, Played, Seat, Setup
from companion.games.toolbox import Toolbox
from companion.games.toolbox.takings import Barricade, LayScarab, Lose, PayFee, Pocket, SetAside
from companion.games.toolbox.tray import SetCard, TrayTool, Uncover
from companion.games.toolbox.turns import PassOn
from companion.games.tutankhamun.box import TutankhamunBox
from companion.games.tutankhamun.layers import LayerKind, fault, random_layout
from companion.refusals import Illegal
from tests.games.toolbox.tools import Tools, lying, toolbox
from tests.laws.play import course


def square(tools: Tools, name: str) -> dict[str, object]:
    found: dict[str, object] = next(each for each in tools.board["tray"]["squares"] if each["square"] == name)
    return found


@pytest.mark.rule("TBX-70")
def test_sixteen_squares_are_six_cards_deep_under_earth() -> None:
    tray = Tools("tutankhamun").board["tray"]
    assert [each["square"] for each in tray["squares"]] == [f"{c}{r}" for r in "1234" for c in "abcd"]
    assert {(each["depth"], each["top"]) for each in tray["squares"]} == {(6, "earth")}
    assert tray["value"]["mask"] == -10
    assert "pectoral" in tray["house"]
    assert "mask" not in tray["house"]
    with pytest.raises(Illegal) as refused:
        Tools("tutankhamun").do(Uncover("e1"))
    assert refused.value.rule == "TBX-70"


@pytest.mark.rule("TBX-71")
def test_what_lies_below_is_a_card_of_the_layer_below() -> None:
    tools = Tools("tutankhamun").do(Uncover("b3"))
    assert {card for card, n in tools.chance.odds if n} == set(load(TutankhamunBox).layers[5])
    tools.fall("snake_head").do(Uncover("c3"))
    assert square(tools, "b3") == {"square": "b3", "depth": 5, "top": "snake_head"}
    assert dict(tools.chance.odds)["snake_head"] == 0, "there was only one in this layer"
    tools.fall("falcon").do(Uncover("b3"))
    assert {card for card, n in tools.chance.odds if n} == set(load(TutankhamunBox).layers[4])


@pytest.mark.rule("TBX-72", "TUT-40")
def test_nobody_is_told_what_was_lifted_or_what_is_likely() -> None:
    game = toolbox("tutankhamun")
    for before, step, after in course(game, random.Random(7), 500):
        ask = game.ask(after)
        if isinstance(ask, Chance):
            assert ask.veiled
            assert [card for card, _ in ask.odds] == list(lying(after, TrayTool).cards[ask.facts["layer"] - 1])  # type: ignore
        if isinstance(step, Dealt):
            assert str(step.outcome) not in json.dumps(game.tells(before, step, None))


@pytest.mark.rule("TBX-72")
def test_the_same_tops_look_the_same_whatever_was_lifted() -> None:
    one = Tools("tutankhamun").do(Uncover("a1"), "falcon").do(Uncover("a1"), "chain")
    other = Tools("tutankhamun").do(Uncover("a1"), "bracelet").do(Uncover("a1"), "chain")
    assert one.board == other.board
    assert one.state != other.state


@pytest.mark.rule("TBX-73", "TBX-74", "TUT-17")
def test_a_square_is_bare_after_its_last_card() -> None:
    tools = Tools("tutankhamun")
    for card in ("falcon", "chain", "bracelet", "obelisk_top", "mask"):
        tools.do(Uncover("d4"), card)
    tools.do(Uncover("d4"))
    assert tools.is_free, "nothing comes to light"
    assert square(tools, "d4") == {"square": "d4", "depth": 0, "top": None}
    assert Uncover("d4") not in tools.game.moves(tools.state, 0).moves
    with pytest.raises(Illegal) as refused:
        tools.do(Uncover("d4"))
    assert refused.value.rule == "TBX-73"


@pytest.mark.rule("TBX-75")
def test_what_is_certain_is_not_asked() -> None:
    tools = Tools("tutankhamun")
    below = random_layout(layer_kinds()[4], random.Random(5))
    names = [each["square"] for each in tools.board["tray"]["squares"]]
    for name, card in zip(names[:-1], below[:-1], strict=True):
        tools.do(Uncover(name), card)
    tools.do(Uncover(names[-1]))
    assert tools.is_free
    assert square(tools, names[-1])["top"] == below[-1]


def layer_kinds() -> list[LayerKind]:
    """The layers of the box, from the bottom."""
    layers = printed().layers
    return [LayerKind.of(4, layers[number]) for number in sorted(layers)]


def dug_up(game: Toolbox, seed: int) -> tuple[TrayTool, list[dict[str, int]]]:
    """The tray once every card has been lifted in some order, and what was counted after each step."""
    luck, state, counted = random.Random(seed), game.start(), []
    squares = [square for square in lying(state, TrayTool).squares for _ in range(6)]
    luck.shuffle(squares)
    for square in squares:
        state = game.after(state, Played(0, Uncover(square)))
        if isinstance(ask := game.ask(state), Chance):
            state = game.after(state, Dealt(trials.random_outcome(ask, luck)))
        counted.append(dict(game.census(state)))
    return lying(state, TrayTool), counted


@pytest.mark.rule("TBX-71", "TBX-90", "TUT-03", "TUT-04")
def test_every_layer_of_the_companion_s_tray_has_its_obelisks_and_its_snake_in_line() -> None:
    """In whatever order the squares are lifted; and it holds the cards of the box at every step."""
    game, kinds = toolbox("tutankhamun"), layer_kinds()
    before = dict(game.census(game.start()))
    for seed in range(40):
        tray, counted = dug_up(game, seed)
        for kind, shown, lifted in zip(kinds, tray.shown, tray.gone, strict=True):
            assert fault(kind, shown) is None, (seed, shown)
            assert lifted.counts == dict(sorted(kind.cards))
        assert not any(bag.total for bag in tray.unseen)
        assert all(each == before for each in counted)


@pytest.mark.rule("TBX-71", "TUT-03")
def test_real_cards_and_those_of_older_evenings_come_as_they_did() -> None:
    """Each that is unseen as likely as any other, whatever lies beside it."""
    seats = (Seat("Ada"), Seat("Ben"))
    real = games.open_game(Setup("tutankhamun", "toolbox", seats, {"cards": "table"}), printed())
    for game in (real, toolbox("tutankhamun", rules=3), toolbox("tutankhamun", rules=1)):
        state = game.after(game.start(), Played(0, Uncover("a1")))
        state = game.after(state, Dealt("snake_head"))
        asked: Any = game.ask(game.after(state, Played(0, Uncover("d4"))))
        left = dict(printed().layers[5]) | {"snake_head": 0}
        assert dict(asked.odds) == left
    tools = Tools("tutankhamun").do(Uncover("a1"), "snake_head").do(Uncover("d4"))
    assert not dict(tools.chance.odds)["snake_tail"], "no snake is bent"
    assert not any(faults(seed) for seed in range(3))
    assert any(faults(seed, rules=3) for seed in range(3))


def faults(seed: int, rules: int | None = None) -> list[Illegal]:
    """What is wrong with the layers of a tray that was dug up."""
    tray, _ = dug_up(toolbox("tutankhamun", rules=rules), seed)
    found = (fault(kind, shown) for kind, shown in zip(layer_kinds(), tray.shown, strict=True))
    return [each for each in found if each]


@pytest.mark.rule("TBX-71", "TBX-95")
def test_a_layer_that_was_put_right_against_its_lines_is_held_to_its_cards() -> None:
    tools = Tools("tutankhamun").do(Uncover("a1"), "snake_head").do(Uncover("d4"), "falcon")
    tools.mend(SetCard("d4", "snake_tail")).do(Uncover("b2"))
    left = dict(printed().layers[5]) | {"snake_head": 0, "snake_tail": 0}
    assert dict(tools.chance.odds) == left


@pytest.mark.rule("TBX-81", "TUT-01")
def test_everybody_begins_with_the_worth_of_their_purse() -> None:
    assert Tools("tutankhamun", 4).board["points"] == [10, 10, 10, 10]
    assert Tools("jenseits", 2).board["points"] == [0, 0]


@pytest.mark.rule("TBX-55", "TUT-13", "TUT-14", "TUT-15")
def test_takings_are_set_aside_until_the_turn_stops_or_a_danger_voids_them() -> None:
    tools = Tools("tutankhamun", 3).do(SetAside(3)).do(SetAside(1), seat=2)
    assert (tools.board["takings"]["aside"], tools.board["points"]) == (4, [10, 10, 10])
    assert tools.do(Pocket()).board["points"] == [14, 10, 10]
    tools.do(PassOn()).do(SetAside(2)).do(Lose(3))
    assert (tools.board["takings"]["aside"], tools.board["points"]) == (0, [14, 7, 10])
    assert tools.do(PassOn()).do(PayFee()).board["points"] == [14, 7, 7]
    tools.do(SetAside(2)).do(Lose(0))
    assert (tools.board["takings"]["aside"], tools.board["points"]) == (0, [14, 7, 7]), "a danger may cost nothing"
    for move in (Pocket(), SetAside(0), SetAside(-1), Lose(-1)):
        with pytest.raises(Illegal) as refused:
            tools.do(move)
        assert refused.value.rule == "TBX-55"


@pytest.mark.rule("TBX-56", "TUT-11")
def test_a_scarab_doubles_all_until_the_turn_goes_on() -> None:
    tools = Tools("tutankhamun", 2).do(LayScarab()).do(SetAside(4))
    assert (tools.board["takings"]["aside"], tools.board["takings"]["scarabs"]) == (8, [1, 2])
    with pytest.raises(Illegal) as refused:
        tools.do(LayScarab())
    assert refused.value.rule == "TBX-56"
    assert tools.do(Lose(2)).board["points"] == [6, 10]
    assert not tools.do(PassOn()).board["takings"]["doubled"]
    tools.do(PassOn(0)).do(LayScarab()).do(PassOn(0))
    with pytest.raises(Illegal) as refused:
        tools.do(LayScarab())
    assert refused.value.rule == "TBX-56"


@pytest.mark.rule("TBX-57", "TUT-16")
def test_a_barricade_closes_a_square_until_its_owner_is_on() -> None:
    tools = Tools("tutankhamun", 3).do(Barricade(0, "b2"))
    assert tools.board["takings"]["barred"] == {"b2": 0}
    for move in (Uncover("b2"), Barricade(1, "b2"), Barricade(0, "c3")):
        with pytest.raises(Illegal) as refused:
            tools.do(move)
        assert refused.value.rule == "TBX-57"
    assert Uncover("b2") not in tools.game.moves(tools.state, 0).moves
    tools.do(PassOn()).do(PassOn())
    assert tools.board["takings"]["barred"] == {"b2": 0}
    assert tools.do(PassOn()).board["takings"]["barred"] == {}


@pytest.mark.rule("TBX-08", "TUT-04")
def test_a_real_card_that_only_our_figures_rule_out_is_believed() -> None:
    """A mask in the fifth layer is reported, and the layer stays of sixteen; a third tip is not there."""
    real = games.open_game(Setup("tutankhamun", "toolbox", (Seat("Ada"), Seat("Ben")), {"cards": "table"}), printed())
    asked = real.after(real.start(), Played(0, Uncover("b3")))
    assert "mask" in real.off_list_outcomes(asked)
    assert "obelisk_top" not in real.off_list_outcomes(asked)
    shown = real.after(asked, Dealt("mask"))
    tray = lying(shown, TrayTool)
    assert tray.tops[tray.at("b3")] == "mask"
    assert (tray.cards[4].total, tray.unseen[4].total) == (16, 15)
    assert real.differences(shown, None) == [
        {"type": "otherwise_layer", "layer": 5, "key": "layers.5", "what": "mask", "n": 1}
    ]
    for outcome in ("earth_worm", "earth"):
        with pytest.raises(Illegal):
            real.after(asked, Dealt(outcome))
    assert not Tools("tutankhamun").do(Uncover("b3")).game.off_list_outcomes(asked), (
        "the companion's own tray is as it is"
    )


@pytest.mark.rule("TBX-08")
def test_the_last_real_card_of_a_layer_is_asked_for_though_it_is_certain_by_our_figures() -> None:
    """But not at a table from before; and pieces of obelisks come into the lowest layer all together."""
    seats = (Seat("Ada"), Seat("Ben"))
    setup = Setup("tutankhamun", "toolbox", seats, {"cards": "table"})
    asked: dict[int, int] = {}
    for rules in (2, 3):
        game = games.open_game(setup, printed(), rules)
        state = game.start()
        for square in lying(state, TrayTool).squares:
            state = game.after(state, Played(0, Uncover(square)))
            ask = game.ask(state)
            if isinstance(ask, Chance):
                state = game.after(state, Dealt(next(card for card, n in ask.odds if n)))
                asked[rules] = asked.get(rules, 0) + 1
    assert (asked[2], asked[3]) == (15, 16)
    lowest = printed().loose["1"]
    assert lowest.together == {piece: printed().layers[2][piece] for piece in lowest.together}
    assert len(lowest.exchanged(printed().layers[1], "snake_head")) == 9
    assert "snake_head" not in lowest.off_list_outcomes({"chain": 8}), "eight other cards leave no room for nine pieces"


def printed() -> TutankhamunBox:
    return load(TutankhamunBox)
