"""Tutankhamun / La vendetta del faraone."""

from __future__ import annotations

from companion.games.bundle import Bundle, Refereed
from companion.games.tutankhamun.box import TutankhamunBox
from companion.games.tutankhamun.tools import TOOLS
from companion.lessons import TeachingCourse
from companion.search.insight import Insight


def refereed() -> Refereed:
    """The referee, and what is to be had with it."""
    from companion.games.tutankhamun import bots, drawn, keepsake, story
    from companion.games.tutankhamun.rules import Tutankhamun

    drawings = (drawn.DRAWINGS, drawn.SILENT, keepsake.PANELS)
    return Refereed(
        Tutankhamun,
        bots.BOTS,
        bots.ending,
        *drawings,
        news=("last",),
        account=story.ACCOUNT,
        insight=_insight,
        course=_course,
    )


def _insight() -> Insight:
    from companion.games.tutankhamun.insight import INSIGHT

    return INSIGHT


def _course() -> TeachingCourse:
    from companion.games.tutankhamun.lessons import COURSE

    return COURSE


GAME = Bundle(TutankhamunBox, TOOLS, refereed)
