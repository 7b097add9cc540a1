"""Writes that come at the same time are made together: one sync, or one transaction, for all of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable, Sequence
from typing import Generic, TypeVar

Wish = TypeVar("Wish")
Made = TypeVar("Made")


class _Waiting(Generic[Wish, Made]):
    """Somebody waits until what they wish for is made."""

    __slots__ = ("error", "made", "ready", "wish")

    def __init__(self, wish: Wish) -> None:
        self.wish = wish
        self.ready = False
        self.made: Made
        self.error: BaseException | None = None


class Together(Generic[Wish, Made]):
    """Whoever comes first makes what all others wished for meanwhile; no thread of its own is needed.

    >>> at_once = []
    >>> def write(wishes):
    ...     at_once.append(list(wishes))
    ...     return [wish.upper() for wish in wishes]
    >>> Together(write, key=str).do("a")
    'A'
    >>> at_once
    [['a']]

    :param make: makes several, and says of each what came of it; what it raises, all of them are told.
    :param key: of two with the same key, the second waits for the next time.
    :param pause: seconds between the beginnings of two writings; whoever comes after a longer one does not wait.
    """

    def __init__(
        self, make: Callable[[Sequence[Wish]], Sequence[Made]], *, key: Callable[[Wish], Hashable], pause: float = 0
    ) -> None:
        self._make = make
        self._key = key
        self._pause = pause
        self._next = 0.0
        self._lock = threading.Lock()  # of whoever writes
        self._door = threading.Lock()
        self._waiting: list[_Waiting[Wish, Made]] = []

    def do(self, wish: Wish) -> Made:
        """Make it, with all else that is waiting; returns once it is made."""
        mine = _Waiting[Wish, Made](wish)
        with self._door:
            self._waiting.append(mine)
        while not mine.ready:
            with self._lock:
                if not mine.ready:
                    self._turn()
        if mine.error is not None:
            raise mine.error
        return mine.made

    def _turn(self) -> None:
        """Make what waits."""
        time.sleep(max(0.0, self._next - time.monotonic()))
        self._next = time.monotonic() + self._pause
        with self._door:
            first = {self._key(each.wish): each for each in reversed(self._waiting)}
            turn = [each for each in self._waiting if first[self._key(each.wish)] is each]
            self._waiting = [each for each in self._waiting if first[self._key(each.wish)] is not each]
        try:
            for each, made in zip(turn, self._make([each.wish for each in turn]), strict=True):
                each.made = made
        except BaseException as error:
            for each in turn:
                each.error = error
        for each in turn:
            each.ready = True
