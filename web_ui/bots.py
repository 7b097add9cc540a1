"""The bots of the tables that are played here: one thread drives them all, and a process of its own thinks for them.

Neither is there before a bot is wanted. A table that is in a database is played by the process that people look at it
through, and by no other.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence

from companion.play.actors import Bot
from companion.play.bot_seats import LEAST_S, BotSeats
from companion.play.entries import JournalLine
from companion.play.hall import Hall
from companion.play.stage import Stage
from companion.play.table import Table
from companion.play.thinking import Thinker, has_room

log = logging.getLogger(__name__)

IDLE_S = 300.0
"""A process for thinking that nobody has asked for so long ends."""
LOOKED_S = 60.0
"""So long after somebody asked about a table it counts as looked at."""


class Bots:
    """Who moves for the seats at which no person plays.

    :param watched: whether a live line of a table is open here.
    :param changed: tells the screens of a table that there is news of its bots.
    :param lend_rig: has a table borrow the rig before it lifts.
    :param room: whether this machine has room for a process that thinks.
    :ivar least_s: a bot's move comes no sooner than so long after what came before it.
    """

    def __init__(
        self,
        hall: Hall,
        stage: Stage,
        *,
        watched: Callable[[str], bool],
        changed: Callable[[Table], None],
        lend_rig: Callable[[Table], None],
        thinker: Callable[[], Thinker] = Thinker,
        room: Callable[[], bool] = has_room,
    ) -> None:
        self.least_s = LEAST_S
        self._hall, self._stage = hall, stage
        self._watched, self._changed, self._lend_rig = watched, changed, lend_rig
        self._new_thinker, self._room = thinker, room
        self._thinker: Thinker | None = None
        self._lock = threading.Condition()
        self._due: dict[str, float] = {}
        self._tables: dict[str, BotSeats] = {}
        self._looked: dict[str, float] = {}
        self._thread: threading.Thread | None = None
        self._closed = False

    # What the service tells of.

    def greet(self, table: Table) -> None:
        """Hear of every step of a table."""
        table.listen(self._stepped)
        self._stepped(table, ())

    def looked(self, table: Table) -> None:
        """Somebody looks at a table here: its bots go on."""
        if any(kind != "person" for kind in table.kinds):
            self._looked[table.id] = time.monotonic()
            self.wake(table.id)

    def forget(self, table: str) -> None:
        """A table is no more."""
        with self._lock:
            self._tables.pop(table, None)
            self._looked.pop(table, None)

    def close(self) -> None:
        """Have no bot move any more, and end the process that thinks."""
        with self._lock:
            self._closed = True
            self._lock.notify_all()
        if self._thinker is not None:
            self._thinker.close()
        if self._thread is not None:
            self._thread.join(5)

    def _stepped(self, table: Table, lines: Sequence[JournalLine]) -> None:
        """Called under the table's lock: no more is done than to note it."""
        if table.id in self._tables or any(kind != "person" for kind in table.kinds):
            self.wake(table.id)

    # What the bots of a table ask for.

    def thinker(self) -> Thinker | None:
        """The process for thinking; none where this machine has no room for it."""
        if self._thinker is None:
            if self._closed or not self._room():
                return None
            self._thinker = self._new_thinker()
        return self._thinker

    def watches(self, table: Table) -> bool:
        """Bots play on while a person plays with them, or looks; in a hall, through this process."""
        if "person" in table.kinds and not self._hall.journal.shared:
            return True
        looked = self._looked.get(table.id)
        return self._watched(table.id) or (looked is not None and time.monotonic() - looked < LOOKED_S)

    def changed(self, table: Table) -> None:
        """There is other news of the bots of a table."""
        self._changed(table)

    def play(self, table: Table, actor: Bot, seq: int, request: str, move: object) -> object:
        """Make a bot's move, with the shovel where the table has it."""
        self._lend_rig(table)
        return self._stage.play(table, actor, seq, request, move)

    def lifts_at(self, table: Table) -> bool:
        """Whether somebody's lift is under way at a table."""
        lift = self._stage.lift
        return lift is not None and lift.table == table.id

    def wake(self, table: str) -> None:
        """Look at a table soon."""
        self._call_in(0.0, table)

    # The thread.

    def _call_in(self, seconds: float, table: str) -> None:
        with self._lock:
            if self._closed:
                return
            due = time.monotonic() + seconds
            self._due[table] = min(due, self._due.get(table, due))
            if self._thread is None:
                self._thread = threading.Thread(target=self._drive, name="bots", daemon=True)
                self._thread.start()
            self._lock.notify_all()

    def _drive(self) -> None:
        """Call at each table when it is due, until the service stops."""
        while (table := self._next()) is not None:
            if (again := self._step(table)) is not None:
                self._call_in(again, table)

    def _next(self) -> str | None:
        """The table that is due, once one is; None at the end."""
        with self._lock:
            while not self._closed:
                table = min(self._due, key=self._due.__getitem__, default=None)
                waits = self._due[table] - time.monotonic() if table is not None else IDLE_S
                if table is not None and waits <= 0:
                    del self._due[table]
                    return table
                if not self._lock.wait(waits) and not self._due:
                    self._rest()
            return None

    def _rest(self) -> None:
        self._looked.clear()
        if self._thinker is not None:
            self._thinker.rest(IDLE_S)

    def _step(self, name: str) -> float | None:
        """Have the bots of a table do what is to be done; a table that fails stands still, and every other goes on."""
        try:
            seats = self._tables.get(name)
            table = seats.table if seats is not None else self._hall.at_hand(name)
            if table is None or self._hall.at_hand(name) is not table:  # it is gone, or was opened anew
                self.forget(name)
                return None
            seats = seats or self._tables.setdefault(name, BotSeats(table, self, least_s=self.least_s))
            again = seats.step()
        except Exception:
            log.exception("the bots of table %s stand still", name)
            return None
        if again is None and name in self._tables:
            with self._lock:  # it is held no longer than it has to be: a step there brings it back
                self._tables.pop(name, None)
        return again
