"""A layer of Tutankhamun on the page of whoever lays it, and on no other."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screens import PHONE, TABLET, Screen
from tests.browser.tables import Service
from tests.games.tutankhamun.trays import to_lay

pytestmark = pytest.mark.browser

EAVESDROP = """
  window.heard = [];
  const parse = JSON.parse, json = Response.prototype.json;
  JSON.parse = (text, ...more) => { window.heard.push(text); return parse(text, ...more); };
  Response.prototype.json = async function () {
    const text = await this.text();
    window.heard.push(text);
    return parse(text);
  };
"""
LAYOUTS = """() => {
  const found = [];
  const walk = (value) => {
    const words = Array.isArray(value) && value.every((each) => typeof each === "string");
    if (words && value.length === 16) found.push(value);
    if (value && typeof value === "object") Object.values(value).forEach(walk);
  };
  window.heard.forEach((text) => walk(JSON.parse(text)));
  return found;
}"""


def look(page: Page) -> None:
    """Hold the button until the secret screen opens."""
    hold = page.get_by_role("button", name="Hold to open")
    hold.hover()
    page.mouse.down()
    page.wait_for_selector("dialog.tut-secret")
    page.mouse.up()


def lay(page: Page, cards: list[str]) -> None:
    """Tap each card, and then its square."""
    for at, card in enumerate(cards):
        page.locator(f"[data-card={card}]").click()
        page.locator(f"[data-at='{at}']").click()


def test_a_layer_is_laid_and_a_wrong_one_refused(service: Service, sit: Screen) -> None:
    table, cards = to_lay(service)
    head = cards.index("snake_head")
    loose = next(at for at, card in enumerate(cards) if card in {"pectoral", "bracelet", "chain", "falcon"})
    wrong = list(cards)
    wrong[head], wrong[loose] = wrong[loose], wrong[head]
    page = sit(table, table.host)
    look(page)
    lay(page, wrong)
    page.get_by_role("button", name="Lay this layer").click()
    expect(page.locator(".tut-wrong")).to_be_visible()
    expect(page.locator(".tut-cell.wrong")).to_have_count(1)
    assert table.view["board"]["laying"]["layer"] == 2
    for at in (head, loose):  # taken up again, both, and laid the other way round
        page.locator(f"[data-at='{at}']").drag_to(page.locator(".tut-hand"))
    for at in (head, loose):
        page.locator(f"[data-card={cards[at]}]").drag_to(page.locator(f"[data-at='{at}']"))
    page.get_by_role("button", name="Lay this layer").click()
    expect(page.locator("dialog.tut-secret")).to_have_count(0)
    expect(page.locator("h2", has_text="Hand the tablet to Carlo")).to_be_visible()
    assert table.view["board"]["laying"]["layer"] == 3


def test_the_hand_is_guided_along_a_line(service: Service, sit: Screen) -> None:
    table, _ = to_lay(service)
    page = sit(table, table.host)
    look(page)
    page.locator("[data-card=snake_head]").click()
    page.locator("[data-at='5']").click()
    expect(page.locator(".tut-cell.hint")).to_have_count(4)
    page.locator("[data-at='6']").click()
    expect(page.locator(".tut-cell.hint")).to_have_count(1)
    expect(page.get_by_role("button", name="d2: free, fits in line")).to_be_visible()


@pytest.mark.parametrize("size", [TABLET, PHONE], ids=["tablet", "phone"])
def test_the_head_of_the_sheet_covers_nothing(service: Service, sit: Screen, size: dict[str, int]) -> None:
    table, _ = to_lay(service)
    page = sit(table, table.host, size=size)
    look(page)
    head, guide = (page.locator(f".tut-secret {each}").bounding_box() for each in ("header", ".tut-guide"))
    assert head is not None
    assert guide is not None
    assert head["y"] + head["height"] <= guide["y"]


def test_a_layer_may_be_dealt_instead(service: Service, sit: Screen) -> None:
    table, _ = to_lay(service)
    page = sit(table, table.host)
    page.get_by_role("button", name="Deal it for me").click()
    expect(page.locator("h2", has_text="Hand the tablet to Carlo")).to_be_visible()
    assert table.view["board"]["layers"][1]["laid"]


def test_a_brush_of_the_finger_opens_nothing_and_covering_leaves_nothing(service: Service, sit: Screen) -> None:
    table, cards = to_lay(service)
    page = sit(table, table.host)
    page.get_by_role("button", name="Hold to open").click()
    page.wait_for_timeout(900)
    expect(page.locator("dialog.tut-secret")).to_have_count(0)
    look(page)
    lay(page, cards[:6])
    expect(page.locator(".tut-cell.full")).to_have_count(6)
    page.get_by_role("button", name="Cover").click()
    expect(page.locator(".tut-cell, [data-card]")).to_have_count(0)
    look(page)
    expect(page.locator(".tut-cell.full")).to_have_count(6)
    page.reload()  # half a layer outlives the page, covered
    page.wait_for_selector(".board > *")
    expect(page.locator(".tut-cell, [data-card]")).to_have_count(0)
    look(page)
    expect(page.locator(".tut-cell.full")).to_have_count(6)
    page.get_by_role("button", name="Cover").click()
    page.get_by_role("button", name="Deal it for me").click()
    expect(page.locator("h2", has_text="Hand the tablet to Carlo")).to_be_visible()
    assert page.evaluate("sessionStorage.length") == 0


@pytest.mark.parametrize("layer", [2, 5])
def test_a_layer_taken_back_shows_nobody_how_it_lay(service: Service, sit: Screen, layer: int) -> None:
    table, cards = to_lay(service, layer)
    page = sit(table, table.host)
    look(page)
    lay(page, cards)
    page.get_by_role("button", name="Lay this layer").click()
    expect(page.locator("dialog.tut-secret")).to_have_count(0)
    table.press("undo")
    expect(page.get_by_role("button", name="Hold to open")).to_be_visible()
    expect(page.locator("dialog.tut-secret")).to_have_count(0)
    look(page)
    expect(page.locator(".tut-cell.full")).to_have_count(0)


def test_nobody_else_sees_a_layer(service: Service, sit: Screen, screen: Screen) -> None:
    table, cards = to_lay(service)
    others = []
    for key in (None, table.seats[0], table.seats[2]):
        page = sit(table, key)
        page.context.add_init_script(EAVESDROP)
        page.goto(table.address())
        page.wait_for_selector(".board > *")
        expect(page.get_by_role("button", name="Hold to open")).to_have_count(0)
        others.append(page)
    own = sit(table, table.seats[1], size=PHONE)
    own.get_by_role("button", name="Hold to open").dispatch_event("click", {"detail": 0})
    own.wait_for_selector("dialog.tut-secret")
    lay(own, cards)
    own.get_by_role("button", name="Lay this layer").click()
    for page in others:
        expect(page.locator(".tut-strata .laid")).to_have_count(2)
        assert page.evaluate("window.heard.length") > 2
        assert page.evaluate(LAYOUTS) == []
        assert page.locator(".tut-cell, .tut-face").count() == 0
    for layer in (3, 4, 5):
        assert table.view["board"]["laying"]["layer"] == layer
        table.move("deal")
    table.begun()
    for page in others:
        expect(page.locator(".tray-square")).to_have_count(16)
        assert page.evaluate(LAYOUTS) == []
        assert json.dumps(cards, separators=(",", ":")) not in page.content()
