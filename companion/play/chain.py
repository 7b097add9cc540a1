"""The chain of a table's entries: it begins with the laying, and each link holds all that came before it.

Whoever noted a link, and a step later looks at the record, knows that nothing before it was changed, left out or put
in. A link is made under the secret of the luck, so that before the end it tells nobody what a hidden entry says.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence

import msgspec
from msgspec.structs import replace

from companion.play.entries import Entry, JournalLine, Laid, Moment

VERSION = 2
"""The chain that a table laid now has. 0 is none, from before there was one; 1 had no entry for an end by itself."""
MARK = b"digside chain 1\0"
BLOCK = 64  # bytes that SHA-256 takes in at once

canonical = msgspec.json.Encoder(order="sorted").encode
"""As JSON of one spelling: keys in order, no room between, UTF-8."""


class Counted(msgspec.Struct, frozen=True):
    """What of an entry is in its link."""

    at: Moment
    entry: Entry
    seq: int


def beginning(laid: Laid) -> bytes:
    """The first link: how the table was laid, under the name it was laid by. It needs no secret."""
    return hashlib.sha256(MARK + canonical(replace(laid, table=laid.was or laid.table, was=None, after=None))).digest()


class Chain:
    """Makes the links of a table from its secret.

    >>> from companion.play.entries import TableClosed
    >>> chain = Chain(bytes(32))
    >>> chain.link(bytes(32), JournalLine(1, 0, TableClosed())).hex()[:16]
    '89a6dd1f2eff27ce'
    """

    def __init__(self, secret: bytes) -> None:
        key = secret.ljust(BLOCK, b"\0")
        self._inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + MARK)  # HMAC, its key taken in once and
        self._outer = hashlib.sha256(bytes(byte ^ 0x5C for byte in key))  # not again for each of a thousand links

    def link(self, before: bytes, line: JournalLine) -> bytes:
        """The link of an entry that follows a link."""
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(before.hex().encode())
        inner.update(b"\0")
        inner.update(canonical(Counted(line.at, line.entry, line.seq)))
        outer.update(inner.digest())
        return outer.digest()

    def linked(self, before: bytes, lines: Iterable[JournalLine]) -> list[JournalLine]:
        """The entries with their links."""
        made = []
        for line in lines:
            before = self.link(before, line)
            made.append(replace(line, link=before))
        return made

    def sound(self, laid: Laid, written: Sequence[JournalLine], before: bytes | None = None) -> int:
        """How many entries have the links they were written with: from the first on, or after a link."""
        before = before or beginning(laid)
        for count, line in enumerate(written):
            before = self.link(before, line)
            if line.link != before:
                return count
        return len(written)
