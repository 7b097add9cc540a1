"""What every box has: a title, seats, rulings, figures, and where each figure is from."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, NamedTuple, Self, TypeGuard

import msgspec
from msgspec import Meta

from companion.boxes.problems import Doubt, FigureProblem
from companion.boxes.tree import figure_at, put_figure
from companion.pieces.box_differences import (
    NOTHING_LOOSE,
    BoxDifference,
    DescribedCard,
    FigureOverride,
    VariablePart,
    net,
    places,
)
from companion.refusals import AsTyped

Origin = Literal["rules", "found", "house", "owner"]
"""Printed in the rulebook, published elsewhere, our stand-in, or given by the owner of this copy."""

Count = Annotated[int, Meta(ge=0, le=9999)]
Some = Annotated[int, Meta(ge=1, le=9999)]
Worth = Annotated[int, Meta(ge=-9999, le=9999)]
Colour = Annotated[str, Meta(pattern="^#[0-9a-f]{6}$")]
Name = Annotated[str, Meta(pattern="^[a-z][a-z0-9_]*$")]
Rows = tuple[tuple[Count, ...], ...]

Scalar = str | int | float | bool | None
Value = Scalar | Sequence["Value"] | Mapping[str, "Value"]

NOT_FIGURES = frozenset({"title", "rulings", "from"})
"""What stands in a file beside the figures."""
CONGRESSES = (0, 1, 3, 6, 10, 15, 21, 28)
MOST_OBJECTS = 6
"""More than an exhibition of any copy asks for from one place."""


class Figure(NamedTuple):
    """One figure of a box, as a list of them shows it."""

    key: str
    value: Value
    origin: Origin


class Edge(NamedTuple):
    """Two squares of a plan that touch.

    :ivar wall: whether a wall is between them.
    :ivar may_be: whether one may be there, all else as it is.
    """

    squares: tuple[str, str]
    wall: bool
    may_be: tuple[bool, ...]


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Base of what lies in a box: a misspelt key is refused."""


class Seats(Part, frozen=True):
    """How many can play."""

    min: Annotated[int, Meta(ge=1, le=12)]
    max: Annotated[int, Meta(ge=1, le=12)]


