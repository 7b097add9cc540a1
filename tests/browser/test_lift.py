"""A lift at a table without a referee: how long it lasts, what became of it, and one press to go on."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.bench import Bench
from tests.browser.screens import PHONE, TABLET, Screen

pytestmark = pytest.mark.browser

STEADY_MS = 900  # so long a button that is new takes no second tap of the finger that brought it


def lift(page: Page, square: str = "b2") -> None:
    page.locator(f'[aria-label^="{square}"]').first.click()
    page.get_by_role("button", name="Lift the card").click()


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
    expect(told).to_contain_text("It has cost nothing.")
    expect(page.locator(".refusal")).to_have_count(0)
    assert bench.shovel["fault"] is None, "and the next press lifts again"


@pytest.mark.parametrize("size", [TABLET, PHONE], ids=["tablet", "phone"])
def test_a_fault_is_told_where_the_card_lay_and_cleared_there(bench: Bench, sit: Screen, size: dict[str, int]) -> None:
    table = bench.poke("card").table
    page, phone = sit(table, table.host, size=size), sit(table, table.seats[1], size=PHONE)
    lift(page)
    expect(page.locator(".lift.held")).to_be_visible()
    bench.poke("brown_out")
    for screen in (page, phone):
        expect(screen.locator(".lift-told")).to_contain_text("b2: ")
        expect(screen.locator(".lift-told")).to_contain_text("Put the card back on b2.")
        expect(screen.locator(".lift-told")).to_be_in_viewport()
    bench.until(lambda shovel: bench.state["link"]["connected"])
    phone.wait_for_timeout(STEADY_MS)
    phone.get_by_role("button", name="Clear the fault").click()
    expect(page.get_by_role("button", name="Clear the fault")).to_have_count(0)
    assert bench.shovel["fault"] is None
