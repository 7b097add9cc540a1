"""Tables of a running service, played through its API to where there is something to see."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
NAMES = ("Ada", "Béatrice", "Carlo", "Dörte", "Evangeline", "Fred")
PATIENCE = 15.0
STARTS_WITHIN_S = 60.0


class Service:
    """A service that a test can stop, kill and start again at the same address with the same data."""

    def __init__(self, data: Path, rig: str = "sim", *, host_silent: float = 60.0) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._data = data
        self._rig = rig
        self._host_silent = host_silent
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> Service:
        command = [sys.executable, "-m", "tests.browser.service", str(self.port), str(self._data), self._rig]
        command.append(str(self._host_silent))
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)
        until = time.monotonic() + STARTS_WITHIN_S
        while time.monotonic() < until and self._process.poll() is None:
            try:
                self.call("GET", "/healthz")
            except OSError:
                time.sleep(0.05)
            else:
                return self
        raise TimeoutError("the service does not answer")

    @property
    def owner(self) -> str:
        """The key that makes a device its owner's."""
        key: str = json.loads((self._data / "owner.json").read_bytes())["key"]
        return key

    def keep(self, name: str, content: bytes) -> None:
        """Write a file of its data."""
        (self._data / name).parent.mkdir(exist_ok=True)
        (self._data / name).write_bytes(content)

    def stop(self, *, kill: bool = False) -> None:
        if self._process is not None:
            (self._process.kill if kill else self._process.terminate)()
            self._process.wait(PATIENCE)
            self._process = None

    def call(self, method: str, path: str, body: object = None, key: str | None = None) -> Any:
        """A call of the API; an error's answer is raised as the browser would see it."""
        headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.loads(answer.read() or b"null")

    def lay(
        self, box: str, seats: int, *, mode: str = "toolbox", names: Sequence[str] = NAMES, **more: object
    ) -> Table:
        """A new table."""
        asked = {"box": box, "mode": mode, "wait": True, "seats": [{"name": name} for name in names[:seats]], **more}
        return Table(self, self.call("POST", "/api/tables", asked))


class Table:
    """A table and its host's hand."""

    def __init__(self, service: Service, laid: dict[str, Any]) -> None:
        self.service = service
        self.id: str = laid["table"]
        self.host: str = laid["host"]
        self.seats: list[str] = laid["seats"]

    @property
    def view(self) -> dict[str, Any]:
        view: dict[str, Any] = self.service.call("GET", f"/api/tables/{self.id}", key=self.host)
        return view

    def press(self, what: str, *, key: str | None = None, **body: object) -> Table:
        """What the host presses, or who has another key."""
        asked = {"seq": self.view["seq"], "request": str(uuid.uuid4()), **body}
        self.service.call("POST", f"/api/tables/{self.id}/{what}", asked, key or self.host)
        return self

    def move(self, kind: str, **fields: object) -> Table:
        return self.press("moves", move={"type": kind, **fields})

    def moves(self, moves: Sequence[tuple[str, dict[str, Any]]]) -> Table:
        for kind, fields in moves:
            self.move(kind, **fields)
        return self

    def correct(self, kind: str, **fields: object) -> Table:
        return self.press("correct", correction={"type": kind, **fields})

    def listed(self, kind: str) -> list[dict[str, Any]]:
        """The moves of a kind that can be made now."""
        told = self.service.call("GET", f"/api/tables/{self.id}/moves", key=self.host)
        return [move for move in told["moves"] if move["type"] == kind]

    def deal(self, outcome: str | int | None = None, times: int = 1) -> Table:
        for _ in range(times):
            self.press("outcome", outcome=outcome)
        return self

    def begun(self) -> Table:
        """With the markers stacked, or the tray turned up."""
        while self.view["ask"]["kind"] == "chance":
            self.deal()
        return self

    def address(self, key: str | None = None) -> str:
        """Where a phone that scanned a code goes; without a key, where a spectator goes."""
        return f"{self.service.url}/join/{self.id}#{key}" if key else f"{self.service.url}/table/{self.id}"


