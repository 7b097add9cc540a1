"""What a turn has brought and is still set aside, the scarab that doubles it, barricades, and the fee for passing."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.toolbox import seen
from companion.games.toolbox.kit import Tool, ToolboxTable
from companion.games.toolbox.points import Tallies, out_of_reach
from companion.games.toolbox.tray import TrayTool
from companion.games.toolbox.turns import Turns
from companion.parts import Act, Facts, changed
from companion.refusals import Illegal, Refusal

GIVEN = (1, 2, 3, 4)
"""What is listed to be set aside; more can be, and less than nothing."""


class SetAside(Act[ToolboxTable], frozen=True, tag="set_aside"):
    """What a card is worth is set aside for whoever's turn it is, doubled where a scarab lies."""

    sampled = True

    points: int

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[SetAside]:
        return (act for points in GIVEN if not (act := cls(points)).why_not(table))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        takings = table.tool(TakingsTool)
        aside = takings.aside + self.points * takings.factor
        if not self.points or aside < 0:
            return Illegal("toolbox.no_takings", rule="TBX-55", n=takings.aside)
        return out_of_reach(aside)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        takings = table.tool(TakingsTool)
        return table.laid(replace(takings, aside=takings.aside + self.points * takings.factor))

    def log_facts(self, table: ToolboxTable) -> Facts:
        return super().log_facts(table) | {
            "n": self.points * table.tool(TakingsTool).factor,
            "whose": table.called(whose(table)),
        }


class Pocket(Act[ToolboxTable], frozen=True, tag="pocket"):
    """The takings become the money of whoever's turn it is."""

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[Pocket]:
        return (act for act in (cls(),) if not act.why_not(table))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        aside = table.tool(TakingsTool).aside
        if not aside:
            return Illegal("toolbox.nothing_aside", rule="TBX-55")
        return out_of_reach(table.tool(Tallies).points[whose(table)] + aside)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        return paid(table, table.tool(TakingsTool).aside).laid(replace(table.tool(TakingsTool), aside=0))

    def log_facts(self, table: ToolboxTable) -> Facts:
        return super().log_facts(table) | {"n": table.tool(TakingsTool).aside, "whose": table.called(whose(table))}


class Lose(Act[ToolboxTable], frozen=True, tag="lose"):
    """A danger voids the takings, and what it costs is paid, doubled where a scarab lies."""

    sampled = True

    points: int

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[Lose]:
        return (act for points in table.tool(TakingsTool).dangers if not (act := cls(points)).why_not(table))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        if self.points < 0:
            return Illegal("toolbox.no_danger", rule="TBX-55")
        return out_of_reach(table.tool(Tallies).points[whose(table)] - self.cost(table))

    def cost(self, table: ToolboxTable) -> int:
        """What is paid in all."""
        return self.points * table.tool(TakingsTool).factor

    def done(self, table: ToolboxTable) -> ToolboxTable:
        return paid(table, -self.cost(table)).laid(replace(table.tool(TakingsTool), aside=0))

    def log_facts(self, table: ToolboxTable) -> Facts:
        return super().log_facts(table) | {"n": self.cost(table), "whose": table.called(whose(table))}


class PayFee(Act[ToolboxTable], frozen=True, tag="pay_fee"):
    """Whoever's turn it is passes, and pays for it."""

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[PayFee]:
        return (act for act in (cls(),) if not act.why_not(table))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        return out_of_reach(table.tool(Tallies).points[whose(table)] - table.tool(TakingsTool).fee)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        return paid(table, -table.tool(TakingsTool).fee)

    def log_facts(self, table: ToolboxTable) -> Facts:
        return super().log_facts(table) | {"n": table.tool(TakingsTool).fee, "whose": table.called(whose(table))}


