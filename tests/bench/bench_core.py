"""How fast a table is: steps, steps on disk, replay, and the command itself."""

from __future__ import annotations

import os
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from companion.game import Chance, Dealt, Played, Seat, Setup, Turn
from companion.play.hall import Hall
from companion.play.opening import table_of
from companion.play.table import HOST, Table
from companion.play.view import view
from tests.bench.bench_web import likely
from tests.bench.evenings import BOXES, press
from tests.bench.limits import judged, limited
from tests.games.pace import chess_play, random_play, refereed

STEPS = 1000
HANDS = 6  # threads that answer people, as a service has them
BLOCK_S = 0.3
ROUNDS = 12


def lay(hall: Hall, box: str) -> Table:
    return hall.lay(Setup(box, "toolbox", (Seat("Ada"), Seat("Ben"))), secret=bytes(32))


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


Writer = Callable[[], None]


class Rates(NamedTuple):
    """Writes a second in one round: bare ones, and presses that are kept in a journal."""

    one_bare: float
    bare: float
    commits: float
    presses: float


def appending(file: Path) -> Writer:
    """A bare append with its sync."""
    opened = file.open("ab", buffering=0)

    def write() -> None:
        opened.write(b"x" * 200)
        os.fsync(opened.fileno())

    return write


def committing(file: Path) -> Writer:
    """A row of bare SQLite, with a commit and its sync."""
    db = sqlite3.connect(file, isolation_level=None, check_same_thread=False, timeout=60)
    db.executescript("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE IF NOT EXISTS steps (body BLOB);")

    def write() -> None:
        db.execute("INSERT INTO steps VALUES (?)", (b"x" * 200,))

    return write


def pressing(hall: Hall) -> Writer:
    """A press at a table of its own."""
    table, numbers = lay(hall, "horus"), count()

    def write() -> None:
        number = next(numbers)
        table.play(HOST, table.seq, str(number), {"type": "award", "seat": 0, "points": (-1) ** number})

    return write


def at_once(writers: Sequence[Writer], seconds: float = BLOCK_S) -> float:
    """How many writes a second so many make, a thread for each."""
    made, end = list[int](), time.perf_counter() + seconds

    def work(write: Writer) -> None:
        done = 0
        while time.perf_counter() < end:
            write()
            done += 1
        made.append(done)

    threads = [threading.Thread(target=work, args=(write,)) for write in writers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(made) / seconds


def journalled(hall: Hall, folder: Path) -> None:
    """Presses at so many tables as a service answers at once, beside bare writers, in rounds with the same weather."""
    bare = [appending(folder / f"bare{each}") for each in range(HANDS)]
    commits = [committing(folder / "bare.sqlite") for _ in range(HANDS)]
    presses = [pressing(hall) for _ in range(HANDS)]
    rounds = [Rates(*(at_once(each) for each in (bare[:1], bare, commits, presses))) for _ in range(ROUNDS + 1)][1:]
    for name, rates in zip(Rates._fields, zip(*rounds, strict=True), strict=True):
        usual = f"{statistics.median(rates):,.0f} a second"
        print(f"  {name.replace('_', ' ')}: {usual}, {min(rates):,.0f} to {max(rates):,.0f}")
    of_one, of_bare, of_commits = (partial(over, which=which) for which in range(3))
    name = f"journalled at {HANDS} tables at once"
    limited(
        f"{name} over one bare writer that syncs each",
        of_one(rounds),
        "times",
        at_least=0.6,
        more=likely(rounds, of_one),
    )
    print(f"{name} over {HANDS} bare writers that do: {of_bare(rounds):.2f} times ({likely(rounds, of_bare)})")
    print(f"{name} over {HANDS} commits of bare SQLite: {of_commits(rounds):.2f} times ({likely(rounds, of_commits)})")


def over(rounds: Sequence[Rates], which: int) -> float:
    """The presses for each bare write of a kind, in the middle of some rounds."""
    return statistics.median(each.presses / each[which] for each in rounds)


def timed(do: Callable[[], object], times: int) -> float:
    """The median of some runs, in milliseconds."""
    taken = []
    for _ in range(times):
        begin = time.perf_counter()
        do()
        taken.append((time.perf_counter() - begin) * 1000)
    return statistics.median(taken)


def referees(games: int = 20) -> None:
    """Steps of the referees a second of the processor's time, beside python-chess's moves in the same run."""
    moves = chess_play(random.Random(1))
    print(f"python-chess: {moves:,.0f} moves/s (random play, legal list made for each turn)")
    for box in BOXES:
        steps, _ = random_play(refereed(box), games, random.Random(1))
        print(f"referee {box}: {steps:,.0f} steps/s ({steps / moves:.2f} times python-chess)")


def main() -> None:
    referees()
    for box in BOXES:
        print(f"toolbox {box}: {bare_steps(box):,.0f} steps/s (random play, legal list made for each turn)")
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as name:
        folder = Path(name)
        hall = Hall(folder)
        table, rng = lay(hall, "jenseits"), random.Random(1)
        requests, begin = 0, time.perf_counter()
        while table.seq < STEPS:
            press(table, rng)
            requests += 1
        took = time.perf_counter() - begin
        print(f"journalled: {table.seq / took:,.0f} steps/s, {requests / took:,.0f} requests/s with fsync")
        journalled(hall, folder)
        entries, computed, asked = counted_presses(hall)
        print(f"entries computed per press: {computed:.2f} times each, asked {asked:.2f} times ({entries:.1f} entries)")
        laid, secret, keys = hall.journal.laying_of(table.id)
        written = hall.journal.entries(table.id)
        replay = timed(lambda: table_of(laid, secret, keys, hall.journal, clock=lambda: 0, written=written), 5)
        limited(f"replay of {len(written):,} steps", replay, "ms", at_most=50)
        hall.close()
    version = [sys.executable, "-m", "companion.terminal.cli", "--version"]
    asked = timed(lambda: subprocess.run(version, check=True, capture_output=True), 7)
    limited("digside --version", asked, "ms", at_most=150)
    bare = timed(lambda: subprocess.run([sys.executable, "-c", ""], check=True, capture_output=True), 7)
    print(f"bare python: {bare:.0f} ms")


if __name__ == "__main__":
    sys.exit(judged({"core": main}))
