"""The table is right about what is printed, too: a figure that no rule states reads otherwise on another copy."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

from companion.boxes import Box
from companion.game import FieldTable
from companion.parts import ChoiceOf, Facts, RuledCorrection, TableView
from companion.pieces.box_differences import FigureOverride
from companion.refusals import AsTyped, Illegal, Refusal

Copy = TableView[Any, Any]
"""A table of a game whose terms know their `box`."""


def _walls(table: Copy) -> tuple[tuple[str, str, bool], ...]:
    """Every two squares that touch, either way round, and whether a wall may be there."""
    edges = table.terms.box.edges.values() if table.terms.box else ()
    both = ((pair, each.may_be) for each in edges for pair in (each.squares, each.squares[::-1]))
    return tuple((*pair, wall) for pair, may_be in both for wall in may_be)


def _squares(table: Copy) -> tuple[str, ...]:
    return tuple(dict.fromkeys(square for square, _, _ in _walls(table)))


Square = Annotated[str, ChoiceOf(_squares)]


class Wall(RuledCorrection[Copy], frozen=True, tag="wall"):
    """Between two squares of the plan is a wall, or none."""

    square: Square
    beside: Square
    wall: Annotated[bool, ChoiceOf(lambda table: (True, False))]

    @classmethod
    def offered_values(cls, table: Copy) -> tuple[FieldTable, ...]:
        return (FieldTable(("square", "beside", "wall"), _walls(table)),)

    @classmethod
    def current_values(cls, table: Copy) -> Iterator[Wall]:
        edges = table.terms.box.edges.values() if table.terms.box else ()
        return (cls(each.squares[0], each.squares[1], each.wall) for each in edges)

    def why_not(self, table: Copy) -> Refusal | None:
        if (self.square, self.beside, self.wall) in _walls(table):
            return None
        rule, squares = table.terms.box.rule_of_walls, {"square": self.square, "beside": self.beside}
        return Illegal("core.no_wall", rule=rule, **{field: AsTyped(name) for field, name in squares.items()})

    def done(self, table: Copy) -> Copy:
        pair = {self.square, self.beside}
        key, edge = next(each for each in table.terms.box.edges.items() if {*each[1].squares} == pair)
        if edge.wall == self.wall:
            return table
        others = tuple(each for each in table.state.reads if each.key != key)
        return table.replace(reads=(*others, FigureOverride(key, int(self.wall))))

    def log_facts(self, table: Copy) -> Facts:
        kind = "wall" if self.wall else "no_wall"
        return {"type": kind, "square": self.square, "beside": self.beside}


def _parts(table: Copy) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key.rpartition(".")[0] for key in table.terms.box.readings))


def _figures(table: Copy) -> tuple[str, ...]:
    return tuple(dict.fromkeys(key.rpartition(".")[2] for key in table.terms.box.readings))


def _values(table: Copy) -> tuple[int, ...]:
    return tuple(sorted({value for values in table.terms.box.readings.values() for value in values}))


def _parts_named(table: Copy) -> Mapping[str, tuple[str, ...]]:
    return {f"part={part}": table.terms.box.said_as(part) for part in _parts(table)}


def _figures_named(table: Copy) -> Mapping[str, tuple[str, ...]]:
    keys: Mapping[str, tuple[int, ...]] = table.terms.box.readings
    return {f"figure={key.rpartition('.')[2]}": table.terms.box.said_as(key)[-1:] for key in keys}


class FigurePrinted(RuledCorrection[Copy], frozen=True, tag="printed"):
    """A figure reads otherwise: in a part of the box, that figure is so."""

    part: Annotated[str, ChoiceOf(_parts, _parts_named)]
    figure: Annotated[str, ChoiceOf(_figures, _figures_named)]
    value: Annotated[int, ChoiceOf(_values)]

    @property
    def key(self) -> str:
        """Where it stands in the box."""
        return f"{self.part}.{self.figure}"

    @classmethod
    def offered_values(cls, table: Copy) -> tuple[FieldTable, ...]:
        return (FieldTable(("part", "figure", "value"), table.terms.box.rows_to_read),)

    @classmethod
    def current_values(cls, table: Copy) -> Iterator[FigurePrinted]:
        keys = ((key.rpartition("."), value) for key, value in table.terms.box.reads.items())
        return (cls(part, figure, value) for (part, _, figure), value in keys)

    def why_not(self, table: Copy) -> Refusal | None:
        box: Box = table.terms.box
        values, rule = box.readings.get(self.key), box.rule_for(self.key) or box.rule_prefix
        if values is None:
            if box.has(self.key) and box.origin(self.key) == "rules":
                return Illegal("core.stated_so", rule=rule, part=box.said_as(self.key))
            return Illegal("core.not_printed_so", rule=rule, part=AsTyped(self.part))
        if self.value in values:
            return None
        return Illegal("core.cannot_read", rule=rule, least=min(values), most=max(values), value=self.value)

    def done(self, table: Copy) -> Copy:
        others = tuple(each for each in table.state.reads if each.key != self.key)
        if self.value == table.terms.box.reads[self.key]:
            return table
        return table.replace(reads=(*others, FigureOverride(self.key, self.value)))

    def log_facts(self, table: Copy) -> Facts:
        return {"type": "printed", "what": list(table.terms.box.said_as(self.key)), "n": self.value}
