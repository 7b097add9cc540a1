"""What is The Tomb Raiders' own on the keepsake: tidy for any names, and with all that scores."""

from __future__ import annotations

import random

import pytest

from companion.game import Chance, Dealt, Finished, Played
from companion.games.tomb_raiders.bots import BOTS
from companion.games.tomb_raiders.keepsake import PANELS, _things
from companion.games.tomb_raiders.rules import TombRaiders
from companion.games.tomb_raiders.state import TombState
from companion.keepsake.panel import KeepsakePanel, Room
from companion.keepsake.sheet import picture_of
from companion.trials import drawn
from tests.games.tomb_raiders.camp import game
from tests.keepsakes import FROM_ELSEWHERE, LONG, SHORT, Words, assert_tidy, colours, seats, sheet_of, writing


def finished(players: int) -> tuple[TombRaiders, TombState, Finished]:
    """A game among planners, to its end."""
    playing, luck = game(players), random.Random(players)
    state = playing.start()
    while not isinstance(ask := playing.ask(state), Finished):
        if isinstance(ask, Chance):
            state = playing.after(state, Dealt(drawn(ask, luck)))
        else:
            state = playing.after(state, Played(ask.seats[0], BOTS["planner"](playing, state, ask.seats[0], luck)))
    return playing, state, ask


@pytest.mark.parametrize(("players", "names"), [(2, SHORT), (3, FROM_ELSEWHERE), (4, LONG)])
@pytest.mark.parametrize("language", ["de", "fr"])
def test_a_keepsake_is_tidy_and_shows_the_regions(players: int, names: tuple[str, ...], language: str) -> None:
    playing, state, end = finished(players)
    sheet = sheet_of("tomb_raiders", "Thebes: The Tomb Raiders", names[:players], end, language)
    with writing() as lines:
        picture = picture_of(sheet, PANELS, playing, state)
    assert_tidy(lines)
    assert {region.colour for region in playing.terms.box.regions.values()} <= colours(picture)
    assert "0" in {line.said for line in lines}


def test_what_is_drawn_before_a_seat_adds_up_to_its_points() -> None:
    playing, state, end = finished(3)
    panel = KeepsakePanel(playing, state, seats(SHORT[:3]), Room(0, 0, 1, 1), Words("en", "tomb_raiders"))
    for score in end.scores:
        drawn_points = sum(int(points) for _, points in _things(panel, score.seat))
        parts = score.parts
        assert drawn_points == sum(parts[part] for part in ("artifacts", "exhibitions", "museums", "professors"))
