"""The sheet that people take home, whichever game it was: what every keepsake has."""

from __future__ import annotations

import io
import subprocess
import sys
from itertools import cycle
from pathlib import Path
from typing import Any

import msgspec
import pytest
from PIL import Image, ImageFont

from companion import games
from companion.game import Finished, Score
from companion.keepsake import lettering
from companion.keepsake.lettering import FACES, file_with, filled, fitted, length, runs_of, writable
from companion.keepsake.panel import PAPER, KeepsakePanel, Panels, Stroke, nothing
from companion.keepsake.pencil import LEAST, Pencil, traced
from companion.keepsake.sheet import GOLD, HIGH, WIDE, KeepsakeSheet, keepsake
from companion.words import LANGUAGES
from tests.keepsakes import FROM_ELSEWHERE, LONG, SHORT, SIGNS, assert_tidy, colours, plain, sheet_of, writing

ROOT = Path(__file__).parents[2]
LETTERS_HERE = Path(lettering.__file__).parent / "letters"
LEAF = "#7f8f45"
PARTS = ("objects", "exhibitions", "congresses", "majorities")


def end(seats: int, winners: tuple[int, ...] = (0,), totals: tuple[int, ...] = ()) -> Finished:
    scores = (Score(seat, (totals or (42,) * seats)[seat], dict.fromkeys(PARTS, 10 + seat)) for seat in range(seats))
    return Finished(tuple(scores), winners)


def sheet(seats: int = 3, *, winners: tuple[int, ...] = (0,), language: str = "en", **more: str) -> KeepsakeSheet:
    return sheet_of("jenseits", "Jenseits von Theben", SHORT[:seats], end(seats, winners), language, **more)


def opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png))


def test_it_is_a_picture_of_a5_at_300_dots_an_inch() -> None:
    picture = opened(keepsake(sheet(seal="ab" * 32), Panels(nothing, nothing), None, None))
    assert picture.format == "PNG"
    assert picture.size == (WIDE, HIGH) == (2480, 1748)
    assert round(picture.info["dpi"][0]) == 300


@pytest.mark.parametrize("names", [SHORT, LONG, FROM_ELSEWHERE], ids=["short", "long", "from elsewhere"])
@pytest.mark.parametrize("seats", range(2, 7))
def test_all_that_is_written_has_room(seats: int, names: tuple[str, ...]) -> None:
    languages = cycle(LANGUAGES[seats % 4 :] + LANGUAGES[: seats % 4])
    for winners, language in zip(((), (seats - 1,), (0, 1), tuple(range(seats))), languages, strict=False):
        told = sheet_of("jenseits", "Jenseits von Theben", names[:seats], end(seats, winners), language)
        with writing() as lines:
            plain(told._replace(seal="0123456789abcdef" * 4, head="0123456789abcdef" * 4, note="x" * 200))
        assert_tidy(lines)


@pytest.mark.parametrize("seats", range(2, 7))
def test_seven_parts_and_points_below_nothing_have_room(seats: int) -> None:
    parts = {f"the part called {nth}": -1999 + 400 * nth for nth in range(7)}
    scores = tuple(Score(seat, -1234, parts) for seat in range(seats))
    told = sheet(seats)._replace(end=Finished(scores, ()), called=lambda part: part, title="W" * 80)
    rooms: list[KeepsakePanel] = []
    with writing() as lines:
        plain(told, Panels(nothing, lambda pencil, panel: rooms.append(panel)))
    assert_tidy(lines)
    assert [line.said for line in lines].count("−1234") == seats + 1, "in each column, and as the best"
    assert rooms[0].room.high > 480, "there is room for the game's own below"


def test_what_is_below_begins_where_the_scores_end() -> None:
    tops = []
    for parts in (2, 4, 7):
        told = sheet(2)._replace(
            end=Finished((Score(0, 1, {str(nth): 1 for nth in range(parts)}),), (0,)), called=lambda part: part
        )
        with writing() as lines:
            plain(told, Panels(nothing, lambda pencil, panel: tops.append(panel.room.top)))
        assert max(line.bottom for line in lines if line.said == "total") < tops[-1]
    assert tops == sorted(set(tops))


@pytest.mark.parametrize(
    ("winners", "language", "said"),
    [
        ((1,), "en", "Ben wins"),
        ((1,), "it", "Vince Ben"),
        ((), "de", "Niemand gewinnt"),
        ((), "fr", "Personne ne gagne"),
        ((0, 2), "de", "Ada und Cleo gewinnen gemeinsam"),
    ],
)
def test_it_says_who_has_won(winners: tuple[int, ...], language: str, said: str) -> None:
    with writing() as lines:
        plain(sheet(winners=winners, language=language))
    assert said in " ".join(line.said for line in lines)


