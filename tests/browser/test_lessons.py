"""Learning a game on a screen: its box is set up, lessons come when they matter, and the help says what can be done."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screens import PHONE, Screen
from tests.browser.tables import Service

pytestmark = pytest.mark.browser

BOTTOM = "lesson => lesson.getBoundingClientRect().bottom <= innerHeight && lesson.getBoundingClientRect().top >= 0"


def told(page: Page) -> str:
    """The lesson that is read now."""
    return page.locator(".lesson p").first.inner_text()


def test_a_table_to_learn_at_is_laid_set_up_and_taught_and_falls_silent_when_asked(
    own_service: Service, screen: Screen
) -> None:
    page = screen(own_service.url, ready=".box-cover")
    page.get_by_role("button", name="Tutankhamun").click()
    page.locator("details.how summary").click()
    page.get_by_role("group", name="Who lays the layers").get_by_role("button").last.click()
    page.get_by_role("button", name="Teach us").click()
    sheet = page.get_by_role("dialog", name="Set up the game")
    expect(sheet.locator(".set-place.meant")).to_have_text(re.compile("In front of each of you"))
    expect(sheet.get_by_role("status")).to_contain_text("5 silver")
    for _ in range(5):
        sheet.get_by_role("button", name="Next").click()
    sheet.get_by_role("button", name="All set").click()
    expect(page.locator(".lesson")).to_be_visible()
    first = told(page)
    assert page.locator(".toured").count() == 1
    assert page.locator(".lesson").evaluate(BOTTOM)
    page.get_by_role("button", name="Why?").click()
    expect(page.locator(".lesson .why")).to_be_visible()
    page.locator(".lesson summary").click()
    expect(page.locator(".lesson details p")).not_to_be_empty()
    page.get_by_role("button", name="Got it").click()
    expect(page.locator(".lesson p").first).not_to_have_text(first)
    page.get_by_role("button", name="Why?").click()
    page.get_by_role("button", name="We know the game").click()
    expect(page.locator(".lesson")).to_have_count(0)
    page.reload()
    page.wait_for_selector(".board > *")
    page.wait_for_timeout(3_000)
    expect(page.locator(".lesson")).to_have_count(0)


def test_the_help_says_what_can_be_done_now_and_is_searched_with_rules_and_manual(
    own_service: Service, sit: Screen
) -> None:
    table = own_service.lay("jenseits", 2, mode="referee").begun()
    asked = table.view["ask"]["seats"][0]
    phone = sit(table, table.seats[asked], size=PHONE)
    phone.locator("[data-sheet=help]").tap()
    deeds = phone.locator(".possible > li")
    expect(deeds.filter(has_text="Take a card").locator(".cost")).to_contain_text("week")
    digging = deeds.filter(has_text=re.compile("^Dig"))
    expect(digging).to_have_class("cannot")
    digging.get_by_role("button").first.tap()
    rule = phone.locator(".rule.sought")
    expect(rule).to_contain_text("In short")
    phone.get_by_label("Search help, rules and lessons").fill("stop for today")
    expect(phone.locator(".heading", has_text="From the manual")).to_be_visible()
    other = sit(table, table.seats[1 - asked], size=PHONE)
    other.locator("[data-sheet=help]").tap()
    expect(other.get_by_text("It is not your turn.")).to_be_visible()
    other.goto(f"{own_service.url}/booklet/jenseits?seats=2")
    other.emulate_media(media="print")
    expect(other.get_by_role("heading", level=1)).to_be_visible()
    expect(other.get_by_text("JVT-42")).to_be_visible()
    expect(other.get_by_text("Make two equal piles")).to_be_visible()
    expect(other.locator(".figures").first).to_be_visible()
