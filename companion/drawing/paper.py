"""What everything is drawn on: so many characters wide, in one language, for the people round one table."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from companion.game import Json
from companion.refusals import Fact
from companion.words import Scope, own, person, say, spoken

Board = Mapping[str, Json]
MARGIN = 14
"""Before each line: the name of the piece."""
LEAST = 40
GAP = "  "
NOTHING = "–"
OURS = "*"
"""Behind a figure that no rulebook gives."""


class Paper:
    """Knows the language, whose names things go by, who sits where, and how wide a line may be."""

    def __init__(self, language: str, names: Sequence[str], width: int = 100, scope: Scope = ()) -> None:
        self.language = language
        self.scope = scope
        self.names = [person(language, name) for name in names]
        self.room = max(width - MARGIN, LEAST)
        self.has_ours = False

    def said(self, thing: Json) -> str:
        """A thing by its name."""
        if isinstance(thing, str):
            return spoken(self.language, thing, self.scope)
        return NOTHING if thing is None else str(thing)

    def say(self, key: str, **facts: Fact) -> str:
        """A sentence of the drawings: the game's own, or one that all share."""
        key = own(self.language, f"drawn.{key}", self.scope[-1:]) or key
        return say(self.language, key, facts, self.scope)

    def name(self, seat: Json) -> str:
        """Who sits on a seat."""
        return self.names[seat] if isinstance(seat, int) and 0 <= seat < len(self.names) else "?"

    def token(self, token: Json) -> str:
        """An object by its value; other tokens by name."""
        plain = str(token)
        return f"[{plain.removeprefix('object:')}]" if plain.startswith("object:") else self.said(token)

    def marked(self, figure: str, origin: Json) -> str:
        """A figure, with a mark if it is our own: what the mark means then stands beneath the board.

        >>> paper = Paper("en", [])
        >>> paper.marked("+4", "house"), paper.marked("-10", "found"), paper.has_ours
        ('+4*', '-10', True)
        """
        ours = bool(figure) and origin == "house"
        self.has_ours = self.has_ours or ours
        return figure + OURS if ours else figure

    def flow(self, head: str, parts: Iterable[str]) -> Iterator[str]:
        """Parts one after another; what has no room goes on below them."""
        line, indent = head, " " * len(head)
        for part in parts:
            if len(line) > len(indent) and len(line) + len(part) > self.room:
                yield line.rstrip()
                line = indent
            line += part + GAP
        yield line.rstrip()


Drawing = Callable[[Paper, Board, Json], Iterator[str]]
"""Draws a piece, given the whole board and the piece."""


def aligned(rows: Sequence[Sequence[str]], *, right: Sequence[int] = (), gap: str = GAP) -> Iterator[str]:
    """Rows with their columns under each other.

    >>> list(aligned([["Ada", "7"], ["Cleo", "12"]], right=[1]))
    ['Ada    7', 'Cleo  12']
    """
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))] if rows else []
    for row in rows:
        cells = (
            f"{cell:>{width}}" if column in right else f"{cell:{width}}"
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        yield gap.join(cells).rstrip()


def with_count(thing: str, count: int) -> str:
    """So many of a thing.

    >>> with_count("shovel", 2), with_count("car", 1)
    ('shovel ×2', 'car')
    """
    return thing if count == 1 else f"{thing} ×{count}"


def of(value: Json) -> Board:
    """A part of the board with named parts of its own."""
    return value if isinstance(value, Mapping) else {}


def listed(value: Json) -> Sequence[Json]:
    """A part of the board that is a row of parts."""
    return value if isinstance(value, Sequence) and not isinstance(value, str) else ()


def maps(value: Json) -> list[Board]:
    """A row of parts with named parts of their own."""
    return [of(part) for part in listed(value)]


def number(value: Json) -> int:
    """A number of the board; nothing counts as 0."""
    return value if isinstance(value, int) else 0
