"""Small files that are there whole or not at all, whenever the plug is pulled; and what is done with a damaged one."""

from __future__ import annotations

import logging
import os
import time
import zlib
from contextlib import suppress
from pathlib import Path

log = logging.getLogger(__name__)

MENDABLE = 4096  # bytes of a small file that are looked through for a bit that has turned


def write_whole(file: Path, content: bytes, *, mode: int = 0o600) -> None:
    """Write a file: when this returns it is on disk; until then there is the one before.

    :param mode: who may read it; as it is, nobody else on the machine.
    :raises OSError: where the disk does not take it.
    """
    fresh = file.with_name(f"{file.name}.{os.getpid()}.new")
    try:
        with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as out:
            out.write(content)
            out.flush()
            os.fsync(out.fileno())
        fresh.replace(file)
    except OSError:
        with suppress(OSError):
            fresh.unlink(missing_ok=True)
        raise
    sync_folder(file.parent)


def sync_folder(folder: Path) -> None:
    """Have what a folder is told to hold on disk, too."""
    opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def sync_all(folder: Path) -> None:
    """Have all that is in a folder on disk, but for its own name."""
    for each in folder.iterdir():
        if each.is_dir():
            sync_all(each)
            continue
        opened = os.open(each, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)
    sync_folder(folder)


def marked_lines(content: bytes) -> bytes:
    """Content with a line behind it by which damage to it is found."""
    return b"%s\n%08x\n" % (content, zlib.crc32(content))


def read_marked(written: bytes) -> bytes:
    """The content of a file that `marked_lines` made, also of one in which a single bit has turned.

    >>> read_marked(marked_lines(b"{}").replace(b"{", b"["))
    b'{}'

    :raises ValueError: where it is damaged more than that.
    """
    content, _, mark = written.rstrip(b"\n").rpartition(b"\n")
    sound = mended(content, int(mark, 16))
    if sound is None:
        raise ValueError("it is not as it was written")
    return sound


def mended(content: bytes, crc: int) -> bytes | None:
    """Content whose CRC-32 was this, where at most a single bit of it has turned since; else None.

    >>> mended(b"Thebes", zlib.crc32(b"Thebe2"))
    >>> mended(b"Thebes", zlib.crc32(b"Thebec"))
    b'Thebec'
    """
    wrong = zlib.crc32(content) ^ crc
    if not wrong:
        return content
    zeros, tried = zlib.crc32(bytes(len(content))), bytearray(len(content))
    for at in range(min(len(content), MENDABLE)):
        for bit in range(8):
            tried[at] = 1 << bit
            if zlib.crc32(tried) ^ zeros == wrong:
                tried[at] ^= content[at]
                return content[:at] + bytes(tried[at : at + 1]) + content[at + 1 :]
        tried[at] = 0
    return None


def set_aside(file: Path, why: Exception) -> Path:
    """Put a damaged file beside its place, so that nothing of it is lost, and say so in the log; where it is now."""
    stamp, count = time.strftime("%Y-%m-%d-%H%M%S"), 1
    while (aside := file.with_name(f"{file.name}.damaged-{stamp}{'' if count == 1 else f'-{count}'}")).exists():
        count += 1
    with suppress(OSError):
        file.replace(aside)
    log.error("%s is damaged and was set aside as %s: %s", file, aside.name, why)
    return aside
