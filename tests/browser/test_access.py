"""Everybody can use it: what changes is told in words, a lost link too, and the instrument sees what is wrong."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.looks import found
from tests.browser.screens import Screen
from tests.browser.tables import Service

pytestmark = pytest.mark.browser

VENDOR = Path(__file__).parent / "vendor"
STATIC = Path(__file__).parents[2] / "web_ui" / "static"


def test_a_lost_link(own_service: Service, sit: Screen) -> None:
    table = own_service.lay("jenseits", 2).begun()
    page = sit(table, table.host, theme="day")
    own_service.stop()
    page.wait_for_selector(".banner")
    assert found(page) == []


def test_the_instrument_sees_a_fault(service: Service, screen: Screen) -> None:
    page = screen(f"{service.url}/settings")
    page.evaluate(
        """() => { const [first, second] = document.querySelectorAll("main button");
        first.textContent = ""; second.style.cssText = "color:#777;background:#666"; }"""
    )
    assert {violation[0] for violation in found(page)} >= {"button-name", "color-contrast"}


def test_each_step_is_told_in_words(service: Service, sit: Screen) -> None:
    table = service.lay("horus", 2)
    page = sit(table, table.host)
    expect(page.locator("#said")).to_have_attribute("aria-live", "polite")
    table.move("mummies", steps=2)
    expect(page.locator("#said")).to_have_text("The mummies walk: 2")


@pytest.mark.parametrize("folder", [STATIC / "vendor", VENDOR], ids=["served", "for tests"])
def test_what_is_vendored_is_what_is_written_down(folder: Path) -> None:
    told = (folder / "VERSIONS.md").read_text(encoding="utf-8")
    for file in folder.iterdir():
        if file.suffix in {".js", ".woff2"}:
            assert f"`{file.name}`" in told
            assert hashlib.sha256(file.read_bytes()).hexdigest() in told
