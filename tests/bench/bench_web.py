"""What the service weighs and how quickly it starts; and what benches of presses share: hands, screens, blocks."""

from __future__ import annotations

import gzip
import http.client
import json
import os
import random
import re
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urljoin

from tests.bench.limits import judged, limited, ticks

LOG_LINES = 60
DRAWN = 2000
STARTS = 5
GAP = 0.01
PATIENCE = 20.0
HERE = Path(__file__).parent
TREE = HERE.parent.parent
Block = TypeVar("Block")
EVENT = re.compile(rb"^id: (\d+)\n", re.MULTILINE)


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@contextmanager
def running(script: str, *arguments: object) -> Iterator[subprocess.Popen[bytes]]:
    """A script of this folder in a process of its own."""
    command = [sys.executable, str(HERE / script), *map(str, arguments)]
    here = {**os.environ, "PYTHONPATH": str(TREE)}
    process = subprocess.Popen(command, env=here, stdout=subprocess.DEVNULL)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(10)


def wait_for(port: int) -> None:
    """Until somebody listens."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.002)
        else:
            return
    raise TimeoutError(f"nobody listens at {port}")


class Screen:
    """A live line, read as it comes; `seq` is the newest event that is here whole, `come` counts its bytes."""

    def __init__(self, port: int, path: str, key: str | None = None) -> None:
        self.seq = -1
        self.come = 0
        self._rest = b""
        self.listen(port, path, key)

    def listen(self, port: int, path: str, key: str | None) -> None:
        """Ask for the stream, as whoever holds a key, or as a spectator."""
        self.sock = socket.create_connection(("127.0.0.1", port))
        shown = f"Authorization: Bearer {key}\r\n" if key else ""
        head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n{shown}\r\n"
        self.sock.sendall(head.encode())
        self.sock.setblocking(False)

    def receive(self) -> bytes:
        """What has come."""
        return self.sock.recv(1 << 18)

    def read(self) -> None:
        try:
            come = self.receive()
        except BlockingIOError:
            return
        if not come:
            raise ConnectionError("the stream has ended")
        self.come += len(come)
        self._rest += come
        at = self._rest.rfind(b"\n\n")
        if at < 0:
            return
        whole, self._rest = self._rest[: at + 2], self._rest[at + 2 :]
        for found in EVENT.finditer(whole):
            self.seq = int(found[1])


class Wall:
    """Many screens."""

    def __init__(self, port: int, path: str, count: int) -> None:
        self.selector = selectors.DefaultSelector()
        self.screens = [Screen(port, path) for _ in range(count)]
        for screen in self.screens:
            self.selector.register(screen.sock, selectors.EVENT_READ, screen)
        self.until(0)

    def until(self, seq: int, *, at_once: bool = False) -> None:
        """Wait until the last screen shows this number.

        :param at_once: read whatever has come meanwhile, so that nobody has to later.
        """
        for key, _ in self.selector.select(0) if at_once else ():
            key.data.read()
        late = {screen for screen in self.screens if screen.seq < seq}
        end = time.monotonic() + PATIENCE
        while late:
            if time.monotonic() > end:
                raise TimeoutError(f"{len(late)} screens show nothing")
            for key, _ in self.selector.select(1):
                key.data.read()
                if key.data.seq >= seq:
                    late.discard(key.data)

    def close(self) -> None:
        self.selector.close()
        for screen in self.screens:
            screen.sock.close()


def post(path: str, key: str, body: dict[str, Any], more: str = "") -> bytes:
    """A request in bytes.

    :param more: headers.
    """
    content = json.dumps(body).encode()
    head = (
        f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n"
    )
    return f"{head}{more}Content-Length: {len(content)}\r\n\r\n".encode() + content


def answer(sock: socket.socket) -> bytes:
    """The body of one answer."""
    come = b""
    while b"\r\n\r\n" not in come:
        come += _more(sock)
    head, _, body = come.partition(b"\r\n\r\n")
    length = int(re.search(rb"content-length: (\d+)", head.lower())[1])  # type: ignore[index]
    while len(body) < length:
        body += _more(sock)
    if not head.startswith(b"HTTP/1.1 200"):
        raise ValueError(body.decode())
    return body


def _more(sock: socket.socket) -> bytes:
    come = sock.recv(1 << 18)
    if not come:
        raise ConnectionError("the answer has ended")
    return come


class Hand:
    """Somebody who presses, block by block, with all screens open all the while.

    :param press: the bytes of a press after so many.
    :param seq: how many there were before.
    """

    def __init__(self, port: int, path: str, count: int, press: Callable[[int], bytes], seq: int = 0) -> None:
        self._press = press
        self.seq = seq
        self.wall = Wall(port, path, count)
        self.sock = socket.create_connection(("127.0.0.1", port))
        self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def block(self, presses: int) -> list[float]:
        """Milliseconds from each of so many presses until the last screen shows it."""
        return self.pressed([(self._press(self.seq + i), self.seq + i + 1) for i in range(presses)])

    def pressed(self, requests: Sequence[tuple[bytes, int]]) -> list[float]:
        """The same of requests, each with the number that it reaches."""
        taken = []
        self.wall.until(self.seq, at_once=True)
        for request, self.seq in requests:
            began = time.perf_counter()
            self.sock.sendall(request)
            self.wall.until(self.seq)
            taken.append((time.perf_counter() - began) * 1000)
            answer(self.sock)
            time.sleep(GAP)
        return taken

    def close(self) -> None:
        self.sock.close()
        self.wall.close()


class Pair(NamedTuple):
    """A block of presses at two services, one just after the other."""

    one: list[float]
    other: list[float]


def paired(one: Hand, other: Hand, pairs: int, presses: int, rest: float = 0) -> list[Pair]:
    """Block by block in turns, now the one first, now the other, so that both have the same weather.

    :param rest: seconds after each block.
    """
    done = []
    for number in range(-1, pairs):
        taken = {}
        for hand in (one, other) if number % 2 else (other, one):
            taken[hand] = hand.block(presses)
            time.sleep(rest)
        if number >= 0:  # the first is to get warm
            done.append(Pair(taken[one], taken[other]))
    return done


def ratio(pairs: Sequence[Pair]) -> float:
    """How many times as long the other takes, in the middle of all pairs."""
    return statistics.median(statistics.median(pair.other) / statistics.median(pair.one) for pair in pairs)


def ratio_p99(pairs: Sequence[Pair]) -> float:
    """How many times as long the slowest of a hundred of its presses takes."""
    one, other = ([each for pair in pairs for each in pair[which]] for which in (0, 1))
    return p99(other) / p99(one)


def likely(blocks: Sequence[Block], figure: Callable[[Sequence[Block]], float]) -> str:
    """Between which a figure is, as far as these blocks can tell: as it comes out of some that are drawn from them."""
    luck = random.Random(1)
    drawn = sorted(figure(luck.choices(blocks, k=len(blocks))) for _ in range(DRAWN))
    return f"likely (95 of 100) {drawn[DRAWN // 40]:.3f} to {drawn[-DRAWN // 40]:.3f}"


def p99(values: list[float]) -> float:
    return sorted(values)[max(0, round(len(values) * 0.99) - 1)]


class Real:
    """The real service, with a table laid."""

    def __init__(self, port: int) -> None:
        self.port = port
        wanted = {"box": "jenseits", "mode": "toolbox", "seats": [{"name": n} for n in ("Ada", "Ben", "Cleo", "Dan")]}
        laid = self.call("POST", "/api/tables", wanted)
        self.path, self.key = f"/api/tables/{laid['table']}", laid["host"]
        view = self.call("GET", self.path)
        while view["ask"]["kind"] == "chance":
            view = self.call(
                "POST", f"{self.path}/outcome", {"seq": view["seq"], "request": str(view["seq"]), "outcome": None}
            )

    def call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        headers = {"Content-Type": "application/json"}
        if hasattr(self, "key"):
            headers["Authorization"] = f"Bearer {self.key}"
        link.request(method, path, json.dumps(body) if body is not None else None, headers)
        told = json.loads(link.getresponse().read())
        link.close()
        return told

    def press(self, seq: int) -> bytes:
        move = {"type": "dial", "knowledge": seq % 8 + 1}
        return post(f"{self.path}/moves", self.key, {"seq": seq, "request": f"bench-{seq}", "move": move})

    def hand(self, count: int) -> Hand:
        """Somebody who presses at the table, with so many screens."""
        return Hand(self.port, f"{self.path}/stream", count, self.press, self.call("GET", self.path)["seq"])

    def pressed(self, times: int) -> None:
        """Play on."""
        hand = self.hand(1)
        hand.block(times)
        hand.close()


def memory_mb(pid: int) -> float:
    """What a process holds, in megabytes."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024  # type: ignore[index]


