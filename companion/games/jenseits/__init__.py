"""Jenseits von Theben."""

from __future__ import annotations

from companion.games.bundle import Bundle, Refereed
from companion.games.jenseits.box import JenseitsBox
from companion.games.jenseits.tools import TOOLS
from companion.lessons import TeachingCourse
from companion.search.insight import Insight


def refereed() -> Refereed:
    """The referee, and what is to be had with it."""
    from companion.games.jenseits import bots, drawn, keepsake, story
    from companion.games.jenseits.rules import Jenseits

    drawings = (drawn.DRAWINGS, drawn.SILENT, keepsake.PANELS)
    return Refereed(
        Jenseits, bots.BOTS, bots.ending, *drawings, account=story.ACCOUNT, insight=_insight, course=_course
    )


def _insight() -> Insight:
    from companion.games.jenseits.insight import INSIGHT

    return INSIGHT


def _course() -> TeachingCourse:
    from companion.games.jenseits.lessons import COURSE

    return COURSE


GAME = Bundle(JenseitsBox, TOOLS, refereed)
