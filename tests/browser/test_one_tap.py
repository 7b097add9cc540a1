"""A second tap where one has just come down: whatever lies there now, nothing else happens."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.screens import PHONE, TABLET, UPRIGHT, Screen
from tests.browser.tables import Service, Table
from tests.games.jenseits.excavation import referee

pytestmark = pytest.mark.browser

SLOTS = """() => [...document.querySelectorAll(".stop, .undo > .button, .bar .bar-link:not(.undo *)")].map((each) => {
  const { x, y, width, height } = each.getBoundingClientRect();
  return [each.getAttribute("aria-label") ?? each.className, x, y, width, height].join();
})"""


def tap_twice(page: Page, there: Locator, pause: int) -> None:
    """Two taps of one finger, so many milliseconds apart, wherever the page has got to between them."""
    box = there.bounding_box()
    assert box is not None
    place = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.click(*place)
    page.wait_for_timeout(pause)
    page.mouse.click(*place)


@pytest.mark.parametrize("pause", [100, 350, 600])
def test_a_second_tap_does_nothing_else(service: Service, sit: Screen, pause: int) -> None:
    table = referee(service).begun()
    page = sit(table, table.host)
    seq = table.view["played"]
    for armed in (".jcard", ".pile"):
        tap_twice(page, page.locator(armed).last, pause)
        page.wait_for_timeout(300)
        assert table.view["played"] == seq, armed
        page.keyboard.press("Escape")
        page.mouse.click(5, 795)  # beside everything
    cards = page.locator(".jcard")
    cards.nth(1).click()
    tap_twice(page, page.locator(".plan-sheet .do-it"), pause)
    expect(page.locator(f".jboard[data-played='{seq}']")).to_have_count(0)
    page.wait_for_timeout(300)
    taken = [line for line in table.view["log"] if line["kind"] == "move"]
    assert len(taken) == 1
    page.locator("[data-sheet=menu]").click()
    for armed in (".menu-end .danger", ".menu-end .retire"):
        tap_twice(page, page.locator(armed), pause)
        page.wait_for_timeout(300)
    assert not table.view["over"]
    assert len([line for line in table.view["log"] if line["kind"] == "move"]) == 1


def test_what_was_armed_is_done_by_a_later_press(service: Service, sit: Screen) -> None:
    table = service.lay("horus", 2)
    page = sit(table, table.host)
    page.locator("[data-sheet=menu]").click()
    page.locator(".menu-end .danger").click()
    page.locator(".menu-end .armed").click()  # waits until it takes presses
    expect(page.locator(".ask.over")).to_be_visible()
    assert table.view["over"]


def test_what_a_press_leads_to_takes_no_second_tap(service: Service, sit: Screen) -> None:
    """A sheet that a tap beside it would close."""
    table = service.lay("horus", 2)
    page = sit(table, table.host)
    help_ = page.locator("[data-sheet=help]")
    tap_twice(page, help_, 250)
    page.wait_for_timeout(600)
    expect(page.locator("dialog[open]")).to_be_visible()
    page.mouse.click(5, 795)
    expect(page.locator("dialog[open]")).to_have_count(0)


COMES = """([x, y]) => {
  const come = new MutationObserver(() => {
    if (!document.querySelector("[data-sheet=help]")) return;
    come.disconnect();
    setTimeout(() => {
      window.lay = document.elementFromPoint(x, y).className;
      setTimeout(() => (window.lies = document.elementFromPoint(x, y).closest("button")?.dataset.sheet), 1000);
    }, 60);
  });
  come.observe(document, { childList: true, subtree: true });
}"""
"""What lies at a place as soon as the page's buttons have come, and a second later."""


def test_a_page_that_a_press_leads_to_takes_no_second_tap(service: Service, sit: Screen) -> None:
    table = service.lay("horus", 2)
    page = sit(table, table.host)
    box = page.locator("[data-sheet=help]").bounding_box()
    assert box is not None
    place = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
    page.context.add_init_script(f"({COMES})({place})")
    page.goto(f"{service.url}/past")
    way = page.locator(f"a[href='/table/{table.id}']").first
    way.evaluate(
        "(way, [x, y]) => way.style = `position: fixed; z-index: 99; left: ${x - 20}px; top: ${y - 20}px`", place
    )
    page.mouse.click(*place)
    page.wait_for_function("() => window.lay !== undefined")
    assert page.evaluate("window.lay") == "one-tap"
    page.wait_for_function("() => window.lies")
    assert page.evaluate("window.lies") == "help"


@pytest.mark.parametrize("size", [TABLET, UPRIGHT, PHONE], ids=["tablet", "upright", "phone"])
def test_stop_and_what_takes_back_keep_their_places(service: Service, sit: Screen, size: dict[str, int]) -> None:
    """Through choosing, reports, refusals and reveals: toolbox and referee, a long list and a short one."""
    for table in (service.lay("horus", 6), referee(service, 4, pace="press")):
        page = sit(table, table.host, size=size)
        page.wait_for_selector(".undo")
        page.wait_for_timeout(300)
        before = page.evaluate(SLOTS)
        for _ in range(3):
            seq = table.view["played"]
            step(table)
            expect(page.locator(".log li").first).to_be_attached()
            page.wait_for_function("(seq) => document.querySelector('.board') && true", arg=seq)
            page.wait_for_timeout(250)
            assert page.evaluate(SLOTS) == before, table.view["mode"]
        page.close()


def step(table: Table) -> None:
    if table.view["ask"]["kind"] == "chance":
        table.deal()
    else:
        table.move("block")
