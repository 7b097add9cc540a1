"""What is told about The Tomb Raiders while it is played, and how its box is set up."""

from __future__ import annotations

from collections.abc import Callable

from companion.game import Setup
from companion.games.tomb_raiders.box import TombRaidersBox
from companion.games.tomb_raiders.moves import Dig, Donate, Exhibit, Play, Take
from companion.games.tomb_raiders.state import GENERAL, LIKE_GENERAL, TombTable
from companion.lessons import Exercise, Lesson, Moment, SetUpStep, TeachingCourse

NEARLY = 2
"""Points of expertise from which somebody is told of the professors."""
CHANCE = "It is told when such a card is in storage or in its owner's hand, which chance may not bring."


def _has(*kinds: str) -> Callable[[Moment], bool]:
    """Whether a card of these kinds is in storage, in the hand or before it, as far as the reader sees."""

    def there(moment: Moment) -> bool:
        table: TombTable = moment.table
        cards = (*(card for card in table.state.storage if card), *table.mine.hand, *table.mine.cards)
        return any(table.terms.cards[card].kind in kinds for card in cards if card in table.terms.cards)

    return there


_like_general = _has(LIKE_GENERAL)


def _general_excavation(moment: Moment) -> bool:
    """Whether there is a card in sight that is good for a dig in any region: everybody may begin with one."""
    table: TombTable = moment.table
    return GENERAL in table.mine.hand or (moment.for_all and GENERAL in table.terms.hand) or _like_general(moment)


def _behind(moment: Moment) -> bool:
    """Whether somebody has a point for weeks that were not used."""
    table: TombTable = moment.table
    weeks = table.state.track.times
    return max(weeks) - min(weeks) >= table.terms.box.score.weeks_per_point_behind


def _exhibition_shown(moment: Moment) -> bool:
    return any(card in moment.table.terms.exhibitions for card in moment.table.state.shown)


def _museum_shown(moment: Moment) -> bool:
    return any(card in moment.table.terms.museums for card in moment.table.state.shown)


def _own_hand(moment: Moment) -> bool:
    """Whether the reader sees the hand."""
    return not moment.for_all


def _expert(moment: Moment) -> bool:
    return any(max(each.expertise.values()) >= NEARLY for each in moment.table.state.seats)


def _begun(moment: Moment) -> bool:
    return bool(moment.table.mine.cards or moment.table.at)


def _knows_nothing(moment: Moment) -> bool:
    return not any(moment.table.mine.expertise.values())


def _can_dig(moment: Moment) -> bool:
    """Whether the hand can dig; on a screen for all, whether it knows enough to."""
    known = not _knows_nothing(moment)
    return known and (moment.for_all or moment.may(Dig))


def _choosing(moment: Moment) -> bool:
    return bool(moment.table.choosing)


