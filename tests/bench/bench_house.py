"""Whether a press waits for a house: the same presses on a service that tells a broker of them, and one that
is alone.

The broker is of the worst kind: it takes a connection, and nothing more; the hub is not there. Presses come in blocks
longer than it takes until a house is told, so that this falls among them, with a rest after each in which what is left
of it is done.
"""

from __future__ import annotations

import json
import random
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.bench.bench_web import GAP, Others, Real, Wall, answer, free_port, running, wait_for

SCREENS = (1, 8)
PAIRS = 40
BLOCK = 15  # presses, in some 0.2 s
AFTER = 0.2  # seconds: twice as long as until a house is told
DRAWN = 2000
TOLD = b"\x20\x02\x00\x00"  # connected


@contextmanager
def silent_broker() -> Iterator[int]:
    """A broker that says hello, and reads nothing from then on."""
    held: list[socket.socket] = []

    def take(door: socket.socket) -> None:
        while True:
            try:
                taken, _ = door.accept()
                taken.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                taken.recv(1024)
                taken.sendall(TOLD)
                held.append(taken)
            except OSError:
                return

    with socket.create_server(("127.0.0.1", 0)) as door:
        threading.Thread(target=take, args=(door,), daemon=True).start()
        yield door.getsockname()[1]
    for each in held:
        each.close()


def main() -> None:
    with silent_broker() as broker, tempfile.TemporaryDirectory() as here, tempfile.TemporaryDirectory() as there:
        alone, telling = free_port(), free_port()
        (Path(there) / "hub_token").write_text("a token of a hub that is away")
        wishes = {"mqtt": f"mqtt://127.0.0.1:{broker}", "hub": f"http://127.0.0.1:{free_port()}"}
        with (
            running("web_service.py", alone, here) as one,
            running("web_service.py", telling, there, json.dumps(wishes)) as other,
        ):
            wait_for(alone)
            wait_for(telling)
            compare(Real(alone), Real(telling), Others(one.pid, other.pid))


class Hand:
    """Somebody who presses at a service, block by block, with its screens open all the while."""

    def __init__(self, real: Real, count: int) -> None:
        self.real = real
        self.wall = Wall(real.port, f"{real.path}/stream", count)
        self.sock = socket.create_connection(("127.0.0.1", real.port))
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def block(self) -> float:
        """The median of some presses until the last screen shows them, in milliseconds."""
        taken = []
        for _ in range(BLOCK):
            request = self.real.press(self.real.seq)
            self.real.seq += 1
            began = time.perf_counter()
            self.sock.sendall(request)
            self.wall.until(self.real.seq)
            taken.append((time.perf_counter() - began) * 1000)
            answer(self.sock)
            time.sleep(GAP)
        time.sleep(AFTER)
        return statistics.median(taken)

    def close(self) -> None:
        self.sock.close()
        self.wall.close()


def compare(alone: Real, telling: Real, others: Others) -> None:
    """Block by block in turns, now the one first, now the other, so that both have the same weather."""
    for count in SCREENS:
        quiet, told = Hand(alone, count), Hand(telling, count)
        for hand in (quiet, told):
            hand.block()
        others.share()
        pairs = []
        for number in range(PAIRS):
            taken = {hand: hand.block() for hand in ((quiet, told) if number % 2 else (told, quiet))}
            pairs.append((taken[quiet], taken[told]))
        for hand in (quiet, told):
            hand.close()
        low, high = likely_ratio(pairs)
        name = f"press to the last of {count} screens"
        print(f"{name}, nobody told, median: {statistics.median(one for one, _ in pairs):.2f} ms")
        print(f"{name}, broker silent and hub away, median: {statistics.median(other for _, other in pairs):.2f} ms")
        print(f"broker silent and hub away at {count} screens, median ratio: {ratio(pairs):.3f} times")
        print(f"it is likely (95 of 100) between: {low:.3f} and {high:.3f} times")
        print(f"work of others meanwhile: {others.share() * 100:.0f} %", flush=True)


def ratio(pairs: Sequence[tuple[float, float]]) -> float:
    """How many times as long the other takes, in the middle of all pairs."""
    return statistics.median(other / one for one, other in pairs)


def likely_ratio(pairs: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Between which it is, as far as so many pairs can tell: as it comes out of pairs that are drawn from them."""
    luck = random.Random(1)
    drawn = sorted(ratio(luck.choices(pairs, k=len(pairs))) for _ in range(DRAWN))
    return drawn[DRAWN // 40], drawn[-DRAWN // 40]


if __name__ == "__main__":
    main()
