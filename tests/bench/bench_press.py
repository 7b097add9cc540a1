"""How quick a press is on every screen: in the middle of each game, and at fresh tools, beside a floor and a peer.

All three are pressed in blocks that alternate, so that they have the same weather: the service; a bare floor, which
writes as many bytes to the disk's log and to each screen; and boardgame.io, its own server and clients, in memory.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple, Protocol

from companion.play.hall import Hall
from tests.bench import node
from tests.bench.bench_many import unsynced
from tests.bench.bench_web import Hand as Pressing
from tests.bench.bench_web import (
    Pair,
    answer,
    bare_press,
    free_port,
    likely,
    p99,
    post,
    ratio,
    ratio_p99,
    running,
    wait_for,
)
from tests.bench.evenings import BOXES, Evening, fresh, middle
from tests.bench.limits import Others, judged, limited

SCREENS = (1, 8, 50, 200)
LIMITS = {1: 2.0, 8: 1.6, 50: 1.2, 200: 1.2}  # times the floor
SLOWEST = {1: 2.5}  # of the slowest in a hundred
AHEAD = (8, 50)  # screens at which we are to be ahead of the peer
TABLES = {1: 5, 8: 4, 50: 4, 200: 3}  # of each kind, with so many screens
BLOCKS = 4  # at a table: a game has no more presses in its middle
PRESSES = 10  # in a block
AS_OUR_PAGES = "/stream?changes="  # what has changed, as our pages ask for it
BRIEF = "Prefer: return=minimal\r\n"


class Presser(Protocol):
    """Somebody who presses a few times; milliseconds from each press until the last screen shows it."""

    def block(self, presses: int) -> list[float]: ...

    def close(self) -> None: ...


class Kind(NamedTuple):
    """A kind of table: what it is called, and evenings of it with the presses that follow."""

    name: str
    evenings: Sequence[Evening]


class Step(NamedTuple):
    """What a press is answered with, in bytes, and what each screen is told."""

    answered: int
    told: int


class AtTable(Pressing):
    """Presses that are known to follow, at a table with so many screens, which are told what changes.

    :param told: is noted what each press was, in bytes.
    """

    def __init__(self, port: int, table: str, evening: Evening, count: int) -> None:
        self.left = list(evening.presses)
        self.path, self.key = f"/api/tables/{table}", evening.keys.host
        self.steps: list[Step] = []
        super().__init__(port, self.path + AS_OUR_PAGES, count, lambda _: b"", len(evening.written))

    def block(self, presses: int) -> list[float]:
        return self.pressed([self._next() for _ in range(presses)])

    def _next(self) -> tuple[bytes, int]:
        press = self.left.pop(0)
        return post(self.path + press.path, self.key, press.body, BRIEF), press.reaches

    def measured(self) -> Iterator[Step]:
        """Press to the end of what is known, with one screen: what each was, in bytes."""
        [screen] = self.wall.screens
        while self.left:
            before = screen.come
            request, reaches = self._next()
            self.sock.sendall(request)
            self.wall.until(reaches)
            yield Step(len(answer(self.sock)), screen.come - before)


class AtFloor(Pressing):
    """The floor, asked for as many bytes as the steps of a table were."""

    def __init__(self, port: int, steps: Sequence[Step], count: int) -> None:
        self.steps = list(steps)
        super().__init__(port, "/stream", count, lambda _: b"")

    def block(self, presses: int) -> list[float]:
        wanted, self.steps = self.steps[:presses], self.steps[presses:]
        return self.pressed([(bare_press(*step), self.seq + i) for i, step in enumerate(wanted, 1)])


class Peer:
    """boardgame.io's own clients, in a process of their own."""

    def __init__(self, port: int, count: int) -> None:
        command = ["node", "peer.js", "watch", str(port), str(count)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, cwd=node.FOLDER, stdin=pipe, stdout=pipe, text=True)
        self._told()

    def block(self, presses: int) -> list[float]:
        print(f"block {presses}", file=self._pipe(self.process.stdin), flush=True)
        return [float(each) for each in self._told()]

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(10)

    def _told(self) -> list[float]:
        line = self._pipe(self.process.stdout).readline()
        if not line:
            raise ConnectionError("boardgame.io's clients have ended")
        told: list[float] = json.loads(line)
        return told

    @staticmethod
    def _pipe(pipe: IO[str] | None) -> IO[str]:
        assert pipe is not None
        return pipe


def main(*screens: str) -> None:
    """With so many screens, or with all numbers there are."""
    counts = list(map(int, screens)) or SCREENS
    why_not = node.lacks("boardgame.io")
    if why_not:
        print(f"boardgame.io is left out: {why_not}")
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        kinds = list(played(random.Random(27)))
        names = {(kind.name, count): lay(folder, kind, count) for kind in kinds for count in (0, *counts)}
        port = free_port()
        service = stack.enter_context(running("web_service.py", port, folder))
        wait_for(port)
        peer = None if why_not else stack.enter_context(peer_serving())
        for kind in kinds:
            steps = [
                weighed(port, table, evening) for table, evening in zip(names[kind.name, 0], kind.evenings, strict=True)
            ]
            tell_bytes(kind, steps)
            for count in counts:
                others = Others(service.pid)
                rounds = at_each(
                    port, peer, count, list(zip(names[kind.name, count], kind.evenings, steps, strict=False))
                )
                tell(kind.name, count, rounds)
                print(f"work of others meanwhile: {others.share():.0%}", flush=True)


