"""A session of each box, from the first press to the end, on a tablet that is lost in the middle and two phones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screens import PHONE, TABLET, Screen
from tests.browser.tables import Service
from tests.browser.touching import Session

pytestmark = pytest.mark.browser

BOXES = ("jenseits", "tomb_raiders", "horus", "tutankhamun")
SMALL_PHONE = {"width": 360, "height": 640}
SILENT_S = 1.0
ENOUGH = 60
"""So many moves at most: then the new host ends the table as it stands; in `make soak` a game is played out."""
TOUCHED = 2
"""So many turns of each phone are tried by touch before the host is lost, and as many after; all in `make soak`."""


@pytest.fixture
def short_silence(tmp_path: Path) -> Iterator[Service]:
    """A service at which a host is silent after a second."""
    running = Service(tmp_path, host_silent=SILENT_S).start()
    yield running
    running.stop()


@pytest.mark.parametrize("size", [TABLET, PHONE], ids=["tablet", "phone"])
def test_three_presses_from_the_page_to_the_first_decision(
    service: Service, screen: Screen, size: dict[str, int]
) -> None:
    page = screen(service.url, ready=".box-cover", size=size, still=False, first_time=True, owner=service)
    pressed: dict[str, int] = {}
    for nth, box in enumerate(BOXES):
        page.goto(service.url)
        page.locator(".box-cover").nth(nth).click()
        expect(page.locator(".how")).not_to_have_attribute("open", "")
        page.get_by_role("button", name="Start game").click()
        page.wait_for_selector(".ask")
        pressed[box] = 2
        if page.locator(".ask.chance").count():
            page.locator(".deal").click()
            pressed[box] += 1
        expect(page.locator(".ask.move.mine")).to_be_visible()
        expect(page.locator(".scene-player")).to_have_count(0)  # what came up goes by itself
        table = page.url.rpartition("/")[2]
        assert service.call("GET", f"/api/tables/{table}")["ask"]["kind"] == "move"
        page.evaluate("localStorage.removeItem('digside-toured')")
    assert max(pressed.values()) <= 3, pressed


@pytest.mark.parametrize("box", BOXES)
def test_a_whole_game_goes_on_when_the_host_is_lost(short_silence: Service, screen: Screen, box: str) -> None:
    game = Session(short_silence, box)
    table, service = game.table, short_silence
    tablet = screen(table.address(), ready=".board > *", enters=(table, table.host))
    tablet.get_by_role("button", name="Join with a phone").click()
    code = tablet.locator(".room .typed-code")
    expect(code).to_have_text(re.compile("^[A-Z2-9]{5}$"))
    phones = []
    for seat, (name, size) in enumerate((("Zoë", SMALL_PHONE), ("Ole", PHONE))):
        phone = screen(service.url, ready=".box-cover", size=size)
        phone.get_by_label("Join with a code").fill(code.inner_text().lower())
        phone.get_by_role("button", name="Take the seat").tap()
        phone.get_by_label("Your name").fill(name)
        phone.locator(".free-seat").first.tap()
        phone.wait_for_selector(".board > *")
        expect(phone.locator(".seat.own .seat-name")).to_have_text(name)
        phones.append(phone)
        expect(tablet.locator(".sitting").nth(seat)).to_contain_text(name)
    tablet.keyboard.press("Escape")
    if tablet.locator(".ask.chance .deal").count():
        tablet.locator(".deal").click()
    for phone in phones:
        expect(phone.locator(".ask.move")).to_be_visible()
    game.phones = dict(enumerate(phones))
    game.play(table.host, 12, touched=TOUCHED)
    zoe, ole = phones
    tablet.context.close()
    agreed(zoe, ole)
    assert service.call("GET", f"/api/tables/{table.id}", key=table.host)["me"]["role"] == "spectator"
    game.play(table.seats[0], ENOUGH, touched=TOUCHED)
    assert game.by_touch, "no turn was made by touch"
    if not game.view["over"]:
        zoe.locator("[data-sheet=menu]").tap()
        for _ in range(2):
            zoe.wait_for_timeout(700)
            zoe.locator(".menu-end .danger").tap()
    for phone in phones:
        expect(phone.locator(".ask.over, .final-count").first).to_be_visible(timeout=30_000)
    returned = screen(table.address(), ready=".board > *", enters=(table, table.host))
    expect(returned.get_by_role("button", name="Fix a mistake")).to_have_count(0)
    record = service.call("GET", f"/api/tables/{table.id}/record")
    kinds = [line["entry"]["kind"] for line in record["entries"]]
    assert {"want", "seats"} <= set(kinds)
    assert (record["over"], record["laid"]["seal"]) == (True, game.view["seal"])


def agreed(zoe: Page, ole: Page) -> None:
    """One phone asks to be the host, the other agrees."""
    expect(zoe.locator(".hosting")).to_contain_text("has been silent")
    zoe.get_by_role("button", name="I’ll be the host").tap()
    expect(zoe.locator(".hosting")).to_contain_text("You asked to be the host")
    expect(ole.locator(".hosting")).to_contain_text("Zoë would like to be the host")
    ole.get_by_role("button", name="Agree").tap()
    expect(zoe.get_by_role("button", name="Fix a mistake")).to_be_visible()
    expect(ole.locator(".hosting")).to_have_count(0)
    expect(zoe.locator(".seat.own .seat-name")).to_have_text("Zoë")
