"""Whether a press waits for a house: the same presses on a service that tells a broker of them, and one that
is alone.

The broker is of the worst kind: it takes a connection, and nothing more.
"""

from __future__ import annotations

import os
import socket
import statistics
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from tests.bench.bench_web import Real, free_port, p99, running, wait_for

SCREENS = (1, 8)
ROUNDS = 8
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
        with (
            running("web_service.py", alone, here),
            patch.dict(os.environ, {"DIGSIDE_MQTT": f"mqtt://127.0.0.1:{broker}"}),
            running("web_service.py", telling, there),
        ):
            wait_for(alone)
            wait_for(telling)
            compare(Real(alone), Real(telling))


def compare(alone: Real, telling: Real) -> None:
    """In turns, so that both have the same weather."""
    for count in SCREENS:
        without: list[float] = []
        with_broker: list[float] = []
        for number in range(ROUNDS):
            first, second = (alone, without), (telling, with_broker)
            for real, times in (first, second) if number % 2 else (second, first):
                times.extend(real.run(count))
        name = f"press to the last of {count} screens"
        print(f"{name}, nobody told, median: {statistics.median(without):.2f} ms")
        print(f"{name}, a silent broker told, median: {statistics.median(with_broker):.2f} ms")
        print(f"a silent broker, median ratio: {statistics.median(with_broker) / statistics.median(without):.3f} times")
        print(f"a silent broker, p99 ratio: {p99(with_broker) / p99(without):.2f} times", flush=True)


if __name__ == "__main__":
    main()
