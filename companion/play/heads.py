"""The newest entry of each table, noted beside the journal: a journal that lost its end looks whole by itself.

A file with 64 bytes for each table, written after each step and never waited for. After a power cut it may be behind
the journal but never ahead of it, so a journal that is behind the file has lost entries.
"""

from __future__ import annotations

import os
import struct
import threading
import zlib
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from companion.play.entries import JournalLine

NAME = "digside.heads"
SLOT = struct.Struct("<20sQ32sI")
LONGEST = 20  # bytes of a table's id; longer ones are not noted


class Head(NamedTuple):
    """The number of a table's newest entry, and its link; zeros where there is no chain."""

    seq: int
    link: bytes


def head_of(line: JournalLine) -> Head:
    """The head of a table whose newest entry this is."""
    return Head(line.seq, line.link or bytes(32))


class Heads:
    """The heads of a data folder.

    :param reading: open read-only, beside the process that writes.
    """

    def __init__(self, folder: Path, *, reading: bool = False) -> None:
        self._file: int | None = None
        self._lock = threading.Lock()
        self._slots: dict[str, int] = {}
        self.known: dict[str, Head] = {}
        with suppress(OSError):
            flags = os.O_RDONLY if reading else os.O_RDWR | os.O_CREAT
            self._file = os.open(folder / NAME, flags | os.O_CLOEXEC, 0o600)
            self._read(self._file)

    def _read(self, file: int) -> None:
        """Read all slots. One that is damaged is left out, and written again with the table's next step."""
        size = os.fstat(file).st_size
        whole = os.pread(file, size, 0)
        self._next = -(-size // SLOT.size) * SLOT.size
        for at in range(0, size - SLOT.size + 1, SLOT.size):
            name, seq, link, mark = SLOT.unpack_from(whole, at)
            if mark == zlib.crc32(whole[at : at + SLOT.size - 4]) and name.rstrip(b"\0"):
                table = name.rstrip(b"\0").decode(errors="replace")
                self._slots[table], self.known[table] = at, Head(seq, link)

    def note(self, table: str, head: Head) -> None:
        """Note a table's newest entry. If it cannot be written, the older note is still true."""
        if self._file is None or len(table.encode()) > LONGEST:
            return
        with self._lock:  # or two new tables would have one slot
            at = self._slots.get(table)
            if at is None:
                at = self._slots[table] = self._next
                self._next += SLOT.size
        self.known[table] = head
        with suppress(OSError):
            os.pwrite(self._file, _slot(table.encode(), head), at)

    def forget(self, table: str) -> None:
        """Clear the slot of a table that was deleted."""
        at = self._slots.pop(table, None)
        self.known.pop(table, None)
        if at is not None and self._file is not None:
            with suppress(OSError):
                os.pwrite(self._file, _slot(b"", Head(0, bytes(32))), at)

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None


def _slot(name: bytes, head: Head) -> bytes:
    told = SLOT.pack(name, head.seq, head.link, 0)[:-4]
    return told + zlib.crc32(told).to_bytes(4, "little")
