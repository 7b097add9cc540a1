"""How much a table may come to, be it played or brought in: more than any people make of one, and no more."""

from __future__ import annotations

import msgspec

from companion.play.entries import ENDS, LARGEST, MOVES, Entry

MOST_ENTRIES = 20_000
LEFT_TO_END_IT = 10  # of them
LONGEST_TEXT = 300
MOST_PARTS = 200
DEEPEST = 8


def takes(seq: int, entry: Entry) -> bool:
    """Whether a table takes an entry of that number: of the last few only what ends it, or takes it elsewhere.

    >>> from companion.play.entries import TableClosed, TableRestored
    >>> [takes(seq, entry) for seq in (19_990, 19_991, 20_001) for entry in (TableClosed(), TableRestored())]
    [True, True, True, False, False, False]
    """
    return seq <= MOST_ENTRIES - LEFT_TO_END_IT or (seq <= MOST_ENTRIES and isinstance(entry, (*ENDS, *MOVES)))


def is_small(told: object, deep: int = DEEPEST) -> bool:
    """Whether a part of an entry is as small as what people do at a table."""
    match told:
        case str():
            return len(told) <= LONGEST_TEXT
        case int():
            return abs(told) < LARGEST
        case dict():
            return (
                deep > 0
                and len(told) <= MOST_PARTS
                and all(is_small(key, 1) and is_small(part, deep - 1) for key, part in told.items())
            )
        case list() | tuple():
            return deep > 0 and len(told) <= MOST_PARTS and all(is_small(part, deep - 1) for part in told)
        case msgspec.Struct():
            return is_small(msgspec.to_builtins(told), deep)
        case _:
            return True
