"""What is Jenseits' own on the keepsake: the ring of weeks, the finds and the exhibitions."""

from __future__ import annotations

from pathlib import Path
from unittest.mock import patch

import msgspec
import pytest
from PIL import Image

from companion.games.jenseits.keepsake import MARKER, PANELS
from companion.games.jenseits.rules import Jenseits
from companion.games.jenseits.state import JenseitsState
from companion.keepsake.panel import Panel
from companion.keepsake.pencil import Pencil
from companion.keepsake.sheet import AROUND, HIGH, WIDE, picture_of
from companion.words import LANGUAGES
from tests.games.jenseits.expedition import Expedition, box, game
from tests.games.jenseits.test_golden import GOLDEN, read, replay
from tests.keepsakes import FROM_ELSEWHERE, LONG, SHORT, Line, Words, assert_tidy, seats, sheet_of, writing


def drawn(
    playing: Jenseits, state: JenseitsState, names: tuple[str, ...] = SHORT, language: str = "en"
) -> tuple[Image.Image, list[Line]]:
    """The keepsake, and all that is written on it."""
    told = sheet_of("jenseits", box().title, names[: len(state.seats)], playing.tally(state), language)
    with writing() as lines:
        picture = picture_of(told._replace(seal="ab" * 32, head="ab" * 32, note="x · 2026"), PANELS, playing, state)
    return picture, lines


@pytest.mark.parametrize(("language", "names"), [*zip(LANGUAGES, [SHORT, LONG, FROM_ELSEWHERE, LONG], strict=True)])
@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_all_that_is_written_has_room(file: Path, language: str, names: tuple[str, ...]) -> None:
    told = read(file)
    playing = game(told["seats"], rules=1)
    assert_tidy(drawn(playing, replay(playing, told["steps"]), names, language)[1])


def test_the_ring_has_its_weeks_and_tells_the_years() -> None:
    said = [line.said for line in drawn(Expedition(3).game, Expedition(3).state)[1]]
    assert [week for week in range(1, 53) if str(week) not in said] == []
    assert "1901–1903" in said
    assert "1902–1903" in [line.said for line in drawn(Expedition(4).game, Expedition(4).state)[1]]


def test_every_find_and_every_exhibition_is_shown() -> None:
    table = Expedition(2)
    table.find(0, "egypt", "object:5", "object:3", "open_book")
    table.give(1, *list(table.game.terms.exhibitions)[:2])
    written = [line for line in drawn(table.game, table.state)[1] if line.left > 1170 and line.top > 890]
    assert [line.said for line in written if line.said in {"5", "3"}] == ["3", "5"]
    cities = [table.game.terms.exhibitions[card].city for card in list(table.game.terms.exhibitions)[:2]]
    assert [line.said.lower() for line in written if line.said.lower() in cities] == cities


def markers(table: Expedition) -> list[tuple[float, float]]:
    """Where the seats' signs are drawn round the ring, from below."""
    found: list[tuple[float, float]] = []
    pencil = Pencil(Image.new("RGB", (WIDE, HIGH)))
    with patch.object(pencil, "sign", lambda shape, centre, *how: found.append(centre)):
        PANELS.around(
            pencil,
            Panel(table.game, table.state, seats(SHORT[: len(table.state.seats)]), AROUND, Words("en", "jenseits")),
        )
    return found


@pytest.mark.parametrize("week", [1, 14, 27, 33, 40, 46])
def test_a_stack_of_markers_stays_on_the_sheet_wherever_it_stands(week: int) -> None:
    table = Expedition(4)
    for seat in range(4):
        table.set(seat, week, 1902)
    found = markers(table)
    assert len({(round(x), round(y)) for x, y in found}) == 4
    for x, y in found:
        assert AROUND.left + MARKER / 2 <= x <= AROUND.right - MARKER / 2
        assert AROUND.top + MARKER / 2 <= y <= AROUND.bottom - MARKER / 2


def test_markers_on_the_same_week_of_other_years_do_not_hide_each_other() -> None:
    table = Expedition(2)
    table.set(0, 8, 1902)
    table.set(1, 8, 1903)
    (x, y), (u, v) = markers(table)
    assert (x - u) ** 2 + (y - v) ** 2 > MARKER**2


def test_more_finds_than_ever_still_fit() -> None:
    table = Expedition(4)
    for site, bag in table.game.terms.box.bags.items():
        table.find(0, site, *[token for token, count in bag.items() if token != "blank" for _ in range(count)])
    table.give(0, *table.game.terms.exhibitions)
    assert drawn(table.game, table.state)[1]


def test_the_figures_are_those_the_game_was_played_with() -> None:
    printed = box()
    other = msgspec.structs.replace(printed, time=msgspec.structs.replace(printed.time, years=(1901, 1902, 1905)))
    playing = Jenseits(game(2).setup, other)
    assert "1901–1905" in [line.said for line in drawn(playing, playing.start())[1]]
