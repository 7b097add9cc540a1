"""The table is right about what is printed, too: a figure that no rule states reads otherwise on another copy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from companion.boxes import Box
from companion.game import Together
from companion.parts import Facts, Here, Mend, Says
from companion.pieces.otherwise import Reads
from companion.refusals import AsTyped, Illegal, Refusal

Copy = Here[Any, Any]
"""A table of a game whose terms know their `box`."""


def _walls(here: Copy) -> tuple[tuple[str, str, bool], ...]:
    """Every two squares that touch, either way round, and whether a wall may be there."""
    edges = here.terms.box.edges.values() if here.terms.box else ()
    both = ((pair, each.may_be) for each in edges for pair in (each.squares, each.squares[::-1]))
    return tuple((*pair, wall) for pair, may_be in both for wall in may_be)


def _squares(here: Copy) -> tuple[str, ...]:
    return tuple(dict.fromkeys(square for square, _, _ in _walls(here)))


Square = Annotated[str, Says(_squares)]


class Wall(Mend[Copy], frozen=True, tag="wall"):
    """Between two squares of the plan is a wall, or none."""

    square: Square
    beside: Square
    wall: Annotated[bool, Says(lambda here: (True, False))]

    @classmethod
    def sayable(cls, here: Copy) -> tuple[Together, ...]:
        return (Together(("square", "beside", "wall"), _walls(here)),)

    @classmethod
    def stands(cls, here: Copy) -> Iterator[Wall]:
        edges = here.terms.box.edges.values() if here.terms.box else ()
        return (cls(each.squares[0], each.squares[1], each.wall) for each in edges)

    def why_not(self, here: Copy) -> Refusal | None:
        if (self.square, self.beside, self.wall) in _walls(here):
            return None
        rule, squares = here.terms.box.rule_of_walls, {"square": self.square, "beside": self.beside}
        return Illegal("core.no_wall", rule=rule, **{field: AsTyped(name) for field, name in squares.items()})

    def done(self, here: Copy) -> Copy:
        pair = {self.square, self.beside}
        key, edge = next(each for each in here.terms.box.edges.items() if {*each[1].squares} == pair)
        if edge.wall == self.wall:
            return here
        others = tuple(each for each in here.state.reads if each.key != key)
        return here.but(reads=(*others, Reads(key, int(self.wall))))

    def told(self, here: Copy) -> Facts:
        kind = "wall" if self.wall else "no_wall"
        return {"type": kind, "square": self.square, "beside": self.beside}


def _parts(here: Copy) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key.rpartition(".")[0] for key in here.terms.box.readings))


def _figures(here: Copy) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key.rpartition(".")[2] for key in here.terms.box.readings))


def _values(here: Copy) -> tuple[int, ...]:
    return tuple(sorted({value for values in here.terms.box.readings.values() for value in values}))


def _parts_named(here: Copy) -> Mapping[str, tuple[str, ...]]:
    return {f"part={part}": here.terms.box.said_as(part) for part in _parts(here)}


def _figures_named(here: Copy) -> Mapping[str, tuple[str, ...]]:
    keys: Mapping[str, tuple[int, ...]] = here.terms.box.readings
    return {f"figure={key.rpartition('.')[2]}": here.terms.box.said_as(key)[-1:] for key in keys}


class Printed(Mend[Copy], frozen=True, tag="printed"):
    """A figure reads otherwise: in a part of the box, that figure is so."""

    part: Annotated[str, Says(_parts, _parts_named)]
    figure: Annotated[str, Says(_figures, _figures_named)]
    value: Annotated[int, Says(_values)]

    @property
    def key(self) -> str:
        """Where it stands in the box."""
        return f"{self.part}.{self.figure}"

    @classmethod
    def sayable(cls, here: Copy) -> tuple[Together, ...]:
        return (Together(("part", "figure", "value"), here.terms.box.rows_to_read),)

    @classmethod
    def stands(cls, here: Copy) -> Iterator[Printed]:
        keys = ((key.rpartition("."), value) for key, value in here.terms.box.reads.items())
        return (cls(part, figure, value) for (part, _, figure), value in keys)

    def why_not(self, here: Copy) -> Refusal | None:
        box: Box = here.terms.box
        values, rule = box.readings.get(self.key), box.rule_for(self.key) or box.rule_prefix
        if values is None:
            if box.has(self.key) and box.origin(self.key) == "rules":
                return Illegal("core.stated_so", rule=rule, part=box.said_as(self.key))
            return Illegal("core.not_printed_so", rule=rule, part=AsTyped(self.part))
        if self.value in values:
            return None
        return Illegal("core.cannot_read", rule=rule, least=min(values), most=max(values), value=self.value)

    def done(self, here: Copy) -> Copy:
        others = tuple(each for each in here.state.reads if each.key != self.key)
        if self.value == here.terms.box.reads[self.key]:
            return here
        return here.but(reads=(*others, Reads(self.key, self.value)))

    def told(self, here: Copy) -> Facts:
        return {"type": "printed", "what": list(here.terms.box.said_as(self.key)), "n": self.value}
