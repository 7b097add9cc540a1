"""Studies of finished tables: made decision by decision in the bots' process while nobody else needs it, and kept."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import TimeoutError as TooLate
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import structs

from companion.game import Finished, Json, Move, Played
from companion.play.entries import MovePlayed
from companion.play.record import Record
from companion.play.state_codec import pack
from companion.play.table import Table
from companion.play.thinking import DecisionQuestion, Thinker, packed_laying
from companion.refusals import Illegal
from companion.whole_file import write_whole
from web_ui.worker_pool import WorkerPool

if TYPE_CHECKING:  # who wants no study need not have the search in memory
    from companion.search.study import JudgedMove, Study

log = logging.getLogger(__name__)

FOLDER = "studies"
BUDGET_S = 90.0
"""So many seconds of a processor a study may take; where it would take more, fewer courses are played."""
FEWEST = 8
"""So few courses a decision has at least."""
LONGEST_S = 120.0
"""So long it is waited for one decision."""
SEED = 1


class MomentTold(msgspec.Struct, frozen=True):
    """A decision of a finished game, and what came until the next.

    `seq` is the number of its entry. `chances` are those of all seats to win, if the best move found is made;
    `decision` is what the move that was made changed of them, `luck` what changed until the next decision. `cost` is
    what it cost its seat, with `error` as the standard error of that. `move` and `best` are as the log tells them.
    """

    seq: int
    seat: int
    chances: tuple[float, ...]
    decision: tuple[float, ...]
    luck: tuple[float, ...]
    cost: float
    error: float
    move: dict[str, Any]
    best: dict[str, Any] | None


class StudyOfTable(msgspec.Struct, frozen=True):
    """What came of going through a table: for each seat start + luck + decisions = end.

    `end` is each seat's share of the win, `corrected` the end without what luck gave and took, `error` the standard
    error of what its own decisions cost. `turns` are the numbers of the entries at which the game turned most;
    `courses` is how many imagined courses were played for each decision on average.
    """

    start: tuple[float, ...]
    luck: tuple[float, ...]
    decisions: tuple[float, ...]
    end: tuple[float, ...]
    corrected: tuple[float, ...]
    error: tuple[float, ...]
    moments: tuple[MomentTold, ...]
    turns: tuple[int, ...]
    courses: float


class StudyState(msgspec.Struct, frozen=True):
    """How far a study is: so many decisions of all; `waits` where another is being made before it."""

    done: int = 0
    of: int = 0
    waits: bool = False


class _Making:
    """A study under way: what is begun anew after a stop is another one."""

    def __init__(self, *, waits: bool) -> None:
        self.state = StudyState(waits=waits)


class Studies:
    """The studies of a service: one at a time.

    :param thinker: the process for thinking; none where this machine has no room for it.
    """

    def __init__(self, folder: Path, thinker: Callable[[], Thinker | None]) -> None:
        self._folder = folder / FOLDER
        self._thinker = thinker
        self._lock = threading.Lock()
        self._under_way: dict[str, _Making] = {}
        self._pool = WorkerPool("studies", 1)
        self._closed = threading.Event()

    def begin(self, table: Table) -> None:
        """Have a study made, where there is none.

        :raises Illegal: before the end, where nobody refereed, and where this machine has no room for it.
        """
        if not table.settled():
            raise Illegal("core.before_the_end")
        if table.setup.mode != "referee" or not isinstance(table.ask(), Finished):
            raise Illegal("seat.no_bots")
        if self._thinker() is None:
            raise Illegal("seat.no_room")
        with self._lock:
            if table.id in self._under_way or self._file(table.id).exists():
                return
            making = self._under_way[table.id] = _Making(waits=bool(self._under_way))
        self._pool.give(lambda: self._make(table, making))

    def stop(self, table: str) -> None:
        """Make it no further."""
        with self._lock:
            self._under_way.pop(table, None)

    def state(self, table: str) -> StudyState | None:
        """How far the study of a table is; None where none is under way."""
        with self._lock:
            making = self._under_way.get(table)
            return None if making is None else making.state

    def kept(self, table: str) -> StudyOfTable | None:
        """The study of a table, once it is made."""
        with suppress(OSError, msgspec.MsgspecError):
            return msgspec.json.decode(self._file(table).read_bytes(), type=StudyOfTable)
        return None

    def forget(self, table: str) -> None:
        """A table is no more."""
        self.stop(table)
        with suppress(OSError):
            self._file(table).unlink()

    def close(self) -> None:
        """Make none any further."""
        self._closed.set()
        with self._lock:
            self._under_way.clear()
        self._pool.close()

    def _file(self, table: str) -> Path:
        return self._folder / f"{table}.json"

    def _wanted(self, table: str, making: _Making) -> bool:
        """Whether nobody has stopped it."""
        with self._lock:
            return self._under_way.get(table) is making

    def _make(self, table: Table, making: _Making) -> None:
        """In a thread of its own, which waits for the process that thinks."""
        try:
            found = self._judged(table, making)
            if found is not None:
                self._keep(table.id, found)
        except Exception:
            log.exception("the study of table %s failed", table.id)
        finally:
            with self._lock:
                if self._under_way.get(table.id) is making:
                    del self._under_way[table.id]

    def _judged(self, table: Table, making: _Making) -> StudyOfTable | None:
        """Judge each decision; None where it was stopped, or nobody answers."""
        from companion.search.study import COURSES, added_up

        moves = [*decisions(table)]
        found: list[JudgedMove] = []
        spent, played = 0.0, 0
        for at, seq in enumerate(moves):
            if not self._wanted(table.id, making):
                return None
            making.state = StudyState(at, len(moves))
            courses = _courses(spent, played, len(moves) - at, COURSES)
            answer = self._answer(table, making, seq, courses)
            if answer is None:
                return None
            found.append(answer.judged(table))
            spent, played = spent + answer.seconds, played + courses
        return _told(table, added_up(found, _end_of(table)), played / max(1, len(moves)))

    def _answer(self, table: Table, making: _Making, seq: int, courses: int) -> AnsweredDecision | None:
        """What the process answers about one decision; None where nothing comes of it, or nobody wants it any more."""
        thinker, entry = self._thinker(), table.written[seq - 1].entry
        if thinker is None or not isinstance(entry, MovePlayed):
            return None
        laid, state = packed_laying(table.laid_now), pack(table.before(seq).state)
        question = DecisionQuestion(laid, state, entry.seat, seq, entry.move, courses, seed=SEED)
        answer, until = thinker.ask(question, behind=True), time.monotonic() + LONGEST_S
        while not self._closed.is_set() and time.monotonic() < until and self._wanted(table.id, making):
            with suppress(TooLate):
                found = answer.result(1.0)
                return msgspec.convert(found, AnsweredDecision) if found is not None else None
        thinker.forget(answer)
        return None

    def _keep(self, table: str, found: StudyOfTable) -> None:
        """Write a study down; where the disk takes none it is made again another time."""
        with suppress(OSError):
            self._folder.mkdir(mode=0o700, exist_ok=True)
            write_whole(self._file(table), msgspec.json.encode(found))


class AnsweredDecision(msgspec.Struct, frozen=True):
    """A decision as the process answers it; the moves in JSON."""

    step: int
    seat: int
    move: dict[str, Any]
    best: dict[str, Any]
    chances: tuple[float, ...]
    decision: tuple[float, ...]
    error: float
    seconds: float

    def judged(self, table: Table) -> JudgedMove:
        """The same with moves of the game."""
        from companion.search.study import JudgedMove

        move, best = table.read_move(self.move), table.read_move(self.best)
        return JudgedMove(self.step, self.seat, move, best, self.chances, self.decision, self.error)


def decisions(table: Table) -> Iterator[int]:
    """The numbers of the moves that still count, from the start to the end."""
    for seq in sorted(table.survivors()):
        if isinstance(table.written[seq - 1].entry, MovePlayed):
            yield seq


def _courses(spent: float, played: int, left: int, most: int) -> int:
    """How many courses the next decision may have, so that all of them together stay within the budget."""
    if not played:
        return most
    return max(FEWEST, min(most, int((BUDGET_S - spent) / (spent / played) / left)))


def _end_of(table: Table) -> tuple[float, ...]:
    """Each seat's share of the win."""
    end = table.ask()
    winners = end.winners if isinstance(end, Finished) else ()
    return tuple(1 / len(winners) if seat in winners else 0.0 for seat in range(len(table.setup.seats)))


