"""Jenseits von Theben."""

from __future__ import annotations

from typing import Any

from companion.game import Setup
from companion.games.bundle import Bundle, Refereed, Tools
from companion.games.jenseits.box import JenseitsBox
from companion.games.toolbox.kit import Chart, Kit, Time
from companion.pieces.bag import Bag
from companion.pieces.dial import Dial
from companion.pieces.track import Calendar


def kit(box: JenseitsBox, setup: Setup) -> Kit:
    """The tools of the box: the bags, the track of weeks with its years, and the dial."""
    seats = tuple(seat.name for seat in setup.seats)
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


def refereed() -> Refereed:
    """The referee, and what is to be had with it."""
    from companion.games.jenseits import bots, drawn
    from companion.games.jenseits.rules import Jenseits

    return Refereed(Jenseits, bots.BOTS, bots.ending, drawn.DRAWINGS, drawn.SILENT, panel)


def panel(*about: Any, **told: Any) -> bytes:
    """The keepsake."""
    from companion.games.jenseits.keepsake import keepsake

    return keepsake(*about, **told)


GAME = Bundle(JenseitsBox, Tools(kit, randomizers=("start", "tokens")), refereed)
