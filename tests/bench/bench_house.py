"""Whether a press waits for a house: the same presses on a service that tells a broker of them, and one that
is alone.

Brokers and hubs are of the worst kinds: a broker that takes a connection and nothing more, while the hub is not there;
and a broker that takes everything and confirms nothing, while the hub accepts and is silent. Presses come in blocks
longer than it takes until a house is told, so that this falls among them, with a rest after each in which what is left
of it is done. The tables are kept in memory where there is a place for that: no disk's mood is measured, and what a
house costs is more of a press.
"""

from __future__ import annotations

import json
import socket
import statistics
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path

from tests.bench.bench_web import Real, free_port, likely, paired, ratio, running, wait_for
from tests.bench.limits import Others, judged, limited

SCREENS = (1, 8)
PAIRS = 40
BLOCK = 15  # presses, in some 0.2 s
AFTER = 0.2  # seconds: twice as long as until a house is told
MEMORY = Path("/dev/shm")
TOLD = b"\x20\x02\x00\x00"  # connected


@contextmanager
def listening(talk: Callable[[socket.socket], None]) -> Iterator[int]:
    """Somebody at a port, who takes whoever comes and does this with each."""
    held: list[socket.socket] = []

    def take(door: socket.socket) -> None:
        with suppress(OSError):
            while True:
                held.append(door.accept()[0])
                threading.Thread(target=talk, args=(held[-1],), daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as door:
        threading.Thread(target=take, args=(door,), daemon=True).start()
        yield door.getsockname()[1]
    for each in held:
        each.close()


def says_hello(broker: socket.socket) -> None:
    """A broker that says hello, and reads nothing from then on."""
    broker.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    broker.recv(1024)
    broker.sendall(TOLD)


def swallows(broker: socket.socket) -> None:
    """A broker that says hello, and confirms nothing of all that it takes."""
    with suppress(OSError):
        broker.recv(1024)
        broker.sendall(TOLD)
        while broker.recv(65536):
            pass


def hangs(hub: socket.socket) -> None:
    """A hub that hears what is asked, and says nothing."""
    with suppress(OSError):
        while hub.recv(65536):
            pass


@contextmanager
def absent() -> Iterator[int]:
    """A port at which nobody is."""
    yield free_port()


Kind = Callable[[], AbstractContextManager[int]]
HOUSES: dict[str, tuple[Kind, Kind]] = {
    "broker silent and hub away": (partial(listening, says_hello), absent),
    "broker swallows and hub hangs": (partial(listening, swallows), partial(listening, hangs)),
}


def main() -> None:
    for name, (a_broker, a_hub) in HOUSES.items():
        with a_broker() as broker, a_hub() as hub, place() as here, place() as there:
            (Path(there) / "hub_token").write_text("a token of a hub that is of no use")
            wishes = json.dumps({"mqtt": f"mqtt://127.0.0.1:{broker}", "hub": f"http://127.0.0.1:{hub}"})
            alone, telling = free_port(), free_port()
            with (
                running("web_service.py", alone, here) as one,
                running("web_service.py", telling, there, wishes) as other,
            ):
                wait_for(alone)
                wait_for(telling)
                compare(name, Real(alone), Real(telling), Others(one.pid, other.pid))


def place() -> tempfile.TemporaryDirectory[str]:
    """A folder in memory where there is a place for that."""
    return tempfile.TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None)


def compare(house: str, alone: Real, telling: Real, others: Others) -> None:
    """Block by block in turns."""
    for count in SCREENS:
        quiet, told = alone.hand(count), telling.hand(count)
        others.share()
        pairs = paired(quiet, told, PAIRS, BLOCK, AFTER)
        for hand in (quiet, told):
            hand.close()
        name = f"press to the last of {count} screens"
        for which, of in (("nobody told", 0), (house, 1)):
            print(f"{name}, {which}, median: {statistics.median(each for pair in pairs for each in pair[of]):.2f} ms")
        limited(f"{house} at {count} screens", ratio(pairs), "times", at_most=1.05, more=likely(pairs, ratio))
        print(f"  work of others meanwhile: {others.share() * 100:.0f} %", flush=True)


if __name__ == "__main__":
    sys.exit(judged({"house": main}))
