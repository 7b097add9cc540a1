"""The sheet that people take home."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from companion.game import Seat, Setup
from companion.games.jenseits.keepsake import GOLD, HIGH, LABELS, PAPER, SHEET_LEFT, SHEET_RIGHT, WIDE, keepsake
from companion.games.jenseits.rules import Jenseits
from companion.games.jenseits.state import JenseitsState
from companion.keepsake import pencil as pencils
from companion.keepsake.pencil import Pencil, font_for, font_of, written
from companion.words import LANGUAGES
from tests.games.jenseits.expedition import Expedition, box
from tests.games.jenseits.test_golden import GOLDEN, read, replay

LONG = ("Maximiliane von Hohenstein", "Ж", "Bartholomäus-Ferdinand", "D")
LETTERS_HERE = Path(pencils.__file__).parent / "letters"
SIGNS = (("#c8553d", "circle"), ("#2f7fae", "star"), ("#5f8f3a", "hexagon"), ("#e0a526", "diamond"))


def finished(file: Path) -> tuple[Jenseits, JenseitsState]:
    told = read(file)
    seats = tuple(Seat(name, *sign) for name, sign in zip(LONG[: told["seats"]], SIGNS, strict=False))
    playing = Jenseits(Setup("jenseits", "referee", seats), box(), 1)
    return playing, replay(playing, told["steps"])


def opened(sheet: bytes) -> Image.Image:
    return Image.open(io.BytesIO(sheet)).convert("RGB")


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_it_is_a_picture_of_a5_at_300_dots_an_inch(file: Path) -> None:
    playing, state = finished(file)
    picture = Image.open(io.BytesIO(keepsake(playing, state, seal="ab" * 32)))
    assert picture.format == "PNG"
    assert picture.size == (WIDE, HIGH) == (2480, 1748)
    assert round(picture.info["dpi"][0]) == 300


def test_the_same_game_makes_the_same_sheet_and_each_language_its_own() -> None:
    playing, state = finished(GOLDEN[0])
    sheets = [keepsake(playing, state, language=language) for language in LANGUAGES]
    assert len(set(sheets)) == len(LANGUAGES)
    assert keepsake(playing, state, language="it") == sheets[LANGUAGES.index("it")]


def test_nothing_is_written_over_the_margin() -> None:
    playing, state = finished(GOLDEN[-1])
    picture = opened(keepsake(playing, state, language="de", seal="0" * 64, note="x" * 200))
    assert {picture.getpixel((x, 20)) for x in range(0, WIDE, 7)} == {tuple(bytes.fromhex(PAPER[1:]))}
    inside = {picture.getpixel((x, 100)) for x in range(80, WIDE - 80, 5)}
    assert len(inside) == 1, "between frame and title"


def test_the_winners_column_is_gilded_and_no_other() -> None:
    table = Expedition(2)
    table.find(1, "egypt", "object:6")
    sheet = opened(keepsake(table.game, table.state))
    middle = (SHEET_LEFT + LABELS + SHEET_RIGHT) // 2
    halves = (SHEET_LEFT + LABELS, 270, middle - 10, 860), (middle + 10, 270, SHEET_RIGHT, 860)
    gold = tuple(bytes.fromhex(GOLD[1:]))
    loser, winner = ([colour for _, colour in sheet.crop(half).getcolors(1 << 20) or []] for half in halves)
    assert gold in winner
    assert gold not in loser


def test_a_table_that_was_closed_early_shows_where_the_markers_stood() -> None:
    table = Expedition(4)
    table.set(0, 30, 1903)
    assert len(opened(keepsake(table.game, table.state)).getcolors(1 << 20) or []) > 50


def test_more_finds_than_ever_still_fit() -> None:
    table = Expedition(4)
    for site, bag in table.game.terms.box.bags.items():
        table.find(0, site, *[token for token, count in bag.items() if token != "blank" for _ in range(count)])
    table.give(0, *table.game.terms.exhibitions)
    keepsake(table.game, table.state)


def test_without_any_of_our_letters_accents_are_left_off_rather_than_drawn_as_boxes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nowhere = dict.fromkeys(pencils.FACES, ("alegreya-sans-OFL.txt", "no-such-font.ttf"))
    monkeypatch.setattr(pencils, "FACES", nowhere)
    font_of.cache_clear()
    assert written("Ägypten – Grèce’s", font_of("plain", 20)) == "Agypten - Grece's"
    font_of.cache_clear()


def test_names_and_words_of_all_languages_are_in_our_letters_others_in_what_there_is() -> None:
    for said in ("Dörte-Annegret", "Béatrice", "Città d’Œuvre", "Größe – „so“"):
        assert font_for("bold", 40, said).getname()[0].startswith("Alegreya")  # type: ignore[union-attr]
    assert not font_for("bold", 40, "Ж").getname()[0].startswith("Alegreya")  # type: ignore[union-attr]


@pytest.mark.parametrize("file", sorted(LETTERS_HERE.iterdir()), ids=lambda file: file.name)
def test_the_letters_are_those_of_the_screens(file: Path) -> None:
    screens = Path(__file__).parents[3] / "web_ui" / "static" / "vendor"
    assert file.suffix == ".md" or file.read_bytes() == (screens / file.name).read_bytes()


@pytest.mark.parametrize("name", ["Ada", "Maximiliane von Hohenstein", "Bartholomäus-Ferdinand", "W" * 24])
def test_a_name_keeps_to_its_column_and_is_large_enough_to_read(name: str) -> None:
    pencil = Pencil(Image.new("RGB", (400, 100), "#ffffff"))
    lines = pencil.lines_of(name, 44, "bold", 195)
    assert "".join(lines).replace(" ", "") == name.replace(" ", "")
    for line in lines:
        assert pencil.text((10, 50), line, 34, "#000000", face="bold", room=195) <= 195
    if len(lines) == 2:
        assert all(font_for("bold", 28, line).getlength(line) <= 195 for line in lines), "2.4 mm high at least"


def test_text_is_made_smaller_where_there_is_no_room() -> None:
    pencil = Pencil(Image.new("RGB", (400, 100), "#ffffff"))
    assert pencil.text((10, 50), "Ausstellungen", 60, "#000000", room=120) <= 120
    assert pencil.text((10, 50), "Ausstellungen", 60, "#000000") > 120
