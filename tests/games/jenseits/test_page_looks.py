"""Jenseits von Theben as it is seen: each state in every language, both lights, on a tablet and on a phone."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page

from tests.browser.looks import THEMES, found, keep, lit, speak
from tests.browser.screens import PHONE, SMALL_TABLET, TABLET, UPRIGHT, Screen
from tests.browser.tables import Service, Table
from tests.games.jenseits.excavation import Hand, referee, to_a_dig, wander

pytestmark = pytest.mark.browser

SIZES = {"tablet": TABLET, "phone": PHONE}
LANGUAGES = {
    ("lamplight", "tablet"): "fr",
    ("lamplight", "phone"): "de",
    ("day", "tablet"): "it",
    ("day", "phone"): "en",
}
"""Each language once: long words where there is little room."""
OF_MANY_FACES = {"turn", "drawing"}
Laid = Callable[[str], Table]


def drawing(service: Service) -> Table:
    """In the middle of a dig, waiting for a press."""
    table, dig = to_a_dig(referee(service, pace="press").begun(), 10, tokens=3)
    return table.press("moves", move=dig).deal()


def ended(service: Service) -> Table:
    """A game of four, closed early: one of them has the most books about everything."""
    table = referee(service, 4).begun()
    for bag in table.view["board"]["bags"]:
        book = next(token for token in bag["inside"] if token.startswith("book:"))
        table.press("correct", correction={"type": "token", "site": bag["bag"], "token": book, "from": "bag", "to": 3})
    return wander(table, 12).press("close")


STATES: dict[str, Callable[[Service], Table]] = {
    "start": lambda service: referee(service, 3, pace="press"),
    "turn": lambda service: wander(referee(service, 4).begun(), 40),
    "pair": lambda service: wander(referee(service, 2).begun(), 24),
    "drawing": drawing,
    "over": ended,
}


@pytest.fixture(scope="session")
def laid(service: Service) -> Laid:
    """Tables that are only looked at, laid once."""
    return functools.cache(lambda state: STATES[state](service))


def faces(page: Page) -> Iterator[str]:
    """The page as it is, then with each of its sheets and tabs open, one after the other."""
    yield "table"
    if page.locator(".tabs").count():
        for tab in ("map", "dig", "me", "cards"):
            page.locator(f"#tab-{tab}").tap()
            yield tab
    if page.locator(".jcard:not([aria-disabled])").count():
        page.locator(".jcard").nth(1).click()
        yield "plan"
        page.locator(".plan-sheet .button.quiet").first.click()
    if page.locator(".papers-button").count():
        page.locator(".papers-button").first.click()
        yield "papers"
        page.keyboard.press("Escape")
    if page.locator(".tabs").count():
        page.locator("#tab-dig").tap()
    sites = page.locator(".site-row:not([aria-disabled]), .site .hit.can")
    if sites.count():
        sites.first.click()
        yield "dig"
        page.keyboard.press("Escape")


SMALL = """() => [...document.querySelectorAll("button, main a, .hit, dialog a, dialog input, summary, select")]
  .map((each) => [each.getAttribute("aria-label") ?? each.textContent, each.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.height < 48 || box.width < 48))
  .map(([name, box]) => `${name} ${box.width} × ${box.height}`)"""
ASIDE = """() => [...document.querySelectorAll(".papers-table")]
  .filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)"""
CUT = """() => [...document.querySelectorAll(".seat-name")]
  .filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)"""
OUTSIDE = """() => [...document.querySelectorAll("main button, .hit")]
  .filter((each) => each.getBoundingClientRect().bottom > innerHeight + 1)
  .map((each) => each.textContent)"""
OVER_THE_EDGE = """() => [...document.querySelectorAll(".final-sheet *")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1 && each.matches("th, td")
    || each.getBoundingClientRect().right > each.closest(".final-sheet").getBoundingClientRect().right + 1)
  .map((each) => each.textContent)"""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("state", STATES)
def test_it_is_seen_whole_by_everybody(
    laid: Laid, sit: Screen, subtests: pytest.Subtests, state: str, size: str
) -> None:
    """Each state in both lights and sizes, in one language after the other, with a picture of it."""
    table = laid(state)
    page = sit(table, table.host, size=SIZES[size])
    for light, rules in THEMES.items():
        language = LANGUAGES[light, size]
        speak(page, language, ready=".board > *")
        lit(page, light)
        if state == "over":
            page.locator(".keepsake img").evaluate("(picture) => picture.decode()")
        for face in faces(page) if state in OF_MANY_FACES and light == "lamplight" else ("table",):
            with subtests.test(face, language=language):
                assert found(page, rules) == []
                assert page.evaluate(OVER_THE_EDGE) == []
                if state in OF_MANY_FACES:
                    _fits(page, size)
                text = page.locator("body").inner_text()
                assert not re.search(r"\bui\.", text)
                assert "{" not in text
                keep(page, "jenseits", state, face, size, language)
    if size == "tablet":
        page.set_viewport_size({"width": UPRIGHT["width"], "height": UPRIGHT["height"]})
        keep(page, "jenseits", state, "table", "upright")


def test_a_small_tablet_is_touched_as_easily_and_cuts_no_name(laid: Laid, sit: Screen) -> None:
    table, dig = to_a_dig(laid("turn"))
    page = sit(table, table.host, size=SMALL_TABLET, language="de")
    assert page.evaluate(CUT) == []
    assert page.evaluate(SMALL) == []
    Hand(page, table).think(dig)
    assert page.evaluate(SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def _fits(page: Page, size: str) -> None:
    """Made for fingers, and nothing beyond the edges."""
    assert page.evaluate(SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate(ASIDE) == []
    if size == "tablet":
        assert page.evaluate("document.documentElement.scrollHeight") == TABLET["height"]
        assert page.evaluate(OUTSIDE) == []
