"""A hall under simulated players: processor time of services, database and router for a press."""

from __future__ import annotations

import http.client
import json
import os
import random
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import psycopg

from companion.play.postgres_journal import CHANNEL, TICK, PostgresJournal
from tests.venue.hall import Hall
from tests.web.live import PATIENCE

TICKS = os.sysconf("SC_CLK_TCK")
PLAYERS = 6  # at once for each process; the processor is what is measured, and waits for nobody
SAMPLE = 80  # tables that are played at in a round
IN_A_ROW = 15  # presses at a table before the next one's turn: fewer than people make between two checkpoints
SMALL, LARGE, PAPER = 100, 10_000, 100_000
EVERY_S = 10  # seconds between two presses at a table of people
FULL = 0.7  # of a core, for which a process is counted
DATABASE_CORES, ROUTER_CORES = 8, 4
NOTICES = 500
LAID = {"box": "horus", "mode": "toolbox", "seats": [{"name": "Ada"}, {"name": "Ben"}], "wait": True}
COPY = """
INSERT INTO tables SELECT new, at, seq, played_at, over, after,
    convert_to(replace(convert_from(brief, 'UTF8'), id, new), 'UTF8'),
    convert_to(replace(convert_from(laid, 'UTF8'), id, new), 'UTF8'), secret, keys, ended
FROM tables, (SELECT 'b' || lpad(n::text, 6, '0') AS new FROM generate_series(%s::int, %s::int) AS n) AS wanted
WHERE id = %s
"""


class Spent(NamedTuple):
    """Processor time, in milliseconds."""

    services: float
    database: float
    router: float

    @property
    def all(self) -> float:
        return sum(self)

    def less(self, before: Spent, presses: int) -> Spent:
        return Spent(*((now - then) / presses for now, then in zip(self, before, strict=True)))

    def said(self) -> str:
        parts = (f"{name} {value:.2f}" for name, value in zip(self._fields, self, strict=True))
        return f"{self.all:.2f} ms ({', '.join(parts)})"


def main() -> None:
    """One process and three in turn, then a small and a large hall with three."""
    by_number = {}
    for services in (1, 3):
        with Hall(services) as hall:
            names, key = tables(hall, SMALL)
            played(hall, names, key, 0)
            by_number[services] = played(hall, names, key, 1)
            print(f"processor time a press, {services} processes: {by_number[services].said()}", flush=True)
            if services == 3:
                grown(hall)
    ratio = by_number[3].all / by_number[1].all
    print(f"three processes over one: {ratio:.2f} times (limit 1.3)")


def grown(hall: Hall) -> None:
    """A small hall and one with a hundred times as many tables; at either no table was opened before."""
    few, key_of_few = tables(hall, SMALL)
    small = played(hall, few, key_of_few, 2)
    many, key_of_many = tables(hall, LARGE)
    large = played(hall, many, key_of_many, 3)
    print(f"processor time a press, {SMALL} tables: {small.said()}")
    print(f"processor time a press, {LARGE:,} tables: {large.said()}")
    print(f"{LARGE:,} tables over {SMALL}: {large.all / small.all:.2f} times (flat is 1)")
    on_paper(large, heard_ms(hall))


def on_paper(cost: Spent, notice_ms: float) -> None:
    """What a hundred thousand tables would take, by the figures of this machine, and how many each part can bear."""
    presses = PAPER / EVERY_S
    cores = Spent(*(each * presses / 1000 for each in cost))
    print(f"{PAPER:,} tables, a press in {EVERY_S} s each: {presses:,.0f} presses a second")
    print(f"  cores for it: services {cores.services:.0f}, database {cores.database:.1f}, router {cores.router:.1f}")
    heard = notice_ms / 1000 / TICK  # of a core: the notices of one other process, one at each of its ticks
    borne = [number * (FULL - (number - 1) * heard) for number in range(1, round(FULL / heard) + 2)]
    processes = next((number for number, most in enumerate(borne, 1) if most >= cores.services), 0)
    others = (processes - 1) * heard
    print(f"  {processes} processes, each at {FULL:.0%} of a core")
    print(
        f"  {notice_ms * 1000:.0f} us for a notice of another process: {others:.1%} of a core for those of all others"
    )
    print(f"  {processes / TICK:,.0f} transactions a second at most, each with its notice and so one after the other:")
    print(f"  a sync of the database's disk may take {1000 * TICK / processes:.1f} ms")
    most = {
        f"the database with {DATABASE_CORES} cores": DATABASE_CORES / cores.database,
        f"the router with {ROUTER_CORES}": ROUTER_CORES / cores.router,
        f"{borne.index(max(borne)) + 1} processes that hear each other": max(borne) / cores.services,
    }
    for rank, part in enumerate(sorted(most, key=lambda each: most[each])):
        print(f"  {'what breaks first' if not rank else 'then'}: {part}, at {PAPER * most[part]:,.0f} tables")


