"""Requests on their way: how they are numbered, and the answer when it comes (PROTOCOL.md, "Requests")."""

from __future__ import annotations

import threading
from itertools import count

from firmware_bridge.messages import ASKS, Command, RefusalCode


class Sequences:
    """Numbers for requests, from any thread.

    A new request never has the number of the last act: the board would take another of its kind for a repetition.

    >>> numbers = Sequences()
    >>> numbers.of(Command.RENEW)
    1
    >>> asked = [numbers.of(Command.PING) for _ in range(255)]
    >>> numbers.of(Command.RENEW)
    2
    """

    def __init__(self) -> None:
        self._count = count(1)
        self._last_act: int | None = None

    def of(self, say: Command) -> int:
        """The number for a new request."""
        sequence = next(self._count) & 0xFF
        if sequence == self._last_act:
            sequence = next(self._count) & 0xFF
        if say not in ASKS:
            self._last_act = sequence
        return sequence


class Question:
    """A request on its way, and the answer when it comes."""

    def __init__(self, say: Command, sequence: int) -> None:
        self.say = say
        self.sequence = sequence
        self.answered = threading.Event()
        self.body: bytes | None = None
        self.refusal: RefusalCode | None = None
