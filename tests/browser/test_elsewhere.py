"""A game in a folder outside the package, on its page: found on the shelf, laid, and played by presses."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.screens import Screen
from tests.browser.tables import Service

pytestmark = pytest.mark.browser


def test_a_game_from_elsewhere_stands_on_the_shelf_and_is_played(service: Service, screen: Screen, sit: Screen) -> None:
    start = screen(service.url, ready=".shelf")
    expect(start.get_by_role("button", name=re.compile("The Shaft"))).to_be_visible()
    table = service.lay("shaft", 2, mode="referee")
    page = sit(table, table.host)
    page.get_by_role("button", name="Dig").click()
    expect(page.locator(".shaft p")).not_to_have_text("–")
    expect(page.locator(".log li").first).to_contain_text("Up comes")
    page.get_by_role("button", name=re.compile("^Climb out")).click()
    expect(page.locator(".who").first).to_contain_text("Béatrice")
    assert table.view["ask"]["seat"] == 1
