"""What a notice of a hall costs: the database, for each process that listens, and each process that hears it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import psycopg

from companion.play.postgres_journal import CHANNEL, TICK
from tests.bench.spent import family_ms, spent
from tests.venue.hall import Hall

FEW, MANY = 3, 60  # listeners beside the hall's own
NOTICES = 300
READ_WITHIN = 1.0


def for_a_listener(hall: Hall) -> float:
    """Milliseconds of the database for each process more that is told of a notice."""
    few, many = (_with_listeners(hall, count) for count in (FEW, MANY))
    return (many - few) / (MANY - FEW)


def heard(hall: Hall, tables: Sequence[str]) -> float:
    """Milliseconds of a process for a notice, one at each tick, of tables that it does not have open."""
    began, before = time.monotonic(), spent(hall).services
    time.sleep(NOTICES * TICK / 2)
    at_rest = (spent(hall).services - before) / (time.monotonic() - began)
    began, before = time.monotonic(), spent(hall).services
    _tell(hall, tables, TICK)
    time.sleep(READ_WITHIN)
    meanwhile = spent(hall).services - before - at_rest * (time.monotonic() - began)
    return meanwhile / NOTICES / len(hall.services)


def _with_listeners(hall: Hall, count: int) -> float:
    assert hall.database.process
    with _listeners(hall, count):
        before = family_ms(hall.database.process.pid)
        _tell(hall, ["nobody"], 0.005)
        time.sleep(READ_WITHIN)
        return (family_ms(hall.database.process.pid) - before) / NOTICES


def _tell(hall: Hall, tables: Sequence[str], pause: float) -> None:
    """So many notices, each of two tables, as another process would send them."""
    with psycopg.connect(hall.database.address(), autocommit=True) as db:
        for number in range(NOTICES):
            named = (tables[(2 * number + each) % len(tables)] for each in range(2))
            told = f"another {' '.join(f'{table}={number}' for table in named)}"
            db.execute("SELECT pg_notify(%s, %s)", (CHANNEL, told))
            time.sleep(pause)


@contextmanager
def _listeners(hall: Hall, count: int) -> Iterator[None]:
    """So many more who hear every notice."""
    ended = threading.Event()

    def listen(db: psycopg.Connection[object]) -> None:
        while not ended.is_set():
            for _ in db.notifies(timeout=0.3):
                pass

    ears = [psycopg.connect(hall.database.address(), autocommit=True) for _ in range(count)]
    for each in ears:
        each.execute(f"LISTEN {CHANNEL}")
    threads = [threading.Thread(target=listen, args=(each,)) for each in ears]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        ended.set()
        for thread, db in zip(threads, ears, strict=True):
            thread.join()
            db.close()
