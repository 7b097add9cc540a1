"""Whose turn it is, or who keeps the dice; told by hand, for no referee is at work."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.toolbox.kit import Table, Tool
from companion.parts import Act, Facts
from companion.refusals import Refusal


class PassOn(Act[Table], frozen=True, tag="pass_on"):
    """The turn goes on to the next on the left, or to a seat that is named."""

    to: int | None = None

    @classmethod
    def thinkable(cls, here: Table) -> Iterator[PassOn]:
        yield cls()
        yield from (cls(seat) for seat in here.seats)

    def why_not(self, here: Table) -> Refusal | None:
        return here.no_seat(self.to)

    def done(self, here: Table) -> Table:
        turns = here.tool(Turns)
        return here.laid(replace(turns, whose=self.whose(here), passed=turns.passed + 1)).began_turn(self.whose(here))

    def told(self, here: Table) -> Facts:
        return super().told(here) | {"whose": here.called(self.whose(here)), "held": here.tool(Turns).held}

    def whose(self, here: Table) -> int:
        """Whose turn it is then."""
        return (here.tool(Turns).whose + 1) % len(here.seats) if self.to is None else self.to


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

    def board(self, here: Table) -> Facts:
        """``turn``: ``{seat, held: turn or dice, passed: how often it went on}``."""
        return {"turn": {"seat": self.whose, "held": self.held, "passed": self.passed}}