DIG: list[tuple[str, dict[str, Any]]] = [
    ("dial", {"knowledge": 4}),
    ("advance", {"seat": 0, "weeks": 8}),
    ("draw", {"bag": "egypt", "count": 5, "seat": 0}),
    ("advance", {"seat": 1, "weeks": 8}),
    ("draw", {"bag": "mesopotamia", "count": 7, "seat": 1}),
    ("advance", {"seat": 2, "weeks": 21}),
    ("draw", {"bag": "greece", "count": 6, "seat": 2}),
    ("advance", {"seat": 3, "weeks": 50}),
    ("award", {"seat": 0, "points": 12}),
    ("award", {"seat": 2, "points": 9}),
]
LIFTED = (0, 1, 1, 2, 2, 2, 4, 5, 5, 5, 5, 5, 5, 7, 8, 9, 9, 11, 12, 12, 12, 12, 14, 15, 15)


def jenseits(service: Service) -> Table:
    """Digs in three bags, four markers, two of them on one week."""
    return service.lay("jenseits", 4).begun().moves(DIG)


def jenseits_start(service: Service) -> Table:
    """Before the first step: who goes on top of the stack?"""
    return service.lay("jenseits", 3, pace="press")


def jenseits_drawing(service: Service) -> Table:
    """In the middle of a draw, waiting for a press."""
    table = service.lay("jenseits", 4, pace="press").begun()
    return table.move("dial", knowledge=6).move("draw", bag="egypt", count=7, seat=1).deal(times=4)


def jenseits_reporting(service: Service) -> Table:
    """The table draws from its own bag and reports."""
    table = service.lay("jenseits", 4, sources={"tokens": "table"}).begun()
    return table.move("draw", bag="crete", count=3, seat=1).deal("object:5")


def jenseits_taken_back(service: Service) -> Table:
    """A step was taken back and can be gone forward to again."""
    return jenseits(service).press("undo")


def jenseits_over(service: Service) -> Table:
    return jenseits(service).press("close")


def jenseits_hanging(service: Service) -> tuple[Table, int]:
    """Refereed, with real tokens: the last dig brought up nothing, as was said for the seat that comes with it."""
    table = service.lay("jenseits", 2, mode="referee", sources={"tokens": "table"}).begun()
    while not (books := [move for move in table.listed("take") if move["card"].startswith("book-")]):
        table.press("moves", move=table.listed("take")[0])
    digger, site = table.view["ask"]["seat"], books[0]["card"].split("-")[1]
    table.press("moves", move=books[0])
    table.correct("marker", seat=1 - digger, **table.view["board"]["track"]["end"])
    table.correct("marker", seat=digger, week=45, year=1903)
    table.correct("figure", seat=digger, place=site)
    table.press("moves", move=max(table.listed("dig"), key=lambda move: int(move["weeks"])))
    while not table.view["over"]:
        table.deal("blank")
    return table, digger


def tomb_raiders(service: Service) -> Table:
    """Region piles that nobody may count, and weeks without end."""
    table = service.lay("tomb_raiders", 4).begun().move("dial", knowledge=7)
    table.move("advance", seat=0, weeks=8).move("advance", seat=2, weeks=30)
    for _ in range(6):
        table.move("add_back", bag="crete")
    return table.move("draw", bag="crete", count=4, seat=0)


def horus(service: Service) -> Table:
    """Blocks have fallen and mummies have walked."""
    table = service.lay("horus", 6).moves([("block", {})] * 5)
    table.move("mummies", steps=2).move("mummies", steps=1).move("award", seat=0, points=6)
    return table.move("roll", count=5)


def tutankhamun(service: Service) -> Table:
    """Uncovered cards in every depth, one square bare."""
    table = service.lay("tutankhamun", 4).begun()
    for i in LIFTED:
        table.move("uncover", square=f"{'abcd'[i % 4]}{i // 4 + 1}")
    return table.move("award", seat=1, points=27).move("award", seat=3, points=-4)


STATES: dict[str, Callable[[Service], Table]] = {
    each.__name__: each
    for each in (
        jenseits,
        jenseits_start,
        jenseits_drawing,
        jenseits_reporting,
        jenseits_taken_back,
        jenseits_over,
        tomb_raiders,
        horus,
        tutankhamun,
    )
}