class Took(NamedTuple):
    """How long something took, and how long a processor was busy with it."""

    clock: float
    processor: float
    unit: str = "s"

    @property
    def of_processor(self) -> str:
        return f"of which {self.processor:.2f} {self.unit} of processor"


def start_seconds(folder: Path) -> Took:
    """From the command to the first answer, the median of some starts."""
    taken = sorted(_start(folder) for _ in range(STARTS))
    return taken[STARTS // 2]


def _start(folder: Path) -> Took:
    port, began = free_port(), time.perf_counter()
    with running("web_service.py", port, folder) as process:
        while True:
            try:
                link = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
                link.request("GET", "/healthz")
                link.getresponse().read()
                return Took(time.perf_counter() - began, ticks(process.pid) / os.sysconf("SC_CLK_TCK"))
            except OSError:
                time.sleep(0.005)


def first_load_kb(port: int) -> float:
    """What a browser that has nothing yet fetches for the first page, as it goes over the wire."""
    seen, ahead, total = set[str](), ["/"], 0
    while ahead:
        path = ahead.pop().partition("#")[0]
        if path in seen:
            continue
        seen.add(path)
        link = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        link.request("GET", path, headers={"Accept-Encoding": "gzip"})
        told = link.getresponse()
        raw = told.read()
        total += len(raw)
        text = gzip.decompress(raw) if told.getheader("Content-Encoding") == "gzip" else raw
        if path == "/":
            ahead += re.findall(r'(?:href|src)="(/[^"]+\.[a-z0-9]+)"', text.decode())
        if path.endswith(".css"):
            ahead += [urljoin(path, each) for each in re.findall(r"""url\(["']?([^)"']+)["']?\)""", text.decode())]
    return total / 1024


def stop_seconds(process: subprocess.Popen[bytes]) -> float:
    """From the signal to the end of the process."""
    began = time.perf_counter()
    process.terminate()
    process.wait(PATIENCE)
    return time.perf_counter() - began


def bare_press(answered: int, told: int) -> bytes:
    """What the floor is asked: so many bytes for an answer, and so many for each screen."""
    return post("/", "k", {"answered": answered, "told": told})


def main() -> None:
    port = free_port()
    with (
        tempfile.TemporaryDirectory() as folder,
        running("web_service.py", port, folder) as process,
    ):
        wait_for(port)
        real = Real(port)
        real.pressed(LOG_LINES)  # as long as an evening's view
        wall = Wall(port, f"{real.path}/stream", 50)
        limited("memory of the process with 50 screens", memory_mb(process.pid), "MB", at_most=56)
        print(f"first load: {first_load_kb(port):.1f} kB")
        print(f"stop with 50 screens open: {stop_seconds(process):.2f} s")
        wall.close()
    with tempfile.TemporaryDirectory() as folder:
        started = start_seconds(Path(folder))
        limited("start to first answer", started.clock, "s", at_most=1, more=started.of_processor)


if __name__ == "__main__":
    sys.exit(judged({"web": main}))
