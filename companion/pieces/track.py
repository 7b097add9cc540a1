"""The track of time: a marker for each seat, stacked where they meet, and a calendar to read it by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from companion.refusals import Illegal


class Date(NamedTuple):
    """A week of a year, as the ring and the year marker show it."""

    week: int
    year: int


class Calendar(msgspec.Struct, frozen=True):
    """Years of a ring of weeks. Time is counted in weeks from week 1 of the first year, which is 0.

    >>> calendar = Calendar(first_year=1901)
    >>> calendar.date(52)
    Date(week=1, year=1902)
    >>> calendar.time(16, 1901)
    15
    """

    first_year: int
    weeks: int = 52

    def date(self, time: int) -> Date:
        """The week and the year."""
        years, week = divmod(time, self.weeks)
        return Date(week + 1, self.first_year + years)

    def time(self, week: int, year: int) -> int:
        """The weeks since the beginning of the first year."""
        return (year - self.first_year) * self.weeks + week - 1

    def new_years(self, before: int, after: int) -> int:
        """How often week 52 is left for week 1.

        >>> Calendar(first_year=1901).new_years(50, 53)
        1
        """
        return after // self.weeks - before // self.weeks


class Track(msgspec.Struct, frozen=True):
    """Where every marker is, and who is next: the furthest back, on a shared week the one on top.

    >>> track = Track.stacked([1, 0])
    >>> track.furthest_back
    1
    >>> track.advance(1, 3).furthest_back
    0
    >>> track.advance(1, 3).advance(0, 3).order  # arriving on top
    (0, 1)
    """

    times: tuple[int, ...]
    """For each seat the weeks gone by."""
    order: tuple[int, ...]
    """All seats, who is next first."""
    end: int | None = None
    """No marker goes beyond this."""

    @classmethod
    def stacked(cls, top_first: Sequence[int], *, time: int = 0, end: int | None = None) -> Track:
        """All markers in one stack."""
        if sorted(top_first) != list(range(len(top_first))):
            raise Illegal("piece.track.seats")
        return cls((time,) * len(top_first), tuple(top_first), end)

    @property
    def furthest_back(self) -> int:
        """The seat whose marker is next."""
        return self.order[0]

    @property
    def foremost(self) -> int:
        """The time of the marker that is furthest on."""
        return self.times[self.order[-1]]

    @property
    def is_over(self) -> bool:
        """Whether every marker stands at the end."""
        return self.times[self.order[0]] == self.end

    def at(self, seat: int) -> int:
        """The time of a seat's marker."""
        return self.times[seat]

    def left(self, seat: int) -> int | None:
        """How many weeks a seat has left; None if time does not end."""
        return None if self.end is None else self.end - self.times[seat]

    def fits(self, seat: int, weeks: int) -> bool:
        """Whether a seat has so many weeks left."""
        return self.end is None or self.times[seat] + weeks <= self.end

    def stack(self, time: int) -> tuple[int, ...]:
        """The markers at a time, from the bottom to the top."""
        return tuple(seat for seat in reversed(self.order) if self.times[seat] == time)

    def advance(self, seat: int, weeks: int) -> Track:
        """Moves a marker on; it arrives on top. No weeks are no move: it stays where it is in its stack.

        :raises Illegal: if so many weeks are not left.
        """
        if weeks < 0:
            raise Illegal("piece.track.backwards", weeks=weeks)
        if not self.fits(seat, weeks):
            raise Illegal("piece.track.weeks", weeks=weeks, left=self.left(seat) or 0)
        return self.put(seat, self.times[seat] + weeks) if weeks else self

    def retire(self, seat: int) -> Track:
        """Moves a marker to the end."""
        if self.end is None:
            raise Illegal("piece.track.no_end")
        return self.advance(seat, self.end - self.times[seat])

    def put(self, seat: int, time: int) -> Track:
        """Sets a marker on top at any time up to the end, as when the table is put right."""
        if time < 0 or (self.end is not None and time > self.end):
            raise Illegal("piece.track.time", time=time)
        times = (*self.times[:seat], time, *self.times[seat + 1 :])
        others = [other for other in self.order if other != seat]
        place = next((place for place, other in enumerate(others) if times[other] >= time), len(others))
        return Track(times, (*others[:place], seat, *others[place:]), self.end)

    def beneath(self, seat: int) -> Track:
        """The marker slipped under the others of its stack.

        >>> Track.stacked([0, 1]).beneath(0).order
        (1, 0)
        """
        track = self
        for other in self.stack(self.times[seat]):
            if other != seat:
                track = track.put(other, self.times[other])
        return track
