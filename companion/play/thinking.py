"""A process of its own in which bots think, so that no press waits for a thought.

It is spawned when first wanted, yields the processor to everybody else, and may take so much memory and no more. A
question is a table as it was laid, its state, a seat and a level; the answer is a move. A process that dies over a
question is spawned anew and asked once more; one that does not answer in time is ended by whoever gives up waiting.
Nothing is kept in it that would be lost with it.
"""

from __future__ import annotations

import os
import resource
import struct
import subprocess
import sys
import threading
import zlib
from collections.abc import Sequence
from concurrent.futures import Future
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

import msgspec

from companion.game import Json
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


class BotQuestion(msgspec.Struct, frozen=True):
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
        return cls(zlib.compress(msgspec.json.encode(laid), 1), pack(state), seat, level, seed)


class Thinker:
    """The thinking process of a service, as others see it. Calls come from any thread.

    :param command: what is run; a test has others.
    """

    def __init__(self, command: Sequence[str] = COMMAND) -> None:
        self._command = command
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._waiting: list[tuple[BotQuestion, int, Future[Json]]] = []
        self._closed = False

    @property
    def pid(self) -> int | None:
        """The number of the process, while there is one."""
        process = self._process
        return process.pid if process is not None and process.poll() is None else None

    def ask(self, question: BotQuestion) -> Future[Json]:
        """A move to come, as JSON; None, where the process died over it again and again, or is closed."""
        answer: Future[Json] = Future()
        with self._lock:
            if self._closed:
                answer.set_result(None)
                return answer
            self._waiting.append((question, 1, answer))
            if len(self._waiting) == 1:
                self._send_first()
        return answer

    def give_up(self, answer: Future[Json]) -> None:
        """Wait for an answer no longer; where it is being thought about, the process is ended."""
        with self._lock:
            at = next((nth for nth, (_, _, waiting) in enumerate(self._waiting) if waiting is answer), None)
            if at is None:
                return
            question, _, _ = self._waiting[at]
            if at == 0 and self._process is not None:
                self._waiting[0] = (question, TRIES, answer)
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
        for _, _, answer in waiting:
            if not answer.done():
                answer.set_result(None)

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
                write(process.stdin, msgspec.msgpack.encode(self._waiting[0][0]))
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
            question, tries, answer = self._waiting[0]
            if tries < TRIES:
                self._waiting[0] = (question, tries + 1, answer)
                self._send_first()
                return
        self._first_answered(None)

    def _first_answered(self, move: Json) -> None:
        with self._lock:
            if not self._waiting:
                return
            _, _, answer = self._waiting.pop(0)
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
        question = msgspec.msgpack.decode(told, type=BotQuestion)
        write(said, msgspec.json.encode(_thought_about(question)))


def _thought_about(question: BotQuestion) -> Json:
    from companion.search.levels import LEVELS, thought

    game, insight = _game_of(question.laid)
    state: Any = unpack(question.state)
    found = thought(game, insight, state, question.seat, LEVELS[question.level], question.seed)
    move: Json = msgspec.to_builtins(found.move)
    return move


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
