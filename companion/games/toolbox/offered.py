"""What can be done with the tools that are there: nobody is told of moves for a tool that their box does not have."""

from __future__ import annotations

from companion.game import Move
from companion.games.toolbox import Toolbox
from companion.games.toolbox.moves import (
    MOVE_TYPES,
    Advance,
    Award,
    Draw,
    DropBlock,
    ReturnFind,
    Roll,
    SetDial,
    Shovel,
    Uncover,
    WalkMummies,
)

TOOL_OF: dict[type[Move], str] = {
    Advance: "track",
    SetDial: "dial",
    Draw: "bags",
    ReturnFind: "bags",
    Roll: "dice",
    DropBlock: "blocks",
    WalkMummies: "mummies",
    Uncover: "tray",
    Award: "points",
    Shovel: "shovel",
}


def kinds(game: Toolbox) -> tuple[type[Move], ...]:
    """The kinds of moves for the tools of this box."""
    return tuple(kind for kind in MOVE_TYPES if TOOL_OF[kind] in game.kit.tools)
