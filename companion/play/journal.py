"""The interface of a journal: it stores every step before anybody sees it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from companion.play.callers import Callers
from companion.play.codes import Codes
from companion.play.entries import Arrival, Departure, EndFound, JournalLine, Keys, Laid, SeatsChanged, TableSummary
from companion.refusals import Illegal, Missing

MOST_LEFT = 100
"""Abandoned tables are counted up to here; more make no difference."""


def nothing() -> None:
    """Do nothing."""


class Steps(Protocol):
    """Stores the entries of tables.

    The key of an entry is its table and number; a second entry with the same key is refused, whichever process writes
    it. A `JournalLine` is stored with its link, but a journal neither makes nor checks links.
    """

    def append(self, table: str, written: Sequence[JournalLine]) -> None:
        """Store entries, all or none, safe from power loss when this returns. Called under the table's lock.

        :raises Missing: where the table was deleted.
        :raises LostRace: where there is one of the same number, or for the same request, already.
        """

    def acknowledge(self, table: str, newest: JournalLine) -> None:
        """Called once an entry was shown: a journal that later lacks it has lost something."""

    def entries(self, table: str, after: int = 0) -> list[JournalLine]:
        """The entries of a table after number `after`, in order; none, where there is no such table.

        :raises Storage: where they are damaged.
        """

    def behind_since(self) -> int | None:
        """Since when other processes may have written something not known here, in milliseconds; else None."""

    def answered(self, table: str, request: str) -> tuple[int, str | None] | None:
        """The number of the entry that a request made, and the digest of what was asked with it; or None."""

    def close(self) -> None:
        """Release files and connections."""


class Journal(Steps, Protocol):
    """Stores the tables of a hall; a step that `append` accepted is never lost.

    What cannot be read or written is refused as `Storage`. Thread-safe.

    :ivar shared: whether other processes may write, too.
    :ivar damaged: why tables were left out of the newest `summaries`, by their ids.
    :ivar saved: the folder that the tables were saved to once the journal was gone; set by whoever saves them.
    """

    shared: bool
    damaged: dict[str, str]
    saved: Path | None

    @property
    def codes(self) -> Codes:
        """Short codes for seats, shared by all processes."""

    @property
    def callers(self) -> Callers:
        """Which tables call for the host of the house, shared by all processes."""

    def lay(self, laid: Laid, secret: bytes, keys: Keys, written: Sequence[JournalLine] = ()) -> None:
        """Store a new table, with the entries it already has. Called once, before the table is shown.

        :raises LostRace: where there is one of this id, or another that follows the same table.
        """

    def finish(self, table: str, end: EndFound) -> None:
        """Note for the list that a table is over, and how it ended; its call for help ends, too."""

    def delete(self, table: str) -> None:
        """Delete a table for good, with its entries, the codes of its seats, and its call for help.

        :raises Missing: where there is none.
        """

    def summaries(self, first: int = 0, most: int | None = None, *, over: bool = False) -> list[TableSummary]:
        """Tables, the newest first.

        :param first: leave out so many of the newest.
        :param most: list at most so many; None for all.
        :param over: only those that are over.
        """

    def seatings(self, tables: Sequence[str]) -> dict[str, SeatsChanged]:
        """The newest entry about seats of each of these tables that has one."""

    def left_before(self, laid: Laid, since: int) -> int:
        """How many tables of the same box were laid since a time, and abandoned unfinished once this was laid.

        Up to `MOST_LEFT` are counted.
        """

    def count(self) -> int:
        """How many tables there are."""

    def unnoted(self) -> list[str]:
        """Tables that are over, whose end has not been noted."""

    def following(self, table: str) -> str | None:
        """The table that the same people played next, if there is one."""

    def last_step(self) -> tuple[str, int] | None:
        """The table at which the newest entry of all was made, and its number."""

    def knows(self, table: str) -> bool:
        """Whether there is a table of this id."""

    def laying_of(self, table: str) -> tuple[Laid, bytes, Keys]:
        """How a table was laid, its secret and its keys.

        :raises Missing: where there is none.
        """

    def keys(self, table: str) -> Keys:
        """The keys of a table alone.

        :raises Missing: where there is none.
        """

    def length(self, table: str) -> int:
        """How many entries a table has."""

    def sound_entries(self, table: str) -> list[JournalLine]:
        """The entries of a table up to the first that is damaged."""

    def newest(self) -> int:
        """When the newest table was laid, or 0."""

    def now(self) -> int:
        """Milliseconds since 1970, by the clock of all who may write."""

    def going(self, table: str) -> Departure | None:
        """Where a table has gone, if it has left for another Digside and that was noted beside its entry."""

    def send(self, table: str, going: Departure | None, written: Sequence[JournalLine] = ()) -> None:
        """Note where a table has gone, or with None that it is here after all, together with entries that say so."""

    def arrival(self, table: str, ticket: str) -> Arrival | None:
        """The arrival of a table here by a ticket; None where it has not arrived.

        :raises Storage: where the table cannot be read, so that this is unknown.
        """

    def take_over(self, ticket: str, laid: Laid, secret: bytes, keys: Keys, written: Sequence[JournalLine]) -> None:
        """Store a table that comes from another Digside, once for each ticket; its newest entry is its arrival.

        One that left from here before comes back with all its entries, and those made since.

        :raises Illegal: where another table has that id.
        """

    def listen(self, heard: Callable[[Mapping[str, int] | None], None]) -> None:
        """Call `heard`, from a thread of the journal's, when another process has written.

        Its argument has the number of the newest entry by table, 0 where a table was deleted; it is None where any
        table may have been written to.
        """

    def lose_sight(self) -> None:
        """Note that what other processes write cannot be read now: `behind_since` says so until it can be again."""

    def when_in_doubt(self, changed: Callable[[], None]) -> None:
        """Call `changed`, from a thread of the journal's, when `behind_since` has changed."""

    def is_leader(self) -> bool:
        """Whether this process is the leader of all that share the journal: exactly one is, while it is alive."""

    def free_bytes(self) -> int | None:
        """How many bytes are free; None where the journal is on another machine."""

    def is_gone(self) -> bool:
        """Whether the file being written to is no longer at its place, so that nobody would find further steps."""

    def check_there(self) -> None:
        """Refuse once the journal is gone."""

    def writable(self) -> None:
        """Refuse if a step could not be stored now."""

    def sound(self, within: float = math.inf) -> bool:
        """Refuse if the journal is damaged.

        :param within: seconds after which it looks no further.
        :returns: whether it has looked at everything.
        """


