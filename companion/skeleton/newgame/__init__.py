"""New Game, in a folder of its own."""

from __future__ import annotations

from companion.games.bundle import Bundle, Refereed
from companion.keepsake.panel import Panels, nothing
from companion.lessons import TeachingCourse
from companion.trials import at_random

from .box import NewGameBox


def refereed() -> Refereed:
    """The referee, and what is to be had with it."""
    from .rules import NewGame

    panels = Panels(nothing, nothing)
    return Refereed(
        NewGame, {"random": at_random}, lambda state, moves: "empty", {}, frozenset(), panels, course=_course
    )


def _course() -> TeachingCourse:
    from .lessons import COURSE

    return COURSE


GAME = Bundle(NewGameBox, refereed=refereed)
