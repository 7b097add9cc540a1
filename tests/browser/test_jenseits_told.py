"""What the page of Jenseits von Theben tells before anything is done: whose turn and why, what it costs, why not."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Screen
from tests.browser.excavation import referee, wander
from tests.browser.looks import keep
from tests.browser.tables import Service

pytestmark = pytest.mark.browser


def test_a_plan_shows_where_it_leads_before_it_is_done(service: Service, sit: Screen) -> None:
    table = referee(service, 3).begun()
    page = sit(table, table.host)
    view = table.view
    answer = view["ask"]["options"]["open"][0]
    land = view["ask"]["options"]["lands"][str(answer["total"])]
    expect(page.locator(".jcard").first.locator(".total-number")).to_have_text(str(answer["total"]))
    page.locator(".jcard").first.click()
    expect(page.locator(".ghost")).to_have_count(1)
    expect(page.locator(".trip")).to_have_count(1 if answer["legs"] else 0)
    expect(page.locator(".plan-sheet")).to_contain_text(f"week {land['week']} of {land['year']}")
    expect(page.locator(".plan-sheet")).to_contain_text(view["seats"][land["next"]]["name"])
    assert table.view["seq"] == view["seq"], "nothing is done by a first touch"
    page.get_by_role("button", name="Not that one").click()
    expect(page.locator(".ghost")).to_have_count(0)
    page.locator(".jcard").first.click()
    page.get_by_role("button", name="Take it").click()
    expect(page.locator(".log li").nth(1)).to_contain_text("takes a card")
    assert table.view["board"]["map"]["figures"][view["ask"]["seat"]] == view["board"]["open"][0]["city"]


def test_why_it_is_whose_turn(service: Service, sit: Screen) -> None:
    table = wander(referee(service, 3).begun(), 6)
    page = sit(table, table.host)
    track = table.view["board"]["track"]
    at = {marker["seat"]: marker for marker in track["markers"]}
    first, second = track["next"][:2]
    names = [seat["name"] for seat in table.view["seats"]]
    because = page.locator(".because")
    expect(because).to_contain_text(
        f"{names[first]} is furthest back: week {at[first]['week']} of {at[first]['year']}."
    )
    ahead = at[second]["at"] - at[first]["at"]
    told = f"{names[second]}: {ahead} week" if ahead else f"{names[second]}: same week"
    expect(page.locator(".ahead li").first).to_contain_text(told)


def test_what_cannot_be_done_says_why_on_itself(service: Service, sit: Screen) -> None:
    table = referee(service).begun()
    seat = table.view["ask"]["seat"]
    table.press("correct", correction={"type": "marker", "seat": 1 - seat, "week": 1, "year": 1904})
    table.press("correct", correction={"type": "marker", "seat": seat, "week": 52, "year": 1903})
    page = sit(table, table.host)
    costs = [each["total"] for each in table.view["ask"]["options"]["open"]]
    refused = page.locator(".jcard:not(.pile) .why-not")
    expect(refused).to_have_count(sum(cost > 1 for cost in costs))
    expect(refused.first).to_have_text(re.compile(r"^That takes \d+ weeks, \d+ more than the 1 you have left\.$"))
    page.locator(".jcard:not(.pile)").nth(costs.index(max(costs))).click()
    expect(page.locator(".plan-sheet .do-it")).to_have_attribute("aria-disabled", "true")
    expect(page.locator(".plan-sheet .refusal")).to_contain_text("more than the 1 you have left")
    expect(page.locator(".ghost")).to_have_count(0)
    keep(page, "jenseits", "refused", "tablet", "lamplight")
