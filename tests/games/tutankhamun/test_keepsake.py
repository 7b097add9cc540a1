"""What is Tutankhamun's own on the keepsake: the whole tray turned up, the purses, and who has left the game."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image

from companion.game import Dealt, Played, Turn
from companion.games.tutankhamun.bots import BOTS
from companion.games.tutankhamun.keepsake import GAIN, PANELS, SHINE, SIGNS
from companion.games.tutankhamun.rules import Tutankhamun
from companion.games.tutankhamun.state import TutankhamunState
from companion.keepsake.sheet import picture_of
from companion.trials import drawn
from companion.words import LANGUAGES
from tests.games.tutankhamun.site import Site, box, game
from tests.games.tutankhamun.test_golden import GOLDEN, step_of
from tests.keepsakes import FROM_ELSEWHERE, LONG, SHORT, Line, assert_tidy, colours, sheet_of, writing

NAMES = {"short": SHORT, "long": LONG, "from elsewhere": FROM_ELSEWHERE}
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


def played(seats: int, seed: int = 1) -> tuple[Tutankhamun, TutankhamunState]:
    """A game to its end."""
    playing, luck = game(seats), random.Random(seed)
    state, bot = playing.start(), BOTS["sensible"]
    while (ask := playing.ask(state)).__class__.__name__ != "Finished":
        if isinstance(ask, Turn):
            state = playing.after(state, Played(ask.seats[0], bot(playing, state, ask.seats[0], luck)))
        else:
            state = playing.after(state, Dealt(drawn(ask, luck)))  # type: ignore[arg-type]
    return playing, state


@pytest.mark.parametrize("names", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("seats", range(2, 7))
def test_all_that_is_written_has_room(seats: int, names: tuple[str, ...]) -> None:
    playing, state = played(seats)
    assert_tidy(sketched(playing, state, names, LANGUAGES[seats % 4])[1])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_told_game_has_one_in_each_language(file: Path, language: str) -> None:
    told = json.loads(file.read_text("utf-8"))
    playing = game(len(told["seats"]), **told["options"])
    state = playing.start()
    for each in told["steps"]:
        state = playing.after(state, step_of(each))
    assert_tidy(sketched(playing, state, LONG, language)[1])


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
        state = playing.after(state, Dealt(drawn(playing.ask(state), luck)))  # type: ignore[arg-type]
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
