"""How the page of the pyramid looks: whole at every size, in each language, and of use to everybody."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.browser.looks import found, keep, look, settle, speak
from tests.browser.screens import PHONE, SMALL_TABLET, TABLET, UPRIGHT, Screen
from tests.browser.tables import Service, Table
from tests.games.horus.pyramid_tables import acting, at_a_lock, inside, laden, laid, out

pytestmark = pytest.mark.browser

WHOLE = {"tablet": TABLET, "small": SMALL_TABLET, "upright": UPRIGHT}
OVER_THE_SIDE = """() => [document.documentElement, document.querySelector(".hor-side")]
  .filter((each) => each && (each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1))
  .map((each) => `${each.className} ${each.scrollWidth} × ${each.scrollHeight}`)"""
TOO_SMALL = """() => [...document.querySelectorAll(".board button, .ask button, .hor-square, .hor-die-hit")]
  .map((each) => [each.getAttribute("aria-label") ?? each.textContent, each.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.height < 47.5 || box.width < 43.5))
  .map(([name, box]) => `${name} ${box.width} × ${box.height}`)"""
CUT = """() => [...document.querySelectorAll("main button")].filter((each) => {
  const box = each.getBoundingClientRect();
  return box.width && (box.bottom > innerHeight || box.right > innerWidth || box.top < 0);
}).map((each) => each.textContent)"""
UNSAID = r"""() => document.body.innerText.match(/\b(horus|ui)\.[a-z_.]+/g) ?? []"""


def nothing(page: Page) -> None:
    """It is looked at as it comes."""


def a_way(page: Page) -> None:
    page.locator(".hor-square.can:not(.reach)").first.dispatch_event("click")
    page.wait_for_selector(".hor-way")


def a_hand(page: Page) -> None:
    """As a screen reader presses, which cannot hold."""
    page.locator(".hold-open").dispatch_event("click", {"detail": 0})
    page.wait_for_selector("dialog.hor-secret")


def a_figure(page: Page) -> None:
    page.locator(".hor-adventurer").nth(2).click()


SCENES: dict[str, tuple[Callable[[Service], Table], Callable[[Page], None]]] = {
    "enter": (lambda service: laid(service, 6), a_figure),
    "throw": (lambda service: inside(service, 6), nothing),
    "act": (acting, a_way),
    "lock": (at_a_lock, nothing),
    "ready": (laden, a_hand),
    "over": (out, nothing),
}


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES)
def test_everybody_can_use_it_at_every_size(
    service: Service, sit: Screen, subtests: pytest.Subtests, scene: str
) -> None:
    lay, comes = SCENES[scene]
    table = lay(service)
    page = sit(table, table.host)
    comes(page)
    for named, size in WHOLE.items():
        with subtests.test(named):
            page.set_viewport_size(ViewportSize(width=size["width"], height=size["height"]))
            settle(page)
            assert page.evaluate(OVER_THE_SIDE) == []
            assert page.evaluate(TOO_SMALL) == []
            assert page.evaluate(CUT) == []
            keep(page, "table", f"horus_{scene}", named)
    look(page, "table", f"horus_{scene}")
    with subtests.test("phone"):
        phone = sit(table, table.host, size=PHONE)
        comes(phone)
        settle(phone)
        assert phone.evaluate(TOO_SMALL) == []
        assert found(phone) == []
        keep(phone, "table", f"horus_{scene}", "phone")


def test_every_language_has_room(service: Service, sit: Screen, subtests: pytest.Subtests) -> None:
    table = at_a_lock(service)
    page = sit(table, table.host, size=SMALL_TABLET)
    for language in ("fr", "it", "de"):
        with subtests.test(language):
            speak(page, language, ready=".board > *")
            assert page.evaluate(UNSAID) == []
            assert page.evaluate(OVER_THE_SIDE) == []
            keep(page, "table", "horus_lock", "small", language)
