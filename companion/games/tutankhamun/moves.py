"""What a seat does at the tray."""

from __future__ import annotations

from companion.game import Move


class Lay(Move, frozen=True, tag="lay"):
    """Lay the layer that is due, row by row, each row from left to right."""

    cards: tuple[str, ...]


class Deal(Move, frozen=True, tag="deal"):
    """Let the companion lay the layer that is due."""


class Scarab(Move, frozen=True, tag="scarab"):
    """Everything this turn counts double."""


class Dig(Move, frozen=True, tag="dig"):
    """Lift the top card of a square."""

    square: str


class Stop(Move, frozen=True, tag="stop"):
    """Keep this turn's takings."""


class Barricade(Move, frozen=True, tag="barricade"):
    """Close a square until one's own next turn."""

    square: str


class NoBarricade(Move, frozen=True, tag="no_barricade"):
    """End the turn without a barricade."""


class Pass(Move, frozen=True, tag="pass"):
    """Let a turn go by without digging, for a fee."""


MOVE_TYPES: tuple[type[Move], ...] = (Lay, Deal, Scarab, Dig, Stop, Barricade, NoBarricade, Pass)


def lifted_square(move: Move) -> str | None:
    """The square whose top card a move lifts; None for a move that lifts nothing."""
    return move.square if isinstance(move, Dig) else None
