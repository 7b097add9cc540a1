"""The plan of the pyramid of Horus as its box draws it: squares, walls, corridor, and what stands where."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Annotated, Literal, get_args

from msgspec import Meta

from companion.boxes.box import Edge, Name, Part
from companion.boxes.problems import Doubt, FigureProblem
from companion.pieces.plan import Plan
from companion.refusals import AsTyped, as_typed

SQUARES = 52
BLOCKS = 36
STRETCH = 6
CORRIDOR = 16
God = Literal["hededet", "sobek", "thoth", "anubis", "horus"]
GODS: tuple[God, ...] = get_args(God)
Stretch = Literal["left", "far", "right"]
STRETCHES: tuple[Stretch, ...] = ("left", "far", "right")
Square = Annotated[str, Meta(pattern="^[A-Z0-9]+$")]
Blocks = Annotated[str, Meta(pattern="^[0-9]{1,2}-[0-9]{1,2}$")]
Where = tuple[int, int]


class MummyStart(Part, frozen=True):
    """Where a mummy starts, and the end of its stretch that it looks at."""

    stretch: Stretch
    square: Square
    towards: Square


class Areas(Part, frozen=True):
    """Which numbered squares belong to which area, from the first to the last."""

    den: Blocks
    sand: Blocks
    pond: Blocks

    def items(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Each area with its squares."""
        return tuple((name, numbered(getattr(self, name))) for name in self.__struct_fields__)


class Corridor(Part, frozen=True):
    """The three stretches, each from the corner nearer the entrance on the left, round to the right."""

    left: tuple[Square, ...]
    far: tuple[Square, ...]
    right: tuple[Square, ...]

    def stretch(self, name: Stretch) -> tuple[str, ...]:
        """The squares of one stretch in their order."""
        return {"left": self.left, "far": self.far, "right": self.right}[name]


