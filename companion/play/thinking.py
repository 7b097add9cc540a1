"""A process of its own in which bots think, so that no press waits for a thought.

It is spawned when first wanted, yields the processor to everybody else, and may take so much memory and no more. A
question is a table as it was laid, its state, a seat and what is wanted; the answer to a bot's is a move. A process
that dies over a question is spawned anew and asked once more; one that does not answer in time is ended by whoever
gives up waiting.
Nothing is kept in it that would be lost with it.
"""

from __future__ import annotations

import os
import resource
import struct
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Sequence
from concurrent.futures import Future
from functools import lru_cache
from pathlib import Path
from typing import IO, Any, NamedTuple

import msgspec

from companion.game import Json, Played
from companion.play.entries import Laid
from companion.play.state_codec import pack, unpack

MEMORY = 120 << 20
"""So many bytes of data a thinking process may have."""
ROOM = 3 * MEMORY
"""So much memory has to be free for one to be spawned."""
MEMINFO = Path("/proc/meminfo")
LENGTH = struct.Struct(">I")
COMMAND = (sys.executable, "-m", "companion.play.thinking")
ROOM_FOR_A_QUESTION = 1 << 20
"""So many bytes wait in a pipe: nobody is kept by a process that does not read."""
TRIES = 2
"""So often a question is asked before it counts as unanswered."""


class BotQuestion(msgspec.Struct, frozen=True, tag="move"):
    """What a bot is to decide.

    :param laid: the table as it was laid, in compressed JSON.
    :param state: its state, packed.
    """

    laid: bytes
    state: bytes
    seat: int
    level: str
    seed: int

    @classmethod
    def of(cls, laid: Laid, state: object, seat: int, level: str, seed: int) -> BotQuestion:
        """The question of a seat at a table."""
        return cls(packed_laying(laid), pack(state), seat, level, seed)


class HintQuestion(msgspec.Struct, frozen=True, tag="hint"):
    """What the best moves of a seat are, what they promise, and why."""

    laid: bytes
    state: bytes
    seat: int
    seed: int


class DecisionQuestion(msgspec.Struct, frozen=True, tag="decision"):
    """What a decision of a finished game cost, and the chances there.

    :param step: which of the game's steps it was.
    :param courses: so many are played for it.
    """

    laid: bytes
    state: bytes
    seat: int
    step: int
    move: dict[str, Any]
    courses: int
    seed: int


Question = BotQuestion | HintQuestion | DecisionQuestion


class QueuedQuestion(NamedTuple):
    """A question that waits, or is being thought about."""

    question: Question
    tries: int
    answer: Future[Json]
    behind: bool


def packed_laying(laid: Laid) -> bytes:
    """How a table was laid, as a question has it."""
    return zlib.compress(msgspec.json.encode(laid), 1)


