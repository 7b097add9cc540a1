"""Tutankhamun, refereed: layers are laid or dealt, dug up card by card, and whoever digs too long pays for it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
    Seen,
    Setup,
    Step,
)
from companion.games.tutankhamun import rules
from companion.games.tutankhamun.aids import aids
from companion.games.tutankhamun.box import TutankhamunBox
from companion.games.tutankhamun.census import census
from companion.games.tutankhamun.corrections import CORRECTION_TYPES, Shown
from companion.games.tutankhamun.moves import MOVE_TYPES, Lay, lifted_square
from companion.games.tutankhamun.score import tally
from companion.games.tutankhamun.state import OPTIONS, RANDOMIZERS, TutankhamunState, settled, terms_of
from companion.games.tutankhamun.turns import closed
from companion.games.tutankhamun.view import sees, tells


class Tutankhamun:
    """The rules of Tutankhamun at one table."""

    rules_version = newest_rules = oldest_rules = 1
    move_types = MOVE_TYPES
    correction_types = CORRECTION_TYPES
    randomizers: tuple[str, ...] = RANDOMIZERS
    options = OPTIONS
    settled = staticmethod(settled)

    def __init__(self, setup: Setup, box: TutankhamunBox, rules: int | None = None) -> None:
        self.terms = terms_of(setup, box)

    def start(self) -> TutankhamunState:
        return rules.start(self.terms)

    def ask(self, state: TutankhamunState) -> Ask:
        return rules.ask(self.terms, state)

    def moves(self, state: TutankhamunState, seat: int) -> Choices:
        return rules.moves(self.terms, state, seat)

    def after(self, state: TutankhamunState, step: Step) -> TutankhamunState:
        return rules.after(self.terms, state, step)

    def sees(self, state: TutankhamunState, seat: int | None) -> Seen:
        return sees(self.terms, state, seat)

    def tells(self, before: TutankhamunState, step: Step, seat: int | None) -> dict[str, Json]:
        return tells(self.terms, before, step)

    def aids(self, state: TutankhamunState, seat: int | None) -> dict[str, Json]:
        return aids(self.terms, state, seat)

    def tally(self, state: TutankhamunState) -> Finished:
        return tally(self.terms, state)

    def closed(self, state: TutankhamunState) -> TutankhamunState:
        return closed(state)

    def census(self, state: TutankhamunState) -> Mapping[str, int]:
        return census(self.terms, state)

    def hides(self, before: TutankhamunState, step: Step) -> bool:
        """Which cards were laid, came to light or were put right: no record tells before the end (TUT-40)."""
        match step:
            case Played(move=Lay()):
                return True
            case Dealt() | Corrected(correction=Shown()):
                return not self.terms.open_memory
            case _:
                return False

    def lift_wanted(self, move: Move) -> bool:
        """Whether a move lifts a card, so that a shovel must do it first (TUT-30)."""
        return lifted_square(move) is not None

    def cue(self, step: Step) -> None:
        """A lift is asked for with the move itself, so no step moves the shovel afterwards."""

    def offered(self) -> tuple[type[Move], ...]:
        return self.move_types

    def mending(self, state: Any) -> Mending:
        from companion.games.tutankhamun.mending import choices

        return choices(self, state)
