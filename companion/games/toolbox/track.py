"""The track of time: markers that are stacked by lot, moved on and put back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from msgspec.structs import replace

from companion.game import Chance, FieldTable, Outcome
from companion.games.toolbox import seen
from companion.games.toolbox.kit import BUSY, Hand, Seated, Tool, ToolboxTable
from companion.parts import Act, ChoiceOf, Facts, RuledCorrection
from companion.pieces.track import Calendar, Track
from companion.refusals import Illegal, Refusal

WEEKS = (*range(-3, 0), *range(1, 13))
"""What is listed; longer ways can be gone too."""


class Advance(Act[ToolboxTable], frozen=True, tag="advance"):
    """Moves a marker on, or back where `weeks` is less than nothing."""

    sampled = True

    seat: int
    weeks: int

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[Advance]:
        time = table.tool(TimeTrack)
        for seat, at in enumerate(time.track.times):
            yield from (cls(seat, weeks) for weeks in WEEKS if 0 <= at + weeks <= time.end)

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        if refusal := table.no_seat(self.seat):
            return refusal
        track = table.tool(TimeTrack).track
        at, left = track.at(self.seat), track.left(self.seat) or 0
        if not self.weeks:
            return Illegal("toolbox.no_weeks", rule="TBX-15")
        if self.weeks > left:
            return Illegal("toolbox.past_end", rule="TBX-13", n=left)
        return Illegal("toolbox.before_start", rule="TBX-14", n=at) if at + self.weeks < 0 else None

    def done(self, table: ToolboxTable) -> ToolboxTable:
        time = table.tool(TimeTrack)
        before, after = time.track.at(self.seat), time.track.at(self.seat) + self.weeks
        return table.laid(time.with_marker(self.seat, after)).went_on(self.seat, before, after)

    def log_facts(self, table: ToolboxTable) -> Facts:
        way = "forward" if self.weeks > 0 else "backward"
        return super().log_facts(table) | {"whose": table.called(self.seat), "n": abs(self.weeks), "way": way}


class Stacking(Hand, frozen=True):
    """The markers are being stacked: these lie already, the one on top first."""

    top_first: tuple[int, ...] = ()

    def missing(self, table: ToolboxTable) -> tuple[int, ...]:
        """The seats whose markers are not in the stack yet."""
        return tuple(seat for seat in table.seats if seat not in self.top_first)

    def chance(self, table: ToolboxTable) -> Chance:
        place = len(self.top_first) + 1
        odds = tuple((seat, 1) for seat in self.missing(table))
        return Chance("start", f"start {place}", odds, of="seats", facts={"place": place})

    def apply_outcome(self, table: ToolboxTable, outcome: Outcome) -> ToolboxTable:
        return table.busy(Stacking((*self.top_first, int(outcome))))

    def withdrawn(self, table: ToolboxTable) -> ToolboxTable:
        """The last one is certain."""
        last = self.missing(table)
        if len(last) > 1:
            return table
        return table.laid(table.tool(TimeTrack).stacked((*self.top_first, *last))).busy()

    def log_facts(self, table: ToolboxTable, outcome: Outcome) -> Facts:
        place = len(self.top_first) + 1
        return {"type": "start", "whose": table.called(outcome), "seat": outcome, "place": place}


def _dates(table: ToolboxTable) -> dict[str, tuple[str, ...]]:
    """Each week as it is printed; without a calendar they are called by their number."""
    time = table.tool(TimeTrack)
    return {f"at={at}": (time.printed(at),) for at in range(time.end + 1)} if time.calendar else {}


class SetMarker(RuledCorrection[ToolboxTable], frozen=True, tag="marker"):
    """A marker stands on another week, counted from the first of the track, which is 0."""

    seat: Seated
    at: Annotated[int, ChoiceOf(lambda table: range(table.tool(TimeTrack).end + 1), _dates)]

    @classmethod
    def offered_values(cls, table: ToolboxTable) -> tuple[FieldTable, ...]:
        """Any seat and any week; where no year tells the weeks apart, there are too many to list."""
        time = table.tool(TimeTrack)
        seats = FieldTable(("seat",), tuple((seat,) for seat in table.seats if time.track.order))
        weeks = FieldTable(("at",), tuple((at,) for at in range(time.end + 1)))
        return (seats, weeks) if time.calendar else (seats,)

    @classmethod
    def current_values(cls, table: ToolboxTable) -> Iterator[SetMarker]:
        return (cls(seat, at) for seat, at in enumerate(table.tool(TimeTrack).track.times))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        time = table.tool(TimeTrack)
        if not time.track.order:
            return Illegal("core.chance_first", rule=BUSY)
        if refusal := table.no_seat(self.seat):
            return refusal
        return None if 0 <= self.at <= time.end else Illegal("toolbox.no_week", rule="TBX-91", most=time.end)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        return table.laid(table.tool(TimeTrack).with_marker(self.seat, self.at))

    def log_facts(self, table: ToolboxTable) -> Facts:
        return super().log_facts(table) | {
            "whose": table.called(self.seat),
            "date": table.tool(TimeTrack).printed(self.at),
        }


class TimeTrack(Tool, frozen=True):
    """A track of weeks; without a calendar it only counts them, from 0.

    :param weeks: how many make up the ring.
    :param behind: for so many weeks behind the foremost marker there is a point; 0 where there is none.
    :param track: the markers; none before they are stacked.
    """

    name = "track"
    acts = (Advance,)
    corrections = (SetMarker,)

    start: int
    end: int
    weeks: int
    calendar: Calendar | None = None
    years: tuple[int, ...] = ()
    behind: int = 0
    track: Track = Track((), ())

    def lasts_beyond(self, week: int) -> bool:
        return week < self.end

    def bonus(self, seat: int) -> int:
        """The points for the weeks that a seat is behind."""
        return (self.track.foremost - self.track.at(seat)) // self.behind if self.behind and self.track.order else 0

    def first_hand(self) -> Stacking:
        return Stacking()

    def stacked(self, top_first: tuple[int, ...]) -> TimeTrack:
        """With all markers in one stack."""
        return replace(self, track=Track.stacked(top_first, time=self.start, end=self.end))

    def with_marker(self, seat: int, at: int) -> TimeTrack:
        """With a seat's marker on top at a time."""
        return replace(self, track=self.track.put(seat, at))

    def date(self, at: int) -> tuple[int, int | None]:
        """The week and the year; without a calendar there are only weeks."""
        return (at, None) if self.calendar is None else self.calendar.date(at)

    def printed(self, at: int) -> str:
        """A week as it is printed on the track."""
        week, year = self.date(at)
        return str(week) if year is None else f"{week}/{year}"

    def board(self, table: ToolboxTable) -> seen.ToolboxBoard:
        track = self.track
        markers: list[seen.ToolboxMarkerShown] = [
            {"seat": seat, **self._dated(at), "at": at, "height": track.stack(at).index(seat)}
            for seat, at in enumerate(track.times)
        ]
        furthest_back = track.at(track.furthest_back) if track.order else self.start
        told: seen.ToolboxTrack = {
            "weeks": self.weeks,
            "ring": True,
            "years": list(self.years),
            "start": self._dated(self.start),
            "end": self._dated(self.end) if self.calendar else None,
            "year": self.date(furthest_back)[1],
            "markers": markers,
            "next": list(track.order),
        }
        if self.behind:
            told["bonus"] = [self.bonus(seat) for seat in table.seats]
        return {"track": told}

    def counted(self, table: ToolboxTable) -> dict[str, int]:
        return {"markers": len(self.track.order or table.seats)}

    def _dated(self, at: int) -> seen.ToolboxDated:
        week, year = self.date(at)
        return {"week": week, "year": year}
