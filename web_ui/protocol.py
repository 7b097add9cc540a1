"""HTTP on a socket as uvicorn speaks it, with less patience and a shorter memory."""

from __future__ import annotations

import asyncio
import random
import re
from collections.abc import Callable
from typing import Any

from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from companion.refusals import Malformed
from web_ui.http_errors import body_of
from web_ui.places import AdmissionQueue, ConnectionLimiter
from web_ui.rate import counted_as

NO_MORE_THAN = 1  # byte behind a full socket: then a sender waits, and skips what has become old
WIRE = "wire"
"""By which name what answers finds the connection in the state of a request."""
HEAD_WITHIN = 10.0  # seconds in which the head of a request must have come, and half of them at least
LONGEST_HEAD = 32 * 1024
FRAMING = 8  # bytes that a byte of a body may have around it, where it comes in pieces
AHEAD = 16  # requests that may be sent before the answers to those before them
VERSIONS = {"1.0", "1.1"}
REFUSED = (
    b"HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%b"
)


OFFER = re.compile(rb"(?i)(?<=\r\n)upgrade(?=:)")


def as_it_is(data: bytes) -> bytes:
    """A request whose head does not offer to be spoken to otherwise: of one that does the body would be left unread.

    >>> as_it_is(b"POST / HTTP/1.1\\r\\nUpgrade: h2c\\r\\n\\r\\n\\r\\nUpgrade: a body")
    b'POST / HTTP/1.1\\r\\nx-offer: h2c\\r\\n\\r\\n\\r\\nUpgrade: a body'
    """
    if b"pgrade" not in data and b"PGRADE" not in data:
        return data
    head, end, rest = data.partition(b"\r\n\r\n")
    return OFFER.sub(b"x-offer", head) + end + rest


class LimitedHttpProtocol(HttpToolsProtocol):
    """One connection. A head that is begun and not finished ends it; and nothing is queued behind a slow screen."""

    _late: asyncio.TimerHandle | None = None
    _in_head = False  # a request has begun, and its head is not here whole
    _in_request = False  # … and not all of it is here
    _head = 0  # bytes of its head
    _around = 0  # bytes of a request that are not its body
    _bodies = 0  # bytes of bodies that came with what is being read
    _body = 0  # bytes of its body
    address = ""
    key: str | None = None  # that was shown on it

    def __init__(
        self,
        *args: Any,
        porch: ConnectionLimiter | None = None,
        doorstep: AdmissionQueue | None = None,
        ends: Callable[[], bool] = bool,
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        self.app_state = {**self.app_state, WIRE: self}
        self._porch = porch
        self._ends = ends
        self._doorstep = doorstep
        self._unread: list[bytes] = []
        self._under_way: set[RequestResponseCycle] = set()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=NO_MORE_THAN)  # with TLS that says at once that something waits
        self.address = counted_as(self.client[0]) if self.client else ""
        if self._ends():  # it was in the queue when the door was closed
            transport.close()
        self._wait_for_head()
        if self._porch:
            self._porch.enter(self)

    def is_served(self) -> bool:
        """Whether a whole request is being answered, and the answer taken."""
        return self._is_answering() and not self.cycle.more_body and not self.flow.write_paused

    def is_here(self) -> bool:
        """Whether all that has begun to come is here whole."""
        return not self._in_request

    def is_said(self) -> bool:
        """Whether all is said here, and only the other end's goodbye is waited for."""
        return self.transport.is_closing()

    def recognise(self, key: str) -> None:
        """A key was shown on it that opens something here."""
        if self._porch and key != self.key:
            self._porch.recognise(self, key)
            self.key = key

    def turn_out(self) -> None:
        """End it for one that is newer."""
        self.transport.abort()

    async def free(self) -> None:
        """Returns once all that was written has been taken."""
        await self.flow.drain()

    def take(self, piece: bytes) -> bool:
        """Write a piece of the answer that is under way, unless something waits before it; whether it was written."""
        if self.flow.write_paused or self.transport.is_closing():
            return False
        self.transport.write(piece)
        return True

    def data_received(self, data: bytes) -> None:
        if self._unread:
            self._unread.append(data)
        elif self._doorstep is None or self._is_under_way() or self._doorstep.lets_in(self.address, data):
            self._read(data)
        else:
            self._head_is_here()
            self._unread.append(data)
            self.flow.pause_reading()
            self._doorstep.wait(self)

    def come_in(self) -> None:
        """What came while it waited on the doorstep is read now."""
        data = b"".join(self._unread)
        self._unread.clear()
        self.flow.resume_reading()
        self._read(data)

    def _is_under_way(self) -> bool:
        """Whether what comes goes on with what was read before."""
        return self._in_request or self._is_answering()

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _read(self, data: bytes) -> None:
        before = self._around if self._in_request else 0
        self._bodies = 0
        super().data_received(data if self._in_request and not self._in_head else as_it_is(data))
        self._around = before + len(data) - self._bodies
        if self._in_request and self._around > LONGEST_HEAD + FRAMING * self._body:
            self.send_400_response("")
        elif self._in_head or not self._is_under_way():
            self._wait_for_head()
        else:
            self._head_is_here()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._in_head = self._in_request = True
        self._head = self._body = 0

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        self._head += len(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        if self._in_head:  # what comes behind a body is not looked at
            super().on_header(name, value)
            self._head += len(name) + len(value)

    def on_headers_complete(self) -> None:
        hosts = sum(name == b"host" for name, _ in self.headers)
        version = self.parser.get_http_version()
        if version not in VERSIONS or hosts > 1 or (version == "1.1" and not hosts):
            raise ValueError("no HTTP")
        if self._head > LONGEST_HEAD or len(self.pipeline) >= AHEAD:
            raise ValueError("too much")
        self._in_head = False
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._body += len(body)
        self._bodies += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._in_request = False
        super().on_message_complete()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._under_way.add(cycle)
        super()._start_asgi_task(cycle, app)

    def on_response_complete(self) -> None:
        self._under_way = {cycle for cycle in self._under_way if not cycle.response_complete}
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_is_here()
        self.app_state = {}  # or it would hold itself
        for cycle in (self.cycle, *(each for each, _ in self.pipeline)):
            if cycle is not None:
                cycle.scope.get("state", {}).pop(WIRE, None)
        for cycle in self._under_way:  # uvicorn tells the newest alone that there is nobody to answer any more
            cycle.disconnected = True
            cycle.message_event.set()
        self._under_way.clear()
        if self._porch:
            self._porch.leave(self)
        if self._doorstep:
            self._doorstep.leave(self)
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """What is no HTTP is refused like anything else; whose language it would be is not known yet."""
        begun = self.cycle is not None and (self.cycle.response_started or not self.cycle.more_body)
        if self._is_answering() and (begun or self.pipeline):
            self.transport.abort()  # there is no place for another answer
            return
        body = body_of(Malformed("web.bad_body", reason="HTTP/1.1"), "en")
        self.transport.write(REFUSED % (len(body), body))
        self.transport.close()

    def _wait_for_head(self) -> None:
        if self._late is None:
            within = HEAD_WITHIN * random.uniform(0.5, 1)  # noqa: S311 -- a crowd that came at once does not leave at once
            self._late = self.loop.call_later(within, self.transport.abort)

    def _head_is_here(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
