"""How fast a table is: steps, steps on disk, replay, and the command itself."""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from companion.game import Chance, Dealt, Played, Seat, Setup, Turn
from companion.play.hall import Hall
from companion.play.opening import table_of
from companion.play.table import HOST, Table
from companion.play.view import view

BOXES = ("jenseits", "tomb_raiders", "horus", "tutankhamun")
STEPS = 1000
HANDS = 6  # threads that answer people, as a service has them


def lay(hall: Hall, box: str) -> Table:
    return hall.lay(Setup(box, "toolbox", (Seat("Ada"), Seat("Ben"))), secret=bytes(32))


def press(table: Table, rng: random.Random) -> None:
    """Do anything that is open."""
    if isinstance(table.ask(), Chance):
        table.answer(HOST, table.seq, str(table.seq), None)
        return
    move = rng.choice(table.moves(HOST).moves)
    table.play(HOST, table.seq, str(table.seq), msgspec.to_builtins(move))


def bare_steps(box: str, seconds: float = 1.0) -> float:
    """Steps a second without disk or view: a step is a move or an outcome, with the legal list made for each turn."""
    with tempfile.TemporaryDirectory() as folder:
        hall = Hall(Path(folder))
        game = lay(hall, box).game
        hall.close()
    rng, state, steps = random.Random(1), game.start(), 0
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        ask = game.ask(state)
        if isinstance(ask, Chance):
            outcomes, weights = zip(*ask.odds, strict=True)
            state = game.after(state, Dealt(rng.choices(outcomes, weights)[0]))
        elif isinstance(ask, Turn):
            seat = rng.choice(ask.seats)
            moves = game.moves(state, seat).moves
            state = game.after(state, Played(seat, rng.choice(moves))) if moves else game.start()
        else:
            state = game.start()
        steps += 1
    return steps / seconds


def counted_presses(hall: Hall) -> tuple[float, float, float]:
    """Of a whole game: entries a press; and for each, with the view after it, how often it was computed and asked."""
    setup = Setup("jenseits", "referee", (Seat("Ada"), Seat("Ben")))
    table, rng = hall.lay(setup, secret=bytes(32)), random.Random(1)
    game: Any = table.game
    calls: Counter[str] = Counter()

    def counting(name: str) -> Callable[..., object]:
        called = getattr(game, name)

        def count(*given: object) -> object:
            calls[name] += 1
            return called(*given)

        return count

    game.after, game.ask = counting("after"), counting("ask")
    presses = 0
    while not table.over():
        press(table, rng)
        view(table, HOST)
        presses += 1
    return table.seq / presses, calls["after"] / table.seq, calls["ask"] / table.seq


def synced_writes(folder: Path, seconds: float = 1.0) -> float:
    """The floor beside the journal: bare appends with an fsync each."""
    with (folder / "floor").open("ab", buffering=0) as file:
        writes, end = 0, time.perf_counter() + seconds
        while time.perf_counter() < end:
            file.write(b"x" * 200)
            os.fsync(file.fileno())
            writes += 1
    return writes / seconds


def presses_at_once(hall: Hall, seconds: float = 1.0) -> float:
    """Presses a second at so many tables as a service answers at once: steps that come together share a sync."""
    presses = list[int]()

    def played(table: Table) -> None:
        made = 0
        while time.perf_counter() < end:
            table.play(HOST, table.seq, str(made), {"type": "award", "seat": 0, "points": (-1) ** made})
            made += 1
        presses.append(made)

    tables = [lay(hall, "horus") for _ in range(HANDS)]
    end = time.perf_counter() + seconds
    threads = [threading.Thread(target=played, args=(table,)) for table in tables]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(presses) / seconds


def timed(do: Callable[[], object], times: int) -> float:
    """The median of some runs, in milliseconds."""
    taken = []
    for _ in range(times):
        begin = time.perf_counter()
        do()
        taken.append((time.perf_counter() - begin) * 1000)
    return statistics.median(taken)


def main() -> None:
    for box in BOXES:
        print(f"toolbox {box}: {bare_steps(box):,.0f} steps/s (random play, legal list made for each turn)")
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as name:
        folder = Path(name)
        floor = synced_writes(folder)
        hall = Hall(folder)
        table, rng = lay(hall, "jenseits"), random.Random(1)
        requests, begin = 0, time.perf_counter()
        while table.seq < STEPS:
            press(table, rng)
            requests += 1
        took = time.perf_counter() - begin
        print(f"journalled: {table.seq / took:,.0f} steps/s, {requests / took:,.0f} requests/s with fsync")
        print(f"journalled against bare fsync: {requests / took / floor:.2f} of {floor:,.0f} writes/s")
        floor, at_once = synced_writes(folder), presses_at_once(hall)
        print(f"journalled at {HANDS} tables at once: {at_once / floor:.2f} of {floor:,.0f} bare synced writes/s (0.6)")
        entries, computed, asked = counted_presses(hall)
        print(f"entries computed per press: {computed:.2f} times each, asked {asked:.2f} times ({entries:.1f} entries)")
        laid, secret, keys = hall.journal.opened(table.id)
        written = hall.journal.entries(table.id)
        replay = timed(lambda: table_of(laid, secret, keys, hall.journal, clock=lambda: 0, written=written), 5)
        print(f"replay of {len(written)} steps: {replay:.1f} ms (limit 50)")
        hall.close()
    version = [sys.executable, "-m", "companion.terminal.cli", "--version"]
    asked = timed(lambda: subprocess.run(version, check=True, capture_output=True), 7)
    print(f"digside --version: {asked:.0f} ms (limit 150)")
    bare = timed(lambda: subprocess.run([sys.executable, "-c", ""], check=True, capture_output=True), 7)
    print(f"bare python: {bare:.0f} ms")


if __name__ == "__main__":
    main()
