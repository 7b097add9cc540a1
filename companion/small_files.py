"""Notices small files of a data folder whose bytes have changed though nobody wrote them, and mends a single bit.

A file that somebody writes, by hand or by program, has another time or size from then on: that is believed. Where both
are as they were noted and the bytes are not, a disk has changed them.
"""

from __future__ import annotations

import logging
import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import msgspec

from companion.whole_file import marked_lines, mended, read_marked, set_aside, write_whole

log = logging.getLogger(__name__)

NOTES = "files.json"
LARGEST = 64 * 1024
PLACES = ("*", "boxes/*.toml", "backups/put-back.json")
OTHERS = (NOTES, "digside.*", "*.new", "*.damaged-*", "replacing.json")
"""The tables, what shows damage by itself, and what is about to be something else."""


class FileStamp(msgspec.Struct, frozen=True):
    """A small file as it was when it was looked at: bytes, nanoseconds since 1970, and its CRC-32."""

    size: int
    at: int
    crc: int


class SmallFiles:
    """The small files of a data folder, and how they were when they were looked at last."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._noted: dict[str, FileStamp] = {}
        with suppress(OSError, ValueError):
            written = read_marked((folder / NOTES).read_bytes())
            self._noted = msgspec.json.decode(written, type=dict[str, FileStamp])

    def damaged(self) -> list[Path]:
        """Those that have changed though nobody wrote them."""
        return [file for file in self._files() if self._is_damaged(file)]

    def mend(self) -> list[Path]:
        """Set aside those that are damaged, and put what they were in their place where one bit makes that of them.

        :returns: where they are now.
        """
        found = []
        for file in self.damaged():
            noted, content = self._noted[self._name(file)], file.read_bytes()
            mode = stat.S_IMODE(file.stat().st_mode)
            sound = mended(content, noted.crc)
            found.append(set_aside(file, ValueError("its bytes changed though nobody wrote it")))
            if sound is not None:
                with suppress(OSError):
                    write_whole(file, sound, mode=mode)
        return found

    def remember(self) -> None:
        """Note how they are now; of one that is damaged, how it was. What cannot be noted is believed next time."""
        now = {self._name(file): self._look(file) for file in self._files()}
        if now != self._noted:
            self._noted = now
            with suppress(OSError):
                write_whole(self._folder / NOTES, marked_lines(msgspec.json.encode(now)))

    def _files(self) -> Iterator[Path]:
        for place in PLACES:
            for file in sorted(self._folder.glob(place)):
                with suppress(OSError):
                    told = file.lstat()
                    is_small = stat.S_ISREG(told.st_mode) and told.st_size <= LARGEST
                    if is_small and not any(file.match(other) for other in OTHERS):
                        yield file

    def _name(self, file: Path) -> str:
        return str(file.relative_to(self._folder))

    def _look(self, file: Path) -> FileStamp:
        """How a file is; it is read only where its size or time is another than before."""
        told, before = os.stat(file), self._noted.get(self._name(file))
        if before is not None and (before.size, before.at) == (told.st_size, told.st_mtime_ns):
            return before
        return FileStamp(told.st_size, told.st_mtime_ns, zlib.crc32(file.read_bytes()))

    def _is_damaged(self, file: Path) -> bool:
        before = self._noted.get(self._name(file))
        with suppress(OSError):
            return before is not None and self._look(file) is before and zlib.crc32(file.read_bytes()) != before.crc
        return False