LESSONS = (
    Lesson("aim", ("TTR-72", "TTR-71"), anytime=True, lights="seats"),
    Lesson(
        "choosing",
        ("TTR-32",),
        when=_choosing,
        now=True,
        lights="ask",
        seldom="It takes tomb raiders that were played.",
        fleeting=True,
    ),
    Lesson("take", ("TTR-20", "TTR-21"), act=Take, now=True, lights="tr-storage"),
    Lesson("dig", ("TTR-42",), when=_can_dig, now=True, lights="tr-piles", fleeting=True),
    Lesson(
        "exhibit",
        ("TTR-60",),
        act=Exhibit,
        now=True,
        lights="tr-can-hold",
        seldom="It takes the artifacts that an exhibition asks for.",
        fleeting=True,
    ),
    Lesson(
        "donate",
        ("TTR-61",),
        act=Donate,
        now=True,
        lights="tr-can-give",
        seldom="It takes the artifacts that a museum asks for.",
        fleeting=True,
    ),
    Lesson("expertise", ("TTR-40",), anytime=True, lights="tr-piles"),
    Lesson("turn", ("TTR-01", "TTR-02", "TTR-03"), lights="track", fleeting=True),
    Lesson("thief", ("TTR-31", "TTR-36"), when=_has("thief"), anytime=True, lights="tr-storage", seldom=CHANCE),
    Lesson("raiders", ("TTR-32",), when=_has("tomb_raiders"), anytime=True, lights="tr-storage", seldom=CHANCE),
    Lesson("scientist", ("TTR-33",), when=_has("scientist"), anytime=True, lights="tr-storage", seldom=CHANCE),
    Lesson("assistant", ("TTR-34",), when=_has("assistant"), anytime=True, lights="tr-storage", seldom=CHANCE),
    Lesson("congress", ("TTR-71", "TTR-73"), when=_has("congress"), anytime=True, lights="tr-storage", seldom=CHANCE),
    Lesson("general_knowledge", ("TTR-41",), when=_has("general"), anytime=True, lights="tr-storage", seldom=CHANCE),
    Lesson("for_any", ("TTR-35",), when=_general_excavation, anytime=True, lights="tr-storage", seldom=CHANCE),
    Lesson(
        "action_card",
        ("TTR-30",),
        act=Play,
        lights="tr-hand",
        seldom="It takes an action card in the hand.",
        fleeting=True,
    ),
    Lesson(
        "hand", ("TTR-80",), when=_own_hand, lights="tr-hand", seldom="It is told on a phone; a tablet shows no hand."
    ),
    Lesson("knowledge", ("TTR-41",), when=_can_dig, lights="knows"),
    Lesson("drawn", ("TTR-43",), line="find", lights="tr-piles"),
    Lesson("behind", ("TTR-71",), when=_behind, anytime=True, lights="seats"),
    Lesson("professor", ("TTR-50", "TTR-51"), when=_expert, anytime=True, lights="professor"),
    Lesson(
        "exhibition",
        ("TTR-60", "TTR-62"),
        when=_exhibition_shown,
        lights="points",
        seldom="None may lie on display yet.",
    ),
    Lesson("museum", ("TTR-61",), when=_museum_shown, lights="gift", seldom="None may lie on display yet."),
    Lesson("uncounted", ("TTR-13",), when=_begun, lights="tr-piles"),
    Lesson("end", ("TTR-70",), when=_begun, lights="deck"),
)

UNTAUGHT = {
    "TTR-10": "set-up",
    "TTR-11": "set-up",
    "TTR-12": "by itself",
    "TTR-44": "example",
    "TTR-81": "variant",
}


def _hands(setup: Setup, box: TombRaidersBox) -> dict[str, int]:
    given = box.hands[len(setup.seats)]
    return {"n": given.per_region, "general": given.general}


SETTING_UP = (
    SetUpStep("track", ("track",)),
    SetUpStep("stack", ("track",), "start"),
    SetUpStep("professors", ("professors",)),
    SetUpStep("hands", ("mine",), "cards", facts=_hands),
    SetUpStep("shuffle", ("draw",), "cards"),
    SetUpStep("turn_up", ("draw", "storage", "piles", "display"), "cards"),
    SetUpStep("stop", ("storage", "draw"), "cards"),
)

PLAN = {
    "professors": (2, 2, 40, 18),
    "display": (44, 2, 54, 18),
    "piles": (2, 22, 78, 18),
    "draw": (82, 22, 16, 18),
    "storage": (20, 42, 60, 18),
    "track": (2, 62, 96, 18),
    "mine": (2, 82, 96, 16),
}

FIRST = 100
"""More than any weeks: what a card is goes before what it costs."""


def _learns(table: TombTable, act: Take) -> float:
    """Expertise, most of all in a region that the hand knows already; the cheapest first."""
    card = table.terms.cards[act.card]
    knows = card.kind == "expertise" and table.mine.expertise.get(card.region or "", 0) > 0
    return FIRST * (card.kind == "expertise") + FIRST * knows - (act.price(table) or 0)


def _takes(table: TombTable, act: Take) -> tuple[str, ...]:
    return ("tab:cards", f"storage:{table.state.storage.index(act.card)}:{act.card}", "do-it")


def _knows(table: TombTable, act: Dig) -> float:
    return FIRST * table.mine.expertise.get(act.region, 0) - (act.price(table) or 0)


def _digs(table: TombTable, act: Dig) -> tuple[str, ...]:
    return ("tab:piles", f"pile:{act.region}", "do-it")


EXERCISES = (
    Exercise("take", Take, _takes, _learns),
    Exercise("take_more", Take, _takes, _learns),
    Exercise("dig", Dig, _digs, _knows),
)

COURSE = TeachingCourse(LESSONS, UNTAUGHT, SETTING_UP, PLAN, EXERCISES)
