"""What is printed on the components of one box, laid out so that the referee finds it at once."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from companion.games.jenseits.box import Exhibition, JenseitsBox, ResearchCard
from companion.games.jenseits.moves import MOST_WEEKS, USES, Dig, Exhibit, Refresh, Take, Use
from companion.pieces.dial import Dial
from companion.pieces.track import Calendar

CAR_FROM = 3
"""A car shortens trips of so many legs or more."""

MOST_KNOWLEDGE = 12

Digs = tuple[Dig, ...]
"""The same dig for 1, 2, … 12 weeks."""


class Counting(NamedTuple):
    """What a card or a token counts as: its kind, the site it is about, and how much of it."""

    kind: str
    site: str | None
    worth: int


class Printed:
    """Everything the rules look up, computed once from the box.

    >>> from companion.boxes import load; from companion.games.jenseits.box import JenseitsBox
    >>> printed = Printed(load(JenseitsBox))
    >>> printed.legs["london"]["egypt"], printed.by_car["london"]["egypt"]
    (4, 3)
    >>> printed.dial.tokens(8, 4), printed.least_weeks[1]
    (5, 8)
    """

    def __init__(self, box: JenseitsBox) -> None:
        self.box = box
        self.sites: tuple[str, ...] = tuple(box.sites)
        self.cities: tuple[str, ...] = box.map.cities
        self.home = box.map.start
        self.research: dict[str, ResearchCard] = dict(box.research_cards)
        self.exhibitions: dict[str, Exhibition] = dict(box.exhibition_cards)
        self.faces = {id_: face_of(card) for id_, card in self.research.items()}
        self.legs = {start: dict(ends) for start, ends in box.distances.items()}
        self.by_car = {
            start: {end: legs - (legs >= CAR_FROM) for end, legs in ends.items()} for start, ends in self.legs.items()
        }
        self.counting = self._counting()
        self._set_the_dial()
        self._set_the_year()
        self._write_the_moves()

    def face(self, card: str) -> str:
        """What a card is, apart from its city; an exhibition is what it is by its city."""
        return self.faces.get(card, card)

    def _counting(self) -> dict[str, Counting]:
        """What every card and token counts as."""
        counting = {id_: Counting(card.kind, card.site, card.value or 1) for id_, card in self.research.items()}
        counting |= {id_: Counting("exhibition", None, 1) for id_ in self.exhibitions}
        for bag in self.box.bags.values():
            for token in bag:
                kind, _, which = token.partition(":")
                site, worth = (None, int(which)) if kind == "object" else (which or None, 1)
                counting[token] = Counting(kind, site, worth)
        return counting

    def _set_the_dial(self) -> None:
        self.dial = Dial(self.box.dial.rows)
        self.least_weeks = tuple(
            self.dial.weeks_for(points, 1) or MOST_WEEKS + 1 for points in range(MOST_KNOWLEDGE + 1)
        )

    def _set_the_year(self) -> None:
        time = self.box.time
        self.calendar = Calendar(time.years[0], time.weeks)
        self.end = self.calendar.time(time.end.week, time.end.year)
        self.start = {seats: self.calendar.time(week.week, week.year) for seats, week in time.start.items()}

    def _write_the_moves(self) -> None:
        self.takes = {card: (Take(card), Take(card, zeppelin=True)) for card in self.research}
        self.exhibits = {card: (Exhibit(card), Exhibit(card, zeppelin=True)) for card in self.exhibitions}
        self.refreshes = (Refresh(), Refresh(zeppelin=True))
        self.digs: dict[tuple[str, tuple[Use, ...], bool], Digs] = {
            (site, use, zeppelin): tuple(Dig(site, weeks, use, zeppelin) for weeks in range(1, MOST_WEEKS + 1))
            for site in self.sites
            for use in ways(USES)
            for zeppelin in (False, True)
        }
        self.uses = {held: ways(held) for held in ways(USES[:3])}


def ways(held: tuple[Use, ...]) -> tuple[tuple[Use, ...], ...]:
    """Every choice of some of these cards, none first, each in the order of `USES`."""
    return tuple(some for count in range(len(held) + 1) for some in combinations(held, count))


def face_of(card: ResearchCard) -> str:
    """What a card is, apart from its city: ``book-greece-2``, ``congress``."""
    return "-".join(str(part) for part in (card.kind, card.site, card.value) if part is not None)
