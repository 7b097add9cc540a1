"""Whether a press waits for a house: the same presses on a service that tells a broker of them, and one that
is alone.

The broker is of the worst kind: it takes a connection, and nothing more; the hub is not there. Presses come in blocks
longer than it takes until a house is told, so that this falls among them, with a rest after each in which what is left
of it is done. The tables are kept in memory where there is a place for that: no disk's mood is measured, and what a
house costs is more of a press.
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

from tests.bench.bench_web import Others, Real, free_port, likely, paired, ratio, running, wait_for

SCREENS = (1, 8)
PAIRS = 60
BLOCK = 15  # presses, in some 0.2 s
AFTER = 0.2  # seconds: twice as long as until a house is told
MEMORY = Path("/dev/shm")
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
    memory = MEMORY if MEMORY.is_dir() else None
    with (
        silent_broker() as broker,
        tempfile.TemporaryDirectory(dir=memory) as here,
        tempfile.TemporaryDirectory(dir=memory) as there,
    ):
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
    """Block by block in turns."""
    for count in SCREENS:
        quiet, told = alone.hand(count), telling.hand(count)
        others.share()
        pairs = paired(quiet, told, PAIRS, BLOCK, AFTER)
        for hand in (quiet, told):
            hand.close()
        name = f"press to the last of {count} screens"
        for which, of in (("nobody told", 0), ("broker silent and hub away", 1)):
            print(f"{name}, {which}, median: {statistics.median(each for pair in pairs for each in pair[of]):.2f} ms")
        print(f"broker silent and hub away at {count} screens: {ratio(pairs):.3f} times (limit 1.05)")
        print(f"  {likely(pairs, ratio)}")
        print(f"  work of others meanwhile: {others.share() * 100:.0f} %", flush=True)


if __name__ == "__main__":
    main()