def in_database(address: str, *, reading: bool = False) -> Journal:
    """The journal in a PostgreSQL database.

    :param reading: only look.
    :raises Missing: where the client library is not installed; or, for reading, the database has no tables.
    :raises Malformed: where the address is none of a database.
    :raises Storage: where it does not answer, or is of a newer Digside.
    """
    try:
        from companion.play.postgres_journal import PostgresJournal
    except ImportError:
        raise Missing("core.no_postgres") from None
    return PostgresJournal(address, reading=reading)


class Immovable:
    """For a shared journal: tables are not moved to it, or from it."""

    def going(self, table: str) -> Departure | None:
        """None has left."""
        return None

    def send(self, table: str, going: Departure | None, written: Sequence[JournalLine] = ()) -> None:
        """Refused."""
        raise Illegal("core.not_from_a_hall")

    def arrival(self, table: str, ticket: str) -> Arrival | None:
        """None has come."""
        return None

    def take_over(self, ticket: str, laid: Laid, secret: bytes, keys: Keys, written: Sequence[JournalLine]) -> None:
        """Refused."""
        raise Illegal("core.not_from_a_hall")


class NoJournal:
    """Stores nothing: for a table that is only shown."""

    def append(self, table: str, written: Sequence[JournalLine]) -> None:
        """Not kept."""

    def acknowledge(self, table: str, newest: JournalLine) -> None:
        """Nor noted."""

    def entries(self, table: str, after: int = 0) -> list[JournalLine]:
        """No entry."""
        return []

    def behind_since(self) -> None:
        """Nobody else writes here."""

    def answered(self, table: str, request: str) -> tuple[int, str | None] | None:
        """No request."""
        return None

    def close(self) -> None:
        """There is nothing to let go of."""
