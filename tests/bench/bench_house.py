"""Whether a press waits for a house: the same presses on a service that tells a broker of them, and one that
is alone.

The broker is of the worst kind: it takes a connection, and nothing more; the hub is not there.
"""

from __future__ import annotations

import json
import socket
import statistics
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.bench_web import Others, Real, free_port, p99, running, wait_for

SCREENS = (1, 8)
ROUNDS = 5
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


def compare(alone: Real, telling: Real, others: Others) -> None:
    """In turns, so that both have the same weather; the quieter half is kept."""
    for count in SCREENS:
        done = []
        for number in range(2 * ROUNDS):
            taken = {real: real.run(count) for real in ((alone, telling) if number % 2 else (telling, alone))}
            done.append((others.share(), taken[alone], taken[telling]))
        kept = sorted(done)[:ROUNDS]
        ratios = [statistics.median(told) / statistics.median(quiet) for _, quiet, told in kept]
        without = [each for _, quiet, _ in kept for each in quiet]
        with_both = [each for _, _, told in kept for each in told]
        name = f"press to the last of {count} screens"
        print(f"{name}, nobody told, median: {statistics.median(without):.2f} ms")
        print(f"{name}, broker silent and hub away, median: {statistics.median(with_both):.2f} ms")
        print(f"broker silent and hub away at {count} screens, median ratio: {statistics.median(ratios):.3f} times")
        print(f"broker silent and hub away at {count} screens, p99 ratio: {p99(with_both) / p99(without):.2f} times")
        print(f"work of others meanwhile: {statistics.mean(share for share, *_ in kept) * 100:.0f} %", flush=True)


if __name__ == "__main__":
    main()
