"""A hall on paper: what very many tables would take by the figures of one machine, and what breaks first."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from companion.play.postgres_connections import LOOKS
from companion.play.postgres_journal import TICK
from tests.bench.spent import Spent

PAPER = 100_000
EVERY_S = 10  # seconds between two presses at a table of people
SCREENS = 2  # at each
FULL = 0.7  # of a core, for which a process is counted
DATABASE_CORES, ROUTER_CORES = 8, 4
DATABASE_CONNECTIONS = 100  # as PostgreSQL comes
OWN_CONNECTIONS = LOOKS + 3  # of a process: those that look, and one to write, to listen, and to speak to a broker
PROCESS_LINES = 4000  # of a process, by `--screens` as README has it
MOST_PROCESSES, MOST_TABLES = 2000, 1 << 24


class Costs(NamedTuple):
    """What was measured.

    :ivar press: processor time of a press, in milliseconds
    :ivar line: of a live line at which nothing happens, in a second
    :ivar heard: of a process for a notice of another
    :ivar told: of the database for each process that a notice is told to
    :ivar table_mb: memory of a table in play, with its screens
    :ivar connections: that the venue's router takes on this machine
    """

    press: Spent
    line: Spent
    heard: float
    told: float
    table_mb: float
    connections: int


def cores(costs: Costs, tables: int, processes: int) -> Spent:
    """How many cores each part is busy with."""
    presses, lines = tables / EVERY_S, tables * SCREENS
    notices = processes / TICK  # in a second, at most: one of each process at each of its ticks
    busy = costs.press.times(presses).less(costs.line.times(-lines))
    more = Spent(notices * (processes - 1) * costs.heard, notices * processes * costs.told, 0)
    return busy.less(more.times(-1)).times(1 / 1000)


def processes_for(costs: Costs, tables: int) -> int | None:
    """How many processes bear so many tables; None where the more there are the less each has left."""
    fewest = -(-tables * SCREENS // PROCESS_LINES)
    wanted = (each for each in range(fewest, MOST_PROCESSES) if cores(costs, tables, each).services <= FULL * each)
    return next(wanted, None)


def most(borne: Callable[[int], bool]) -> int:
    """The largest number of tables that is borne.

    >>> most(lambda tables: tables <= 4750)
    4750
    """
    least, step = 0, MOST_TABLES
    while step:
        least += step if borne(least + step) else 0
        step //= 2
    return least


def on_paper(costs: Costs) -> None:
    """What a hundred thousand tables would take, and how many each part can bear."""
    processes = processes_for(costs, PAPER)
    print(f"{PAPER:,} tables on paper, {SCREENS} screens at each, a press in {EVERY_S} s:")
    if processes is None:
        print("  no number of processes bears them: each is busy with what the others tell")
    else:
        busy = cores(costs, PAPER, processes)
        told = ", ".join(f"{name} {value:.1f}" for name, value in zip(busy._fields, busy, strict=True))
        beats = costs.line.times(PAPER * SCREENS / 1000)
        print(f"  cores: {told}")
        lines = f"services {beats.services:.1f}, router {beats.router:.1f}"
        print(f"  of these for {PAPER * SCREENS:,} lines at which nothing happens: {lines}")
        print(f"  {processes} processes at {FULL:.0%} of a core, {PAPER / processes * costs.table_mb:,.0f} MB in each")
        print(f"  {processes / TICK:,.0f} transactions a second, each after the one before, with its notice:")
        print(f"  a sync of the database's disk may take {1000 * TICK / processes:.2f} ms")
    for rank, (part, tables) in enumerate(sorted(breaking(costs).items(), key=lambda each: each[1])):
        print(f"  {'then' if rank else 'what breaks first'}: {part}, at {tables:,} tables")


def breaking(costs: Costs) -> dict[str, int]:
    """With how many tables each part is full; the first two are settings, which the other parts may bear higher."""

    deaf = costs._replace(heard=0)  # each part for itself: as many processes as it takes

    def processes(tables: int) -> int:
        return processes_for(deaf, tables) or MOST_PROCESSES

    return {
        f"the router's connections, {costs.connections:,} by its file and this machine's": costs.connections // SCREENS,
        f"PostgreSQL's max_connections, {DATABASE_CONNECTIONS} as it comes": most(
            lambda tables: processes(tables) * OWN_CONNECTIONS <= DATABASE_CONNECTIONS
        ),
        f"the database with {DATABASE_CORES} cores": most(
            lambda tables: cores(costs, tables, processes(tables)).database <= DATABASE_CORES
        ),
        f"the router with {ROUTER_CORES} cores": most(lambda tables: cores(costs, tables, 1).router <= ROUTER_CORES),
        "processes that hear each other, however many": most(lambda tables: bool(processes_for(costs, tables))),
    }
