"""What a seat can do in Jenseits von Theben."""

from __future__ import annotations

from typing import Literal

from companion.game import Move

Use = Literal["ethnology", "assistant", "shovel", "special_permit"]
"""A card that is used up for one dig."""

USES: tuple[Use, ...] = ("ethnology", "assistant", "shovel", "special_permit")
"""The order in which a dig names what it uses."""

MOST_WEEKS = 12


class Take(Move, frozen=True, tag="take"):
    """Go to the city of an open card, and take it."""

    card: str
    zeppelin: bool = False


class Refresh(Move, frozen=True, tag="refresh"):
    """Go to Warsaw, and have four other cards opened."""

    zeppelin: bool = False


class Dig(Move, frozen=True, tag="dig"):
    """Go to a site, and dig there for 1 to 12 weeks, using up these cards."""

    site: str
    weeks: int
    use: tuple[Use, ...] = ()
    zeppelin: bool = False


class Exhibit(Move, frozen=True, tag="exhibit"):
    """Go to the city of an exhibition, and hold it."""

    card: str
    zeppelin: bool = False


class Retire(Move, frozen=True, tag="retire"):
    """Act no more: the marker goes to the end."""


MOVES: tuple[type[Move], ...] = (Take, Refresh, Dig, Exhibit, Retire)
