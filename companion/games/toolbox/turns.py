"""Whose turn it is, or who keeps the dice; told by hand, for no referee is at work."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.toolbox import seen
from companion.games.toolbox.kit import Tool, ToolboxTable
from companion.parts import Act, Facts
from companion.refusals import Refusal


class PassOn(Act[ToolboxTable], frozen=True, tag="pass_on"):
    """The turn goes on to the next on the left, or to a seat that is named."""

    to: int | None = None

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[PassOn]:
        yield cls()
        yield from (cls(seat) for seat in table.seats)

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        return table.no_seat(self.to)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        turns = table.tool(Turns)
        return table.laid(replace(turns, whose=self.next_seat(table), passed=turns.passed + 1)).began_turn(
            self.next_seat(table)
        )

    def log_facts(self, table: ToolboxTable) -> Facts:
        return super().log_facts(table) | {
            "whose": table.called(self.next_seat(table)),
            "held": table.tool(Turns).held,
        }

    def next_seat(self, table: ToolboxTable) -> int:
        """Whose turn it is then."""
        return (table.tool(Turns).whose + 1) % len(table.seats) if self.to is None else self.to


class Turns(Tool, frozen=True):
    """Whose turn it is.

    :param held: what the one whose turn it is holds: the dice, or nothing but the turn.
    :param passed: how often it has gone on.
    """

    name = "turns"
    acts = (PassOn,)

    held: str = "turn"
    whose: int = 0
    passed: int = 0

    def board(self, table: ToolboxTable) -> seen.ToolboxBoard:
        return {"turn": {"seat": self.whose, "held": self.held, "passed": self.passed}}
