"""The floor under a live line: bare asyncio, one commit with its fsync, one write per screen."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
from pathlib import Path

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"


class Floor:
    """One number that each POST raises, on disk, before every screen is told a picture of the size it asks for."""

    def __init__(self, folder: Path) -> None:
        self.seq = 0
        self.screens: set[asyncio.StreamWriter] = set()
        self.db = sqlite3.connect(folder / "floor.sqlite", isolation_level=None)
        self.db.executescript(
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE steps (seq INTEGER PRIMARY KEY);"
        )

    def event(self, size: int = 0) -> bytes:
        return b"id: %d\ndata: %b\n\n" % (self.seq, b"x" * size)

    def step(self, size: int) -> None:
        self.seq += 1
        self.db.execute("INSERT INTO steps VALUES (?)", (self.seq,))
        event = self.event(size)
        for screen in self.screens:
            screen.write(event)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                if head.startswith(b"GET"):
                    await self._watch(reader, writer)
                    return
                length = int(head.lower().partition(b"content-length:")[2].partition(b"\r")[0])
                wanted = json.loads(await reader.readexactly(length))
                self.step(wanted["told"])
                answer = b"x" * wanted["answered"]
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(answer), answer))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _watch(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(HEAD + self.event())
        self.screens.add(writer)
        try:
            await reader.read()
        finally:
            self.screens.discard(writer)


async def main(port: int, folder: Path) -> None:
    floor = Floor(folder)
    server = await asyncio.start_server(floor.serve, "127.0.0.1", port, backlog=512)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), Path(sys.argv[2])))
