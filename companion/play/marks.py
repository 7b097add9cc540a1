"""A mark over each row of a database file: it shows whether the row is as it was written."""

from __future__ import annotations

import zlib

Row = tuple[str | int | bytes | None, ...]


def mark(row: Row) -> int:
    """The mark of a row: any one bit that has turned makes another."""
    made = 0
    for column in row:
        made = zlib.crc32(column if isinstance(column, bytes) else f"{column}\0".encode(), made)
    return made


def marked(row: Row) -> Row:
    """A row with its mark behind it."""
    return (*row, mark(row))


def is_whole(row: Row) -> bool:
    """Whether a row, its mark behind it, is as it was written; one from before there were marks has None.

    >>> is_whole(marked(("tqv3p", 7))), is_whole((*marked(("tqv3p", 7))[:-1], 5)), is_whole(("tqv3p", None))
    (True, False, True)
    """
    return row[-1] is None or row[-1] == mark(row[:-1])
