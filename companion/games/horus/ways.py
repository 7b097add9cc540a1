"""Ways through the pyramid, reckoned quickly: a set of squares is a number with a bit for each of them.

>>> ways = Ways({"in": ("hall",), "hall": ("in", "den"), "den": ("hall",)}, [["in", "hall", "den"]])
>>> [ways.names(layer) for layer in ways.layers(ways.bits("in"), ways.every)]
[['in'], ['hall'], ['den']]
>>> ways.reaches(ways.bits("den"), ways.bits("in"), ways.every & ~ways.bits("hall"))
False
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

FAR = 99
"""Further than any square is from another."""


class Ways:
    """The squares of a plan, and which of them one can step between.

    :param grid: the squares as they lie, row by row; squares beside each other are then bits as far apart.
    """

    def __init__(self, neighbours: Mapping[str, Sequence[str]], grid: Sequence[Sequence[str]]) -> None:
        width = max(map(len, grid))
        self._place = {name: y * width + x for y, row in enumerate(grid) for x, name in enumerate(row) if name}
        self.bit = {name: 1 << place for name, place in self._place.items()}
        self.every = self.bits(*self.bit)
        sources: dict[int, int] = defaultdict(int)
        for name, others in neighbours.items():
            for other in others:
                sources[self._place[other] - self._place[name]] |= self.bit[name]
        self._forth = tuple((apart, mask) for apart, mask in sources.items() if apart > 0)
        self._back = tuple((-apart, mask) for apart, mask in sources.items() if apart < 0)

    def bits(self, *squares: str) -> int:
        """A set of squares."""
        return sum({self.bit[square] for square in squares})

    def names(self, squares: int) -> list[str]:
        """The squares of a set."""
        return [name for name, bit in self.bit.items() if squares & bit]

    def beside(self, squares: int) -> int:
        """The squares that one can step to from any of these."""
        found = 0
        for apart, mask in self._forth:
            found |= (squares & mask) << apart
        for apart, mask in self._back:
            found |= (squares & mask) >> apart
        return found

    def layers(self, start: int, free: int) -> list[int]:
        """The squares that can be reached in 0, 1, 2 … steps and in no fewer.

        :param free: where no block lies.
        """
        found = layer = start & free
        layers = [layer]
        while layer := self.beside(layer) & free & ~found:
            found |= layer
            layers.append(layer)
        return layers

    def reaches(self, start: int, goal: int, free: int) -> bool:
        """Whether a way leads from some squares to others."""
        found = layer = start & free
        while layer:
            if layer & goal:
                return True
            layer = self.beside(layer) & free & ~found
            found |= layer
        return False


def steps_to(squares: int, layers: Iterable[int]) -> int:
    """After how many steps the first of some squares is reached."""
    for steps, layer in enumerate(layers):
        if layer & squares:
            return steps
    return FAR
