"""Reads the rows of an SQLite file as they lie there, also where one of them is damaged or out of its place.

A row whose key has turned leads whoever looks for its neighbours by their keys astray, and one whose length has turned
breaks off what is read with it. What lies before and behind such a row is read from both ends.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from companion.play.folder import DAMAGED
from companion.play.marks import is_whole

Found = tuple[Any, ...]
TWICE = "CROSS JOIN (VALUES (0), (1))"
"""Each row is told twice: a row is lost where Python has already looked for the next one, and that is damaged."""


def scanned(db: sqlite3.Connection, columns: str, tree: str, key: Sequence[str], of: str | None = None) -> list[Found]:
    """All rows that can be read, in the order of their keys.

    :param columns: those of the key first, the mark of a row last.
    :param of: those alone whose first column is this.
    :raises sqlite3.OperationalError: where it is the disk that cannot be read.
    """
    found = dict[Found, Found]()
    for order in ("ASC", "DESC"):
        by = ", ".join(f"{each} {order}" for each in key)
        try:
            for row in db.execute(f"SELECT {columns} FROM {tree} NOT INDEXED {TWICE} ORDER BY {by}"):  # noqa: S608
                if of in {None, row[0]} and (is_whole(row) or row[: len(key)] not in found):
                    found[row[: len(key)]] = row
        except sqlite3.OperationalError:
            raise
        except DAMAGED:
            continue  # up to here, and then from the other end
    return sorted(
        found.values(), key=lambda row: [(isinstance(each, str), each) for each in map(_plain, row[: len(key)])]
    )


def _plain(column: object) -> str | int:
    return column if isinstance(column, int) else str(column)
