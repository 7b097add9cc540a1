"""A hall under simulated players: processor time of services, database and router for a press, and for a live line."""

from __future__ import annotations

import resource
import statistics
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import psycopg

from companion.play.postgres_journal import PostgresJournal
from tests.bench.bench_web import likely, memory_mb
from tests.bench.evenings import Evening, evenings
from tests.bench.limits import Others, judged, limited
from tests.bench.notices import for_a_listener, heard
from tests.bench.paper import Costs, on_paper
from tests.bench.players import Players
from tests.bench.spent import Spent, spent
from tests.venue.hall import Hall
from tests.venue.programs import most_connections
from web_ui.settings import Settings

FILES = 1 << 16
KINDS = 16  # different evenings, of all games
YOUNG = range(20, 41)  # steps at a table at which people sit down: ten thousand are laid and opened in minutes
SCRIPT = 30  # presses that follow
SMALL, LARGE = 100, 10_000
ROUNDS, BLOCK, RATE = 5, 150, 50.0  # presses in a block, and in a second
SETS = 4  # small halls before the large one, and as many after it
LARGE_RATE = 200.0
AT_REST_S, SHORT_S = 4.0, 2.0
LATE_S = 0.5  # until the other processes have read the last notices
BEAT_S = 4.5  # between two beats of a line, five times as long as elsewhere: ten thousand would take all of a machine
ROOM = 0.5  # of the memory there is, that a bench may take
TABLE_MB = 1.0  # that a table may take
HALL_PAGE = "/api/house/stream"
TABLES = """
INSERT INTO tables SELECT new, at, seq, played_at, over, after,
    convert_to(replace(convert_from(brief, 'UTF8'), id, new), 'UTF8'),
    convert_to(replace(convert_from(laid, 'UTF8'), id, new), 'UTF8'), secret, keys, ended
FROM tables, (SELECT %(of)s || lpad(n::text, 4, '0') AS new FROM generate_series(1, %(times)s::int) AS n) AS wanted
WHERE id = %(of)s
"""
ENTRIES = """
INSERT INTO entries SELECT table_id || lpad(n::text, 4, '0'), number, at, request, asked, body, link
FROM entries, generate_series(1, %(times)s::int) AS n WHERE table_id = %(of)s
"""


