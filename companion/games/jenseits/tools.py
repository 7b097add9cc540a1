"""The tools of the box."""

from __future__ import annotations

from companion.game import Setup
from companion.games.bundle import Tools
from companion.games.jenseits.box import DISPLAY, RESEARCH, JenseitsBox
from companion.games.jenseits.piles import laid_out
from companion.games.jenseits.terms import JenseitsTerms
from companion.games.toolbox.bags import Bags
from companion.games.toolbox.cards import DISCARDS, Cards, Portion
from companion.games.toolbox.dial import DialTool
from companion.games.toolbox.kit import Kit
from companion.games.toolbox.permits import Permits, TravelTool
from companion.games.toolbox.track import TimeTrack
from companion.pieces.bag import Bag
from companion.pieces.dial import Dial
from companion.pieces.track import Calendar

PLACES = ("a", "b", "c")
"""Where exhibitions lie open."""


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
            DialTool(Dial(box.dial.rows), box.origin("dial.rows")),
            Bags(
                {name: site.colour for name, site in box.sites.items()},
                {name: box.origin(f"bags.{name}") for name in box.bags},
                printed={name: Bag.of(tokens) for name, tokens in box.bags.items()},
                has_first=rules > 1,
                first=dict.fromkeys(box.bags, box.first_find) if rules > 1 else {},
            ),
            *((_cards(box, seats), Permits(tuple(box.bags), time.weeks), _ways(box)) if rules > 1 else ()),
        ),
        loose=box.loose,
    )


def _cards(box: JenseitsBox, seats: tuple[str, ...]) -> Cards:
    """The research deck with its exhibitions as the referee lays it out, the open cards, the exhibitions on display."""
    piles = laid_out(JenseitsTerms(box, seats), len(seats))
    portions = tuple(Portion(pile.research, pile.exhibitions) for pile in piles.draw)
    aside = {RESEARCH: Portion(piles.aside.research, piles.aside.exhibitions)} if piles.aside.size else {}
    shown = dict.fromkeys(box.exhibition_cards, "a")
    return Cards(
        printed={RESEARCH: piles.hidden},
        places={"open": (), **dict.fromkeys(PLACES, ()), DISCARDS: ()},
        goes={**dict.fromkeys(box.research_cards, "open"), **shown},
        origins={RESEARCH: box.origin("research.cards")},
        portions={RESEARCH: portions},
        aside=aside,
        row=PLACES,
        strange=DISPLAY,
        sorts={name: card.size for name, card in box.exhibition_cards.items()},
    )


def _ways(box: JenseitsBox) -> TravelTool:
    """The weeks of each trip, told once for all that are as long."""
    told: dict[int, dict[str, int]] = {}
    for one, others in box.distances.items():
        told |= {weeks: {"plain": weeks, "car": box.distances_by_car[one][to]} for to, weeks in others.items()}
    return TravelTool({one: {to: told[weeks] for to, weeks in others.items()} for one, others in box.distances.items()})


TOOLS = Tools(kit, randomizers=("start", "tokens", "decks"))
