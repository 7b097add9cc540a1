"""How quick a press is on its own screen: from the finger to the frame that shows what came of it, step on disk.

The browser's processor is slowed, as a cheap phone's is beside this machine's; the service's is not.

On every board, with as many seats as the box has: a choice, which this screen shows by itself, and a move, which the
service takes. Beside each stands the bare press of the same page: a call that does nothing, a new word, a frame.
"""

from __future__ import annotations

import itertools
import math
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect, sync_playwright

from tests.bench.limits import judged, limited
from tests.browser.screens import chromium
from tests.browser.tables import Service, Table
from tests.games.horus.pyramid_tables import WHO
from tests.games.jenseits.excavation import referee
from tests.games.tomb_raiders.on_screen import laid, settled
from tests.games.tutankhamun.trays import dig

PRESSES = 20
SLOWED = 6  # times
AT_MOST = 150  # ms
RESTS = 3000  # ms in which a page comes to rest
WATCHED = """() => {
  window.inputs = [];
  const seen = new PerformanceObserver((list) => window.inputs.push(...list.getEntries()));
  seen.observe({ type: "event", durationThreshold: 16 });
}"""
"""The browser's own account of each touch: from the finger to the frame it next shows, in steps of 8 ms."""
AIMED = """([what, shows]) => {
  const told = (each) => ["data-square", "aria-pressed"].map((name) => each.getAttribute(name)) + each.textContent;
  const shown = () => [...document.querySelectorAll(shows)].map(told).join();
  const before = shown();
  const place = (each) => {
    each.scrollIntoView({ block: "nearest", inline: "nearest" });
    const { left, top, width, height } = each.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    return width && each.contains(document.elementFromPoint(x, y)) ? [x, y] : null;
  };
  const all = [...document.querySelectorAll(what)];
  const at = all.map(place).find(Boolean) ?? null;
  window.inputs.length = 0;
  let pressed = 0;
  window.shown = new Promise((done, lost) => {
    addEventListener("pointerdown", ({ timeStamp }) => (pressed = timeStamp), { capture: true, once: true });
    const patience = setTimeout(() => lost(new Error(`nothing came of ${what}`)), 10000);
    const seen = new MutationObserver(() => {
      if (!pressed || shown() === before) return;
      seen.disconnect();
      clearTimeout(patience);
      requestAnimationFrame(() => setTimeout(() => done(performance.now() - pressed)));
    });
    seen.observe(document.getElementById("root"),
      { subtree: true, childList: true, characterData: true, attributes: true });
  });
  if (at) return at;
  pressed = performance.now();
  all.find((each) => each.getBoundingClientRect().width)
    .dispatchEvent(new MouseEvent("click", { bubbles: true, detail: 1 }));
  return null;
}"""
"""Where to touch, with a promise of the milliseconds to the frame that shows what came of it.

On a plan something lies over a square: it is clicked by script, and is no touch.
"""
TOUCHED = "() => Math.max(16, ...inputs.filter((each) => each.interactionId).map((each) => each.duration))"
TOLD_MS = 300  # in which the browser has accounted for a touch
BARE = """() => new Promise((done) => {
  const word = document.body.appendChild(document.createElement("i"));
  const at = performance.now();
  fetch("/healthz").then((answer) => answer.text()).then((told) => {
    word.textContent = told;
    requestAnimationFrame(() => setTimeout(() => {
      word.remove();
      done(performance.now() - at);
    }));
  });
})"""
LOG = ".log ol"
Press = tuple[str, str, str]
"""What kind of press it is, what is pressed, and what shows that something came of it."""


def knowledge(_: Table) -> Iterator[Press]:
    for name in itertools.cycle(["More knowledge"] * 10 + ["Less knowledge"] * 10):
        yield "move", f"[aria-label='{name}']", LOG


def points(_: Table) -> Iterator[Press]:
    while True:
        yield "move", ".points-tool .button:last-child", ".points b"


def cards(_: Table) -> Iterator[Press]:
    """A card is thought about, and taken."""
    while True:
        yield "choice", ".jcard:not(.pile):not(.cannot)", ".plan-sheet"
        yield "move", ".plan-sheet .do-it", LOG


def storage(table: Table) -> Iterator[Press]:
    while True:
        yield "choice", ".tr-card:not(.cannot)", ".tr-card[aria-pressed=true]"
        yield "move", ".plan-sheet .do-it", LOG
        settled(table)


