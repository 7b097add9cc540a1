"""How a game ends, who has won, and what is the game's own on the keepsake."""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image

from companion.game import Dealt
from companion.games.tutankhamun.corrections import Leave, SetCard, SetPurse
from companion.games.tutankhamun.keepsake import GAIN, PANELS, SHINE, SIGNS
from companion.games.tutankhamun.moves import Deal, Dig, Pass, Scarab, Stop
from companion.games.tutankhamun.rules import Tutankhamun
from companion.games.tutankhamun.state import TutankhamunState
from companion.keepsake.sheet import picture_of
from companion.refusals import Over
from companion.trials import random_outcome
from tests.games.tutankhamun.site import Site, box, game
from tests.keepsakes import SHORT, Line, assert_tidy, colours, sheet_of, writing


def nearly_dug(site: Site, last: str) -> Site:
    """A real tray where all but the square d4 are down to the lowest layer, and `last` is the card nobody has seen."""
    cards = [card for card, count in box().layers[1].items() for _ in range(count)]
    cards.remove(last)
    for square, card in zip(site.game.terms.squares, cards, strict=False):
        site.put_right(SetCard(square, card, depth=1))
    return site.put_right(SetCard("d4", "chain", depth=2))


@pytest.mark.rule("TUT-20", "TUT-13")
def test_the_last_card_uncovered_ends_the_game_and_is_its_finders() -> None:
    site = nearly_dug(Site(), "pectoral")
    assert not site.is_over
    site.scarab().do(Dig("d4"))
    assert [card for card, weight in site.chance.odds if weight] == ["pectoral"]
    site.fall("pectoral")
    assert [score.total for score in site.end.scores] == [10, 10, 18]
    assert site.end.winners == (2,)
    assert site.board["phase"] == "over"
    assert site.state.scarabs_gone == 1


@pytest.mark.rule("TUT-20", "TUT-14")
def test_a_bad_last_card_is_paid_and_ends_the_game_too() -> None:
    site = nearly_dug(Site(), "mask").dig("d4", "mask")
    assert [score.total for score in site.end.scores] == [10, 10, 0]
    assert site.state.playing == (True, True, True)
    assert site.end.winners == (0, 1)


@pytest.mark.rule("TUT-20", "TUT-17")
def test_open_cards_need_not_be_lifted() -> None:
    site = nearly_dug(Site(), "pectoral").dig("a1").dig("d4", "pectoral")
    assert site.is_over
    assert sum(square["depth"] for square in site.board["tray"]["squares"]) == 15


@pytest.mark.rule("TUT-20")
def test_the_game_is_over_when_all_pass_one_after_another() -> None:
    site = Site().pass_turn().pass_turn()
    assert not site.is_over
    site.do(Pass())
    assert [score.total for score in site.end.scores] == [7, 7, 7]
    assert site.end.winners == (0, 1, 2)


@pytest.mark.rule("TUT-20")
def test_a_dig_begins_the_passes_anew() -> None:
    site = Site().pass_turn().pass_turn().dig("a1", "chain").stop().pass_turn().pass_turn()
    assert not site.is_over
    assert site.board["passed"] == [2, 0]
    assert site.do(Pass()).is_over


@pytest.mark.rule("TUT-20", "TUT-15")
def test_only_those_still_in_have_to_pass() -> None:
    site = Site(4).put_right(SetPurse(1, 0)).do(Pass())
    assert not site.state.playing[1]
    site.pass_turn().pass_turn()
    assert not site.is_over
    assert site.do(Pass()).is_over


@pytest.mark.rule("TUT-20", "TUT-15")
def test_a_player_who_leaves_over_the_fee_has_passed() -> None:
    site = Site().pass_turn().pass_turn().put_right(SetPurse(1, 2)).do(Pass())
    assert [score.total for score in site.end.scores] == [7, 0, 7]
    assert site.end.winners == (0, 2)


@pytest.mark.rule("TUT-20", "TUT-14")
def test_the_last_player_left_has_won() -> None:
    site = Site(2).put_right(SetPurse(1, 1)).dig("a1", "snake_head")
    assert [score.total for score in site.end.scores] == [10, 0]
    assert site.end.winners == (0,)


