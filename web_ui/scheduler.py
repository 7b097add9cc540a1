"""Who is served next, and for how long: worker threads with fair turns, and a budget of processor time for each asker.

It knows nothing of HTTP. An *asker* is a tuple of names, from the narrowest to the broadest: a key, its table, the
address it comes from. Each name has a budget of processor time that fills up again. Whoever has most of it left is
served first; whoever has used it up is served after all others, by one thread at a time, which then rests.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, NamedTuple, TypeVar

from web_ui.http_errors import TooMany
from web_ui.rate import Pace
from web_ui.worker_pool import Job

T = TypeVar("T")

Asker = tuple[str, ...]
BUDGETS = (Pace(0.25, 0.1), Pace(0.5, 0.2), Pace(1.0, 0.4))
"""Seconds of processor time at once, and a second after that: for a key, for a table, for an address."""
ON_THE_LOOP = 0.0003  # seconds that a request takes beside what a thread does for it: it is read, and its answer sent
DEEPEST_DEBT = 2.0  # seconds: whoever used far too much is forgiven in the end
HURRY = 2.0  # seconds after somebody within their budget asked, in which everybody else leaves them the computer
LONGEST_REST = 0.5
REST_OVER_BUDGET = 3.0


class Budgets:
    """How much processor time each name has left; the names used longest ago are forgotten.

    >>> now = 0.0
    >>> budgets = Budgets((Pace(1, 0.5),), clock=lambda: now)
    >>> budgets.charge(("a key",), 1.5)
    >>> budgets.left("a key"), budgets.is_over(("a key",)), budgets.is_over(("another",))
    (-0.5, True, False)
    >>> now = 2.0
    >>> budgets.left("a key")
    0.5
    """

    def __init__(
        self, paces: Sequence[Pace] = BUDGETS, *, most: int = 4096, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._paces = paces
        self._most = most
        self._clock = clock
        self._lock = threading.Lock()
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def left(self, name: str, level: int = 0) -> float:
        """Seconds that a name has left; below zero what it has used beyond its budget."""
        pace = self._paces[min(level, len(self._paces) - 1)]
        left, since = self._left.get(name, (pace.burst, 0.0))
        return min(pace.burst, left + (self._clock() - since) * pace.a_second)

    def is_over(self, asker: Asker) -> bool:
        """Whether any of an asker's budgets is used up."""
        return any(name in self._left and self.left(name, level) < 0 for level, name in enumerate(asker))

    def charge(self, asker: Asker, seconds: float) -> None:
        """An asker has used processor time.

        What is beyond a narrow budget is not charged to the broader ones: a guest with a seat at a table does not use
        up what the others there have.
        """
        with self._lock:
            for level, name in enumerate(asker):
                left = self.left(name, level)
                self._left[name] = (max(-DEEPEST_DEBT, left - seconds), self._clock())
                self._left.move_to_end(name)
                if left < 0:
                    break
            while len(self._left) > self._most:
                self._left.popitem(last=False)


