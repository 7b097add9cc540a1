"""Every step is kept before anybody sees it: what a table and a hall ask of whatever keeps it."""

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
"""Tables that were left are counted no further: by then it is plain what somebody did."""


def nothing() -> None:
    """Done while a step is kept, where nobody has anything to do."""


class Steps(Protocol):
    """Where the steps of a table are kept.

    The key of an entry is its table and its number; a second one of the same key is refused, whoever writes it. Each
    `JournalLine` is kept with its link; a journal neither makes links nor checks them: whoever opens a table does.
    """

    def append(self, table: str, written: Sequence[JournalLine]) -> None:
        """Keep entries, all or none, safe from power loss when this returns. Called under the table's lock.

        :raises Missing: where the table was deleted.
        :raises LostRace: where there is one of the same number, or for the same request, already.
        """

    def acknowledge(self, table: str, newest: JournalLine) -> None:
        """Note, where there is something to note, that everybody has been told of an entry that is kept."""

    def entries(self, table: str, after: int = 0) -> list[JournalLine]:
        """The entries of a table after so many, in order; none, where there is no such table.

        :raises Storage: where they are damaged.
        """

    def behind_since(self) -> int | None:
        """Since when others may have written of which nothing is known here, in milliseconds; None where all is."""

    def answered(self, table: str, request: str) -> tuple[int, str | None] | None:
        """The number of the entry that a request made, and the digest of what was asked with it; or None."""

    def close(self) -> None:
        """Let go of what they are kept in."""


class Journal(Steps, Protocol):
    """Where the tables of a hall are kept; a step that `append` accepted is never lost.

    What cannot be read or written is refused as `Storage`. Any thread may call anything here.

    :ivar shared: whether other processes may write, too.
    :ivar damaged: why tables could not be told, by their ids, when they were last told.
    :ivar saved: the folder that the tables were written to once what is kept was gone; whoever saves them notes it.
    """

    shared: bool
    damaged: dict[str, str]
    saved: Path | None

    @property
    def codes(self) -> Codes:
        """Short codes for seats, which every process that may write knows."""

    @property
    def callers(self) -> Callers:
        """Which tables call for the host of the house, as every process that may write knows."""

    def lay(self, laid: Laid, secret: bytes, keys: Keys, written: Sequence[JournalLine] = ()) -> None:
        """Keep a new table, with the entries it already has. Called once, before anybody knows of the table.

        :raises LostRace: where there is one of this id, or another that follows the same table.
        """

    def finish(self, table: str, end: EndFound) -> None:
        """Note that a table is over and how it ended, for the list; what says so are its entries. It calls no more."""

    def delete(self, table: str) -> None:
        """Forget a table for good, with every entry of it, the codes of its seats, and its call.

        :raises Missing: where there is none.
        """

    def summaries(self, first: int = 0, most: int | None = None, *, over: bool = False) -> list[TableSummary]:
        """Tables, the newest first.

        :param first: so many of the newest are left out.
        :param most: so many are told at most; None for all.
        :param over: those alone that are over.
        """

    def seatings(self, tables: Sequence[str]) -> dict[str, SeatsChanged]:
        """The newest entry about the seats of each of these tables that has one: its laying does not say them."""

    def left_before(self, laid: Laid, since: int) -> int:
        """How many tables of the same box were laid from a moment on, and left as they were once this was laid.

        Up to `MOST_LEFT` are counted, and none that is over.
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
        """How a table has left for another Digside, if that was kept; the entry that says so counts without it."""

    def send(self, table: str, going: Departure | None, written: Sequence[JournalLine] = ()) -> None:
        """Keep how a table has left, or with None that it is here after all, together with the entries that say so."""

    def arrival(self, table: str, ticket: str) -> Arrival | None:
        """Up to which entry a table came here by a ticket; None where it has not.

        :raises Storage: where the table cannot be read, so that nobody knows.
        """

    def take_over(self, ticket: str, laid: Laid, secret: bytes, keys: Keys, written: Sequence[JournalLine]) -> None:
        """Keep a table that comes from another Digside, once for each ticket; its newest entry says that it arrived.

        One that left from here comes back with all it was here, and what was made since.

        :raises Illegal: where another table has that id.
        """

    def listen(self, heard: Callable[[Mapping[str, int] | None], None]) -> None:
        """Call `heard` when another process has written, from a thread of the journal's.

        It is told the number of the newest entry by each table, 0 where the table was deleted; or None where any table
        may have been written to.
        """

    def lose_sight(self) -> None:
        """What others write could not be read just now: until it can be again, all that is told may be out of date."""

    def when_in_doubt(self, told: Callable[[], None]) -> None:
        """Call `told`, from a thread of the journal's, when `behind_since` has changed."""

    def has_word(self) -> bool:
        """Whether this process speaks for all that share what is kept: one does, until it ends or falls silent."""

    def free_bytes(self) -> int | None:
        """How many bytes there is room for; None where that is not for this machine to know."""

    def is_gone(self) -> bool:
        """Whether what is written to is not there any more, so that nobody will find what is kept from now on."""

    def check_there(self) -> None:
        """Refuse once what is kept is gone."""

    def writable(self) -> None:
        """Refuse if a step would not be kept now."""

    def sound(self, within: float = math.inf) -> bool:
        """Refuse if what is kept is damaged.

        :param within: seconds after which it looks no further.
        :returns: whether it has looked at everything.
        """


def in_database(address: str, *, reading: bool = False) -> Journal:
    """The journal in a PostgreSQL database.

    :param reading: only look.
    :raises Missing: where what speaks with such a database is not installed; or, to look, there are no tables in it.
    :raises Malformed: where that is no address of one.
    :raises Storage: where it does not answer, or is of a newer Digside.
    """
    try:
        from companion.play.postgres_journal import PostgresJournal
    except ImportError:
        raise Missing("core.no_postgres") from None
    return PostgresJournal(address, reading=reading)


class Immovable:
    """For a journal that others share: no table is moved to it, or from it."""

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
    """Keeps no step: a table that is only shown is gone when nobody has it at hand any more."""

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
