"""Takes in tables that other Digsides send, one after the other, each when it is its turn and never again.

Whoever sends one asks for the turn first. A turn is over with the first thing that is asked for it, and all turns with
the process that named them: what was listened to, or comes late, has no effect, and nothing need be kept for that.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec

from companion.play.entries import Arrival, JournalLine, Keys, Laid
from companion.play.hall import Hall
from companion.refusals import Malformed, Refusal, Stale


class HouseMet(msgspec.Struct, frozen=True):
    """Which Digside this is, wherever it is reached; the turn it has now; why it takes in no table, if so."""

    house: str
    turn: str
    refuses: str = ""


class Load(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that a table is, from which Digside to which, and the head that it comes with."""

    source: str
    house: str
    head: str | None
    laid: Laid
    secret: bytes
    keys: Keys
    lines: tuple[JournalLine, ...] = ()


class Barring(msgspec.Struct, frozen=True):
    """A table of which it is to be said what has become of it."""

    table: str


class ArrivalTold(msgspec.Struct, frozen=True):
    """What came by a ticket, and up to which entry: null where nothing has, and nothing will."""

    table: str | None
    seq: int
    head: str | None


NOT_COME = ArrivalTold(None, 0, None)


class Reception:
    """Where the tables of a hall arrive.

    :param house: which Digside this is.
    """

    def __init__(self, hall: Hall, house: Callable[[], str]) -> None:
        self._hall = hall
        self._house = house
        self._lock = threading.Lock()  # one after the other
        self._run = secrets.token_hex(8)
        self._count = 0

    @property
    def turn(self) -> str:
        """Whoever asks for the next thing asks for this."""
        return f"{self._run}.{self._count}"

    def meet(self, language: str) -> HouseMet:
        """Which Digside this is, and whether it would take in a table."""
        try:
            self._hall.check_takes()
        except Refusal as refusal:
            return HouseMet(self._house(), self.turn, refusal.said(language))
        return HouseMet(self._house(), self.turn)

    def take(self, turn: str, ticket: str, load: Load) -> ArrivalTold:
        """Take in a table, or say that it is here.

        :raises Stale: where it is not its turn.
        :raises Malformed: where it is not as it was written, or was not sent here.
        """
        with self._having(turn):
            head = load.lines[-1].link if load.lines else None
            if load.house != self._house() or load.head != (head.hex() if head else None):
                raise Malformed("core.arrives_otherwise")
            return _told(self._hall.arrive(ticket, self._house(), load.laid, load.secret, load.keys, load.lines))

    def bar(self, turn: str, ticket: str, table: str) -> ArrivalTold:
        """What has become of a ticket; where nothing has, nothing comes by it any more.

        :raises Stale: where it is not its turn.
        """
        with self._having(turn):
            arrival = self._hall.journal.arrival(table, ticket)
            return _told(arrival) if arrival is not None else NOT_COME

    @contextmanager
    def _having(self, turn: str) -> Iterator[None]:
        """While whoever has the turn is served, nobody else is; it is over with that."""
        with self._lock:
            if turn != self.turn:
                raise Stale("web.other_turn")
            self._count += 1
            yield


def _told(arrival: Arrival) -> ArrivalTold:
    return ArrivalTold(*arrival)
