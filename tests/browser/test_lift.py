"""A lift at a table without a referee: how long it lasts, what became of it, and one press to go on."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.bench import Bench
from tests.browser.screens import PHONE, TABLET, Screen

pytestmark = pytest.mark.browser

TALL = {"width": 800, "height": 1280}
LOW = {"width": 390, "height": 664}  # a phone whose browser shows its bars
STEADY_MS = 900  # so long a button that is new takes no second tap of the finger that brought it

BARE = """(it) => {
  const { x, y, width, height } = it.getBoundingClientRect();
  return [0.2, 0.8].every((part) => it.contains(document.elementFromPoint(x + width / 2, y + part * height)));
}"""
ABOVE_THE_BAR = """(it) => innerWidth <= 900
  || it.getBoundingClientRect().bottom <= document.querySelector(".lift-bar").getBoundingClientRect().top + 1"""
LISTENS = """() => {
  window.said = [];
  const listen = () => window.said.push(...[...document.querySelectorAll(".lift-said")].map((it) => it.textContent));
  new MutationObserver(listen).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


def lift(page: Page, square: str = "b2") -> None:
    page.locator(f'[aria-label^="{square}"]').first.click()
    page.get_by_role("button", name=re.compile("^Lift (the card|with the shovel)$")).click()


@pytest.mark.parametrize("size", [TABLET, TALL, PHONE], ids=["tablet", "tall", "phone"])
def test_the_card_that_is_chosen_is_lifted_without_scrolling(bench: Bench, sit: Screen, size: dict[str, int]) -> None:
    page = sit(bench.table, bench.table.host, size=size)
    page.locator('[aria-label^="b2"]').first.click()
    page.evaluate("scrollTo(0, 0)")
    assert page.get_by_role("button", name="Lift the card").evaluate(BARE)
    assert page.locator(".house-note").evaluate(ABOVE_THE_BAR)


def test_a_lift_that_came_to_nothing_promises_no_count_while_the_cup_lets_go(bench: Bench, sit: Screen) -> None:
    table = bench.table
    page = sit(table, table.host)
    page.evaluate(LISTENS)
    lift(page)
    expect(page.locator(".lift-told")).to_contain_text("nothing was lifted")
    assert not any("counts" in said for said in page.evaluate("window.said"))


@pytest.mark.parametrize("who", ["host", "another seat"])
def test_a_lift_is_finished_on_its_page(bench: Bench, sit: Screen, who: str) -> None:
    table = bench.poke("card").table
    host = sit(table, table.host, size=PHONE)
    page = host if who == "host" else sit(table, table.seats[1], size=PHONE)
    lift(host)
    expect(page.locator(".lift.held")).to_be_visible()
    page.wait_for_timeout(STEADY_MS)
    page.locator(".lift").get_by_role("button", name="Let go").click()
    expect(page.locator(".lift")).to_have_count(0)
    assert [line["what"]["type"] for line in table.view["log"]].count("uncover") == 1


def test_the_time_that_is_left_is_shown_and_then_warned_of(bench: Bench, sit: Screen) -> None:
    table = bench.poke("card").table
    page = sit(table, table.host)
    lift(page)
    expect(page.locator(".hold-left")).to_contain_text("seconds left")
    expect(page.locator(".hold-time.soon")).to_contain_text("Put the card down: 5 seconds left")
    told = page.locator(".lift-told")
    expect(told).to_contain_text("b2: The card was held for as long as it may be, and was let go.")
    expect(told).to_contain_text("It cost nothing.")
    expect(page.locator(".refusal")).to_have_count(0)
    assert bench.shovel["fault"] is None, "and the next press lifts again"


@pytest.mark.parametrize("mode", ["toolbox", "referee"])
def test_a_fault_is_told_where_the_card_lay_and_cleared_there(bench: Bench, sit: Screen, mode: str) -> None:
    if mode == "referee":
        bench = Bench(bench.service, bench.service.lay("tutankhamun", 2, mode=mode).begun()).take()
    table = bench.poke("card").table
    page, phone = sit(table, table.host), sit(table, table.seats[1], size=LOW)
    lift(page)
    bench.until(lambda shovel: shovel["state"] == "holding").poke("brown_out")
    for screen in (page, phone):
        expect(screen.locator(".lift-told")).to_contain_text("b2: ")
        expect(screen.locator(".lift-told")).to_contain_text("Put the card back on b2.")
        assert screen.locator(".lift-told").evaluate(BARE)
    bench.until(lambda shovel: bench.state["link"]["connected"])
    page.wait_for_timeout(STEADY_MS)
    expect(phone.locator(".lift-told")).to_contain_text("Only the owner of this Digside can clear the fault.")
    expect(phone.get_by_role("button", name="Clear the fault")).to_have_count(0)
    page.get_by_role("button", name="Clear the fault").click()
    expect(page.get_by_role("button", name="Clear the fault")).to_have_count(0)
    assert bench.shovel["fault"] is None
