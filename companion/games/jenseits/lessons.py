"""What is told about Jenseits von Theben while it is played, and how its box is set up."""

from __future__ import annotations

from collections.abc import Callable

from companion.game import Setup
from companion.games.jenseits.box import JenseitsBox
from companion.games.jenseits.moves import Dig, Exhibit, Refresh, Take
from companion.games.jenseits.state import JenseitsTable
from companion.lessons import Exercise, Lesson, Moment, SetUpStep, TeachingCourse

SOON = 12
"""Weeks before the end from which it is told how the end comes."""
CHANCE = "It is told when such a card lies open or before its owner; few are in the box, so they may come up late."
LATE = "It belongs to the end of the game."


def _has(*kinds: str) -> Callable[[Moment], bool]:
    """Whether a card of these kinds lies open, or before the hand."""

    def there(moment: Moment) -> bool:
        table: JenseitsTable = moment.table
        cards = (*(card for card in table.state.open if card), *table.mine.cards)
        return any(table.terms.counting[card][0] in kinds for card in cards)

    return there


def _knows_nothing(moment: Moment) -> bool:
    return not any(moment.table.mine.counts.books.values())


def _travelled(moment: Moment) -> bool:
    table: JenseitsTable = moment.table
    return table.mine.place != table.terms.home or bool(table.mine.cards)


def _holds_cards(moment: Moment) -> bool:
    return bool(moment.table.mine.cards)


def _things_to_show(moment: Moment) -> bool:
    return any(moment.table.state.shown) or bool(moment.table.mine.finds)


def _somebody_knows(moment: Moment) -> bool:
    table: JenseitsTable = moment.table
    return any(any(each.counts.books.values()) for each in table.state.seats)


def _first_find_waits(moment: Moment) -> bool:
    return bool(moment.table.state.first_finds) and moment.may(Dig)


def _used_a_permit(moment: Moment) -> bool:
    return bool(moment.table.mine.turned)


def _new_year(moment: Moment) -> bool:
    table: JenseitsTable = moment.table
    return table.at // table.terms.calendar.weeks > table.terms.begin // table.terms.calendar.weeks


def _end_is_near(moment: Moment) -> bool:
    return bool(moment.table.left <= SOON)


LESSONS = (
    Lesson("aim", ("JVT-62", "JVT-60"), anytime=True, lights="seats"),
    Lesson("take", ("JVT-22",), act=Take, now=True, lights="open-cards"),
    Lesson("dig", ("JVT-42", "JVT-33"), act=Dig, now=True, lights="map-place", fleeting=True),
    Lesson("turn", ("JVT-04", "JVT-01", "JVT-05", "JVT-03"), lights="track", fleeting=True),
    Lesson("books", ("JVT-41", "JVT-30"), when=_knows_nothing, lights="open-cards"),
    Lesson("congress", ("JVT-60",), when=_has("congress"), anytime=True, lights="open-cards"),
    Lesson("assistant", ("JVT-31", "JVT-30"), when=_has("assistant"), anytime=True, lights="open-cards"),
    Lesson("shovel", ("JVT-43",), when=_has("shovel"), anytime=True, lights="open-cards"),
    Lesson("open_book", ("JVT-32",), when=_has("open_book"), anytime=True, lights="open-cards"),
    Lesson("ethnology", ("JVT-30", "JVT-25"), when=_has("ethnology"), anytime=True, lights="open-cards"),
    Lesson("car", ("JVT-12",), when=_has("car"), anytime=True, lights="open-cards", seldom=CHANCE),
    Lesson("zeppelin", ("JVT-13",), when=_has("zeppelin"), anytime=True, lights="open-cards", seldom=CHANCE),
    Lesson(
        "special_permit",
        ("JVT-40",),
        when=_has("special_permit"),
        anytime=True,
        lights="open-cards",
        seldom=CHANCE,
    ),
    Lesson("first_find", ("JVT-45",), when=_first_find_waits, lights="first_find"),
    Lesson("tokens", ("JVT-44",), line="token", lights="bag"),
    Lesson("permit", ("JVT-40",), act=Dig, lights="permit_good"),
    Lesson("permit_used", ("JVT-46",), when=_used_a_permit, lights="permit_gone", fleeting=True),
    Lesson(
        "exhibit",
        ("JVT-50",),
        act=Exhibit,
        now=True,
        lights="points",
        seldom="It takes the objects that an exhibition asks for.",
        fleeting=True,
    ),
    Lesson("travel", ("JVT-11", "JVT-10"), when=_travelled, lights="map-place"),
    Lesson("exhibition", ("JVT-50", "JVT-51"), when=_things_to_show, lights="exhibitions"),
    Lesson("majority", ("JVT-61",), when=_somebody_knows, anytime=True, lights="seats"),
    Lesson("refresh", ("JVT-24",), when=_holds_cards, act=Refresh, lights="open-cards"),
    Lesson("new_year", ("JVT-09",), when=_new_year, lights="track", seldom="A year is a third of the game or more."),
    Lesson("end", ("JVT-06", "JVT-07", "JVT-08"), when=_end_is_near, lights="track", seldom=LATE, fleeting=True),
)

