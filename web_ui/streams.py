"""Live lines as server-sent events, straight on the event loop: a screen costs a socket and no thread."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from web_ui.broadcaster import Broadcaster, Screen, Wire

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    (b"x-content-type-options", b"nosniff"),
]
GREETING = b"retry: 500\n\n"  # milliseconds after which a browser comes back by itself
BYE = b"event: bye\ndata: {}\n\n"


def view_event(seq: int, view: bytes) -> bytes:
    """A view as an event: its number is the event's id, so the browser says it when it comes back."""
    return b"id: %d\ndata: %b\n\n" % (seq, view)


def rig_event(rig: bytes) -> bytes:
    """The rig's state on a table's line: by name, and without an id, which is the view's there."""
    return b"event: rig\ndata: %b\n\n" % rig


def beat_event(seq: int, moved: int) -> bytes:
    """A sign of life, named, because a page cannot see comments.

    It holds the service's clock, the newest number, and how often this machine's address has changed.
    """
    return b'event: beat\ndata: {"now":%d,"seq":%d,"moved":%d}\n\n' % (time.time_ns() // 1_000_000, seq, moved)


async def stream(
    broadcaster: Broadcaster, screen: Screen, receive: Receive, send: Send, *, beat: float, wire: Wire | None = None
) -> None:
    """Tell one screen what is newest, and that the service lives, until it leaves or the service stops.

    While a slow screen's socket is full, it waits; what it missed meanwhile is skipped.

    :param wire: its connection, to which what is newest is written from then on as it is told.
    """
    loop = asyncio.get_running_loop()
    gone = loop.create_task(_left(receive))
    gone.add_done_callback(lambda _: screen.wake.set())
    due = False

    def beat_is_due() -> None:
        nonlocal due
        due = True
        screen.wake.set()

    within = beat * random.random()  # noqa: S311 -- only so that the screens do not all beat at once
    timer = loop.call_later(within, beat_is_due)
    try:
        await send({"type": "http.response.start", "status": 200, "headers": HEADERS})
        await _send(send, GREETING)
        screen.wire = wire
        while not gone.done():
            screen.wake.clear()
            if wire is not None:
                await wire.free()  # before it is looked what is newest: nothing older comes after that
            if event := screen.news():
                await _send(send, event)
                broadcaster.took(screen)
            elif broadcaster.closing or screen.ended:
                await send({"type": "http.response.body", "body": BYE, "more_body": False})
                return
            elif due:
                due = False
                timer = loop.call_later(beat, beat_is_due)
                await _send(send, beat_event(screen.seq, broadcaster.moved))
            else:
                await screen.wake.wait()
    finally:
        screen.wire = None
        timer.cancel()
        gone.cancel()


async def _left(receive: Receive) -> None:
    """Returns when the other end is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send(send: Send, event: bytes) -> None:
    await send({"type": "http.response.body", "body": event, "more_body": True})
