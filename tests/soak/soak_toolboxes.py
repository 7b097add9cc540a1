"""Every toolbox is pressed at random: fifty presses at each size, with the companion's luck and the table's. What was
played there is then held to the laws of `tests/laws`, at each of its steps, and to what everybody saw of it."""

from __future__ import annotations

import json
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Browser, sync_playwright

from companion.game import Source
from companion.play.hall import Hall
from companion.play.table import HOST, Actor
from companion.play.table import Table as InPlay
from companion.play.view import view
from tests.browser.pressing import SIZES, pressed
from tests.browser.screens import chromium
from tests.browser.tables import Service
from tests.laws.play import WAYS, Presser, Way, made_at
from tests.laws.test_laws import asked_well, conserved, replayed
from tests.laws.test_table_laws import back_and_forward, comes_back, hidden_from_all, tells_no_secret

PRESSES = 50
SOURCES: tuple[Source, ...] = ("companion", "table")
SEEN = ("seq", "board", "ask", "you", "log", "head")
"""What a table that is read again has to show as it was shown."""


class Pressed(NamedTuple):
    """A table that was pressed at every size, what each screen saw of it at last, and how long it took."""

    way: Way
    source: Source
    table: str
    seen: list[tuple[Actor, dict[str, Any]]]
    presses: int
    seconds: float
    amiss: str


def main(rounds: int = 1, *boxes: str) -> None:
    """Every toolbox, or those of the boxes that are named: ``python -m tests.soak.soak_toolboxes 1 horus``."""
    toolboxes = (way for way in WAYS if way.mode == "toolbox" and (not boxes or way.box in boxes))
    ways = [way for way in toolboxes if way.options or way.seats == 2]
    for seed in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            tables = all_pressed(Path(folder), ways, seed)
            hall, again = Hall(Path(folder)), Hall(Path(folder) / "again")
            amiss = [f"{each.way} {each.source}: {each.amiss}" for each in tables if each.amiss]
            for each in tables:
                start = time.perf_counter()
                held = lawful(hall.table(each.table), again, each.seen)
                told = ", ".join(f"{count} {what}" for what, count in held.items())
                took = time.perf_counter() - start
                pressings = f"{each.presses} presses in {each.seconds:.1f} s"
                print(f"{each.way} {each.source}: {pressings}; {told} held in {took:.1f} s {each.amiss}", flush=True)
            hall.close()
            again.close()
            assert not amiss, "; ".join(amiss)


def all_pressed(folder: Path, ways: list[Way], seed: int) -> list[Pressed]:
    """Every toolbox, with every luck, pressed on its page."""
    with sync_playwright() as playwright:
        service = Service(folder).start()
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        try:
            return [on_its_page(service, browser, way, source, seed) for way in ways for source in SOURCES]
        finally:
            browser.close()
            service.stop()


def on_its_page(service: Service, browser: Browser, way: Way, source: Source, seed: int) -> Pressed:
    """A toolbox on the shared tablet, and then on a phone."""
    start, luck = time.perf_counter(), random.Random(f"{way} {source} {seed}")
    table = service.lay(way.box, way.seats, sources={"default": source}, options=dict(way.options))
    page = browser.new_page()
    page.goto(table.address(table.host))
    page.wait_for_selector(".board > *")
    presses, amiss = 0, list[str]()
    for size in SIZES:
        page.set_viewport_size(size)
        try:
            presses += len(pressed(page, luck, PRESSES))
        except AssertionError as wrong:
            amiss.append(f"{wrong} at {size}")
    page.close()
    screens = [(HOST, table.host), *((Actor("seat", seat), key) for seat, key in enumerate(table.seats))]
    seen = [(actor, service.call("GET", f"/api/tables/{table.id}", key=key)) for actor, key in screens]
    return Pressed(way, source, table.id, seen, presses, time.perf_counter() - start, ", ".join(amiss))


def lawful(table: InPlay, again: Hall, seen: list[tuple[Actor, dict[str, Any]]]) -> Counter[str]:
    """Holds a table to the laws; how much of it they held."""
    for actor, there in seen:
        here = json.loads(json.dumps(view(table, actor)))
        assert {part: here[part] for part in SEEN} == {part: there[part] for part in SEEN}, actor
    held, game, seats = Counter[str](), table.game, len(table.setup.seats)
    moments = list(made_at(table, range(1, table.seq + 1)))
    conserved(game, moments)
    for moment in moments:
        asked_well(game, moment, seats)
        held["secrets"] += game.hides(moment.before, moment.step)
    replayed(game, made_at(table, sorted(table.survivors())))
    hidden_from_all(table)
    held["steps"] = len(moments)
    presser = Presser(table, random.Random(1))
    tells_no_secret(presser)
    while table.newest_by_hand() is not None and held["taken back"] < PRESSES:
        back_and_forward(presser)
        presser.back()
        held["taken back"] += 1
    table.end(HOST, table.seq, presser.fresh())
    proof = comes_back(table, again)
    held["draws proved"], held["reports"] = proof.draws, proof.reported
    return held


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 1, *sys.argv[2:])
