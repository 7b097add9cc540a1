"""The seats of a table at which bots sit: each moves when it is asked, once, and the table waits for none in vain."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import TimeoutError as TooLate
from typing import Literal
from zlib import crc32

import msgspec

from companion import games
from companion.game import Json, Turn
from companion.play.table import HOST, Table
from companion.play.thinking import BotQuestion, Thinker
from companion.refusals import Refusal
from companion.trials import Bot

LEAST_S = 1.2
"""A move of a bot comes no sooner than people can follow."""
MOST_S = 8.0
"""So long a table waits for a thought; then the bot that needs none moves."""

News = Literal["thinks", "moved", "moved_without"]
"""What is told of a bot: that it thinks, that it has moved, that it has moved without a thought."""


class BotSeats:
    """The bots of a table. `move` is called after each step, by a thread that may wait.

    :param levels: by seat, how well it plays: the name of a level.
    :param thinker: None on a machine that has no room for one: then the bots move without.
    :param told: hears what becomes of each bot's turn.
    """

    def __init__(
        self,
        table: Table,
        levels: Mapping[int, str],
        thinker: Thinker | None,
        *,
        told: Callable[[News, int], None] = lambda news, seat: None,
        least_s: float = LEAST_S,
        most_s: float = MOST_S,
        clock: Callable[[], float] = time.monotonic,
        stop: threading.Event | None = None,
    ) -> None:
        self.table = table
        self.levels = dict(levels)
        self.thinker = thinker
        self.told = told
        self.least_s = least_s
        self.most_s = most_s
        self._clock = clock
        self._stop = stop or threading.Event()
        refereed = games.bundle(table.setup.box).refereed
        self._without: Bot | None = [*refereed().bots.values()][-1] if refereed is not None else None

    def move(self) -> bool:
        """Have the next bot that is asked move; False where none is, or the table is closed meanwhile.

        A table that has moved on since is looked at anew: the move of a bot is for the entry it was asked at.
        """
        with self.table.lock:
            seq, ask, state = self.table.seq, self.table.ask(), self.table.state
        seat = next((seat for seat in ask.seats if seat in self.levels), None) if isinstance(ask, Turn) else None
        if seat is None or self._stop.is_set():
            return False
        begun = self._clock()
        self.told("thinks", seat)
        seed = crc32(f"{self.table.id} {seq} {seat}".encode())
        move = self._thought(BotQuestion.of(self.table.laid, state, seat, self.levels[seat], seed))
        news: News = "moved"
        if move is None and self._without is not None:
            luck = random.Random(seed)  # noqa: S311 -- a bot's, nothing is dealt by it
            move, news = msgspec.to_builtins(self._without(self.table.game, state, seat, luck)), "moved_without"
        if self._stop.wait(max(0.0, begun + self.least_s - self._clock())):
            return False
        try:
            self.table.play(HOST, seq, f"bot {seat} at {seq}", move, seat=seat)
        except Refusal:
            with self.table.lock:
                if self.table.seq == seq:  # nothing has changed: it would be refused again
                    raise
            return True
        self.told(news, seat)
        return True

    def _thought(self, question: BotQuestion) -> Json:
        """What comes of thinking; None where nothing does in time."""
        if self.thinker is None:
            return None
        answer = self.thinker.ask(question)
        try:
            return answer.result(self.most_s)
        except TooLate:
            self.thinker.give_up(answer)
            return None

    def leave(self) -> None:
        """Move no more."""
        self._stop.set()
