"""Other Pis of a house, as many as a test wants, each at an address of its own and saying what it is given to say."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from companion.games import names
from companion.play.seating import COLOURS, SHAPES
from web_ui.house import RigNow, SeatNow, TableNow
from web_ui.whole_house import PiTold, TableTold

MINUTE = 60_000
LONGEST = "Wolfeschlegelsteinhausen"
"""A name of as many letters as one may have."""
NAMES = ("Ada", LONGEST, "Béatrice", "Dörte", "Evangeline", "Fred", "W" * 24)


class Pis:
    """They answer from a thread of their own until they are stopped."""

    def __init__(self, told: Sequence[PiTold]) -> None:
        self.told = list(told)
        self.addresses: list[str] = []
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        threading.Thread(target=self._run, daemon=True).start()
        self._ready.wait()

    def stop(self) -> None:
        """From now on nobody answers."""
        self._loop.call_soon_threadsafe(self._loop.stop)

    def _run(self) -> None:
        hosts = [f"127.0.1.{number + 1}" for number in range(len(self.told))]
        server = self._loop.run_until_complete(asyncio.start_server(self._answer, hosts, 0))
        at = {sock.getsockname()[0]: sock.getsockname()[1] for sock in server.sockets}
        self.addresses = [f"http://{host}:{at[host]}" for host in hosts]
        self._ready.set()
        self._loop.run_forever()
        server.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        number = int(writer.get_extra_info("sockname")[0].rpartition(".")[2]) - 1
        told = replace(self.told[number], clock=now())
        writer.write(b"HTTP/1.1 200 OK\r\n\r\n" + msgspec.json.encode(told))
        writer.close()


def now() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def pi(number: int, *, fault: str | None = None, call: int | None = None, tables: int = 1) -> PiTold:
    """A Pi with tables of all kinds, one of which has been calling for so many minutes."""
    told = [TableTold(table(number + 7 * each), None) for each in range(tables)]
    if call is not None:
        told[0] = replace(told[0], call=now() - call * MINUTE)
    rig = RigNow("nano", "fault" if fault else "off", fault, True, 2.0, 0, 10, stale=False)
    return PiTold(f"pi-{number}", tuple(told), rig)


def table(number: int) -> TableNow:
    """A table of some game, played for some time by two to five people."""
    box = names()[number % len(names())]
    seats = tuple(
        SeatNow(NAMES[(number + each) % len(NAMES)], COLOURS[each], SHAPES[each], number % 9 * each, each)
        for each in range(2 + number % 3)
    )
    mode, turn = ("referee", number % len(seats)) if number % 3 else ("toolbox", None)
    played = now() - number % 17 * MINUTE
    laid = played - number * 5 * MINUTE
    return TableNow(f"t{number:04}", box, mode, seats, 9, turn, "move", number % 20, False, (), laid, played)
