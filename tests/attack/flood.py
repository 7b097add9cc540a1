"""Everything that people in the same network did to a service on purpose, at once, bounded in number and time.

``python -m tests.attack.flood PORT TABLE REQUESTS CONNECTIONS SECONDS [TABLE=KEY …]``, only ever at the machine itself.
It ends by itself: when all requests are asked, or when its time is over. Beside strangers who show no key, or a wrong
one, it asks as somebody does who has a key of a table: that of a host, or of a seat.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import suppress

HOME = "127.0.0.1"
HANDS = 48  # connections of strangers that ask one thing after the other
KEYED = 60  # connections of those who have a key
STREAMS = 300
BODIES = 60
BODY = 4_100_000
AGAIN = 3.0  # seconds until a connection that was ended is opened anew


def requests(table: str) -> Iterator[bytes]:
    """Requests as they were made, one after another, without end."""
    forged = "Cookie: " + "; ".join(f"digside-{n:05}=x" for n in range(20)) + "\r\n"
    guess = "Authorization: Bearer guess\r\n"
    posts = [
        _post("/api/rig/shovel", b'{"do":"grip","why":"stop"}', forged),
        _post(f"/api/tables/{table}/stir", b'{"seq":0,"request":"a","pinch":"p"}', guess),
        _post("/api/join", b'{"code":"abcde"}'),
        _post("/api/owner/enter", b'{"key":"guess"}'),
        _post("/api/tables/import", b'{"format":"digside-record"}', guess),
    ]
    looks = [
        _get(path, more)
        for path in (
            f"/api/tables/{table}/record",
            f"/api/tables/{table}/keepsake.png",
            f"/api/tables/{table}/luck",
            "/static/./main.js",
            "/healthz",
            "/api/tables",
            f"/api/tables/{table}",
            "/metrics",
        )
        for more in ("", guess, forged)
    ]
    return itertools.cycle([each for pair in zip(itertools.cycle(posts), looks, strict=False) for each in pair])


def keyed(doors: Sequence[str]) -> Iterator[bytes]:
    """Requests of those who have a key, by turns: what is made of a whole table, and presses that are late."""
    every = []
    for table, key in (door.split("=") for door in doors):
        path, shown = f"/api/tables/{table}", f"Authorization: Bearer {key}\r\n"
        looks = ("", "/corrections", "/moves", "?seq=1", "/luck", "/course", "/record", "/draws", "/stream/none")
        every.append([_get(f"{path}{look}", shown) for look in looks])
        every[-1].append(
            _post(f"{path}/moves", b'{"seq":0,"request":"late","move":{"type":"dial","knowledge":3}}', shown)
        )
        every[-1].append(_post(f"{path}/undo", b'{"seq":0,"request":"back"}', shown))
    return itertools.cycle([each for together in zip(*every, strict=True) for each in together])


class Flood:
    """Attacks at a port of this machine."""

    def __init__(self, port: int, table: str, left: int, doors: Sequence[str] = ()) -> None:
        self.port = port
        self.table = table
        self.left = self.wanted = left
        self.answers: dict[str, int] = {}
        self._requests = requests(table)
        self._keyed = keyed(doors) if doors else None

    async def rage(self, connections: int, seconds: float) -> None:
        """All of them together."""
        silent = max(0, connections - HANDS - KEYED - STREAMS - BODIES)
        others = [
            *(self._kept(self._silent) for _ in range(silent)),
            *(self._kept(self._stream) for _ in range(min(STREAMS, connections // 4))),
            *(self._kept(self._unfinished) for _ in range(min(BODIES, connections // 8))),
        ]
        tasks = [asyncio.create_task(each) for each in others]
        hands = [asyncio.create_task(self._hand(self._requests)) for _ in range(HANDS)]
        if self._keyed is not None:
            hands += [asyncio.create_task(self._hand(self._keyed)) for _ in range(KEYED)]
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await asyncio.gather(*hands)
        for task in (*tasks, *hands):
            task.cancel()
        await asyncio.gather(*tasks, *hands, return_exceptions=True)

    def told(self, seconds: float) -> str:
        """What came of it, in a sentence."""
        answered, asked = sum(self.answers.values()), self.wanted - max(0, self.left)
        by_status = ", ".join(f"{count} with {status}" for status, count in sorted(self.answers.items()))
        return (
            f"{asked:,} of {self.wanted:,} requests were asked in {seconds:.0f} s and {answered:,} of these answered "
            f"({answered / max(1, asked):.0%}: {by_status}); {self.wanted - asked:,} were never asked"
        )

    async def _hand(self, requests: Iterator[bytes]) -> None:
        """Asks one thing after the other, again and again on a new connection."""
        while self.left > 0:
            with suppress(OSError, asyncio.IncompleteReadError, ValueError):
                reader, writer = await asyncio.open_connection(HOME, self.port)
                try:
                    while self.left > 0:
                        self.left -= 1
                        writer.write(next(requests))
                        await self._answer(reader)
                finally:
                    writer.close()

    async def _answer(self, reader: asyncio.StreamReader) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        status = head.split(b" ", 2)[1].decode()
        self.answers[status] = self.answers.get(status, 0) + 1
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        await reader.readexactly(int(length.split(b":")[1]))
        if b"connection: close" in head.lower():
            raise ConnectionResetError

    async def _kept(self, opened: Callable[[asyncio.StreamWriter], Awaitable[None]]) -> None:
        """A connection that is opened again whenever it ends."""
        while True:
            with suppress(OSError):
                reader, writer = await asyncio.open_connection(HOME, self.port)
                try:
                    await opened(writer)
                    while await reader.read(65536):
                        pass
                finally:
                    writer.close()
            await asyncio.sleep(AGAIN * (0.5 + random.random()))

    async def _silent(self, writer: asyncio.StreamWriter) -> None:
        """Says nothing."""

    async def _stream(self, writer: asyncio.StreamWriter) -> None:
        writer.write(_get(f"/api/tables/{self.table}/stream"))

    async def _unfinished(self, writer: asyncio.StreamWriter) -> None:
        """A body that is all but finished."""
        head = f"POST /api/tables/import HTTP/1.1\r\nHost: localhost\r\nContent-Length: {BODY}\r\n"
        writer.write(f"{head}Content-Type: application/json\r\n\r\n".encode())
        for _ in range(BODY // 65536):
            writer.write(b" " * 65536)
            await writer.drain()


def _get(path: str, more: str = "") -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{more}\r\n".encode()


def _post(path: str, body: bytes, more: str = "") -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n{more}\r\n".encode() + body


def main(port: str, table: str, left: str, connections: str, seconds: str, *doors: str) -> int:
    """Rage, then say what was answered."""
    flood = Flood(int(port), table, int(left), doors)
    asyncio.run(flood.rage(int(connections), float(seconds)))
    print(flood.told(float(seconds)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
