"""How a table comes to a screen: light at first, and after that with nothing but the page and what is new."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.looks import UNFILLED, settle
from tests.browser.tables import Service

pytestmark = pytest.mark.browser

BOXES = ("horus", "jenseits", "tomb_raiders", "tutankhamun")
FIRST_LOAD = 120_000
UNSETTLED = """const soon = window.setTimeout;
window.setTimeout = (then, wait, ...more) => (wait >= 1000 ? 0 : soon(then, wait, ...more));"""
"""What a page fetches once it has stood for a while is not its first load, however slow the machine is."""
FETCHED = "performance.getEntriesByType('resource').filter((each) => each.transferSize > 0).map((each) => each.name)"
NOTED = "performance.getEntriesByType('resource').some((each) => each.name.includes('/luck/sha256'))"
WHOLE = "html[data-whole]"  # what may be wanted later was fetched
OPENS = {
    ("jenseits", "referee"): ".papers-button",
    ("tomb_raiders", "referee"): ".tr-row-of",
    ("jenseits", "toolbox"): ".more-tools .button",
    ("tomb_raiders", "toolbox"): ".more-tools .button",
    ("horus", "toolbox"): ".more-tools .button",
}
"""What opens a sheet of a board's own."""
PLAIN = "performance.getEntriesByType('resource').map((each) => each.name)"


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of a browser that has seen nothing yet, of somebody who was shown round elsewhere."""
    context = browser.new_context()
    context.add_init_script("localStorage.setItem('digside-toured', '1')")
    yield context.new_page()
    context.close()


def load(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector(".board > *")
    settle(page)


def asked_of(page: Page) -> dict[str, str]:
    """By its id, what kind of thing each request from now on is for that no cache of the browser answers."""
    asked: dict[str, str] = {}
    kept: set[str] = set()

    def answered(told: dict[str, Any]) -> None:
        if told["requestId"] not in kept and not told["response"]["fromDiskCache"]:
            asked[told["requestId"]] = told["type"]

    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.on("Network.responseReceived", answered)
    wire.on("Network.requestServedFromCache", lambda told: kept.add(told["requestId"]))
    return asked


@pytest.mark.parametrize("mode", ["toolbox", "referee"])
@pytest.mark.parametrize("box", BOXES)
def test_the_first_load_is_light(service: Service, page: Page, box: str, mode: str) -> None:
    files: list[int] = []
    lines: dict[str, int] = {}  # what was told first of each thing on the live line, which never ends

    def told_first(told: dict[str, str]) -> None:
        lines.setdefault(told["eventName"], len(told["data"].encode()))

    page.add_init_script(UNSETTLED)
    page.on("requestfinished", lambda request: files.append(request.sizes()["responseBodySize"]))
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.on("Network.eventSourceMessageReceived", told_first)
    load(page, service.lay(box, 4, mode=mode).address())
    while len(lines) < 2:  # the table's and the rig's
        page.wait_for_timeout(50)
    weight = sum(files) + sum(lines.values())
    print(f"\nfirst load of {box} {mode}: {weight / 1000:.1f} kB in {len(files) + len(lines)} answers")
    assert len(files) > 20
    assert weight < FIRST_LOAD


@pytest.mark.parametrize("mode", ["toolbox", "referee"])
@pytest.mark.parametrize("box", BOXES)
def test_what_comes_later_is_here_when_the_service_is_gone(service: Service, page: Page, box: str, mode: str) -> None:
    table = service.lay(box, 2, mode=mode)
    page.goto(table.address(table.host))
    page.wait_for_selector(WHOLE, state="attached")
    page.context.set_offline(True)
    for sheet in ("join", "mend", "help", "menu"):
        page.locator(f"[data-sheet={sheet}]").click()
        expect(page.locator("dialog[open]")).to_be_visible()
        assert page.evaluate(UNFILLED) == [], sheet
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
    if opens := OPENS.get((box, mode)):
        page.locator(opens).first.click()
        expect(page.locator("dialog[open]")).to_be_visible()
        assert page.evaluate(UNFILLED) == []


def test_a_second_load_asks_for_one_document_and_its_data(own_service: Service, page: Page) -> None:
    table = own_service.lay("jenseits", 4, mode="referee").address()
    load(page, table)
    while not page.evaluate(NOTED):  # once it stands
        page.wait_for_timeout(50)
    page.wait_for_selector("link[href*=final_count]", state="attached")  # and once it has come to rest
    page.wait_for_selector(WHOLE, state="attached")
    settle(page)
    asked = asked_of(page)
    load(page, table)
    fetched = [urlsplit(each).path for each in page.evaluate(FETCHED)]
    assert fetched == [urlsplit(table).path.replace("/table/", "/api/tables/")]
    while len(asked) < 3:  # the line opens once the page stands
        page.wait_for_timeout(50)
    assert list(asked.values()) == ["Document", "Fetch", "EventSource"]


@pytest.mark.parametrize("path", ["/", "/past", "/evenings", "/settings", "/certificate", "/rig", "/nowhere"])
def test_a_page_loads_nothing_by_an_address_that_must_be_asked_again(service: Service, page: Page, path: str) -> None:
    page.goto(service.url + path)
    page.wait_for_selector(".menu-corner, main.rig")
    settle(page)
    fetched = [urlsplit(each).path for each in page.evaluate(PLAIN)]
    files = [each for each in fetched if each.startswith(("/static/", "/words/"))]
    assert len(files) > 10
    with_marks = [page.request.get(service.url + each).headers["cache-control"] for each in files]
    assert {"immutable" in each for each in with_marks} == {True}
