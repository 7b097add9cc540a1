"""HTTP on a socket as uvicorn speaks it, with less patience and a shorter memory."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from companion.refusals import Malformed
from web_ui.http_errors import body_of
from web_ui.places import Doorstep, Porch

NO_MORE_THAN = 1  # byte behind a full socket: then a sender waits, and skips what has become old
WIRE = "wire"
"""By which name what answers finds the connection in the state of a request."""
HEAD_WITHIN = 10.0  # seconds in which the head of a request must have come, and half of them at least


class PatientlyHttp(H11Protocol):
    """One connection. A head that is begun and not finished ends it; and nothing is queued behind a slow screen."""

    _late: asyncio.TimerHandle | None = None
    address = ""

    def __init__(
        self,
        *args: Any,
        porch: Porch | None = None,
        doorstep: Doorstep | None = None,
        ends: Callable[[], bool] = bool,
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        self.app_state = {**self.app_state, WIRE: self}
        self._porch = porch
        self._ends = ends
        self._doorstep = doorstep
        self._unread: list[bytes] = []

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        transport.set_write_buffer_limits(high=NO_MORE_THAN)  # with TLS that says at once that something waits
        self.address = self.client[0] if self.client else ""
        if self._ends():  # it was in the queue when the door was closed
            transport.close()
        self._wait_for_head()
        if self._porch:
            self._porch.enter(self)

    def is_served(self) -> bool:
        """Whether a whole request is being answered, and the answer taken."""
        answering = self.cycle is not None and not self.cycle.response_complete
        return answering and self.conn.their_state is not h11.SEND_BODY and not self.flow.write_paused

    def is_said(self) -> bool:
        """Whether all is said here, and only the other end's goodbye is waited for."""
        return self.transport.is_closing()

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
        return self.conn.their_state is not h11.IDLE or self.conn.our_state is not h11.IDLE or self._begun()

    def _begun(self) -> bool:
        return bool(self.conn.trailing_data[0])

    def _read(self, data: bytes) -> None:
        super().data_received(data)
        if self._is_between_requests():
            self._wait_for_head()
        else:
            self._head_is_here()

    def connection_lost(self, exc: Exception | None) -> None:
        self._head_is_here()
        if self._porch:
            self._porch.leave(self)
        if self._doorstep:
            self._doorstep.leave(self)
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """What is no HTTP is refused like anything else; whose language it would be is not known yet."""
        if self.conn.our_state not in {h11.IDLE, h11.SEND_RESPONSE}:
            self.transport.abort()  # an answer is under way: there is no place for another
            return
        body = body_of(Malformed("web.bad_body", reason="HTTP/1.1"), "en")
        headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body))), ("Connection", "close")]
        answer = (h11.Response(status_code=400, headers=headers), h11.Data(data=body), h11.EndOfMessage())
        self.transport.write(b"".join(self.conn.send(part) or b"" for part in answer))
        self.transport.close()

    def _is_between_requests(self) -> bool:
        return self.conn.their_state is h11.IDLE and self._begun()

    def _wait_for_head(self) -> None:
        if self._late is None:
            within = HEAD_WITHIN * random.uniform(0.5, 1)  # noqa: S311 -- a crowd that came at once does not leave at once
            self._late = self.loop.call_later(within, self.transport.abort)

    def _head_is_here(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None