def main(part: str = "", large: str = str(LARGE)) -> None:
    """Both parts, or the one that is named: processes, or tables, and then with so many."""
    granted = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (granted, granted))
    with suppress(ValueError):  # only root is granted more than there is
        resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))
    kinds = list(evenings(YOUNG, of_each=KINDS // 8, presses=SCRIPT))
    if part in {"", "processes"}:
        by_processes(kinds)
    if part in {"", "tables"}:
        by_tables(kinds, int(large))


class Crowd:
    """Players at a hall's tables, with two screens at each."""

    def __init__(self, hall: Hall, kinds: Sequence[Evening]) -> None:
        self._hall = hall
        self.players = Players(hall.router.port)
        self.players.sit_down(laid(hall, kinds, "a", SMALL))

    def warm(self) -> None:
        """Play for a while, and see what a hall takes that rests."""
        self.players.play(SMALL, RATE)
        self._rest = at_rest(self._hall, self.players)
        self._spent, self._began = spent(self._hall), time.monotonic()

    def play(self) -> None:
        self.players.play(BLOCK, RATE)
        self.players.rest(LATE_S)

    def since(self) -> Spent:
        """What a press of the newest block has cost, with all that came of it until now."""
        used, took = spent(self._hall).less(self._spent), time.monotonic() - self._began
        self._spent, self._began = spent(self._hall), time.monotonic()
        return used.less(self._rest.times(took)).times(1 / BLOCK)


def by_processes(kinds: Sequence[Evening]) -> None:
    """One process and three, in blocks of presses that alternate."""
    others = Others()
    with Hall(1, beat=BEAT_S) as alone, Hall(3, beat=BEAT_S) as three:
        crowds = [Crowd(hall, kinds) for hall in (alone, three)]
        in_turns("nobody at /hall", crowds)
        for crowd in crowds:
            crowd.players.look(HALL_PAGE)
        in_turns("somebody at /hall", crowds)
        for crowd in crowds:
            crowd.players.close()
    print(f"  work of others meanwhile: {others.share():.0%}", flush=True)


def in_turns(looks: str, crowds: Sequence[Crowd]) -> None:
    """So many rounds at one hall and the other."""
    rounds = list[tuple[Spent, ...]]()
    for crowd in crowds:
        crowd.warm()
    for _ in range(ROUNDS):
        for crowd in crowds:
            crowd.play()
        rounds.append(tuple(crowd.since() for crowd in crowds))
    for which, services in enumerate((1, 3)):
        tell(f"{services} processes, {looks}", [each[which] for each in rounds])
    name = f"three processes over one, two screens at each of {SMALL} tables, {looks}"
    limited(name, over(rounds), "times", at_most=1.3, more=likely(rounds, over))


def by_tables(kinds: Sequence[Evening], wanted: int) -> None:
    """Small halls, one with a hundred times as many tables, and small ones again; a screen and a press at each."""
    others = Others()
    with Hall(3, beat=BEAT_S) as hall:
        players = Players(hall.router.port)
        sets = [laid(hall, kinds, f"a{number}", SMALL) for number in range(1 + 2 * SETS)]
        small = [pressed(hall, players, each) for each in sets[: 1 + SETS]][1:]  # the first is to get warm
        names, before, bare = laid(hall, kinds, "b", affordable(wanted)), memory(hall), at_rest(hall, players)
        large = pressed(hall, players, names, leave=False)
        table_mb = (memory(hall) - before) / len(names)
        line = at_rest(hall, players).less(bare).times(BEAT_S / Settings().beat / len(names))
        players.leave(players.tables)
        small += [pressed(hall, players, each) for each in sets[1 + SETS :]]
        nobodys = [name for name, _ in laid(hall, kinds, "c", SMALL)]
        costs = Costs(large, line, heard(hall, nobodys), for_a_listener(hall), table_mb, most_connections())
        players.close()
    tell(f"{SMALL} tables", small)
    tell(f"{len(names):,} tables", [large])
    grown = [(each, large) for each in small]
    name = f"{len(names):,} tables over {SMALL}, a screen and a press at each"
    limited(name, over(grown), "times", at_most=1.1, more=likely(grown, over))
    told_on_paper(costs)
    print(f"  work of others meanwhile: {others.share():.0%}", flush=True)


def told_on_paper(costs: Costs) -> None:
    """What the arithmetic is fed with, and what comes of it."""
    print(f"a line at rest, in a second: {costs.line.times(1000).said('us')}")
    print(
        f"a notice of another process: {costs.heard:.3f} ms of each that hears it, {costs.told:.4f} ms of the database"
    )
    print(f"memory of a table with a screen: {costs.table_mb:.2f} MB, with {YOUNG.start} to {YOUNG.stop - 1} steps")
    on_paper(costs)


def tell(name: str, costs: Sequence[Spent]) -> None:
    """What a press cost, and between which."""
    middle = Spent(*map(statistics.median, zip(*costs, strict=True)))
    spread = f", {min(each.all for each in costs):.2f} to {max(each.all for each in costs):.2f} of {len(costs)}"
    print(f"processor time a press, {name}: {middle.said('ms')}{spread if len(costs) > 1 else ''}", flush=True)


def over(rounds: Sequence[tuple[Spent, ...]]) -> float:
    """How many times as much the second spends on a press, in the middle of some rounds."""
    return statistics.median(other.all / one.all for one, other in rounds)


def pressed(hall: Hall, players: Players, names: Sequence[tuple[str, Evening]], *, leave: bool = True) -> Spent:
    """The processor time of a press, once at each of these tables, which people have just sat down at."""
    tables = players.sit_down(names, screens=1)
    rest = at_rest(hall, players, AT_REST_S if len(tables) > SMALL else SHORT_S)
    before, began = spent(hall), time.monotonic()
    players.play(len(tables), LARGE_RATE, tables)
    players.rest(LATE_S)
    used = spent(hall).less(before).less(rest.times(time.monotonic() - began))
    if leave:
        players.leave(tables)
    return used.times(1 / len(tables))


def at_rest(hall: Hall, players: Players, seconds: float = AT_REST_S) -> Spent:
    """What a hall spends in a second while nobody presses."""
    players.rest(1)
    before, began = spent(hall), time.monotonic()
    players.rest(seconds)
    return spent(hall).less(before).times(1 / (time.monotonic() - began))


def laid(hall: Hall, kinds: Sequence[Evening], mark: str, count: int) -> list[tuple[str, Evening]]:
    """So many tables: each kind laid once, and copies of it in the database."""
    journal, names = PostgresJournal(hall.database.address()), list[tuple[str, Evening]]()
    with psycopg.connect(hall.database.address(), autocommit=True) as db:
        for number, kind in enumerate(kinds):
            first, times = f"{mark}k{number:02}", (count + len(kinds) - 1 - number) // len(kinds)
            journal.lay(kind.called(first), kind.secret, kind.keys, kind.written)
            db.execute(TABLES, {"of": first, "times": times})
            db.execute(ENTRIES, {"of": first, "times": times})
            names += [(f"{first}{n:04}", kind) for n in range(1, times + 1)]
        db.execute("VACUUM ANALYZE")
        db.execute("CHECKPOINT")
    journal.close()
    return names


def affordable(wanted: int) -> int:
    """As many tables as are wanted, or as this machine has memory and files for; what it lacks is said."""
    told = Path("/proc/meminfo").read_text(encoding="ascii").split("MemAvailable:")[1]
    room = {
        "memory": int(int(told.split()[0]) / 1024 * ROOM / TABLE_MB),
        "files that a process may open, of which the router takes two for each": most_connections() - SMALL,
    }
    lacks, most = min(room.items(), key=lambda each: each[1])
    if most < wanted:
        print(f"this machine has room for {most:,} tables instead of {wanted:,}: it lacks {lacks}", flush=True)
    return min(wanted, most)


def memory(hall: Hall) -> float:
    return sum(memory_mb(each.process.pid) for each in hall.services)


if __name__ == "__main__":
    sys.exit(judged({"hall": partial(main, *sys.argv[1:])}))
