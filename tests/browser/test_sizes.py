"""What decides is read from across the table: how large figures are drawn, and what "large" and a device make of it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.looks import settle
from tests.browser.screens import PHONE, TABLET, UPRIGHT, Laid, Screen
from tests.browser.tables import Service
from tests.games.tomb_raiders import on_screen

pytestmark = pytest.mark.browser

SIZES = {"wide": TABLET, "upright": UPRIGHT}
READ = 20.0
"""Pixels that a figure, or a sentence, needs to be read from across the table."""
IN_HAND = 16.0
"""And on a phone, that is held in a hand."""
LARGER = 1.2
SYSTEM = 24
"""Pixels that a device writes with whose owner sees badly; most write with 16."""


TABLES = ("jenseits", "tomb_raiders", "horus", "horus_lock", "tutankhamun")
TOOLS = ("jenseits_tools", "tomb_raiders_tools", "horus_tools", "tutankhamun_tools")
FIGURES = r"""() => {
  const found = [];
  const walk = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const words = walk.currentNode.data.trim();
    const on = walk.currentNode.parentElement;
    if (!/^[(×▸\/+−-]*\s*\d+(?:[.,]\d+)?\s*[%+*)]*$/.test(words) || on.closest(".log, .unseen")) continue;
    const box = on.getBoundingClientRect();
    if (!box.width || getComputedStyle(on).visibility === "hidden") continue;
    const drawn = on.ownerSVGElement ? on.getScreenCTM() : { b: 0, d: 1 };
    const size = parseFloat(getComputedStyle(on).fontSize) * Math.hypot(drawn.b, drawn.d);
    const ways = [];
    for (let each = on; each && ways.length < 3; each = each.parentElement)
      ways.push(each.getAttribute("class") || each.localName);
    found.push({ words, what: ways.join(" < "), size: Math.round(size * 100) / 100 });
  }
  return found;
}"""
LITTLE = r"""([least, where, captions]) => [...document.querySelectorAll(where)].flatMap((each) => {
  const little = [];
  const walk = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const on = walk.currentNode.parentElement;
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    if (!range.getBoundingClientRect().width || on.closest(captions)) continue;
    const drawn = on.ownerSVGElement ? on.getScreenCTM() : { b: 0, d: 1 };
    const size = parseFloat(getComputedStyle(on).fontSize) * Math.hypot(drawn.b, drawn.d);
    if (size < least - 0.05) little.push(`${Math.round(size * 10) / 10} px: ${walk.currentNode.data.trim()}`);
  }
  return little;
})"""
ASKED = ".ask .who, .referee .ask .ask-line, .ask .winner, .ask .button.main"
"""Whose turn it is, what is asked, and the press that answers it."""
PRESSED = f"{ASKED}, .ask .button, .board .button, .board button, .rail .button"
CAPTIONS = ".unseen, .undo-word, .log, kbd, .card-name, .deck-name, .tr-face"
"""Words that nobody has to read: beneath a picture that says the same."""
NARROW = """() => [...document.querySelectorAll("main :is(button, a, summary, input, select, .hit, .tray-square)")]
  .map((each) => [each, each.getBoundingClientRect()])
  .filter(([each, box]) => box.width && !each.closest(".unseen, .log") && Math.min(box.width, box.height) < 43.5)
  .map(([each, box]) => `${each.getAttribute("aria-label") ?? each.textContent}: ${box.width} × ${box.height}`)"""
CUT = r"""() => {
  const cut = [];
  const read = "main b, main text, main output, main small, main .stamp, main button";
  for (const each of document.querySelectorAll(read)) {
    const box = each.getBoundingClientRect();
    if (!box.width || !/\d/.test(each.textContent) || each.closest(".log, .unseen, ol, .odds")) continue;
    for (let within = each.parentElement; within; within = within.parentElement) {
      if (within.tagName === "svg" ? getComputedStyle(within).overflow === "visible"
        : getComputedStyle(within).overflow === "visible") continue;
      const edge = within.getBoundingClientRect();
      const slack = 0.3 * Math.min(box.height, 24);
      if (getComputedStyle(within).overflowY === "auto" || getComputedStyle(within).overflowY === "scroll") break;
      if (box.right > edge.right + 2 || box.left < edge.left - 2 || box.bottom > edge.bottom + slack
        || box.top < edge.top - slack)
        cut.push(`${each.textContent.trim()} of ${each.getAttribute("class")} in ${within.getAttribute("class")}`);
      break;
    }
  }
  return cut;
}"""
WHOLE = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
HIDDEN = """() => [...document.querySelectorAll(".seats, .board, .board *")]
  .filter((each) => ["auto", "scroll"].includes(getComputedStyle(each).overflowY)
    && each.scrollHeight > each.clientHeight + 1 && getComputedStyle(each).maskImage === "none")
  .map((each) => `${each.getAttribute("class")}: ${each.scrollHeight} in ${each.clientHeight}`)"""
COLOUR = "(name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()"
GREY = r"""(which) => {
  const first = document.querySelector(which)?.closest(".stamps, main") ?? document;
  return [...first.querySelectorAll(which)].map((each) => {
    const shapes = [each, ...each.querySelectorAll("path, circle, rect, polygon, ellipse")];
    return shapes.flatMap((shape) => [...shape.attributes])
      .filter(({ name }) => ["d", "points", "r", "rx", "width", "height"].includes(name))
      .map(({ name, value }) => `${name}=${value}`).join(" ");
  });
}"""
Figures = list[dict[str, Any]]


def resized(page: Page, size: dict[str, int], text: str) -> Figures:
    page.set_viewport_size(ViewportSize(width=size["width"], height=size["height"]))
    page.evaluate("(text) => { document.documentElement.dataset.text = text; }", text)
    settle(page)
    figures: Figures = page.evaluate(FIGURES)
    return figures


@pytest.mark.parametrize("name", [*TABLES, *TOOLS])
def test_figures_are_read_from_across_the_table(laid: Laid, sit: Screen, subtests: pytest.Subtests, name: str) -> None:
    table = laid(name)
    page = sit(table, table.host)
    page.wait_for_selector(".undo")
    for named, size in SIZES.items():
        with subtests.test(named):
            normal = resized(page, size, "normal")
            assert len(normal) >= 16, "there are figures on every table"
            assert [each for each in normal if each["size"] < READ] == []
            assert page.evaluate(LITTLE, [READ, ASKED, CAPTIONS]) == []
            assert page.evaluate(CUT) == []
            assert page.evaluate(HIDDEN) == [], "a last row is hidden without a sign"
            large = resized(page, size, "big")
            pairs = list(zip(normal, large, strict=True))
            little = [(was, now) for was, now in pairs if now["size"] < LARGER * was["size"] - 0.02]
            assert little == []
            assert page.evaluate(WHOLE) == [size["width"], size["height"]]
            assert page.evaluate(CUT) == []
            assert page.evaluate(HIDDEN) == []


@pytest.mark.parametrize("name", [*TABLES, *TOOLS])
def test_what_is_asked_is_read_and_pressed_on_a_phone(laid: Laid, sit: Screen, name: str) -> None:
    table = laid(name)
    for key in (table.host, table.seats[table.view["ask"]["seat"] or 0]):
        page = sit(table, key, size=PHONE)
        settle(page)
        assert page.evaluate(LITTLE, [IN_HAND, PRESSED, CAPTIONS]) == []
        assert page.evaluate(NARROW) == []
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]


def test_bags_are_read_on_the_smallest_phone(laid: Laid, sit: Screen) -> None:
    page = sit(laid("jenseits_tools"), laid("jenseits_tools").host, size={"width": 360, "height": 640}, language="de")
    assert page.evaluate(LITTLE, [IN_HAND, ".bag-name", ".unseen"]) == []
    assert page.evaluate("[...document.querySelectorAll('.bag-name')].every((e) => e.scrollWidth <= e.clientWidth)")


def test_what_the_device_is_set_to_is_respected(laid: Laid, sit: Screen) -> None:
    """Its letters, its light, its contrast."""
    table = laid("jenseits")
    page = sit(table, table.host)
    page.wait_for_selector(".undo")
    normal = resized(page, TABLET, "normal")
    page.context.new_cdp_session(page).send("Page.setFontSizes", {"fontSizes": {"standard": SYSTEM}})
    system = resized(page, TABLET, "normal")
    assert [was for was, now in zip(normal, system, strict=True) if now["size"] < LARGER * was["size"] - 0.02] == []
    assert page.evaluate(WHOLE) == [TABLET["width"], TABLET["height"]]
    assert page.evaluate(CUT) == []
    page.evaluate("localStorage.setItem('digside', '{}'); delete document.documentElement.dataset.theme")
    page.emulate_media(color_scheme="dark")
    page.wait_for_selector("html[data-theme=lamplight]")  # two changes at once are none to the page
    page.emulate_media(color_scheme="light")
    page.wait_for_selector("html[data-theme=day]")
    soft = page.evaluate(COLOUR, "--text-soft")
    page.emulate_media(color_scheme="dark", contrast="more")
    page.wait_for_selector("html[data-theme=lamplight]")
    assert page.evaluate(COLOUR, "--ground") == "#000"
    assert page.evaluate(COLOUR, "--text-soft") != soft
    page.evaluate("""localStorage.setItem('digside', '{"theme":"lamplight"}')""")
    page.emulate_media(color_scheme="light")  # whoever has chosen a light keeps it
    assert page.evaluate("document.documentElement.dataset.theme") == "lamplight"


@pytest.mark.parametrize(
    ("name", "signs"),
    [
        ("jenseits", (".stamp", ".site .site-sign", ".seat-head .seat-sign", ".on-map .base + *")),
        ("jenseits_tools", (".bag-button .patch-sign", ".seat-head .seat-sign", ".on-track .inlay")),
        ("tomb_raiders", (".tr-pile-button .bag", ".seat-head .seat-sign")),
        ("horus", (".seat-head .seat-sign", ".hor-stands .shape", ".hor-dice .hor-die-god")),
        ("tutankhamun", (".seat-head .seat-sign",)),
    ],
)
def test_nothing_that_decides_is_told_by_its_colour_alone(
    laid: Laid, sit: Screen, name: str, signs: tuple[str, ...]
) -> None:
    """Drawn without colours, what stands for one seat or site still differs from what stands for the next."""
    table = laid(name)
    page = sit(table, table.host)
    page.wait_for_selector(".undo")
    for each in signs:
        drawn = page.evaluate(GREY, each)
        assert len(drawn) > 1, each
        assert len(set(drawn)) == len(drawn), (each, drawn)


@pytest.mark.parametrize(
    ("name", "marks"),
    [
        ("horus", (".hor-die-god .hor-ours", ".hor-level.ours")),
        (
            "tomb_raiders",
            (".tr-points.ours", ".tr-step .ours", ".tr-card .tr-ours", ".tr-artifacts .tr-our"),
        ),
        ("tutankhamun", (".tray .card-value.ours", ".tut-kinds .card-value.ours")),
        ("tutankhamun_report", (".outcome .card-value.ours",)),
        ("horus_tools", (".die-name[data-sign=house]",)),
        ("tutankhamun_tools", (".tray .card-value.ours",)),
    ],
)
def test_figures_of_our_own_are_marked_where_they_decide(
    laid: Laid, sit: Screen, name: str, marks: tuple[str, ...]
) -> None:
    table = laid(name)
    page = sit(table, table.host)
    page.wait_for_selector(".undo")
    for each in marks:
        expect(page.locator(each).first).to_be_attached()
    if name == "tomb_raiders":  # the chart comes when a pile is touched
        page.locator(".tr-pile-button").first.click()
        expect(page.locator(".chart-house").first).to_be_attached()


WALL = {"width": 1920, "height": 1080}
LOWEST = """(where) => {
  const range = document.createRange();
  const walk = document.createTreeWalker(document.querySelector(where), NodeFilter.SHOW_TEXT);
  const heights = [];
  while (walk.nextNode()) {
    if (!walk.currentNode.data.trim() || walk.currentNode.parentElement.closest(".unseen")) continue;
    range.selectNodeContents(walk.currentNode);
    heights.push(range.getBoundingClientRect().height);
  }
  return Math.min(...heights.filter(Boolean));
}"""
"""How high the smallest letters of a place are, with what a board makes larger."""


@pytest.mark.parametrize(("name", "where"), [("tomb_raiders", ".tr-board"), ("horus", ".hor-side")])
def test_a_board_on_a_wall_is_read_from_across_the_room(laid: Laid, screen: Screen, name: str, where: str) -> None:
    table = laid(name)
    page = screen(f"{table.service.url}/tv/{table.id}", ready=".tv .board > *", size=WALL)
    settle(page)
    assert page.evaluate(LOWEST, where) >= READ


APART = """() => {
  const numbers = [...document.querySelectorAll(".track-strip .week-number")];
  const boxes = numbers.map((each) => each.getBoundingClientRect());
  return Math.min(...boxes.slice(1).map((box, i) => box.left - boxes[i].right));
}"""
"""Between the numbers of two weeks."""


def test_numbers_of_weeks_stand_apart_late_in_a_long_game(service: Service, screen: Screen) -> None:
    table = on_screen.settled(on_screen.laid(service))
    for seat in range(2):
        table.correct("marker", seat=seat, week=104 + seat)
    page = screen(table.address(), ready=".track-strip")
    settle(page)
    assert page.evaluate(APART) >= 6