class Hurry:
    """Who asked lately within their budget: as long as that is somebody else, one leaves them the computer."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._newest = ("", -HURRY)
        self._other = ("", -HURRY)  # the newest by somebody else than the newest

    def note(self, name: str) -> None:
        """Somebody has asked."""
        if name != self._newest[0]:
            self._other = self._newest
        self._newest = (name, self._clock())

    def is_on(self, name: str = "") -> bool:
        """Whether somebody has asked a moment ago, other than this one."""
        _, at = self._other if self._newest[0] == name else self._newest
        return self._clock() - at < HURRY


class Waiting(NamedTuple):
    """A job that waits for its turn."""

    asker: Asker
    job: Job[Any]


class TurnQueue:
    """Jobs that wait, and whose turn it is.

    :param most: how many may wait.
    :param each: how many of one asker.
    """

    def __init__(self, budgets: Budgets, *, most: int, each: int) -> None:
        self._budgets = budgets
        self._most = most
        self._each = each
        self._of: dict[str, deque[Waiting]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, waiting: Waiting) -> Waiting | None:
        """Have a job wait. Where too many do, the newest of whoever has most of them is turned away, and returned.

        :raises TooMany: where that is this asker.
        """
        name, turned_away = waiting.asker[0], None
        own = len(self._of.get(name, ()))
        if own >= self._each:
            raise TooMany("web.too_many")
        if self._count >= self._most:
            richest = max(self._of.values(), key=len, default=deque[Waiting]())
            if len(richest) <= own + 1:
                raise TooMany("web.too_many")
            turned_away = richest[-1]
            self.remove(turned_away)
        self._of.setdefault(name, deque()).append(waiting)
        self._count += 1
        return turned_away

    def remove(self, waiting: Waiting) -> None:
        """Have a job wait no longer, if it does."""
        there = self._of.get(waiting.asker[0])
        if there is not None and waiting in there:
            there.remove(waiting)
            self._count -= 1
            if not there:
                del self._of[waiting.asker[0]]

    def next(self, *, over_budget: bool) -> Waiting | None:
        """Whose turn it is: of those within their budgets whoever has most left; of the others only if asked for."""
        if not self._count:
            return None
        first = [there[0] for there in self._of.values()]
        within = [each for each in first if not self._budgets.is_over(each.asker)]
        if not within and not over_budget:
            return None
        chosen = max(within or first, key=lambda each: self._budgets.left(each.asker[0]))
        self.remove(chosen)
        return chosen


class Shared(NamedTuple):
    """What all lanes share.

    :ivar background: held by what leaves the computer to others, while they ask: of that one thing is done at a time.
    """

    budgets: Budgets
    hurry: Hurry
    background: threading.Lock
    sleep: Callable[[float], None]


class Scheduler:
    """The lanes of a service: presses and short looks of people, requests of strangers, and what takes long.

    :param threads: that answer people; each step holds one until it is kept.
    """

    def __init__(
        self,
        threads: int,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.budgets = Budgets(clock=clock)
        self.hurry = Hurry(clock)
        shared = Shared(self.budgets, self.hurry, threading.Lock(), sleep)
        self.people = Lane("people", shared, threads=threads, most=512, each=256)
        self.strangers = Lane("strangers", shared, threads=2, most=512, each=320, rest=5)
        self.long = Lane("long", shared, threads=1, most=64, each=16, rest=3)

    def note(self, asker: Asker) -> None:
        """Somebody who is known has asked: as long as they are within their budget, others leave them the computer."""
        if not self.budgets.is_over(asker):
            self.hurry.note(asker[0])

    def close(self) -> None:
        """Let the threads go."""
        for lane in (self.people, self.strangers, self.long):
            lane.close()


class Lane:
    """Threads for one kind of work, and who waits for them.

    :param rest: so many times as long as a thread worked it then leaves the computer to others, while they ask.
    """

    def __init__(self, name: str, shared: Shared, *, threads: int, most: int, each: int, rest: float = 0) -> None:
        self._name = name
        self._budgets, self._hurry, self._background, self._sleep = shared
        self._most_threads = threads
        self._rest = rest
        self._turns = TurnQueue(self._budgets, most=most, each=each)
        self._lock = threading.Lock()
        self._wake: SimpleQueue[bool] = SimpleQueue()
        self._threads = 0
        self._busy = 0
        self._penalised = False  # a thread works for somebody beyond their budget
        self._passed_over = 0  # wake-ups that found nobody else
        self._closed = False

    def begin(self, asker: Asker, work: Callable[[], T], ended: Callable[[Job[T]], None]) -> Waiting:
        """Have a thread do something when it is its turn; `ended` is called on the event loop once it is done.

        :raises TooMany: where too many wait already, or too many of this asker.
        """
        loop = asyncio.get_running_loop()

        def tell(job: Job[T]) -> None:
            with suppress(RuntimeError):  # the loop may have ended meanwhile
                loop.call_soon_threadsafe(ended, job)

        waiting = Waiting(asker, Job(work, tell))
        with self._lock:
            turned_away = self._turns.add(waiting)
            more = self._busy + len(self._turns) > self._threads < self._most_threads and not self._closed
            self._threads += more
        if turned_away is not None:
            turned_away.job.fail(TooMany("web.too_many"))
        self._wake.put(True)
        if more:
            threading.Thread(target=self._serve, name=f"{self._name}_{self._threads}", daemon=True).start()
        return waiting

    async def do(self, asker: Asker, work: Callable[[], T], *, left: asyncio.Future[None] | None = None) -> T:
        """The same, waited for.

        :param left: done when the asker is gone; what was not begun then is not done.
        """
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        waiting = self.begin(asker, work, lambda _: _set(done))
        job: Job[T] = waiting.job
        try:
            if left is not None:
                await asyncio.wait({done, left}, return_when=asyncio.FIRST_COMPLETED)
                if left.done() and not done.done() and self._drop(waiting):
                    raise ConnectionResetError
            await done
        except asyncio.CancelledError:
            self._drop(waiting)
            raise
        return job.result()

    def _drop(self, waiting: Waiting) -> bool:
        """Drop a job that has not begun; whether it had not."""
        with self._lock:
            self._turns.remove(waiting)
        return waiting.job.drop()

    def close(self) -> None:
        """Let the threads go once they have done what they are at; what they have not begun is left."""
        with self._lock:
            self._closed = True
            threads = self._threads
        for _ in range(threads):
            self._wake.put(False)

    def _serve(self) -> None:
        while self._wake.get() and not self._closed:
            with self._lock:
                turn = self._turns.next(over_budget=not self._penalised)
                if turn is None:
                    self._passed_over += bool(len(self._turns))
                    continue
                penalised = self._budgets.is_over(turn.asker) and self._hurry.is_on(turn.asker[0])
                self._penalised = self._penalised or penalised
                self._busy += 1
            self._do(turn, penalised=penalised)
            del turn  # or it would be held until there is another
            with self._lock:
                self._busy -= 1
                if penalised:
                    self._penalised = False
                again, self._passed_over = (self._passed_over, 0) if not self._penalised else (0, self._passed_over)
            for _ in range(again):
                self._wake.put(True)

    def _do(self, turn: Waiting, *, penalised: bool) -> None:
        """Do what it is the turn of, charge whoever asked, and rest where that is due."""
        rest = max(self._rest, REST_OVER_BUDGET if penalised else 0)
        began = time.thread_time()
        if rest and self._hurry.is_on(turn.asker[0]):
            with self._background:
                turn.job.run()
        else:
            turn.job.run()
        worked = time.thread_time() - began
        self._budgets.charge(turn.asker, worked + ON_THE_LOOP)
        if rest and self._hurry.is_on(turn.asker[0]):
            self._sleep(min(LONGEST_REST, rest * worked))


def _set(done: asyncio.Future[None]) -> None:
    if not done.done():
        done.set_result(None)
