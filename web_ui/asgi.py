"""The way in: a stop is obeyed at once, live lines stay on the event loop, all else is read whole for a thread.

A request that is never finished costs a socket for a few seconds, and no thread. What takes long has a thread of its
own, so that presses wait for none of it; and is not begun for somebody who has left.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager, suppress
from functools import partial

import msgspec
from flask import Flask

from companion.refusals import Missing, Refusal
from web_ui.api.blueprint import finder, takes_long
from web_ui.api.bodies import Shovelling, decoded
from web_ui.bridge import PIECE, HttpAnswer, answered, environ_of, send_whole
from web_ui.broadcaster import Wire
from web_ui.events import tell
from web_ui.guard import check_host, check_origin
from web_ui.http_errors import Ending, NoKey, TooLarge, TooMany, TooSlow, body_of, headers_of, status_of
from web_ui.places import AdmissionQueue, Bytes, Held
from web_ui.protocol import WIRE, LimitedHttpProtocol
from web_ui.rate import is_home
from web_ui.request import Request, Scope, of_scope
from web_ui.rig_at_table import STOP_LOOKED_AT, STOP_SEEN_WITHIN, pump_runs, stop_timed
from web_ui.routed import routed_by
from web_ui.scheduler import Asker, Scheduler
from web_ui.service import Service
from web_ui.settings import COPIES, IMPORT, MOVES
from web_ui.streams import Receive, Send, stream

LINE = re.compile(r"/api/(?:tables/(?P<table>[^/]+)|rig|(?P<house>house))/stream")
TABLE = re.compile(r"/api/tables/(?!import$)([^/]+)")
KEYS = re.compile(rb"(?i)(?:bearer\s+|digside[-_][^=;\s]+=\"?)([^;\"\s]+)")
KEYS_WITHIN = 16 * 1024  # bytes of a head that are searched for a key before it is read; people's are shorter
STOP = "/api/rig/stop"
SHOVEL = "/api/rig/shovel"
STOPS = (b"POST " + STOP.encode(), b"POST " + SHOVEL.encode())
STOP_LONGEST = 1024

NO_GUESSING = ("x-content-type-options", "nosniff")
DRAINED = 5 * 1024 * 1024  # of a body that is too large, so that its sender reads the refusal
TAKEN_WITHIN = 60.0  # seconds in which an answer must have been taken
TAKEN_MOST = 32 * 1024 * 1024  # bytes of answers that have not been taken
TOLD_LATE = 1.0  # seconds until a stranger hears that it was too much: a program asks again at once


class Front:
    """The ASGI application of a service."""

    def __init__(self, app: Flask, service: Service) -> None:
        self.app = app
        self.service = service
        self.scheduler = Scheduler(service.settings.hands)
        self.bytes = Bytes(most=service.settings.bytes_held, each=service.settings.bytes_held * 5 // 8)
        self.taken = Bytes(most=TAKEN_MOST, each=TAKEN_MOST // 2)
        self._reading: set[asyncio.Timeout] = set()
        self.ending = False
        self._call_of = finder(app)
        self._routed = routed_by(service.settings.router) if service.settings.router is not None else None
        self.doorstep = AdmissionQueue(self.scheduler.hurry.is_on, service.settings.doorstep, is_urgent=self._is_urgent)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise ValueError(f"only http is spoken here, not {scope['type']}")
        if self._routed is not None:
            scope = self._routed(scope)
        request = of_scope(scope)
        if hides_a_slash(scope):
            await self._refuse(Missing("web.no_page"), request, send)
            return
        line = LINE.fullmatch(request.path) if request.method == "GET" else None
        with suppress(ConnectionResetError):
            try:
                if request.path == STOP and request.method == "POST":
                    await self._stop(request, send)
                elif line:
                    await self._line(
                        line["table"], request, receive, send, house=bool(line["house"]), wire=_wire(scope)
                    )
                else:
                    await self._call(request, scope, receive, send)
            except Refusal as refusal:
                await self._refuse(refusal, request, send)

    async def _refuse(self, refusal: Refusal, request: Request, send: Send) -> None:
        """Say no without a thread; the connection ends, as its other half may still be under way."""
        status, body = status_of(refusal), body_of(refusal, request.language)
        self.service.metrics.refused(refusal)
        self.service.metrics.answered(status)
        tell("refused", code=refusal.code, status=status)
        if isinstance(refusal, TooMany):
            await asyncio.sleep(TOLD_LATE)
        await _say(status, body, (*headers_of(refusal), ("connection", "close")), send)

    def hurry(self) -> None:
        """The service stops: nobody is waited for who has not said all yet, or begins now. On the event loop only."""
        self.ending = True
        for limit in self._reading:
            if not limit.expired():
                limit.reschedule(0)

    @asynccontextmanager
    async def _patience(self) -> AsyncIterator[None]:
        """As long as a request may take to come whole."""
        async with asyncio.timeout(0 if self.ending else self.service.settings.patience) as limit:
            self._reading.add(limit)
            try:
                yield
            finally:
                self._reading.discard(limit)

    def close(self) -> None:
        """Let the threads go."""
        self.scheduler.close()

    def _is_urgent(self, data: bytes) -> bool:
        """Whether a request that begins like this waits for no others.

        It stops the shovel, or shows a known key whose budget is not used up.
        """
        if data.startswith(STOPS):
            return True
        head = data[:KEYS_WITHIN].partition(b"\r\n\r\n")[0]  # a body may be long, and shows no key
        shown = (key.decode("latin-1") for key in KEYS.findall(head))
        return any(key in self.service.known and not self.scheduler.budgets.is_over((key,)) for key in shown)

    async def _stop(self, request: Request, send: Send) -> None:
        """Stop the shovel, whoever asks: nothing is read for it, nothing opened, and nothing waited for."""
        check_host(request.host, self.service.settings.names)
        check_origin(request.headers, request.host)
        stop_timed(self.service.rig, self.service.metrics.stopped)
        await self._tell_rig(send)

    async def _stop_seen(self, send: Send) -> None:
        """The same, answered once the rig is seen to have stopped."""
        stop_timed(self.service.rig, self.service.metrics.stopped)
        until = time.monotonic() + STOP_SEEN_WITHIN
        while time.monotonic() < until and pump_runs(self.service.rig):
            await asyncio.sleep(STOP_LOOKED_AT)
        await self._tell_rig(send)

    async def _tell_rig(self, send: Send) -> None:
        self.service.metrics.answered(200)
        tell("stop", status=200)
        await _say(200, msgspec.json.encode(self.service.rig_told()), (), send)

    async def _line(
        self, table: str | None, request: Request, receive: Receive, send: Send, *, house: bool, wire: Wire | None
    ) -> None:
        """Open a live line and stay with it."""
        check_host(request.host, self.service.settings.names)
        key = self.service.known_key(request)
        lane, asker = self.scheduler.people if key else self.scheduler.strangers, asker_of(request, key)
        holder = await lane.do(asker, partial(self.service.holder, table, request))
        self.service.broadcaster.check_room(holder)  # before a table is opened for it
        watched = await lane.do(asker, partial(self.service.watched, table, request, house=house))
        screen = self.service.broadcaster.open(*watched.keys, by=holder)
        self.service.metrics.answered(200)
        try:
            await lane.do(asker, partial(watched.show, screen))
            await stream(self.service.broadcaster, screen, receive, send, beat=self.service.settings.beat, wire=wire)
        finally:
            self.service.broadcaster.leave(screen)

    async def _call(self, request: Request, scope: Scope, receive: Receive, send: Send) -> None:
        """Read a request whole, then have a thread answer it."""
        if request.path == IMPORT:
            self._check_brings(request)
        if request.path.startswith(COPIES):
            self.service.check_hub(request)
        if request.path.startswith(MOVES):
            self.service.check_mover(request)
        held = Held(self.bytes, request.client)
        try:
            body = await self._whole(request, scope, receive, held)
            if request.path == SHOVEL and request.method == "POST" and _is_stop(request, body):
                await self._stop_seen(send)
                return
            answer = await self._answer(request, scope, body, receive)
        except TimeoutError:
            raise TooSlow("web.too_slow") from None
        finally:
            held.give_back()
        await self._send(answer, request.client, send)

    async def _whole(self, request: Request, scope: Scope, receive: Receive, held: Held) -> bytes:
        """The body of a request, once all of it has come."""
        limit = self.service.settings.limit_of(request.path)
        wire: LimitedHttpProtocol | None = scope.get("state", {}).get(WIRE)
        if wire is not None and wire.is_here():  # nobody waits for it
            return b"".join([part async for part in _body(request, receive, limit, held)])
        async with self._patience():
            return b"".join([part async for part in _body(request, receive, limit, held)])

    async def _send(self, answer: HttpAnswer, address: str, send: Send) -> None:
        """Send an answer, and not wait for ever until it is taken."""
        ahead = max(0, len(answer.body) - PIECE)
        self.taken.take(address, ahead)
        try:
            async with asyncio.timeout(TAKEN_WITHIN):
                await send_whole(answer, send)
        except TimeoutError:
            raise ConnectionResetError from None
        finally:
            self.taken.give_back(address, ahead)

    async def _answer(self, request: Request, scope: Scope, body: bytes, receive: Receive) -> HttpAnswer:
        """What is answered, by the thread that such a request has."""
        work = partial(answered, self.app, environ_of(scope, request, body))
        key = self.service.known_key(request)
        _recognise(scope, key)
        asker, left = asker_of(request, key), None
        if key is not None:
            self.scheduler.note(asker)
        call = self._call_of(request.method, request.path)
        if call is not None and takes_long(call, request):
            lane, left = self.scheduler.long, asyncio.ensure_future(_gone(receive))
        else:
            lane = self.scheduler.strangers if key is None else self.scheduler.people
        try:
            return await lane.do(asker, work, left=left)
        except asyncio.CancelledError:  # the service stops, and its thread was not done
            raise Ending("web.ending") from None
        finally:
            if left is not None:
                left.cancel()

    def _check_brings(self, request: Request) -> None:
        """A whole record is read from the owner alone."""
        if not self.service.is_owner(request.authorization, request.cookies):
            self.service.check_guess(request.authorization, request.client)
            raise NoKey("web.owner_only")


def asker_of(request: Request, key: str | None) -> Asker:
    """Who asks, as turns and budgets are counted: a key, its table and its address, or an address alone.

    What comes from a program on this machine may be asked for many people, and is not counted together.
    """
    if key is None:
        return (request.client,)
    at_table = TABLE.match(request.path)
    table = f"table {at_table[1] if at_table else key}"
    return (key, table) if is_home(request.client) else (key, table, request.client)


def _is_stop(request: Request, body: bytes) -> bool:
    """Whether a request stops the shovel and asks for nothing else; whatever is wrong with it is refused elsewhere."""
    if len(body) > STOP_LONGEST:
        return False
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return False
    if request.authorization is None:
        check_origin(request.headers, request.host)
    try:
        return decoded(body, Shovelling).do == "stop"
    except Refusal:
        return False


async def _gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _body(request: Request, receive: Receive, limit: int, held: Held) -> AsyncIterator[bytes]:
    """The parts of a body, if it is no longer than `limit`; of one that is, enough is read for the refusal to be."""
    said = int(request.headers.get("content-length", "0"))
    if said > DRAINED:
        raise TooLarge("web.too_large", limit=limit // 1024)
    length = 0
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionResetError
        part = message.get("body", b"")
        length += len(part)
        if length > DRAINED:
            break
        if part and length <= limit and said <= limit:
            held.grow(length)
            yield part
        more = message.get("more_body", False)
    if length > limit:
        raise TooLarge("web.too_large", limit=limit // 1024)


async def _say(status: int, body: bytes, more: Iterable[tuple[str, str]], send: Send) -> None:
    """Say something in JSON without a thread."""
    headers = [("content-type", "application/json"), ("cache-control", "no-store"), NO_GUESSING, *more]
    encoded = [(name.lower().encode(), value.encode()) for name, value in headers]
    encoded.append((b"content-length", b"%d" % len(body)))
    await send({"type": "http.response.start", "status": status, "headers": encoded})
    await send({"type": "http.response.body", "body": body})


def hides_a_slash(scope: Scope) -> bool:
    """Whether an address has a slash in it that is written otherwise: it would lead elsewhere than it seems to.

    >>> hides_a_slash({"raw_path": b"/api/tables/a%2Frecord"}), hides_a_slash({"raw_path": b"/api/tables/a"})
    (True, False)
    """
    return b"%2f" in scope.get("raw_path", b"").lower()


def _recognise(scope: Scope, key: str | None) -> None:
    """Have the connection that a known key was shown on keep its place."""
    wire: LimitedHttpProtocol | None = scope.get("state", {}).get(WIRE)
    if wire is not None and key is not None:
        wire.recognise(key)


def _wire(scope: Scope) -> Wire | None:
    """The connection itself, where an answer goes over it in pieces as HTTP/1.1 frames them."""
    wire: Wire | None = scope.get("state", {}).get(WIRE)
    return wire if scope["http_version"] == "1.1" else None