class Box(Part, frozen=True, kw_only=True, dict=True):
    """Base of every box."""

    name: ClassVar[str]
    rule_prefix: ClassVar[str]
    rule_of_walls: ClassVar[str] = ""
    """Which rule says where one can step."""
    seats_of_the_rules: ClassVar[tuple[int, int]]
    replaced_whole: ClassVar[tuple[str, ...]] = ()
    """Tables of counts: an owner's table takes the place of ours, where other tables are laid over ours key by key."""

    left_out_at_0: ClassVar[tuple[str, ...]] = ()
    """Keys that a file leaves out where their count is zero."""

    stated_by: ClassVar[Mapping[str, str]] = {}
    """By keys, the rules that state figures; the longest that fits counts."""

    title: Annotated[str, Meta(min_length=1, max_length=80)]
    rulings: tuple[str, ...]
    origins: Mapping[str, Origin] = msgspec.field(name="from")
    seats: Seats

    def origin(self, key: str) -> Origin:
        """Where the figure at a key is from: the longest key in ``[from]`` that fits.

        :raises KeyError: if the box does not say.
        """
        while key and key not in self.origins:
            key = key.rpartition(".")[0]
        return self.origins[key]

    @classmethod
    def rule_for(cls, key: str) -> str | None:
        """The rule that states the figure at a key, where one is known."""
        fits = [each for each in cls.stated_by if within(key, each)]
        return cls.stated_by[max(fits, key=len)] if fits else None

    def figures(self) -> Iterator[Figure]:
        """Every figure with its key and where it is from, in the order of the file."""
        for key, value in figures_of(self._content, finest=self.origins):
            yield Figure(key, value, self.origin(key))

    @cached_property
    def digest(self) -> str:
        """A short hash of all that bears on play: other figures, another digest."""
        return hashlib.sha256(msgspec.json.encode(self._content, order="sorted")).hexdigest()[:16]

    @cached_property
    def _content(self) -> Mapping[str, Value]:
        whole: dict[str, Value] = msgspec.to_builtins(self, str_keys=True)
        return {key: value for key, value in whole.items() if key not in NOT_FIGURES}

    @property
    def loose(self) -> Mapping[str, VariablePart]:
        """The parts that may be otherwise in another copy, by what the game calls them."""
        return {}

    def loose_at(self, part: str) -> VariablePart:
        """A part of the box, by what the game calls it, as far as no rule says what it is made of."""
        return self.loose.get(part, NOTHING_LOOSE)

    @cached_property
    def readings(self) -> Mapping[str, tuple[int, ...]]:
        """What figures may read in another copy while it is played, by their keys: those that no rule states, and with
        which nothing else on the table changes."""
        return {key: values for key, values in self._readings() if self.origin(key) != "rules"}

    def _readings(self) -> Iterator[tuple[str, tuple[int, ...]]]:
        """The same, those that rules state too."""
        yield from ()

    @cached_property
    def reads(self) -> Mapping[str, int]:
        """The same figures as they are here."""
        return {key: int(figure_at(self._content, key) or 0) for key in self.readings}

    @cached_property
    def rows_to_read(self) -> tuple[tuple[str, str, int], ...]:
        """All that these figures may read: the part of the box, the figure in it, and what it is."""
        keys = ((key.rpartition("."), values) for key, values in self.readings.items())
        return tuple((part, figure, value) for (part, _, figure), values in keys for value in values)

    @property
    def edges(self) -> Mapping[str, Edge]:
        """By their keys, between which squares of a plan another copy may have a wall, or none, where no rule says."""
        return {}

    def has(self, key: str) -> bool:
        """Whether anything is printed at a key."""
        return figure_at(self._content, key) is not None

    def said_as(self, part: str) -> tuple[str, ...]:
        """Part of a key as it is said."""
        return tuple(part.split("."))

    def told_of(self, figure: FigureOverride) -> dict[str, Any]:
        """A figure that reads otherwise, as it is told."""
        return {"type": "printed_so", "key": figure.key, "what": list(self.said_as(figure.key)), "n": figure.value}

    def asks(self, part: str, said: tuple[str | int, ...]) -> tuple[str, tuple[str | int, ...]] | None:
        """What is still to be told of a card of a kind that the box does not have: a field, and what it may say; None
        once all is."""
        return None

    def kinds_in(self, part: str) -> Collection[str]:
        """The kinds of cards in a part."""
        return ()

    def kind_of(self, card: DescribedCard) -> str:
        """What such a card is called."""
        raise NotImplementedError

    def knowing(self, described: Sequence[DescribedCard]) -> Self:
        """The box with these kinds in it too, of which there are none."""
        return self

    def as_shown(self, described: Sequence[DescribedCard], reads: Sequence[FigureOverride]) -> Self:
        """The box as it is printed on the copy that a table has shown. How many there are of what stays as it is."""
        known = self.knowing(described)
        tree: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(known))
        for each in reads:
            self._put(tree, each)
        return msgspec.convert(tree, type(self), str_keys=True)

    def _put(self, tree: dict[str, Any], figure: FigureOverride) -> None:
        """Print a figure otherwise."""
        put_figure(tree, figure.key, self._written(figure))

    def _written(self, figure: FigureOverride) -> int | None:
        """A figure as a file has it."""
        none = figure.value == 0 and any(fnmatchcase(figure.key, each) for each in self.left_out_at_0)
        return None if none else figure.value

    def noted(self, differing: Sequence[BoxDifference], reads: Sequence[FigureOverride] = ()) -> dict[str, Value]:
        """The figures of the copy whose table showed this, by their keys, as an owner's file gives them. Of a list or
        table that is written whole, no part is."""
        figures: dict[str, Value] = {each.key: self._written(each) for each in reads}
        for where in places(differing):
            figures |= self.put_right(where, net(differing, where))
        return {
            key: value
            for key, value in figures.items()
            if not any(_is_below(key, other) for other in figures if other != key)
        }

    def put_right(self, where: str, more: Mapping[str, int]) -> dict[str, Value]:
        """The figures of a part that has so many more, or fewer, of each kind."""
        raise NotImplementedError

    def doubts(self) -> Iterator[Doubt]:
        """What is wrong though each figure by itself could be right."""
        low, high = self.seats_of_the_rules
        if not low <= self.seats.min <= self.seats.max <= high:
            yield "seats", FigureProblem("amiss.seats", least=low, most=high)
        for index, rule in enumerate(self.rulings, 1):
            if not re.fullmatch(rf"{self.rule_prefix}-\d\d", rule):
                yield f"rulings.{index}", FigureProblem("amiss.no_ruling", ruling=AsTyped(rule))
        yield from self._doubts_about_origins()

    def _doubts_about_origins(self) -> Iterator[Doubt]:
        for key in self.origins:
            if key and not _leads_somewhere(self._content, key):
                yield f"from.{key}", FigureProblem("amiss.no_figure")
        if "" not in self.origins:
            for key, _ in figures_of(self._content, finest=self.origins):
                if not any(key == told or _is_below(key, told) for told in self.origins):
                    yield key, FigureProblem("amiss.no_origin")


