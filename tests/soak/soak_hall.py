"""Three services over one database: each is killed or frozen at any moment, and so is the database, and both together.

Every acknowledged step is there once, nobody is told of a mistake of the service's own, and every screen comes back.
"""

from __future__ import annotations

import http.client
import itertools
import random
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import psycopg

from tests.venue.hall import Hall, Service
from tests.web.live import Line, Reached

DEATHS = 400
TABLES = 8
PAUSE = 0.01  # seconds between two presses at a table
SILENCE = 2.5  # seconds after which a screen believes that its service is gone
FROZEN_S = 6.0  # at most: longer than the router takes to notice
AWAY = {0, 502, 503, 504, 507}
"""What whoever presses may be told while something is away; 0 where nothing came back."""


class Player:
    """Presses at one table, and presses the same again whenever no answer came."""

    def __init__(self, hall: Hall, ended: threading.Event) -> None:
        self._hall = Reached(hall.router.port)
        self._ended = ended
        self.path, laid = self._hall.lay()
        self.table, self._key = laid["table"], laid["host"]
        self.seq: int = self._hall.call("GET", self.path)[1]["seq"]
        self.first = self.seq
        self.safe: dict[str, int] = {}
        self.told = Counter[int]()

    def run(self) -> None:
        for number in itertools.count(1):
            if self._ended.wait(PAUSE):
                return
            self._press(f"press {number}", number)

    def _press(self, request: str, number: int) -> None:
        move = {"type": "dial", "knowledge": number % 8 + 1}
        body = {"seq": self.seq, "request": request, "move": move}
        for _ in range(3000):
            status, told = self._ask(body)
            if status == 200:
                assert told["seq"] == self.seq + 1, (told["seq"], self.seq)
                self.seq = self.safe[request] = told["seq"]
                return
            assert status in AWAY, (status, told)
            self.told[status] += 1
            time.sleep(0.02)
        raise AssertionError("it is not answered any more")

    def _ask(self, body: object) -> tuple[int, Any]:
        """One call; 0 where nothing came back."""
        try:
            return self._hall.call("POST", f"{self.path}/moves", body, key=self._key)
        except (OSError, http.client.HTTPException):
            return 0, None


class Screen:
    """Shows a player's table, and asks for it anew as a browser does when its stream ends or is silent."""

    def __init__(self, hall: Hall, player: Player, ended: threading.Event) -> None:
        self._port = hall.router.port
        self._path = f"{player.path}/stream"
        self._ended = ended
        self._heard = time.monotonic()
        self.seq = 0
        self.streams = self.older = 0
        self.longest = 0.0

    def run(self) -> None:
        while not self._ended.wait(0.1):
            try:
                line = Line(self._port, self._path)
            except (OSError, ValueError, IndexError):
                continue
            assert line.status in AWAY | {200}, line.status
            try:
                if line.status == 200:
                    self.streams += 1
                    self._show(line)
            except (OSError, ValueError):  # it has ended in the middle of something
                continue
            finally:
                line.close()

    def _show(self, line: Line) -> None:
        line.sock.settimeout(SILENCE)
        for event in line:
            self.longest = max(self.longest, time.monotonic() - self._heard)
            self._heard = time.monotonic()
            if event.id is not None:
                self.older += event.id < self.seq
                self.seq = event.id
            if self._ended.is_set():
                return


