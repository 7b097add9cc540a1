"""What a game adds of its own to the keepsake: what is drawn round the winner, and what below the scores."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from companion.game import Seat
from companion.refusals import Fact

if TYPE_CHECKING:  # whoever says what is to be drawn needs no picture yet
    from companion.keepsake.pencil import Pencil

Point = tuple[float, float]

PAPER, INK, FAINT, IVORY = "#f3e7cd", "#3a2818", "#8d7758", "#fbf4e2"
DUNE, BRASS, CLAY, LAPIS = "#d9c08c", "#b1853a", "#b5532f", "#27497a"

LAURELS: Point = (590, 912)
"""The middle of the laurels, where the winner is named."""
CLEAR = 310
"""So far round it nothing is drawn but the laurels, and what a game writes above the points."""


class PanelSay(Protocol):
    """A sentence by its key, in the language of whoever looks, filled with facts."""

    def __call__(self, key: str, /, **facts: Fact) -> str: ...


class Room(NamedTuple):
    """Where on the sheet there is room."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def wide(self) -> float:
        return self.right - self.left

    @property
    def high(self) -> float:
        return self.bottom - self.top


class Stroke(NamedTuple):
    """A part of a small picture round (0, 0): a path as SVG writes it, drawn in ink, and filled where it says so."""

    path: str
    ink: str
    width: float
    fill: str | None = None


class KeepsakePanel(NamedTuple):
    """What a game's own drawing goes by.

    :param state: where the game stands at the end.
    :param seats: who sits where, each with a name that can be written.
    """

    game: Any
    state: Any
    seats: tuple[Seat, ...]
    room: Room
    say: PanelSay


Drawn = Callable[["Pencil", KeepsakePanel], None]


class Panels(NamedTuple):
    """What is a game's own on the keepsake.

    :param around: draws round the laurels, before them; its room is the left half of the sheet.
    :param below: draws below the scores.
    """

    around: Drawn
    below: Drawn


def nothing(pencil: Pencil, panel: KeepsakePanel) -> None:
    """For a game that has nothing of its own to draw there."""


def sign_of(seat: Seat) -> tuple[str, str]:
    """The colour and the shape of a seat; plain ones where it has none."""
    return seat.colour or "#8a7a66", seat.shape or "circle"


def on_circle(centre: Point, radius: float, degrees: float) -> Point:
    """A point on a circle; 0 degrees is to the right, 90 below."""
    turn = math.radians(degrees)
    return centre[0] + radius * math.cos(turn), centre[1] + radius * math.sin(turn)
