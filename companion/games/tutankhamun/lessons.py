"""What is told about Tutankhamun while it is played, and how its box is set up."""

from __future__ import annotations

from companion.game import Setup
from companion.games.tutankhamun.box import TutankhamunBox
from companion.games.tutankhamun.layers import OBELISK, SNAKE
from companion.games.tutankhamun.moves import Barricade, Dig, Lay, NoBarricade, Pass, Scarab, Stop
from companion.games.tutankhamun.state import NOWHERE
from companion.games.tutankhamun.tray import TutankhamunTable
from companion.lessons import Exercise, Lesson, Moment, SetUpStep, TeachingCourse

FEW = 8
"""So many cards in the tray are the end of it."""
PIECES = frozenset((*OBELISK.pieces, *SNAKE.pieces))


def _uncovered(moment: Moment, sign: int) -> bool:
    """Whether the reader has just uncovered a card that is worth more than nothing, or less."""
    last = moment.table.state.last
    return last is not None and last.points * sign > 0 and (moment.for_all or last.seat == moment.reader)


def _good(moment: Moment) -> bool:
    return _uncovered(moment, 1)


def _bad(moment: Moment) -> bool:
    return _uncovered(moment, -1)


def _picture_open(moment: Moment) -> bool:
    state = moment.table.state
    return any(state.top(at) in PIECES for at in range(len(state.depths)))


def _square_closed(moment: Moment) -> bool:
    state = moment.table.state
    return any(at != NOWHERE and seat != moment.table.seat for seat, at in enumerate(state.standing))


def _digging(moment: Moment) -> bool:
    table: TutankhamunTable = moment.table
    return table.state.phase == "digging"


def _has_dug(moment: Moment) -> bool:
    return bool(moment.table.state.digs)


def _open_below(moment: Moment) -> bool:
    return any(depth < len(moment.table.terms.kinds) for depth in moment.table.state.depths)


def _one_left(moment: Moment) -> bool:
    return _digging(moment) and 1 in moment.table.state.depths


def _few_left(moment: Moment) -> bool:
    return _digging(moment) and sum(moment.table.state.depths) <= FEW


LESSONS = (
    Lesson("aim", ("TUT-21",), anytime=True, lights="seats"),
    Lesson("dig", ("TUT-12",), act=Dig, now=True, lights="tut-tray"),
    Lesson("scarab", ("TUT-11",), act=Scarab, lights="scarab"),
    Lesson("pass", ("TUT-15",), act=Pass, lights="ask"),
    Lesson("bad", ("TUT-14",), when=_bad, anytime=True, now=True, lights="tut-tray"),
    Lesson("good", ("TUT-13",), when=_good, anytime=True, lights="ask"),
    Lesson("stop", ("TUT-13",), act=Stop, when=_has_dug, now=True, lights="ask", fleeting=True),
    Lesson("barricade", ("TUT-16",), act=Barricade, now=True, lights="barricade", fleeting=True),
    Lesson(
        "closed",
        ("TUT-16",),
        when=_square_closed,
        lights="tut-tray",
        seldom="Somebody has to set a barricade.",
        fleeting=True,
    ),
    Lesson("remember", ("TUT-40", "TUT-02"), when=_open_below, lights="tut-tray"),
    Lesson("pictures", ("TUT-04",), when=_picture_open, lights="tut-tray"),
    Lesson(
        "lay",
        ("TUT-03", "TUT-04"),
        act=Lay,
        lights="ask",
        seldom="It takes a table where people lay the layers.",
        fleeting=True,
    ),
    Lesson("bare", ("TUT-17",), when=_one_left, lights="tut-tray", seldom="It takes a square that is nearly bare."),
    Lesson("end", ("TUT-20",), when=_few_left, lights="tut-tray", seldom="It belongs to the end of the game."),
)

UNTAUGHT = {
    "TUT-01": "set-up",
    "TUT-05": "set-up",
    "TUT-10": "by itself",
    "TUT-30": "shown",
    "TUT-31": "by itself",
}


def _purse(setup: Setup, box: TutankhamunBox) -> dict[str, int]:
    begins = box.purse
    return {
        "silver": begins.silver,
        "gold": begins.gold,
        "scarabs": begins.scarabs,
        "barricades": begins.barricades,
        "worth": begins.gold_in_silver,
    }


SETTING_UP = (
    SetUpStep("purses", ("mine",), facts=_purse),
    SetUpStep("sort", ("layers",), "cards"),
    SetUpStep("first_layer", ("tray", "layers"), "cards"),
    SetUpStep("middle_layers", ("tray", "layers"), "cards"),
    SetUpStep("top_layer", ("tray",), "cards"),
    SetUpStep("turn_tray", ("tray",), "cards"),
)

PLAN = {
    "tray": (4, 6, 54, 66),
    "layers": (64, 6, 32, 34),
    "bank": (64, 46, 32, 26),
    "mine": (14, 78, 72, 18),
}


def _on_blank(table: TutankhamunTable, act: Dig | Barricade) -> float:
    """Where no card has been lifted yet."""
    return table.state.depths[table.at(act.square)]


def _square(table: TutankhamunTable, act: Dig | Barricade) -> tuple[str, ...]:
    return (f"square:{act.square}", "tut-lift")


EXERCISES = (
    Exercise("dig", Dig, _square, _on_blank),
    Exercise("dig_on", Dig, _square, _on_blank),
    Exercise("stop", Stop, lambda table, act: ("stop",)),
    Exercise("barricade", Barricade, _square, _on_blank, (NoBarricade,)),
    Exercise("scarab", Scarab, lambda table, act: ("tut-lay-scarab",)),
)

COURSE = TeachingCourse(LESSONS, UNTAUGHT, SETTING_UP, PLAN, EXERCISES)
