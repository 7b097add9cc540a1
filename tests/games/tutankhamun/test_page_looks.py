"""How the page of Tutankhamun looks, in both lights and every language, and whether everybody can use it."""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.browser.bench import Bench
from tests.browser.looks import found, keep, look, settle, speak
from tests.browser.screens import PHONE, SMALL_TABLET, TABLET, UPRIGHT, Screen
from tests.browser.tables import Service, Table
from tests.games.tutankhamun.trays import dig, dug, in_a_turn, lifting, passed, to_lay

pytestmark = pytest.mark.browser

SIZES = {"tablet": TABLET, "phone": PHONE}
LANGUAGES: dict[str, dict[str, tuple[str, ...]]] = {
    "dig": {"tablet": ("fr", "de"), "phone": ("it",)},
    "laying": {"tablet": ("it",), "phone": ("de",)},
}
"""Each language in its turn, where there is least room."""
ONE_EACH = {"tablet": ("de",), "phone": ("fr",)}
NAMES_CUT = """() => [...document.querySelectorAll(".seat-name")]
  .filter((each) => each.offsetParent && (each.clientWidth === 0 || each.scrollWidth > each.clientWidth))
  .map((each) => each.textContent)"""
SIZE = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
CUT = """() => [...document.querySelectorAll("main button, .tray-square")].filter((each) => {
  const box = each.getBoundingClientRect();
  return box.width && (box.bottom > innerHeight || box.right > innerWidth || box.top < 0);
}).map((each) => each.textContent)"""
TOO_SMALL = """() => [...document.querySelectorAll("main button, main summary, dialog button, .tray-square")]
  .map((each) => [each.getAttribute("aria-label") ?? each.textContent, each.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.height < 47.5 || box.width < 43.5))
  .map(([name, box]) => `${name} ${box.width} × ${box.height}`)"""


def upright(page: Page) -> None:
    """The same page on a tablet that is held so."""
    page.set_viewport_size({"width": UPRIGHT["width"], "height": UPRIGHT["height"]})


def laying_open(page: Page) -> None:
    look_quietly(page)
    for card, at in (("obelisk_base", 0), ("obelisk_middle", 1), ("obelisk_top", 2), ("snake_head", 4)):
        page.locator(f"[data-card={card}]").click()
        page.locator(f"[data-at='{at}']").click()


def look_quietly(page: Page) -> None:
    """As a screen reader presses, which cannot hold."""
    page.locator(".hold-open").dispatch_event("click", {"detail": 0})
    page.wait_for_selector("dialog.tut-secret")


def choose(page: Page) -> None:
    page.locator(".tray-square.can").nth(5).click()
    page.wait_for_selector(".tut-bar.chosen")


STATES: dict[str, Callable[[Service], Table]] = {
    "dig": lambda service: in_a_turn(dug(service, 26, odds=True)),
    "six": lambda service: dug(service, 40, seats=6, open_memory=True),
    "closing": lambda service: dig(service, 3).move("pass"),
    "report": lambda service: dig(service, 4, tray="physical").move("dig", square="b2"),
    "laying": lambda service: to_lay(service)[0],
    "end": lambda service: passed(dug(service, 45, seats=3)),
}
SCENES: dict[str, tuple[str, Callable[[Page], None]]] = {
    "dig": ("dig", choose),
    "six": ("six", lambda page: None),
    "closing": ("closing", choose),
    "report": ("report", lambda page: None),
    "cover": ("laying", lambda page: None),
    "laying": ("laying", laying_open),
    "end": ("end", lambda page: None),
}


@pytest.fixture(scope="session")
def laid(service: Service) -> Callable[[str], Table]:
    """Tables that are only looked at, laid once."""
    return functools.cache(lambda state: STATES[state](service))


@pytest.mark.slow
@pytest.mark.parametrize("scene", SCENES)
def test_everybody_can_use_it_in_every_language(
    laid: Callable[[str], Table], sit: Screen, subtests: pytest.Subtests, scene: str
) -> None:
    state, comes = SCENES[scene]
    table = laid(state)
    for named, size in SIZES.items():
        page = sit(table, table.host, size=size)
        with subtests.test(named):
            comes(page)
            settle(page)
            assert page.evaluate(TOO_SMALL) == []
            assert page.evaluate(NAMES_CUT) == []
            if size is TABLET and scene not in {"cover", "laying"}:
                assert page.evaluate(SIZE) == [TABLET["width"], TABLET["height"]]  # nothing scrolls
                assert page.evaluate(CUT) == []
            look(page, "table", f"tutankhamun_{scene}", named)
            if size is TABLET:
                upright(page)
                keep(page, "table", f"tutankhamun_{scene}", "upright")
        for language in LANGUAGES.get(scene, ONE_EACH)[named]:
            with subtests.test(named, language=language):
                speak(page, language, ready=".board > *")
                comes(page)
                assert "ui." not in page.locator("main").inner_text()
                keep(page, "table", f"tutankhamun_{scene}", named, language)


def test_names_are_whole_on_a_small_tablet(laid: Callable[[str], Table], sit: Screen) -> None:
    table = laid("dig")
    page = sit(table, table.host, size=SMALL_TABLET)
    assert page.evaluate(NAMES_CUT) == []


def test_a_lift_looks_right_and_can_be_used_by_everybody(rig_service: Service, sit: Screen) -> None:
    table = in_a_turn(dug(rig_service, 8))
    Bench(rig_service, table).take().tidy().poke("card")
    squares = table.view["ask"]["options"]["squares"]
    pages = [sit(table, table.host, size=size, language=language) for size, language in ((TABLET, "en"), (PHONE, "de"))]
    lifting(pages[0], next(name for name, aid in squares.items() if aid["dig"]["legal"]))
    for page, name in zip(pages, SIZES, strict=True):
        expect(page.locator(".tut-lifting.held")).to_be_visible()
        assert found(page) == []
        keep(page, "table", "tutankhamun_lift", name)
    upright(pages[0])
    keep(pages[0], "table", "tutankhamun_lift", "upright")
