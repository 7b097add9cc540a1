"""What is left of an evening: its replay, the wall, the next game, all evenings; and the first time here."""

from __future__ import annotations

import re
import urllib.request
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Page, expect

from companion.words import say
from tests.browser.looks import also_upright, look, settle, speak
from tests.browser.screens import PHONE, TABLET, Screen
from tests.browser.states import PLACES, lies
from tests.browser.tables import Service, Table, jenseits_hanging
from tests.games.horus.pyramid_tables import inside, rolled
from tests.games.tomb_raiders.on_screen import laid as raiders
from tests.games.tomb_raiders.on_screen import settled
from web_ui.studies import FOLDER, MomentTold, StudyOfTable

pytestmark = pytest.mark.browser

WALL = {"width": 1920, "height": 1080}
SIZES = {"tablet": TABLET, "phone": PHONE}
LONG = ("Maximiliane von Thurn", "Bartholomäus Ö. Grün", "Anne-Sophie Lefèvre", "Giovannantonio B.")
RUNS_OVER = "document.documentElement.scrollWidth > innerWidth"
ON_TOP = """(button) => {
  const { left, top, width, height } = button.getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + height / 2) === button;
}"""
LOADED = "link[href*=scene_player]"
UNTOLD = "[...document.querySelectorAll('main .board, main .log')].every((each) => each.inert)"
TAKEN = ".scene-player-on:not([aria-disabled])"
DIE, STONE, CARD, COIN = 340, 90, 700, 2400
"""By which pitch a sound begins."""
HEARD = """window.heard = [];
window.AudioContext = class {
  currentTime = 0;
  state = "running";
  destination = {};
  createOscillator() {
    const frequency = { setValueAtTime: (pitch) => window.heard.push(pitch), exponentialRampToValueAtTime() {} };
    return { frequency, connect: (next) => next, start() {}, stop() {} };
  }
  createGain() { return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect: (next) => next }; }
};"""
FIRST = """(shown) => new MutationObserver((_, watch) => {
  const theatre = document.querySelector(".scene-player");
  if (!theatre) return;
  watch.disconnect();
  const moves = document.getAnimations().filter((each) => theatre.contains(each.effect.target)).length;
  const whole = theatre.classList.contains("whole");
  window.first = { shown: theatre.querySelectorAll(shown).length, whole, moves };
}).observe(document.body, { childList: true, subtree: true })"""
PRESSED = """async () => {
  document.querySelector(".final-count").click();
  await new Promise((done) => requestAnimationFrame(done));
  return document.querySelector(".final-count-sum").textContent;
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


def with_shovel(table: Table) -> Table:
    """The shovel stands at this table: its STOP is over whatever fills the screen."""
    table.service.call("POST", f"/api/tables/{table.id}/rig", {}, table.service.owner)
    return table


def replay(screen: Screen, table: Table, **more: object) -> Page:
    return screen(f"{table.service.url}/replay/{table.id}", ready=".replay .board > *", **more)


def turned(page: Page, name: str) -> None:
    """A tablet is looked at upright, too."""
    if page.viewport_size == TABLET:
        also_upright(page, name)


@pytest.mark.parametrize("size", SIZES)
def test_a_replay_looks_right(dug: Table, screen: Screen, size: str) -> None:
    page = replay(screen, dug, size=SIZES[size])
    page.get_by_role("button", name="One step forward").click()
    look(page, "replay", size)
    turned(page, "replay")
    speak(page, "de", ".replay .board > *")
    settle(page)
    assert not page.evaluate(RUNS_OVER)


def studied(table: Table) -> int:
    """As if its turning points had been looked for, and one found; its entry."""
    lines = table.service.call("GET", f"/api/tables/{table.id}")["log"]
    dug = next(line for line in lines if line["kind"] == "move")
    even, none = (0.25,) * 4, (0.0,) * 4
    moment = MomentTold(dug["seq"], dug["seat"], even, none, none, 0.0, 0.0, dug["what"], None)
    study = StudyOfTable(even, none, none, even, even, none, (moment,), (moment.seq,), 1.0)
    table.service.keep(f"{FOLDER}/{table.id}.json", msgspec.json.encode(study))
    return moment.seq


def test_a_finished_table_is_one_file_that_proves_its_luck_without_a_network(
    dug: Table, screen: Screen, tmp_path: Path
) -> None:
    page, file = replay(screen, dug), tmp_path / "evening.html"
    turned_at = studied(dug)
    with urllib.request.urlopen(f"{dug.service.url}/api/tables/{dug.id}/page.html") as answer:
        file.write_bytes(answer.read())
    asked, wrong = list[str](), list[str]()
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.goto(file.as_uri())
    page.locator("#root .replay-row .button").last.click()
    expect(page.locator("#root").get_by_role("slider")).to_have_value(str(dug.view["seq"]))
    expect(page.locator("#root .won")).to_contain_text("share the win.")
    page.locator("#tabs button").last.click()
    expect(page.locator("#study")).to_be_visible()
    page.locator("#study").get_by_role("link", name="Look at it").click()
    expect(page.locator("#root").get_by_role("slider")).to_have_value(str(turned_at - 1))
    page.locator("#tabs button").nth(1).click()
    expect(page.locator("[data-proof=good]")).to_be_visible()
    expect(page.locator("#root")).to_be_hidden()
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    assert wrong == []


def test_a_replay_goes_step_by_step_by_a_slider_and_by_itself(dug: Table, screen: Screen) -> None:
    page, seq = replay(screen, dug), dug.view["seq"]
    slider, said = page.get_by_role("slider"), page.locator(".replay-now .said")
    expect(said).to_have_text("The game is set up.")
    page.get_by_role("button", name="One step forward").click()
    expect(slider).to_have_value("1")
    slider.fill(str(seq - 1))
    expect(page.locator(".replay-now .caption")).to_contain_text(f"Step {seq - 1} of {seq}")
    page.get_by_role("button", name="Play", exact=True).click()
    expect(slider).to_have_value(str(seq))
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    expect(page.locator(".story")).to_be_visible()


def test_the_page_of_the_luck_begins_with_who_was_lucky(dug: Table, screen: Screen) -> None:
    told = dug.service.call("GET", f"/api/tables/{dug.id}/story")["seats"]
    diggers = sorted((each for each in told if each["finds"]), key=lambda each: each["expected"] - each["worth"])
    page = screen(f"{dug.service.url}/luck/{dug.id}", ready=".lucky")
    names = [dug.view["seats"][each["seat"]]["name"] for each in diggers]
    expect(page.locator(".lucky li > b:not(.lucky-by)")).to_have_text(names)
    expect(page.locator(".lucky .lucky-by").first).to_have_text(re.compile(r"^[+−]\d"))
    expect(page.locator("main > :is(h1, section, p)").nth(1)).to_have_attribute("data-lucky", "true")
    look(page, "luck-over")


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
    expect(page.get_by_role("button", name="Undo").first).to_be_visible()  # whoever laid it is its host


@pytest.mark.parametrize("size", [*SIZES, "wall"])
def test_the_wall_looks_right(service: Service, screen: Screen, size: str) -> None:
    table = service.lay("jenseits", 4, mode="referee", names=LONG).begun()
    page = screen(f"{service.url}/tv/{table.id}", ready=".tv .board > *", size=(SIZES | {"wall": WALL})[size])
    expect(page.locator(".stop")).to_have_count(0)
    look(page, "tv", size)
    turned(page, "tv")
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
    said = "The end depends on what "
    expect(ways[digger]).to_have_text(["Correct it"])
    expect(ways[phone]).to_have_text(["That’s right"])
    expect(ways[tablet]).to_have_text(["That’s right", "Correct it"])
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
    find.click()  # it counts by itself, once it was shown as it was understood
    expect(phone.locator(".hinge-said")).to_contain_text("worth")
    ways[tablet].first.focus()
    tablet.keyboard.press("Enter")
    for page in (digger, phone, tablet):
        expect(page.locator(".final-count.done")).to_be_visible()
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
    turned(page, "evenings")


@pytest.mark.parametrize("size", SIZES)
def test_the_first_time_here_six_signs_are_shown_and_never_again(service: Service, sit: Screen, size: str) -> None:
    table = service.lay("jenseits", 4, mode="referee", names=LONG).begun()
    page = sit(table, table.host, size=SIZES[size], first_time=True)
    page.wait_for_selector(".tour")
    look(page, "tour", size)
    turned(page, "tour")
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
    looks_on = sit(table, first_time=True)
    board = looks_on.locator(".tour", has_text=say("en", "evening.tour.board_seen", {}))
    expect(board.or_(looks_on.locator(".tour", has_text=say("en", "evening.tour.ask", {})))).to_be_visible()
    while not board.is_visible():
        looks_on.wait_for_timeout(450)  # a sign that has just come takes no press
        looks_on.locator(".tour .main").click()


def test_two_bots_play_for_whoever_watches(service: Service, screen: Screen) -> None:
    page = screen(f"{service.url}/watch/shaft", ready=".board > *")
    expect(page).to_have_url(re.compile("/table/"))
    expect(page.locator(".log li").nth(1)).to_be_visible()
    expect(page.locator(".seat-name").first).to_have_text("Bot 1")


@pytest.mark.parametrize("size", SIZES)
def test_a_dig_fills_the_screen_and_gives_up_its_tokens_at_a_press_each(
    service: Service, sit: Screen, size: str
) -> None:
    table = with_shovel(service.lay("jenseits", 4, names=LONG).begun().move("dial", knowledge=6))
    page = sit(table, table.host, size=SIZES[size], still=False)
    page.wait_for_selector(LOADED, state="attached")
    said = page.locator("#said").text_content()
    table.move("draw", bag="egypt", count=5, seat=1)
    filled, out = page.locator(".scene-player"), page.locator(".scene-player-row .token-svg")
    expect(filled).to_be_visible()
    expect(out).to_have_count(0)
    page.wait_for_timeout(400)
    assert page.evaluate(UNTOLD), "what has come up is read beneath before it is shown"
    assert page.locator("#said").text_content() == said
    colour = page.locator(".edge").evaluate("edge => getComputedStyle(edge).getPropertyValue('--seat')")
    assert colour == table.view["seats"][1]["colour"], "the edge is of whoever draws"
    box = filled.bounding_box()
    assert box is not None
    assert box["width"] == SIZES[size]["width"]
    for shown in range(1, 6):
        page.locator(TAKEN).click()
        expect(out).to_have_count(shown)
        if shown == 2:
            assert page.locator(".stop").first.evaluate(ON_TOP)
            look(page, "dig", size)
            turned(page, "dig")
    expect(page.locator(".held-up")).to_be_visible()
    look(page, "dig-done", size)
    turned(page, "dig-done")
    page.locator(TAKEN).click()
    expect(filled).to_have_count(0)
    assert not page.evaluate(UNTOLD)
    expect(page.locator("#said")).not_to_have_text(said or "-")
    page.reload()
    page.wait_for_selector(".board > *")
    expect(filled).to_have_count(0)  # what was seen is not shown again


def test_a_hold_takes_all_and_a_press_deals_what_is_dealt_by_presses(service: Service, sit: Screen) -> None:
    table = service.lay("jenseits", 2, pace="press").begun().move("draw", bag="crete", count=6, seat=0)
    page, other = sit(table, table.host, still=False), sit(table, table.seats[1], size=PHONE, still=False)
    out = page.locator(".scene-player-row .token-svg")
    while len(table.view["luck"]["members"]) < 2:  # both devices stir between the move and the first draw
        page.wait_for_timeout(50)
    page.locator(TAKEN).click()
    expect(out).to_have_count(1)
    expect(other.locator(".scene-player-row .token-svg")).to_have_count(1)
    assert len(table.view["board"]["drawing"]["drawn"]) == 1
    page.locator(".scene-player-on").hover()
    page.mouse.down()
    expect(out).to_have_count(6)
    page.mouse.up()
    assert table.view["board"]["drawing"] is None
    page.keyboard.press("Escape")
    expect(page.locator(".scene-player")).to_have_count(0)


def test_a_dig_counts_the_card_that_makes_it_possible_and_is_shown_until_its_digger_has_seen_it(
    service: Service, sit: Screen
) -> None:
    table = service.lay("jenseits", 2, mode="referee").begun()
    digger = table.view["ask"]["seats"][0]
    page = sit(table, table.host, still=False)
    page.wait_for_selector(LOADED, state="attached")
    expect(page.locator(".knows.lacks")).to_have_count(5)
    expect(page.locator(".permit.good.lacks")).to_have_count(5)
    expect(page.locator(".looked-at")).to_have_text(table.view["seats"][digger]["name"])
    assert any(lies(table, "ethnology-greece-moscow-2", place, digger) for place in (*PLACES, "open"))
    expect(page.locator(".knows.lacks")).to_have_count(4)
    page.get_by_role("button", name=re.compile("^Greece")).click()
    sheet = page.get_by_role("dialog")
    expect(sheet.locator(".uses [aria-pressed=true]")).to_have_count(1)
    sheet.locator(".do-it").click()
    out = page.locator(".scene-player-row .token-svg")
    page.locator(TAKEN).click()
    expect(out).to_have_count(1)
    table.press("moves", move=table.listed("take")[0], seat=table.view["ask"]["seats"][0])  # the others go on
    page.wait_for_timeout(500)
    expect(out).to_have_count(1)
    page.get_by_role("button", name="To the table").click()
    expect(page.locator(".scene-player")).to_have_count(0)


def rest_on(page: Page) -> None:
    """A finger rests on what fills the screen: all of it comes, and stays."""
    expect(page.locator(".scene-player")).to_be_visible()
    page.mouse.down()
    expect(page.locator(".scene-player.whole")).to_be_visible()


def before_it(page: Page) -> Page:
    """Once what is to fill the screen is at hand, with a finger over the middle."""
    page.wait_for_selector(LOADED, state="attached")
    assert page.viewport_size is not None
    page.mouse.move(page.viewport_size["width"] / 2, page.viewport_size["height"] / 2)
    return page


@pytest.mark.parametrize("size", SIZES)
def test_dice_fill_the_screen_and_come_to_rest_as_they_were_thrown(service: Service, sit: Screen, size: str) -> None:
    table = with_shovel(service.lay("horus", 4, names=LONG))
    page = before_it(sit(table, table.host, size=SIZES[size], still=False))
    roll = page.get_by_role("button", name="Roll", exact=True)
    table.move("pick_lock", lock="horus")
    faces, missing = (table.view["board"]["dice"][told] for told in ("rolled", "missing"))
    filled, rest = page.locator(".scene-player"), page.locator(".rests .unseen")
    rest_on(page)
    assert [int(each[-1]) for each in rest.all_text_contents()] == faces
    said = f"Still missing: {', '.join(map(str, missing))}" if missing else "The lock is open."
    expect(page.locator(".scene-player-said")).to_have_text(said)
    assert page.locator(".stop").first.evaluate(ON_TOP)
    look(page, "dice", size)
    turned(page, "dice")
    page.mouse.up()
    expect(filled).to_be_visible()  # a finger that rested presses nothing
    before = roll.bounding_box()
    page.keyboard.press("Escape")
    expect(filled).to_have_count(0)
    assert roll.bounding_box() == before
    table.move("reroll", dice=[1, 3])
    expect(page.locator(".thrown.aside li")).to_have_count(3)
    expect(page.locator(".thrown:not(.aside) li")).to_have_count(2)
    expect(filled).to_have_count(0)  # by itself
    page.reload()
    before_it(page)
    table.press("undo", to=table.view["undo"]["to"])
    table.press("undo", to=table.view["undo"]["redo"])
    expect(filled).to_have_count(0)


def test_who_wants_stillness_sees_all_at_once_large_and_without_a_movement(service: Service, sit: Screen) -> None:
    jenseits, horus = service.lay("jenseits", 2).begun(), service.lay("horus", 2)
    tokens: dict[str, object] = {"bag": "crete", "count": 6, "seat": 0}
    for table, kind, fields, shown, how_many in (
        (jenseits, "draw", tokens, ".scene-player-row .token-svg", 6),
        (horus, "roll", {"count": 5}, ".rests", 5),
        (horus, "block", {}, ".falling", 1),
    ):
        page = before_it(sit(table, table.host, theatre=True))
        page.evaluate(FIRST, shown)
        table.move(kind, **fields)
        page.wait_for_selector(".scene-player")
        first = page.evaluate("window.first")
        assert (first["shown"], first["whole"]) == (how_many, True), shown
        assert first["moves"] == 0


def test_a_referees_dice_and_block_fill_the_screen_one_after_the_other(service: Service, sit: Screen) -> None:
    """Also where the table throws its own: whoever did not report it sees it so."""
    table = inside(service)
    page, wall = before_it(sit(table, table.seats[1], size=PHONE, theatre=True)), before_it(sit(table, theatre=True))
    said, named = page.locator(".scene-player-said"), page.locator(".scene-player h2")
    rolled(table, [6, 6, 1, 6, 6])
    expect(wall.locator(".rests")).to_have_count(5)
    expect(wall.locator(".scene-player-said")).to_have_text("Actions: Ada (4), Béatrice (4), Carlo (4)")
    expect(said).to_have_text("Béatrice, level 2: 4 actions left")
    look(page, "dice-refereed")
    page.keyboard.press("Escape")
    wall.keyboard.press("Escape")
    for _ in table.seats:
        table.move("end")
    rolled(table, [4, 4, 1, 1, 1]).deal(13)
    rest_on(page)
    expect(named).to_have_text("The dice for the mummies")
    expect(said).to_contain_text("The mummies walk 2 squares")
    page.mouse.up()
    page.locator(TAKEN).click()
    rest_on(before_it(page))
    expect(page.locator(".scene-player b")).to_have_text("Block 13")
    look(page, "block-refereed")


def test_a_thief_turns_its_card_before_all(service: Service, sit: Screen) -> None:
    table = settled(raiders(service, options={"cards": "real"}))
    first = table.view["ask"]["seat"]
    table.move("take", card="action-1")
    while settled(table).view["ask"]["seat"] != first:
        table.press("moves", move=table.listed("take")[0])
    page = before_it(sit(table, theatre=True))
    table.move("play", card="thief-egypt").deal("artifact-egypt-6")
    rest_on(page)
    expect(page.locator(".scene-player h2")).to_have_text(f"{table.view['seats'][first]['name']} sends a thief: Egypt")
    expect(page.locator(".scene-player b")).to_have_text("artifact from Egypt, worth 6")
    expect(page.locator(".scene-player-said")).to_have_text(f"{table.view['seats'][first]['name']} keeps it.")
    look(page, "thief")


@pytest.mark.parametrize("size", SIZES)
def test_a_block_falls_before_all_and_is_looked_at_by_one(service: Service, sit: Screen, size: str) -> None:
    table = service.lay("horus", 2, names=LONG)
    page = before_it(sit(table, table.host, size=SIZES[size], still=False))
    owner = before_it(sit(table, table.seats[0], size=PHONE, theatre=True))
    table.move("block")
    block = table.view["board"]["blocks"]["drawn"]
    rest_on(page)
    expect(page.locator(".scene-player b")).to_have_text(f"Block {block}")
    expect(page.locator(".scene-player-said")).to_have_text(f"Square {block} is closed.")
    look(page, "block", size)
    turned(page, "block")
    page.mouse.up()
    page.keyboard.press("Escape")
    owner.keyboard.press("Escape")
    table.move("look_at_block")
    rest_on(page)
    owner.mouse.down()
    expect(owner.locator(".scene-player b")).to_have_text(re.compile(r"^Block \d+$"))
    expect(page.locator(".scene-player h2")).to_have_text(f"{LONG[0]} looks at a block")
    expect(page.locator(".scene-player b")).to_have_text("Nobody else sees its number.")
    assert page.locator(".scene-player .block-number").text_content() == ""
    look(page, "block-looked-at", size)
    turned(page, "block-looked-at")


def test_a_sarcophagus_is_read_on_one_phone_and_opened_for_all(service: Service, sit: Screen) -> None:
    table = service.lay("horus", 2, names=LONG)
    reader, other = (sit(table, key, size=PHONE) for key in table.seats)
    for page in (reader, other):
        assert page.locator(".plan-place [role=button]").count() == 0, "no finger meets what is on its squares"
        page.get_by_role("button", name="Sarcophagi", exact=True).click()
        page.locator(".tomb-chip").first.click()
    reader.get_by_role("button", name=f"{LONG[0]} reads it in secret").click()
    expect(reader.locator(".tomb-chip").first).to_contain_text(f"read by {LONG[0]}You saw: ")
    expect(other.locator(".tomb-chip").first).to_contain_text(f"read by {LONG[0]}")
    assert "You saw" not in (other.locator(".tombs").text_content() or "")
    card = (reader.locator(".tomb-chip").first.text_content() or "").partition("You saw: ")[2]
    other.get_by_role("button", name="Open the sarcophagus").click()
    expect(reader.locator(".tomb-chip").first).to_contain_text(f"open: {card}")


@pytest.mark.parametrize("size", SIZES)
def test_a_lifted_card_comes_up_large_and_turns(service: Service, screen: Screen, sit: Screen, size: str) -> None:
    table = service.lay("tutankhamun", 4, mode="referee", names=LONG).begun()
    page = sit(table, table.host, size=SIZES[size], still=False)
    page.context.add_init_script(HEARD)
    page.reload()
    before_it(page)
    page.keyboard.press("Tab")  # a page is silent until somebody has touched it
    wall = screen(f"{service.url}/tv/{table.id}", ready=".tv .board > *", size=WALL, theatre=True)
    wall.wait_for_selector(LOADED, state="attached")
    squares = table.view["ask"]["options"]["squares"].items()
    table.move("dig", square=next(square for square, aid in squares if aid["dig"]["legal"]))
    rest_on(page)
    last = table.view["board"]["last"]
    expect(page.locator(".scene-player h2")).to_have_text(f"{LONG[last['seat']]} lifts a card: {last['square']}")
    expect(page.locator(".face-side svg")).to_be_visible()
    page.wait_for_function("() => window.heard.length > 0")
    assert heard(page)[0] == (COIN if last["points"] > 0 else CARD)
    if last["points"]:
        expect(page.locator(".scene-player-said")).to_contain_text(str(abs(last["points"])))
    look(page, "card", size)
    turned(page, "card")
    expect(wall.locator(".scene-player button, .tv-drawn")).to_have_count(0)


def test_a_card_that_brings_something_rings_and_any_other_is_turned(service: Service, sit: Screen) -> None:
    table = service.lay("tutankhamun", 2, mode="referee", options={"tray": "physical"}, names=LONG).begun()
    page = sit(table, still=False)  # who has told what came up is not shown it
    page.context.add_init_script(HEARD)
    page.reload()
    before_it(page)
    page.keyboard.press("Tab")  # a page is silent until somebody has touched it
    for square, good, tone in (("b2", True, COIN), ("c3", False, CARD)):
        view = table.move("dig", square=square).view
        value = view["board"]["tray"]["value"]
        table.deal(
            next(card for card, weight in view["ask"]["odds"] if weight != 0 and (value.get(card, 0) > 0) == good)
        )
        rest_on(page)
        expect(page.locator(".face-side svg")).to_be_visible()
        page.wait_for_function("(tone) => window.heard.includes(tone)", arg=tone)
        assert (COIN in heard(page)) == good
        page.evaluate("window.heard = []")
        page.mouse.up()
        page.keyboard.press("Escape")


def heard(page: Page) -> list[int]:
    tones: list[int] = page.evaluate("window.heard")
    return tones


def test_things_sound_as_they_come_and_are_silent_by_a_press(service: Service, sit: Screen) -> None:
    table = service.lay("horus", 2)
    page = sit(table, table.host, still=False)
    page.context.add_init_script(HEARD)
    page.reload()
    page.wait_for_selector(".board > *")
    page.get_by_role("button", name="Help").click()
    page.keyboard.press("Escape")
    before_it(page)
    table.move("roll", count=3)
    rest_on(page)
    assert heard(page) == [DIE] * 3
    page.mouse.up()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Draw a block").click()
    assert heard(page) == [DIE] * 3  # a block is heard as it comes down, and not before
    rest_on(page)
    page.wait_for_function("() => window.heard.length === 4")
    assert heard(page)[-1] == STONE
    page.mouse.up()
    page.keyboard.press("Escape")
    settings = page.context.new_page()
    settings.goto(f"{service.url}/settings")
    settings.get_by_role("group", name="Sound").get_by_role("button", name="Off").click()
    table.move("roll", count=1)
    rest_on(page)
    assert len(heard(page)) == 4


@pytest.mark.parametrize("size", SIZES)
def test_the_end_fills_the_screen_part_by_part_and_the_winner_last(service: Service, sit: Screen, size: str) -> None:
    table = with_shovel(service.lay("jenseits", 4, names=LONG).begun())
    table.move("award", seat=0, points=40).move("award", seat=2, points=9)
    page, quiet = sit(table, table.host, size=SIZES[size], still=False), sit(table, size=SIZES[size])
    for each in (page, quiet):
        each.wait_for_selector("link[href*=final_count]", state="attached")
    table.press("close")
    feast, sums, said = page.locator(".final-count"), page.locator(".final-count-sum"), page.locator(".final-count h2")
    expect(sums).to_have_text(["0"] * 4)
    expect(said).to_have_text("Counting points")
    box = feast.bounding_box()
    assert box is not None
    assert box["width"] == SIZES[size]["width"]
    assert page.locator(".stop").first.evaluate(ON_TOP)
    if size == "phone":
        page.wait_for_timeout(450)  # what has just come takes no press
        assert page.evaluate(PRESSED) == "40"
    expect(page.locator(".final-count.done")).to_be_visible()  # by itself, where nobody presses
    expect(said).to_contain_text("Maximiliane von Thurn")
    expect(page.locator(".final-count .laurel")).to_have_count(1)
    look(page, "feast", size)
    turned(page, "feast")
    page.locator(".final-count-on button").click()
    expect(feast).to_have_count(0)
    expect(quiet.locator(".final-count.done .final-count-sum").first).to_have_text("40")  # all at once
    quiet.keyboard.press("Escape")
    expect(quiet.locator(".final-count")).to_have_count(0)
    page.reload()
    page.wait_for_selector("link[href*=final_count]", state="attached")
    expect(feast).to_have_count(0)  # what was seen is not shown again
