"""The screen turned to a seat: by a press, or by itself with the turn; laid out for that side, and pressed there."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import FrameLocator, Page, Route, expect

from tests.browser.looks import PICTURES
from tests.browser.screens import TABLET, Screen
from tests.browser.tables import Service, Table
from tests.games.jenseits.excavation import referee

pytestmark = pytest.mark.browser

TURNED = """(degrees) => {
  const { a, b } = new DOMMatrix(getComputedStyle(document.querySelector('.turned-table')).transform);
  return (Math.round(Math.atan2(b, a) * 180 / Math.PI) + 360) % 360 === degrees;
}"""


def turned(page: Page, degrees: int) -> FrameLocator:
    """The table's own page, once it lies so."""
    page.wait_for_selector(".turned-table")
    page.wait_for_function(TURNED, arg=degrees)
    inside = page.frame_locator(".turned-table")
    expect(inside.locator(".board > *").first).to_be_visible()
    expect(page.locator(".turned-table.turning")).to_have_count(0)
    page.wait_for_timeout(450)  # what has just come under a finger takes no press
    return inside


def moves(service: Service, table: Table) -> list[dict[str, Any]]:
    """What may be done now."""
    listed: list[dict[str, Any]] = service.call("GET", f"/api/tables/{table.id}/moves", key=table.host)["moves"]
    return listed


def test_a_press_turns_the_table_and_what_is_touched_there_counts(service: Service, sit: Screen) -> None:
    table = referee(service, 4).begun()
    page = sit(table, table.host, size=TABLET)
    page.locator("[data-turn]").click()
    inside = turned(page, 180)
    page.screenshot(path=PICTURES / "turned-180.jpeg", quality=90)
    inside.locator("[data-turn]").click()
    inside = turned(page, 270)
    across = page.evaluate("(({ clientWidth, clientHeight }) => [clientWidth, clientHeight])(frames[0].document.body)")
    assert across[0] < across[1], "it is laid out for the side it is seen from"
    page.screenshot(path=PICTURES / "turned-270.jpeg", quality=90)
    played = table.view["played"]
    inside.locator(".jcard").first.click()
    inside.locator(".plan-sheet .do-it").click()
    expect(inside.locator(f".jboard[data-played='{played}']")).to_have_count(0)
    assert table.view["played"] > played
    inside.locator("[data-turn]").click()
    page.wait_for_url(f"**/table/{table.id}")
    expect(page.locator(".board > *").first).to_be_visible()


LIES = "document.elementFromPoint(640, 40).localName"
COMES = f"""() => {{
  const look = setInterval(() => {{
    if (!frames[0].document.querySelector("[data-turn]")) return;
    clearInterval(look);
    window.lay = {LIES};
  }}, 5);
}}"""
"""What lies at a place as soon as the table that is turned has come."""
PRESSED = f"""(button) => {{
  const [told, began] = [[], performance.now()];
  const look = setInterval(() => {{
    if (performance.now() - began < 650) told.push(parent.{LIES});
    else clearInterval(look);
  }}, 50);
  button.click();
  return new Promise((done) => setTimeout(() => done(told), 700));
}}"""


def test_nothing_that_a_turn_brought_under_the_finger_is_pressed(service: Service, sit: Screen) -> None:
    """Neither by a second tap, nor while the table that is turned is still to come."""
    page = sit(service.lay("horus", 4), None, size=TABLET)
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/static/boards/toolbox/index*.js", hold)
    page.locator("[data-turn]").click()
    page.wait_for_function("() => frames.length === 1 && frames[0].document.querySelector('.waiting')")
    page.wait_for_timeout(1200)  # longer than any second tap
    page.evaluate(COMES)
    held.pop().continue_()
    page.wait_for_function("() => window.lay")
    assert page.evaluate("window.lay") != "iframe"
    inside = turned(page, 180)
    assert page.evaluate(LIES) == "iframe"
    assert "iframe" not in inside.locator("[data-turn]").evaluate(PRESSED)
    turned(page, 270)


def test_it_turns_by_itself_to_the_side_of_whose_turn_it_is(service: Service, sit: Screen) -> None:
    table = service.lay("tutankhamun", 4, mode="referee").begun()
    page = sit(table, table.host, size=TABLET)
    page.locator("[data-turn]").click()
    inside = turned(page, 180)
    inside.locator("[data-sheet=menu]").click()
    inside.locator(".menu-turn .segment").nth(1).click()
    first = table.view["ask"]["seats"][0]
    inside = turned(page, first * 90)
    while table.view["ask"].get("seats") == [first]:
        kinds = {move["type"]: move for move in moves(service, table)}
        move = next(kinds[kind] for kind in ("stop", "pass", "no_barricade", "dig") if kind in kinds)
        table.press("moves", move=move)
    second = table.view["ask"]["seats"][0]
    assert second != first
    turned(page, second * 90).locator("[data-turn]").click()  # this seat sits elsewhere
    turned(page, (second * 90 + 90) % 360)
    page.reload()
    turned(page, (second * 90 + 90) % 360)
