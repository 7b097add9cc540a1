"""Pictures of every page and state, on a tablet and a phone, in both lights: kept in output/screens to be looked at."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import PHONE, TABLET, Screen
from tests.browser.tables import ROOT, STATES, Service, jenseits

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PICTURES = ROOT / "output" / "screens"
SIZES = {"tablet": TABLET, "phone": PHONE}
THEMES = ("lamplight", "day")
LANGUAGES = ("en", "fr", "it", "de")
PAGES = {"start": "/", "past": "/past", "settings": "/settings", "certificate": "/certificate"}


def keep(page: Page, *names: str) -> None:
    """A picture of the whole page. A picture of nothing, or one that is cut off at a side, is none."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(150)
    file = PICTURES / f"{'-'.join(names)}.png"
    phone = page.evaluate("innerWidth < 600")
    page.screenshot(path=Path(file), full_page=phone or "table" not in names, animations="disabled", caret="hide")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "it runs over the side"
    assert page.evaluate("[...document.fonts].filter((font) => font.status === 'loaded').length") >= 2


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("state", STATES)
def test_a_table(service: Service, sit: Screen, state: str, theme: str, size: str) -> None:
    table = STATES[state](service)
    keep(sit(table, table.host, theme=theme, size=SIZES[size]), "table", state, size, theme)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", THEMES)
def test_the_start(service: Service, screen: Screen, language: str, theme: str, size: str) -> None:
    page = screen(service.url, ready=".box-cover", theme=theme, size=SIZES[size], language=language)
    page.locator(".box-cover").first.click()
    keep(page, "start", size, theme, language)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_a_table_in_every_language(service: Service, sit: Screen, language: str, size: str) -> None:
    for state in ("jenseits_drawing", "horus", "tutankhamun"):
        table = STATES[state](service)
        keep(sit(table, table.host, size=SIZES[size], language=language), "table", state, size, language)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("name", ["past", "settings", "certificate", "luck"])
def test_a_page(service: Service, screen: Screen, name: str, theme: str, size: str) -> None:
    where = f"/luck/{jenseits(service).id}" if name == "luck" else PAGES[name]
    page = screen(service.url + where, ready=".luck-table" if name == "luck" else "main", theme=theme, size=SIZES[size])
    keep(page, name, size, theme)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(
    ("sheet", "name"), [("join", "Join with a phone"), ("mend", "Put something right"), ("help", "Help")]
)
def test_a_sheet(service: Service, sit: Screen, sheet: str, name: str, size: str) -> None:
    table = jenseits(service)
    page = sit(table, table.host, size=SIZES[size])
    page.get_by_role("button", name=name).click()
    page.wait_for_selector("dialog[open]")
    page.wait_for_timeout(300)
    keep(page, "table", "sheet", sheet, size)