def figures_of(value: Value, key: str = "", *, finest: Mapping[str, Origin]) -> Iterator[tuple[str, Value]]:
    """The figures below a key. A plain row, or a card in a list, is one, unless a part of it is from somewhere else."""
    for name, part in _parts(value):
        here = f"{key}.{name}" if key else name
        alone = _is_list(part) or (_is_list(value) and isinstance(part, Mapping))
        if not _parts(part) or (alone and not _holds_more(part) and not any(_is_below(told, here) for told in finest)):
            yield here, part
        else:
            yield from figures_of(part, here, finest=finest)


def may_rise(rows: Rows, key: str, *, most: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """What each cell of a table may read that never falls, its neighbours as they are."""
    for down, row in enumerate(rows):
        for across in range(len(row)):
            before = [row[across - 1]] * (across > 0) + [rows[down - 1][across]] * (down > 0)
            after = [*row[across + 1 : across + 2], *(below[across] for below in rows[down + 1 : down + 2])]
            yield f"{key}.{down + 1}.{across + 1}", tuple(range(max((0, *before)), min((most, *after)) + 1))


def objects_may_be(asked: Mapping[str, int], of: Iterable[str], key: str) -> Iterator[tuple[str, tuple[int, ...]]]:
    """How many objects from each place an exhibition may ask for; it asks for some."""
    for place in of:
        alone = not any(count for other, count in asked.items() if other != place)
        yield f"{key}.{place}", tuple(range(1 if alone else 0, MOST_OBJECTS + 1))


def never_falls(rows: Rows, key: str, *, size: int = 12) -> Iterator[Doubt]:
    """A table of tokens for knowledge and weeks: square, and more knowledge or more weeks never yield less."""
    if len(rows) != size:
        yield key, FigureProblem("amiss.rows", n=size, found=len(rows))
    for knowledge, row in enumerate(rows, 1):
        if len(row) != size:
            yield f"{key}.{knowledge}", FigureProblem("amiss.row", n=size, found=len(row))
        for weeks, tokens in enumerate(row, 1):
            left = row[weeks - 2] if weeks > 1 else 0
            above = rows[knowledge - 2][weeks - 1] if knowledge > 1 and weeks <= len(rows[knowledge - 2]) else 0
            if tokens < left:
                yield f"{key}.{knowledge}.{weeks}", FigureProblem("amiss.less_for_weeks", tokens=tokens, before=left)
            if tokens < above:
                yield (
                    f"{key}.{knowledge}.{weeks}",
                    FigureProblem("amiss.less_for_knowledge", tokens=tokens, before=above),
                )


def doubts_about_congresses(points: tuple[int, ...]) -> Iterator[Doubt]:
    """The rulebooks of both games about Thebes print the same row."""
    if points != CONGRESSES:
        yield "score.congresses", FigureProblem("amiss.rules_say", figure=AsTyped(", ".join(map(str, CONGRESSES))))


def doubts_about_seats_named(keys: Mapping[int, object], seats: Seats, key: str) -> Iterator[Doubt]:
    """A table with an entry for each number of players."""
    for count in sorted(set(range(seats.min, seats.max + 1)) - keys.keys()):
        yield key, FigureProblem("amiss.unsaid_for", n=count)
    for count in sorted(keys.keys() - set(range(seats.min, seats.max + 1))):
        yield f"{key}.{count}", FigureProblem("amiss.so_many")


def _leads_somewhere(value: Value, key: str) -> bool:
    for name in key.split("."):
        if isinstance(value, Mapping) and name in value:
            value = value[name]
        elif _is_list(value) and name.isdecimal() and 1 <= int(name) <= len(value):
            value = value[int(name) - 1]
        else:
            return False
    return True


def _is_list(value: Value) -> TypeGuard[Sequence[Value]]:
    return isinstance(value, list | tuple)


def _parts(value: Value) -> Sequence[tuple[str, Value]]:
    if isinstance(value, Mapping):
        return [(str(name), part) for name, part in value.items()]
    return [(str(index), part) for index, part in enumerate(value, 1)] if _is_list(value) else ()


def _holds_more(value: Value) -> bool:
    return any(_parts(part) for _, part in _parts(value))


def _is_below(key: str, other: str) -> bool:
    return key.startswith(f"{other}.")


def within(key: str, part: str) -> bool:
    """Whether a key is that of a part, or of something in it."""
    return key == part or _is_below(key, part)