def heard_ms(hall: Hall) -> float:
    """The processor's time for a notice of another process, one after the other as they come."""
    address = hall.database.address()
    journal, heard, spent_by_then = PostgresJournal(address), threading.Event(), list[float]()

    def hear(_: object) -> None:
        spent_by_then.append(time.thread_time())
        heard.set()

    try:
        journal.listen(hear)
        with psycopg.connect(address, autocommit=True) as db:
            for number in range(NOTICES):
                heard.clear()
                db.execute("SELECT pg_notify(%s, %s)", (CHANNEL, f"other b{number:06}=5"))
                assert heard.wait(PATIENCE)
    finally:
        journal.close()
    return (spent_by_then[-1] - spent_by_then[0]) * 1000 / (NOTICES - 1)


def tables(hall: Hall, count: int) -> tuple[list[str], str]:
    """So many tables: one that was laid by hand, and copies of it in the database."""
    status, laid = hall.services[0].call("POST", "/api/tables", LAID)
    assert status == 201, laid
    with psycopg.connect(hall.database.address(), autocommit=True) as db:
        there = db.execute("SELECT count(*) FROM tables WHERE id LIKE 'b______'").fetchone()
        assert there
        db.execute(COPY, (there[0] + 1, there[0] + count, laid["table"]))
        db.execute("VACUUM ANALYZE")
        db.execute("CHECKPOINT")
    time.sleep(1)  # until the database has closed that connection: what laying so many cost is no press's
    return [f"b{n:06}" for n in range(there[0] + 1, there[0] + count + 1)], laid["host"]


def played(hall: Hall, names: Sequence[str], key: str, round_: int) -> Spent:
    """The processor time of a press, with players at tables that were drawn by lot."""
    drawn = random.Random(round_).sample(list(names), min(SAMPLE, len(names)))
    players = PLAYERS * len(hall.services)
    shares = [drawn[n::players] for n in range(players)]
    before, wrong = spent(hall), list[Any]()
    threads = [threading.Thread(target=press, args=(hall, share, key, round_, wrong)) for share in shares]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong, wrong[:3]
    time.sleep(0.3)  # until the notices are read
    return spent(hall).less(before, len(drawn) * IN_A_ROW)


def press(hall: Hall, names: Sequence[str], key: str, round_: int, wrong: list[Any]) -> None:
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {key}"}
    with closing(http.client.HTTPConnection("127.0.0.1", hall.router.port, timeout=PATIENCE)) as link:

        def asked(method: str, path: str, body: object = None) -> Any:
            link.request(method, path, json.dumps(body) if body else None, headers)
            answer = link.getresponse()
            told = json.loads(answer.read())
            if answer.status != 200:
                wrong.append((answer.status, told))
            return told

        for name in names:
            path = f"/api/tables/{name}"
            seq = asked("GET", path).get("seq", 0)
            for number in range(IN_A_ROW):
                move = {"type": "award", "seat": 0, "points": 1}
                body = {"seq": seq, "request": f"{round_} {number}", "move": move}
                seq = asked("POST", f"{path}/moves", body).get("seq", seq)


def spent(hall: Hall) -> Spent:
    """What each part has spent so far."""
    assert hall.database.process
    services = sum(processor_ms(each.process.pid) for each in hall.services)
    return Spent(services, family_ms(hall.database.process.pid), processor_ms(hall.router.process.pid))


def processor_ms(pid: int) -> float:
    """A process with the children it has waited for."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICKS * 1000


def family_ms(pid: int) -> float:
    """A process with all its children, those that live and those that do not."""
    total = processor_ms(pid)
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text(encoding="utf-8").rpartition(")")[2].split()[1])
            total += processor_ms(int(stat.parent.name)) if parent == pid else 0
        except OSError:
            continue
    return total


if __name__ == "__main__":
    main()
