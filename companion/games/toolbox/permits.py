"""Permits before each seat, which turn face up again with its own new year; and how far it is from here to there."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.toolbox import seen
from companion.games.toolbox.kit import Tool, ToolboxTable
from companion.parts import Act, Facts, changed
from companion.refusals import Illegal, Refusal


class TurnPermit(Act[ToolboxTable], frozen=True, tag="permit"):
    """Turns a permit of a seat over: down when it was used, up again when that was a mistake."""

    seat: int
    site: str

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[TurnPermit]:
        return (cls(seat, site) for seat in table.seats for site in table.tool(Permits).sites)

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        sites = table.tool(Permits).sites
        if self.site not in sites:
            return Illegal("toolbox.no_permit", rule="TBX-16", sites=sites)
        return table.no_seat(self.seat)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        permits = table.tool(Permits)
        mine = permits.used[self.seat]
        turned = tuple(site for site in mine if site != self.site) if self.site in mine else (*mine, self.site)
        return table.laid(replace(permits, used=changed(permits.used, self.seat, turned)))

    def log_facts(self, table: ToolboxTable) -> Facts:
        used = self.site in table.tool(Permits).used[self.seat]
        return super().log_facts(table) | {"whose": table.called(self.seat), "state": UNUSED if used else USED}


USED = "face_down"
UNUSED = "face_up"


class Permits(Tool, frozen=True):
    """The permits.

    :param sites: what there is a permit for.
    :param year: how many weeks a year has; with each that a marker has ended, its permits turn up.
    :param used: for each seat the permits that lie face down.
    """

    name = "permits"
    acts = (TurnPermit,)

    sites: tuple[str, ...]
    year: int
    used: tuple[tuple[str, ...], ...] = ()

    def laid_out(self, seats: int) -> Permits:
        return replace(self, used=((),) * seats)

    def goes_on(self, table: ToolboxTable, seat: int, before: int, after: int) -> ToolboxTable:
        """A marker that has left the last week of a year turns its permits up; past the end there is no new year."""
        new_year = before // self.year < after // self.year and table.is_before_the_end(after)
        return table.laid(replace(self, used=changed(self.used, seat, ()))) if new_year else table

    def board(self, table: ToolboxTable) -> seen.ToolboxBoard:
        return {"permits": [{site: site not in used for site in self.sites} for used in self.used]}


class TravelTool(Tool, frozen=True):
    """How many weeks it takes from each place to each other: on foot, and by car; a zeppelin takes none."""

    name = "ways"

    ways: dict[str, dict[str, dict[str, int]]]

    def board(self, table: ToolboxTable) -> seen.ToolboxBoard:
        return {"ways": self.ways}
