"""One process with a file and very many tables: a crowd that plays at once, and all that was ever played."""

from __future__ import annotations

import http.client
import json
import random
import resource
import selectors
import socket
import statistics
import sys
import tempfile
import threading
import time
from contextlib import closing
from pathlib import Path

from msgspec.structs import replace

from companion.game import Finished
from companion.play.entries import End
from companion.play.hall import Hall
from companion.play.sqlite_journal import SqliteJournal
from companion.play.table import HOST
from tests.bench.bench_core import lay, press
from tests.bench.bench_hall import LAID, processor_ms
from tests.bench.bench_web import Others, memory_mb, p99, start_seconds
from tests.venue.hall import SCREENS
from tests.web.live import PATIENCE, Live

CROWD = 1000
PRESSES = 200  # in the quiet, and as many in the crowd
PAST = 10_000
STEPS = 40  # of a table that was played: more take room on the disk, and are not read for a start or a list
LOOKS = 21  # at a page of the list


def main(*parts: str) -> None:
    """Both, or those that are named: crowd, past."""
    for part, measured in (("crowd", crowded), ("past", past)):
        if not parts or part in parts:
            with tempfile.TemporaryDirectory() as folder:
                measured(Path(folder))


def crowded(folder: Path) -> None:
    """A thousand tables with two screens each."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    live = Live(folder, settings=SCREENS)
    tables = [laid(live) for _ in range(CROWD)]
    heard = Screens()
    heard.open(live.port, tables[0][0])
    others = Others(live.process.pid)
    quiet = [pressed(live, heard, tables[0], number) for number in range(PRESSES)]
    meanwhile = others.share()
    for path, *_ in tables[1:]:
        heard.open(live.port, path)
    others.share()
    full = [pressed(live, heard, table, 0) for table in random.Random(1).sample(tables[1:], PRESSES)]
    print(f"one process, {CROWD:,} tables with two screens each: {memory_mb(live.process.pid):.0f} MB (limit 400)")
    for name, of in (("median", statistics.median), ("p99", p99)):
        now, was = of(full), of(quiet)
        limit = " (limit 4)" if name == "p99" else ""
        print(f"  a press to both screens, {name}: {now:.1f} ms, {now / was:.2f} times the quiet {was:.1f}{limit}")
    print(
        f"  work of others meanwhile: {meanwhile * 100:.0f} % in the quiet, {others.share() * 100:.0f} % in the crowd"
    )
    print(f"  a page of the list of tables: {listed(live)} (limit 20)", flush=True)
    heard.close()
    live.stop()


def past(folder: Path) -> None:
    """Ten thousand tables that were played to their end: a start, the list, and one of them opened."""
    opened = played_often(folder, PAST)
    print(f"start to first answer with {PAST:,} past tables: {start_seconds(folder).said()} (limit 1)")
    live = Live(folder, settings=SCREENS)
    time.sleep(1)  # nobody is quicker who opens the page
    print(f"  the first page of the list, asked for the first time: {listed(live, times=1)}")
    for first in (0, PAST // 2):
        print(f"  the page of the list after {first:,} tables: {listed(live, first)} (limit 20)")
    began = time.perf_counter()
    assert live.call("GET", f"/api/tables/{opened}")[0] == 200
    print(f"  a past table, the first that is opened: {(time.perf_counter() - began) * 1000:.0f} ms", flush=True)
    live.stop()


def played_often(folder: Path, times: int) -> str:
    """Fill a folder with tables that were played to their end; the last of them."""
    hall = Hall(folder)
    table, rng = lay(hall, "jenseits"), random.Random(1)
    while table.seq < STEPS:
        press(table, rng)
    table.close(HOST, table.seq, "close")
    told = table.ask()
    assert isinstance(told, Finished)
    end = End(tuple(score.total for score in told.scores), told.winners)
    laid, secret, keys = hall.journal.opened(table.id)
    written = hall.journal.entries(table.id)
    assert isinstance(hall.journal, SqliteJournal)
    hall.journal._db.execute("PRAGMA synchronous=OFF")
    for number in range(times):
        name = f"p{number:05}"
        hall.journal.lay(replace(laid, table=name, at=laid.at - number * 60_000), secret, keys, written)
        hall.journal.finish(name, end)
    hall.close()
    return table.id


def laid(live: Live) -> tuple[str, str, int]:
    """A table of its own: where it is, the host's key, and how many steps it has."""
    status, told = live.call("POST", "/api/tables", LAID)
    assert status == 201, told
    return f"/api/tables/{told['table']}", told["host"], 0


def listed(live: Live, first: int = 0, times: int = LOOKS) -> str:
    """The median of some looks at a page of the list, and how long a processor was busy with one."""
    taken, before = [], processor_ms(live.process.pid)
    with closing(http.client.HTTPConnection("127.0.0.1", live.port, timeout=PATIENCE)) as link:
        link.connect()
        for _ in range(times):
            began = time.perf_counter()
            link.request("GET", f"/api/tables?first={first}")
            told = json.loads(link.getresponse().read())
            taken.append((time.perf_counter() - began) * 1000)
            assert len(told["tables"]) == 200, told
    processor = (processor_ms(live.process.pid) - before) / times
    return f"{statistics.median(taken):.1f} ms, of which {processor:.1f} ms of processor"


class Screens:
    """Two screens at each of some tables, which read what they are told."""

    def __init__(self) -> None:
        self._all = selectors.DefaultSelector()
        self._of: dict[str, list[socket.socket]] = {}

    def open(self, port: int, path: str) -> None:
        for _ in range(2):
            sock = socket.create_connection(("127.0.0.1", port))
            sock.sendall(f"GET {path}/stream HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
            self._of.setdefault(path, []).append(sock)
            self._all.register(sock, selectors.EVENT_READ)
            while b"\nid: " not in sock.recv(65536):
                pass
            sock.setblocking(False)

    def until(self, path: str, word: bytes) -> None:
        """Until both screens of a table were told this."""
        left = set(self._of[path])
        while left:
            for key, _ in self._all.select(PATIENCE):
                sock = key.fileobj
                assert isinstance(sock, socket.socket)
                if word in sock.recv(262_144):
                    left.discard(sock)

    def close(self) -> None:
        for each in self._of.values():
            for sock in each:
                sock.close()


def pressed(live: Live, heard: Screens, table: tuple[str, str, int], seq: int) -> float:
    """Milliseconds from a press to the last of a table's screens."""
    path, key, _ = table
    body = {"seq": seq, "request": f"press {seq}", "move": {"type": "award", "seat": 0, "points": 1}}
    began = time.perf_counter()
    asking = threading.Thread(target=live.call, args=("POST", f"{path}/moves", body), kwargs={"key": key})
    asking.start()
    heard.until(path, b"id: %d\n" % (seq + 1))
    took = (time.perf_counter() - began) * 1000
    asking.join()
    return took


if __name__ == "__main__":
    main(*sys.argv[1:])
