"""What a screen does besides showing: it stays awake, glides, sounds, and shows the age of nothing it has not seen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looks import settle
from tests.browser.screens import PHONE, SMALL_TABLET, TABLET, UPRIGHT, Screen
from tests.browser.tables import DIG, Service

pytestmark = pytest.mark.browser

CUT = """() => [...document.querySelectorAll("main button, main .hit")]
  .map((each) => [each, each.getBoundingClientRect()])
  .filter(([each, { width, left, right, top, bottom }]) => {
    const within = each.closest(".rail, .board").getBoundingClientRect();
    return width && (right > within.right + 9 || left < within.left - 9 || top < within.top - 9
      || bottom > within.bottom + 9);
  })
  .map(([each]) => each.getAttribute("aria-label") ?? each.textContent)"""
LONG = ("Maximiliane von Thurn", "Bartholomäus Ö. Grün", "Anne-Sophie Lefèvre", "Giovannantonio B.", "Jo", "Rosamunde")
HALF_SEEN = """() => [...document.querySelectorAll(".seat-name, .ask, .seats")]
  .filter((each) => each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 1)
  .map((each) => `${each.className}: ${each.textContent.trim()}`)"""
TOUCHED = """() => [...document.querySelectorAll(".seat")].flatMap((seat) => {
  const name = document.createRange();
  name.selectNodeContents(seat.querySelector(".seat-name > span"));
  const words = [...name.getClientRects()];
  const beside = ".you-mark, .turn-mark, .stamp, .score-so-far, .seat-head ~ * *, .points";
  const shown = [...seat.querySelectorAll(beside)].filter((each) => !each.closest(".unseen")
    && getComputedStyle(each).clipPath === "none");
  return shown.filter((each) => {
    const box = each.getBoundingClientRect();
    return box.width && words.some((word) => word.left < box.right - 1 && word.right > box.left + 1
      && word.top < box.bottom - 3 && word.bottom > box.top + 3);
  }).map((each) => `${name} ${each.getAttribute("class")}`);
})"""
CUT_THROUGH = """() => [...document.querySelectorAll(".end-sheet th, .seat-name")].flatMap((each) => {
  const walk = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
  const cut = [];
  while (walk.nextNode())
    for (const { 0: word, index } of walk.currentNode.data.matchAll(/[^\\s-]+/g)) {
      const range = document.createRange();
      range.setStart(walk.currentNode, index);
      range.setEnd(walk.currentNode, index + word.length);
      if (range.getClientRects().length > 1) cut.push(word);
    }
  return cut;
})"""
OUT_OF_VIEW = """() => [...document.querySelectorAll(".ways-on > *, .end-sheet button, .end-sheet a.button")]
  .filter((each) => {
    const box = each.getBoundingClientRect();
    return !each.contains(document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2));
  })
  .map((each) => each.textContent)"""
HOLD_GLIDES = """() => {
  window.glides = [];
  const glide = Element.prototype.animate;
  Element.prototype.animate = function (frames, timing) {
    window.glides.push([this.dataset.piece, frames.length, timing.duration]);
    const gliding = glide.call(this, frames, timing);
    gliding.pause();
    return gliding;
  };
}"""

HEIGHTS = """async (font) => {
  await Promise.all([document.fonts.load(font, "H"), document.fonts.load(font, "0")]);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = font;
  const measured = [..."H0123456789"].map((sign) => pen.measureText(sign));
  return measured.map((each) => [each.actualBoundingBoxAscent, each.actualBoundingBoxDescent]);
}"""


def test_the_screen_is_kept_awake(service: Service, sit: Screen) -> None:
    page = sit(service.lay("horus", 2))
    page.wait_for_selector("html[data-whole]", state="attached")  # once the page stands
    page.evaluate(
        """() => { window.asked = 0; navigator.wakeLock.request = async (what) => {
          window.asked += what === "screen"; return { released: false }; }; }"""
    )
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate("window.asked") == 1


def test_where_there_is_no_wake_lock_a_silent_film_keeps_it_awake(service: Service, sit: Screen) -> None:
    table = service.lay("horus", 2)
    page = sit(table, table.host)
    page.context.add_init_script("delete Navigator.prototype.wakeLock")
    page.reload()
    page.wait_for_selector(".board > *")
    page.get_by_role("button", name="Help").click()
    expect(page.locator("video")).to_have_js_property("paused", False)
    expect(page.locator("video")).to_have_js_property("muted", True)
    expect(page.locator("video")).to_have_attribute("aria-hidden", "true")


def glides(page: Page) -> list[tuple[str, int, int]]:
    seen: list[tuple[str, int, int]] = page.evaluate("window.glides")
    return seen


def test_a_marker_walks_week_by_week_and_the_next_press_does_not_wait(service: Service, sit: Screen) -> None:
    table = service.lay("jenseits", 2).begun()
    page = sit(table, table.host, still=False)
    page.evaluate(HOLD_GLIDES)
    page.get_by_role("button", name="Act for Ada").click()
    page.get_by_role("button", name="Ada: 6 weeks on").click()
    expect(page.locator(".track")).to_have_attribute("aria-label", re.compile(r"Ada: week\s7\sof\s1901"))
    page.get_by_role("button", name="Ada: 1 week on").click()  # though the marker is held on its way
    expect(page.locator(".track")).to_have_attribute("aria-label", re.compile(r"Ada: week\s8\sof\s1901"))
    walked = [(piece, frames) for piece, frames, _ in glides(page) if piece == "marker:0"]
    assert walked[0] == ("marker:0", 7)


def test_what_moved_leaves_its_prints_until_the_next_step(service: Service, sit: Screen) -> None:
    table = service.lay("jenseits", 2).begun()
    page = sit(table, table.host)
    table.move("advance", seat=1, weeks=6)
    expect(page.locator(".prints circle")).to_have_count(5)
    table.move("dial", knowledge=2)
    expect(page.locator(".prints")).to_have_count(0)


def test_what_flies_from_its_place_is_seen_on_its_whole_way(service: Service, sit: Screen) -> None:
    dig, pyramid = service.lay("jenseits", 2).begun(), service.lay("horus", 2)
    page = sit(dig.move("draw", bag="egypt", count=3, seat=0), dig.host)
    expect(page.locator(".cloth")).to_have_css("overflow", "visible")
    page = sit(pyramid.move("block"), pyramid.host)
    expect(page.locator(".plan")).to_have_css("overflow", "visible")
    assert page.locator(".plan-place").evaluate("(place) => Number(getComputedStyle(place).zIndex)") > 0


def test_nothing_is_told_by_its_colour_alone(service: Service, sit: Screen) -> None:
    table = service.lay("horus", 2).move("roll", count=5)
    page = sit(table, table.host)
    crowns = page.locator(".mummy .crown").evaluate_all("(crowns) => crowns.map((crown) => crown.getAttribute('d'))")
    assert len(set(crowns)) == 3
    expect(page.locator(".die-name")).to_have_text(["green", "yellow*", "blue*", "black*", "red*"])
    table = service.lay("jenseits", 2, sources={"tokens": "table"}).begun()
    for bag in ("crete", "egypt"):
        odds = table.move("draw", bag=bag, count=1, seat=0).view["ask"]["odds"]
        table.deal(next(outcome for outcome, _ in odds if outcome.startswith("book:")))
    page = sit(table, table.host)
    books = page.locator(".finds .on-book").evaluate_all("(signs) => signs.map((sign) => sign.getAttribute('d'))")
    assert len(set(books)) == 2


def test_nothing_glides_for_whoever_wants_stillness(service: Service, sit: Screen) -> None:
    table = service.lay("jenseits", 2).begun()
    page = sit(table, table.host, still=True)
    page.evaluate(HOLD_GLIDES)
    page.get_by_role("button", name="Ada: 6 weeks on").or_(
        page.get_by_role("button", name="Béatrice: 6 weeks on")
    ).click()
    expect(page.locator(".log li").first).to_contain_text("6 weeks on")
    assert glides(page) == []


@pytest.mark.parametrize("font", ["400 100px Marcellus", "500 100px 'Alegreya Sans'", "700 100px 'Alegreya Sans'"])
def test_figures_stand_as_tall_as_capitals(service: Service, screen: Screen, font: str) -> None:
    page = screen(f"{service.url}/settings")
    capital, *figures = page.evaluate(HEIGHTS, font)
    heights = [tall for tall, _ in figures]
    assert max(heights) - min(heights) < 3
    assert min(heights) > 0.85 * capital[0]
    assert max(deep for _, deep in figures) < 3


@pytest.mark.parametrize("box", ["jenseits", "tomb_raiders", "horus", "tutankhamun"])
def test_the_end_shows_whole_names_and_what_can_be_done_next(service: Service, sit: Screen, box: str) -> None:
    """However long the names are, and however many sit there."""
    table = service.lay(box, {"horus": 6, "tutankhamun": 6}.get(box, 4), mode="referee", names=LONG).begun()
    seated = sit(table, table.host, size=PHONE)
    settle(seated)
    assert seated.evaluate("[document.documentElement.scrollWidth, innerWidth]") == [PHONE["width"]] * 2
    assert seated.evaluate(TOUCHED) == []
    table.press("close")
    for size in (PHONE, UPRIGHT, TABLET, SMALL_TABLET):
        page = seated if size is PHONE else sit(table, table.host, size=size)
        page.wait_for_selector(".end-sheet")
        page.wait_for_selector(".ways-on a[href^='/replay/']")
        settle(page)
        assert page.evaluate(CUT_THROUGH) == []
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"]
        assert size is PHONE or page.evaluate(OUT_OF_VIEW) == []


@pytest.mark.parametrize(
    ("box", "mode"),
    [
        ("jenseits", "toolbox"),
        ("jenseits", "referee"),
        ("tomb_raiders", "toolbox"),
        ("horus", "toolbox"),
        ("tutankhamun", "toolbox"),
        ("tutankhamun", "referee"),
    ],
)
def test_a_tablet_held_upright_shows_a_whole_table(service: Service, sit: Screen, box: str, mode: str) -> None:
    seats = {"horus": 6, "tutankhamun": 6}.get(box, 4)
    table = service.lay(box, seats, mode=mode, names=LONG).begun()
    if box == "jenseits" and mode == "toolbox":
        table.moves(DIG)
    page = sit(table, table.host, size=UPRIGHT)
    page.wait_for_selector(".undo")
    for size in (UPRIGHT, TABLET, SMALL_TABLET):
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        settle(page)
        whole = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
        assert page.evaluate(whole) == [size["width"], size["height"]]
        assert page.evaluate(CUT) == []
        assert page.evaluate(HALF_SEEN) == []
        assert page.evaluate(TOUCHED) == []
    if mode == "toolbox":  # somebody's tablet whose shovel is not theirs to give is told so
        other = sit(table, table.host, size=SMALL_TABLET, owner=None)
        other.wait_for_selector(".undo")
        settle(other)
        assert other.evaluate(CUT) + other.evaluate(HALF_SEEN) == []


def test_a_table_that_is_not_there_is_said_in_words(service: Service, screen: Screen) -> None:
    page = screen(f"{service.url}/table/nowhere", ready="body")
    assert "nowhere" in page.locator("body").inner_text()


SPOKEN = """window.spoken = []; Object.defineProperty(window, "speechSynthesis", { value: {
  cancel() {}, speak: ({ text, lang }) => window.spoken.push([lang, text]) } });"""


def test_what_happens_is_read_aloud_where_somebody_wants_it(service: Service, sit: Screen) -> None:
    """By the browser's own voice, off unless it is switched on; what was drawn, its worth, and whose turn it is."""
    table = service.lay("tutankhamun", 2, mode="referee").begun()
    seat = table.view["ask"]["seat"]
    quiet, loud = (sit(table, table.seats[1 - seat]) for _ in range(2))
    for page in (quiet, loud):
        page.evaluate(SPOKEN)
    loud.evaluate("""localStorage.setItem("digside", JSON.stringify({ theatre: "off", voice: "on" }))""")
    while table.view["ask"]["seat"] == seat:
        squares = table.view["ask"]["options"]["squares"].items()
        if table.view["board"]["phase"] == "closing":
            table.move("no_barricade")
        else:
            table.move("dig", square=next(square for square, aid in squares if aid["dig"]["legal"]))
    loud.wait_for_function("() => window.spoken.some(([, text]) => text.includes('Your turn'))")
    told = loud.evaluate("window.spoken")
    assert {lang for lang, _ in told} == {"en"}
    assert any("uncovered on" in text for _, text in told)
    assert quiet.evaluate("window.spoken") == []
    dig = service.lay("jenseits", 2).begun()
    page = sit(dig, dig.host)
    page.evaluate(SPOKEN)
    page.evaluate("""localStorage.setItem("digside", JSON.stringify({ theatre: "off", voice: "on" }))""")
    dig.move("draw", bag="egypt", count=3, seat=1)
    page.wait_for_function("() => window.spoken.some(([, text]) => /Béatrice: (rubble|object worth|book)/.test(text))")
