"""Whose turn it is and who one is, seen without reading: the edge of each screen, its sentence, a buzz."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screens import PHONE, Screen
from tests.browser.tables import Service, Table

pytestmark = pytest.mark.browser

FELT = "() => { window.felt = []; navigator.vibrate = (pulse) => window.felt.push(pulse); }"
COLOUR = """(colour) => {
  const edge = getComputedStyle(document.querySelector(".edge"));
  const told = Object.assign(document.createElement("i"), { style: `color: ${colour}` });
  document.body.append(told);
  const meant = getComputedStyle(told).color;
  told.remove();
  const sides = [edge.borderTopColor, edge.borderRightColor, edge.borderBottomColor, edge.borderLeftColor];
  return sides.every((side) => side === meant);
}"""
SHAPES = """(seat) => {
  const drawn = (node) => [...node.querySelectorAll("svg > *")].map((each) => each.outerHTML).join();
  const heads = document.querySelectorAll(".seat-head");
  return [...document.querySelectorAll(".edge span")].map((side) => drawn(side) === drawn(heads[seat]));
}"""


def wears(page: Page, table: Table, seat: int, *, broad: bool) -> None:
    """The edge of this screen is in the seat's colour, with its shape on each side."""
    expect(page.locator(".edge")).to_have_css("border-top-width", "6px" if broad else "2px")
    assert page.evaluate(COLOUR, table.view["seats"][seat]["colour"])
    assert page.evaluate(SHAPES, seat) == [True] * 4
    if page.viewport_size == PHONE:  # there it stands beside "Your turn", and has no room at the edge
        expect(page.locator(".edge span").first).to_be_hidden()


def dig(table: Table) -> None:
    if table.view["board"]["phase"] == "closing":
        table.move("no_barricade")
    squares = table.view["ask"]["options"]["squares"].items()
    table.move("dig", square=next(square for square, aid in squares if aid["dig"]["legal"]))


def test_each_screen_tells_whose_turn_it_is(service: Service, sit: Screen) -> None:
    table = service.lay("tutankhamun", 3, mode="referee").begun()
    first = table.view["ask"]["seat"]
    later = next(seat for seat in range(3) if seat != first)
    name = table.view["seats"][first]["name"]
    tablet, looker = sit(table, table.host), sit(table)
    asked, other = (sit(table, table.seats[seat], size=PHONE) for seat in (first, later))
    wears(tablet, table, first, broad=True)
    wears(looker, table, first, broad=True)
    wears(asked, table, first, broad=True)
    wears(other, table, later, broad=False)
    expect(asked.locator(".ask")).to_contain_text("Your turn")
    expect(other.locator(".ask")).to_contain_text(f"Waiting for {name}.")
    expect(looker.locator(".ask")).to_contain_text("You are watching.")
    for page, seat in ((asked, first), (other, later)):
        expect(page.locator(".seat.own .seat-name")).to_have_text(table.view["seats"][seat]["name"])
        expect(page.locator(".you-mark")).to_have_count(1)
        page.evaluate(FELT)
    while table.view["ask"]["seat"] != later:
        dig(table)
    expect(other.locator(".ask")).to_contain_text("Your turn")
    wears(other, table, later, broad=True)
    wears(asked, table, first, broad=False)
    assert other.evaluate("window.felt.length") == 1
    assert asked.evaluate("window.felt") == []


def test_tab_leads_to_the_board_first(service: Service, sit: Screen) -> None:
    table = service.lay("horus", 6)
    page = sit(table, table.host)
    at_board = "document.activeElement.closest('.board') !== null"
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="To the board")).to_be_focused()
    expect(page.get_by_role("link", name="To the board")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#board")).to_be_focused()
    assert "#" not in page.url
    page.reload()
    page.wait_for_selector(".board > *")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    assert page.evaluate(at_board)
    roll = page.get_by_role("button", name="Roll", exact=True)
    roll.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".die:not(.unrolled)")).to_have_count(5)
    expect(roll).to_be_focused()  # where one acts, one stays
