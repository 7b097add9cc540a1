"""The pyramid on its page: a whole game by touches, a lock picked, cards that only their owner sees."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.screens import PHONE, Screen
from tests.browser.tables import Service, Table
from tests.games.horus.pyramid_tables import acting, at_a_lock, inside, laid, put, rolled, searched

pytestmark = pytest.mark.browser


def square(page: Page, name: str) -> Locator:
    return page.locator(f"[data-square='{name}']")


def slot(page: Page, name: str) -> Locator:
    return page.locator(".hor-slots .button").filter(has_text=re.compile("^" + name.replace(" ", r"\s")))


def settled(page: Page) -> None:
    expect(page.locator("main.busy")).to_have_count(0)


def throw(page: Page, *faces: int) -> None:
    """A throw of real dice, by the picture of each."""
    for place, face in enumerate(faces):
        page.locator(".hor-face").nth((face - 1) * len(faces) + place).click()
    page.get_by_role("button", name="Report this throw").click()
    settled(page)


def leave(page: Page) -> None:
    slot(page, "Leave").click()
    slot(page, "Out for good").click()
    settled(page)


def look(page: Page) -> Locator:
    """As a screen reader presses, which cannot hold."""
    page.locator(".hold-open").dispatch_event("click", {"detail": 0})
    return page.locator("dialog.hor-secret")


def test_three_play_a_whole_game_by_touches(service: Service, sit: Screen) -> None:
    table = laid(service)
    page = sit(table, table.host)
    for who, entrance in (("Rice", "1"), ("Sarti", "2"), ("Gore", "3")):
        page.locator(".hor-adventurer", has_text=who).click()
        square(page, entrance).click()
        page.get_by_role("button", name="Begin here").click()
        settled(page)
    throw(page, 6, 6, 6, 6, 1)
    expect(page.locator(".hor-dice-said")).to_have_text("Ada, level 2: 4 actions left")
    thrown = page.locator(".log li", has_text="die:")
    expect(thrown).to_have_count(1)  # five dice, one line
    assert len(re.findall(r"die: \d", thrown.inner_text())) == 5
    slot(page, "Search").click()
    page.get_by_role("button", name="necklace, 3").click()
    expect(page.locator(".hor-shown")).to_contain_text("necklace, 3")
    leave(page)
    assert table.view["board"]["seats"][0]["fate"] == "left"

    square(page, "10").click()  # the first touch shows the way, the second goes it
    expect(slot(page, "Walk to 10")).to_contain_text("2 actions away")
    expect(page.locator(".hor-way")).to_have_count(1)
    square(page, "10").click()
    expect(square(page, "10")).to_have_attribute("aria-label", re.compile("Béatrice"))
    expect(page.locator(".hor-left")).to_contain_text("2 actions left")
    slot(page, "End your actions").click()
    leave(page)

    throw(page, 4, 4, 1, 1, 1)
    expect(page.locator("[data-piece='mummy:initkaes']")).to_have_attribute("data-trail", re.compile(r"\d"))
    page.get_by_role("button", name="cobras’ den").click()
    page.locator(".outcomes").get_by_role("button", name="10", exact=True).click()
    expect(page.locator(".hor-choices.jump")).to_be_visible()
    square(page, "6").click()
    square(page, "6").click()
    settled(page)
    assert table.view["board"]["blocks"]["fallen"] == [10]
    assert [card["kind"] for card in table.view["board"]["seats"][1]["open"]] == ["block"]

    square(page, "6").focus()
    throw(page, 6, 6, 6, 6, 6)
    leave(page)
    expect(page.locator(".hor-sheet h2")).to_have_text("Ada wins.")
    expect(page.locator(".hor-sheet .whole td")).to_have_text(["3", "0", "0"])
    expect(page.get_by_role("link", name="A picture to keep")).to_be_visible()
    page.locator(".final-count.done").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="See the pyramid").click()
    expect(page.locator(".hor-plan")).to_be_visible()


def test_a_lock_is_picked_and_its_curse_chains_a_die(service: Service, sit: Screen) -> None:
    table = at_a_lock(service)
    page = sit(table, table.host)
    expect(page.locator(".hor-dice-said")).to_have_text("Lock of Horus: still missing 3 and 5")
    expect(page.locator(".hor-die-hit[aria-pressed='true']")).to_have_count(2)  # those that are worth rolling again
    page.locator(".hor-die-hit").nth(2).focus()
    page.keyboard.press("Enter")
    slot(page, "Roll 1 die again").click()
    expect(page.locator(".hor-face")).to_have_count(6)
    page.locator(".hor-face").nth(2).click()
    page.get_by_role("button", name="Report this throw").click()
    expect(page.locator(".hor-dice-said")).to_have_text("Lock of Horus: still missing 5")
    slot(page, "Use your ability").click()
    page.get_by_role("button", name="scorpions’ pit").click()  # the idol of Horus brings a block down
    page.locator(".outcomes").get_by_role("button", name="20", exact=True).click()
    settled(page)
    assert table.view["board"]["seats"][0]["cursed"] == ["horus"]
    expect(page.locator(".hor-die .chain")).to_have_count(1)
    expect(page.locator("[data-piece='idol:horus']")).to_have_count(0)


SCENES = """async (lines) => {
  const at = (name) => JSON.parse(document.querySelector("script[type=importmap]").textContent).imports[name] ?? name;
  const [{ scenes }, words] = await Promise.all(["/static/boards/horus/scenes.js", "/static/words.js"].map((each) =>
    import(at(each))));
  const view = await (await fetch(`/api/tables/${document.documentElement.dataset.table}`)).json();
  const log = lines.map((what, i) => ({ seq: i + 1, kind: "outcome", by: "companion", seat: 0, undone: false, what }));
  return scenes({ ...view, log }, { say: words.say, name: words.name, before: null }).map(({ label }) => label);
}"""


def test_a_log_that_begins_after_its_move_makes_no_scene_of_it(service: Service, sit: Screen) -> None:
    """In a long game the lines before are not told any more."""
    table = inside(service)
    page = sit(table, table.host)
    lines = [{"type": "looked", "block": 3}, {"type": "die", "roll": "lock", "die": "white", "face": 2}]
    assert page.evaluate(SCENES, lines) == []
    assert len(page.evaluate(SCENES, [{"type": "falls", "block": 3}])) == 1


def test_what_lies_face_down_is_seen_by_its_owner_alone(service: Service, sit: Screen) -> None:
    table = put(rolled(inside(service)), 0, "31").move("search").deal("treasure-sobek-6").move("step", to="32")
    shared, owner = sit(table, table.host), sit(table, table.seats[0], size=PHONE)
    other = sit(table, table.seats[1], size=PHONE)
    hidden = re.compile("treasure of Sobek, 6")
    expect(owner.locator(".hor-hand").get_by_role("img", name=hidden)).to_be_visible()
    for page in (shared, other):
        assert not hidden.search(page.content())
        expect(page.locator(".hor-before").first).to_contain_text("1 card face down")
    sheet = look(shared)
    expect(sheet.get_by_role("img", name=hidden)).to_be_visible()
    sheet.get_by_role("button", name="Cover again").click()
    assert not hidden.search(shared.content())


def test_a_hand_is_laid_off_and_what_helps_is_used(service: Service, sit: Screen) -> None:
    table = searched(rolled(inside(service)), "antidote", "snake", "satchel")
    page = sit(table, table.host)
    sheet = look(page)
    sheet.get_by_role("button", name="antidote against snake bite").click()
    expect(sheet).to_have_count(0)
    settled(page)
    assert _kinds(table, 0) == ["satchel"]
    while table.view["ask"]["kind"] == "move":
        table.move("end")
    rolled(table, [1, 1, 1, 1, 1]).deal(30)
    while table.view["board"]["turn"] != 0:
        table.move("ready")
    sheet = look(page)
    sheet.get_by_role("button", name="satchel").click()
    sheet.get_by_role("button", name="Discard 1 card").click()
    settled(page)
    assert _kinds(table, 0) == []


def _kinds(table: Table, seat: int) -> list[str]:
    return [card["kind"] for card in table.view["board"]["seats"][seat]["open"]]


OUTLINES = """() => [...document.querySelectorAll(".hor-portrait")].map((each) =>
  [...each.querySelectorAll("path, circle, ellipse")]
    .map((shape) => shape.getAttribute("d") ?? `${shape.localName} ${shape.getAttribute("cx")}`).join(" "))"""


def test_eight_adventurers_are_told_apart_without_colour(service: Service, sit: Screen) -> None:
    page = sit(service.lay("horus", 2, mode="referee"))
    drawn = page.evaluate(OUTLINES)
    assert len(drawn) == len(set(drawn)) == 8


def test_a_single_way_out_is_marked_only_where_one_stands_and_where_it_is_worse_in_reach(
    service: Service, sit: Screen
) -> None:
    table = acting(service)
    put(table, table.view["ask"]["seat"], "33")
    for number in (13, 14, 16):
        if number not in table.view["board"]["blocks"]["fallen"]:
            table.correct("fallen", number=number, fallen=True)
    board, ask = table.view["board"], table.view["ask"]
    blocks = {square: len(numbers) for square, numbers in board["one_way"].items()}
    standing = {seat["square"] for seat in board["seats"]}
    here = blocks.get(board["seats"][ask["seat"]]["square"], 0)
    worse = {square for square, way in ask["options"]["ways"].items() if way["reach"] and blocks.get(square, 0) > here}
    wanted = blocks.keys() & (standing | worse)
    assert 0 < len(wanted) < len(blocks), blocks
    expect(sit(table, table.host).locator("[data-sign=one_way]")).to_have_count(len(wanted))
