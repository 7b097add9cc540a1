"""What the page of Jenseits von Theben tells before anything is done: whose turn and why, what it costs, why not."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.looks import keep, settle, speak
from tests.browser.screens import PHONE, SMALL_TABLET, TABLET, Screen
from tests.browser.tables import Service, Table
from tests.games.jenseits.excavation import Hand, referee, to_a_dig

pytestmark = pytest.mark.browser

PARTS = ".medal, .permit circle, .knows path, .place-name, .bag-count path, .first-find circle"
OVERLAPS = """(parts) => {
  const box = (each) => each.getBoundingClientRect();
  const figures = document.querySelectorAll(".site-figures");
  const drawn = [...document.querySelectorAll(".site")].map((site, i) => [site, figures[i]]);
  const sites = drawn.map((both) => both.flatMap((each) => [...each.querySelectorAll(parts)].map(box)));
  const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const over = sites.flatMap((these, i) => sites.slice(i + 1).flat().filter((b) => these.some((a) => meet(a, b))));
  const map = box(document.querySelector(".jmap"));
  return [...over, ...sites.flat().filter(({ bottom, right }) => bottom > map.bottom || right > map.right)];
}"""


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
    assert table.view["played"] == view["played"], "nothing is done by a first touch"
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.locator(".ghost")).to_have_count(0)
    page.locator(".jcard").first.click()
    page.get_by_role("button", name="Take it").click()
    expect(page.locator(".log li").nth(1)).to_contain_text("takes a card")
    assert table.view["board"]["map"]["figures"][view["ask"]["seat"]] == view["board"]["open"][0]["city"]


def test_a_dig_is_offered_with_the_fewest_weeks_for_the_same_tokens(service: Service, sit: Screen) -> None:
    table, dig = to_a_dig(referee(service).begun(), 4)
    ways = table.view["ask"]["options"]["sites"][dig["site"]]["ways"][0]["weeks"]
    usual = next(row["tokens"] for row in ways if row["weeks"] == 4)
    fewest = next(row["weeks"] for row in ways if row["legal"] and row["tokens"] == usual)
    page = sit(table, table.host)
    Hand(page, table).open_site(dig["site"])
    expect(page.locator(".week-choice").nth(fewest - 1)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".week-choice[aria-pressed=true]")).to_have_count(1)


def test_why_it_is_whose_turn(service: Service, sit: Screen) -> None:
    table = referee(service, 3).begun()
    page = sit(table, table.host)
    first, second, third = table.view["board"]["track"]["next"]
    names = [seat["name"] for seat in table.view["seats"]]
    because = page.locator(".because")
    expect(because).to_have_text(f"{names[first]} is furthest back: week 16 of 1901, on top of the stack.")
    expect(page.locator(".ahead li").first).to_contain_text(f"{names[second]}: same week, beneath")
    for seat, week in ((second, 20), (third, 17)):
        table.press("correct", correction={"type": "marker", "seat": seat, "week": week, "year": 1901})
    expect(because).to_have_text(f"{names[first]} is furthest back: week 16 of 1901.")
    expect(page.locator(".ahead li").first).to_contain_text(f"{names[third]}: 1 week ahead")
    expect(page.locator(".ahead li").last).to_contain_text(f"{names[second]}: 4 weeks ahead")


def test_everything_that_can_be_done_shows_its_weeks_and_who_is_next(service: Service, sit: Screen) -> None:
    table = referee(service).begun()
    seat = table.view["ask"]["seat"]
    london = "exhibition-small-london"
    table.press("correct", correction={"type": "card", "card": london, "from": "pile", "to": "a"})
    for site, token in (("greece", "object:2"), ("egypt", "object:1"), ("egypt", "object:1")):
        table.press("correct", correction={"type": "token", "site": site, "token": token, "from": "bag", "to": seat})
    page = sit(table, table.host)
    options = table.view["ask"]["options"]
    expect(page.locator(".pile .total-number")).to_have_text(str(options["refresh"]["total"]))
    expect(page.locator(".jcard .next-bed")).to_have_count(5)
    ticket = page.locator(".ticket").first
    expect(ticket.locator(".ticket-weeks")).to_have_text(str(options["exhibitions"]["a"]["total"]))
    expect(ticket.locator(".ticket-next .seat-sign")).to_have_count(1)
    shown = page.locator(".ticket").nth(0).inner_text()
    assert table.view["seats"][1 - seat]["name"] in shown, "it says who would be furthest back then"
    table.press(
        "correct", correction={"type": "token", "site": "greece", "token": "object:2", "from": seat, "to": "bag"}
    )
    expect(ticket.locator(".ticket-next")).to_have_count(0)


@pytest.mark.parametrize("size", [TABLET, SMALL_TABLET, PHONE], ids=["tablet", "small-tablet", "phone"])
def test_the_sites_stand_apart_on_the_map(
    service: Service, sit: Screen, subtests: pytest.Subtests, size: dict[str, int]
) -> None:
    """No sign, number or name of a site lies over another site's, however long the names are."""
    page = sit(referee(service).begun(), size=size)
    for language in ("en", "fr", "it", "de"):
        with subtests.test(language):
            speak(page, language, ready=".board > *")
            if size is PHONE:
                page.locator("#tab-map").tap()
            settle(page)
            assert page.locator(".site").count() == 5
            assert page.evaluate(OVERLAPS, PARTS) == []


