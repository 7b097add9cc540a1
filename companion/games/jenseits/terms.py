"""The terms of a table: what is printed in its box, laid out so that the referee finds it at once, and who plays."""

from __future__ import annotations

from companion.games.jenseits.box import JenseitsBox, Week
from companion.pieces.dial import Dial
from companion.pieces.track import Calendar

MOST_KNOWLEDGE = 12
MOST_WEEKS = 12
"""Nobody digs longer in one go."""


class JenseitsTerms:
    """Everything the rules look up, computed once from the box.

    :param names: of the players, seat by seat.
    :param rules: the version of the rules that the table was begun with.
    :param odds: whether the table wants to be told the odds of a dig.

    >>> from companion.boxes import load; from companion.games.jenseits.box import JenseitsBox
    >>> terms = JenseitsTerms(load(JenseitsBox), ("Ada", "Ben"))
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
        self.research = box.research_cards
        self.exhibitions = box.exhibition_cards
        self.faces = box.faces
        self.counting = box.counting
        self.legs = box.distances
        self.by_car = box.distances_by_car
        self.dial = Dial(box.dial.rows)
        self.least_weeks = tuple(
            self.dial.weeks_for(points, 1) or MOST_WEEKS + 1 for points in range(MOST_KNOWLEDGE + 1)
        )
        self.calendar = Calendar(box.time.years[0], box.time.weeks)
        self.begin = self._time(box.time.start[len(names)])
        self.end = self._time(box.time.end)
        self.last_week = self.end - (rules > 1)  # to version 1 the end was a new year, too
        self._left: dict[tuple[str, bool, int], dict[str, int]] = {}

    def face(self, card: str) -> str:
        """What a card is, apart from its city; an exhibition is what it is by its city."""
        return self.faces.get(card, card)

    def left_after(self, place: str, weeks: int, *, by_car: bool) -> dict[str, int]:
        """Of so many weeks, those that are left at each place after the trip there."""
        left = self._left.get((place, by_car, weeks))
        if left is None:
            trips = (self.by_car if by_car else self.legs)[place]
            left = self._left[place, by_car, weeks] = {to: max(0, weeks - trip) for to, trip in trips.items()}
        return left

    def _time(self, week: Week) -> int:
        return self.calendar.time(week.week, week.year)
