"""The Adventurers: The Pyramid of Horus."""

from __future__ import annotations

from companion.games.bundle import Bundle, Refereed
from companion.games.horus.box import HorusBox
from companion.games.horus.tools import TOOLS
from companion.lessons import TeachingCourse
from companion.search.insight import Insight


def refereed() -> Refereed:
    """The referee, and what is to be had with it."""
    from companion.games.horus import bots, drawn, keepsake, story
    from companion.games.horus.rules import Horus

    drawings = (drawn.DRAWINGS, drawn.SILENT, keepsake.PANELS)
    return Refereed(
        Horus,
        bots.BOTS,
        bots.ending,
        *drawings,
        news=("shown",),
        account=story.ACCOUNT,
        insight=_insight,
        course=_course,
    )


def _insight() -> Insight:
    from companion.games.horus.insight import INSIGHT

    return INSIGHT


def _course() -> TeachingCourse:
    from companion.games.horus.lessons import COURSE

    return COURSE


GAME = Bundle(HorusBox, TOOLS, refereed)
