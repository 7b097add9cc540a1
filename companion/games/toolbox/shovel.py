"""The electric shovel, told what to do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, get_args

from msgspec.structs import replace

from companion.game import ShovelCue
from companion.games.toolbox import seen
from companion.games.toolbox.kit import Tool, ToolboxTable
from companion.parts import Act


class Shovel(Act[ToolboxTable], frozen=True, tag="shovel"):
    """Tells the shovel what to do."""

    do: ShovelCue

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[Shovel]:
        return (cls(cue) for cue in get_args(ShovelCue))

    def done(self, table: ToolboxTable) -> ToolboxTable:
        return table.laid(replace(table.tool(ElectricShovel), cue=None if self.do == "stop" else self.do))

    @property
    def cue(self) -> ShovelCue:
        return self.do


class ElectricShovel(Tool, frozen=True):
    """The shovel, and what it was last told; nothing after a stop."""

    name = "shovel"
    acts = (Shovel,)

    cue: Literal["grip", "release"] | None = None

    def board(self, table: ToolboxTable) -> seen.ToolboxBoard:
        return {"cue": self.cue}
