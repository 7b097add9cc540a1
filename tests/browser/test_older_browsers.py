"""Browsers that people have: of some years ago, with a notch, that fall asleep; and a sentence for what is too old."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from companion.words import LANGUAGES, say
from tests.browser.bench import Bench
from tests.browser.looks import keep, settle
from tests.browser.screens import PHONE, SMALL_TABLET, TABLET, Screen
from tests.browser.tables import Service, Table, horus, jenseits, tutankhamun
from tests.games.jenseits.excavation import referee
from tests.games.tutankhamun.trays import dig, passed

pytestmark = pytest.mark.browser

SINCE_THEN = """
for (const gone of ["findLast", "findLastIndex", "toSorted", "toReversed", "toSpliced", "with", "group"]) {
  delete Array.prototype[gone];
}
for (const gone of ["groupBy", "hasOwn"]) delete Object[gone];
delete Promise.withResolvers;
delete Navigator.prototype.userActivation;
delete Navigator.prototype.wakeLock;
const supports = CSS.supports.bind(CSS);
CSS.supports = (...said) => !/cqw|path\\(|:has/.test(said.join(":")) && supports(...said);
"""
"""What an iPad of iPadOS 15.4 has not yet."""
LAID: dict[str, Callable[[Service], Table]] = {
    "jenseits": jenseits,
    "horus": horus,
    "tutankhamun": tutankhamun,
    "jenseits_refereed": lambda service: referee(service).begun(),
    "tutankhamun_refereed": dig,
    "tutankhamun_unearthed": lambda service: passed(dig(service)),
}
TEXT = "(place) => getComputedStyle(document.querySelector(place)).userSelect"


def of_then(sheet: str) -> str:
    """A style sheet as a browser without container units, `color-mix` and `:has` reads it."""
    without = re.sub(r"[^{};]*:has\([^{}]*\{[^{}]*\}", "", sheet)
    without = re.sub(r"[^{};]*color-mix\([^;]*;", "", without)
    return re.sub(r"\b1cq[wh]\b", "1unheard", without).replace("container-type", "unheard-of")


def serve_of_then(route: Route) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, body=of_then(answer.text()))


@pytest.fixture
def old_ipad(browser: Browser) -> Iterator[BrowserContext]:
    """A browser of four years ago; what goes wrong in its scripts fails the test."""
    context = browser.new_context(viewport=SMALL_TABLET, reduced_motion="reduce")  # type: ignore[arg-type]
    context.add_init_script(SINCE_THEN)
    context.route("**/*.css", serve_of_then)
    wrongs: list[str] = []
    context.on("weberror", lambda wrong: wrongs.append(str(wrong.error)))
    yield context
    context.unroute_all(behavior="ignoreErrors")  # a sheet may still be on its way
    context.close()
    assert wrongs == []


def sit(context: BrowserContext, table: Table) -> Page:
    page = context.new_page()
    page.goto(table.address(table.host))
    page.wait_for_selector(".board > *")
    settle(page)
    return page


def size_of(page: Page) -> list[int]:
    sizes: list[int] = page.evaluate(
        """() => [...document.querySelectorAll(".board > *, .tut-grid")].flatMap((each) => {
          const { width, height } = each.getBoundingClientRect();
          return [Math.round(width), Math.round(height)];
        })"""
    )
    return sizes


@pytest.mark.parametrize("name", LAID)
def test_boards_are_as_large_without_container_units(
    service: Service, old_ipad: BrowserContext, browser: Browser, name: str
) -> None:
    table = LAID[name](service)
    page = sit(old_ipad, table)
    new = browser.new_context(viewport=SMALL_TABLET, reduced_motion="reduce")  # type: ignore[arg-type]
    assert size_of(page) == pytest.approx(size_of(sit(new, table)), abs=2)
    new.close()
    for width, height in ((1280, 800), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        settle(page)
        assert page.evaluate("document.documentElement.scrollHeight") <= height
    page.set_viewport_size(SMALL_TABLET)  # type: ignore[arg-type]
    keep(page, "old", "table", name)


def test_a_table_is_played_in_a_browser_of_four_years_ago(service: Service, old_ipad: BrowserContext) -> None:
    table = horus(service)
    page = sit(old_ipad, table)
    page.get_by_role("button", name="Draw a block").click()
    expect(page.locator(".log li").first).to_contain_text("falls")
    page.get_by_role("button", name="Help").click()
    expect(page.locator("dialog")).to_be_visible()


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_too_old_is_told_so_in_plain_words(service: Service, browser: Browser, language: str) -> None:
    context = browser.new_context(locale=language)
    context.add_init_script("delete HTMLDialogElement.prototype.showModal")
    page = context.new_page()
    page.goto(service.url)
    expect(page.locator(".too-old")).to_be_visible()
    expect(page.locator(".too-old")).to_have_text(say(language, "web.too_old", {}))
    context.close()


def test_without_scripts_a_page_is_not_empty(service: Service, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(service.url)
    expect(page.locator(".too-old")).to_be_visible()
    context.close()


def test_what_is_new_enough_is_told_nothing(service: Service, screen: Screen) -> None:
    page = screen(service.url, ready=".box-cover")
    expect(page.locator(".too-old")).to_be_hidden()


def test_a_screen_that_may_go_dark_says_so(service: Service, old_ipad: BrowserContext) -> None:
    page = sit(old_ipad, horus(service))
    page.get_by_role("link", name=re.compile("may go dark by itself")).click()
    expect(page.locator(".notice").nth(1)).to_contain_text("auto-lock")


def test_a_screen_that_stays_awake_says_nothing(service: Service, sit: Screen) -> None:
    expect(sit(horus(service)).locator(".dozes")).to_have_count(0)


NOTCH = {"top": 0, "left": 47, "bottom": 21, "right": 47}
ON_ITS_SIDE = {"width": 844, "height": 390}
PRESSABLE = "button, a, [role=button], summary, .board > *"
UNDER_THE_NOTCH = """([those, left, right]) => [...document.querySelectorAll(those)]
  .filter((each) => each.checkVisibility())
  .map((each) => [each.getBoundingClientRect(), each])
  .filter(([box]) => box.width > 0 && (box.left < left || box.right > innerWidth - right))
  .map(([box, each]) => each.outerHTML.slice(0, 90))"""


@pytest.mark.parametrize("size", [ON_ITS_SIDE, TABLET], ids=["phone", "tablet"])
@pytest.mark.parametrize("where", ["table", "rig", "", "settings"])
def test_nothing_lies_under_a_notch(service: Service, screen: Screen, where: str, size: dict[str, int]) -> None:
    table = jenseits(service)
    address = table.address() if where == "table" else f"{service.url}/{where}"
    page = screen(address, size=size, ready=".board > *" if where == "table" else "main", enters=(table, table.host))
    wire = page.context.new_cdp_session(page)
    wire.send("Emulation.setSafeAreaInsetsOverride", {"insets": NOTCH})
    settle(page)
    assert page.evaluate("getComputedStyle(document.getElementById('root')).paddingLeft") == "47px"
    assert page.evaluate(UNDER_THE_NOTCH, [PRESSABLE, NOTCH["left"], NOTCH["right"]]) == []


def test_a_pull_does_not_load_a_table_anew(service: Service, screen: Screen) -> None:
    table = jenseits(service)
    page = screen(table.address(), size=PHONE, ready=".board > *")
    assert page.evaluate("getComputedStyle(document.documentElement).overscrollBehaviorY") == "none"


def test_the_words_of_a_board_are_not_marked_by_a_double_press(service: Service, screen: Screen) -> None:
    page = screen(jenseits(service).address(), ready=".board > *")
    for place in (".board", ".board text", ".bar", ".button"):
        assert page.evaluate(TEXT, place) == "none", place
    sheets = (Path(__file__).parents[2] / "web_ui" / "static").rglob("*.css")
    for sheet in sheets:  # WebKit reads the prefixed one only
        text = sheet.read_text()
        assert text.count(" user-select:") == text.count("-webkit-user-select:"), sheet.name


WATCH_AIR = """
window.woken = 0;
window.AudioContext = class {
  currentTime = 0;
  state = "running";
  destination = {};
  constructor() { window.air = this; }
  resume() { window.woken += 1; this.state = "running"; return Promise.resolve(); }
  createOscillator() {
    const frequency = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    return { frequency, connect: (next) => next, start() {}, stop() {} };
  }
  createGain() { return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: (next) => next }; }
};
"""


def test_sound_comes_back_after_a_tablet_was_locked(service: Service, old_ipad: BrowserContext) -> None:
    old_ipad.add_init_script(WATCH_AIR)
    page = sit(old_ipad, horus(service))
    page.get_by_role("button", name="Draw a block").click()
    page.wait_for_function("() => window.air !== undefined")
    page.evaluate("window.air.state = 'interrupted'")
    page.get_by_role("button", name="Help").click()
    assert page.evaluate("window.woken") == 1


def test_stop_speaks_the_language_that_was_just_chosen(service: Service, screen: Screen) -> None:
    page = screen(f"{service.url}/settings", ready=".menu-corner button")
    page.get_by_role("button", name="Deutsch").click()
    page.get_by_role("button", name=say("de", "ui.nav.menu", {})).click()
    expect(page.locator("dialog .stop")).to_have_text(say("de", "ui.shovel.stop", {}))
    expect(page.locator("dialog .stop")).to_have_attribute(
        "aria-label", re.compile(re.escape(say("de", "ui.shovel.stop_label", {})))
    )


STEPS = """() => {
  window.bends = new Set();
  const hose = document.querySelector(".hose .moves");
  new MutationObserver(() => window.bends.add(hose.getAttribute("d"))).observe(hose, { attributes: true });
}"""


def test_the_hose_goes_along_with_the_cup_where_no_sheet_can_bend_it(bench: Bench, old_ipad: BrowserContext) -> None:
    page = old_ipad.new_page()
    page.emulate_media(reduced_motion="no-preference")
    page.goto(f"{bench.service.url}/rig")
    page.wait_for_selector(".hose .moves")
    settle(page)
    page.evaluate(STEPS)
    bench.poke("card")
    page.wait_for_function("() => window.bends.size > 3")
    assert page.locator(".hose .moves").first.get_attribute("style") is None


WIDTH = """(src) => new Promise((done) => {
  const picture = new Image();
  picture.onload = () => done(picture.naturalWidth);
  picture.src = src;
})"""


def test_the_pictures_for_a_home_screen_are_there(service: Service, screen: Screen) -> None:
    page = screen(service.url, ready=".box-cover")
    apple = page.locator("link[rel=apple-touch-icon]").get_attribute("href")
    assert apple is not None
    manifest = page.request.get(service.url + str(page.locator("link[rel=manifest]").get_attribute("href"))).json()
    sizes = {}
    for path in (apple, *(icon["src"] for icon in manifest["icons"] if icon["type"] == "image/png")):
        answer = page.request.get(service.url + urlsplit(path).path)
        assert answer.headers["content-type"] == "image/png"
        assert "immutable" in answer.headers["cache-control"]
        sizes[path] = page.evaluate(WIDTH, path)
    assert sorted(sizes.values()) == [180, 192, 512, 512]
