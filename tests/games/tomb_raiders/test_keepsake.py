"""What is The Tomb Raiders' own on the keepsake: its regions, and all that scores."""

from __future__ import annotations

import random

from companion.game import Chance, Dealt, Finished, Played
from companion.games.tomb_raiders.bots import BOTS
from companion.games.tomb_raiders.keepsake import PANELS, _things
from companion.games.tomb_raiders.rules import TombRaiders
from companion.games.tomb_raiders.state import TombState
from companion.keepsake.panel import KeepsakePanel, Room
from companion.keepsake.sheet import picture_of
from companion.trials import random_outcome
from tests.games.tomb_raiders.camp import game
from tests.keepsakes import SHORT, Words, colours, seats, sheet_of


def finished(players: int) -> tuple[TombRaiders, TombState, Finished]:
    """A game among planners, to its end."""
    playing, luck = game(players), random.Random(players)
    state = playing.start()
    while not isinstance(ask := playing.ask(state), Finished):
        if isinstance(ask, Chance):
            state = playing.after(state, Dealt(random_outcome(ask, luck)))
        else:
            state = playing.after(state, Played(ask.seats[0], BOTS["planner"](playing, state, ask.seats[0], luck)))
    return playing, state, ask


def test_a_keepsake_shows_the_regions() -> None:
    playing, state, end = finished(2)
    picture = picture_of(sheet_of("tomb_raiders", "Thebes", SHORT[:2], end), PANELS, playing, state)
    assert {region.colour for region in playing.terms.box.regions.values()} <= colours(picture)


def test_what_is_drawn_before_a_seat_adds_up_to_its_points() -> None:
    playing, state, end = finished(3)
    panel = KeepsakePanel(playing, state, seats(SHORT[:3]), Room(0, 0, 1, 1), Words("en", "tomb_raiders"))
    for score in end.scores:
        drawn_points = sum(int(points) for _, points in _things(panel, score.seat))
        parts = score.parts
        assert drawn_points == sum(parts[part] for part in ("artifacts", "exhibitions", "museums", "professors"))
