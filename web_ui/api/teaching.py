"""The calls that teach a game: lessons, what can be done now, and how the real box is set up."""

from __future__ import annotations

from companion import games
from companion.play.opening import box_of
from companion.play.teaching import deeds, exercise_now, lesson_told, lessons_due, settings_up
from web_ui import help as manual
from web_ui.api import answers, bodies
from web_ui.api.calls import Asking, AtTable, CallTable
from web_ui.api.tables import EYES

calls = CallTable()


@calls.get("/api/tables/<table>/lessons", gives=answers.LessonsTold, query=(EYES,))
def show_lessons(asking: AtTable, _: bodies.Nothing) -> answers.LessonsTold:
    """The lessons that may be told to the asker now. What was told is remembered by the device."""
    table = asking.table
    with table.lock:
        seq, due = table.seq, lessons_due(table, asking.eyes.reads)
        exercise = exercise_now(table, asking.eyes.reads, asking.language)
    setup = table.setup
    course = games.course_of(setup.box, setup.mode)
    lessons = tuple(lesson_told(setup.box, setup.mode, each, asking.language) for each in due)
    return answers.LessonsTold(seq, lessons, exercise, course.rest if course else 1)


@calls.get("/api/tables/<table>/possible", gives=answers.PossibleTold, query=(EYES,), long=True)
def show_possible(asking: AtTable, _: bodies.Nothing) -> answers.PossibleTold:
    """What the asker can do now: each kind of move with its cost, and for the others what would have to be so."""
    table = asking.table
    with table.lock:
        return answers.PossibleTold(table.seq, tuple(deeds(table, asking.eyes.reads, asking.language)))


@calls.get("/api/tables/<table>/setting-up", gives=answers.SettingUp)
def show_setting_up(asking: AtTable, _: bodies.Nothing) -> answers.SettingUp:
    """How the real box is set up, step by step; no step where all of it is played on Digside."""
    table = asking.table
    steps, plan = settings_up(table.setup, box_of(table.laid), asking.language)
    return answers.SettingUp(tuple(steps), plan)


@calls.get("/api/manual", gives=answers.ManualTold, long=True)
def show_manual(asking: Asking, _: bodies.Nothing) -> answers.ManualTold:
    """The players' manual, passage by passage, to be searched."""
    return answers.ManualTold(manual.passages(asking.language))
