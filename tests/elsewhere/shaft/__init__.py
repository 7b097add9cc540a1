"""The shaft: a tiny game in a folder of its own, outside the package."""

from __future__ import annotations

from companion.games.bundle import Bundle, Refereed
from companion.keepsake.panel import Panels, nothing
from companion.lessons import TeachingCourse

from .box import ShaftBox


def refereed() -> Refereed:
    """The referee, and what is to be had with it."""
    from . import around, rules

    drawn = (around.DRAWINGS, frozenset[str](), Panels(nothing, nothing))
    return Refereed(rules.ShaftReferee, around.BOTS, around.ending, *drawn, account=around.ACCOUNT, course=_course)


def _course() -> TeachingCourse:
    from .lessons import COURSE

    return COURSE


GAME = Bundle(ShaftBox, refereed=refereed)
