"""One process with a file and very many tables: a crowd that plays at once, and all that was ever played."""

from __future__ import annotations

import http.client
import json
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from companion.game import Finished
from companion.play.entries import EndFound
from companion.play.hall import Hall
from companion.play.sqlite_journal import SqliteJournal
from companion.play.table import HOST
from tests.bench.bench_core import lay
from tests.bench.bench_web import Pair, Took, likely, memory_mb, p99, ratio, ratio_p99, start_seconds
from tests.bench.evenings import Evening, evenings, press
from tests.bench.limits import Others, judged, limited, milliseconds
from tests.bench.players import Played, Players
from tests.venue.hall import SCREENS
from tests.web.live import PATIENCE, Live

CROWD = 1000
KINDS = 40  # different evenings; each lies on so many tables that they make a crowd
LONG = range(100, 301)  # steps of an evening
SCRIPT = 12  # presses that are known to follow
BLOCKS = 8
QUIET, QUIET_RATE = 50, 10.0  # presses in a block at a table of each kind, and how many in a second
LOUD, LOUD_RATE = 250, 50.0  # the same in the crowd
PAST = 10_000
STEPS = 40  # of a table that was played: more take room on the disk, and are not read for a start or a list
LOOKS = 21  # at a page of the list


def main(*parts: str) -> None:
    """Both, or those that are named: crowd, past."""
    for part, measured in (("crowd", crowded), ("past", past)):
        if not parts or part in parts:
            with tempfile.TemporaryDirectory() as folder:
                measured(Path(folder))


def crowded(folder: Path) -> None:
    """A thousand tables in the middle of an evening, with two screens each; before and after, a few of them alone."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (8192, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
    kinds = list(evenings(LONG, of_each=KINDS // 8, presses=SCRIPT))
    laid = [(f"b{number:05}", kinds[number % KINDS]) for number in range(CROWD)]
    with unsynced(folder) as journal:
        for name, kind in laid:
            journal.lay(kind.called(name), kind.secret, kind.keys, kind.written)
    live = Live(folder, settings=SCREENS)
    players, others = Players(live.port), Others(live.process.pid)
    few = players.sit_down(laid[:KINDS])
    before, quiet = memory_mb(live.process.pid), blocks(players, few, BLOCKS // 2, QUIET, QUIET_RATE)
    weather = [others.share()]
    crowd = players.sit_down(laid[KINDS:])
    others.share()
    loud = blocks(players, crowd, BLOCKS, LOUD, LOUD_RATE)
    weather.append(others.share())
    memory, page = memory_mb(live.process.pid), listed(live)
    players.leave(crowd)
    players.rest(1)
    others.share()
    quiet += blocks(players, few, BLOCKS // 2, QUIET, QUIET_RATE)
    weather.append(others.share())
    players.close()
    live.stop()
    told_of_crowd(kinds, [Pair(*each) for each in zip(quiet, loud, strict=True)])
    name = f"memory with {CROWD:,} tables of all games in play and two screens each"
    limited(name, memory, "MB", at_most=300, more=f"{(memory - before) / (CROWD - KINDS):.2f} for one more")
    limited("a page of the list of tables then", page.clock, "ms", at_most=20, more=page.of_processor)
    told = ", ".join(f"{share * 100:.0f} %" for share in weather)
    print(f"  work of others meanwhile, before, in the crowd, after: {told}", flush=True)


def told_of_crowd(kinds: list[Evening], pairs: list[Pair]) -> None:
    """What a press took in the quiet, and in the crowd."""
    steps = statistics.mean(len(kind.written) for kind in kinds)
    print(f"  {CROWD:,} tables, with {steps:.0f} steps as they sat down, on average; {LOUD_RATE:.0f} presses a second")
    for name, of in (("median", statistics.median), ("p99", p99)):
        was, now = (of([each for pair in pairs for each in pair[which]]) for which in (0, 1))
        print(f"  a press to both screens of its table, {name}: {now:.1f} ms in the crowd, {was:.1f} ms in the quiet")
    print(f"  median over the quiet one: {ratio(pairs):.2f} times ({likely(pairs, ratio)})")
    name = "a press to both screens in the crowd, p99 over the quiet one"
    limited(name, ratio_p99(pairs), "times", at_most=4, more=likely(pairs, ratio_p99))


def blocks(players: Players, at: list[Played], count: int, presses: int, rate: float) -> list[list[float]]:
    """So many blocks of presses, in milliseconds."""
    players.play(len(at) // 4, rate, at)  # to get warm
    return [players.play(presses, rate, at) for _ in range(count)]


@contextmanager
def unsynced(folder: Path) -> Iterator[SqliteJournal]:
    """The tables of a folder, to lay very many without waiting for the disk."""
    journal = SqliteJournal(folder)
    journal._db.execute("PRAGMA synchronous=OFF")
    with closing(journal):
        yield journal


def past(folder: Path) -> None:
    """Ten thousand tables that were played to their end: a start, the list, and one of them opened."""
    opened = played_often(folder, PAST)
    started = start_seconds(folder)
    limited(
        f"start to first answer with {PAST:,} past tables", started.clock, "s", at_most=1, more=started.of_processor
    )
    live = Live(folder, settings=SCREENS)
    time.sleep(1)  # nobody is quicker who opens the page
    print(f"  the first page of the list, asked for the first time: {listed(live, times=1).clock:.1f} ms")
    for first in (0, PAST // 2):
        page = listed(live, first)
        limited(f"a page of the list after {first:,} past tables", page.clock, "ms", at_most=20, more=page.of_processor)
    began = time.perf_counter()
    assert live.call("GET", f"/api/tables/{opened}")[0] == 200
    print(f"  a past table, the first that is opened: {(time.perf_counter() - began) * 1000:.0f} ms", flush=True)
    live.stop()


def played_often(folder: Path, times: int) -> str:
    """Fill a folder with tables that were played to their end; the last of them."""
    hall = Hall(folder)
    table, rng = lay(hall, "jenseits"), random.Random(1)
    while table.seq < STEPS:
        press(table, rng)
    table.end(HOST, table.seq, "close")
    told = table.ask()
    assert isinstance(told, Finished)
    end = EndFound(tuple(score.total for score in told.scores), told.winners)
    laid, secret, keys = hall.journal.laying_of(table.id)
    written = hall.journal.entries(table.id)
    hall.close()
    with unsynced(folder) as journal:
        for number in range(times):
            name = f"p{number:05}"
            journal.lay(replace(laid, table=name, at=laid.at - number * 60_000), secret, keys, written)
            journal.finish(name, end)
    return table.id


def listed(live: Live, first: int = 0, times: int = LOOKS) -> Took:
    """The median of some looks at a page of the list, in milliseconds."""
    taken, before = [], milliseconds(live.process.pid)
    with closing(http.client.HTTPConnection("127.0.0.1", live.port, timeout=PATIENCE)) as link:
        link.connect()
        for _ in range(times):
            began = time.perf_counter()
            link.request("GET", f"/api/tables?first={first}")
            told = json.loads(link.getresponse().read())
            taken.append((time.perf_counter() - began) * 1000)
            assert len(told["tables"]) == 200, told
    return Took(statistics.median(taken), (milliseconds(live.process.pid) - before) / times, "ms")


if __name__ == "__main__":
    sys.exit(judged({"many": partial(main, *sys.argv[1:])}))
