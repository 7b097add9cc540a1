"""Where the rows of a database file lie in it: so that one bit of one row can be turned."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

TABLE_LEAF, INDEX_INNER, INDEX_LEAF = 13, 2, 10
WIDTHS = {0: 0, 1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 7: 8, 8: 0, 9: 0}


class Row(NamedTuple):
    """A row: its first two columns, and where its bytes lie, from and up to."""

    key: tuple[object, object]
    places: list[tuple[int, int]]


def rows(file: Path, tree: str) -> list[Row]:
    """The rows of a table without rowid, or of an index, as they lie in a file whose log is empty."""
    with closing(sqlite3.connect(f"file:{file}?mode=ro", uri=True)) as db:
        (root,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (tree,)).fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    return [*_Tree(file.read_bytes(), size).rows(root)]


class _Tree:
    def __init__(self, content: bytes, size: int) -> None:
        self._content = content
        self._size = size

    def rows(self, page: int) -> Iterator[Row]:
        begin = (page - 1) * self._size
        head = begin + (100 if page == 1 else 0)
        kind, count = self._content[head], self._number(head + 3, 2)
        assert kind in {INDEX_INNER, INDEX_LEAF}, kind
        inner = kind == INDEX_INNER
        for n in range(count):
            cell = begin + self._number(head + (12 if inner else 8) + 2 * n, 2)
            if inner:
                yield from self.rows(self._number(cell, 4))
                cell += 4
            yield self._row(cell)
        if inner:
            yield from self.rows(self._number(head + 8, 4))

    def _row(self, cell: int) -> Row:
        length, at = self._varint(cell)
        most, least = (self._size - 12) * 64 // 255 - 23, (self._size - 12) * 32 // 255 - 23
        local = length
        if length > most:
            local = least + (length - least) % (self._size - 4)
            local = local if local <= most else least
        places = [(cell, at + local)]
        content, left, pointer = self._content[at : at + local], length - local, at + local
        if left:
            places = [(cell, at + local + 4)]
        while left:
            page = (self._number(pointer, 4) - 1) * self._size
            part = min(left, self._size - 4)
            places.append((page, page + 4 + part))
            content, left, pointer = content + self._content[page + 4 : page + 4 + part], left - part, page
        return Row(_first_two(content), places)

    def _number(self, at: int, width: int) -> int:
        return int.from_bytes(self._content[at : at + width], "big")

    def _varint(self, at: int) -> tuple[int, int]:
        return _varint(self._content, at)


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """A number as SQLite writes it, up to eight bytes, and where it ends."""
    number = 0
    while True:
        number = number << 7 | content[at] & 0x7F
        at += 1
        if not content[at - 1] & 0x80:
            return number, at


def _first_two(content: bytes) -> tuple[object, object]:
    end, at = _varint(content, 0)
    found: list[object] = []
    kinds = []
    while at < end:
        kind, at = _varint(content, at)
        kinds.append(kind)
    for kind in kinds[:2]:
        width = WIDTHS.get(kind, (kind - 12) // 2)
        raw = content[at : at + width]
        if kind >= 12:
            found.append(raw.decode() if kind % 2 else raw)
        else:
            found.append(kind - 8 if kind in {8, 9} else None if not kind else int.from_bytes(raw, "big", signed=True))
        at += width
    return found[0], found[1] if len(found) > 1 else None
