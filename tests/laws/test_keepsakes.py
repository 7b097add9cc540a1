"""Laws of the keepsake: whatever game is drawn on it, for whomever, in every language, all that is written has room."""

from __future__ import annotations

import random

import pytest

from companion import games
from companion.keepsake.sheet import picture_of
from companion.play import golden
from companion.words import LANGUAGES
from tests.keepsakes import FROM_ELSEWHERE, LONG, SHORT, assert_tidy, sheet_of, writing
from tests.laws.play import GAMES
from tests.laws.test_golden import KEPT

PEOPLE = (LONG, SHORT, LONG, FROM_ELSEWHERE)
REFEREED = [name for name, mode in GAMES if mode == "referee" and games.box(name).seats.max <= len(SHORT)]


def is_tidy(kept: golden.Golden, nth: int) -> None:
    """The law for the end of a game; with another `nth` others have played it, and it is told in another language."""
    game, _, last = golden.course(kept)
    state, refereed = game.closed(last), games.bundle(kept.box).refereed
    assert refereed is not None
    people = PEOPLE[nth % 4][: len(kept.seats)]
    told = sheet_of(kept.box, games.box(kept.box).title, people, game.tally(state), LANGUAGES[nth % 4])
    with writing() as lines:
        picture_of(told._replace(seal="ab" * 32, head="ab" * 32, note="x · 2026"), refereed().panels, game, state)
    assert_tidy(lines)


@pytest.mark.parametrize("box", REFEREED)
def test_all_that_is_written_has_room(box: str) -> None:
    """After golden games, and after games closed as they stand with any number of seats."""
    seats = games.box(box).seats
    kept = [golden.read_golden(file) for name, file in KEPT if name == box]
    kept += [golden.at_random(box, random.Random(count), count) for count in range(seats.min, seats.max + 1)]
    for nth, each in enumerate(each for each in kept if each is not None and each.mode == "referee"):
        is_tidy(each, nth)