@pytest.mark.rule("TUT-20", "TUT-21")
def test_who_has_left_has_not_won_even_among_the_poor() -> None:
    site = Site(2).put_right(SetPurse(0, 0)).put_right(SetPurse(1, 0)).do(Pass())
    assert site.end.winners == (0,)


@pytest.mark.rule("TUT-21")
def test_the_parts_of_a_score_are_its_coins() -> None:
    scores = Site(2).pass_turn().do(Pass()).end.scores
    assert [(score.total, score.parts) for score in scores] == [(7, {"gold": 5, "silver": 2})] * 2


@pytest.mark.rule("TUT-20")
def test_nothing_is_played_or_put_right_after_the_end() -> None:
    site = Site(2).pass_turn().do(Pass())
    for what in (Dig("a1"), Pass(), Stop(), Scarab(), Deal()):
        assert isinstance(site.refused(what, seat=0), Over)
    for wrong in (SetPurse(0, 3), Leave(0)):
        assert isinstance(site.refused(wrong), Over)
    assert site.refused("chain").key == "core.over"
    assert site.game.aids(site.state, 0) == {}
    assert site.game.moves(site.state, 0).moves == ()


@pytest.mark.rule("TUT-40")
def test_a_table_that_is_closed_early_turns_up_what_lies() -> None:
    laying = Site(2, tray="laid").do(Deal(), Deal())
    laying.state = laying.game.closed(laying.state)
    assert laying.board["found"] == {"quarters": 0, "layers": [list(layer) for layer in laying.state.layers]}
    site = Site(2).scarab().dig("a1", "falcon").do(Dig("b1"))
    site.state = site.game.closed(site.state)
    assert [score.total for score in site.end.scores] == [10, 10]
    assert site.board["found"]["layers"][4][:2] == ["falcon", None]


@pytest.mark.rule("TUT-20")
@pytest.mark.parametrize("tray", ["dealt", "laid", "physical"])
def test_the_whole_tray_is_turned_up_at_the_end(tray: str) -> None:
    site = Site(2, tray=tray)
    while site.state.phase == "laying":
        site.do(Deal())
    site.uncover("b3").close()
    if site.state.digs:
        site.stop()
    assert "found" not in site.board
    while not site.is_over:
        site.do(Pass()).close()
    found, state = site.board["found"], site.state
    if tray == "physical":
        assert found["quarters"] is None
        known = [card for layer in found["layers"][:5] for card in layer if card]
        assert known == [state.layers[4][9]]
    else:
        assert found["quarters"] == state.quarters
        for number, layer in enumerate(found["layers"], 1):
            assert sorted(layer) == sorted(card for card, n in box().layers[number].items() for _ in range(n))


CARDS_ON_SCREENS = Path(__file__).parents[3] / "web_ui" / "static" / "boards" / "tutankhamun" / "printed.js"
TRAY = (1170, 720, 2340, 1560)


def sketched(
    playing: Tutankhamun, state: TutankhamunState, names: tuple[str, ...] = SHORT, language: str = "en"
) -> tuple[Image.Image, list[Line]]:
    """The keepsake, and all that is written on it."""
    told = sheet_of("tutankhamun", box().title, names[: len(state.purses)], playing.tally(state), language)
    with writing() as lines:
        picture = picture_of(told._replace(seal="ab" * 32, head="ab" * 32, note="x · 2026"), PANELS, playing, state)
    return picture, lines


def test_each_purse_is_shown_in_coins_and_who_has_left_has_none() -> None:
    site = Site(3)
    state = msgspec.structs.replace(site.state, purses=(13, 0, 35), playing=(True, False, True), phase="over")
    said = [line.said for line in sketched(site.game, state)[1] if line.left < 1150]
    assert [each for each in said if each.isdecimal()] == ["2", "3", "6", "5", "35"]
    assert " ".join(said).count("out of the game") == 1


