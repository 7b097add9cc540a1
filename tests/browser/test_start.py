"""The first page: what is in play comes first, a code takes a seat, and no two choices contradict each other."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.looks import settle
from tests.browser.screens import PHONE, TABLET, Screen
from tests.browser.tables import Service, horus

pytestmark = pytest.mark.browser

IS_BARE = """((it) => {
  const { x, y, width, height } = it.getBoundingClientRect();
  return it.contains(document.elementFromPoint(x + width / 2, y + height / 2));
})"""
NEWEST = ".in-play .table-row >> nth=0"


def choose(page: Page, box: str) -> None:
    page.get_by_role("button", name=box).click()
    page.wait_for_selector("#lay")


def row(page: Page, label: str) -> list[str]:
    """The choices of a row, if there is such a row."""
    return page.get_by_role("group", name=label, exact=True).get_by_role("button").all_inner_texts()


def test_a_phone_that_typed_the_address_takes_its_seat_by_a_code(
    own_service: Service, screen: Screen, sit: Screen
) -> None:
    table = own_service.lay("horus", 3)
    tablet = sit(table, table.host)
    tablet.get_by_role("button", name="Join with a phone").click()
    tablet.locator(".single-codes summary").click()
    codes = tablet.locator(".codes .typed-code")
    expect(codes.nth(1)).to_have_text(re.compile("^[A-Z2-9]{5}$"))
    phone = screen(own_service.url, ready=".box-cover", size=PHONE)
    expect(phone.get_by_role("heading", level=1)).to_have_text("Being played here")
    phone.get_by_label("Join with a code").fill("no")
    phone.get_by_role("button", name="Take the seat").tap()
    expect(phone.get_by_role("alert")).to_contain_text("No seat has this code")
    phone.get_by_label("Join with a code").fill(codes.nth(1).inner_text().lower())
    phone.get_by_role("button", name="Take the seat").tap()
    phone.wait_for_selector(".board > *")
    expect(phone.locator(".seat.own .seat-name")).to_have_text("Béatrice")
    phone.goto(own_service.url)
    phone.get_by_role("link", name="Join as Béatrice").tap()
    phone.wait_for_url(f"**/table/{table.id}")


def test_the_table_of_this_screen_comes_first_and_others_are_looked_at(
    own_service: Service, screen: Screen, sit: Screen
) -> None:
    mine = own_service.lay("horus", 2)
    own_service.lay("tutankhamun", 2)
    page = sit(mine, mine.host)
    page.goto(own_service.url)
    page.wait_for_selector(".in-play")
    ways = page.locator(".in-play .table-row .button")
    expect(ways).to_have_text(["Continue", "Just watch"])
    expect(page.locator(NEWEST)).to_contain_text("The Pyramid of Horus")
    stranger = screen(own_service.url, ready=".in-play")
    expect(stranger.locator(".in-play .table-row .button")).to_have_text(["Just watch", "Just watch"])


def test_past_tables_tell_who_won_with_how_many_points(own_service: Service, screen: Screen) -> None:
    horus(own_service).move("award", seat=1, points=9).press("close")
    page = screen(own_service.url, ready=".past .table-row")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Which game")
    expect(page.locator(".past .table-row")).to_contain_text("Béatrice wins.")
    expect(page.locator(".past .won")).to_contain_text(re.compile("Béatrice.*9"))
    page.get_by_role("link", name="All past tables").click()
    expect(page.locator(".table-row .won")).to_contain_text(re.compile("Béatrice.*9"))


def test_what_one_choice_decides_is_no_choice_of_its_own(service: Service, screen: Screen) -> None:
    page = screen(service.url, ready=".box-cover")
    choose(page, "Tutankhamun")
    page.locator(".how summary").click()
    assert row(page, "Who lays the layers")
    assert row(page, "layers") == row(page, "cards") == row(page, "turning the tray") == []
    page.get_by_role("button", name="only lends tools").click()
    assert row(page, "cards")


def test_how_one_box_is_played_is_not_how_the_next_is(service: Service, screen: Screen) -> None:
    page = screen(service.url, ready=".box-cover")
    pressed = page.locator("#lay .segment[aria-pressed=true]")
    choose(page, "Jenseits von Theben")
    page.get_by_role("button", name="only lends tools").click()
    page.locator(".how summary").click()
    page.get_by_role("button", name="one by one").click()
    choose(page, "Tutankhamun")
    expect(pressed.nth(0)).to_have_text("referees")
    expect(pressed.nth(1)).to_have_text("all at once")
    choose(page, "Jenseits von Theben")
    expect(pressed.nth(0)).to_have_text("only lends tools")
    expect(pressed.nth(1)).to_have_text("one by one")


def test_who_has_left_lays_no_layer(service: Service, screen: Screen) -> None:
    page = screen(service.url, ready=".box-cover")
    choose(page, "Tutankhamun")
    page.get_by_role("button", name="Add a player").click()
    page.locator(".how summary").click()
    page.get_by_role("button", name="Player 3", exact=True).click()
    page.get_by_role("button", name="Remove player 3").click()
    page.get_by_role("button", name="Start game").click()
    page.wait_for_selector(".board > *")


@pytest.mark.parametrize("size", [PHONE, {"width": 1280, "height": 800}, {"width": 800, "height": 1280}])
def test_the_button_that_starts_is_always_in_view(service: Service, screen: Screen, size: dict[str, int]) -> None:
    page = screen(service.url, ready=".box-cover", language="de", size=size)
    page.locator(".box-cover").nth(3).click()
    start = page.get_by_role("button", name="Spiel starten")
    page.wait_for_function(f"() => {IS_BARE}(document.querySelector('#lay h2'))")
    for down in (0, 400, 4000):
        page.evaluate("(y) => scrollTo(0, y)", down)
        expect(start).to_be_in_viewport(ratio=1)


def test_a_table_is_ended_from_its_menu_by_its_host_alone(service: Service, sit: Screen) -> None:
    table = service.lay("horus", 2)
    onlooker = sit(table)
    onlooker.get_by_role("button", name="Table menu").click()
    expect(onlooker.get_by_role("link", name="Luck")).to_be_visible()
    expect(onlooker.get_by_role("button", name="End this table")).to_have_count(0)
    page = sit(table, table.host)
    page.get_by_role("button", name="Table menu").click()
    page.get_by_role("button", name="End this table").click()
    page.get_by_role("button", name="Really end it?").click()
    expect(page.locator(".ask")).to_contain_text("The table is closed")


def test_turns_of_the_dial_are_one_line_of_the_log(service: Service, sit: Screen) -> None:
    table = service.lay("jenseits", 2).begun()
    for knowledge in (1, 2, 3, 4):
        table.move("dial", knowledge=knowledge)
    page = sit(table, table.host)
    lines = page.locator(".log li")
    expect(lines.first).to_contain_text("4")
    expect(lines.filter(has_text="dial")).to_have_count(1)


def test_the_last_row_of_the_log_never_fades(service: Service, sit: Screen) -> None:
    table = service.lay("horus", 6)
    for _ in range(12):
        table.move("award", seat=0, points=1)
    page = sit(table, table.host)
    log = page.locator(".log ol")
    log.evaluate("(list) => list.scrollTo(0, list.scrollHeight)")
    end, last = log.evaluate(
        "(list) => [list, list.lastElementChild].map((each) => each.getBoundingClientRect().bottom)"
    )
    assert end - last >= 25


SHIFTED = """window.shifted = 0; new PerformanceObserver((list) => {
  for (const each of list.getEntries()) if (!each.hadRecentInput) window.shifted += each.value;
}).observe({ type: "layout-shift", buffered: true })"""
MOST_SHIFTED = 0.05
UNDER_THE_BAR = """() => document.querySelector("a[href^='/watch/']").getBoundingClientRect().top
  - document.querySelector(".bar").getBoundingClientRect().bottom"""


@pytest.mark.parametrize("size", [TABLET, PHONE], ids=["tablet", "phone"])
def test_the_first_page_stands_as_it_comes(service: Service, browser: Browser, size: dict[str, int]) -> None:
    """With tables in play above the shelf; and what a search engine says of it is in the reader's language."""
    service.lay("jenseits", 3, mode="referee")
    viewport = ViewportSize(width=size["width"], height=size["height"])
    context = browser.new_context(viewport=viewport, locale="de")
    context.add_init_script(SHIFTED)
    page = context.new_page()
    page.goto(service.url)
    page.wait_for_selector(".box-cover")
    settle(page)
    assert page.evaluate("window.shifted") < MOST_SHIFTED
    assert "Digside" in (page.locator("meta[name=description]").get_attribute("content") or "")
    page.locator(".box-cover").first.click()
    page.wait_for_selector(".lay")
    page.wait_for_timeout(600)
    assert page.evaluate(UNDER_THE_BAR) >= 0, "it hides under the bar"
    context.close()
