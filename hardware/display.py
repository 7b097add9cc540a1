"""A small display beside the table: a few lines, drawn here, on an OLED or in a PNG file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont

WIDTH, HEIGHT = 128, 64
MARGIN = 2
BIGGEST, SMALLEST = 24, 10

Font: TypeAlias = "ImageFont.FreeTypeFont | ImageFont.ImageFont"


def frame(lines: Sequence[str], size: tuple[int, int] = (WIDTH, HEIGHT)) -> Image.Image:
    """
    Draw *lines* as large as they fit, white on black, one bit deep.

    >>> frame(["Ada", "week 12"]).size
    (128, 64)
    """
    from PIL import Image, ImageDraw  # takes room, which a rig without a display leaves free

    image = Image.new("1", size)
    if not lines:
        return image
    draw = ImageDraw.Draw(image)
    draw.fontmode = "1"
    font, step = _font(draw, lines, size)
    for row, line in enumerate(lines):
        draw.text((MARGIN, row * step), line, fill=1, font=font)
    return image


def _font(draw: ImageDraw.ImageDraw, lines: Sequence[str], size: tuple[int, int]) -> tuple[Font, int]:
    """The largest font in which all lines fit, and its step; the smallest if none does."""
    width, height = size[0] - 2 * MARGIN, size[1]
    for points in range(BIGGEST, SMALLEST, -1):
        font, step = _of_size(draw, points)
        if step * len(lines) <= height and all(draw.textlength(line, font) <= width for line in lines):
            return font, step
    return _of_size(draw, SMALLEST)


def _of_size(draw: ImageDraw.ImageDraw, points: int) -> tuple[Font, int]:
    from PIL import ImageFont

    font = ImageFont.load_default(points)
    return font, round(draw.textbbox((0, 0), "Åg", font)[3]) + 1


class Display(Protocol):
    """Something that shows lines. A display that cannot be reached raises :exc:`OSError`."""

    def show(self, lines: Sequence[str]) -> None:
        """Show *lines* and nothing else."""

    def close(self) -> None:
        """Go dark."""


class PngDisplay:
    """A display that is a file, for a picture frame, or for somebody without a display."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def show(self, lines: Sequence[str]) -> None:
        """Write the picture; whoever reads the file meanwhile gets the old one or the new one."""
        draft = self.path.with_name(f".{self.path.name}.draft")
        frame(lines).save(draft, format="PNG")
        draft.replace(self.path)

    def close(self) -> None:
        """Leave the last picture."""


class OledDisplay:
    """
    An SSD1306 or SH1106 on I²C, by way of luma.oled.

    :raises ImportError: when luma.oled is not installed
    :raises OSError: when nothing answers at the address
    """

    def __init__(self, driver: str, *, port: int = 1, address: int = 0x3C) -> None:
        from luma.core.error import DeviceNotFoundError
        from luma.core.interface.serial import i2c
        from luma.oled import device

        try:
            self._device = getattr(device, driver)(i2c(port=port, address=address))
        except DeviceNotFoundError as why:
            raise OSError(str(why)) from why

    def show(self, lines: Sequence[str]) -> None:
        """Draw on the OLED."""
        self._device.display(frame(lines, self._device.size).convert(self._device.mode))

    def close(self) -> None:
        """Go dark."""
        self._device.cleanup()
