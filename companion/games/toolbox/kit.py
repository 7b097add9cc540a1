"""Which tools each box has, made from its figures: the one place of the toolbox that knows the boxes apart."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.boxes import AnyBox, HorusBox, JenseitsBox, TombRaidersBox, TutankhamunBox
from companion.boxes.horus_plan import PlanOfThePyramid
from companion.game import Option, Setup
from companion.games.toolbox.state import BLANK
from companion.pieces.bag import Bag
from companion.pieces.corridor import Walker
from companion.pieces.dial import Dial
from companion.pieces.plan import Plan
from companion.pieces.purse import Purse
from companion.pieces.track import Calendar

LAST_OPEN_WEEK = 999
"""A track without end stops somewhere too."""
RING = 52
COLUMNS = "abcdefghijklmnop"


class Time(msgspec.Struct, frozen=True):
    """A track of weeks; without a calendar it only counts them, from 0."""

    start: int
    end: int
    weeks: int
    calendar: Calendar | None = None
    years: tuple[int, ...] = ()


class Chart(msgspec.Struct, frozen=True):
    """The dial or chart, and where its figures are from."""

    dial: Dial
    origin: str


class DiceSet(msgspec.Struct, frozen=True):
    """The dice, one in each colour, and what moves the mummies."""

    faces: int
    colours: tuple[str, ...]
    mummies_from: int


class Pyramid(msgspec.Struct, frozen=True):
    """The plan on which blocks fall and mummies walk, and where it is from."""

    drawing: PlanOfThePyramid
    plan: Plan
    blocks: int
    mummies: dict[str, Walker]
    stretches: dict[str, str]
    origin: str


class Layers(msgspec.Struct, frozen=True):
    """The cards of a tray, layer by layer from the bottom, what each is worth, and for which that is a house figure."""

    side: int
    cards: tuple[Bag, ...]
    values: dict[str, int]
    house: tuple[str, ...]

    @property
    def squares(self) -> tuple[str, ...]:
        """The names of the squares: a column's letter and a row's number, row by row from the far side."""
        return tuple(f"{column}{row}" for row in range(1, self.side + 1) for column in COLUMNS[: self.side])


class Kit(msgspec.Struct, frozen=True, kw_only=True):
    """The tools of a box. One that it does not have is None or empty."""

    seats: tuple[str, ...]
    """The names of those at the table."""
    bags: dict[str, Bag] = {}
    colours: dict[str, str] = {}
    uncounted: bool = False
    """Nobody may know how much is in a bag (TTR-13)."""
    time: Time | None = None
    chart: Chart | None = None
    dice: DiceSet | None = None
    pyramid: Pyramid | None = None
    layers: Layers | None = None
    points: int = 0
    """What everybody's tally begins with."""

    @property
    def tools(self) -> tuple[str, ...]:
        """The names of the tools that are there."""
        there: Mapping[str, bool] = {
            "track": self.time is not None,
            "dial": self.chart is not None,
            "bags": bool(self.bags),
            "dice": self.dice is not None,
            "blocks": self.pyramid is not None,
            "mummies": self.pyramid is not None,
            "tray": self.layers is not None,
            "points": True,
            "shovel": True,
        }
        return tuple(tool for tool, is_there in there.items() if is_there)


def options(box: AnyBox) -> tuple[Option, ...]:
    """What can be chosen when a toolbox is laid out."""
    if isinstance(box, HorusBox):
        return (Option("mummies", ("usual", "alternative"), "usual"),)
    return ()


def randomizers(box: AnyBox) -> tuple[str, ...]:
    """What the companion may draw, or the people at the table report."""
    match box:
        case JenseitsBox() | TombRaidersBox():
            return ("start", "tokens")
        case HorusBox():
            return ("dice", "blocks")
        case TutankhamunBox():
            return ("cards",)


def kit_of(box: AnyBox, setup: Setup) -> Kit:
    """The tools of a box for a table."""
    seats = tuple(seat.name for seat in setup.seats)
    match box:
        case JenseitsBox():
            return _jenseits(box, seats)
        case TombRaidersBox():
            return _tomb_raiders(box, seats)
        case HorusBox():
            return _horus(box, seats, alternative=setup.options.get("mummies") == "alternative")
        case TutankhamunBox():
            return _tutankhamun(box, seats)


def _jenseits(box: JenseitsBox, seats: tuple[str, ...]) -> Kit:
    time, start = box.time, box.time.start[len(seats)]
    calendar = Calendar(time.years[0], time.weeks)
    end = calendar.time(time.end.week, time.end.year)
    return Kit(
        seats=seats,
        bags={name: Bag.of(tokens) for name, tokens in box.bags.items()},
        colours={name: site.colour for name, site in box.sites.items()},
        time=Time(calendar.time(start.week, start.year), end, time.weeks, calendar, time.years),
        chart=Chart(Dial(box.dial.rows), box.origin("dial.rows")),
    )


def _tomb_raiders(box: TombRaidersBox, seats: tuple[str, ...]) -> Kit:
    piles = {
        name: Bag.of({BLANK: region.rubble} | {f"object:{value}": n for value, n in region.artifacts.items()})
        for name, region in box.regions.items()
    }
    return Kit(
        seats=seats,
        bags=piles,
        colours={name: region.colour for name, region in box.regions.items()},
        uncounted=True,
        time=Time(0, LAST_OPEN_WEEK, RING),
        chart=Chart(Dial(box.chart.rows), box.origin("chart.rows")),
    )


def _horus(box: HorusBox, seats: tuple[str, ...], *, alternative: bool) -> Kit:
    plan = box.plan
    mummies = plan.alternative if alternative else plan.mummies
    return Kit(
        seats=seats,
        dice=DiceSet(box.dice.faces, tuple(box.dice.gods.values()), box.dice.mummies_from),
        pyramid=Pyramid(
            drawing=plan,
            plan=Plan.of(plan.passages, exits=plan.entrances),
            blocks=len(plan.blocks),
            mummies={
                name: Walker.on(plan.corridor.stretch(mummy.stretch), at=mummy.square, towards=mummy.towards)
                for name, mummy in mummies.items()
            },
            stretches={name: mummy.stretch for name, mummy in mummies.items()},
            origin=box.origin("plan.grid"),
        ),
    )


def _tutankhamun(box: TutankhamunBox, seats: tuple[str, ...]) -> Kit:
    purse = Purse.of(silver=box.purse.silver, gold=box.purse.gold, gold_in_silver=box.purse.gold_in_silver)
    return Kit(
        seats=seats,
        layers=Layers(
            side=box.tray.side,
            cards=tuple(Bag.of(box.layers[number]) for number in sorted(box.layers)),
            values=dict(box.values),
            house=box.house_worths,
        ),
        points=purse.silver,
    )
