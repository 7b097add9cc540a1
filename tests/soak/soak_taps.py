"""Two taps at every place of every state that games at random come to, and of every other page, at three sizes; axe
looks at each of them; and what a step of a game moves, that can be pressed, is told.

``python -m tests.soak.soak_taps [part of a way's or a page's name [size [most states [most seconds at a size
[kinds]]]]]`` walks less: with ``kinds``, over one place of each kind; ``held`` only has the shovel hold a card.
"""

from __future__ import annotations

import itertools
import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from companion import games
from tests.browser.bench import Bench
from tests.browser.looks import THEMES, found, lit
from tests.browser.screens import chromium
from tests.browser.tables import Service, jenseits_hanging, jenseits_over
from tests.browser.taps import SIZES, WAYS, Walk, Way, shifted, states

STEPS = 400
MOST = 40
WHOLE = 150
MODES = "referee", "toolbox"
PAGES = (
    *("/", "/past", "/settings", "/boxes", "/evenings", "/hall", "/machine", "/owner", "/certificate", "/rig"),
    *("/join/{hanging}", "/luck/{over}", "/replay/{over}", "/tv/{hanging}", "/table/{over}", "/table/{hanging}"),
)
"""The other pages; and the ends of games, one that hangs on a report and one that is final."""


def main(part: str = "", size: str = "", most: str = str(MOST), within: str = "inf", places: str = "all") -> None:
    wrong = 0
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        service = Service(Path(folder)).start()
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        try:
            for box, mode in itertools.product(games.REGISTER, MODES):
                ways = [way for way in WAYS if (way.box, way.mode) == (box, mode) and part in str(way)]
                for named in SIZES:
                    if ways and size in named:
                        wrong += Walked(browser, service, f"{box}-{mode}", named, places).states(
                            ways, int(most), float(within)
                        )
                if ways and part != "held":
                    wrong += moved(ways, service, browser)
            for named in SIZES:
                if size in named:
                    wrong += Walked(browser, service, "pages", named, places).pages(part)
            for way in WAYS:
                if f"held {way}".count(part) and way.mode == "toolbox" and way.pace == "press":
                    wrong += with_a_card_held(way, size or "tablet", service, browser)
        finally:
            browser.close()
            service.stop()
    if wrong:
        sys.exit(f"{wrong} faults")


class Walked:
    """A walk at one size; it prints what is wrong as it is found, and how much there was in the end."""

    def __init__(self, browser: Browser, service: Service, named: str, size: str, places: str) -> None:
        self.service, self.named, self.size, self.dense = service, named, size, places == "all"
        self.walk = Walk(browser, size)
        self.walk.look = self.look
        self.looks = self.seen = self.again = 0
        self.graves: list[str] = []
        self.told: set[str] = set()
        self.start = time.perf_counter()

    def look(self, page: Page, where: str) -> None:
        self.looks += 1
        page.evaluate("scrollTo(0, 0)")  # beneath a bar nothing has its whole size
        for theme, rules in THEMES.items():
            lit(page, theme)
            self.graves.extend(f"{self.size} {where} {theme}: {violation}" for violation in found(page, rules))

    def states(self, ways: list[Way], most: int, within: float) -> int:
        """All states of a table that is laid in these ways, each by the host's tablet or the phone of a seat."""
        for way in ways:
            for table in itertools.islice(states(way, self.service, steps=STEPS), most):
                view = table.view
                role = "seat" if self.size == "phone" and self.seen % 2 and not view["over"] else "host"
                named = f"{way} {view['seq']} {view['ask'].get('question') or view['ask']['kind']} {role}"
                self.visited(self.walk.visit(table, named, role=role, dense=self.dense))
                if time.perf_counter() - self.start > within:
                    return self.ended()
        return self.ended()

    def pages(self, part: str) -> int:
        """The pages that are no tables in play."""
        service, walk = self.service, self.walk
        over = jenseits_over(service)
        walk.enter(over, over.host)
        walk.own(service)
        hanging, _ = jenseits_hanging(service)
        for path in PAGES:
            address = service.url + path.format(over=over.id, hanging=hanging.id)
            if part in path:
                self.visited(walk.visit_page(address, "main :is(button, a, p)", path, dense=self.dense))
        return self.ended() if self.seen else 0

    def visited(self, new: bool) -> None:
        self.seen += new
        self.again += not new
        for wrong in [*map(str, self.walk.faults), *map(str, self.walk.shifts), *self.graves]:
            if wrong not in self.told:
                print(f"  {wrong}", flush=True)
                self.told.add(wrong)

    def ended(self) -> int:
        walk = self.walk
        walk.close()
        took = time.perf_counter() - self.start
        print(
            f"{self.named} {self.size}: {self.seen} states ({self.again} more were like one of them), "
            f"{len(walk.known)} things opened there, {walk.places} places, {walk.taps} taps, "
            f"{len(walk.faults)} did something else, {len(walk.shifts)} moved something; axe: {self.looks} looks, "
            f"{len(self.graves)}; {walk.cut} ended, {len(walk.hidden)} hidden, "
            f"{len(walk.astray)} not found again; {took:.0f} s",
            flush=True,
        )
        for path in walk.astray:
            print(f"  not found again: {path}", flush=True)
        return len(walk.faults) + len(walk.shifts) + len(self.graves)


def moved(ways: list[Way], service: Service, browser: Browser) -> int:
    """Whole games at random, seen at all sizes at once; what of all that can be pressed their steps have moved."""
    wrong = 0
    for way in ways:
        start, walks = time.perf_counter(), [Walk(browser, size) for size in SIZES]
        shifts = shifted(way.lay(service), walks, steps=WHOLE)
        for walk in walks:
            walk.close()
        for shift in shifts:
            print(f"  {way} {shift}", flush=True)
        print(f"{way}: {len(shifts)} moved by the steps of a game; {time.perf_counter() - start:.0f} s", flush=True)
        wrong += len(shifts)
    return wrong


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
    for fault in [*walk.faults, *walk.shifts]:
        print(f"  {fault}", flush=True)
    took = time.perf_counter() - start
    print(f"{way} {size} held: {walk.places} places, {len(walk.faults)} did something else; {took:.0f} s", flush=True)
    return len(walk.faults) + len(walk.shifts)


if __name__ == "__main__":
    main(*sys.argv[1:])
