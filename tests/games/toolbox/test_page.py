"""Every toolbox on its page: whatever can be pressed is pressed, at three sizes, by any luck."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import expect

from companion import games
from tests.browser.pressing import SIZES, pressed, verified
from tests.browser.screens import PHONE, Screen
from tests.browser.tables import Service
from tests.laws.play import WAYS

pytestmark = pytest.mark.browser

BOXES = tuple(name for name in games.REGISTER if "toolbox" in games.modes(name))
PRESSES = 50


@pytest.mark.parametrize("box", BOXES)
def test_fifty_presses_at_three_sizes_leave_a_toolbox_whole(service: Service, sit: Screen, box: str) -> None:
    luck, names = random.Random(box), list[str]()
    options = {name: value for way in WAYS if (way.box, way.mode) == (box, "toolbox") for name, value in way.options}
    for source, chosen in (("companion", options), ("table", {})):
        table = service.lay(box, games.box(box).seats.max, sources={"default": source}, options=chosen)
        page = sit(table, table.host, theatre=True)
        page.locator(".turn-order summary").click()
        for size in SIZES:
            page.set_viewport_size(size)
            names += pressed(page, luck, 9)
        assert verified(table) > 0, " | ".join(names)
    assert len(names) >= PRESSES


def test_what_lies_face_down_is_read_by_its_owner_alone(service: Service, sit: Screen) -> None:
    """On the phone of its owner; on the screen that all share by holding, and covered it is gone from the page."""
    table = service.lay("horus", 2, sources={"decks": "table"}, options={"total_secrecy": True})
    own, other, tablet = sit(table, table.seats[0], size=PHONE), sit(table, table.seats[1]), sit(table, table.host)
    own.get_by_role("button", name="crocodiles’ pond: look at the top card in secret").click()
    own.locator(".outcome", has_text="crocodile bite").click()
    expect(own.locator(".own-cards .card-chip")).to_have_text("crocodile bite (crocodiles’ pond)")
    for page in (other, tablet):
        page.get_by_role("button", name="Cards", exact=True).click()
        expect(page.locator(".spot .card-chip.back")).to_have_text("crocodiles’ pond 1")
        assert "crocodile bite" not in page.content()
    tablet.locator(".spot .hold-open").dispatch_event("click")
    expect(tablet.locator("dialog .own-cards")).to_have_text("crocodile bite (crocodiles’ pond)")
    tablet.get_by_role("button", name="Close").last.click()
    expect(tablet.locator("dialog .own-cards")).to_have_count(0)
    assert "crocodile bite" not in tablet.content()
    own.locator(".own-cards .card-chip").click()
    own.get_by_role("button", name="Turn it up").click()
    for page in (other, tablet):
        expect(page.locator(".spot .card-chip", has_text="crocodile bite")).to_be_visible()


@pytest.mark.parametrize(("box", "deck"), [("jenseits", "research"), ("tomb_raiders", "draw_pile")])
def test_cards_that_lie_open_show_their_pictures(service: Service, sit: Screen, box: str, deck: str) -> None:
    table = service.lay(box, 2).begun()
    turned = next(move for move in table.listed("turn_up") if move["deck"] == deck)
    table.press("moves", move=turned)
    page = sit(table, table.host)
    page.get_by_role("button", name="Cards", exact=True).click()
    expect(page.locator(".card-chip svg path").first).to_be_attached()
