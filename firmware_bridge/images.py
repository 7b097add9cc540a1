"""The firmware as it is shipped: a file for each board, built anew by `make images`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import msgspec

FOLDER = Path(__file__).parent / "shipped"

BoardName = Literal["nano", "pico"]


class Image(msgspec.Struct, frozen=True):
    """A file to be written to a board.

    :ivar compiler: what it was built with: another version makes other bytes of the same sources
    """

    board: BoardName
    file: str
    sha256: str
    version: str
    compiler: str


def images() -> tuple[Image, ...]:
    """Return what is shipped."""
    return msgspec.json.decode((FOLDER / "images.json").read_bytes(), type=tuple[Image, ...])


def image(board: BoardName) -> Image:
    """Return the image of a board."""
    return next(each for each in images() if each.board == board)


def contents(board: BoardName) -> bytes:
    """Return the file of a board."""
    return (FOLDER / image(board).file).read_bytes()
