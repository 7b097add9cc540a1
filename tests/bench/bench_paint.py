"""How quick a press is on its own screen: from the finger to the frame that shows what came of it, step on disk."""

from __future__ import annotations

import math
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.screens import chromium
from tests.browser.tables import Service

ROUNDS = 5
THERE_AND_BACK = ["More knowledge"] * 10 + ["Less knowledge"] * 10
PRESS_TO_PAINT = """(name) => new Promise((done) => {
  const shown = () => document.querySelector(".knowledge-number").textContent;
  const button = [...document.querySelectorAll("button")].find((each) => each.getAttribute("aria-label") === name);
  const before = shown();
  const seen = new MutationObserver(() => {
    if (shown() === before) return;
    seen.disconnect();
    requestAnimationFrame(() => setTimeout(() => done(performance.now() - at)));
  });
  seen.observe(document.getElementById("root"), { subtree: true, childList: true, characterData: true });
  const at = performance.now();
  button.click();
})"""


def presses(page: Page) -> list[float]:
    """Milliseconds from each of forty presses to the frame that shows what came of it."""
    took = []
    for name in THERE_AND_BACK * 2:
        took.append(page.evaluate(PRESS_TO_PAINT, name))
        expect(page.locator("main.busy")).to_have_count(0)
    return took


def p95(took: list[float]) -> float:
    return sorted(took)[math.ceil(len(took) * 0.95) - 1]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        service = Service(Path(folder)).start()
        try:
            browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": 1280, "height": 800})
            table = service.lay("jenseits", 4).begun()
            page.goto(table.address(table.host))
            page.wait_for_selector(".board > *")
            took = min((presses(page) for _ in range(ROUNDS)), key=p95)  # the quietest round
            browser.close()
        finally:
            service.stop()
    print(f"press to paint, median: {statistics.median(took):.1f} ms")
    print(f"press to paint, p95: {p95(took):.1f} ms")


if __name__ == "__main__":
    main()
