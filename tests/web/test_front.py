"""The way in, without a socket: threads, bodies, and lines that one bad view must not stop."""

from __future__ import annotations

import asyncio
import gc
import json
import threading
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
import uvicorn
from flask import Flask
from uvicorn.server import ServerState

import companion.play.view
from companion.play.hall import Hall
from companion.play.table import HOST, Actor
from tests.web.people import Asker
from web_ui.asgi import Front
from web_ui.broadcaster import CHANGES_KEPT, Broadcaster, Screen, framed
from web_ui.http_errors import Full
from web_ui.protocol import LimitedHttpProtocol
from web_ui.streams import Message, stream
from web_ui.views import Eyes, Views
from web_ui.worker_pool import Job

HEADERS = [(b"host", b"localhost"), (b"content-type", b"application/json")]


@pytest.fixture
def front(app: Flask) -> Iterator[Front]:
    """The ASGI application."""
    front = Front(app, app.extensions["digside"])
    yield front
    front.close()


async def ask(front: Front, method: str, path: str, *parts: dict[str, Any]) -> list[dict[str, Any]]:
    """What is sent in answer to a request that comes in these parts."""
    sent: list[dict[str, Any]] = []
    coming = iter(parts or ({"type": "http.request", "body": b""},))

    async def receive() -> dict[str, Any]:
        return next(coming)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": "http",
        "method": method,
        "path": path,
        "query_string": b"",
        "headers": HEADERS,
        "scheme": "http",
        "http_version": "1.1",
    }
    await front(scope, receive, send)
    return sent


