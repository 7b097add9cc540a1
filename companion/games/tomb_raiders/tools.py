"""The tools of the box."""

from __future__ import annotations

from companion.game import Setup
from companion.games.bundle import Tools
from companion.games.tomb_raiders.box import TombRaidersBox
from companion.games.toolbox.kit import Chart, Kit, Time
from companion.games.toolbox.state import BLANK
from companion.pieces.bag import Bag
from companion.pieces.dial import Dial

LAST_OPEN_WEEK = 999
"""A track without end stops somewhere too."""
RING = 52


def kit(box: TombRaidersBox, setup: Setup) -> Kit:
    """The piles of the regions, which nobody may count, the track of weeks, and the chart."""
    piles = {
        name: Bag.of({BLANK: region.rubble} | {f"object:{value}": n for value, n in region.artifacts.items()})
        for name, region in box.regions.items()
    }
    return Kit(
        seats=tuple(seat.name for seat in setup.seats),
        bags=piles,
        colours={name: region.colour for name, region in box.regions.items()},
        uncounted=True,
        time=Time(0, LAST_OPEN_WEEK, RING),
        chart=Chart(Dial(box.chart.rows), box.origin("chart.rows")),
    )


TOOLS = Tools(kit, randomizers=("start", "tokens"))
