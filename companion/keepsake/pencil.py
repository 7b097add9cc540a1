"""Draws on paper: smooth shapes, pictures, seats' signs, and text that fits where it is put."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from PIL import Image, ImageDraw

from companion.keepsake.lettering import fitted, length, middle_to_base, runs_of
from companion.keepsake.panel import Point, Stroke, on_circle

Box = tuple[float, float, float, float]
Mark = Callable[[ImageDraw.ImageDraw, list[Point]], object]

FINE = 4  # shapes are drawn so much larger and then made small, so that their edges are smooth
LEAST = 20
LEADING = 0.94
"""So many times their size lines are apart."""
CORNERS = {"triangle": (3, -90), "square": (4, -45), "diamond": (4, -90), "hexagon": (6, -90)}
STAR_INSIDE = 0.45
PIECES = 10  # so many straight pieces make a curve


class Pencil:
    """Draws on one picture."""

    def __init__(self, picture: Image.Image) -> None:
        self.picture = picture
        self.lines = ImageDraw.Draw(picture)

    def polygon(self, points: Sequence[Point], fill: str, outline: str | None = None, width: float = 0) -> None:
        """A filled shape, with a line around it that lies half inside."""
        if outline is not None:
            self._stamp(points, outline, grow=width / 2)
            self._stamp(points, fill, grow=-width / 2)
        else:
            self._stamp(points, fill)

    def disc(self, centre: Point, radius: float, fill: str, outline: str | None = None, width: float = 0) -> None:
        """A round token."""
        if outline is not None:
            self._round(centre, radius, outline)
            radius -= width
        self._round(centre, radius, fill)

    def sign(self, shape: str, centre: Point, radius: float, fill: str, outline: str, width: float) -> None:
        """The sign of a seat: its shape in its colour."""
        if shape in CORNERS or shape == "star":
            self.polygon(corners(shape, centre, radius * (1.18 if shape != "star" else 1.3)), fill, outline, width)
        else:
            self.disc(centre, radius, fill, outline, width)

    def line(self, points: Sequence[Point], ink: str, width: float) -> None:
        """A line with round ends."""

        def mark(draw: ImageDraw.ImageDraw, fine: list[Point]) -> None:
            draw.line(fine, fill=255, width=max(1, round(width * FINE)), joint="curve")
            for x, y in (fine[0], fine[-1]):
                end = width * FINE / 2
                draw.ellipse((x - end, y - end, x + end, y + end), fill=255)

        self._paste(points, ink, mark, around=width)

    def small(self, strokes: Sequence[Stroke], at: Point, scale: float) -> None:
        """A small picture, stroke by stroke."""
        for stroke in strokes:
            for line in traced(stroke.path):
                points = [(at[0] + x * scale, at[1] + y * scale) for x, y in line]
                if stroke.fill is not None:
                    self._stamp(points, stroke.fill)
                self.line(points, stroke.ink, stroke.width * scale)

    def card(self, box: Box, radius: float, fill: str, *, share: float = 1) -> None:
        """A box with round corners; what lies under it shines through where its share is less than 1."""
        thick = round(255 * share)
        corners_of = [box[:2], box[2:]]
        self._paste(corners_of, fill, lambda draw, fine: draw.rounded_rectangle(fine, radius * FINE, fill=thick))

    def text(
        self, at: Point, said: str, size: int, ink: str, *, face: str = "plain", anchor: str = "lm", room: float = 0
    ) -> float:
        """A line of text, made smaller or cut if there is no room for it; the answer is how wide it came out."""
        while room and size > LEAST and length(face, size, said) > room:
            size -= 1
        while room and length(face, size, said) > room and len(said) > 1:
            said = f"{said[:-2].rstrip()}…"
        runs, wide = list(runs_of(face, size, said)), length(face, size, said)
        if len(runs) == 1:
            font, said = runs[0]
            self.lines.text(at, said, font=font, fill=ink, anchor=anchor)
            return wide
        x = at[0] - wide * {"l": 0, "m": 0.5, "r": 1}[anchor[0]]
        y = at[1] + middle_to_base(face, size)
        for font, run in runs:
            self.lines.text((x, y), run, font=font, fill=ink, anchor="ls")
            x += font.getlength(run)
        return wide

    def block(
        self, at: Point, said: str, shapes: Iterable[tuple[int, int]], ink: str, *, face: str = "plain", room: float
    ) -> None:
        """A text round a point, in the first of these sizes, on so many lines at most, in which it has room."""
        size, lines = fitted(said, face, room, shapes)
        first = at[1] - LEADING * size * (len(lines) - 1) / 2
        for nth, line in enumerate(lines):
            self.text((at[0], round(first + LEADING * size * nth)), line, size, ink, face=face, anchor="mm", room=room)

    def _round(self, centre: Point, radius: float, fill: str) -> None:
        x, y = centre
        box = [(x - radius, y - radius), (x + radius, y + radius)]
        self._paste(box, fill, lambda draw, fine: draw.ellipse(fine, fill=255))

    def _stamp(self, points: Sequence[Point], fill: str, grow: float = 0.0) -> None:
        if grow:
            points = grown(points, grow)
        self._paste(points, fill, lambda draw, fine: draw.polygon(fine, fill=255))

    def _paste(self, points: Sequence[Point], fill: str, mark: Mark, around: float = 0) -> None:
        xs, ys = zip(*points, strict=True)
        left, top = math.floor(min(xs) - around) - 1, math.floor(min(ys) - around) - 1
        wide, high = math.ceil(max(xs) + around) + 2 - left, math.ceil(max(ys) + around) + 2 - top
        mask = Image.new("L", (wide * FINE, high * FINE))
        mark(ImageDraw.Draw(mask), [((x - left) * FINE, (y - top) * FINE) for x, y in points])
        self.picture.paste(fill, (left, top), mask.resize((wide, high), Image.Resampling.BOX))


def corners(shape: str, centre: Point, radius: float) -> list[Point]:
    """The corners of a seat's shape."""
    if shape == "star":
        return [
            on_circle(centre, radius * (STAR_INSIDE if n % 2 else 1), -90 + 36 * n)
            for n in range(10)
        ]  # fmt: skip
    count, first = CORNERS[shape]
    return [on_circle(centre, radius, first + 360 / count * n) for n in range(count)]


