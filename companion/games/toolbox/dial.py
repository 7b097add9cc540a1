"""The dial, or chart, that says what knowledge and weeks are good for."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.toolbox import seen
from companion.games.toolbox.kit import Tool, ToolboxTable
from companion.parts import Act, Facts
from companion.pieces.dial import Dial
from companion.refusals import Illegal, Refusal


class SetDial(Act[ToolboxTable], frozen=True, tag="dial"):
    """Turns the dial to a knowledge."""

    sampled = True

    knowledge: int

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[SetDial]:
        return (cls(knowledge) for knowledge in range(table.tool(DialTool).dial.most_knowledge + 1))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        if self.knowledge >= 0:
            return None
        return Illegal("toolbox.knowledge", rule="TBX-20", most=table.tool(DialTool).dial.most_knowledge)

    def read(self, table: ToolboxTable) -> int:
        """Knowledge beyond the last row is read there."""
        return min(self.knowledge, table.tool(DialTool).dial.most_knowledge)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        return table.laid(replace(table.tool(DialTool), knowledge=self.read(table)))

    def log_facts(self, table: ToolboxTable) -> Facts:
        return super().log_facts(table) | {"reads": self.read(table)}


class DialTool(Tool, frozen=True):
    """The dial or chart, and where its figures are from."""

    name = "dial"
    acts = (SetDial,)

    dial: Dial
    origin: str
    knowledge: int = 0

    def board(self, table: ToolboxTable) -> seen.ToolboxBoard:
        return {
            "dial": {
                "knowledge": self.knowledge,
                "tokens": [0, *self.dial.row(self.knowledge)],
                "rows": [list(row) for row in self.dial.rows],
                "from": self.origin,
            }
        }

    def help(self) -> seen.ToolboxHelp:
        """What it says for each number of weeks."""
        return {"dial": list(self.dial.row(self.knowledge))}
