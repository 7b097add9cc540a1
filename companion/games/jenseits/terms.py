"""The terms of a table: what is printed in its box, laid out so that the referee finds it at once, and who plays."""

from __future__ import annotations

from typing import NamedTuple

from companion.games.jenseits.box import Exhibition, JenseitsBox, ResearchCard, Week, face_of
from companion.pieces.dial import Dial
from companion.pieces.track import Calendar

CAR_FROM = 3
"""A car shortens trips of so many legs or more."""

MOST_KNOWLEDGE = 12
MOST_WEEKS = 12
"""Nobody digs longer in one go."""


class Counting(NamedTuple):
    """What a card or a token counts as: its kind, the site it is about, and how much of it."""

    kind: str
    site: str | None
    worth: int


class Terms:
    """Everything the rules look up, computed once from the box.

    :param names: of the players, seat by seat.
    :param rules: the version of the rules that the table was begun with.
    :param odds: whether the table wants to be told the odds of a dig.

    >>> from companion.boxes import load; from companion.games.jenseits.box import JenseitsBox
    >>> terms = Terms(load(JenseitsBox), ("Ada", "Ben"))
    >>> terms.legs["london"]["egypt"], terms.by_car["london"]["egypt"]
    (4, 3)
    >>> terms.dial.tokens(8, 4), terms.least_weeks[1]
    (5, 8)
    """

    def __init__(self, box: JenseitsBox, names: tuple[str, ...], *, rules: int = 2, odds: bool = True) -> None:
        self.box = box
        self.names = names
        self.rules = rules
        self.odds = odds
        self.sites: tuple[str, ...] = tuple(box.sites)
        self.home = box.map.start
        self.research: dict[str, ResearchCard] = dict(box.research_cards)
        self.exhibitions: dict[str, Exhibition] = dict(box.exhibition_cards)
        self.faces = {id_: face_of(card) for id_, card in self.research.items()}
        self.counting = self._counting()
        self.legs = {start: dict(ends) for start, ends in box.distances.items()}
        self.by_car = {
            start: {end: legs - (legs >= CAR_FROM) for end, legs in ends.items()} for start, ends in self.legs.items()
        }
        self.dial = Dial(box.dial.rows)
        self.least_weeks = tuple(
            self.dial.weeks_for(points, 1) or MOST_WEEKS + 1 for points in range(MOST_KNOWLEDGE + 1)
        )
        self.calendar = Calendar(box.time.years[0], box.time.weeks)
        self.begin = self._time(box.time.start[len(names)])
        self.end = self._time(box.time.end)
        self.last_week = self.end - (rules > 1)  # to version 1 the end was a new year, too

    def face(self, card: str) -> str:
        """What a card is, apart from its city; an exhibition is what it is by its city."""
        return self.faces.get(card, card)

    def _time(self, week: Week) -> int:
        return self.calendar.time(week.week, week.year)

    def _counting(self) -> dict[str, Counting]:
        """What every card and token counts as."""
        counting = {id_: Counting(card.kind, card.site, card.value or 1) for id_, card in self.research.items()}
        counting |= {id_: Counting("exhibition", None, 1) for id_ in self.exhibitions}
        for bag in self.box.bags.values():
            for token in bag:
                kind, _, which = token.partition(":")
                site, worth = (None, int(which)) if kind == "object" else (which or None, 1)
                counting[token] = Counting(kind, site, worth)
        more = (token for part in self.box.loose.values() for token in part.kinds if token.startswith("object:"))
        counting |= {token: Counting("object", None, int(token.partition(":")[2])) for token in more}
        return counting
