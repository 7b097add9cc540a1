"""The tools of a box with no referee: anybody at the table may use any of them at any time."""

from __future__ import annotations

from collections.abc import Mapping

from companion.game import (
    Ask,
    Choices,
    Corrected,
    Dealt,
    Finished,
    Json,
    Mending,
    Move,
    Played,
    Score,
    Seen,
    ShovelCue,
    Step,
)
from companion.games.toolbox.census import counted
from companion.games.toolbox.choices import choices
from companion.games.toolbox.corrections import CORRECTION_TYPES, corrected
from companion.games.toolbox.hands import asked, dealt
from companion.games.toolbox.kit import Kit
from companion.games.toolbox.log import told
from companion.games.toolbox.moves import MOVE_TYPES, Shovel, Uncover
from companion.games.toolbox.rules import laid_out, played
from companion.games.toolbox.state import ToolboxState
from companion.games.toolbox.view import help_with, seen


class Toolbox:
    """The tools of one box at one table. It ends when the host closes the table."""

    rules_version = 1
    move_types = MOVE_TYPES
    correction_types = CORRECTION_TYPES

    def __init__(self, kit: Kit, randomizers: tuple[str, ...]) -> None:
        self.kit = kit
        self.randomizers = randomizers

    def start(self) -> ToolboxState:
        return laid_out(self.kit)

    def ask(self, state: ToolboxState) -> Ask:
        return asked(self.kit, state)

    def moves(self, state: ToolboxState, seat: int) -> Choices:
        return choices(self.kit, state)

    def after(self, state: ToolboxState, step: Step) -> ToolboxState:
        match step:
            case Played(seat=seat, move=move):
                return played(self.kit, state, seat, move)
            case Dealt():
                return dealt(self.kit, state, step)
            case Corrected(correction=correction):
                return corrected(self.kit, state, correction)

    def sees(self, state: ToolboxState, seat: int | None) -> Seen:
        return seen(self.kit, state)

    def tells(self, before: ToolboxState, step: Step, seat: int | None) -> dict[str, Json]:
        return told(self.kit, before, step)

    def aids(self, state: ToolboxState, seat: int | None) -> dict[str, Json]:
        return help_with(self.kit, state)

    def tally(self, state: ToolboxState) -> Finished:
        scores = tuple(Score(seat, points, {"points": points}) for seat, points in enumerate(state.points))
        best = max(state.points)
        return Finished(scores, tuple(score.seat for score in scores if score.total == best))

    def closed(self, state: ToolboxState) -> ToolboxState:
        """Nothing lies hidden that could be shown now."""
        return state

    def census(self, state: ToolboxState) -> Mapping[str, int]:
        return counted(self.kit, state)

    def hides(self, before: ToolboxState, step: Step) -> bool:
        """Everything here lies open."""
        return False

    def lift_wanted(self, move: Move) -> bool:
        return isinstance(move, Uncover)

    def cue(self, step: Step) -> ShovelCue | None:
        match step:
            case Played(move=Shovel(do=cue)):
                return cue
        return None

    def offered(self) -> tuple[type[Move], ...]:
        from companion.games.toolbox.offered import kinds

        return kinds(self)

    def mending(self, state: ToolboxState) -> Mending:
        from companion.games.toolbox.mending import choices as sayable

        return sayable(self, state)
