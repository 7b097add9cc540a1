"""The tools of the box."""

from __future__ import annotations

from companion.game import Setup
from companion.games.bundle import Tools
from companion.games.tomb_raiders.box import TombRaidersBox
from companion.games.toolbox.bags import BLANK, Bags
from companion.games.toolbox.dial import Chart
from companion.games.toolbox.kit import Kit
from companion.games.toolbox.track import TimeTrack
from companion.pieces.bag import Bag
from companion.pieces.dial import Dial

LAST_OPEN_WEEK = 999
"""A track without end stops somewhere too."""
RING = 52


def kit(box: TombRaidersBox, setup: Setup, rules: int) -> Kit:
    """The track of weeks, the chart, and the piles of the regions, which nobody may count."""
    piles = {
        name: Bag.of({BLANK: region.rubble} | {f"object:{value}": n for value, n in region.artifacts.items()})
        for name, region in box.regions.items()
    }
    return Kit(
        tuple(seat.name for seat in setup.seats),
        (
            TimeTrack(0, LAST_OPEN_WEEK, RING),
            Chart(Dial(box.chart.rows), box.origin("chart.rows")),
            Bags(
                piles,
                {name: region.colour for name, region in box.regions.items()},
                {name: box.origin(f"regions.{name}.artifacts") for name in box.regions},
                uncounted=True,
            ),
        ),
    )


TOOLS = Tools(kit, randomizers=("start", "tokens"))
