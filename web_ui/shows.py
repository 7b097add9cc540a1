"""The tables of bots that somebody watches: played at a calm pace by one thread, as long as anybody looks."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence

from companion.play.hall import Hall
from companion.play.show import Show
from companion.play.table import Table
from companion.refusals import Illegal

log = logging.getLogger(__name__)

PACE = 1.6  # seconds between two steps: time to see what happened


class Shows:
    """At most one show of each box; a new one is laid when the last is over.

    :param looked_at: whether a live line of a table is open.
    :param greet: is told of each new table, so that its steps come to the screens.
    """

    def __init__(
        self,
        hall: Hall,
        looked_at: Callable[[str], bool],
        greet: Callable[[Table], object],
        *,
        pace: float = PACE,
    ) -> None:
        self._hall = hall
        self._looked_at = looked_at
        self._greet = greet
        self._pace = pace
        self._shows: dict[str, Show] = {}
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._player: threading.Thread | None = None

    @property
    def are_here(self) -> bool:
        """Whether bots play here: not in a hall, where the next request may go to a process that has no such table."""
        return not self._hall.journal.shared

    def of(self, box: str, names: Sequence[str]) -> Table:
        """The show of a box: the one that is on, or a new one.

        :raises Illegal: in a hall.
        """
        if not self.are_here:
            raise Illegal("evening.watch.in_hall")
        with self._lock:
            show = self._shows.get(box)
            if show is None or show.table.over():
                show = self._shows[box] = Show(self._hall, box, names)
                self._greet(show.table)
            return show.table

    def looked(self, table: str) -> None:
        """Somebody looks at a table. If it is a show, it goes on."""
        with self._lock:
            if not self._is_on(table) or self._player is not None or self._closing.is_set():
                return
            self._player = threading.Thread(target=self._play, name="shows", daemon=True)
            self._player.start()

    def turn(self) -> bool:
        """One step at each show that somebody looks at; whether there was any."""
        with self._lock:
            watched = [show for show in self._shows.values() if self._looked_at(show.table.id)]
        went_on = [_stepped(show) for show in watched]  # each of them, not only the first
        return any(went_on)

    def close(self) -> None:
        """No show goes on."""
        self._closing.set()

    def _is_on(self, table: str) -> bool:
        return any(show.table.id == table and not show.table.over() for show in self._shows.values())

    def _play(self) -> None:
        """Until nobody looks any more; then this thread ends, and `looked` begins another."""
        while not self._closing.wait(self._pace):
            if self.turn():
                continue
            with self._lock:
                if not any(self._looked_at(show.table.id) and not show.table.over() for show in self._shows.values()):
                    self._player = None
                    return


def _stepped(show: Show) -> bool:
    try:
        return show.step()
    except Exception:  # a show that fails stands still; the service and every other table go on
        log.exception("the show at table %s stands still", show.table.id)
        return False
