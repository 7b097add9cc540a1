"""What tools there can be; each box says in its own folder which of them it has, made from its figures."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.pieces.bag import Bag
from companion.pieces.corridor import Walker
from companion.pieces.dial import Dial
from companion.pieces.plan import Plan
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


class Drawn(msgspec.Struct, frozen=True):
    """A plan as it is drawn: its squares by rows, what parts them, the corridor's stretches, the ways in, the areas."""

    grid: tuple[tuple[str, ...], ...]
    walls: tuple[tuple[str, str], ...]
    corridor: dict[str, tuple[str, ...]]
    entrances: tuple[str, ...]
    areas: dict[str, tuple[str, ...]]


class Pyramid(msgspec.Struct, frozen=True):
    """The plan on which blocks fall and mummies walk, and where it is from."""

    drawing: Drawn
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