def played(luck: random.Random) -> Iterator[Kind]:
    """Fresh tools, and each game in its middle with as many seats as its box has."""
    wanted, most = (BLOCKS + 1) * PRESSES, max(TABLES.values())
    with tempfile.TemporaryDirectory() as folder:
        hall = Hall(Path(folder))
        yield Kind("jenseits toolbox, fresh", [fresh(hall, "jenseits", wanted, luck) for _ in range(most)])
        for box in BOXES:
            yield Kind(box, [middle(hall, box, wanted, luck) for _ in range(most)])
        hall.close()


def lay(folder: Path, kind: Kind, count: int) -> list[str]:
    """The tables at which so many screens will stand; none stands for those that are only weighed."""
    evenings = kind.evenings[: TABLES.get(count)]
    names = [f"{kind.name[:4]}{len(kind.name)}x{count}x{nth}" for nth in range(len(evenings))]
    with unsynced(folder) as journal:
        for name, evening in zip(names, evenings, strict=True):
            journal.lay(evening.called(name), evening.secret, evening.keys, evening.written)
    return names


def weighed(port: int, table: str, evening: Evening) -> list[Step]:
    """How many bytes each press of an evening is."""
    alone = AtTable(port, table, evening, 1)
    steps = list(alone.measured())
    alone.close()
    return steps


def tell_bytes(kind: Kind, steps: Sequence[Sequence[Step]]) -> None:
    each = sorted(step.told for table in steps for step in table)
    seats = len(kind.evenings[0].laid.setup.seats)
    print(f"{kind.name}, {seats} seats: a step is {each[len(each) // 2] / 1000:.2f} kB on a stream (median)")


def at_each(
    port: int, peer: int | None, count: int, tables: Sequence[tuple[str, Evening, Sequence[Step]]]
) -> dict[str, list[list[float]]]:
    """Blocks of presses at tables one after the other: here, at the floor, at the peer."""
    rounds: dict[str, list[list[float]]] = {}
    for table, evening, steps in tables:
        with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
            bare = free_port()
            stack.enter_context(running("web_floor.py", bare, folder))
            wait_for(bare)
            pressers: dict[str, Presser] = {
                "floor": AtFloor(bare, steps, count),
                "ours": AtTable(port, table, evening, count),
            } | ({} if peer is None else {"peer": Peer(peer, count)})
            for presser in pressers.values():
                stack.callback(presser.close)
            for number in range(-1, BLOCKS):
                for name in sorted(pressers, reverse=bool(number % 2)):
                    taken = pressers[name].block(PRESSES)
                    if number >= 0:  # the first is to get warm
                        rounds.setdefault(name, []).append(taken)
    return rounds


def tell(name: str, count: int, rounds: dict[str, list[list[float]]]) -> None:
    """What came out with so many screens."""
    for who, blocks in rounds.items():
        each = sorted(ms for block in blocks for ms in block)
        half = each[len(each) // 2]
        print(f"{name}, to the last of {count} screens, {who}: median {half:.2f} ms, p99 {p99(each):.2f} ms")
    pairs = [Pair(*each) for each in zip(rounds["floor"], rounds["ours"], strict=True)]
    compared(f"{name}: over the floor at {count} screens, median", pairs, ratio, LIMITS[count])
    if count in SLOWEST:
        compared(f"{name}: over the floor at {count} screens, p99", pairs, ratio_p99, SLOWEST[count])
    if "peer" in rounds:
        pairs = [Pair(*each) for each in zip(rounds["peer"], rounds["ours"], strict=True)]
        at_most = 1.0 if count in AHEAD else None
        compared(f"{name}: over boardgame.io at {count} screens, median", pairs, ratio, at_most)


def compared(
    name: str, pairs: Sequence[Pair], figure: Callable[[Sequence[Pair]], float], at_most: float | None
) -> None:
    """A figure with its limit, if it has one, and within what it likely is."""
    more = likely(pairs, figure)
    if at_most is None:
        print(f"{name}: {figure(pairs):.3f} times ({more})")
    else:
        limited(name, figure(pairs), "times", at_most=at_most, more=more)


@contextmanager
def peer_serving() -> Iterator[int]:
    """boardgame.io's own server; its port."""
    port = free_port()
    silent = subprocess.DEVNULL
    process = subprocess.Popen(["node", "peer.js", "serve", str(port)], cwd=node.FOLDER, stdout=silent, stderr=silent)
    try:
        wait_for(port)
        yield port
    finally:
        process.terminate()
        process.wait(10)


if __name__ == "__main__":
    sys.exit(judged({"press": partial(main, *sys.argv[1:])}))