def grown(points: Sequence[Point], by: float) -> list[Point]:
    """A shape moved outwards from its middle."""
    middle = sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
    moved = []
    for x, y in points:
        far = math.dist((x, y), middle) or 1.0
        moved.append((x + (x - middle[0]) / far * by, y + (y - middle[1]) / far * by))
    return moved


@lru_cache(maxsize=256)
def traced(path: str) -> tuple[tuple[Point, ...], ...]:
    """The lines of a path as SVG writes it, in absolute M, L, H, V, C, S and Z; curves in short straight pieces.

    >>> traced("M0 0H4V3ZM9 9-8 8")
    (((0.0, 0.0), (4.0, 0.0), (4.0, 3.0), (0.0, 0.0)), ((9.0, 9.0), (-8.0, 8.0)))
    """
    lines: list[list[Point]] = []
    bend: Point = (0.0, 0.0)
    for letter, told in re.findall(r"([MLHVCSZ])([^A-Z]*)", path):
        numbers = [float(each) for each in re.findall(r"-?\d*\.?\d+", told)]
        pairs = list(zip(numbers[::2], numbers[1::2], strict=False))
        if letter == "M":
            lines.append([])
        line = lines[-1]
        match letter:
            case "Z":
                line.append(line[0])
            case "H":
                line += [(x, line[-1][1]) for x in numbers]
            case "V":
                line += [(line[-1][0], y) for y in numbers]
            case "C" | "S":
                told_of = iter(pairs)
                for point in told_of:
                    (x, y) = line[-1]
                    smooth = 2 * x - bend[0], 2 * y - bend[1]
                    first, bend = (point, next(told_of)) if letter == "C" else (smooth, point)
                    line += _curve((x, y), first, bend, next(told_of))
            case _:
                line += pairs
    return tuple(map(tuple, lines))


def _curve(*points: Point) -> Iterator[Point]:
    """A curve from its first point to its last, bent towards those between them."""
    for nth in range(1, PIECES + 1):
        share, row = nth / PIECES, points
        while len(row) > 1:
            row = tuple((x + (u - x) * share, y + (v - y) * share) for (x, y), (u, v) in pairwise(row))
        yield row[0]
