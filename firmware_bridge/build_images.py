"""Build the shipped firmware anew from its sources: ``python -m firmware_bridge.build_images``."""

from __future__ import annotations

import hashlib
import subprocess
from pathlib import Path

import msgspec

from firmware_bridge.build import SOURCES
from firmware_bridge.images import FOLDER, BoardName, Image

MADE: dict[BoardName, tuple[str, str]] = {
    "nano": ("digside_board.hex", "avr-gcc"),
    "pico": ("digside_pico.uf2", "arm-none-eabi-gcc"),
}
"""What `make` makes for each board, and with which compiler."""


def version() -> str:
    """Return the version that stands in the sources."""
    lines = (SOURCES / "core" / "protocol.h").read_text(encoding="utf-8").splitlines()
    numbers = [line.split()[2].rstrip("u") for line in lines if line.startswith("#define FIRMWARE_")]
    return ".".join(numbers)


def compiler(program: str) -> str:
    """Return how a compiler calls itself."""
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True)  # noqa: S603 - no shell
    return told.stdout.splitlines()[0]


def built(board: BoardName, sources: Path = SOURCES, out: Path | None = None) -> tuple[Image, bytes]:
    """Build the image of a board, and say what it is."""
    made, program = MADE[board]
    folder = out or sources / "out"
    subprocess.run(["make", "-C", str(sources), f"OUT={folder}", f"{folder}/{made}"], check=True)  # noqa: S603, S607
    contents = (folder / made).read_bytes()
    file = f"{board}{Path(made).suffix}"
    digest = hashlib.sha256(contents).hexdigest()
    return Image(board, file, digest, version(), compiler(program)), contents


def main() -> None:
    """Build them all, and note their sums."""
    made = [built(board) for board in MADE]
    for image, contents in made:
        (FOLDER / image.file).write_bytes(contents)
        print(f"{image.sha256}  {image.file}  {len(contents)} bytes, {image.compiler}")
    listed = msgspec.json.format(msgspec.json.encode([image for image, _ in made]), indent=2)
    (FOLDER / "images.json").write_bytes(listed + b"\n")


if __name__ == "__main__":
    main()
