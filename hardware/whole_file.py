"""Small files that are there whole or not at all, whenever the plug is pulled; `companion`, above, has its own."""

import os
import time
from contextlib import suppress
from pathlib import Path


def write_whole(file: Path, content: bytes) -> None:
    """
    Write a file: when this returns it is on disk; until then there is the one before.

    :raises OSError: where the disk does not take it
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f"{file.name}.{os.getpid()}.new")
    try:
        with fresh.open("wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        os.replace(fresh, file)
    except OSError:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise
    folder = os.open(file.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def set_aside(file: Path) -> Path:
    """Put a damaged file beside its place, so that nothing of it is lost; where it is now."""
    aside = file.with_name(f"{file.name}.damaged-{time.strftime('%Y-%m-%d-%H%M%S')}")
    os.replace(file, aside)
    return aside
