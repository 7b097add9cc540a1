"""Two taps at every place of every state that games at random come to, at three sizes; and axe looks at each of them.

``python -m tests.soak.soak_taps [part of a way's name [size [most states]]]`` walks through less.
"""

from __future__ import annotations

import itertools
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.bench import Bench
from tests.browser.looks import THEMES, found, lit
from tests.browser.screens import chromium
from tests.browser.tables import Service
from tests.browser.taps import SIZES, WAYS, Walk, Way, states

STEPS = 400
MOST = 40


def main(part: str = "", size: str = "", most: str = str(MOST)) -> None:
    wrong = 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        service = Service(Path(folder)).start()
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        try:
            for way, named in itertools.product(WAYS, SIZES):
                if part in str(way) and size in named:
                    wrong += walked(way, named, service, browser, int(most))
            for way in WAYS:
                if f"held {way}".count(part) and way.mode == "toolbox" and way.pace == "press":
                    wrong += with_a_card_held(way, size or "tablet", service, browser)
        finally:
            browser.close()
            service.stop()
    if wrong:
        sys.exit(f"{wrong} faults")


def walked(way: Way, size: str, service: Service, browser: Browser, most: int) -> int:
    """All states of a table that is laid in one way, at one size; how much was wrong."""
    start, graves, seen = time.perf_counter(), list[str](), 0

    def look(page: Page, where: str) -> None:
        for theme, rules in THEMES.items():
            lit(page, theme)
            graves.extend(f"{where} {theme}: {violation}" for violation in found(page, rules))

    walk = Walk(browser, size)
    walk.look = look
    for table in itertools.islice(states(way, service, steps=STEPS), most):
        view, faults, wrongs = table.view, len(walk.faults), len(graves)
        seen += 1
        walk.visit(table, f"{way} {view['seq']} {view['ask'].get('question') or view['ask']['kind']}")
        for fault in (*walk.faults[faults:], *graves[wrongs:]):
            print(f"  {fault}", flush=True)
    walk.close()
    took = time.perf_counter() - start
    print(
        f"{way} {size}: {seen} states, {len(walk.known)} things opened there, {walk.places} places, {walk.taps} taps, "
        f"{len(walk.faults)} did something else; axe: {len(graves)}; {took:.0f} s",
        flush=True,
    )
    return len(walk.faults) + len(graves)


def with_a_card_held(way: Way, size: str, service: Service, browser: Browser) -> int:
    """One tap at each sort of place, and another, while the shovel holds a card; how much was wrong."""
    start, table = time.perf_counter(), way.lay(service).begun()
    bench = Bench(service, table).take().tidy()
    walk = Walk(browser, size)

    def hold() -> None:
        if bench.shovel["state"] != "holding":
            bench.tidy().holding()
            walk.page.wait_for_selector(".big-stop.running")

    walk.ready = hold
    walk.visit(table, f"{way} held", depth=0, dense=False)
    walk.close()
    bench.tidy()
    for fault in walk.faults:
        print(f"  {fault}", flush=True)
    took = time.perf_counter() - start
    print(f"{way} {size} held: {walk.places} places, {len(walk.faults)} did something else; {took:.0f} s", flush=True)
    return len(walk.faults)


if __name__ == "__main__":
    main(*sys.argv[1:])
