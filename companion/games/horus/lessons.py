"""What is told about The Pyramid of Horus while it is played, and how its box is set up."""

from __future__ import annotations

from collections.abc import Callable

from companion.game import Setup
from companion.games.horus.box import HorusBox
from companion.games.horus.cards import EQUIPMENT, IDOL, WOUNDS, kind
from companion.games.horus.moves import Discard, Enter, Jump, Loot, Open, Pack, Pick, Ready, Search, Step
from companion.games.horus.pyramid import Pyramid
from companion.games.horus.state import OUTSIDE
from companion.games.horus.uses import Use
from companion.lessons import Exercise, Lesson, Moment, SetUpStep, TeachingCourse

FAR = "A figure has to stand there, and the way is long: many turn back before."
FULL = 8
"""Cards before somebody from which it is told how many are too many."""


def _holds(*kinds: str) -> Callable[[Moment], bool]:
    """Whether the hand has a card of these kinds."""

    def there(moment: Moment) -> bool:
        return any(kind(card) in kinds for card in moment.table.mine.cards)

    return there


def _many_cards(moment: Moment) -> bool:
    return len(moment.table.mine.cards) >= FULL


def _can_leave(moment: Moment) -> bool:
    table: Pyramid = moment.table
    return moment.asked and Step(OUTSIDE).why_not(table) is None


def _acting(moment: Moment) -> bool:
    return moment.asked and bool(moment.table.state.phase == "acting")


def _further(moment: Moment) -> bool:
    """Whether the first round is over: then it is told what lies deeper inside."""
    return _acting(moment) and bool(moment.table.state.round > 1)


def _nearly_done(moment: Moment) -> bool:
    """Whether what follows on the actions comes soon."""
    return _further(moment) or (_acting(moment) and bool(moment.table.mine.actions <= 1))


def _before_the_roll(moment: Moment) -> bool:
    """Whether the first roll is near: the reader has chosen, or is the last to."""
    state = moment.table.state
    waiting = sum(each.fate == "waiting" for each in state.adventurers)
    return bool(state.phase == "entering") and (waiting == 1 or not (moment.asked or _waits(moment)))


def _waits(moment: Moment) -> bool:
    """Whether the reader has not chosen an adventurer yet."""
    return moment.for_all or bool(moment.table.mine.fate == "waiting")


def _carries(moment: Moment) -> bool:
    return bool(moment.table.mine.cards)


def _chest(moment: Moment) -> bool:
    """Whether the reader holds a chest, or all have just seen one."""
    shown = moment.table.state.shown
    return _holds("chest")(moment) or (shown is not None and kind(shown.card) == "chest")


def _block_lies(moment: Moment) -> bool:
    return _acting(moment) and bool(moment.table.state.fallen)


def _can(moment: Moment) -> bool:
    table: Pyramid = moment.table
    return bool(table.ability(table.seat)) and table.state.phase == "acting"


