"""A pool of worker threads, and jobs that run at most once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import Generic, TypeVar

T = TypeVar("T")


class Job(Generic[T]):
    """Work to be done once, unless it is dropped before a thread begins with it.

    >>> job = Job(lambda: 6 * 7)
    >>> job.run()
    >>> job.drop(), job.drop_or_wait(), job.result()
    (False, True, 42)

    Once done it holds its result alone: work and callback are let go, so that no reference cycle keeps it alive.

    :param told: called with the job, by the thread that did it.
    """

    __slots__ = ("__weakref__", "_claim", "_done", "_dropped", "_error", "_result", "_told", "_work")

    def __init__(self, work: Callable[[], T], told: Callable[[Job[T]], None] | None = None) -> None:
        self._work: Callable[[], T] | None = work
        self._told = told
        self._claim = threading.Lock()
        self._done = threading.Lock()
        self._done.acquire()
        self._dropped = False
        self._result: T
        self._error: BaseException | None = None

    def drop(self) -> bool:
        """Drop it if no thread has begun with it; whether it is dropped."""
        if self._claim.acquire(blocking=False):
            self._dropped, self._work, self._told = True, None, None
        return self._dropped

    def fail(self, error: Exception) -> None:
        """End it with an error, unless a thread has begun with it."""
        if not self._claim.acquire(blocking=False):
            return
        told = self._told
        self._error, self._work, self._told = error, None, None
        self._done.release()
        if told is not None:
            told(self)

    def run(self) -> None:
        """Do it, unless it was dropped."""
        if not self._claim.acquire(blocking=False) or self._work is None:
            return
        told = self._told
        try:
            self._result = self._work()
        except BaseException as error:  # it is raised again where the result is wanted
            self._error = error
        self._work = self._told = None
        self._done.release()
        if told is not None:
            told(self)

    def drop_or_wait(self) -> bool:
        """Drop it, or wait until the thread that has begun with it is done; whether it was done."""
        if self.drop():
            return False
        with self._done:
            return True

    def result(self) -> T:
        """Wait for the result. An exception of the work is raised here, once."""
        with self._done:
            error, self._error = self._error, None
        if error is None:
            return self._result
        try:
            raise error
        finally:
            del error  # it knows of this frame, and this frame of it


class WorkerPool:
    """At most so many threads, started as they are needed. What they run must not raise."""

    def __init__(self, name: str, most: int) -> None:
        self._name = name
        self._most = most
        self._lock = threading.Lock()
        self._given = 0  # jobs that are not done
        self._threads = 0
        self._closed = False
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()

    def give(self, run: Callable[[], None]) -> None:
        """Queue a function for the first free thread; it is dropped once the pool is closed."""
        with self._lock:
            if self._closed:
                return
            self._given += 1
            more = self._given > self._threads < self._most
            self._threads += more
        self._jobs.put(run)
        if more:
            threading.Thread(target=self._work, name=f"{self._name}_{self._threads}", daemon=True).start()

    def close(self) -> None:
        """End the threads after the job each is doing; queued jobs are dropped."""
        with self._lock:
            self._closed = True
        while not self._jobs.empty():
            self._jobs.get()
        for _ in range(self._threads):
            self._jobs.put(None)

    def _work(self) -> None:
        while (run := self._jobs.get()) is not None:
            run()
            del run  # or it would be held until there is another
            with self._lock:
                self._given -= 1
