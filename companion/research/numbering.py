"""Moves and outcomes as numbers: both libraries count what can be done, and a game here names it.

A number has to mean the same all along a game, and in a copy of it. A move has the number of its spelling, and a
spelling that is taken goes on to the next free one; so numbers depend on what was done before, and on nothing else.
Outcomes are numbered in the order in which their question names them.
"""

from __future__ import annotations

from collections.abc import Sequence
from zlib import crc32

import msgspec

from companion.game import Move

ACTIONS = 1 << 16
"""So many actions there are; far more than a position has moves."""


def spelling(move: Move) -> bytes:
    """How a move is written."""
    return msgspec.json.encode(move)


def numbered(moves: Sequence[Move]) -> dict[int, Move]:
    """The moves of a position by their numbers, in ascending order.

    >>> class Walk(Move, frozen=True, tag="walk"):
    ...     to: str
    >>> moves = numbered((Walk("north"), Walk("south")))
    >>> len(moves), moves == numbered((Walk("south"), Walk("north")))
    (2, True)
    """
    found: dict[int, Move] = {}
    for move in sorted(dict.fromkeys(moves), key=spelling):
        number = crc32(spelling(move)) % ACTIONS
        while number in found:
            number = (number + 1) % ACTIONS
        found[number] = move
    return dict(sorted(found.items()))
