"""The entries of a table that is in memory: the newest as they are, older ones packed."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import overload

import msgspec

from companion.play.entries import JournalLine

PACK = 32
"""So many entries are packed together."""
NEWEST = 16
"""So many at least are not: those that are read with each press."""

_lines = msgspec.json.Decoder(tuple[JournalLine, ...])


class Written(Sequence[JournalLine]):
    """Entries in the order of their numbers, from 1 on. It only grows.

    >>> from companion.play.entries import TableClosed
    >>> written = Written()
    >>> for seq in range(1, 101):
    ...     written.append(JournalLine(seq, 0, TableClosed()))
    >>> len(written), [line.seq for line in written[-2:]]
    (100, [99, 100])
    >>> [line.seq for line in unpacked(written.pack())] == [line.seq for line in written[:32]]
    True
    >>> len(written), written.packed
    (100, 32)

    :param base: so many are elsewhere, and `whole` is asked for them where one of them is wanted.
    """

    def __init__(
        self,
        packs: tuple[bytes, ...] = (),
        newest: Sequence[JournalLine] = (),
        *,
        base: int = 0,
        whole: Callable[[], Sequence[JournalLine]] = tuple,
    ) -> None:
        self.base = base
        self._whole = whole
        self._kept = packs, [*newest], base + len(packs) * PACK

    @property
    def packed(self) -> int:
        """How many entries are packed, or elsewhere."""
        return self._kept[2]

    def copy(self) -> Written:
        """The same, which grows by itself."""
        packs, newest, _ = self._kept
        return Written(packs, newest, base=self.base, whole=self._whole)

    def append(self, line: JournalLine) -> None:
        """Add the next entry."""
        self._kept[1].append(line)

    def pack(self) -> bytes | None:
        """Pack the oldest that are not, if there are enough of them; the pack that was made."""
        packs, newest, _ = self._kept
        if len(newest) < NEWEST + PACK:
            return None
        pack = zlib.compress(msgspec.json.encode(newest[:PACK]), 1)
        self._kept = (*packs, pack), newest[PACK:], self.base + (len(packs) + 1) * PACK
        return pack

    def __len__(self) -> int:
        _, newest, packed = self._kept
        return packed + len(newest)

    def __iter__(self) -> Iterator[JournalLine]:
        packs, newest, _ = self._kept
        if self.base:
            yield from self._whole()[: self.base]
        for pack in packs:
            yield from unpacked(pack)
        yield from newest

    @overload
    def __getitem__(self, at: int) -> JournalLine: ...
    @overload
    def __getitem__(self, at: slice) -> list[JournalLine]: ...
    def __getitem__(self, at: int | slice) -> JournalLine | list[JournalLine]:
        if isinstance(at, slice):
            return [self[each] for each in range(*at.indices(len(self)))]
        packs, newest, packed = self._kept
        if at >= packed:
            return newest[at - packed]
        number = range(packed + len(newest))[at]
        if number < self.base:
            return self._whole()[number]
        pack, line = divmod(number - self.base, PACK)
        return unpacked(packs[pack])[line] if pack < len(packs) else newest[at]


@lru_cache(maxsize=8)
def unpacked(pack: bytes) -> tuple[JournalLine, ...]:
    """The entries of a pack; whoever looks back goes on looking."""
    return _lines.decode(zlib.decompress(pack))