class Thinker:
    """The thinking process of a service, as others see it. Calls come from any thread.

    :param command: what is run; a test has others.
    """

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command = command
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._waiting: list[QueuedQuestion] = []
        self._closed = False
        self._used = time.monotonic()

    @property
    def pid(self) -> int | None:
        """The number of the process, while there is one."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def ask(self, question: Question, *, behind: bool = False) -> Future[Json]:
        """An answer to come, as JSON; None, where the process died over it again and again, or is closed.

        :param behind: whatever else is asked meanwhile comes first: nobody waits for this one.
        """
        answer: Future[Json] = Future()
        with self._lock:
            self._used = time.monotonic()
            if self._closed:
                answer.set_result(None)
                return answer
            last = len(self._waiting)
            at = last if behind else next((n for n in range(1, last) if self._waiting[n].behind), last)
            self._waiting.insert(at, QueuedQuestion(question, 1, answer, behind))
            if len(self._waiting) == 1:
                self._send_first()
        return answer

    def forget(self, answer: Future[Json]) -> None:
        """Nobody wants an answer any more: it is not thought about, unless it is already."""
        with self._lock:
            for each in self._waiting[1:]:
                if each.answer is answer:
                    self._waiting.remove(each)

    def rest(self, idle_s: float) -> None:
        """End a process that nobody has asked for so long; it is spawned anew when it is wanted."""
        with self._lock:
            process = self._process
            if process is None or self._waiting or time.monotonic() - self._used < idle_s:
                return
            self._process = None
        process.kill()

    def give_up(self, answer: Future[Json]) -> None:
        """Wait for an answer no longer; where it is being thought about, the process is ended."""
        with self._lock:
            at = next((nth for nth, each in enumerate(self._waiting) if each.answer is answer), None)
            if at is None:
                return
            if at == 0 and self._process is not None:
                self._waiting[0] = self._waiting[0]._replace(tries=TRIES)
                self._process.kill()  # its reader answers with nothing, and goes on with the next
            else:
                del self._waiting[at]
                answer.set_result(None)

    def close(self) -> None:
        """End the process; whoever waits is answered with nothing."""
        with self._lock:
            self._closed = True
            waiting, self._waiting = self._waiting, []
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
        for each in waiting:
            if not each.answer.done():
                each.answer.set_result(None)

    def _send_first(self) -> None:
        """Ask what waits first; spawn the process where there is none. Called under the lock."""
        process = self._process
        if process is None or process.poll() is not None:
            process = self._process = subprocess.Popen(  # noqa: S603 -- our own command
                self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pipesize=ROOM_FOR_A_QUESTION
            )
            threading.Thread(target=self._read, args=(process,), name="thinker", daemon=True).start()
        if process.stdin is not None:
            try:
                write(process.stdin, msgspec.msgpack.encode(self._waiting[0].question))
            except OSError:
                process.kill()  # its reader notices

    def _read(self, process: subprocess.Popen[bytes]) -> None:
        """Hand on what a process answers, until it ends."""
        if process.stdout is None:
            return
        while (told := read(process.stdout)) is not None:
            self._first_answered(msgspec.json.decode(told))
        process.wait()
        with self._lock:
            if self._process is not process:
                return
            self._process = None
            if not self._waiting:
                return
            first = self._waiting[0]
            if first.tries < TRIES:
                self._waiting[0] = first._replace(tries=first.tries + 1)
                self._send_first()
                return
        self._first_answered(None)

    def _first_answered(self, move: Json) -> None:
        with self._lock:
            if not self._waiting:
                return
            answer = self._waiting.pop(0).answer
            if self._waiting:
                self._send_first()
        answer.set_result(move)


def has_room() -> bool:
    """Whether this machine has a processor and memory to spare for thinking; else bots play without."""
    try:
        fields = dict(line.split(":", 1) for line in MEMINFO.read_text(encoding="ascii").splitlines())
        free = int(fields["MemAvailable"].split()[0]) << 10
    except (OSError, KeyError, ValueError):
        free = ROOM
    return (os.cpu_count() or 1) > 1 and free >= ROOM


def write(stream: IO[bytes], body: bytes) -> None:
    """Write a message."""
    stream.write(LENGTH.pack(len(body)) + body)
    stream.flush()


def read(stream: IO[bytes]) -> bytes | None:
    """Read a message; None where nothing comes any more."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(head)
    body = stream.read(length)
    return body if len(body) == length else None


# In the process.


def main(heard: IO[bytes], said: IO[bytes]) -> None:
    """Answer questions until none come any more."""
    os.nice(19)
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    while (told := read(heard)) is not None:
        question = msgspec.msgpack.decode(told, type=Question)
        write(said, msgspec.json.encode(_thought_about(question)))


def _thought_about(question: Question) -> object:
    from companion.play.position import Rules
    from companion.search.hints import hints
    from companion.search.levels import LEVELS, thought
    from companion.search.study import judged, seed_of

    game, insight = _game_of(question.laid)
    state: Any = unpack(question.state)
    match question:
        case BotQuestion(seat=seat, level=level, seed=seed):
            return thought(game, insight, state, seat, LEVELS[level], seed).move
        case HintQuestion(seat=seat, seed=seed):
            return hints(game, insight, state, seat, seed=seed)
        case DecisionQuestion(seat=seat, step=step, courses=courses, seed=seed):
            made, begun = Played(seat, Rules(game).read_move(question.move)), time.process_time()
            found = judged(game, insight, state, step, made, courses, seed_of(seed, step))
            return {**msgspec.structs.asdict(found), "seconds": time.process_time() - begun}


@lru_cache(maxsize=4)
def _game_of(written: bytes) -> tuple[Any, Any]:
    """The game of a table, and what it adds to the search."""
    from companion import games
    from companion.play.opening import game_of
    from companion.search.players import insight_of

    laid = msgspec.json.decode(zlib.decompress(written), type=Laid)
    refereed = games.bundle(laid.setup.box).refereed
    return game_of(laid), insight_of(refereed()) if refereed is not None else None


if __name__ == "__main__":
    main(sys.stdin.buffer, sys.stdout.buffer)
