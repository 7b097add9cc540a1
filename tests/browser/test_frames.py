"""Pictures of every state at every size, and a report of what is cut off, overlaps, or leaves its frame: none of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.looks import MEASURE, PICTURES, UNFILLED, UNMEANT, settle
from tests.browser.screens import SMALL_TABLET, TABLET, UPRIGHT, Laid, Screen
from tests.browser.states import LONG, SEEN, called_long
from tests.browser.tables import Service, Table

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PHONES = ((360, 640), (390, 664), (390, 844), (430, 932))
HELD = [ViewportSize(width=wide, height=high) for wide, high in PHONES]
ON_THEIR_SIDES = [ViewportSize(width=high, height=wide) for wide, high in PHONES]
SMALLEST = [HELD[0], HELD[-1], ON_THEIR_SIDES[0]]
TABLETS = [ViewportSize(width=size["width"], height=size["height"]) for size in (TABLET, SMALL_TABLET, UPRIGHT)]
PICTURED = [TABLETS[0], TABLETS[2], HELD[2]]
UNDER_EACH_TAB = [*PICTURED, HELD[0], ON_THEIR_SIDES[0]]
"""Where each tab is opened; at the other sizes the one that is open is measured."""
LEAST_BOARD = 0.5
"""Of the height of a phone that is held upright, what one's own figure stands on and what lies round it."""
BOARD_SEEN = """() => {
  const plan = document.querySelector(".hor-plan .plan").getBoundingClientRect();
  const bar = document.querySelector(".bar").getBoundingClientRect();
  const dock = document.querySelector(".dock").getBoundingClientRect();
  const edge = dock.left < innerWidth / 4 ? dock.top : innerHeight;
  return (Math.min(plan.bottom, edge) - Math.max(plan.top, bar.bottom)) / innerHeight;
}"""
FIGURE_SEEN = """() => {
  const figure = document.querySelector(".hor-stands.turn").getBoundingClientRect();
  const [x, y] = [figure.left + figure.width / 2, figure.top + figure.height / 2];
  return y > 0 && y < innerHeight && !document.elementFromPoint(x, y).closest(".dock, .bar");
}"""
FIRST = ("jenseits_wordy", "tomb_raiders_wordy", "horus_enter", "tutankhamun", "horus_tools", "tutankhamun_tools")
BOXES = ("jenseits", "tomb_raiders", "horus", "tutankhamun")
SEEN_ON_TWO = {
    *("jenseits_start", "jenseits_pair", "jenseits_drawing", "tomb_raiders_real", "tutankhamun_dig"),
    *("tutankhamun_closing", "tutankhamun_report", "tutankhamun_laying", "tutankhamun_over"),
}
"""Measured on one tablet and one phone, beside much else, by `test_games_look`."""