UNTAUGHT = {
    "JVT-02": "set-up",
    "JVT-20": "set-up",
    "JVT-21": "by itself",
    "JVT-23": "by itself",
    "JVT-63": "example",
    "JVT-64": "example",
}


def _start(setup: Setup, box: JenseitsBox) -> dict[str, int]:
    at = box.time.start[len(setup.seats)]
    return {"week": at.week, "year": at.year}


def _cards(setup: Setup, box: JenseitsBox) -> dict[str, int]:
    return {"n": sum(card.copies for card in box.research.cards)}


SETTING_UP = (
    SetUpStep("board", ("board",)),
    SetUpStep("figures", ("board", "track"), facts=_start),
    SetUpStep("stack", ("track",), "start"),
    SetUpStep("bags", ("bags",), "tokens"),
    SetUpStep("first_finds", ("board",), "tokens"),
    SetUpStep("cards", ("draw",), "cards", facts=_cards),
    SetUpStep("two_piles", ("draw",), "cards", lambda players: players == 2),
    SetUpStep("three_piles", ("draw",), "cards", lambda players: players > 2),
    SetUpStep("open", ("open",), "cards"),
    SetUpStep("permits", ("mine",)),
)

PLAN = {
    "board": (2, 2, 62, 54),
    "track": (2, 58, 62, 18),
    "bags": (66, 2, 32, 22),
    "draw": (66, 26, 32, 24),
    "open": (66, 52, 32, 24),
    "mine": (20, 80, 60, 18),
}

FIRST = 100
"""More than any weeks: what a card is goes before what it costs."""


def _learns(table: JenseitsTable, act: Take) -> float:
    """A book about a site that the hand knows most of, or of any; the cheapest first."""
    kind, site, _ = table.terms.counting[act.card]
    known = table.mine.counts.books.get(site, 0) if kind == "book" and site else 0
    return FIRST * (kind == "book") + FIRST * (known > 0) - (act.price(table) or 0)


def _takes(table: JenseitsTable, act: Take) -> tuple[str, ...]:
    return ("tab:cards", f"open:{table.state.open.index(act.card)}:{act.card}", "do-it")


def _knows(table: JenseitsTable, act: Dig) -> float:
    return FIRST * table.mine.counts.books.get(act.site, 0) - (act.price(table) or 0)


def _digs(table: JenseitsTable, act: Dig) -> tuple[str, ...]:
    return ("tab:dig", f"site:{act.site}", "do-it")


EXERCISES = (
    Exercise("learn", Take, _takes, _learns),
    Exercise("learn_more", Take, _takes, _learns),
    Exercise("dig", Dig, _digs, _knows),
)

COURSE = TeachingCourse(LESSONS, UNTAUGHT, SETTING_UP, PLAN, EXERCISES)
