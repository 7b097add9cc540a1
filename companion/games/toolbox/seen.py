"""What is seen of each tool of a box, as a screen is told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NotRequired, TypedDict


class ToolboxDated(TypedDict):
    """A week of the track; without a calendar it has no year."""

    week: int
    year: int | None


class ToolboxMarkerShown(ToolboxDated):
    """A seat's marker: `at` counts weeks from the first, which is 0; height 0 is the lowest of a stack."""

    seat: int
    at: int
    height: int


class ToolboxTrack(TypedDict):
    """The time track; `year` is of the marker furthest back, `next` the seats, who plays first.

    Without a calendar `end` is null. `bonus` has for each seat the points for weeks behind, where these count.
    """

    weeks: int | None
    ring: bool
    years: list[int]
    start: ToolboxDated
    end: ToolboxDated | None
    year: int | None
    markers: list[ToolboxMarkerShown]
    next: list[int]
    bonus: NotRequired[list[int]]


ToolboxDialShown = TypedDict(
    "ToolboxDialShown", {"knowledge": int, "tokens": list[int], "rows": list[list[int]], "from": str}
)
"""The dial as it is set: the tokens for 0, 1 … weeks; all it says, and where its figures are from."""

ToolboxBagShown = TypedDict(
    "ToolboxBagShown",
    {
        "bag": str,
        "colour": str,
        "left": int | None,
        "start": int,
        "inside": dict[str, int] | None,
        "from": str,
        "first": NotRequired[str | None],
        "empty": NotRequired[bool],
    },
)
"""A bag: `left` and `inside` are null where nobody may count; where piles grow, `empty` says that nothing lies there;
`first` is what lies open there for the first dig, where such things are."""


class ToolboxDrawShown(TypedDict):
    """A hand in a bag: what it has drawn, of how many."""

    bag: str
    seat: int
    of: int
    drawn: list[str]


class ToolboxFindShown(TypedDict):
    """A token that a seat has found."""

    bag: str
    token: str


class ToolboxLooking(TypedDict):
    """A seat that looks through a pile."""

    seat: int
    bag: str


ToolboxDiceShown = TypedDict(
    "ToolboxDiceShown",
    {
        "faces": int,
        "count": int,
        "colours": list[str],
        "rolled": list[int | None],
        "rolling": int,
        "mummies_from": int | None,
        "from": list[str],
        "locks": NotRequired[dict[str, list[int]]],
        "lock": NotRequired[str | None],
        "missing": NotRequired[list[int]],
    },
)
"""The dice: `rolling` is how many are still to fall, and a die that is rolled again is null. With locks, `lock` is the
one for which the dice lie, and `missing` its numbers that no die shows."""


class ToolboxBlocksShown(TypedDict):
    """The blocks that fell, and the last of them.

    Where the companion draws them, `looker` has looked at one, and `aside` says whether that falls next.
    """

    of: int
    left: int
    fallen: list[int]
    drawn: int | None
    looker: NotRequired[int | None]
    aside: NotRequired[bool]


ToolboxPlanShown = TypedDict(
    "ToolboxPlanShown",
    {
        "grid": list[list[str]],
        "walls": list[list[str]],
        "corridor": dict[str, list[str]],
        "entrances": list[str],
        "areas": dict[str, list[str]],
        "alcoves": dict[str, list[str]],
        "trapped": list[str],
        "from": str,
    },
)
"""The plan of the pyramid; `trapped` are the squares without a way out."""


class ToolboxMummyShown(TypedDict):
    """A mummy, and the squares it entered; `lying` where it lies on the ground."""

    mummy: str
    square: str
    towards: str
    stretch: str
    walked: list[str]
    lying: NotRequired[bool]


class ToolboxSquareShown(TypedDict):
    """A square of the tray: how many cards lie there, and which is open."""

    square: str
    depth: int
    top: str | None


class ToolboxTrayShown(TypedDict):
    """The tray; `house` are the cards whose worth is ours."""

    side: int
    layers: int
    squares: list[ToolboxSquareShown]
    value: dict[str, int]
    house: list[str]


