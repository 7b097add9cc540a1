"""What is left of an evening: its replay, the wall, the next game, all evenings; and the first time here."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looks import look, settle, speak
from tests.browser.screens import PHONE, TABLET, Screen
from tests.browser.tables import Service, Table, jenseits_hanging

pytestmark = pytest.mark.browser

UPRIGHT = {"width": 800, "height": 1280}
WALL = {"width": 1920, "height": 1080}
SIZES = {"tablet": TABLET, "upright": UPRIGHT, "phone": PHONE}
LONG = ("Maximiliane von Thurn", "Bartholomäus Ö. Grün", "Anne-Sophie Lefèvre", "Giovannantonio B.")
RUNS_OVER = "document.documentElement.scrollWidth > innerWidth"
ON_TOP = """(button) => {
  const { left, top, width, height } = button.getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + height / 2) === button;
}"""
PRESSED = """async () => {
  document.querySelector(".feast").click();
  await new Promise((done) => requestAnimationFrame(done));
  return document.querySelector(".feast-sum").textContent;
}"""
COVERED_STOP = """() => {
  const sign = document.querySelector(".tour").getBoundingClientRect();
  const stop = document.querySelector(".stop")?.getBoundingClientRect();
  return Boolean(stop) && sign.left < stop.right && sign.right > stop.left && sign.top < stop.bottom
    && sign.bottom > stop.top;
}"""


@pytest.fixture(scope="module")
def dug(service: Service) -> Table:
    """Layers are dealt, some cards are lifted, and the host ends it."""
    table = service.lay("tutankhamun", 4, mode="referee", names=LONG).begun()
    for _ in range(2):
        if table.view["board"]["phase"] == "closing":
            table.move("no_barricade")
        squares = table.view["ask"]["options"]["squares"].items()
        table.move("dig", square=next(square for square, aid in squares if aid["dig"]["legal"]))
    return table.press("close")


def replay(screen: Screen, table: Table, **more: object) -> Page:
    return screen(f"{table.service.url}/replay/{table.id}", ready=".replay .board > *", **more)


@pytest.mark.parametrize("size", SIZES)
def test_a_replay_looks_right(dug: Table, screen: Screen, size: str) -> None:
    page = replay(screen, dug, size=SIZES[size])
    page.get_by_role("button", name="One step on").click()
    look(page, "replay", size)
    speak(page, "de", ".replay .board > *")
    settle(page)
    assert not page.evaluate(RUNS_OVER)


def test_a_replay_goes_step_by_step_by_a_slider_and_by_itself(dug: Table, screen: Screen) -> None:
    page, seq = replay(screen, dug), dug.view["seq"]
    slider, said = page.get_by_role("slider"), page.locator(".replay-now .said")
    expect(said).to_have_text("The table is laid.")
    page.get_by_role("button", name="One step on").click()
    expect(slider).to_have_value("1")
    slider.fill(str(seq - 1))
    expect(page.locator(".replay-now .caption")).to_contain_text(f"Step {seq - 1} of {seq}")
    page.get_by_role("button", name="Let it run").click()
    expect(slider).to_have_value(str(seq))
    expect(page.get_by_role("button", name="Let it run")).to_be_visible()
    expect(page.locator(".story")).to_be_visible()


def test_a_replay_before_the_end_shows_what_everybody_saw_and_offers_no_what_if(
    service: Service, screen: Screen
) -> None:
    table = service.lay("tutankhamun", 2, mode="referee", options={"tray": "laid"})
    page = replay(screen, table, enters=(table, table.host))
    expect(page.locator(".replay-tools")).to_be_visible()
    expect(page.locator(".what-if")).to_have_count(0)
    expect(page.locator(".story")).to_have_count(0)


def test_what_if_lays_a_copy_from_here(dug: Table, screen: Screen) -> None:
    page = replay(screen, dug)
    page.get_by_role("slider").fill(str(dug.view["seq"] - 1))
    what_if = page.locator(".what-if")
    expect(what_if).not_to_have_attribute("aria-disabled", "true")
    what_if.click()
    what_if.click()
    page.wait_for_url(re.compile("/table/"))
    page.wait_for_selector(".board > *")
    assert dug.id not in page.url
    expect(page.get_by_role("button", name="Take back").first).to_be_visible()  # whoever laid it is its host


@pytest.mark.parametrize("size", [*SIZES, "wall"])
def test_the_wall_looks_right(service: Service, screen: Screen, size: str) -> None:
    table = service.lay("jenseits", 4, mode="referee", names=LONG).begun()
    page = screen(f"{service.url}/tv/{table.id}", ready=".tv .board > *", size=(SIZES | {"wall": WALL})[size])
    expect(page.locator(".stop")).to_have_count(0)
    look(page, "tv", size)
    speak(page, "de", ".tv .board > *")
    settle(page)
    assert not page.evaluate(RUNS_OVER)


def test_the_wall_sees_with_everybodys_eyes_and_shows_what_was_drawn(service: Service, screen: Screen) -> None:
    table = service.lay("horus", 2)
    page = screen(f"{service.url}/tv/{table.id}", ready=".tv .board > *", size=WALL, enters=(table, table.seats[0]))
    expect(page.locator(".tv .board")).to_have_js_property("inert", True)
    table.move("block")
    expect(page.locator(".tv-drawn")).to_be_visible()
    expect(page.locator(".tv-line")).not_to_be_empty()


def an_end_by_report_is_put_right_and_confirmed(
    table: Table, digger: Page, phone: Page, tablet: Page, wall: Page
) -> None:
    """Who has said it puts it right, anybody else says that it is right, and only then it is the end."""
    ways = {page: page.locator(".hinge-ways .button") for page in (digger, phone, tablet)}
    said = "This end hangs on what "
    expect(ways[digger]).to_have_text(["Put it right"])
    expect(ways[phone]).to_have_text(["That is right"])
    expect(ways[tablet]).to_have_text(["That is right", "Put it right"])
    for page in (digger, phone, tablet):
        expect(page.locator(".hinge-lead")).to_contain_text(said)
        expect(page.locator(".final, .ways-on")).to_have_count(0)
    expect(wall.locator(".tv-hinge")).to_contain_text(said)
    look(tablet, "hinge", "tablet")
    look(phone, "hinge", "phone")
    digger.reload()
    ways[digger].click()
    expect(tablet.locator(".hinge")).to_have_count(0)
    find = digger.locator(".outcomes .button").filter(has_text="worth").first
    find.click()
    find.click()
    expect(phone.locator(".hinge-said")).to_contain_text("worth")
    ways[tablet].first.focus()
    tablet.keyboard.press("Enter")
    for page in (digger, phone, tablet):
        expect(page.locator(".feast.done")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(".final")).to_be_visible()
    assert table.view["settled"]


def test_phones_and_the_wall_are_taken_along_to_the_next_game(
    own_service: Service, screen: Screen, sit: Screen
) -> None:
    table, digger = jenseits_hanging(own_service)
    phone = sit(table, table.seats[1 - digger], size=PHONE)
    wall = screen(f"{own_service.url}/tv/{table.id}", ready=".tv .board > *", size=WALL)
    tablet = sit(table, table.host)
    an_end_by_report_is_put_right_and_confirmed(table, sit(table, table.seats[digger], size=PHONE), phone, tablet, wall)
    expect(phone.locator(".rematch")).to_have_count(0)
    phone.wait_for_selector(".ways-on a[href^='/replay/']")
    tablet.locator(".rematch").click()
    for page in (tablet, phone, wall):
        page.wait_for_url(lambda url: table.id not in url)
        page.wait_for_selector(".board > *")
    assert {page.url.rsplit("/", 1)[1] for page in (tablet, phone, wall)} == {table.view["next"]}
    told = phone.evaluate("fetch('/api' + location.pathname.replace('table', 'tables')).then((told) => told.json())")
    assert told["me"] == {"role": "seat", "seat": 1 - digger}
    late = sit(table)
    late.wait_for_selector(".ways-on .main")
    assert table.id in late.url  # whoever comes later is not dragged away


@pytest.mark.parametrize("size", SIZES)
def test_all_evenings_look_right(service: Service, dug: Table, screen: Screen, size: str) -> None:
    page = screen(f"{service.url}/evenings", ready=".people", size=SIZES[size])
    page.locator(".person summary").first.click()
    look(page, "evenings", size)


@pytest.mark.parametrize("size", SIZES)
def test_the_first_time_here_six_signs_are_shown_and_never_again(service: Service, sit: Screen, size: str) -> None:
    table = service.lay("jenseits", 4, mode="referee", names=LONG).begun()
    page = sit(table, table.host, size=SIZES[size], first_time=True)
    page.wait_for_selector(".tour")
    look(page, "tour", size)
    for nth in range(6):
        expect(page.locator(".tour small")).to_have_text(f"{nth + 1} of 6")
        settle(page)
        assert not page.evaluate(COVERED_STOP)
        page.wait_for_timeout(450)  # a sign that has just come takes no press
        page.locator(".tour .main").click()
    expect(page.locator(".tour")).to_have_count(0)
    page.reload()
    page.wait_for_selector(".board > *")
    page.wait_for_timeout(2000)
    expect(page.locator(".tour")).to_have_count(0)


def test_the_tour_can_be_skipped(service: Service, sit: Screen) -> None:
    table = service.lay("horus", 2)
    page = sit(table, table.host, first_time=True)
    page.get_by_role("button", name="Skip").click()
    expect(page.locator(".tour, .toured")).to_have_count(0)


def test_two_bots_play_for_whoever_watches(service: Service, screen: Screen) -> None:
    page = screen(f"{service.url}/watch/shaft", ready=".board > *")
    expect(page).to_have_url(re.compile("/table/"))
    expect(page.locator(".log li").nth(1)).to_be_visible()
    expect(page.locator(".seat-name").first).to_have_text("Bot 1")


@pytest.mark.parametrize("size", SIZES)
def test_a_dig_fills_the_screen_and_gives_up_its_tokens_at_a_press_each(
    service: Service, sit: Screen, size: str
) -> None:
    table = service.lay("jenseits", 4, names=LONG).begun().move("dial", knowledge=6)
    page = sit(table, table.host, size=SIZES[size], still=False)
    page.wait_for_selector("link[href*=unearth]", state="attached")
    table.move("draw", bag="egypt", count=5, seat=1)
    filled, out = page.locator(".unearth"), page.locator(".unearthed .token-svg")
    expect(filled).to_be_visible()
    expect(out).to_have_count(0)
    box = filled.bounding_box()
    assert box is not None
    assert box["width"] == SIZES[size]["width"]
    for shown in range(1, 6):
        page.locator(".unearth-bag").click()
        expect(out).to_have_count(shown)
        if shown == 2:
            assert page.locator(".stop").first.evaluate(ON_TOP)
            look(page, "dig", size)
    expect(page.locator(".held-up")).to_be_visible()
    look(page, "dig-done", size)
    expect(filled).to_have_count(0)
    page.reload()
    page.wait_for_selector(".board > *")
    expect(filled).to_have_count(0)  # what was seen is not shown again


def test_a_hold_takes_all_and_a_press_deals_what_is_dealt_by_presses(service: Service, sit: Screen) -> None:
    table = service.lay("jenseits", 2, pace="press").begun().move("draw", bag="crete", count=6, seat=0)
    page, other = sit(table, table.host, still=False), sit(table, table.seats[1], size=PHONE, still=False)
    out = page.locator(".unearthed .token-svg")
    page.locator(".unearth-bag").click()
    expect(out).to_have_count(1)
    expect(other.locator(".unearthed .token-svg")).to_have_count(1)
    assert len(table.view["board"]["drawing"]["drawn"]) == 1
    page.locator(".unearth-bag").hover()
    page.mouse.down()
    expect(out).to_have_count(6)
    page.mouse.up()
    assert table.view["board"]["drawing"] is None
    page.keyboard.press("Escape")
    expect(page.locator(".unearth")).to_have_count(0)


def test_who_wants_stillness_sees_the_whole_dig_at_once(service: Service, sit: Screen) -> None:
    table = service.lay("jenseits", 2).begun()
    page = sit(table, table.host)
    table.move("draw", bag="crete", count=6, seat=0)
    expect(page.locator(".cloth .token")).to_have_count(6)
    expect(page.locator(".unearth")).to_have_count(0)


@pytest.mark.parametrize("size", SIZES)
def test_the_end_fills_the_screen_part_by_part_and_the_winner_last(service: Service, sit: Screen, size: str) -> None:
    table = service.lay("jenseits", 4, names=LONG).begun()
    table.move("award", seat=0, points=40).move("award", seat=2, points=9)
    page, quiet = sit(table, table.host, size=SIZES[size], still=False), sit(table, size=SIZES[size])
    for each in (page, quiet):
        each.wait_for_selector("link[href*=feast]", state="attached")
    table.press("close")
    feast, sums, said = page.locator(".feast"), page.locator(".feast-sum"), page.locator(".feast h2")
    expect(sums).to_have_text(["0"] * 4)
    expect(said).to_have_text("The points are counted")
    box = feast.bounding_box()
    assert box is not None
    assert box["width"] == SIZES[size]["width"]
    assert page.locator(".stop").first.evaluate(ON_TOP)
    if size == "phone":
        page.wait_for_timeout(450)  # what has just come takes no press
        assert page.evaluate(PRESSED) == "40"
    expect(page.locator(".feast.done")).to_be_visible()  # by itself, where nobody presses
    expect(said).to_contain_text("Maximiliane von Thurn")
    expect(page.locator(".feast .laurel")).to_have_count(1)
    look(page, "feast", size)
    page.locator(".feast-on button").click()
    expect(feast).to_have_count(0)
    expect(quiet.locator(".feast.done .feast-sum").first).to_have_text("40")  # all at once
    quiet.keyboard.press("Escape")
    expect(quiet.locator(".feast")).to_have_count(0)
    page.reload()
    page.wait_for_selector("link[href*=feast]", state="attached")
    expect(feast).to_have_count(0)  # what was seen is not shown again
