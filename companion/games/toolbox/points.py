"""Points, given and taken by hand."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from companion.games.toolbox import seen
from companion.games.toolbox.kit import Seated, Tool, ToolboxTable
from companion.parts import Act, Facts, RuledCorrection, changed
from companion.refusals import Illegal, Refusal

LEAST, MOST = -999, 999
GIVEN = (*range(-5, 0), *range(1, 11))
"""What is listed; others can be given too."""


class Award(Act[ToolboxTable], frozen=True, tag="award"):
    """Gives points, or takes them."""

    sampled = True

    seat: int
    points: int

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[Award]:
        for seat, tally in enumerate(table.tool(Tallies).points):
            yield from (cls(seat, points) for points in GIVEN if LEAST <= tally + points <= MOST)

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        return table.no_seat(self.seat) or out_of_reach(self.tally(table))

    def done(self, table: ToolboxTable) -> ToolboxTable:
        return table.laid(table.tool(Tallies).with_(self.seat, self.tally(table)))

    def log_facts(self, table: ToolboxTable) -> Facts:
        way = "more" if self.points >= 0 else "less"
        return super().log_facts(table) | {"whose": table.called(self.seat), "n": abs(self.points), "way": way}

    def tally(self, table: ToolboxTable) -> int:
        """What the seat has then."""
        return table.tool(Tallies).points[self.seat] + self.points


class Points(RuledCorrection[ToolboxTable], frozen=True, tag="points"):
    """A tally is another."""

    seat: Seated
    points: int

    @classmethod
    def current_values(cls, table: ToolboxTable) -> Iterator[Points]:
        return (cls(seat, points) for seat, points in enumerate(table.tool(Tallies).points))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        return table.no_seat(self.seat) or out_of_reach(self.points)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        return table.laid(table.tool(Tallies).with_(self.seat, self.points))

    def log_facts(self, table: ToolboxTable) -> Facts:
        return super().log_facts(table) | {"whose": table.called(self.seat), "n": self.points}


class Tallies(Tool, frozen=True):
    """A tally for each seat, and what it begins with.

    :param gold: how many points a coin of gold is worth, where points are coins.
    """

    name = "points"
    acts = (Award,)
    corrections = (Points,)

    beginning: int = 0
    gold: int = 0
    points: tuple[int, ...] = ()

    def laid_out(self, seats: int) -> Tallies:
        return replace(self, points=(self.beginning,) * seats)

    def depended_on(self, act: Act[Any]) -> object:
        """Each seat has a tally of its own."""
        return self.points[act.seat] if isinstance(act, Award) and 0 <= act.seat < len(self.points) else self

    def with_(self, seat: int, points: int) -> Tallies:
        """With a seat's tally at so many points."""
        return replace(self, points=changed(self.points, seat, points))

    def board(self, table: ToolboxTable) -> seen.ToolboxBoard:
        told: seen.ToolboxBoard = {"points": list(self.points)}
        if self.gold:
            told["gold"] = self.gold
        return told


def out_of_reach(tally: int) -> Refusal | None:
    """Why a tally cannot be so many points."""
    return None if LEAST <= tally <= MOST else Illegal("toolbox.points", rule="TBX-80", least=LEAST, most=MOST)
