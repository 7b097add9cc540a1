"""Keepsakes in the tests: what is told on them, and everything that is written on one and where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations
from typing import Any, NamedTuple
from unittest.mock import patch

from PIL import Image, ImageDraw

from companion.game import Finished, Seat
from companion.keepsake.panel import Panels, nothing
from companion.keepsake.sheet import HIGH, WIDE, KeepsakeSheet, picture_of
from companion.refusals import Fact
from companion.words import own, say

SIGNS = (("#c8553d", "circle"), ("#2f7fae", "star"), ("#5f8f3a", "hexagon"),
         ("#e0a526", "diamond"), ("#7a4b8f", "square"), ("#3b3b3b", "triangle"))  # fmt: skip
SHORT = ("Ada", "Ben", "Cleo", "Dora", "Emil", "Faye")
LONG = ("Maximiliane von Hohenst.", "Bartholomäus-Ferdinand X", "Donaudampfschifffahrtska",
        "Anne Sophie Marie Claire", "Giovanbattista Quintilio", "W" * 24)  # fmt: skip
FROM_ELSEWHERE = ("Жанна-Александровна Иван", "Δημήτριος Παπαδόπουλος", "عبد الرحمن عبد الله محمد", "漢字漢字 🐪",
                  "Łukasz Świętopełk-Żabski", "Ж")  # fmt: skip
FRAME = 67
"""So far from the edge of the sheet its frame is drawn."""


class Words:
    """Says every key in a language; one that is in no catalogue fails the test."""

    def __init__(self, language: str, box: str = "") -> None:
        self.language = language
        self.scope = (box,) if box else ()

    def __call__(self, key: str, /, **facts: Fact) -> str:
        whole = own(self.language, key, self.scope)
        assert whole is not None, key
        return say(self.language, whole, facts, self.scope)


def seats(names: Sequence[str]) -> tuple[Seat, ...]:
    return tuple(Seat(name, *sign) for name, sign in zip(names, SIGNS, strict=False))


def sheet_of(
    box: str, title: str, names: Sequence[str], end: Finished, language: str = "en", **more: str
) -> KeepsakeSheet:
    """What is told of a game of a box."""
    words = Words(language, box)
    return KeepsakeSheet(title, seats(names), end, words, lambda part: words(f"score.{part}"), **more)


def plain(sheet: KeepsakeSheet, panels: Panels | None = None) -> Image.Image:
    """A sheet with nothing of a game's own on it."""
    return picture_of(sheet, panels or Panels(nothing, nothing), None, None)


class Line(NamedTuple):
    """Something that was written, and the box its ink takes up."""

    said: str
    left: float
    top: float
    right: float
    bottom: float

    def is_over(self, other: Line) -> bool:
        return (
            min(self.right, other.right) - max(self.left, other.left) > 3
            and min(self.bottom, other.bottom) - max(self.top, other.top) > 3
        )


@contextmanager
def writing() -> Iterator[list[Line]]:
    """Everything that is written meanwhile."""
    lines: list[Line] = []
    write = ImageDraw.ImageDraw.text

    def noted(draw: ImageDraw.ImageDraw, at: tuple[float, float], said: str, **how: Any) -> None:
        box = draw.textbbox(at, said, font=how["font"], anchor=how["anchor"])
        lines.append(Line(said, *box))
        write(draw, at, said, **how)

    with patch.object(ImageDraw.ImageDraw, "text", noted):
        yield lines


def assert_tidy(lines: Sequence[Line]) -> None:
    """Nothing is written over the frame, nor over something else that is written."""
    for line in lines:
        assert FRAME <= line.left <= line.right <= WIDE - FRAME, line
        assert FRAME <= line.top <= line.bottom <= HIGH - FRAME, line
    over = [(one.said, other.said) for one, other in combinations(lines, 2) if one.is_over(other)]
    assert not over


def colours(picture: Image.Image) -> set[str]:
    """Every colour on a picture."""
    found = picture.getcolors(1 << 22) or []
    return {"#" + bytes(colour).hex() for _, colour in found if isinstance(colour, tuple)}
