"""Three services over one database: each is killed at any moment, and so is the database; every step is there once."""

from __future__ import annotations

import http.client
import itertools
import json
import random
import sys
import threading
import time
from typing import Any

import psycopg

from tests.venue.hall import Hall, Service
from tests.web.live import PATIENCE

DEATHS = 400
DATABASE = 12  # of so many deaths one is the database's
TABLES = 8
PAUSE = 0.01  # seconds between two presses at a table


class Player:
    """Presses at one table, and presses the same again whenever no answer came."""

    def __init__(self, hall: Hall, ended: threading.Event) -> None:
        self._port = hall.router.port
        self._ended = ended
        path, laid = hall.services[0].lay()
        self.table, self._key = laid["table"], laid["host"]
        self.seq: int = hall.services[0].call("GET", path)[1]["seq"]
        self.first = self.seq
        self.safe: dict[str, int] = {}
        self.refused = 0
        self.error: BaseException | None = None

    def play(self) -> None:
        try:
            for number in itertools.count(1):
                if self._ended.wait(PAUSE):
                    return
                self._press(f"press {number}", number)
        except BaseException as error:
            self.error = error

    def _press(self, request: str, number: int) -> None:
        move = {"type": "dial", "knowledge": number % 8 + 1}
        body = {"seq": self.seq, "request": request, "move": move}
        for _ in range(3000):
            status, told = self._ask("POST", f"/api/tables/{self.table}/moves", body, self._key)
            if status == 200:
                assert told["seq"] == self.seq + 1, (told["seq"], self.seq)
                self.seq = self.safe[request] = told["seq"]
                return
            assert status not in {400, 401, 403, 404, 409, 422}, (status, told)
            self.refused += 1
            time.sleep(0.02)
        raise AssertionError("it is not answered any more")

    def _ask(self, method: str, path: str, body: object, key: str) -> tuple[int, Any]:
        """One call; 0 where nothing came back."""
        link = http.client.HTTPConnection("127.0.0.1", self._port, timeout=PATIENCE)
        try:
            headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
            link.request(method, path, json.dumps(body) if body is not None else None, headers)
            answer = link.getresponse()
            raw = answer.read()
            return answer.status, json.loads(raw) if raw.startswith(b"{") else {}
        except (OSError, http.client.HTTPException):
            return 0, {}
        finally:
            link.close()


def main(deaths: int = DEATHS) -> None:
    luck, ended, begun = random.Random(18), threading.Event(), time.perf_counter()
    with Hall(3, synced=True) as hall:
        players = [Player(hall, ended) for _ in range(TABLES)]
        threads = [threading.Thread(target=player.play) for player in players]
        for thread in threads:
            thread.start()
        died = 0
        for death in range(1, deaths + 1):
            time.sleep(luck.uniform(0, 0.6))
            if death % DATABASE == 0:
                hall.database.kill()
                time.sleep(luck.uniform(0, 0.3))
                hall.database.start()
                died += 1
            else:
                _killed(luck.choice(hall.services))
            if any(player.error for player in players):
                break
            if death % 25 == 0:
                safe = sum(len(player.safe) for player in players)
                print(f"{death} kills, {safe} steps, {time.perf_counter() - begun:.0f} s", flush=True)
        ended.set()
        for thread in threads:
            thread.join(60)
        for player in players:
            if player.error is not None:
                raise player.error
        lost, doubled = _told(hall.database.address(), players)
    safe = sum(len(player.safe) for player in players)
    refused = sum(player.refused for player in players)
    print(f"{deaths} kills, {died} of them of the database: {safe} steps acknowledged, {refused} asked again")
    print(f"lost {lost}, doubled {doubled}")
    assert lost == doubled == 0


def _killed(service: Service) -> None:
    service.kill()
    service.again()


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