def test_what_cannot_be_done_says_why_on_itself(service: Service, sit: Screen) -> None:
    table = referee(service).begun()
    seat = table.view["ask"]["seat"]
    table.press("correct", correction={"type": "marker", "seat": 1 - seat, "week": 1, "year": 1904})
    table.press("correct", correction={"type": "marker", "seat": seat, "week": 52, "year": 1903})
    page = sit(table, table.host)
    costs = [each["total"] for each in table.view["ask"]["options"]["open"]]
    refused = page.locator(".jcard:not(.pile) .why-not")
    expect(refused).to_have_count(sum(cost > 1 for cost in costs))
    why = re.compile(r"^That takes \d+\sweeks, \d+\smore than the 1\syou have left\. JVT-06$")
    expect(refused.first).to_have_text(why)
    page.locator(".jcard:not(.pile)").nth(costs.index(max(costs))).click()
    expect(page.locator(".plan-sheet .do-it")).to_have_attribute("aria-disabled", "true")
    expect(page.locator(".plan-sheet .refusal")).to_contain_text("more than the 1 you have left")
    expect(page.locator(".ghost")).to_have_count(0)
    keep(page, "jenseits", "refused", "tablet", "lamplight")


def at_the_end(table: Table, left: int) -> Table:
    """Whoever acts has so many weeks left, and everybody else has none."""
    seat = table.view["ask"]["seat"]
    table.press("correct", correction={"type": "marker", "seat": 1 - seat, "week": 1, "year": 1904})
    return table.press("correct", correction={"type": "marker", "seat": seat, "week": 53 - left, "year": 1903})


def test_nobody_is_shown_to_play_after_a_game_that_is_over(service: Service, sit: Screen) -> None:
    weeks = at_the_end(table := referee(service).begun(), 30).view["ask"]["options"]["open"][0]["total"]
    page = sit(at_the_end(table, weeks), table.host)
    card = page.locator(".jcard").first
    expect(card.locator(".total-number")).to_have_text(str(weeks))
    expect(card.locator(".next-bed")).to_have_count(0)
    card.click()
    expect(page.locator(".plan-sheet")).to_contain_text("Then the game is over.")


def test_to_retire_says_that_it_ends_the_game(service: Service, sit: Screen) -> None:
    table = referee(service).begun()
    page = sit(table, table.host)
    expect(page.locator(".ask .button")).to_have_count(0)  # nothing that is seldom meant stands beside the turn
    page.locator("[data-sheet=menu]").click()
    expect(page.locator(".retire")).to_have_text("Retire: give up 156 weeks")
    at_end = sit(other := at_the_end(referee(service).begun(), 6), other.host)
    at_end.locator("[data-sheet=menu]").click()
    expect(at_end.locator(".retire")).to_have_text("Retire: give up 6 weeks and end the game")


def test_why_not_leads_to_its_rule(service: Service, sit: Screen) -> None:
    table = at_the_end(referee(service).begun(), 1)
    page = sit(table, table.host)
    costs = [each["total"] for each in table.view["ask"]["options"]["open"]]
    page.locator(".jcard:not(.pile)").nth(costs.index(max(costs))).click()
    page.locator(".plan-sheet .refusal").get_by_role("button", name="Rule JVT-06: read it").click()
    told = page.locator(".help-sheet .rule.sought")
    expect(told).to_contain_text("JVT-06")
    expect(told).to_be_in_viewport()
    expect(told).to_be_focused()


def test_a_rule_that_nobody_tells_is_no_button(service: Service, sit: Screen) -> None:
    table = at_the_end(referee(service).begun(), 1)
    page = sit(table, table.host)
    page.route("**/api/boxes/*/rules*", lambda route: route.fulfill(json={"headings": []}))
    costs = [each["total"] for each in table.view["ask"]["options"]["open"]]
    with page.expect_response("**/api/boxes/*/rules*"):
        page.locator(".jcard:not(.pile)").nth(costs.index(max(costs))).click()
    refusal = page.locator(".plan-sheet .refusal")
    expect(refusal).to_contain_text("JVT-06")
    expect(refusal.get_by_role("button")).to_have_count(0)
