"""Jenseits von Theben, refereed: two to four archaeologists, three years, five sites."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.game import (
    Ask,
    Choices,
    Corrected,
    Correction,
    Dealt,
    Finished,
    Json,
    Mending,
    Move,
    Option,
    Played,
    Seen,
    Setup,
    Step,
    Turn,
)
from companion.games.jenseits.aids import aids_for
from companion.games.jenseits.box import JenseitsBox
from companion.games.jenseits.choices import legal_moves
from companion.games.jenseits.corrections import CORRECTIONS, corrected
from companion.games.jenseits.draws import dealt
from companion.games.jenseits.log import told
from companion.games.jenseits.moves import MOVES
from companion.games.jenseits.printed import Printed
from companion.games.jenseits.rules import ask, played
from companion.games.jenseits.score import finished
from companion.games.jenseits.state import JenseitsState, counted_in_all, first_state
from companion.games.jenseits.view import board_of

RANDOMIZERS = ("tokens", "cards", "exhibitions", "start")
"""Exhibitions come from the same pile as research cards; which one comes is a draw of its own."""
OPTIONS = (Option("dig_help", (True, False), True),)
RULES_VERSION = 1


class Jenseits:
    """The referee. It fulfils `companion.game.Game`."""

    rules_version = oldest_rules = newest_rules = RULES_VERSION
    move_types = MOVES
    correction_types: tuple[type[Correction], ...] = CORRECTIONS
    randomizers: tuple[str, ...] = RANDOMIZERS
    options = OPTIONS

    @staticmethod
    def settled(setup: Setup) -> Setup:
        return setup

    def __init__(self, setup: Setup, box: JenseitsBox, rules: int | None = None) -> None:
        self.setup = setup
        self.printed = Printed(box)
        self.names = tuple(seat.name for seat in setup.seats)

    def start(self) -> JenseitsState:
        """The table as it is laid, before the starting markers are stacked and four cards opened."""
        return first_state(self.printed, len(self.setup.seats))

    def ask(self, state: JenseitsState) -> Ask:
        """What comes next."""
        return ask(self.printed, state)

    def moves(self, state: JenseitsState, seat: int) -> Choices:
        """Every legal move of a seat; none if it is not its turn."""
        wanted = ask(self.printed, state)
        asked = isinstance(wanted, Turn) and seat in wanted.seats
        return Choices(legal_moves(self.printed, state, seat) if asked else ())

    def after(self, state: JenseitsState, step: Step) -> JenseitsState:
        """The state after a step.

        :raises Refusal: if the step is not allowed; then nothing has changed.
        """
        match step:
            case Dealt(outcome=outcome):
                return dealt(self.printed, state, outcome)
            case Played(seat=seat, move=move):
                return played(self.printed, state, seat, move)
            case Corrected(correction=correction):
                return corrected(self.printed, state, correction)

    def sees(self, state: JenseitsState, seat: int | None) -> Seen:
        """The whole table: nothing in this game is for one seat's eyes alone."""
        return Seen(board_of(self.printed, state))

    def tells(self, before: JenseitsState, step: Step, seat: int | None) -> dict[str, Json]:
        """A step as the log tells it."""
        return told(self.printed, self.names, before, step)

    def aids(self, state: JenseitsState, seat: int | None) -> dict[str, Json]:
        """For the seat whose turn it is: what everything would cost, what is missing, and the odds of each dig."""
        return aids_for(self.printed, state, seat, odds=bool(self.setup.options.get("dig_help", True)))

    def tally(self, state: JenseitsState) -> Finished:
        """The scores as they stand."""
        return finished(self.printed, state)

    def closed(self, state: JenseitsState) -> JenseitsState:
        """Nothing lies hidden that could be shown now."""
        return state

    def census(self, state: JenseitsState) -> Mapping[str, int]:
        """All tokens and all cards, wherever they are."""
        return counted_in_all(state, self.printed.box.first_find)

    def hides(self, before: JenseitsState, step: Step) -> bool:
        """Everything here lies open."""
        return False

    def lift_wanted(self, move: Move) -> bool:
        """Nothing here is lifted with a shovel."""
        return False

    def cue(self, step: Step) -> None:
        """Nothing here moves the shovel."""

    def offered(self) -> tuple[type[Move], ...]:
        return self.move_types

    def mending(self, state: Any) -> Mending:
        from companion.games.jenseits.mending import choices

        return choices(self, state)
