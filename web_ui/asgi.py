"""The way in: live lines stay on the event loop, everything else is read whole and only then handed to a thread.

A request that is never finished costs a socket for a few seconds, and no thread.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from functools import partial
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs

from flask import Flask

from companion.refusals import Refusal
from web_ui.bridge import Scope, bridge
from web_ui.guard import check_host
from web_ui.http_errors import Ending, TooLarge, TooSlow, body_of, headers_of, status_of
from web_ui.service import Asked, Service
from web_ui.streams import Receive, Send, stream

LINE = re.compile(r"/api/(?:tables/(?P<table>[^/]+)|rig)/stream")
SHOVEL = "/api/rig/shovel"

DRAINED = 16 * 1024 * 1024  # of a body that is too large, so that its sender reads the refusal


class Front:
    """The ASGI application of a service."""

    def __init__(self, app: Flask, service: Service) -> None:
        self.app = app
        self.service = service
        self.calls = ThreadPoolExecutor(12, thread_name_prefix="calls")
        self.stops = ThreadPoolExecutor(2, thread_name_prefix="stops")  # a stop waits behind no slow disk and no lift
        self._reading: set[asyncio.Timeout] = set()
        self.ending = False
        self.lookers = ThreadPoolExecutor(4, thread_name_prefix="lookers")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            raise ValueError(f"only http is spoken here, not {scope['type']}")
        line = LINE.fullmatch(scope["path"])
        if line and scope["method"] == "GET":
            await self._line(line["table"], scope, receive, send)
        else:
            await self._call(scope, receive, send)

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
        for pool in (self.calls, self.stops, self.lookers):
            pool.shutdown(wait=False, cancel_futures=True)

    async def _line(self, table: str | None, scope: Scope, receive: Receive, send: Send) -> None:
        """Open a live line and stay with it."""
        asked = _asked(scope)
        in_thread = partial(asyncio.get_running_loop().run_in_executor, self.lookers)
        try:
            check_host(asked.headers.get("host", ""), self.service.settings.names)
            watched = await in_thread(partial(self.service.watched, table, asked))
            screen = self.service.hub.open(*watched.keys)
        except Refusal as refusal:
            self.service.metrics.refused(refusal)
            await _refuse(refusal, asked.language, send)
            return
        try:
            await in_thread(watched.show)
            await stream(self.service.hub, screen, receive, send, beat=self.service.settings.beat)
        finally:
            self.service.hub.leave(screen)

    async def _call(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Read a request whole, then have a thread answer it."""
        try:
            async with self._patience():
                body = await _whole(scope, receive, self.service.settings.limit_of(scope["path"]))
        except TimeoutError:
            await _refuse(TooSlow("web.too_slow"), _asked(scope).language, send)
        except TooLarge as refusal:
            self.service.metrics.refused(refusal)
            await _refuse(refusal, _asked(scope).language, send)
        except ConnectionResetError:
            return
        else:
            threads = self.stops if scope["path"] == SHOVEL and b'"stop"' in body else self.calls
            try:
                await bridge(self.app, threads, scope, body, send)
            except asyncio.CancelledError:  # the service stops, and its thread was not done
                await _refuse(Ending("web.ending"), _asked(scope).language, send)


async def _whole(scope: Scope, receive: Receive, limit: int) -> bytes:
    """The body of a request, if it is no longer than `limit`."""
    said = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    if int(said) > DRAINED:
        raise TooLarge("web.too_large", limit=limit // 1024)
    parts: list[bytes] = []
    length = 0
    more = True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionResetError
        part = message.get("body", b"")
        length += len(part)
        if length <= limit:
            parts.append(part)
        elif length > DRAINED:
            break
        more = message.get("more_body", False)
    if length > limit:
        raise TooLarge("web.too_large", limit=limit // 1024)
    return b"".join(parts)


async def _refuse(refusal: Refusal, language: str, send: Send) -> None:
    """Say no without a thread; the connection ends, as its other half may still be under way."""
    headers = [("content-type", "application/json"), ("cache-control", "no-store"), ("connection", "close")]
    encoded = [(name.lower().encode(), value.encode()) for name, value in [*headers, *headers_of(refusal)]]
    body = body_of(refusal, language)
    encoded.append((b"content-length", b"%d" % len(body)))
    await send({"type": "http.response.start", "status": status_of(refusal), "headers": encoded})
    await send({"type": "http.response.body", "body": body})


def _asked(scope: Scope) -> Asked:
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    query = {name: values[0] for name, values in parse_qs(scope["query_string"].decode("latin-1")).items()}
    return Asked(headers, _cookies(headers.get("cookie", "")), query, (scope.get("client") or ("?",))[0])


def _cookies(header: str) -> dict[str, str]:
    try:
        return {name: each.value for name, each in SimpleCookie(header).items()}
    except CookieError:
        return {}
