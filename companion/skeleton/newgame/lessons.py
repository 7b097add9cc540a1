"""What is told about New Game while it is played, and how its box is set up."""

from __future__ import annotations

from companion.game import Setup
from companion.lessons import Lesson, SetUpStep, TeachingCourse

from .box import NewGameBox
from .rules import Reach

LESSONS = (
    Lesson("aim", ("NEW-03",), anytime=True, lights="bag"),
    Lesson("reach", ("NEW-02",), act=Reach, lights="bag"),
)
"""The more pressing first; their sentences are `[lesson.<id>]` of the words."""

UNTAUGHT = {"NEW-01": "set-up"}
"""The rules that have no lesson, and why."""


def _pebbles(setup: Setup, box: NewGameBox) -> dict[str, int]:
    return {"n": sum(box.pebbles.values())}


COURSE = TeachingCourse(
    LESSONS,
    UNTAUGHT,
    (SetUpStep("bag", ("bag",), "pebbles", facts=_pebbles),),
    {"bag": (30, 30, 40, 40)},
)
