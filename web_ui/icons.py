"""The picture of Digside in dots, for home screens that take no drawing: ``python -m web_ui.icons`` draws them anew."""

from __future__ import annotations

from pathlib import Path

from PIL import Image, ImageDraw

FOLDER = Path(__file__).parent / "static" / "icons"
SIDE = 48.0
"""Of the drawing in ``icon.svg``, whose figures these are."""
NIGHT, DISC, DUNES, SUN = "#1c120b", "#d2a03e", "#4a2c0c", "#fff1c9"
COLOURS = 48
FINE = 4
"""Drawn so many times larger, so that edges are smooth."""
ROUND, WHOLE, WITHIN = "round", "whole", "within"
"""With round corners; to the edge, as Apple rounds them itself; well inside the circle that Android may cut out."""
WANTED = {"180": (180, WHOLE), "192": (192, ROUND), "512": (512, ROUND), "512-all": (512, WITHIN)}


def drawn(size: int, look: str) -> Image.Image:
    """The picture, so many dots wide.

    >>> drawn(48, WHOLE).getpixel((0, 0)), drawn(48, ROUND).getpixel((0, 0))
    ((28, 18, 11, 255), (0, 0, 0, 0))
    """
    whole = size * FINE
    picture = Image.new("RGBA", (whole, whole), NIGHT if look != ROUND else (0, 0, 0, 0))
    pen = ImageDraw.Draw(picture)
    scale = whole / SIDE * (0.84 if look == WITHIN else 1)

    def at(x: float, y: float) -> tuple[float, float]:
        return whole / 2 + (x - SIDE / 2) * scale, whole / 2 + (y - SIDE / 2) * scale

    def disc(x: float, y: float, radius: float, colour: str) -> None:
        pen.ellipse((*at(x - radius, y - radius), *at(x + radius, y + radius)), fill=colour)

    if look == ROUND:
        pen.rounded_rectangle((0, 0, whole - 1, whole - 1), radius=10 * scale, fill=NIGHT)
    disc(24, 24, 20, DISC)
    pen.polygon([at(*corner) for corner in ((7, 35), (20, 15), (27, 26), (31, 20), (41, 35))], fill=DUNES)
    disc(33, 15, 4.5, SUN)
    return picture.resize((size, size), Image.Resampling.LANCZOS)


def main() -> None:
    """Write them where the pages have them from."""
    FOLDER.mkdir(exist_ok=True)
    for name, (size, look) in WANTED.items():
        picture = drawn(size, look)
        few = picture.quantize(COLOURS) if look == ROUND else picture.convert("RGB").quantize(COLOURS)
        few.save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()
