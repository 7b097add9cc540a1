"""Draws on paper: smooth shapes, seats' signs, and text that fits where it is put."""

from __future__ import annotations

import io
import math
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from importlib import resources

from PIL import Image, ImageDraw, ImageFont

Point = tuple[float, float]
Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

FINE = 4  # shapes are drawn so much larger and then made small, so that their edges are smooth
FACES = {
    "title": ("marcellus-400.woff2", "DejaVuSerif.ttf"),
    "plain": ("alegreya-sans-500.woff2", "DejaVuSans.ttf"),
    "bold": ("alegreya-sans-700.woff2", "DejaVuSans-Bold.ttf"),
}
"""Our letters, as on the screens, and what a machine may have for those they lack."""
LETTERS = frozenset({*map(chr, range(0x20, 0x7F)), *map(chr, range(0xA0, 0x100)), *"Œœ–—‘’‚“”„…"})
"""What our letters can write: Western European languages."""
LEAST = 20
CORNERS = {"triangle": (3, -90), "square": (4, -45), "diamond": (4, -90), "hexagon": (6, -90)}
STAR_INSIDE = 0.45


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

    def text(
        self, at: Point, said: str, size: int, ink: str, *, face: str = "plain", anchor: str = "lm", room: float = 0
    ) -> float:
        """A line of text, made smaller or cut if there is no room for it; the answer is how wide it came out."""
        font = font_for(face, size, said)
        said = written(said, font)
        while room and font.getlength(said) > room and size > LEAST:
            size -= 1
            font = font_for(face, size, said)
        while room and font.getlength(said) > room and len(said) > 1:
            said = f"{said[:-2].rstrip()}…"
        self.lines.text(at, said, font=font, fill=ink, anchor=anchor)
        return font.getlength(said)

    def lines_of(self, said: str, size: int, face: str, room: float) -> list[str]:
        """A text on one line if there is room for it, or else on two, as alike as its spaces and hyphens allow."""
        if font_for(face, size, said).getlength(said) <= room:
            return [said]
        return broken(said)

    def _round(self, centre: Point, radius: float, fill: str) -> None:
        x, y = centre
        self._paste((x - radius, y - radius, x + radius, y + radius), fill, None)

    def _stamp(self, points: Sequence[Point], fill: str, grow: float = 0.0) -> None:
        if grow:
            points = grown(points, grow)
        xs, ys = zip(*points, strict=True)
        self._paste((min(xs), min(ys), max(xs), max(ys)), fill, points)

    def _paste(self, box: tuple[float, float, float, float], fill: str, points: Sequence[Point] | None) -> None:
        left, top = math.floor(box[0]) - 1, math.floor(box[1]) - 1
        wide, high = math.ceil(box[2]) + 2 - left, math.ceil(box[3]) + 2 - top
        mask = Image.new("L", (wide * FINE, high * FINE))
        draw = ImageDraw.Draw(mask)
        if points is None:
            draw.ellipse([(box[n] - (left, top)[n % 2]) * FINE for n in range(4)], fill=255)
        else:
            draw.polygon([((x - left) * FINE, (y - top) * FINE) for x, y in points], fill=255)
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


def on_circle(centre: Point, radius: float, degrees: float) -> Point:
    """A point on a circle; 0 degrees is to the right, 90 below."""
    turn = math.radians(degrees)
    return centre[0] + radius * math.cos(turn), centre[1] + radius * math.sin(turn)


def grown(points: Sequence[Point], by: float) -> list[Point]:
    """A shape moved outwards from its middle."""
    middle = sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)
    moved = []
    for x, y in points:
        far = math.dist((x, y), middle) or 1.0
        moved.append((x + (x - middle[0]) / far * by, y + (y - middle[1]) / far * by))
    return moved


def broken(said: str) -> list[str]:
    """A text on two lines, if it has a space or a hyphen to break at.

    >>> broken("Maximiliane von und zu")
    ['Maximiliane', 'von und zu']
    >>> broken("Anne-Sophie"), broken("Ada")
    (['Anne-', 'Sophie'], ['Ada'])
    """
    cuts = [at + 1 for at, letter in enumerate(said) if letter in " -" and 0 < at < len(said) - 1]
    if not cuts:
        return [said]
    cut = min(cuts, key=lambda at: abs(at - len(said) / 2))
    return [said[:cut].rstrip(), said[cut:]]


def font_for(face: str, size: int, said: str) -> Font:
    """Our letters, if they can write it."""
    return font_of(face, size, LETTERS.issuperset(said))


@lru_cache(maxsize=128)
def font_of(face: str, size: int, ours: bool = True) -> Font:
    """Our letters, DejaVu where they lack some and it is installed, or else what comes with Pillow."""
    own, other = FACES[face]
    for file in (_packed(own), other) if ours else (other,):
        try:
            return ImageFont.truetype(file, size)
        except OSError:  # not installed, or a library that cannot unpack it
            continue
    return ImageFont.load_default(size)


def _packed(name: str) -> io.BytesIO:
    return io.BytesIO(resources.files(__package__).joinpath("letters", name).read_bytes())


def written(said: str, font: Font) -> str:
    """The text; without accents where the font has none."""
    family = font.getname()[0]  # type: ignore[union-attr]
    if family and family.startswith(("Marcellus", "Alegreya", "DejaVu")):
        return said
    plain = unicodedata.normalize("NFKD", said.replace("ß", "ss").replace("’", "'").replace("–", "-"))
    return "".join(letter for letter in plain if not unicodedata.combining(letter))
