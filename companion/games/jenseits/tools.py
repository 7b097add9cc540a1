"""The tools of the box."""

from __future__ import annotations

from companion.game import Setup
from companion.games.bundle import Tools
from companion.games.jenseits.box import JenseitsBox
from companion.games.toolbox.bags import Bags
from companion.games.toolbox.dial import Chart
from companion.games.toolbox.kit import Kit
from companion.games.toolbox.track import TimeTrack
from companion.pieces.bag import Bag
from companion.pieces.dial import Dial
from companion.pieces.track import Calendar


def kit(box: JenseitsBox, setup: Setup, rules: int) -> Kit:
    """The track of weeks with its years, the dial, and the bags."""
    seats = tuple(seat.name for seat in setup.seats)
    time, start = box.time, box.time.start[len(seats)]
    calendar = Calendar(time.years[0], time.weeks)
    begin, end = calendar.time(start.week, start.year), calendar.time(time.end.week, time.end.year)
    return Kit(
        seats,
        (
            TimeTrack(begin, end, time.weeks, calendar, time.years),
            Chart(Dial(box.dial.rows), box.origin("dial.rows")),
            Bags(
                {name: Bag.of(tokens) for name, tokens in box.bags.items()},
                {name: site.colour for name, site in box.sites.items()},
                {name: box.origin(f"bags.{name}") for name in box.bags},
            ),
        ),
    )


TOOLS = Tools(kit, randomizers=("start", "tokens"))
