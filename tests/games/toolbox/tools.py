"""A toolbox in a test: moves and outcomes one after the other, and what comes of them."""

from __future__ import annotations

from typing import Any, TypeVar

from companion import games
from companion.game import Chance, Corrected, Correction, Dealt, Json, Move, Outcome, Played, Seat, Setup, Step, Turn
from companion.games.toolbox import Toolbox
from companion.games.toolbox.kit import Tool, ToolboxState
from companion.games.toolbox.track import Stacking

NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Fay")
T = TypeVar("T", bound=Tool)


def toolbox(box: str, seats: int = 3, *, rules: int | None = None, **options: bool | int | str) -> Toolbox:
    """The toolbox of a box as it is shipped, by the newest rules unless it is told otherwise."""
    printed = games.box(box)
    setup = Setup(box, "toolbox", tuple(Seat(name) for name in NAMES[:seats]), options=options)
    game = games.open_game(games.with_defaults(setup, printed), printed, rules)
    assert isinstance(game, Toolbox)
    return game


def lying(state: ToolboxState, kind: type[T]) -> T:
    """A tool as it lies."""
    tool = state.tools[kind.name]
    assert isinstance(tool, kind)
    return tool


class Tools:
    """Tools on a table, and hands that use them. Unless told otherwise, seat 0 is on top of the starting stack."""

    def __init__(
        self, box: str, seats: int = 3, *, stacked: bool = True, rules: int | None = None, **options: bool | int | str
    ) -> None:
        self.game = toolbox(box, seats, rules=rules, **options)
        self.state: ToolboxState = self.game.start()
        if stacked and isinstance(self.state.hand, Stacking):
            self.fall(*range(seats - 1))

    def do(self, move: Move, *outcomes: Outcome, seat: int = 0) -> Tools:
        """A seat makes a move, and this falls."""
        self.state = self.game.after(self.state, Played(seat, move))
        return self.fall(*outcomes)

    def fall(self, *outcomes: Outcome) -> Tools:
        """This falls, or is reported."""
        for outcome in outcomes:
            self.state = self.game.after(self.state, Dealt(outcome))
        return self

    def mend(self, correction: Correction) -> Tools:
        """The table is put right."""
        self.state = self.game.after(self.state, Corrected(correction))
        return self

    @property
    def chance(self) -> Chance:
        """What is being asked."""
        ask = self.game.ask(self.state)
        assert isinstance(ask, Chance)
        return ask

    @property
    def is_free(self) -> bool:
        """Whether everybody may act."""
        return isinstance(self.game.ask(self.state), Turn)

    @property
    def board(self) -> Any:
        """What everybody sees."""
        return self.game.sees(self.state, None).board

    @property
    def stands(self) -> dict[str, list[dict[str, Json]]]:
        """How things stand, of each correction that knows."""
        stands = self.game.correction_form(self.state).stands
        return {kind: list(rows) for kind, rows in stands.items() if rows}

    @property
    def census(self) -> dict[str, int]:
        return dict(self.game.census(self.state))

    def told(self, step: Step) -> dict[str, Json]:
        """What the log says of a step from here."""
        return self.game.tells(self.state, step, None)