def test_there_are_laurels_for_a_winner_only() -> None:
    assert LEAF in colours(plain(sheet(winners=(1,))))
    assert LEAF not in colours(plain(sheet(winners=())))


def test_winners_that_are_too_many_to_name_are_shown_by_their_signs() -> None:
    told = sheet_of("jenseits", "Jenseits", LONG, end(6, tuple(range(6))))
    with writing() as lines:
        picture = plain(told)
    assert "6 share the win" in [line.said for line in lines]
    inside = picture.crop((420, 960, 760, 1050))
    assert {colour for colour, _ in SIGNS} <= colours(inside)


@pytest.mark.parametrize("seats", range(2, 7))
def test_the_winners_columns_are_gilded_and_no_other(seats: int) -> None:
    winners = tuple(range(0, seats, 2))
    with writing() as lines:
        picture = plain(sheet(seats, winners=winners))
    heads = {line.said: line for line in lines if line.said in SHORT and line.left > 1170}
    gold = tuple(bytes.fromhex(GOLD[1:]))
    for seat, name in enumerate(SHORT[:seats]):
        at = round(heads[name].left) - 4, round(heads[name].top)
        assert (picture.getpixel(at) == gold) is (seat in winners)


def test_nothing_is_drawn_over_the_margin() -> None:
    picture = plain(sheet(language="de", seal="0" * 64, head="0" * 64, note="x" * 200))
    assert {picture.getpixel((x, 20)) for x in range(0, WIDE, 7)} == {tuple(bytes.fromhex(PAPER[1:]))}
    inside = {picture.getpixel((x, 100)) for x in range(80, WIDE - 80, 5)}
    assert len(inside) == 1, "between frame and title"


def test_a_name_that_no_letters_here_can_write_is_that_of_its_sign() -> None:
    told = sheet_of("jenseits", "Jenseits", ("Ada", "\ue000\ue001"), end(2, (1,)), "de")
    with writing() as lines:
        plain(told)
    assert "Stern gewinnt" in [line.said for line in lines]


def test_a_very_long_name_is_cut() -> None:
    with writing() as lines:
        plain(sheet_of("jenseits", "Jenseits", ("Ada", "so long " * 25), end(2, (1,))))
    assert_tidy(lines)
    assert any(line.said.endswith("…") for line in lines)


def test_a_game_gets_the_state_its_seats_and_room() -> None:
    got: list[KeepsakePanel] = []
    panels = Panels(lambda pencil, panel: got.append(panel), lambda pencil, panel: got.append(panel))
    keepsake(sheet(2), panels, "the game", "the state")
    assert [(panel.game, panel.state) for panel in got] == [("the game", "the state")] * 2
    assert [seat.name for seat in got[0].seats] == ["Ada", "Ben"]
    assert got[0].room.right < got[1].room.left


def test_every_refereed_game_says_what_is_drawn_for_it() -> None:
    for name in games.names():
        refereed = games.bundle(name).refereed
        assert refereed is None or isinstance(refereed().panels, Panels)


@pytest.mark.parametrize("panels", [None, Panels(nothing, None)])  # type: ignore[arg-type]
def test_a_game_that_does_not_say_it_is_not_taken(panels: Any) -> None:
    brought = games.bundle("jenseits").refereed
    assert brought is not None
    with pytest.raises(TypeError, match="nothing"):
        msgspec.structs.replace(brought(), panels=panels)


def test_pictures_are_not_loaded_before_one_is_wanted() -> None:
    code = (
        "import sys; from companion import games; import web_ui.api.tables;"
        "[games.bundle(name).refereed() for name, mode in games.registered() if mode == 'referee'];"
        "print('PIL' in sys.modules)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    assert said.strip() == "False"


def test_names_and_words_of_all_languages_are_in_our_letters_others_in_what_there_is() -> None:
    for said in ("Dörte-Annegret", "Béatrice", "Città d’Œuvre", "Größe – „so“", "−3"):
        assert [font.getname()[0] for font, _ in runs_of("bold", 40, said)] == ["Alegreya Sans"]  # type: ignore[union-attr]
    runs = [(font.getname()[0], run) for font, run in runs_of("bold", 40, "Ж gewinnt")]  # type: ignore[union-attr]
    assert runs[0][0] != "Alegreya Sans"
    assert runs[1] == ("Alegreya Sans", "gewinnt")


def test_without_any_of_our_letters_accents_are_left_off_rather_than_drawn_as_boxes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lettering, "FACES", dict.fromkeys(FACES, ("no-such-font.ttf",)))
    file_with.cache_clear()
    try:
        assert writable("plain", "Ägypten – Grèce’s ß Ж") == "Agypten - Grece’s ss "
    finally:
        file_with.cache_clear()


