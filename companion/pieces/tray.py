"""The tray of sand: square piles of cards, of which only the top is seen."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.refusals import Illegal


class Tray(msgspec.Struct, frozen=True):
    """Piles of cards on `side` times `side` squares, numbered from 0, row by row.

    >>> tray = Tray.of([["mask", "chain", "chain", "falcon"], ["earth"] * 4])
    >>> tray.top(0), tray.depth(0)
    ('earth', 2)
    >>> tray.uncover(0).top(0)
    'mask'
    >>> tray.uncover(0).uncover(0).is_bare(0)
    True
    """

    side: int
    piles: tuple[tuple[str, ...], ...]
    """For each square its cards from the bottom up."""

    @classmethod
    def of(cls, layers: Sequence[Sequence[str]], *, side: int | None = None) -> Tray:
        """A tray with layers laid into it, the lowest first.

        :raises Illegal: if a layer does not cover the tray.
        """
        side = side or round(len(layers[0]) ** 0.5)
        tray = cls(side, ((),) * (side * side))
        for layer in layers:
            tray = tray.covered(layer)
        return tray

    def covered(self, layer: Sequence[str]) -> Tray:
        """With one more layer on top."""
        if len(layer) != len(self.piles):
            raise Illegal("piece.tray.layer", cards=len(layer), squares=len(self.piles))
        return Tray(self.side, tuple((*pile, card) for pile, card in zip(self.piles, layer, strict=True)))

    def top(self, square: int) -> str | None:
        """The card that is seen; None if the square is bare."""
        pile = self._pile(square)
        return pile[-1] if pile else None

    def depth(self, square: int) -> int:
        """How many cards lie there."""
        return len(self._pile(square))

    def is_bare(self, square: int) -> bool:
        """Whether nothing is left there."""
        return not self._pile(square)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is left anywhere."""
        return not any(self.piles)

    @property
    def is_uncovered(self) -> bool:
        """Whether every card has been seen: nowhere do two lie on each other."""
        return all(len(pile) < 2 for pile in self.piles)

    def uncover(self, square: int) -> Tray:
        """Without the top card of a square.

        :raises Illegal: if the square is bare.
        """
        pile = self._pile(square)
        if not pile:
            raise Illegal("piece.tray.bare", square=square)
        return Tray(self.side, (*self.piles[:square], pile[:-1], *self.piles[square + 1 :]))

    def turned(self, quarters: int) -> Tray:
        """The tray after quarter turns clockwise.

        >>> [pile[0] for pile in Tray.of([["nw", "ne", "sw", "se"]]).turned(1).piles]
        ['sw', 'nw', 'se', 'ne']
        """
        piles, side = self.piles, self.side
        for _ in range(quarters % 4):
            piles = tuple(piles[(side - 1 - column) * side + row] for row in range(side) for column in range(side))
        return Tray(side, piles)

    def _pile(self, square: int) -> tuple[str, ...]:
        if not 0 <= square < len(self.piles):
            raise Illegal("piece.tray.square", square=square)
        return self.piles[square]
