"""The Tomb Raiders as it is seen: each state in some language, both lights, on tablets and on a phone."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page

from tests.browser.looks import THEMES, found, keep, lit
from tests.browser.screens import PHONE, SMALL_TABLET, TABLET, UPRIGHT, Screen
from tests.browser.tables import Service, Table
from tests.games.tomb_raiders.on_screen import laid, settled, wander

pytestmark = pytest.mark.browser

SIZES = {"tablet": TABLET, "upright": UPRIGHT, "small": SMALL_TABLET, "phone": PHONE}
SCENES = [
    ("turn", "tablet", "fr"),
    ("turn", "phone", "de"),
    ("real", "upright", "en"),
    ("real", "small", "de"),
    ("over", "phone", "it"),
]
"""Each state where it has least room, each language at least once."""
STATES: dict[str, Callable[[Service], Table]] = {
    "turn": lambda service: settled(wander(laid(service, 4), 48)),
    "real": lambda service: settled(laid(service, 4, options={"cards": "real"})),
    "over": lambda service: wander(laid(service, 4), 24).press("close"),
}
BOTH, LAMP = tuple(THEMES), ("lamplight",)
SMALL = """() => [...document.querySelectorAll("main button, main a, dialog button")]
  .map((each) => [each.getAttribute("aria-label") ?? each.textContent, each.getBoundingClientRect(), each])
  .filter(([, box, each]) => box.width > 0 && !each.matches(".tr-held, .rule-id")
    && (box.height < 44 || box.width < 44))
  .map(([name, box]) => `${name} ${box.width} × ${box.height}`)"""
CUT = """() => [...document.querySelectorAll(".seat-name, .tr-ticket, .tr-kind-of, .tr-row-of, .tr-weeks-choice")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)
  .map((each) => `${each.className}: ${each.textContent}`)"""
OUTSIDE = """() => [...document.querySelectorAll("main button")]
  .filter((each) => each.getBoundingClientRect().bottom > innerHeight + 1).map((each) => each.textContent)"""


@pytest.fixture(scope="session")
def looked_at(service: Service) -> Callable[[str], Table]:
    """Tables that are only looked at, laid once."""
    return functools.cache(lambda state: STATES[state](service))


def faces(page: Page) -> Iterator[str]:
    """The page as it is, then with a hand, a dig, a museum and somebody's open cards, one after the other."""
    yield "table"
    lit(page, "lamplight")
    for tab in page.locator(".tabs button").all():
        tab.tap()
        yield tab.get_attribute("id") or ""
    hand = page.locator(".ask .tr-open-hand")
    if hand.count():
        hand.dispatch_event("click", {"detail": 0})
        page.locator(".tr-held").first.click()
        yield "hand"
        page.keyboard.press("Escape")
    page.locator(".tr-row-of").first.click()
    yield "before"
    page.keyboard.press("Escape")
    if not page.locator(".tabs").count() and page.locator(".tr-ticket.museum").count():
        page.locator(".tr-ticket.museum").first.click()
        yield "museum"
        page.keyboard.press("Escape")


@pytest.mark.parametrize(("state", "size", "language"), SCENES)
def test_it_is_seen_whole_by_everybody(
    looked_at: Callable[[str], Table], sit: Screen, subtests: pytest.Subtests, state: str, size: str, language: str
) -> None:
    table = looked_at(state)
    own = table.seats[table.view["ask"]["seat"]] if size == "phone" and state != "over" else table.host
    page = sit(table, own, size=SIZES[size], language=language)
    assert page.evaluate("document.documentElement.lang") == language
    for face in ("table",) if state == "over" else faces(page):
        with subtests.test(face):
            for light in BOTH if face in {"table", "hand"} else LAMP:
                lit(page, light)
                assert found(page, THEMES[light]) == []
            assert page.evaluate(SMALL) == []
            assert page.evaluate(CUT) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            if size != "phone":
                assert page.evaluate("document.documentElement.scrollHeight") == SIZES[size]["height"]
                assert page.evaluate(OUTSIDE) == []
            text = page.locator("body").inner_text()
            assert not re.search(r"\b(?:ui|tomb_raiders)\.", text)
            assert "{" not in text
            keep(page, "table", "tomb_raiders", state, face, size, language)