@pytest.mark.parametrize("file", sorted(LETTERS_HERE.glob("*.woff2")), ids=lambda file: file.name)
def test_the_letters_are_those_of_the_screens(file: Path) -> None:
    """Those of the screens have fewer; which they have are drawn alike."""
    ours, theirs = (
        ImageFont.truetype(io.BytesIO(each.read_bytes()), 40)
        for each in (file, ROOT / "web_ui" / "static" / "vendor" / file.name)
    )
    letters = "ABCXYZabcxyz0123456789ÄÖÜäöüßÀÉÈÊÇàéèêçìòù.,:!?"
    there = [letter for letter in letters if bytes(theirs.getmask(letter))]
    assert set(letters) - set(there) <= set("0123456789")  # figures are in the hand of the text
    for letter in there:
        assert bytes(ours.getmask(letter)) == bytes(theirs.getmask(letter)), letter


@pytest.mark.parametrize("name", ["Ada", *LONG[:-1], "Maximiliane von Hohenstein", "Ж Иван"])
@pytest.mark.parametrize("room", [126, 195])
def test_a_name_keeps_to_its_column_and_is_whole(name: str, room: float) -> None:
    size, lines = fitted(name, "bold", room, [(44, 1), (34, 2), (28, 2), (24, 3), (20, 3)])
    assert all(length("bold", size, line) <= room for line in lines)
    assert "".join(lines).replace(" ", "").replace("-", "") == name.replace(" ", "").replace("-", "")


def test_a_word_is_parted_only_where_no_size_has_room_for_it() -> None:
    assert fitted("Ferdinand", "bold", 126, [(44, 1), (28, 1)]) == (28, ["Ferdinand"])
    assert fitted("Donaudampfschiff", "bold", 126, [(28, 3)])[1][0].endswith("-")
    assert filled("Donaudampfschiff", "bold", 28, [126] * 3) is None
    lines = filled("Жанна" * 9, "bold", 28, [126] * 9, parted=True)
    assert lines is not None
    assert len(lines) > 5


def test_text_is_made_smaller_where_there_is_no_room_and_cut_where_that_does_not_help() -> None:
    pencil = Pencil(Image.new("RGB", (400, 100), "#ffffff"))
    assert pencil.text((10, 50), "Ausstellungen", 60, "#000000", room=120) <= 120
    assert pencil.text((10, 50), "Ausstellungen", 60, "#000000") > 120
    with writing() as lines:
        assert pencil.text((10, 50), "W" * 40, 60, "#000000", room=120) <= 120
    assert lines[0].said.endswith("W…")
    assert length("plain", LEAST, lines[0].said) <= 120


@pytest.mark.parametrize("anchor", ["lm", "mm", "rm"])
def test_a_text_in_two_kinds_of_letters_stands_on_one_line_where_it_is_put(anchor: str) -> None:
    pencil = Pencil(Image.new("RGB", (800, 100), "#ffffff"))
    with writing() as lines:
        wide = pencil.text((400, 50), "Ж h Ж", 60, "#000000", anchor=anchor)
        pencil.text((400, 50), "h", 60, "#000000", anchor=anchor)
    first, ours, last, alone = lines
    assert wide == pytest.approx(last.right - first.left, abs=4)
    left = {"l": 400, "m": 400 - wide / 2, "r": 400 - wide}[anchor[0]]
    assert first.left == pytest.approx(left, abs=4)
    assert last.right == pytest.approx(left + wide, abs=4)
    assert ours.bottom == pytest.approx(alone.bottom, abs=1)


def test_a_small_picture_is_drawn_as_its_path_says() -> None:
    picture = Image.new("RGB", (100, 100), "#ffffff")
    Pencil(picture).small([Stroke("M-20-20H20V20H-20Z", "#000000", 4, "#ff0000")], (50, 50), 2)
    assert picture.getpixel((50, 50)) == (255, 0, 0)
    assert picture.getpixel((10, 50)) == (0, 0, 0)
    assert picture.getpixel((2, 50)) == (255, 255, 255)


def test_a_curve_goes_on_smoothly() -> None:
    (told,) = traced("M0 0C0 10 10 10 10 0C10-10 20-10 20 0")
    (short,) = traced("M0 0C0 10 10 10 10 0S20-10 20 0")
    assert list(told) == list(short)
    assert list(told[-1]) == [20, 0]
    assert list(told[5]) == pytest.approx([5, 7.5])