LESSONS = (
    Lesson("aim", ("HOR-63", "HOR-61", "HOR-62"), anytime=True, lights="seats"),
    Lesson(
        "jump", ("HOR-50",), act=Jump, now=True, lights="ask", seldom="A block has to fall on somebody.", fleeting=True
    ),
    Lesson(
        "too_many",
        ("HOR-12",),
        act=Discard,
        now=True,
        lights="ask",
        seldom="It takes a thirteenth card.",
        fleeting=True,
    ),
    Lesson("enter", ("HOR-01",), act=Enter, now=True, lights="ask", fleeting=True),
    Lesson("dice", ("HOR-20", "HOR-10"), when=_before_the_roll, anytime=True, now=True, lights="ask"),
    Lesson("lighter", ("HOR-11", "HOR-10", "HOR-15"), act=Ready, now=True, lights="ask"),
    Lesson("open", ("HOR-33",), act=Open, now=True, lights="open", seldom=FAR, fleeting=True),
    Lesson("loot", ("HOR-33",), act=Loot, now=True, lights="loot", seldom=FAR, fleeting=True),
    Lesson("pick", ("HOR-34", "HOR-35", "HOR-36"), act=Pick, now=True, lights="pick", seldom=FAR, fleeting=True),
    Lesson("step", ("HOR-31",), act=Step, now=True, lights="walk"),
    Lesson("level", ("HOR-10", "HOR-12"), when=_carries, anytime=True, lights="level"),
    Lesson("search", ("HOR-32", "HOR-82"), act=Search, lights="search"),
    Lesson("round", ("HOR-03", "HOR-30"), when=_acting, lights="seats"),
    Lesson("use", ("HOR-70",), act=Use, lights="ask", fleeting=True),
    Lesson("mummies", ("HOR-40",), when=_nearly_done, lights="mummy"),
    Lesson("block", ("HOR-50",), when=_nearly_done, lights="pile"),
    Lesson("ability", (*(f"HOR-{n}" for n in range(70, 79)), "HOR-51"), when=_can, lights="seats", fleeting=True),
    Lesson("chest", ("HOR-62",), when=_chest, anytime=True, lights="seats", seldom="It takes a chest."),
    Lesson("cursed", ("HOR-20", "HOR-21"), when=_holds(IDOL), lights="idol", seldom="It takes an idol.", fleeting=True),
    Lesson("equipment", ("HOR-70", "HOR-35", "HOR-51"), when=_holds(*EQUIPMENT), anytime=True, lights="seats"),
    Lesson("bitten", ("HOR-12", "HOR-10"), when=_holds(*WOUNDS), anytime=True, lights="level", fleeting=True),
    Lesson("leave", ("HOR-60",), when=_further, lights="way-in"),
    Lesson("touch", ("HOR-42",), when=_further, lights="mummy"),
    Lesson("sealed", ("HOR-52", "HOR-53"), when=_block_lies, lights="fallen"),
    Lesson("tombs", ("HOR-33",), when=_further, lights="hor-tomb"),
    Lesson("locks", ("HOR-34",), when=_further, lights="hor-alcove"),
    Lesson("idols", ("HOR-37", "HOR-21", "HOR-62"), when=_further, lights="hor-alcove"),
    Lesson("satchel", ("HOR-13",), when=_holds("satchel"), lights="seats", fleeting=True),
    Lesson("pack", ("HOR-13",), act=Pack, lights="ask", seldom="It takes a satchel in total secrecy.", fleeting=True),
    Lesson("full", ("HOR-12", "HOR-43"), when=_many_cards, anytime=True, lights="level", seldom="It takes many cards."),
    Lesson("out", ("HOR-60",), when=_can_leave, lights="ask", fleeting=True),
    Lesson(
        "turned",
        ("HOR-45", "HOR-43"),
        when=lambda moment: any(each.seat >= 0 for each in moment.table.state.mummies),
        anytime=True,
        lights="mummy",
        seldom="Somebody has to turn into a mummy.",
    ),
)

UNTAUGHT = {
    "HOR-02": "set-up",
    "HOR-14": "example",
    "HOR-22": "example",
    "HOR-38": "example",
    "HOR-39": "example",
    "HOR-41": "example",
    "HOR-44": "figures",
    "HOR-80": "variant",
    "HOR-81": "variant",
}


def _blocks(setup: Setup, box: HorusBox) -> dict[str, int]:
    return {"n": len(box.plan.blocks)}


SETTING_UP = (
    SetUpStep("board", ("board",)),
    SetUpStep("mummies", ("board",)),
    SetUpStep("tombs", ("board",), "sarcophagi"),
    SetUpStep("decks", ("decks",), "search"),
    SetUpStep("idols", ("board",)),
    SetUpStep("blocks", ("blocks",), "blocks", facts=_blocks),
    SetUpStep("dice", ("dice",), "action_dice"),
    SetUpStep("figures", ("mine",)),
)

PLAN = {
    "board": (4, 4, 62, 68),
    "decks": (70, 4, 28, 24),
    "blocks": (70, 32, 28, 18),
    "dice": (70, 54, 28, 18),
    "mine": (14, 78, 72, 18),
}


def _inwards(table: Pyramid, act: Step) -> float:
    """Away from the entrances."""
    return -float(act.to in (OUTSIDE, *table.terms.plan.exits))


EXERCISES = (
    Exercise("enter", Enter, lambda table, act: (f"who:{act.adventurer}", f"square:{act.square}", "begin")),
    Exercise("search", Search, lambda table, act: ("search",)),
    Exercise("search_on", Search, lambda table, act: ("search",)),
    Exercise("step", Step, lambda table, act: (f"square:{act.to}", "walk"), _inwards),
)

COURSE = TeachingCourse(LESSONS, UNTAUGHT, SETTING_UP, PLAN, EXERCISES, rest=2)