def study_of_record(table: Table, record: Record, courses: int, progress: Callable[[int], None]) -> StudyOfTable:
    """The study of a record that was taken in as a table."""
    from companion.terminal.study import followed, steps_of, studied

    found = studied(record, courses=courses, progress=progress)
    seqs = [*steps_of(record, followed(record))]
    judged = tuple(structs.replace(each, step=seqs[each.step]) for each in found.judged)
    return _told(table, structs.replace(found, judged=judged), courses)


def _told(table: Table, found: Study, courses: float) -> StudyOfTable:
    """A study as it is kept and told."""

    def said(seq: int, seat: int, move: Move) -> dict[str, Json]:
        return table.game.tells(table.before(seq).state, Played(seat, move), seat)

    moments = tuple(
        MomentTold(
            seq=each.step,
            seat=each.seat,
            chances=each.chances,
            decision=each.decision,
            luck=each.luck,
            cost=each.cost,
            error=each.error,
            move=said(each.step, each.seat, each.move),
            best=said(each.step, each.seat, each.best) if each.best != each.move else None,
        )
        for each in found.judged
    )
    return StudyOfTable(
        start=found.start,
        luck=found.luck,
        decisions=found.decisions,
        end=found.end,
        corrected=found.corrected,
        error=found.error,
        moments=moments,
        turns=tuple(each.step for each in found.turns),
        courses=courses,
    )