ToolboxDeckShown = TypedDict(
    "ToolboxDeckShown",
    {"deck": str, "left": int, "of": int, "lidded": bool, "from": str, "searched": NotRequired[bool]},
)
"""A deck: `lidded` where its cards lie under lids, `searched` where it is searched in secret."""


class ToolboxPlaceShown(TypedDict):
    """A place for cards; one with a lid also has the seats that know what lies there, unless it is real."""

    place: str
    cards: list[str]
    lid: str | None
    readers: NotRequired[list[int]]


class ToolboxCardsShown(TypedDict):
    """The cards at places and before each seat; `over`: the clock has run out. `worth` has what cards do not bear in
    their name, `house` what of it is ours."""

    places: list[ToolboxPlaceShown]
    before: list[list[str]]
    over: bool
    worth: dict[str, int]
    house: list[str]


class ToolboxHiddenShown(TypedDict):
    """For each seat the decks whose backs lie there, in the order in which they came, and of what was laid off."""

    before: list[list[str]]
    gone: list[str]


ToolboxLoad = TypedDict(
    "ToolboxLoad", {"cards": int, "level": int, "from": str, "cursed": list[str], "actions": int | None}
)
"""What a seat carries; `actions` is null before all dice were rolled."""


class ToolboxTurnShown(TypedDict):
    """Whose turn it is, whether turn or dice are held, and how often it went on."""

    seat: int
    held: str
    passed: int


class ToolboxTakingsShown(TypedDict):
    """What lies aside, what ends a turn, and for each seat what it has; `barred` are squares, and whose barricade."""

    aside: int
    doubled: bool
    fee: int
    dangers: list[int]
    scarabs: list[int]
    barricades: list[int]
    barred: dict[str, int]


class ToolboxBoard(TypedDict, total=False):
    """The tools of a box: only those in `tools` are told.

    `ways` are the weeks from place to place, plain and by car; `permits` for each seat whether a site's lies face up;
    `levels` the level by 0, 1, 2 … cards; `gold` what a coin of gold is worth, where points are coins; `cue` what the
    shovel was last told.
    """

    tools: list[str]
    track: ToolboxTrack
    dial: ToolboxDialShown
    bags: list[ToolboxBagShown]
    drawing: ToolboxDrawShown | None
    last_draw: ToolboxDrawShown | None
    finds: list[list[ToolboxFindShown]]
    looking: ToolboxLooking | None
    dice: ToolboxDiceShown
    blocks: ToolboxBlocksShown
    plan: ToolboxPlanShown
    mummies: list[ToolboxMummyShown]
    tray: ToolboxTrayShown
    decks: list[ToolboxDeckShown]
    cards: ToolboxCardsShown
    hidden: ToolboxHiddenShown
    loads: list[ToolboxLoad]
    levels: list[int]
    permits: list[dict[str, bool]]
    ways: Mapping[str, Mapping[str, Mapping[str, int]]]
    turn: ToolboxTurnShown
    takings: ToolboxTakingsShown
    points: list[int]
    gold: int
    cue: str | None


class ToolboxPileSeen(TypedDict):
    """A pile that a seat looks through, and how many of what lie there."""

    bag: str
    cards: dict[str, int]


class ToolboxCardRead(TypedDict):
    """A card that a seat has read under a lid that is still closed."""

    place: str
    card: str


class ToolboxCardHidden(TypedDict):
    """A card that lies face down before a seat."""

    card: str
    deck: str


class ToolboxOwn(TypedDict, total=False):
    """What one seat alone may know of the tools; `block` is the one it has looked at."""

    look: ToolboxPileSeen | None
    read: list[ToolboxCardRead]
    hidden: list[ToolboxCardHidden]
    block: int


class ToolboxHelp(TypedDict, total=False):
    """What the tools can be asked before a decision: the chances of one token from each bag, and what the dial says for
    each number of weeks."""

    bags: dict[str, Mapping[str, float]]
    dial: Sequence[int]
