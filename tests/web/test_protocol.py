"""What the one class that touches uvicorn's insides relies on; `make soak` holds the oldest and the newest to it."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle
from uvicorn.server import ServerState

from web_ui import protocol
from web_ui.protocol import AHEAD, WIRE, LimitedHttpProtocol

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]

OVERRIDDEN = {
    "connection_made": ["transport"],
    "connection_lost": ["exc"],
    "data_received": ["data"],
    "on_message_begin": [],
    "on_url": ["url"],
    "on_header": ["name", "value"],
    "on_headers_complete": [],
    "on_body": ["body"],
    "on_message_complete": [],
    "on_response_complete": [],
    "send_400_response": ["msg"],
    "_start_asgi_task": ["cycle", "app"],
}


class Answerer:
    """An application that notes what it was asked, and answers when it is let."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, bytes]] = []
        self.left: list[str] = []
        self.wires: list[LimitedHttpProtocol] = []
        self.may = asyncio.Event()
        self.may.set()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        wire = scope["state"][WIRE]
        self.wires.append(wire)
        body, more = b"", True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                self.left.append(scope["path"])
                return
            body, more = body + message["body"], message.get("more_body", False)
        assert wire.is_here()
        self.asked.append((scope["path"], body))
        if not self.may.is_set():
            gone = asyncio.ensure_future(receive())
            done, _ = await asyncio.wait(
                {gone, asyncio.ensure_future(self.may.wait())}, return_when=asyncio.FIRST_COMPLETED
            )
            if gone in done:
                self.left.append(scope["path"])
                return
        if scope["path"] == "/stream":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"first", "more_body": True})
            await wire.free()
            assert wire.is_served()
            assert wire.take(b"6\r\nsecond\r\n")
            await send({"type": "http.response.body", "body": b"", "more_body": False})
            return
        told = scope["path"].encode()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(told))]})
        await send({"type": "http.response.body", "body": told})


def served(app: Answerer, talk: Talk) -> None:
    """Have somebody talk with a server that speaks so."""

    async def run() -> None:
        config = uvicorn.Config(app, ws="none", lifespan="off", log_config=None, access_log=False, interface="asgi3")
        config.load()
        made = lambda: LimitedHttpProtocol(config, ServerState(), {})  # noqa: E731
        server = await asyncio.get_running_loop().create_server(made, "127.0.0.1", 0)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        async with asyncio.timeout(10):
            await talk(reader, writer)
        writer.close()
        server.close()

    asyncio.run(run())


async def answers(reader: asyncio.StreamReader, count: int) -> list[bytes]:
    """So many answers: the body, or the status where that is not 200."""
    told = []
    for _ in range(count):
        head = await reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].partition(b"\r")[0])
        body = await reader.readexactly(length)
        told.append(body if head.startswith(b"HTTP/1.1 200") else head[9:12])
    return told


def get(path: str, more: str = "", body: str = "") -> bytes:
    length = f"Content-Length: {len(body)}\r\n" if body else ""
    return f"{'POST' if body else 'GET'} {path} HTTP/1.1\r\nHost: localhost\r\n{more}{length}\r\n{body}".encode()


def test_what_is_overridden_is_there_and_is_called_so() -> None:
    for name, parameters in OVERRIDDEN.items():
        assert list(inspect.signature(getattr(HttpToolsProtocol, name)).parameters)[1:] == parameters, name
        assert name in vars(LimitedHttpProtocol)
    of_parent = {name for name in vars(LimitedHttpProtocol) if hasattr(HttpToolsProtocol, name)}
    assert {name for name in of_parent if inspect.isfunction(vars(LimitedHttpProtocol)[name])} == {
        "__init__",
        *OVERRIDDEN,
    }


def test_what_is_read_of_a_connection_and_of_a_request_is_there() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        app.may.clear()
        writer.write(get("/a") + get("/b"))
        while not app.wires:
            await asyncio.sleep(0)
        wire: Any = app.wires[0]
        cycle = wire.cycle
        assert isinstance(cycle, RequestResponseCycle)
        assert (cycle.more_body, cycle.response_started, cycle.response_complete) == (False, False, False)
        assert (cycle.disconnected, cycle.scope["path"]) == (False, "/b")
        assert callable(cycle.message_event.set)
        assert [cycle.scope["path"] for cycle, _ in wire.pipeline] == ["/b"]
        assert (wire.flow.write_paused, wire.transport.is_closing(), wire.client[0]) == (False, False, "127.0.0.1")
        assert wire.app_state[WIRE] is wire
        assert wire.parser.get_http_version() == "1.1"
        assert (b"host", b"localhost") in wire.headers
        assert wire.loop is asyncio.get_running_loop()
        for name in ("pause_reading", "resume_reading", "drain"):
            assert callable(getattr(wire.flow, name))
        app.may.set()
        assert await answers(reader, 2) == [b"/a", b"/b"]

    app = Answerer()
    served(app, talk)


def test_requests_that_are_sent_ahead_are_answered_in_their_order_and_not_without_end() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(get("/one") + get("/two", body="2") + get("/three", "Transfer-Encoding: chunked\r\n"))
        writer.write(b"3\r\nabc\r\n0\r\n\r\n")
        assert await answers(reader, 3) == [b"/one", b"/two", b"/three"]
        assert app.asked == [("/one", b""), ("/two", b"2"), ("/three", b"abc")]
        writer.write(get("/upgraded", "Connection: upgrade\r\nUpgrade: h2c\r\n", body="whole"))
        assert await answers(reader, 1) == [b"/upgraded"]
        assert app.asked[-1] == ("/upgraded", b"whole")
        app.may.clear()
        writer.write(b"".join(get(f"/{n}") for n in range(AHEAD + 3)))
        assert await reader.read() == b"", "it is ended, as there is no place for another answer"

    app = Answerer()
    served(app, talk)


def test_a_piece_is_written_between_those_of_the_answer_and_what_is_wrong_is_refused() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(get("/stream"))
        told = await reader.readuntil(b"0\r\n\r\n")
        assert told.endswith(b"\r\n\r\n5\r\nfirst\r\n6\r\nsecond\r\n0\r\n\r\n")
        writer.write(b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
        assert (await answers(reader, 1), await reader.read()) == ([b"400"], b"")

    served(Answerer(), talk)


def test_who_leaves_is_noticed_by_all_that_was_begun_for_them() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        app.may.clear()
        writer.write(get("/left"))
        while not app.asked:
            await asyncio.sleep(0)
        wire = app.wires.pop()
        writer.close()
        while not app.left:
            await asyncio.sleep(0.01)
        assert app.left == ["/left"]
        assert (wire.app_state, wire._under_way) == ({}, set())

    app = Answerer()
    served(app, talk)


def test_a_head_that_is_begun_and_not_finished_ends_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"GET / HTTP/1.1\r\nHo")
        with suppress(ConnectionResetError):
            assert await reader.read() == b""

    monkeypatch.setattr(protocol, "HEAD_WITHIN", 0.05)
    served(Answerer(), talk)
