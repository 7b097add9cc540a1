"""Thebes: The Tomb Raiders."""

from __future__ import annotations

from companion.games.bundle import Bundle, Refereed
from companion.games.tomb_raiders.box import TombRaidersBox
from companion.games.tomb_raiders.tools import TOOLS
from companion.lessons import TeachingCourse
from companion.search.insight import Insight


def refereed() -> Refereed:
    """The referee, and what is to be had with it."""
    from companion.games.tomb_raiders import bots, drawn, keepsake, story
    from companion.games.tomb_raiders.rules import TombRaiders

    drawings = (drawn.DRAWINGS, drawn.SILENT, keepsake.PANELS)
    return Refereed(
        TombRaiders, bots.BOTS, bots.ending, *drawings, account=story.ACCOUNT, insight=_insight, course=_course
    )


def _insight() -> Insight:
    from companion.games.tomb_raiders.insight import INSIGHT

    return INSIGHT


def _course() -> TeachingCourse:
    from companion.games.tomb_raiders.lessons import COURSE

    return COURSE


GAME = Bundle(TombRaidersBox, TOOLS, refereed)
