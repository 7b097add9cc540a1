"""How tables and entries are written in the rows of a database, whichever it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from companion.play.entries import (
    Departure,
    EndFound,
    Entry,
    JournalLine,
    Keys,
    Laid,
    SeatsChanged,
    TableBrief,
    TableSummary,
)


class Unreadable(ValueError):
    """What a row holds is nothing that was written there."""


def _reader(kind: Any) -> Callable[[bytes], Any]:
    decode = msgspec.json.Decoder(kind).decode

    def read(written: bytes) -> Any:
        try:
            return decode(written)
        except (ValueError, TypeError, RecursionError) as error:  # of damage everything can come, also no UTF-8
            raise Unreadable(str(error)) from error

    return read


encode = msgspec.json.Encoder().encode
read_entry: Callable[[bytes], Entry] = _reader(Entry)
_laid: Callable[[bytes], Laid] = _reader(Laid)
_brief: Callable[[bytes], TableBrief] = _reader(TableBrief)
_keys: Callable[[bytes], Keys] = _reader(Keys)
_end: Callable[[bytes], EndFound] = _reader(EndFound)
read_going: Callable[[bytes], Departure] = _reader(Departure)

EntryRow = tuple[int, int, str | None, str | None, bytes, bytes | None]


class AppendRequest(NamedTuple):
    """Entries that are to be made at a table."""

    table: str
    written: Sequence[JournalLine]

    def is_in_order(self) -> bool:
        """Whether they are numbered one after another."""
        first = self.written[0].seq
        return [line.seq for line in self.written] == list(range(first, first + len(self.written)))


def entry_row(line: JournalLine) -> EntryRow:
    """An entry: its number, when, for which request, the digest of what was asked, itself, its link."""
    return line.seq, line.at, line.request, line.asked, encode(line.entry), line.link


def line_of(seq: int, at: int, request: str | None, asked: str | None, body: bytes, link: bytes | None) -> JournalLine:
    """An entry, as `entry_row` wrote it."""
    return JournalLine(seq, at, read_entry(body), request, asked, link)


SEATS = encode(SeatsChanged("add", "host", (), "key"))[:15]
"""How an entry about seats begins: each database has an index of these, as a list of tables needs the newest."""


def seating_of(body: bytes) -> SeatsChanged:
    """An entry about seats.

    :raises Unreadable: where it is none.
    """
    entry = read_entry(body)
    if not isinstance(entry, SeatsChanged):
        raise Unreadable("it is about no seats")
    return entry


def brief_of(laid: Laid) -> bytes:
    """What a list of tables needs of a table, without its box."""
    return encode(TableBrief(laid.table, laid.at, laid.setup, laid.after, laid.seal))


def opened_of(laid: bytes, secret: bytes, keys: bytes) -> tuple[Laid, bytes, Keys]:
    """How a table was laid, its secret and its keys."""
    return _laid(laid), secret, _keys(keys)


def keys_of(written: bytes) -> Keys:
    """The keys of a table."""
    return _keys(written)


def standing_of(laid: bytes, seq: int | None, at: int | None, over: int | bool, ended: bytes | None) -> TableSummary:
    """A table in the list of tables.

    :param laid: all that was laid, or what `brief_of` wrote of it.
    """
    return TableSummary(_brief(laid), seq or 0, at, bool(over), _end(ended) if ended is not None else None)