@pytest.fixture(scope="module")
def short_silence(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service at which a host is silent after a second."""
    running = Service(tmp_path_factory.mktemp("silence"), host_silent=1.0).start()
    yield running
    running.stop()


def asked_of(table: Table) -> int:
    ask = table.view["ask"]
    seats: list[int] = ask.get("seats") or [ask.get("seat") or 0]
    return seats[0]


def faces(page: Page) -> Iterator[str]:
    """The page under each of its tabs."""
    tabs: list[str] = page.evaluate("[...document.querySelectorAll('.tabs button')].map((each) => each.id)")
    for tab in tabs or [""]:
        if tab:
            page.evaluate("(tab) => document.getElementById(tab).click()", tab)
        settle(page)
        yield tab


def as_it_is(page: Page) -> Iterator[str]:
    """The page under the tab that is open."""
    settle(page)
    yield ""


def measured(
    page: Page, named: str, sizes: list[ViewportSize], looked_at: Callable[[Page], Iterator[str]] = faces
) -> list[str]:
    """What is amiss at each size; pictures of three are kept."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    amiss: list[str] = []
    for size in sizes:
        page.set_viewport_size(size)
        settle(page)
        for face in (looked_at if size in UNDER_EACH_TAB else as_it_is)(page):
            at = "-".join(filter(None, [named, f"{size['width']}x{size['height']}", face]))
            for script in (MEASURE, UNMEANT, UNFILLED):
                amiss += [f"{at}: {each}" for each in page.evaluate(script)]
            if size in PICTURED:
                page.screenshot(path=PICTURES / f"frame-{at}.jpeg", quality=70, animations="disabled", caret="hide")
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            amiss.append(f"{named}: it runs over the side at {size['width']} px")
    return amiss


def report(name: str, amiss: list[str]) -> None:
    """One file for each state, beside the pictures."""
    lines = [f"{name}: {len(amiss)} cut off, overlapping or out of its frame", *amiss]
    (PICTURES / f"frame-{name}.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.mark.parametrize("name", [name for name in SEEN if name not in SEEN_ON_TWO])
def test_nothing_is_cut_off_overlaps_or_leaves_its_frame(laid: Laid, sit: Screen, name: str) -> None:
    """The host's tablet, and a phone: of whoever is asked, in the toolboxes of the host. German has long words."""
    table = laid(name)
    hand = table.host if name.endswith("_tools") else table.seats[asked_of(table)]
    amiss = measured(sit(table, table.host, language="de"), f"{name}-tablet", TABLETS)
    amiss += measured(sit(table, hand, language="de"), f"{name}-phone", [*HELD, *ON_THEIR_SIDES])
    report(name, amiss)
    assert amiss == []


@pytest.mark.parametrize("box", BOXES)
def test_the_question_who_is_the_host_fits_a_small_phone(short_silence: Service, sit: Screen, box: str) -> None:
    """The host is silent, one asks, another agrees or not: in German, the longest words, at the smallest size."""
    table = called_long(short_silence, box, 3)
    host = sit(table, table.host)
    asks, agrees = (sit(table, key, size=dict(HELD[0]), language="de") for key in table.seats[:2])
    host.context.close()
    for page in (asks, agrees):
        expect(page.locator(".hosting button")).to_have_count(1)
    smallest = [HELD[0], ON_THEIR_SIDES[0]]
    amiss = measured(agrees, f"{box}-host-silent", smallest, as_it_is)
    asks.locator(".hosting button").tap()
    expect(agrees.locator(".hosting button")).to_have_count(2)
    for state, page in (("asked", agrees), ("waits", asks)):
        amiss += measured(page, f"{box}-host-{state}", smallest, as_it_is)
    report(f"{box}-host", amiss)
    assert amiss == []


PAGES = ("/", "/past", "/settings", "/certificate", "/evenings", "/help", "/rig", "/luck/{over}", "/replay/{over}")


def test_pages_round_the_table_fit_every_phone_with_the_menu_that_has_the_stop(
    laid: Laid, service: Service, screen: Screen
) -> None:
    over = laid("jenseits_over")
    page = screen(service.url, size=dict(HELD[0]), language="de", owner=service)
    amiss: list[str] = []
    for path in PAGES:
        page.goto(service.url + path.format(over=over.id))
        page.wait_for_selector("main.rig" if path == "/rig" else ".menu-corner button")
        amiss += measured(page, f"page{path.replace('/', '-').removesuffix('-{over}')}", SMALLEST, as_it_is)
    report("pages", amiss)
    assert amiss == []


OWN_RUNS_OVER = """() => {
  const own = document.querySelector(".seat.own").getBoundingClientRect();
  const within = [...document.querySelectorAll(".seat.own *")].filter((each) => each.checkVisibility());
  return within.filter((each) => each.getBoundingClientRect().right > own.right + 1).map((each) => `${each.className}`);
}"""


def test_ones_own_row_keeps_its_points_beside_a_long_name(service: Service, sit: Screen) -> None:
    """On a large screen it also says who one is."""
    table = called_long(service, "jenseits", 4)
    for seat in (0, 3):
        page = sit(table, table.seats[seat], language="de")
        for size in TABLETS:
            page.set_viewport_size(size)
            settle(page)
            assert page.evaluate(OWN_RUNS_OVER) == [], size


A_CHILD = """([table, seat]) =>
  localStorage.setItem("digside-taught", JSON.stringify({ [table]: { told: [], children: [seat] } }))"""


@pytest.mark.parametrize("box", BOXES)
def test_what_is_taught_and_a_childs_moves_fit_their_screens(service: Service, sit: Screen, box: str) -> None:
    """The box is set up on the host's tablet; on a child's phone there are a lesson and a few good moves."""
    teach = {"teach": "lessons"}
    by_hand = service.lay(box, 2, mode="referee", names=LONG, options=teach, sources={"default": "table"})
    tablet = sit(by_hand, by_hand.host, language="de")
    tablet.wait_for_selector(".set-plan")
    amiss = measured(tablet, f"{box}-set-up", TABLETS, as_it_is)
    table = service.lay(box, 2, mode="referee", names=LONG, options=teach).begun()
    seat = asked_of(table)
    table.press("hints", seat=seat, hints="free")
    phone = sit(table, table.seats[seat], size=dict(HELD[0]), language="de")
    phone.evaluate(A_CHILD, [table.id, seat])
    phone.reload()
    phone.wait_for_selector(".good-moves", timeout=60_000)
    phone.wait_for_selector(".lesson")
    amiss += measured(phone, f"{box}-child", [HELD[0], ON_THEIR_SIDES[0]], as_it_is)
    report(f"{box}-taught", amiss)
    assert amiss == []


@pytest.mark.parametrize("language", ["fr", "it"])
def test_first_pictures_have_room_for_what_they_say_in_other_languages_too(
    laid: Laid, sit: Screen, language: str
) -> None:
    amiss: list[str] = []
    for name in FIRST:
        page = sit(laid(name), laid(name).host, language=language)
        amiss += measured(page, f"{name}-{language}", [TABLETS[0], HELD[0]])
        page.close()
    report(f"first-{language}", amiss)
    assert amiss == []


@pytest.mark.parametrize("name", ["horus", "horus_laden"])
def test_a_phone_shows_ones_own_figure_on_at_least_half_of_its_height(laid: Laid, sit: Screen, name: str) -> None:
    """In one's turn, and before it, while cards are discarded."""
    table = laid(name)
    page = sit(table, table.seats[asked_of(table)], language="de")
    for size in [*HELD, *ON_THEIR_SIDES]:
        page.set_viewport_size(size)
        page.reload()
        page.wait_for_selector(".hor-plan .plan")
        settle(page)
        assert page.evaluate(BOARD_SEEN) >= LEAST_BOARD, size
        assert page.evaluate(FIGURE_SEEN), size


def test_the_report_sees_what_is_cut_off_what_overlaps_and_what_leaves_its_frame(laid: Laid, sit: Screen) -> None:
    """It can find something: a name that is too long, a line over another, a press beyond the edge."""
    page = sit(laid("horus"), laid("horus").host)
    page.evaluate(
        """() => {
          const put = (within, name, style, words = "") => {
            const planted = document.createElement(name);
            Object.assign(planted.style, style);
            planted.textContent = words;
            within.append(planted);
            return planted;
          };
          const place = { position: "fixed", zIndex: 99, left: 0, top: "200px", width: "200px", background: "#fff" };
          const section = put(document.body, "section", place);
          const line = { width: "60px", whiteSpace: "nowrap" };
          put(section, "p", { ...line, overflow: "hidden" }, "Maximiliane von Thurn");
          put(section, "p", { ...line, border: "1px solid" }, "Bartholomäus Grün");
          put(section, "button", { marginLeft: "-30px" }, "Away");
          const squeezed = '<text x="30" y="15" text-anchor="middle" textLength="50" lengthAdjust="spacingAndGlyphs">';
          const drawn = `<svg viewBox="0 0 60 20" width="60">${squeezed}Squeezed into it</text></svg>`;
          section.insertAdjacentHTML("beforeend", drawn);
        }"""
    )
    found = page.evaluate(MEASURE)
    assert {"cut at the side", "out of its frame", "a press off the screen"} <= {each.split(":")[0] for each in found}
    assert not [each for each in found if "Squeezed" in each], "what is drawn closer has room"