def test_a_purse_of_many_coins_is_no_higher_than_its_place() -> None:
    site = Site(6)
    assert_tidy(sketched(site.game, msgspec.structs.replace(site.state, purses=(500,) * 6, phase="over"))[1])


def test_what_was_lifted_lies_open_or_is_buried_looks_so() -> None:
    site = Site(2, tray="dealt")
    all_lie = msgspec.structs.replace(site.state, phase="over")
    dug = msgspec.structs.replace(all_lie, depths=(5, *all_lie.depths[1:]))
    bare = msgspec.structs.replace(all_lie, depths=(0,) * 16)
    before, after, none = (sketched(site.game, state)[0].crop(TRAY) for state in (all_lie, dug, bare))
    assert SHINE in colours(before)
    assert SHINE in colours(after)
    assert SHINE not in colours(none), "no card lies open"
    assert before.tobytes() != after.tobytes()
    assert GAIN not in colours(before), "what is good is buried, and dark"


def test_all_six_layers_are_told_from_the_top() -> None:
    site = Site(2, tray="dealt")
    lines = sketched(site.game, site.game.closed(site.state), language="de")[1]
    assert [line.said for line in lines if line.said.startswith("Schicht")] == [f"Schicht {n}" for n in range(6, 0, -1)]


@pytest.mark.parametrize(
    ("options", "quarters", "said"),
    [
        ({"tray": "dealt"}, 0, "It had not been turned at all."),
        ({"tray": "dealt"}, 1, "It had been turned by 1 quarter."),
        ({"tray": "dealt"}, 3, "It had been turned by 3 quarters."),
        ({"tray": "physical"}, 0, "The real tray was laid and turned by hand."),
    ],
)
def test_it_tells_how_the_tray_was_turned(options: dict[str, Any], quarters: int, said: str) -> None:
    site = Site(2, **options)
    state = msgspec.structs.replace(site.state, quarters=quarters, phase="over")
    assert said in [line.said for line in sketched(site.game, state)[1]]


def test_a_card_nobody_saw_is_a_question() -> None:
    site = Site(2)
    unseen = sum(card == "" for layout in site.state.layers for card in layout)
    said = [line.said for line in sketched(site.game, site.game.closed(site.state))[1]]
    assert said.count("?") == unseen > 0


def test_a_game_that_was_closed_before_a_layer_lay_says_so() -> None:
    playing = game(6, tray="laid")
    lines = sketched(playing, playing.closed(playing.start()))[1]
    assert_tidy(lines)
    assert "No layer was laid." in [line.said for line in lines]


def test_a_game_that_was_closed_while_layers_were_laid_shows_those_that_lie() -> None:
    playing, luck = game(2, tray="dealt"), random.Random(1)
    state = playing.start()
    while len(state.layers) < 2:
        state = playing.after(state, Dealt(random_outcome(playing.ask(state), luck)))  # type: ignore[arg-type]
    lines = sketched(playing, playing.closed(state))[1]
    assert [line.said for line in lines if line.said.startswith("layer ")] == ["layer 2", "layer 1"]


def test_the_cards_are_drawn_as_on_the_screens() -> None:
    screens = CARDS_ON_SCREENS.read_text("utf-8")
    assert set(SIGNS) == set(re.findall(r"^  (\w+): \(\) =>", screens, re.MULTILINE)) == set(box().values)
    for strokes in SIGNS.values():
        for stroke in strokes:
            assert "C" in stroke.path or stroke.path in screens
    told = [stroke.path for strokes in SIGNS.values() for stroke in strokes if stroke.path in screens]
    assert len(told) > 45


def test_a_card_of_an_owners_own_is_drawn_too() -> None:
    site = Site(2, tray="dealt")
    state = site.game.closed(site.state)
    layers = (("papyrus_of_ani",) * 16, *state.layers[1:])
    site.game.terms = msgspec.structs.replace(site.game.terms, values=site.game.terms.values | {"papyrus_of_ani": 7})
    said = [line.said for line in sketched(site.game, msgspec.structs.replace(state, layers=layers))[1]]
    assert said.count("+7") == 16