def walks(table: Table) -> Iterator[Press]:
    """A square is chosen, and walked to; whoever can walk no further ends its part."""
    while True:
        arrived(table)
        for _ in range(60):
            view = table.view
            if view["ask"]["kind"] == "chance":
                table.deal()
            elif view["board"]["asking"] == "ready":
                table.move("ready")
            elif view["board"]["asking"] != "act":
                moves = table.service.call("GET", f"/api/tables/{table.id}/moves", key=table.host)["moves"]
                table.press("moves", move=moves[0])
            elif not table.listed("step"):
                table.move("end")
            else:
                break
        yield "choice", ".hor-square.reach", ".hor-square.chosen"
        yield "move", ".hor-slots .button:first-child", LOG


def arrived(table: Table) -> None:
    """Once a figure has walked square by square to where it was sent."""
    seq = -1
    while seq != (seq := table.view["seq"]):
        time.sleep(0.4)


def digs(table: Table) -> Iterator[Press]:
    """A square is chosen, and its card lifted; between turns the table goes on by itself."""
    while True:
        while table.view["board"]["phase"] == "closing":
            table.move("no_barricade")
        aids = table.view["ask"]["options"]["squares"]
        square = next(name for name, aid in aids.items() if aid["dig"]["legal"])
        yield "choice", f".tray-square[aria-label^='{square}']", ".tut-bar"
        yield "move", ".tut-lift", LOG
        if table.view["board"]["phase"] == "digging" and table.view["board"]["turn"]["digs"] > 1:
            table.move("stop")


def horus(service: Service) -> Table:
    table = service.lay("horus", 6, mode="referee")
    for seat, who in enumerate(WHO):
        table.move("enter", adventurer=who, square=str(seat % 4 + 1))
    return table


BOARDS: dict[str, tuple[Callable[[Service], Table], Callable[[Table], Iterator[Press]], int]] = {
    "jenseits toolbox": (lambda service: service.lay("jenseits", 4).begun(), knowledge, PRESSES),
    "tomb_raiders toolbox": (lambda service: service.lay("tomb_raiders", 4).begun(), knowledge, PRESSES),
    "horus toolbox": (lambda service: service.lay("horus", 6), points, PRESSES),
    "tutankhamun toolbox": (lambda service: service.lay("tutankhamun", 6).begun(), points, PRESSES),
    "jenseits": (lambda service: referee(service, 4).begun(), cards, PRESSES),
    "tomb_raiders": (lambda service: settled(laid(service, 4)), storage, PRESSES),
    "horus": (horus, walks, PRESSES),
    "tutankhamun": (lambda service: dig(service, 6), digs, PRESSES),
}


def pressed(page: Page, presses: Iterator[Press], count: int) -> Iterator[tuple[str, float]]:
    """Milliseconds from each press to the next frame, and to that which shows what came of it; bare ones between."""
    for kind, what, shows in itertools.islice(presses, count):
        expect(page.locator("main.busy")).to_have_count(0)
        page.wait_for_selector(what, state="attached")
        page.wait_for_timeout(450)  # a finger that has just come is not heard yet
        yield "bare", page.evaluate(BARE)
        if place := page.evaluate(AIMED, [what, shows]):
            page.touchscreen.tap(*place)
        shown = page.evaluate("() => window.shown")
        page.wait_for_timeout(TOLD_MS)
        if place:
            yield "touch", page.evaluate(TOUCHED)
        yield kind, shown


def p95(took: list[float]) -> float:
    return sorted(took)[math.ceil(len(took) * 0.95) - 1]


def main(*names: str) -> None:
    """On the boards that are named, or on all."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        service = Service(Path(folder)).start()
        try:
            browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
            for name, (lay, presses, count) in BOARDS.items():
                if names and name not in names:
                    continue
                table = lay(service)
                context = browser.new_context(
                    viewport={"width": 1280, "height": 800}, reduced_motion="reduce", has_touch=True
                )
                context.add_init_script(f"localStorage.setItem('digside-toured', '1'); ({WATCHED})()")
                page = context.new_page()
                page.goto(table.address(table.host))
                page.wait_for_selector(".board > *")
                page.wait_for_timeout(RESTS)
                context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
                took: dict[str, list[float]] = {}
                for kind, ms in pressed(page, presses(table), count):
                    took.setdefault(kind, []).append(ms)
                told(name, took)
                context.close()
            browser.close()
        finally:
            service.stop()


def told(name: str, took: dict[str, Any]) -> None:
    limited(f"{name}, touch to paint on a slowed processor, p95", p95(took["touch"]), "ms", at_most=AT_MOST)
    for kind in ("choice", "move"):
        if kind in took:
            print(f"{name}, {kind} until it shows, median: {statistics.median(took[kind]):.1f} ms")
            print(f"{name}, {kind} until it shows, p95: {p95(took[kind]):.1f} ms")
            print(
                f"{name}, {kind} until it shows, p95 over a bare press: {p95(took[kind]) / p95(took['bare']):.2f} times"
            )


if __name__ == "__main__":
    sys.exit(judged({"paint": partial(main, *sys.argv[1:])}))
