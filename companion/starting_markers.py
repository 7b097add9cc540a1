"""The stack of starting markers, which chance decides: what games with a time track have in common."""

from __future__ import annotations

from typing import Any, TypeVar

from companion.game import Chance, Outcome
from companion.parts import Draw, Facts, TableView
from companion.pieces.track import Track

H = TypeVar("H", bound=TableView[Any, Any])


class StartingMarker(Draw[H]):
    """The next marker of the stack, from the top; the last one is what is left."""

    def track_of(self, table: H, stack: tuple[int, ...]) -> Track:
        """The track once all markers are in the stack."""
        return Track.stacked(stack)

    def due(self, table: H) -> bool:
        return len(table.state.stack) < len(table.state.seats)

    def chance(self, table: H) -> Chance:
        nth, seats = len(table.state.stack) + 1, len(table.state.seats)
        odds = tuple((seat, 1) for seat in self.unstacked(table))
        return Chance("start", f"marker {nth}", odds, of="seats", facts={"nth": nth, "of": seats})

    def unstacked(self, table: H) -> tuple[int, ...]:
        """The seats whose markers are not in the stack yet."""
        return tuple(seat for seat in range(len(table.state.seats)) if seat not in table.state.stack)

    def apply_outcome(self, table: H, outcome: Outcome) -> H:
        after: H = table.replace(stack=(*table.state.stack, int(outcome)))
        left = self.unstacked(after)
        if len(left) > 1:
            return after
        stack = (*after.state.stack, *left)
        return after.replace(stack=stack, track=self.track_of(table, stack))

    def log_facts(self, table: H, outcome: Outcome) -> Facts:
        seat = int(outcome)
        return {"type": "marker", "whose": table.terms.names[seat], "seat": seat, "nth": len(table.state.stack) + 1}
