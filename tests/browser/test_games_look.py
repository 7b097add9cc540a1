"""The games as they are seen, face by face: in both lights and four languages, on a tablet and on a phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.browser.looks import MEASURE, RULES, found, keep, lit, settle
from tests.browser.screens import PHONE, SMALL_TABLET, TABLET, Laid, Screen
from tests.browser.states import SEEN
from tests.browser.tables import Table

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SIZES = {"tablet": TABLET, "phone": PHONE}
TOO_SMALL = """() => [...document.querySelectorAll(
    "main :is(button, a, summary), dialog :is(button, a, input), .hit, .tray-square, .hor-square, .hor-die-hit")]
  .map((each) => [each, each.getBoundingClientRect()])
  .filter(([each, box]) => box.width > 0 && Math.min(box.width, box.height) < 43.5
    && !each.closest(".unseen, .log, .tr-held, .rule-id"))
  .map(([each, box]) => `${each.getAttribute("aria-label") ?? each.textContent}: ${box.width} × ${box.height}`)"""
"""What a finger does not find."""
GONE = ("off the screen", "a press off the screen")
"""What a face may not have at all; what is cut off or lies over something else is measured by `test_frames`."""
Faces = Callable[[Page], Iterator[str]]


def as_it_comes(page: Page) -> Iterator[str]:
    yield "table"


def quietly(page: Page, opens: str, opened: str) -> None:
    """As a screen reader presses, which cannot hold."""
    page.locator(opens).first.dispatch_event("click", {"detail": 0})
    page.wait_for_selector(opened)


def excavated(page: Page) -> Iterator[str]:
    """Jenseits: with each of its sheets and tabs open, one after the other."""
    yield "table"
    tabs = page.locator(".tabs").count()
    for tab in ("map", "dig", "me", "cards") if tabs else ():
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
    if tabs:
        page.locator("#tab-dig").tap()
    sites = page.locator(".site-row:not([aria-disabled]), .site .hit.can")
    if sites.count():
        sites.first.click()
        yield "dig"
        page.keyboard.press("Escape")


def raided(page: Page) -> Iterator[str]:
    """The Tomb Raiders: with a hand, somebody's open cards and a museum open, one after the other."""
    yield "table"
    for tab in page.locator(".tabs button").all():
        tab.tap()
        yield tab.get_attribute("id") or ""
    if page.locator(".ask .tr-open-hand").count():
        quietly(page, ".ask .tr-open-hand", ".tr-hand")
        if page.locator(".tr-held").count():  # a hand may be empty
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


def with_a_figure(page: Page) -> Iterator[str]:
    page.locator(".hor-adventurer").nth(2).click()
    yield "figure"


def on_a_way(page: Page) -> Iterator[str]:
    page.locator(".hor-square.can:not(.reach)").first.dispatch_event("click")
    page.wait_for_selector(".hor-way")
    yield "way"


def with_cards_in_hand(page: Page) -> Iterator[str]:
    quietly(page, ".hold-open", "dialog.hor-secret")
    yield "hand"


def with_a_square(page: Page) -> Iterator[str]:
    page.locator(".tray-square.can").nth(5).click()
    page.wait_for_selector(".tut-bar.chosen")
    yield "square"


def laid_by_hand(page: Page) -> Iterator[str]:
    yield "cover"
    quietly(page, ".hold-open", "dialog.tut-secret")
    for card, at in (("obelisk_base", 0), ("obelisk_middle", 1), ("obelisk_top", 2), ("snake_head", 4)):
        page.locator(f"[data-card={card}]").click()
        page.locator(f"[data-at='{at}']").click()
    yield "laying"


class Scene(NamedTuple):
    """A table, what is looked at there, and in which language on a tablet and on a phone.

    The two have the same colours: one of them is looked at by the light of a lamp, the other by day.

    :ivar audited: on which of the two axe looks: each in both lights, by turns.
    """

    name: str
    faces: Faces
    tablet: str
    phone: str
    by_night: bool
    audited: str

    def hand(self, table: Table, size: str) -> str:
        """Whose screen it is: a hand of The Tomb Raiders is looked at on one's own phone."""
        own = self.faces is raided and size == "phone"
        return table.seats[table.view["ask"]["seat"]] if own else table.host


LOOKED_AT: dict[str, Faces] = {
    "jenseits": excavated,
    "jenseits_start": as_it_comes,
    "jenseits_pair": as_it_comes,
    "jenseits_drawing": excavated,
    "jenseits_over": as_it_comes,
    "tomb_raiders": raided,
    "tomb_raiders_real": raided,
    "tomb_raiders_over": as_it_comes,
    "horus_enter": with_a_figure,
    "horus_throw": as_it_comes,
    "horus": on_a_way,
    "horus_lock": as_it_comes,
    "horus_laden": with_cards_in_hand,
    "horus_over": as_it_comes,
    "tutankhamun": as_it_comes,
    "tutankhamun_dig": with_a_square,
    "tutankhamun_closing": with_a_square,
    "tutankhamun_report": as_it_comes,
    "tutankhamun_laying": laid_by_hand,
    "tutankhamun_over": as_it_comes,
    **dict.fromkeys((name for name in SEEN if name.endswith("_tools")), as_it_comes),
}
SCENES = [
    Scene(name, faces, tablet, phone, by_night, audited)
    for (name, faces), tablet, phone, by_night, audited in zip(
        LOOKED_AT.items(),
        cycle(("fr", "en", "de", "it")),
        cycle(("de", "it", "fr", "de", "en")),
        cycle((True, False)),
        cycle(("tablet", "tablet", "phone", "phone")),
        strict=False,
    )
]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_each_face_is_seen_whole_and_used_by_everybody(
    laid: Laid, sit: Screen, subtests: pytest.Subtests, scene: Scene, size: str
) -> None:
    light = "lamplight" if (size == "tablet") == scene.by_night else "day"
    too_small = "() => []" if scene.name.endswith("_tools") else TOO_SMALL  # a tool is as large as its place on a plan
    table, language = laid(scene.name), scene.tablet if size == "tablet" else scene.phone
    page = sit(table, scene.hand(table, size), size=SIZES[size], language=language)
    assert page.evaluate("document.documentElement.lang") == language
    if scene.name == "jenseits_over":
        page.locator(".keepsake img").evaluate("(picture) => picture.decode()")
    for face in scene.faces(page):
        with subtests.test(face, language=language):
            settle(page)
            assert [each for each in page.evaluate(MEASURE) if each.startswith(GONE) or "seat-name" in each] == []
            assert page.evaluate(too_small) == []
            lit(page, light)
            assert scene.audited != size or found(page, RULES) == []
            keep(page, "table", scene.name, size, face, light, language)
    if size == "tablet":
        page.set_viewport_size(ViewportSize(width=SMALL_TABLET["width"], height=SMALL_TABLET["height"]))
        settle(page)
        assert page.evaluate(too_small) == []
