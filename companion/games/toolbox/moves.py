"""What can be done with the tools of a box. Anybody at the table may do any of it."""

from __future__ import annotations

from companion.game import Move, ShovelCue


class Advance(Move, frozen=True, tag="advance"):
    """Moves a marker on, or back where `weeks` is less than nothing."""

    seat: int
    weeks: int


class SetDial(Move, frozen=True, tag="dial"):
    """Turns the dial to a knowledge."""

    knowledge: int


class Draw(Move, frozen=True, tag="draw"):
    """Draws tokens from a bag for a seat; for whoever acts, if none is named."""

    bag: str
    count: int
    seat: int | None = None


class ReturnFind(Move, frozen=True, tag="return_find"):
    """Puts a find back into its bag."""

    seat: int
    bag: str
    token: str


class Roll(Move, frozen=True, tag="roll"):
    """Rolls so many dice."""

    count: int


class DropBlock(Move, frozen=True, tag="block"):
    """Draws a block, which falls."""


class WalkMummies(Move, frozen=True, tag="mummies"):
    """Lets the mummies walk: so many squares, or as many as the dice say."""

    steps: int | None = None


class Uncover(Move, frozen=True, tag="uncover"):
    """Lifts the top card of a square."""

    square: str


class Award(Move, frozen=True, tag="award"):
    """Gives points, or takes them."""

    seat: int
    points: int


class Shovel(Move, frozen=True, tag="shovel"):
    """Tells the shovel what to do."""

    do: ShovelCue


MOVE_TYPES: tuple[type[Move], ...] = (
    Advance,
    SetDial,
    Draw,
    ReturnFind,
    Roll,
    DropBlock,
    WalkMummies,
    Uncover,
    Award,
    Shovel,
)
