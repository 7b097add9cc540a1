"""What is told about the shaft while it is played, and how its box is set up."""

from __future__ import annotations

from companion.lessons import Lesson, Moment, SetUpStep, TeachingCourse

from .rules import ROCK, Climb, Dig


def _rock_above(moment: Moment) -> bool:
    return ROCK in moment.table.state.haul


LESSONS = (
    Lesson("dig", ("SHA-02", "SHA-05"), act=Dig, lights="bag"),
    Lesson("climb", ("SHA-03",), act=Climb, lights="haul"),
    Lesson("rock", ("SHA-04",), when=_rock_above, lights="haul"),
    Lesson("buried", ("SHA-04",), line="buried", lights="bag", seldom="Nobody may dare so much."),
)

COURSE = TeachingCourse(
    LESSONS,
    {"SHA-01": "set-up"},
    (SetUpStep("bag", ("bag",), "stones", facts=lambda setup, box: {"n": sum(box.stones.values())}),),
    {"bag": (30, 30, 40, 40)},
)
