"""How the tools of a box lie on the table, and what is in somebody's hand."""

from __future__ import annotations

from typing import Literal, TypeVar

import msgspec

from companion.game import State
from companion.pieces.bag import Bag
from companion.pieces.corridor import Walker
from companion.pieces.dice import Dice
from companion.pieces.track import Track

BLANK = "blank"
T = TypeVar("T")


class Find(msgspec.Struct, frozen=True):
    """A token before a seat, and the bag it came from."""

    bag: str
    token: str


class Stacking(msgspec.Struct, frozen=True):
    """The markers are being stacked: these lie already, the one on top first."""

    top_first: tuple[int, ...]


class Drawing(msgspec.Struct, frozen=True):
    """A hand is in a bag. What it has drawn stays out until it has drawn all it wants."""

    seat: int
    bag: str
    count: int
    drawn: tuple[str, ...] = ()


class Rolling(msgspec.Struct, frozen=True):
    """Dice are being rolled; the mummies may be waiting for them."""

    seat: int
    count: int
    mummies: bool = False


class Falling(msgspec.Struct, frozen=True):
    """A block is being drawn."""

    seat: int


class Uncovering(msgspec.Struct, frozen=True):
    """What lies on these squares, numbered from 0, is coming to light."""

    squares: tuple[int, ...]
    seat: int | None = None


Hand = Stacking | Drawing | Rolling | Falling | Uncovering


class Sand(msgspec.Struct, frozen=True):
    """A tray of cards that nobody knows before they come to light. Layers are numbered from 0, the lowest first."""

    depths: tuple[int, ...]
    tops: tuple[str | None, ...]
    unseen: tuple[Bag, ...]
    """For each layer the cards that have not come to light."""
    lifted: tuple[Bag, ...]
    """For each layer the cards that have left the game."""

    def lift(self, square: int, card: str) -> Sand:
        """Without the card that lies open on a square; what lies below has not been seen yet."""
        layer = self.depths[square] - 1
        lifted = put(self.lifted, layer, self.lifted[layer].with_(card))
        return Sand(put(self.depths, square, layer), put(self.tops, square, None), self.unseen, lifted)

    def turn_up(self, square: int, card: str) -> Sand:
        """With an unseen card of its layer open on a square."""
        layer = self.depths[square] - 1
        unseen = put(self.unseen, layer, self.unseen[layer].without(card))
        return Sand(self.depths, put(self.tops, square, card), unseen, self.lifted)

    def turn_down(self, square: int, card: str) -> Sand:
        """With the open card of a square among the unseen ones again."""
        layer = self.depths[square] - 1
        unseen = put(self.unseen, layer, self.unseen[layer].with_(card))
        return Sand(self.depths, put(self.tops, square, None), unseen, self.lifted)


class ToolboxState(State, frozen=True):
    """Everything that the tools hold. A tool the box does not have stays empty."""

    hand: Hand | None
    track: Track | None
    knowledge: int
    bags: dict[str, Bag]
    finds: tuple[tuple[Find, ...], ...]
    drawn: Drawing | None
    """The draw that ended last."""
    dice: Dice
    fallen: tuple[int, ...]
    """The blocks that have fallen, in their order."""
    mummies: dict[str, Walker]
    walked: dict[str, tuple[str, ...]]
    """The squares that each mummy entered when it last walked."""
    sand: Sand | None
    points: tuple[int, ...]
    cue: Literal["grip", "release"] | None = None
    """What the shovel was last told; None after a stop."""


def put(values: tuple[T, ...], at: int, value: T) -> tuple[T, ...]:
    """The values with another one at a place."""
    return (*values[:at], value, *values[at + 1 :])
