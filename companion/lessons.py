"""Lessons: what is told about a game while it is played, each when it first matters, to whom it concerns.

A game lists its lessons in `lessons.py`; their sentences are `lesson.<id>` in its words. What is due follows from the
table as its reader sees it, so no lesson can tell what is secret. What somebody has been told is kept on their device.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, NamedTuple

import msgspec
from msgspec import NODEFAULT, structs

from companion.game import AnyGame, Setup, State, Step, Turn
from companion.parts import Act, Facts, TableView
from companion.refusals import Illegal, Refusal

LINES = 12
"""So many of the newest lines of the log a lesson looks at: what has just happened on a screen."""


class SeenLine(NamedTuple):
    """A line of the log as its reader has it, and whose doing it was."""

    seat: int | None
    facts: Facts


class Moment:
    """What a lesson is judged by.

    :param table: as its reader sees it; the hand is the reader's, on a shared screen that of whoever is asked.
    :param reader: the seat that reads; None is a screen for all.
    :param asked: whether that hand is asked for a move.
    :param lines: the newest lines of the log, oldest first.
    """

    def __init__(self, game: Any, table: Any, reader: int | None, asked: bool, lines: Sequence[SeenLine] = ()) -> None:
        self.game = game
        self.table = table
        self.reader = reader
        self.asked = asked
        self.lines = tuple(lines)

    @cached_property
    def listed(self) -> tuple[Act[Any], ...]:
        """The moves that the hand may make now, as far as its reader sees."""
        return tuple(self.game.listed(self.table)) if self.asked else ()

    @cached_property
    def open(self) -> frozenset[type[Act[Any]]]:
        """Their kinds."""
        return frozenset(map(type, self.listed))

    def may(self, kind: type[Act[Any]]) -> bool:
        """Whether the hand may make such a move now, as far as its reader sees."""
        return kind in self.open

    def happened(self, type_: str, fits: Callable[[Facts], bool] = lambda facts: True) -> bool:
        """Whether the newest lines have one of this type that is the reader's own doing, or nobody's."""
        return any(
            line.facts.get("type") == type_ and fits(line.facts) and (line.seat in (None, self.reader) or self.for_all)
            for line in self.lines
        )

    @property
    def for_all(self) -> bool:
        """Whether it is read on a screen for all."""
        return self.reader is None


def always(moment: Moment) -> bool:
    """Whenever its reader is asked."""
    return True


class Lesson(msgspec.Struct, frozen=True):
    """Something to be told once.

    :param id: its sentences are `lesson.<id>.said` and `lesson.<id>.why` in the words of the game.
    :param rules: those of the ledger that it tells; the first is the one to read on.
    :param when: whether the moment is one in which it matters.
    :param act: it is told to whoever may make such a move.
    :param line: it is told to whoever's doing such a line of the log is.
    :param anytime: also to somebody who is not asked.
    :param now: its moment passes: it is told even where another lesson has just been.
    :param fleeting: it is true only while it is due: it goes unread when it is not, and comes again.
    :param lights: what is lit on the board: a name that the board gives one of its parts.
    :param seldom: why the moment may not come in the first half of a game; "" where it does.
    """

    id: str
    rules: tuple[str, ...]
    when: Callable[[Any], bool] = always
    act: type[Act[Any]] | None = None
    line: str = ""
    anytime: bool = False
    now: bool = False
    fleeting: bool = False
    lights: str = ""
    seldom: str = ""

    def is_due(self, moment: Moment) -> bool:
        """Whether it may be told now."""
        if not (moment.asked or self.anytime or self.line):
            return False
        if self.line and not moment.happened(self.line):
            return False
        return self.when(moment) and (self.act is None or moment.may(self.act))


def any_way(table: Any, act: Any) -> float:
    """One is as good as another."""
    return 0


class Exercise(msgspec.Struct, frozen=True):
    """A move of the first round of a small game, to which one who learns alone is led press by press; its sentences are
    `exercise.<id>` in the words of the game: what to press, and why.

    :param act: it is done by such a move, or by one of those `instead`.
    :param lights: what is pressed for a move, the last of it last: names that the board gives its parts.
    :param best: how good a move of the kind is to begin with; to the best of those that can be made one is led.
    """

    id: str
    act: type[Act[Any]]
    lights: Callable[[Any, Any], tuple[str, ...]]
    best: Callable[[Any, Any], float] = any_way
    instead: tuple[type[Act[Any]], ...] = ()

    def is_done_by(self, move: object) -> bool:
        """Whether a move is one that was asked for."""
        return isinstance(move, (self.act, *self.instead))

    def move(self, moment: Moment) -> Act[Any] | None:
        """The move that is led to now; None where none of the kind can be made yet."""
        open_ = (act for act in moment.listed if isinstance(act, self.act))
        return max(open_, key=lambda act: self.best(moment.table, act), default=None)

    def way(self, moment: Moment | None) -> tuple[str, ...]:
        """What is to be pressed for it."""
        move = self.move(moment) if moment else None
        return self.lights(moment.table, move) if moment and move else ()


class SetUpStep(msgspec.Struct, frozen=True):
    """A step of setting up the real box; its sentence is `setting_up.<id>` in the words of the game.

    :param places: the parts of the table's plan that it is about.
    :param randomizer: it is skipped where the companion is that one.
    :param fits: whether it is a step for so many players.
    :param facts: what fills the sentence, by how the table is laid and the box.
    """

    id: str
    places: tuple[str, ...]
    randomizer: str = ""
    fits: Callable[[int], bool] = lambda players: True
    facts: Callable[[Setup, Any], dict[str, int]] = lambda setup, box: {}


Place = tuple[int, int, int, int]
"""Where something lies on the plan of the table: left, top, width and height in hundredths."""


class TeachingCourse(msgspec.Struct, frozen=True):
    """All that teaches a game.

    :param lessons: the more pressing first.
    :param untaught: the rules of the ledger that have no lesson, and why: one of `REASONS`.
    :param rest: so many moves of the table lie between two lessons that can wait.
    :param exercises: the moves that one who learns alone is led to, one after another.
    :param setting_up: the steps of setting up the real box.
    :param plan: where things lie then, by their names.
    """

    lessons: tuple[Lesson, ...]
    untaught: Mapping[str, str]
    setting_up: tuple[SetUpStep, ...] = ()
    plan: Mapping[str, Place] = {}
    exercises: tuple[Exercise, ...] = ()
    rest: int = 1


REASONS = {
    "set-up": "It is done before the first move, and told while the box is set up.",
    "by itself": "Digside does it, or keeps count of it; nobody decides by it, and the log tells it.",
    "figures": "It is a number that the screen shows where it matters.",
    "example": "It is an example of another rule.",
    "variant": "It holds for a variant; whoever chooses that reads what it does there.",
    "shown": "The screen shows it where it holds, with the sentence of the rule one press away.",
}
"""Why a rule needs no lesson."""


def moment_of(
    game: AnyGame, state: State, eyes: int | None, lines: Sequence[SeenLine] = (), bots: Collection[int] = ()
) -> Moment | None:
    """The moment as somebody sees it; None where nobody is asked for a move.

    :param bots: the seats that play by themselves: where only such are asked, nobody at a screen for all is.
    """
    ask = game.ask(state)
    if not isinstance(ask, Turn):
        return None
    people = [seat for seat in ask.seats if seat not in bots]
    seat = (people or ask.seats)[0] if eyes is None else eyes
    look: Any = game
    table: TableView[Any, Any] = look.as_seen(state, eyes, seat)
    return Moment(game, table, eyes, seat in people, lines[-LINES:])


def due(course: TeachingCourse, moment: Moment | None, told: Collection[str] = ()) -> list[Lesson]:
    """The lessons that may be told now, but for those that were told before; the most pressing first."""
    return [
        lesson for lesson in course.lessons if lesson.id not in told and moment is not None and lesson.is_due(moment)
    ]


def line_of(game: AnyGame, before: State, step: Step, eyes: int | None, seat: int | None) -> SeenLine:
    """The line of a step as somebody reads it."""
    return SeenLine(seat, game.tells(before, step, eyes))


def steps_for(course: TeachingCourse, setup: Setup) -> list[SetUpStep]:
    """The steps of setting up the box for a table; none where all of it is played on Digside."""
    if "table" not in setup.sources.values():
        return []
    players = len(setup.seats)
    return [
        step
        for step in course.setting_up
        if step.fits(players) and (not step.randomizer or setup.source(step.randomizer) == "table")
    ]


def lesson_by_rule(course: TeachingCourse | None) -> Mapping[str, Lesson]:
    """For each rule the lesson that is about it first of all, or beside others."""
    lessons = course.lessons if course else ()
    beside = {rule: lesson for lesson in reversed(lessons) for rule in lesson.rules[1:]}
    return beside | {lesson.rules[0]: lesson for lesson in reversed(lessons)}


class Possibility(NamedTuple):
    """A kind of move, as it stands for whoever is asked.

    :param ways: in how many ways it can be made; `more` where these are only some of them.
    :param costs: what it costs at least and at most, in the unit of the game; nothing where it costs nothing.
    :param barred: why it cannot be made, or not in other ways: each refusal once.
    """

    type: str
    ways: int
    more: bool
    costs: tuple[int, ...]
    barred: tuple[Refusal, ...]


SAID = 3
"""So many reasons against a kind of move are told."""
TRIED = 200
"""So many moves of a kind are tried for the reasons against it."""


def possibilities(game: AnyGame, moment: Moment) -> list[Possibility]:
    """What the hand can do now, from the acts themselves: those that it can do first."""
    kinds = [kind for kind in game.offered() if issubclass(kind, Act)]
    found = [
        Possibility(_named(kind), 0, True, (), (Illegal("evening.teach.in_hand"),))
        if _in_hand(kind, moment)
        else _possibility(kind, moment)
        for kind in kinds
    ]
    return sorted(found, key=lambda each: not each.ways)


def _in_hand(kind: type[Act[Any]], moment: Moment) -> bool:
    """Whether a screen for all cannot tell if such a move is possible."""
    return kind.from_hand and moment.for_all


def _is_plain(act: Act[Any]) -> bool:
    """Whether nothing is said with it that need not be: what bars those tells most."""
    return all(getattr(act, name) == value for name, value in _defaults(type(act)))


@cache
def _defaults(kind: type[Act[Any]]) -> tuple[tuple[str, object], ...]:
    """The fields that need not be said, and what they are then."""
    return tuple((each.name, each.default) for each in structs.fields(kind) if each.default is not NODEFAULT)


def _named(kind: type[Act[Any]]) -> str:
    return str(kind.__struct_config__.tag)


def _possibility(kind: type[Act[Any]], moment: Moment) -> Possibility:
    table = moment.table
    open_ = [act for act in moment.listed if type(act) is kind]
    costs = [cost for act in open_ if (cost := act.price(table)) is not None]
    ends = (min(costs), max(costs)) if costs else ()
    thinkable = list(kind.thinkable(table))
    plain = list(filter(_is_plain, thinkable))
    barred = _barring(plain, table) or ({} if open_ else _barring(thinkable, table))
    return Possibility(_named(kind), len(open_), kind.is_sampled(table), ends, tuple(barred.values())[:SAID])


def _barring(acts: Sequence[Act[Any]], table: Any) -> dict[str, Refusal]:
    """Why some moves cannot be made: each sort of reason once."""
    found: dict[str, Refusal] = {}
    for act in acts[:TRIED]:
        if (refusal := act.why_not(table)) is not None:
            found.setdefault(refusal.key, refusal)
    return found
