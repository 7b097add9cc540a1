"""A running service as the tests see it: its process, its calls, its live lines."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.web.people import LAYING

CHILD = Path(__file__).parent / "service_child.py"
TREE = Path(__file__).parents[2]
PATIENCE = 20.0
STARTED: list[subprocess.Popen[bytes]] = []


class Event(NamedTuple):
    """One event of a live line."""

    kind: str
    id: int | None
    data: Any


class Line:
    """A live line, read as a browser would."""

    def __init__(self, port: int, path: str, *, key: str | None = None, rcvbuf: int | None = None, **more: str) -> None:
        self.sock = socket.socket()
        if rcvbuf:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, rcvbuf)
        self.sock.settimeout(PATIENCE)
        self.sock.connect(("127.0.0.1", port))
        lines = [f"GET {path} HTTP/1.1", "Host: localhost", *[f"{n.replace('_', '-')}: {v}" for n, v in more.items()]]
        if key:
            lines.append(f"Authorization: Bearer {key}")
        self.sock.sendall("\r\n".join([*lines, "", ""]).encode())
        self._file = self.sock.makefile("rb")
        self.status = int(self._file.readline().split()[1])
        self.headers = http.client.parse_headers(self._file)

    def body(self) -> Any:
        """The JSON of a refusal."""
        return json.loads(self._file.read(int(self.headers["Content-Length"])))

    def __iter__(self) -> Iterator[Event]:
        """Events until the stream ends."""
        text = b""
        for chunk in self._chunks():
            text += chunk
            while b"\n\n" in text:
                block, _, text = text.partition(b"\n\n")
                if event := _event(block.decode()):
                    yield event

    def views(self) -> Iterator[Event]:
        """The pictures among the events."""
        return (event for event in self if event.kind == "message")

    def until(self, seq: int) -> Event:
        """The picture with this number, or a newer one."""
        return next(event for event in self.views() if (event.id or 0) >= seq)

    def close(self) -> None:
        self._file.close()
        self.sock.close()

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self._file.readline() or b"0", 16):
            yield self._file.read(size)
            self._file.readline()


class Reached:
    """Whatever answers at a port as a service does."""

    def __init__(self, port: int) -> None:
        self.port = port

    def call(self, method: str, path: str, body: Any = None, *, key: str | None = None, **more: str) -> tuple[int, Any]:
        """One call on a connection of its own."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        headers = {"Content-Type": "application/json", **more}
        headers |= {"Authorization": f"Bearer {key}"} if key else {}
        link.request(method, path, json.dumps(body) if body is not None else None, headers)
        answer = link.getresponse()
        raw = answer.read()
        link.close()
        return answer.status, json.loads(raw) if answer.getheader(
            "Content-Type"
        ) == "application/json" else raw.decode()

    def lay(self) -> tuple[str, Any]:
        """A table, past the draws of its start: where it is, and its keys."""
        status, laid = self.call("POST", "/api/tables", LAYING)
        assert status == 201
        path = f"/api/tables/{laid['table']}"
        while (view := self.call("GET", path)[1])["ask"]["kind"] == "chance":
            dealt = {"seq": view["seq"], "request": f"start-{view['seq']}", "outcome": None}
            self.call("POST", f"{path}/outcome", dealt, key=laid["host"])
        return path, laid

    def dial(self, path: str, key: str, seq: int, request: str | None = None) -> tuple[int, Any]:
        """A move everybody may make."""
        move = {"type": "dial", "knowledge": seq % 8 + 1}
        return self.call("POST", f"{path}/moves", {"seq": seq, "request": request or f"m{seq}", "move": move}, key=key)

    def award(self, path: str, key: str, seq: int, seat: int) -> tuple[int, Any]:
        """Points for a seat, pressed there."""
        move = {"type": "award", "seat": seat, "points": 1}
        return self.call("POST", f"{path}/moves", {"seq": seq, "request": f"for {seat}", "move": move}, key=key)


class Live(Reached):
    """A running service."""

    def __init__(self, data: Path, **wishes: Any) -> None:
        super().__init__(wishes.pop("port", None) or free_port())
        self._data = data
        self.process = start(data, port=self.port, **wishes)
        wait_for(self.port, self.process)

    @property
    def owner(self) -> str:
        """The key that makes a device its owner's."""
        key: str = json.loads((self._data / "owner.json").read_bytes())["key"]
        return key

    def streams(self) -> int:
        """How many live lines the service has."""
        line = next(
            line for line in self.call("GET", "/metrics")[1].splitlines() if line.startswith("digside_streams ")
        )
        return int(float(line.split()[1]))

    def stop(self, number: signal.Signals = signal.SIGTERM) -> float:
        """End it; how long that took."""
        began = time.monotonic()
        if self.process.poll() is None:
            self.process.send_signal(number)
        self.process.wait(PATIENCE)
        return time.monotonic() - began

    def said(self) -> str:
        """All it wrote, once it has ended."""
        assert self.process.stdout
        return self.process.stdout.read().decode()


def start(data: Path, **wishes: Any) -> subprocess.Popen[bytes]:
    """The service's process; what it says comes in one pipe."""
    command = [sys.executable, str(CHILD), json.dumps({"data": str(data), **wishes})]
    here = {**os.environ, "PYTHONPATH": str(TREE), "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen(command, env=here, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    STARTED.append(process)
    return process


def wait_for(port: int, process: subprocess.Popen[bytes], within: float = PATIENCE) -> None:
    """Until it answers, or has given up."""
    end = time.monotonic() + within
    while process.poll() is None and time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.005)
        else:
            return
    raise AssertionError(process.communicate()[0].decode() if process.poll() is not None else "it does not answer")


def free_port() -> int:
    """A port nobody has."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def _event(block: str) -> Event | None:
    fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
    if "data" not in fields:
        return None
    number = int(fields["id"]) if "id" in fields else None
    return Event(fields.get("event", "message"), number, json.loads(fields["data"]))
