"""What is taught at a table in play: the lessons that are due for somebody, and what their hand can do now."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from companion import games
from companion.boxes import Box
from companion.game import ALONE, TEACH, Chance, Finished, Mode, Move, Played, Setup, Turn
from companion.lessons import (
    LINES,
    Lesson,
    Moment,
    SeenLine,
    due,
    lesson_by_rule,
    line_of,
    moment_of,
    possibilities,
    steps_for,
)
from companion.play.entries import MovePlayed, OutcomeRecorded
from companion.play.table import Table
from companion.refusals import Refusal
from companion.rulebook import rulebook
from companion.words import known, say


class LessonTold(msgspec.Struct, frozen=True):
    """A lesson in somebody's language.

    :param now: it is told even where another has just been; all others wait for a later move.
    :param fleeting: it is true only while it is due; all others stay until they were read.
    :param lights: what is lit on the board.
    :param rule: the id of the rule behind it, and `rule_said` its sentence.
    """

    id: str
    said: str
    why: str
    lights: str
    rule: str
    rule_said: str
    now: bool = False
    fleeting: bool = False


class ExerciseTold(msgspec.Struct, frozen=True):
    """What one who learns alone is to do now: number `at` of `of`.

    :param lights: what is to be pressed for it, the last of it last: each as soon as it can be pressed.
    """

    id: str
    said: str
    why: str
    lights: tuple[str, ...]
    at: int
    of: int


class Bar(msgspec.Struct, frozen=True):
    """Why a kind of move cannot be made, or not in other ways; with the lesson about that rule, where there is one."""

    message: str
    rule: str | None
    lesson: str | None


class DeedTold(msgspec.Struct, frozen=True):
    """A kind of move, as it stands for whoever is asked.

    :param ways: in how many ways it can be made; `more` where these are only some of them.
    :param cost: what it costs at least, and at most, in words.
    """

    type: str
    title: str
    ways: int
    more: bool
    cost: tuple[str, ...]
    barred: tuple[Bar, ...]


class PlaceTold(msgspec.Struct, frozen=True):
    """Where something lies on the plan of the table: left, top, width and height in hundredths."""

    title: str
    at: tuple[int, int, int, int]


class SettingUpTold(msgspec.Struct, frozen=True):
    """A step of setting up the box, and the places on the plan that it is about."""

    id: str
    said: str
    places: tuple[str, ...]


def lessons_due(table: Table, eyes: int | None) -> list[Lesson]:
    """The lessons that somebody may be told now, the most pressing first. Called under the table's lock."""
    course = games.course_of(table.setup.box, table.setup.mode)
    moment = _moment(table, eyes)
    return [] if course is None or moment is None else due(course, moment)


def exercise_now(table: Table, eyes: int | None, language: str) -> ExerciseTold | None:
    """What whoever reads, else the first seat, is to do next in a small game; None once that is done, and in others.

    Called under the table's lock.
    """
    course = games.course_of(table.setup.box, table.setup.mode)
    if course is None or table.setup.options.get(TEACH) != ALONE or isinstance(table.ask(), Finished):
        return None
    left = list(course.exercises)
    for move in _moves_of(table, eyes or 0):
        if left and left[0].is_done_by(move):
            left.pop(0)
    if not left:
        return None
    key = f"{table.setup.box}.exercise.{left[0].id}"
    words = {part: say(language, f"{key}.{part}", {}, table.setup.scope) for part in ("said", "why")}
    at, of = len(course.exercises) - len(left) + 1, len(course.exercises)
    return ExerciseTold(left[0].id, **words, lights=left[0].way(_moment(table, eyes)), at=at, of=of)


def _moves_of(table: Table, seat: int) -> list[Move]:
    """The moves of a seat that still count, the oldest first."""
    found: list[Move] = []
    position = table.position()
    while position.trail is not None:
        entry, position = position.trail.entry, position.trail.before
        if isinstance(entry, MovePlayed) and entry.seat == seat and isinstance(step := table.step_of(entry), Played):
            found.append(step.move)
    return found[::-1]


def deeds(table: Table, eyes: int | None, language: str) -> list[DeedTold]:
    """What the hand that these eyes belong to can do now; nothing where it is not asked."""
    moment = _moment(table, eyes)
    if moment is None or not moment.asked:
        return []
    scope, area = table.setup.scope, table.setup.scope[-1]
    course = games.course_of(table.setup.box, table.setup.mode)
    by_rule = lesson_by_rule(course)

    def barred(refusal: Refusal) -> Bar:
        lesson = by_rule.get(refusal.rule or "")
        return Bar(refusal.said(language, scope), refusal.rule, lesson.id if lesson else None)

    return [
        DeedTold(
            each.type,
            _title(language, area, each.type),
            each.ways,
            each.more,
            tuple(say(language, f"{area}.now.price", {"n": n}, scope) for n in sorted({*each.costs})),
            tuple(map(barred, each.barred)),
        )
        for each in possibilities(table.game, moment)
    ]


def _title(language: str, area: str, kind: str) -> str:
    """What a kind of move is called; a game that does not say so has it by its tag."""
    key = f"{area}.now.{kind}"
    return say(language, key, {}) if known(language, key) else kind.replace("_", " ")


def lesson_told(box: str, mode: Mode, lesson: Lesson, language: str) -> LessonTold:
    """A lesson in a language."""
    words = {part: say(language, f"{box}.lesson.{lesson.id}.{part}", {}, (box,)) for part in ("said", "why")}
    rule = lesson.rules[0]
    said = _rules(box, mode, language)[rule]
    return LessonTold(
        lesson.id,
        **words,
        lights=lesson.lights,
        rule=rule,
        rule_said=said,
        now=lesson.now,
        fleeting=lesson.fleeting,
    )


def settings_up(setup: Setup, box: Box, language: str) -> tuple[list[SettingUpTold], dict[str, PlaceTold]]:
    """The steps of setting up the real box for a table, and the plan of the table."""
    course = games.course_of(setup.box, setup.mode)
    if course is None:
        return [], {}

    def words(key: str, **facts: int) -> str:
        return say(language, f"{setup.box}.{key}", facts, setup.scope)

    steps = [
        SettingUpTold(step.id, words(f"setting_up.{step.id}", **step.facts(setup, box)), step.places)
        for step in steps_for(course, setup)
    ]
    return steps, {name: PlaceTold(words(f"place.{name}"), at) for name, at in course.plan.items()}


def _moment(table: Table, eyes: int | None) -> Moment | None:
    position = table.position()
    if not isinstance(position.ask, Turn):
        return None
    bots = [seat for seat, kind in enumerate(table.kinds) if kind != "person"]
    return moment_of(table.game, position.state, eyes, _lines(table, eyes), bots)


def _lines(table: Table, eyes: int | None) -> list[SeenLine]:
    """The newest lines of the log that still count, oldest first."""
    found: list[SeenLine] = []
    position = table.position()
    while position.trail is not None and len(found) < LINES:
        entry, before = position.trail.entry, position.trail.before
        if isinstance(entry, MovePlayed | OutcomeRecorded):
            whose = before.ask.seat if isinstance(before.ask, Chance) else entry.seat
            found.append(line_of(table.game, before.state, table.step_of(entry), eyes, whose))
        position = before
    return found[::-1]


@lru_cache(maxsize=16)
def _rules(box: str, mode: Mode, language: str) -> Mapping[str, str]:
    """The sentences of a game's rules by their ids."""
    return {rule.id: rule.said for heading in rulebook(box, mode, language) for rule in heading.rules}