class Watched:
    """Threads of which none may end by a mistake."""

    def __init__(self, *works: Callable[[], None]) -> None:
        self.error: BaseException | None = None
        self._threads = [threading.Thread(target=self._run, args=(work,)) for work in works]
        for thread in self._threads:
            thread.start()

    def _run(self, work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            self.error = error

    def end(self) -> None:
        for thread in self._threads:
            thread.join(60)
        if self.error is not None:
            raise self.error


def service_killed(hall: Hall, luck: random.Random) -> None:
    service = luck.choice(hall.services)
    service.kill()
    service.again()


def database_killed(hall: Hall, luck: random.Random) -> None:
    hall.database.kill()
    time.sleep(luck.uniform(0, 0.3))
    hall.database.start()


def both_killed(hall: Hall, luck: random.Random) -> None:
    """A service and its database are gone together."""
    service = luck.choice(hall.services)
    hall.database.kill()
    service.kill()
    time.sleep(luck.uniform(0, 0.3))
    hall.database.start()
    service.again()


def service_frozen(hall: Hall, luck: random.Random) -> None:
    service: Service = luck.choice(hall.services)
    service.process.send_signal(signal.SIGSTOP)
    time.sleep(luck.uniform(0, FROZEN_S))
    service.process.send_signal(signal.SIGCONT)


def database_frozen(hall: Hall, luck: random.Random) -> None:
    with hall.database.frozen():
        time.sleep(luck.uniform(0, FROZEN_S))


Mishap = Callable[[Hall, random.Random], None]
MISHAPS: dict[Mishap, int] = {
    service_killed: 12,
    database_killed: 2,
    both_killed: 2,
    service_frozen: 3,
    database_frozen: 1,
}
"""What happens, and how often in a round."""


def _by_lot(luck: random.Random) -> Iterator[Mishap]:
    """Round by round, each in another order."""
    while True:
        yield from luck.sample(list(MISHAPS), counts=list(MISHAPS.values()), k=sum(MISHAPS.values()))


def main(deaths: int = DEATHS) -> None:
    luck, ended, left, begun = random.Random(18), threading.Event(), threading.Event(), time.perf_counter()
    happened, mishaps = Counter[str](), _by_lot(luck)
    with Hall(3, synced=True) as hall:
        players = [Player(hall, ended) for _ in range(TABLES)]
        screens = [Screen(hall, player, left) for player in players]
        playing = Watched(*(player.run for player in players))
        showing = Watched(*(screen.run for screen in screens))
        for death in range(1, deaths + 1):
            time.sleep(luck.uniform(0, 0.6))
            mishap = next(mishaps)
            mishap(hall, luck)
            happened[mishap.__name__.replace("_", " ")] += 1
            if playing.error or showing.error:
                break
            if death % 25 == 0:
                safe = sum(len(player.safe) for player in players)
                print(f"{death} mishaps, {safe} steps, {time.perf_counter() - begun:.0f} s", flush=True)
        ended.set()
        playing.end()
        behind = _behind(players, screens)
        left.set()
        showing.end()
        lost, doubled = _told(hall.database.address(), players)
    print(f"{', '.join(f'{count} times {what}' for what, count in happened.items())}")
    told = sum((player.told for player in players), Counter[int]())
    print(f"{sum(len(player.safe) for player in players)} steps acknowledged; asked again, by status: {dict(told)}")
    print(f"streams opened: {sum(each.streams for each in screens)}, older shown after newer: ", end="")
    print(f"{sum(each.older for each in screens)}, longest silence: {max(each.longest for each in screens):.1f} s")
    print(f"lost {lost}, doubled {doubled}, screens left behind {behind}")
    assert lost == doubled == behind == 0


def _behind(players: list[Player], screens: list[Screen]) -> int:
    """How many screens do not come to show the newest step by themselves."""
    end = time.monotonic() + 20
    while time.monotonic() < end and any(a.seq < b.seq for a, b in zip(screens, players, strict=True)):
        time.sleep(0.05)
    return sum(screen.seq < player.seq for screen, player in zip(screens, players, strict=True))


def _told(address: str, players: list[Player]) -> tuple[int, int]:
    """How many acknowledged steps are not there, and how many are there that were not asked for."""
    lost = doubled = 0
    with psycopg.connect(address) as db:
        for player in players:
            asked = "SELECT request, number FROM entries WHERE table_id = %s AND number > %s"
            rows = db.execute(asked, (player.table, player.first)).fetchall()
            there: dict[str, int] = dict(rows)
            lost += sum(there.get(request) != seq for request, seq in player.safe.items())
            doubled += max(0, len(rows) - len(there)) + max(0, len(rows) - len(player.safe) - 1)
    return lost, doubled


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
