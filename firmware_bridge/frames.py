"""Frames on the wire: COBS with one reserved byte, CRC-16 and zero delimiters (PROTOCOL.md, "Frames")."""

from __future__ import annotations

from binascii import crc_hqx
from collections.abc import Iterator
from dataclasses import dataclass, field

END = 0x00
STOP = 0xFF
ROOM = 40
"""Longest content of a frame: type, sequence, body."""

_SHORTEST = 4
_LONGEST_ON_WIRE = ROOM + 3
_FOLLOWED_BY_STOP = 0x80


class BrokenFrame(ValueError):
    """What lay between two delimiters is no frame."""


class CrcWrong(BrokenFrame):
    """A frame that arrived changed."""


def crc16(content: bytes) -> int:
    """CRC-16/CCITT-FALSE.

    >>> hex(crc16(b"123456789"))
    '0x29b1'
    """
    return crc_hqx(content, 0xFFFF)


def stuff(data: bytes) -> bytes:
    """Write data without the bytes 0x00 and 0xFF, one byte longer.

    >>> stuff(bytes([1, 0, 2, 255])).hex(" ")
    '02 01 82 02 01'
    """
    out = bytearray()
    start = 0
    for i, byte in enumerate(data):
        if byte in (END, STOP):
            out.append(i - start + 1 | (_FOLLOWED_BY_STOP if byte == STOP else 0))
            out += data[start:i]
            start = i + 1
    out.append(len(data) - start + 1)
    return bytes(out + data[start:])


def unstuff(data: bytes) -> bytes:
    """Undo :func:`stuff`.

    :raises BrokenFrame: when no data can have been written so.
    """
    out = bytearray()
    i = 0
    while i < len(data):
        code = data[i]
        end = i + (code & 0x7F)
        if end == i or end > len(data):
            raise BrokenFrame("a run reaches beyond the end")
        out += data[i + 1 : end]
        i = end
        if i < len(data):
            out.append(STOP if code & _FOLLOWED_BY_STOP else END)
        elif code & _FOLLOWED_BY_STOP:
            raise BrokenFrame("nothing follows the last run")
    return bytes(out)


def frame(content: bytes) -> bytes:
    """Return a whole frame. It begins with a delimiter too, so half a frame of a sender that died costs nothing."""
    if not _SHORTEST - 2 <= len(content) <= ROOM:
        raise ValueError(f"a frame holds 2 to {ROOM} bytes, not {len(content)}")
    return b"\0" + stuff(content + crc16(content).to_bytes(2, "little")) + b"\0"


def unframe(stuffed: bytes) -> bytes:
    """Return the content of what lay between two delimiters.

    >>> unframe(frame(b"pump")[1:-1])
    b'pump'

    :raises CrcWrong: when it arrived changed.
    :raises BrokenFrame: when it is no frame.
    """
    if len(stuffed) > _LONGEST_ON_WIRE:
        raise BrokenFrame("longer than any frame")
    data = unstuff(stuffed)
    if len(data) < _SHORTEST:
        raise BrokenFrame("shorter than any frame")
    content = data[:-2]
    if crc16(content) != int.from_bytes(data[-2:], "little"):
        raise CrcWrong("the CRC does not match")
    return content


@dataclass(slots=True)
class Reader:
    """Cuts a stream of bytes into frames and counts what is none."""

    crc_errors: int = 0
    frame_errors: int = 0
    _pending: bytearray = field(default_factory=bytearray)
    _skipping: bool = False

    def forget(self) -> None:
        """Forget what has come, and skip what still belongs to it: all up to the next delimiter."""
        self._pending.clear()
        self._skipping = True

    def read(self, data: bytes) -> Iterator[bytes]:
        """Yield the content of each frame that is complete now."""
        self._pending += data
        *whole, rest = self._pending.split(b"\0")
        if self._skipping:
            self._skipping = not whole
            whole, rest = whole[1:], rest if whole else bytearray()
        if len(rest) > _LONGEST_ON_WIRE:
            rest = rest[: _LONGEST_ON_WIRE + 1]
        self._pending = bytearray(rest)
        for stuffed in whole:
            if stuffed:
                yield from self._open(bytes(stuffed))

    def _open(self, stuffed: bytes) -> Iterator[bytes]:
        try:
            yield unframe(stuffed)
        except CrcWrong:
            self.crc_errors += 1
        except BrokenFrame:
            self.frame_errors += 1
