"""Whole games of each box on a tablet and two phones, every turn of a phone by touch, with the host lost in the middle.

``python -m tests.soak.soak_sessions [boxes …]``
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from companion import games
from tests.browser.screens import PHONE, TABLET, chromium
from tests.browser.tables import Service, Table
from tests.browser.touching import Session

SMALL_PHONE = {"width": 360, "height": 640}
SILENT_S = 1.0
BEFORE = 12
WHOLE = 700
KEPT = "localStorage.setItem('digside-toured', '1'); localStorage.setItem('digside', '{\"theatre\":\"off\"}')"


def main(*boxes: str) -> None:
    for box in boxes or tuple(games.REGISTER):
        with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
            service = Service(Path(folder), host_silent=SILENT_S).start()
            browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
            try:
                played(service, browser, box)
            finally:
                browser.close()
                service.stop()


def played(service: Service, browser: Browser, box: str) -> None:
    """One game to its end."""
    start = time.perf_counter()
    game, wrongs = Session(service, box), list[str]()
    table = game.table
    tablet = seated(browser, table, table.host, TABLET, wrongs)
    game.phones = {
        seat: seated(browser, table, table.seats[seat], size, wrongs) for seat, size in enumerate((SMALL_PHONE, PHONE))
    }
    game.play(table.host, BEFORE, touched=WHOLE)
    tablet.context.close()
    asks, agrees = game.phones.values()
    for page in (asks, agrees):
        while page.locator("dialog[open]").count():  # whatever the last touches have opened
            page.keyboard.press("Escape")
    asks.locator(".hosting button").tap()
    agrees.get_by_role("button", name="Agree").tap()
    asks.locator("[data-sheet=mend]").wait_for()
    game.play(table.seats[0], WHOLE, touched=WHOLE)
    turns = sum(game.by_touch.values())
    took = time.perf_counter() - start
    print(f"{box}: {turns} turns by touch, over: {game.view['over']}; {took:.0f} s", flush=True)
    if wrongs or not turns:
        raise AssertionError((box, wrongs))


def seated(browser: Browser, table: Table, key: str, size: dict[str, int], wrongs: list[str]) -> Page:
    """A screen of whoever has a key; what goes wrong in its scripts is noted."""
    small = size["width"] < 600
    context = browser.new_context(
        viewport={"width": size["width"], "height": size["height"]}, reduced_motion="reduce", has_touch=small
    )
    context.add_init_script(KEPT)
    context.request.post(f"{table.service.url}/api/tables/{table.id}/enter", data={"key": key})
    page = context.new_page()
    page.on("pageerror", lambda error: wrongs.append(str(error)))
    page.goto(table.address())
    page.wait_for_selector(".board > *")
    return page


if __name__ == "__main__":
    main(*sys.argv[1:])