def test_a_stop_waits_for_nobody(front: Front, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    disk_is_back = threading.Event()
    monkeypatch.setattr(hall, "tables", lambda *_: [] if disk_is_back.wait(20) else None)

    async def while_all_wait() -> int:
        stuck = [asyncio.create_task(ask(front, "GET", "/api/tables")) for _ in range(30)]
        await asyncio.sleep(0.05)
        async with asyncio.timeout(5):
            answer = await ask(front, "POST", "/api/rig/shovel", {"type": "http.request", "body": b'{"do":"stop"}'})
        disk_is_back.set()
        assert all(sent[0]["status"] == 200 for sent in await asyncio.gather(*stuck))
        return int(answer[0]["status"])

    assert asyncio.run(while_all_wait()) == 200


def test_a_body_that_comes_in_parts_is_one(front: Front) -> None:
    parts = (
        {"type": "http.request", "body": b'{"do":', "more_body": True},
        {"type": "http.request", "body": b'"stop"}'},
    )
    assert asyncio.run(ask(front, "POST", "/api/rig/shovel", *parts))[0]["status"] == 200


def test_who_leaves_in_the_middle_is_not_answered(front: Front) -> None:
    parts = ({"type": "http.request", "body": b"{", "more_body": True}, {"type": "http.disconnect"})
    assert asyncio.run(ask(front, "POST", "/api/rig/shovel", *parts)) == []


def test_a_request_that_begins_while_the_service_stops_is_told_so_and_not_waited_for(front: Front) -> None:
    never = asyncio.Event()

    async def begun() -> dict[str, Any]:
        async def receive() -> dict[str, Any]:
            await never.wait()
            return {}

        sent: list[dict[str, Any]] = []

        async def send(message: Any) -> None:
            sent.append(message)

        front.hurry()
        scope = {"type": "http", "method": "POST", "path": "/api/tables", "query_string": b"", "headers": HEADERS}
        await asyncio.wait_for(front(scope, receive, send), 5)
        return sent[0]

    assert asyncio.run(begun())["status"] == 408


def test_a_call_that_is_cut_off_by_the_end_is_told_so(
    front: Front, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = threading.Event()
    monkeypatch.setattr(hall, "tables", lambda *_: [] if goes_on.wait(5) else None)

    async def cut() -> int:
        asking = asyncio.create_task(ask(front, "GET", "/api/tables"))
        await asyncio.sleep(0.05)
        asking.cancel()
        sent = await asking
        goes_on.set()
        return int(sent[0]["status"])

    assert asyncio.run(cut()) == 503


def test_only_http_is_spoken(front: Front) -> None:
    with pytest.raises(ValueError, match="websocket"):
        asyncio.run(front({"type": "websocket"}, None, None))  # type: ignore[arg-type]


def test_one_bad_picture_neither_undoes_a_step_nor_darkens_another_screen(
    table: Asker, hall: Hall, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    here = hall.table(table.laid["table"])
    shown = companion.play.view.view_in_parts

    def view(table: Any, actor: Actor, **more: Any) -> Any:
        if actor.seat == 0:
            raise RuntimeError("a mistake in what a seat sees")
        return shown(table, actor, **more)

    hub: Broadcaster = table.app.extensions["digside"].broadcaster
    eyes = [Eyes(here.id, Actor("seat", 0)), Eyes(here.id, Actor("seat", 1))]

    async def step() -> list[int]:
        screens = [hub.open(each) for each in eyes]
        monkeypatch.setattr("web_ui.views.view_in_parts", view)
        assert (await asyncio.to_thread(table.dial)).status_code == 200
        await asyncio.sleep(0)
        seen = [screen.seq for screen in screens]
        for screen in screens:
            hub.leave(screen)
        return seen

    assert asyncio.run(step()) == [-1, here.seq]
    assert "a mistake in what a seat sees" in caplog.text


def test_a_view_is_made_once_however_many_look(table: Asker, hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Actor] = []
    shown = companion.play.view.view_in_parts

    def view(table: Any, actor: Actor, **more: Any) -> Any:
        made.append(actor)
        return shown(table, actor, **more)

    monkeypatch.setattr("web_ui.views.view_in_parts", view)
    here = hall.table(table.laid["table"])
    views = Views(Broadcaster(most=1))
    one, other = Eyes(here.id, HOST), Eyes(here.id, Actor("spectator"))
    assert len({id(views.of(here, one)) for _ in range(5)}) == 1
    views.of(here, other)
    assert made == [HOST, Actor("spectator")]
    table.dial()
    views.of(here, one)
    assert len([each for each in made if each == HOST]) >= 2


@pytest.mark.parametrize("long", [False, True], ids=["one piece", "many pieces"])
def test_who_has_left_leaves_nothing_behind_for_anybody_to_collect(
    front: Front, table: Asker, hall: Hall, monkeypatch: pytest.MonkeyPatch, long: bool
) -> None:
    if long:
        monkeypatch.setattr("web_ui.asgi.PIECE", 100)
    config = uvicorn.Config(front, ws="none", lifespan="off", log_config=None, access_log=False)
    config.load()
    held: list[weakref.ref[Any]] = []

    def met() -> LimitedHttpProtocol:
        wire = LimitedHttpProtocol(config, ServerState(), {}, doorstep=front.doorstep)
        held.append(weakref.ref(wire))
        return wire

    monkeypatch.setattr("web_ui.scheduler.Job", lambda *work: _kept(held, Job(*work)))
    seq, path, key = table.view["seq"], table.path, table.laid["host"]
    front.service.known.add(key)
    body = json.dumps({"seq": seq, "request": "press", "move": {"type": "dial", "knowledge": 3}})
    head = f"Host: localhost\r\nAuthorization: Bearer {key}\r\nContent-Type: application/json\r\n"
    asked = [
        f"GET {path} HTTP/1.1\r\n{head}\r\n",
        f"POST {path}/moves HTTP/1.1\r\n{head}Content-Length: {len(body)}\r\n\r\n{body}",
        f"POST {path}/moves HTTP/1.1\r\n{head}Content-Length: 2\r\n\r\n{{}}",
        f"GET {path}/stream HTTP/1.1\r\n{head}\r\n",
    ]

    async def visit() -> list[bytes]:
        front.service.broadcaster.open("somebody else")  # so that the hub knows its loop
        server = await asyncio.get_running_loop().create_server(met, "127.0.0.1", 0)
        told = []
        for each in asked:
            reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
            writer.write(each.encode())
            told.append((await reader.readuntil(b"\r\n"))[9:12])
            await asyncio.sleep(0.1)
            writer.close()
        await asyncio.sleep(0.2)
        server.close()
        return told

    gc.collect()
    gc.disable()
    try:
        assert asyncio.run(visit()) == [b"200", b"200", b"400", b"200"]
        held.append(weakref.ref(hall.table(table.laid["table"])))
        hall._at_hand.clear()
        assert [each() for each in held] == [None] * len(held)
        assert len(held) > len(asked) * 2
    finally:
        gc.enable()


def _kept(held: list[weakref.ref[Any]], job: Job[Any]) -> Job[Any]:
    held.append(weakref.ref(job))
    return job


def test_a_line_shows_the_newest_only_and_never_an_older_one() -> None:
    async def watch() -> bytes | None:
        hub = Broadcaster(most=2)
        screen = hub.open("line")
        hub.tell("line", 2, b"two")
        hub.tell("line", 1, b"one")
        hub.tell("another", 9, b"nine")
        told = screen.news()
        assert screen.news() is None
        hub.open("line")
        with pytest.raises(Full):
            hub.open("line")
        hub.leave(screen)
        assert (hub.screens, hub.lines()) == (1, ["line"])
        return told

    assert asyncio.run(watch()) == b"two"


def test_a_screen_at_two_lines_hears_each_once_and_leaves_both() -> None:
    async def watch() -> list[bytes | None]:
        hub = Broadcaster(most=1)
        screen = hub.open("table", "rig")
        hub.tell("rig", 1, b"rig")
        hub.tell("table", 4, b"four")
        heard = [screen.news(), screen.news(), screen.news()]
        assert (screen.seq, hub.screens, hub.lines()) == (4, 1, ["table", "rig"])
        hub.leave(screen)
        assert (hub.screens, hub.lines()) == (0, [])
        return heard

    assert asyncio.run(watch()) == [b"four", b"rig", None]


class Plug:
    """A screen's connection, whose other end takes what it is told when a test says so."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self._taken = asyncio.Event()
        self._taken.set()

    def fill(self) -> None:
        self._taken.clear()

    def empty(self) -> None:
        self._taken.set()

    async def free(self) -> None:
        await self._taken.wait()

    def take(self, piece: bytes) -> bool:
        if self._taken.is_set():
            self.written.append(piece)
        return self._taken.is_set()

    async def send(self, message: Message) -> None:
        await self._taken.wait()
        if body := message.get("body"):
            self.written.append(framed(body))


def test_what_is_told_is_written_at_once_to_who_has_taken_all_before_it() -> None:
    took: list[float] = []

    async def watch() -> None:
        hub = Broadcaster(most=2, shown=took.append)
        screens = [hub.open("line") for _ in range(2)]
        quick, slow = plugs = [Plug(), Plug()]
        for screen, plug in zip(screens, plugs, strict=True):
            screen.wire = plug
        slow.fill()
        hub.pressed(1.0)
        hub.tell("line", 1, b"one")
        await asyncio.sleep(0)
        hub.tell("line", 2, b"two")
        await asyncio.sleep(0)
        assert quick.written == [b"3\r\none\r\n", b"3\r\ntwo\r\n"]
        assert screens[0].news() is None
        assert not took, "the slow one has not seen it"
        assert [screens[1].news(), screens[1].news()] == [b"two", None]
        hub.took(screens[1])
        assert len(took) == 1

    asyncio.run(watch())


def test_who_is_late_on_a_line_of_changes_is_told_all_of_them_or_the_whole() -> None:
    async def watch() -> list[bytes | None]:
        hub = Broadcaster(most=3)
        quick, late, later = (hub.open("line") for _ in range(3))
        plug = quick.wire = Plug()
        for screen in (quick, late, later):
            hub.begin(screen, "line", 0, b"<0>")
        for n in range(1, CHANGES_KEPT + 2):
            hub.tell_change("line", n, b"+%d" % n, (b"<%d>" % n).upper)
            await asyncio.sleep(0)
            if n == 1:
                assert (plug.written, quick.news()) == ([], b"<0>"), "its first event comes before all others"
            if n == 2:
                assert [late.news(), late.news(), late.news()] == [b"<0>", b"+1+2", None]
            assert quick.news() is None or n == 1
        assert plug.written == [framed(b"+%d" % n) for n in range(2, CHANGES_KEPT + 2)]
        return [later.news(), later.news(), later.news(), late.news()]

    missed = b"".join(b"+%d" % n for n in range(3, CHANGES_KEPT + 2))
    assert asyncio.run(watch()) == [b"<0>", b"<%d>" % (CHANGES_KEPT + 1), None, missed]


def test_nothing_older_comes_after_what_was_written_at_once() -> None:
    async def watch() -> list[bytes]:
        hub, plug, leaves = Broadcaster(most=1), Plug(), asyncio.Event()
        screen: Screen = hub.open("line")

        async def receive() -> Message:
            await leaves.wait()
            return {"type": "http.disconnect"}

        streaming = asyncio.create_task(stream(hub, screen, receive, plug.send, beat=60, wire=plug))
        while screen.wire is None:
            await asyncio.sleep(0)
        plug.fill()
        hub.tell("line", 1, b"one")
        for _ in range(5):
            await asyncio.sleep(0)
        plug.empty()
        hub.tell("line", 2, b"two")
        for _ in range(5):
            await asyncio.sleep(0)
        leaves.set()
        await streaming
        return plug.written[1:]

    assert asyncio.run(watch()) == [framed(b"two")]
