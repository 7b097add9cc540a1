"""A session of each box, from the first press to the end, on a tablet that is lost in the middle and two phones."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screens import PHONE, TABLET, Screen
from tests.browser.tables import Service, Table

pytestmark = pytest.mark.browser

BOXES = ("jenseits", "tomb_raiders", "horus", "tutankhamun")
SMALL_PHONE = {"width": 360, "height": 640}
SILENT_S = 1.0
ENOUGH = 700
"""So many moves at most: then the new host ends the table as it stands."""


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


class Session:
    """A game of three: two with phones, and one who plays by the host's device."""

    def __init__(self, service: Service, box: str) -> None:
        self.service = service
        self.table: Table = service.lay(box, 3, mode="referee", names=("Player 1", "Player 2", "Player 3"))
        self._luck = random.Random(box)

    @property
    def view(self) -> dict[str, Any]:
        view: dict[str, Any] = self.service.call("GET", f"/api/tables/{self.table.id}", key=self.table.seats[0])
        return view

    def play(self, host: str, most: int) -> None:
        """Each seat moves by its own key, the one without a phone by the host's, until it is over."""
        for _ in range(most):
            view = self.view
            if view["over"]:
                return
            ask = view["ask"]
            seat = ask["seats"][0] if ask["kind"] == "move" else (ask["seat"] or 0)
            key = host if seat == 2 else self.table.seats[seat]
            if ask["kind"] == "chance":
                self.table.press("outcome", key=key, outcome=None)
                continue
            path = f"/api/tables/{self.table.id}/moves"
            eyes = f"{path}?seat={seat}" if key == host else path
            moves = self.service.call("GET", eyes, key=key)["moves"]
            self.table.press("moves", key=key, move=self._luck.choice(moves), seat=seat)


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
    game.play(table.host, 12)
    zoe, ole = phones
    tablet.context.close()
    agreed(zoe, ole)
    assert service.call("GET", f"/api/tables/{table.id}", key=table.host)["me"]["role"] == "spectator"
    game.play(table.seats[0], ENOUGH)
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