class PlanOfThePyramid(Part, frozen=True, dict=True):
    """Squares as they lie, seen from the entrance with the far end first; an empty name is solid rock."""

    corridor: Corridor
    grid: tuple[tuple[str, ...], ...]
    walls: tuple[tuple[Square, Square], ...]
    areas: Areas
    entrances: tuple[Square, ...]
    sarcophagi: Mapping[God, tuple[Square, ...]]
    alcoves: Mapping[God, tuple[Square, ...]]
    mummies: Mapping[Name, MummyStart]
    alternative: Mapping[Name, MummyStart]

    @cached_property
    def squares(self) -> tuple[str, ...]:
        """All squares, row by row."""
        return tuple(name for row in self.grid for name in row if name)

    @cached_property
    def blocks(self) -> tuple[str, ...]:
        """The numbered squares, on which blocks fall, by number."""
        return tuple(sorted((name for name in self.squares if name.isdecimal()), key=int))

    @cached_property
    def passages(self) -> tuple[tuple[str, str], ...]:
        """Every two squares that one can step between."""
        solid = {frozenset(wall) for wall in self.walls}
        return tuple(pair for pair in self.touching if frozenset(pair) not in solid)

    @cached_property
    def touching(self) -> tuple[tuple[str, str], ...]:
        """Every two squares with a common edge, a wall there or not."""
        at = self._places
        beside = (((row, column), side) for row, column in at for side in ((row, column + 1), (row + 1, column)))
        return tuple((at[here], at[there]) for here, there in beside if there in at)

    @cached_property
    def area(self) -> Mapping[str, str]:
        """For each square its area: ``den``, ``sand``, ``pond`` or ``corridor``."""
        where = dict.fromkeys((*self.corridor.left, *self.corridor.far, *self.corridor.right), "corridor")
        for name, squares in self.areas.items():
            where |= dict.fromkeys(squares, name)
        return where

    @cached_property
    def _places(self) -> Mapping[Where, str]:
        return {(y, x): name for y, row in enumerate(self.grid) for x, name in enumerate(row) if name}

    @cached_property
    def edges(self) -> tuple[Edge, ...]:
        """Every two squares that touch, and whether a wall may be there: none in the corridor where mummies walk, and
        none that leaves no way out."""
        solid = {frozenset(wall) for wall in self.walls}
        walked = {frozenset(pair) for name in STRETCHES for pair in pairwise(self.corridor.stretch(name))}
        edges = []
        for pair in self.touching:
            left = Plan.of((each for each in self.passages if each != pair), exits=self.entrances)
            wall, closed = frozenset(pair) in solid, frozenset(pair) in walked
            fits = not closed and left.open_squares().issuperset(self.squares)
            edges.append(Edge(pair, wall, (False, True) if fits else (False,)))
        return tuple(edges)

    def doubts(self, sarcophagi: Mapping[God, int]) -> Iterator[Doubt]:
        """What is wrong with the plan.

        :param sarcophagi: how many sarcophagi each god has.
        """
        yield from self._doubts_about_squares()
        yield from self._doubts_about_areas()
        yield from self._doubts_about_the_corridor()
        yield from self._doubts_about_walls()
        yield from self._doubts_about_the_way_out()
        yield from self._doubts_about_cards(sarcophagi)
        yield from self._doubts_about_mummies("mummies", self.mummies)
        yield from self._doubts_about_mummies("alternative", self.alternative)

    def _doubts_about_squares(self) -> Iterator[Doubt]:
        for index, row in enumerate(self.grid, 1):
            if len(row) != len(self.grid[0]):
                yield f"grid.{index}", FigureProblem("horus.amiss.plan_row")
            for column, name in enumerate(row, 1):
                if not re.fullmatch("[A-Z0-9]*", name):
                    yield f"grid.{index}.{column}", FigureProblem("horus.amiss.plan_name")
        if len(self.squares) != SQUARES:
            yield "grid", FigureProblem("horus.amiss.plan_squares", n=SQUARES, found=len(self.squares))
        for name, count in Counter(self.squares).items():
            if count > 1:
                yield "grid", FigureProblem("horus.amiss.plan_twice", square=AsTyped(name), n=count)
        numbers = tuple(str(number) for number in range(1, BLOCKS + 1))
        missing = as_typed(number for number in numbers if number not in self.blocks)
        beyond = as_typed(name for name in self.blocks if name not in numbers)
        if missing:
            yield "grid", FigureProblem("horus.amiss.plan_missing", most=BLOCKS, n=len(missing), missing=missing)
        if beyond:
            yield "grid", FigureProblem("horus.amiss.plan_beyond", most=BLOCKS, n=len(beyond), beyond=beyond)

    def _doubts_about_areas(self) -> Iterator[Doubt]:
        seen: set[str] = set()
        for area, squares in self.areas.items():
            if seen.intersection(squares):
                yield f"areas.{area}", FigureProblem("horus.amiss.plan_one_area")
            if not squares or not set(self.blocks).issuperset(squares):
                yield f"areas.{area}", FigureProblem("horus.amiss.plan_not_numbered")
            seen.update(squares)
        for name in self.blocks:
            if name not in seen:
                yield "areas", FigureProblem("horus.amiss.plan_no_area", square=AsTyped(name))

    def _doubts_about_the_corridor(self) -> Iterator[Doubt]:
        corridor, open_to = self.corridor, {frozenset(pair) for pair in self.passages}
        for stretch in STRETCHES:
            squares = corridor.stretch(stretch)
            found = len(set(squares))
            if found != STRETCH or len(squares) != STRETCH:
                yield f"corridor.{stretch}", FigureProblem("horus.amiss.plan_stretch", n=STRETCH, found=found)
            for here, there in pairwise(squares):
                if frozenset((here, there)) not in open_to:
                    ends = {"here": AsTyped(here), "there": AsTyped(there)}
                    yield f"corridor.{stretch}", FigureProblem("horus.amiss.plan_no_step", **ends)
        if corridor.left[-1:] != corridor.far[:1] or corridor.far[-1:] != corridor.right[:1]:
            yield "corridor", FigureProblem("horus.amiss.plan_corners")
        found = len({*corridor.left, *corridor.far, *corridor.right})
        if found != CORRIDOR:
            yield "corridor", FigureProblem("horus.amiss.plan_corridor", n=CORRIDOR, found=found)
        for name in sorted({*corridor.left, *corridor.far, *corridor.right} & set(self.blocks)):
            yield "corridor", FigureProblem("horus.amiss.plan_falls", square=AsTyped(name))

    def _doubts_about_walls(self) -> Iterator[Doubt]:
        touching = {frozenset(pair) for pair in self.touching}
        seen: set[frozenset[str]] = set()
        for index, wall in enumerate(self.walls, 1):
            if frozenset(wall) not in touching:
                yield (
                    f"walls.{index}",
                    FigureProblem("horus.amiss.plan_apart", here=AsTyped(wall[0]), there=AsTyped(wall[1])),
                )
            elif frozenset(wall) in seen:
                yield f"walls.{index}", FigureProblem("horus.amiss.plan_wall_twice")
            seen.add(frozenset(wall))

    def _doubts_about_the_way_out(self) -> Iterator[Doubt]:
        if not self.entrances:
            yield "entrances", FigureProblem("horus.amiss.plan_no_entrance")
        for index, name in enumerate(self.entrances, 1):
            if name not in self.squares:
                yield f"entrances.{index}", FigureProblem("horus.amiss.plan_no_square", square=AsTyped(name))
        inside = set(self.squares) - reached(self.entrances, self.passages)
        for name in sorted(inside):
            yield "walls", FigureProblem("horus.amiss.plan_no_way", square=AsTyped(name))

    def _doubts_about_cards(self, sarcophagi: Mapping[God, int]) -> Iterator[Doubt]:
        for god in GODS:
            count, said = sarcophagi.get(god, 0), len(set(self.sarcophagi.get(god, ())))
            if said != count:
                yield f"sarcophagi.{god}", FigureProblem("horus.amiss.plan_sarcophagi", n=count, found=said)
        for god, squares in self.alcoves.items():
            wanted = 2 if god == "horus" else 1
            if len(set(squares)) != wanted:
                yield f"alcoves.{god}", FigureProblem("horus.amiss.plan_alcove", n=wanted, found=len(set(squares)))
        for key, lists in (("sarcophagi", self.sarcophagi), ("alcoves", self.alcoves)):
            for god, squares in lists.items():
                for name in squares:
                    if self.area.get(name) != "corridor":
                        yield f"{key}.{god}", FigureProblem("horus.amiss.plan_not_corridor", square=AsTyped(name))

    def _doubts_about_mummies(self, key: str, mummies: Mapping[str, MummyStart]) -> Iterator[Doubt]:
        if mummies.keys() != self.mummies.keys():
            yield key, FigureProblem("horus.amiss.plan_same_mummies")
        if sorted(mummy.stretch for mummy in mummies.values()) != ["far", "left", "right"]:
            yield key, FigureProblem("horus.amiss.plan_one_mummy")
        for name, mummy in mummies.items():
            squares = self.corridor.stretch(mummy.stretch)
            if mummy.square not in squares:
                yield (
                    f"{key}.{name}.square",
                    FigureProblem("horus.amiss.plan_off_stretch", square=AsTyped(mummy.square)),
                )
            if mummy.towards not in (*squares[:1], *squares[-1:]):
                yield f"{key}.{name}.towards", FigureProblem("horus.amiss.plan_no_end", square=AsTyped(mummy.towards))


def numbered(blocks: str) -> tuple[str, ...]:
    """The squares of a range.

    >>> numbered("5-8")
    ('5', '6', '7', '8')
    """
    first, last = map(int, blocks.split("-"))
    return tuple(str(number) for number in range(first, last + 1))


def reached(starts: tuple[str, ...], passages: tuple[tuple[str, str], ...]) -> set[str]:
    """Every square that can be walked to."""
    found, waiting = set(starts), list(starts)
    while waiting:
        here = waiting.pop()
        for one, other in (*passages, *((b, a) for a, b in passages)):
            if one == here and other not in found:
                found.add(other)
                waiting.append(other)
    return found