class LayScarab(Act[ToolboxTable], frozen=True, tag="scarab"):
    """Whoever's turn it is lays a scarab: until the turn goes on all counts double."""

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[LayScarab]:
        return (act for act in (cls(),) if not act.why_not(table))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        takings = table.tool(TakingsTool)
        if takings.doubled:
            return Illegal("toolbox.scarab_lies", rule="TBX-56")
        return None if takings.scarabs[whose(table)] else Illegal("toolbox.no_scarab", rule="TBX-56")

    def done(self, table: ToolboxTable) -> ToolboxTable:
        takings = table.tool(TakingsTool)
        left = changed(takings.scarabs, whose(table), takings.scarabs[whose(table)] - 1)
        return table.laid(replace(takings, scarabs=left, doubled=True))

    def log_facts(self, table: ToolboxTable) -> Facts:
        return super().log_facts(table) | {"whose": table.called(whose(table))}


class Barricade(Act[ToolboxTable], frozen=True, tag="barricade"):
    """A seat lays its barricade on a square: it stays there until that seat's next turn begins."""

    seat: int
    square: str

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[Barricade]:
        for seat in table.seats:
            yield from (act for square in table.tool(TrayTool).squares if not (act := cls(seat, square)).why_not(table))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        takings = table.tool(TakingsTool)
        if refusal := table.tool(TrayTool).no_square(self.square) or table.no_seat(self.seat):
            return refusal
        if any(self.square == square for square, _ in takings.barred):
            return Illegal("toolbox.barred", rule="TBX-57", square=self.square)
        return None if takings.barricades[self.seat] else Illegal("toolbox.no_barricade", rule="TBX-57")

    def done(self, table: ToolboxTable) -> ToolboxTable:
        takings = table.tool(TakingsTool)
        left = changed(takings.barricades, self.seat, takings.barricades[self.seat] - 1)
        return table.laid(replace(takings, barricades=left, barred=(*takings.barred, (self.square, self.seat))))

    def log_facts(self, table: ToolboxTable) -> Facts:
        return super().log_facts(table) | {"whose": table.called(self.seat)}


class TakingsTool(Tool, frozen=True):
    """What is set aside, and the cards that each seat may lay.

    :param fee: what a turn without digging costs.
    :param dangers: what the dangers of the box cost, each once.
    :param scarabs: how many each seat has left.
    :param barricades: the same.
    :param doubled: whether a scarab lies.
    :param barred: the squares on which barricades lie, and whose.
    """

    name = "takings"
    acts = (SetAside, Pocket, Lose, PayFee, LayScarab, Barricade)

    fee: int
    each_scarabs: int
    each_barricades: int
    dangers: tuple[int, ...]
    aside: int = 0
    doubled: bool = False
    scarabs: tuple[int, ...] = ()
    barricades: tuple[int, ...] = ()
    barred: tuple[tuple[str, int], ...] = ()

    def laid_out(self, seats: int) -> TakingsTool:
        return replace(self, scarabs=(self.each_scarabs,) * seats, barricades=(self.each_barricades,) * seats)

    @property
    def factor(self) -> int:
        """By how much all counts."""
        return 2 if self.doubled else 1

    def bars(self) -> tuple[str, ...]:
        return tuple(square for square, _ in self.barred)

    def turn_begins(self, table: ToolboxTable, seat: int) -> ToolboxTable:
        """The barricade of whoever begins leaves the game, and the scarab of whoever has ended."""
        left = tuple((square, whose) for square, whose in self.barred if whose != seat)
        return table.laid(replace(self, barred=left, doubled=False, aside=0))

    def board(self, table: ToolboxTable) -> seen.ToolboxBoard:
        return {
            "takings": {
                "aside": self.aside,
                "doubled": self.doubled,
                "fee": self.fee,
                "dangers": list(self.dangers),
                "scarabs": list(self.scarabs),
                "barricades": list(self.barricades),
                "barred": dict(self.barred),
            }
        }


def whose(table: ToolboxTable) -> int:
    """Whose turn it is."""
    return table.tool(Turns).whose


def paid(table: ToolboxTable, points: int) -> ToolboxTable:
    """The table with so much more money before whoever's turn it is."""
    tallies, seat = table.tool(Tallies), whose(table)
    return table.laid(tallies.with_(seat, tallies.points[seat] + points))
