"""Writes that come at the same time are made together: one sync, or one transaction, for all of them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from companion.play.rows import AppendRequest

Made = TypeVar("Made")


class _Waiting(Generic[Made]):
    """Somebody waits until what they wish for is made, or until it is their turn to make it."""

    __slots__ = ("error", "gate", "made", "ready", "wish")

    def __init__(self, wish: AppendRequest) -> None:
        self.wish = wish
        self.ready = False
        self.made: Made
        self.error: BaseException | None = None
        self.gate = threading.Lock()
        self.gate.acquire()


class GroupCommit(Generic[Made]):
    """Whoever comes first makes what all others wished for meanwhile; no thread of its own is needed.

    >>> at_once = []
    >>> def write(wishes):
    ...     at_once.append([wish.table for wish in wishes])
    ...     return [len(wish.written) for wish in wishes]
    >>> GroupCommit(write).do(AppendRequest("tqv3p", [])), at_once
    (0, [['tqv3p']])

    :param make: makes several, and says of each what came of it; what it raises, all of them are told. Of two at the
        same table, the second waits for the next time.
    :param pause: seconds between the beginnings of two writings; whoever comes after a longer one does not wait.
    """

    def __init__(self, make: Callable[[Sequence[AppendRequest]], Sequence[Made]], *, pause: float = 0) -> None:
        self._make = make
        self._pause = pause
        self._next = 0.0
        self._door = threading.Lock()
        self._making = False
        self._waiting: list[_Waiting[Made]] = []

    def do(self, wish: AppendRequest) -> Made:
        """Make it, with all else that is waiting; returns once it is made."""
        mine: _Waiting[Made] = _Waiting(wish)
        with self._door:
            self._waiting.append(mine)
            waits, self._making = self._making, True
        if waits:
            mine.gate.acquire()
        if not mine.ready:
            self._turn()
        if mine.error is not None:
            raise mine.error
        return mine.made

    def _turn(self) -> None:
        """Make what waits, and tell whoever waits longest then that the next turn is theirs."""
        turn: list[_Waiting[Made]] = []
        try:
            if self._pause:
                time.sleep(max(0.0, self._next - time.monotonic()))
                self._next = time.monotonic() + self._pause
            turn = self._whose_turn()
            for each, made in zip(turn, self._make([each.wish for each in turn]), strict=True):
                each.made = made
        except BaseException as error:
            turn = turn or self._whose_turn()
            for each in turn:
                each.error = error
        with self._door:
            following = self._waiting[0] if self._waiting else None
            self._making = following is not None
        for each in turn:
            each.ready = True
            each.gate.release()
        if following is not None:
            following.gate.release()

    def _whose_turn(self) -> list[_Waiting[Made]]:
        """The first at each table."""
        with self._door:
            if len(self._waiting) == 1:
                return [self._waiting.pop()]
            first = {each.wish.table: each for each in reversed(self._waiting)}
            turn = [each for each in self._waiting if first[each.wish.table] is each]
            self._waiting = [each for each in self._waiting if first[each.wish.table] is not each]
        return turn
