"""Everybody can use it: axe finds nothing grave on any page, in any state, in either light."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Screen
from tests.browser.tables import STATES, Service, jenseits, jenseits_reporting

pytestmark = pytest.mark.browser

VENDOR = Path(__file__).parent / "vendor"
STATIC = Path(__file__).parents[2] / "web_ui" / "static"
AXE = VENDOR / "axe.min.js"
RUN = """async () => {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
  const { violations } = await axe.run(document, { runOnly: tags });
  const where = (nodes) => nodes.map((node) => node.target.join()).join(" | ");
  const why = (nodes) => nodes[0].failureSummary.split("\\n").at(-1);
  return violations.map(({ id, impact, nodes }) => [id, impact, nodes.length, where(nodes), why(nodes)]);
}"""
THEMES = ("lamplight", "day")
PAGES = ("/", "/past", "/settings", "/certificate")
SHEETS = ("Join with a phone", "Put something right", "Help")
Violations = list[tuple[str, str, int, str, str]]


def found(page: Page) -> Violations:
    """What axe finds. It is put in past the page's policy, which lets no foreign script run."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    violations: Violations = page.evaluate(RUN)
    return violations


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("state", STATES)
def test_a_table_in_every_state(service: Service, sit: Screen, state: str, theme: str) -> None:
    table = STATES[state](service)
    assert found(sit(table, table.host, theme=theme)) == []


@pytest.mark.parametrize("theme", THEMES)
def test_a_table_on_a_phone_and_for_a_spectator(service: Service, sit: Screen, theme: str) -> None:
    table = jenseits_reporting(service)
    assert found(sit(table, table.seats[1], theme=theme, size=PHONE)) == []
    assert found(sit(table, theme=theme)) == []


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("address", PAGES)
def test_a_page(service: Service, screen: Screen, address: str, theme: str) -> None:
    page = screen(service.url + address, theme=theme)
    if address == "/":
        page.locator(".box-cover").first.click()
    assert found(page) == []


@pytest.mark.parametrize("theme", THEMES)
def test_luck(service: Service, screen: Screen, theme: str) -> None:
    table = jenseits(service)
    assert found(screen(f"{service.url}/luck/{table.id}", ready=".luck-table", theme=theme)) == []


@pytest.mark.parametrize("sheet", SHEETS)
def test_a_sheet_over_the_table(service: Service, sit: Screen, sheet: str) -> None:
    table = jenseits(service)
    page = sit(table, table.host)
    page.get_by_role("button", name=sheet).click()
    page.wait_for_selector("dialog[open] >> nth=0")
    page.wait_for_timeout(200)
    assert found(page) == []


def test_a_lost_link_and_a_refusal(own_service: Service, sit: Screen) -> None:
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
