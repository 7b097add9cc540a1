"""The pages round the table: laying one, going on with one, settings, luck."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.browser.looks import settle
from tests.browser.screens import PHONE, TABLET, Screen
from tests.browser.tables import Service, Table, jenseits, jenseits_over, jenseits_reporting
from tests.core.devices import Device

pytestmark = pytest.mark.browser

OUT_OF_SIGHT = """() => [...document.querySelectorAll("main button")].filter((each) => {
  const box = each.getBoundingClientRect();
  return box.bottom > innerHeight || box.right > innerWidth || box.top < 0;
}).map((each) => each.textContent)"""
TOO_SMALL = """() => [...document.querySelectorAll("button, .bar a, summary, [role=button]")].filter((each) => {
  const box = each.getBoundingClientRect();
  const least = each.closest(".plan-place") ? 43.5 : 47.5; // what lies on a square is as large as its square lets it be
  return box.width > 0 && Math.min(box.height, box.width) < least;
}).map((each) => each.getAttribute("aria-label") ?? each.textContent)"""
ROUND_WITHIN = """(wedge) => {
  const path = wedge.querySelector("path");
  const { a } = path.getScreenCTM();
  const { x, y, width, height } = path.getBBox();
  const inside = (cx, cy, r) => Array.from({ length: 24 }, (_, i) => (i * Math.PI) / 12).every((turn) =>
    path.isPointInFill(new DOMPoint(cx + r * Math.cos(turn), cy + r * Math.sin(turn))));
  let widest = 0;
  for (let cx = x; cx < x + width; cx += 2) for (let cy = y; cy < y + height; cy += 2) {
    while (inside(cx, cy, widest + 0.25)) widest += 0.25;
  }
  return 2 * widest * a;
}"""
STIRRED = """async ([table, stirs, who]) => {
  for (let tries = 0; tries < 200; tries++) {
    const { luck } = await (await fetch(`/api/tables/${table}`)).json();
    const there = luck.members.map((member) => member.who).sort();
    if (luck.round.length === 0 && luck.stirs >= stirs && String(there) === String(who)) return true;
    await new Promise((done) => setTimeout(done, 100));
  }
  return false;
}"""
STIR_ANEW = """async (table) => {
  const { stir } = await import("/static/luck/witness.js");
  const view = await (await fetch(`/api/tables/${table}`)).json();
  stir(view).catch(() => {});
}"""
ON_ITS_SIDE = {"width": 844, "height": 390}
TWICE_AS_LARGE = {"width": 640, "height": 400}
ODD_NAMES = ["W" * 24, "<b>x</b>&amp;<img src=x>", "שלום עולם", "\U0001f469\u200d\U0001f467\u200d\U0001f466"]
LANGUAGES = {"en": "Which game", "fr": "Quel jeu", "it": "Quale gioco", "de": "Welches Spiel"}


def test_a_table_is_laid_from_the_shelf_and_played(service: Service, screen: Screen) -> None:
    page = screen(service.url, ready=".box-cover")
    page.get_by_role("button", name="The Pyramid of Horus").click()
    page.get_by_label("Name of player 1").fill("Ada")
    page.get_by_role("button", name="Add a player").click()
    page.get_by_role("button", name="only lends tools").click()
    page.locator(".how summary").click()
    page.get_by_role("button", name="one by one").click()
    page.get_by_role("group", name="dice", exact=True).get_by_role("button", name="our own, at the table").click()
    page.get_by_role("button", name="Start game").click()
    page.wait_for_selector(".board > *")
    expect(page.locator(".seat-name")).to_have_text(["Ada", "Player 2", "Player 3"])
    page.get_by_role("button", name="Draw a block").click()
    page.get_by_role("button", name=re.compile("^Reveal")).click()
    expect(page.locator(".fallen")).to_have_count(1)


def test_seats_have_signs_of_their_own(service: Service, screen: Screen) -> None:
    page = screen(service.url, ready=".box-cover")
    page.get_by_role("button", name="Tutankhamun").click()
    for _ in range(4):
        page.get_by_role("button", name="Add a player").click()
    signs = page.locator(".sign-button")
    expect(signs).to_have_count(6)
    page.get_by_role("button", name="Remove player 2").click()
    signs.first.click()
    labels = [signs.nth(i).get_attribute("aria-label") or "" for i in range(5)]
    shapes = [label.split("symbol: ")[1] for label in labels]
    assert len(set(shapes)) == 5
    assert shapes[0].startswith("square")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_browsers_language_is_spoken(service: Service, screen: Screen, language: str) -> None:
    page = screen(service.url, ready=".box-cover", language=language)
    expect(page.get_by_role("heading", name=LANGUAGES[language])).to_be_visible()
    assert "ui." not in page.locator("body").inner_text()


def test_a_name_is_never_translated(service: Service, sit: Screen) -> None:
    asked = {"box": "horus", "mode": "toolbox", "seats": [{"name": "star"}, {"name": "red"}]}
    table = Table(service, service.call("POST", "/api/tables", asked)).move("award", seat=0, points=2)
    page = sit(table, table.host, language="it")
    expect(page.locator(".log li").first).to_contain_text("star: 2 punti")
    expect(page.get_by_role("button", name="Gioca per red")).to_be_visible()


def test_the_language_is_changed_on_the_page_and_kept(service: Service, screen: Screen) -> None:
    page = screen(f"{service.url}/settings")
    page.get_by_role("button", name="Deutsch").click()
    expect(page.locator("h1")).to_have_text("Einstellungen")
    page.goto(service.url)
    expect(page.get_by_role("heading", name="Welches Spiel")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "de"


def test_light_size_and_motion_are_kept_on_this_screen(service: Service, screen: Screen) -> None:
    page = screen(f"{service.url}/settings")
    page.get_by_role("button", name="Day").click()
    page.get_by_role("button", name="Large").click()
    page.get_by_role("group", name="Animation").get_by_role("button", name="Off").click()
    page.goto(service.url)
    assert (
        page.evaluate("({...document.documentElement.dataset})").items()
        >= {"theme": "day", "text": "big", "motion": "off"}.items()
    )


def test_a_past_table_is_gone_on_with(service: Service, sit: Screen) -> None:
    table = service.lay("horus", 2)
    page = sit(table, table.host)
    page.goto(f"{service.url}/past")
    page.locator(f"a[href='/table/{table.id}']").click()
    page.wait_for_selector(".board > *")
    expect(page.get_by_role("button", name="Draw a block")).not_to_have_attribute("aria-disabled", "true")


def test_old_tables_are_shown_when_they_are_asked_for(own_service: Service, screen: Screen) -> None:
    for _ in range(32):
        own_service.lay("horus", 2)
    page = screen(f"{own_service.url}/past", ready=".table-row")
    expect(page.locator(".table-row")).to_have_count(30)
    page.get_by_role("button", name="Older tables").click()
    expect(page.locator(".table-row")).to_have_count(32)
    expect(page.get_by_role("button", name="Older tables")).to_have_count(0)


def test_a_record_is_taken_away_and_brought_in(service: Service, sit: Screen, tmp_path: Path) -> None:
    table = jenseits_over(service)
    page = sit(table, table.host)
    page.goto(f"{service.url}/past")
    with page.expect_download() as taken:
        page.locator(f"a[href='/api/tables/{table.id}/record']").click()
    record = tmp_path / "record.json"
    taken.value.save_as(record)
    assert json.loads(record.read_text())
    page.locator("input[type=file]").set_input_files(record)
    page.wait_for_url(re.compile("/table/(?!" + table.id + ")"))
    page.wait_for_selector(".board > *")
    expect(page.locator(".points b")).to_have_text(["12", "0", "9", "0"])


def test_what_is_not_a_record_is_refused_in_words(service: Service, screen: Screen, tmp_path: Path) -> None:
    page = screen(f"{service.url}/past", language="fr", owner=service)
    (tmp_path / "no.json").write_text("{}")
    page.locator("input[type=file]").set_input_files(tmp_path / "no.json")
    expect(page.locator(".refusal")).to_be_visible()


def test_luck_is_shown_against_what_was_expected(service: Service, screen: Screen) -> None:
    table = jenseits(service)
    page = screen(f"{service.url}/luck/{table.id}", ready=".luck-table")
    expect(page.get_by_role("heading", name="tokens")).to_be_visible()
    expect(page.locator("[data-seal]")).to_have_text(table.view["seal"])
    expect(page.locator("[data-secret]")).to_have_count(0)


def test_the_secret_is_shown_once_the_game_is_over(service: Service, screen: Screen) -> None:
    table = jenseits_over(service)
    page = screen(f"{service.url}/luck/{table.id}", ready="[data-secret]")
    expect(page.locator("[data-secret]")).to_have_text(table.view["secret"])


def test_a_phone_that_stirs_checks_the_luck_itself(service: Service, sit: Screen) -> None:
    """The tablet and a phone stir by themselves; at the end the phone recomputes every draw, and names what differs."""
    table = service.lay("horus", 2).begun()
    tablet, phone = sit(table, table.host), sit(table, table.seats[0], size=PHONE)
    assert phone.evaluate(STIRRED, [table.id, 2, ["0", "host"]])
    table.move("roll", count=5)
    tablet.locator("[data-sheet=mend]").click()
    tablet.locator(".rest summary").click()
    tablet.get_by_role("button", name="Reshuffle").click()
    assert phone.evaluate(STIRRED, [table.id, 3, ["0", "host"]])
    page = phone.context.new_page()
    page.goto(f"{service.url}/luck/{table.id}")
    expect(page.locator("[data-own=in]")).to_be_visible()
    page.close()
    table.move("block").press("close")
    phone.goto(f"{service.url}/luck/{table.id}")
    expect(phone.locator("[data-proof=good]")).to_contain_text("Checked on this device: all 6 draws")
    expect(phone.locator(".caption", has_text="game this device saw")).to_be_visible()
    expect(phone.locator("[data-circumstances]")).to_contain_text(re.compile("Stirred together: .*Ada"))
    expect(phone.locator("[data-alarm]")).to_have_count(0)
    phone.route(f"**/api/tables/{table.id}/record", _with_a_six)
    phone.reload()
    expect(phone.locator("[data-proof=bad]")).to_contain_text("changed, left out or put in")


def test_a_device_whose_place_is_taken_raises_an_alarm(service: Service, sit: Screen) -> None:
    """As by a host who reads the disk, takes a seat's key and stirs what pleases."""
    table = service.lay("horus", 2).begun()
    tablet, phone = sit(table, table.host), sit(table, table.seats[0], size=PHONE)
    assert phone.evaluate(STIRRED, [table.id, 2, ["0", "host"]])
    table.move("roll", count=1)
    thief = Device("0")
    table.press("stir", key=table.seats[0], tip=thief.value, instead=True)
    assert table.view["luck"]["members"][-1] == {"who": "0", "value": thief.value[:32]}
    expect(phone.locator(".luck-alarm")).to_contain_text("Another device now stirs in place of this one")
    expect(tablet.locator(".luck-alarm")).to_have_count(0)
    phone.reload()
    expect(phone.locator(".luck-alarm")).to_be_visible()
    table.press("close")
    phone.locator(".luck-alarm a").click()
    expect(phone.locator("[data-alarm=taken]")).to_be_visible()
    expect(phone.locator("[data-proof=bad]")).to_contain_text("another took its place")
    phone.get_by_role("button", name="I have read it").click()
    expect(phone.locator("[data-alarm]")).to_have_count(0)
    tablet.goto(f"{service.url}/luck/{table.id}")
    expect(tablet.locator("[data-proof=good]")).to_be_visible()
    expect(tablet.locator("[data-circumstances]")).to_contain_text("Another device took the place")


def test_a_device_that_is_told_what_is_not_so_raises_an_alarm(service: Service, sit: Screen, screen: Screen) -> None:
    """The service says that all stir, and what the draws are stirred with is another's choice."""
    table = service.lay("horus", 2).begun()
    phone = sit(table, table.seats[0], size=PHONE)
    assert phone.evaluate(STIRRED, [table.id, 1, ["0"]])
    expect(phone.locator(".luck-alarm")).to_have_count(0)

    def bent(route: Route) -> None:
        told = route.fetch().json()
        told["rounds"][-1]["pinch"] = "ab" * 32
        route.fulfill(json=told)

    phone.route(f"**/api/tables/{table.id}/luck", bent)
    phone.reload()
    expect(phone.locator(".luck-alarm")).to_contain_text("not stirred as this device was told")


def test_an_answer_that_is_lost_is_no_alarm(service: Service, sit: Screen) -> None:
    """A phone joins once more; that came there, and its page is closed before it heard so."""
    table = service.lay("horus", 2).begun()
    phone = sit(table, table.seats[0], size=PHONE)
    assert phone.evaluate(STIRRED, [table.id, 1, ["0"]])
    table.move("roll", count=1)

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    phone.route("**/stir", lose)
    phone.evaluate(STIR_ANEW, table.id)
    assert phone.evaluate(STIRRED, [table.id, 2, ["0"]])
    phone.unroute_all(behavior="wait")
    phone.reload()
    expect(phone.locator(".board > *").first).to_be_visible()
    table.move("roll", count=1).press("close")
    phone.goto(f"{service.url}/luck/{table.id}")
    expect(phone.locator("[data-proof=good]")).to_be_visible()
    expect(phone.locator("[data-alarm], .luck-alarm")).to_have_count(0)


def test_what_never_came_there_is_not_missed_in_the_record(service: Service, sit: Screen) -> None:
    """A phone is asked for its next value, and has no network until the game is over."""
    table = service.lay("horus", 2).begun()
    phone = sit(table, table.seats[0], size=PHONE)
    assert phone.evaluate(STIRRED, [table.id, 1, ["0"]])
    table.move("roll", count=1)
    phone.route("**/stir", lambda route: route.abort())
    with phone.expect_request("**/stir"):
        table.press("stir", tip=Device("host").value)
    table.move("roll", count=1).press("close")
    phone.unroute_all()
    phone.goto(f"{service.url}/luck/{table.id}")
    expect(phone.locator("[data-proof=good]")).to_be_visible()
    expect(phone.locator("[data-circumstances]")).to_contain_text("Ada")


def test_another_device_of_a_seat_takes_nobodys_place_by_itself(service: Service, sit: Screen) -> None:
    table = service.lay("horus", 2).begun()
    first = sit(table, table.seats[0], size=PHONE)
    assert first.evaluate(STIRRED, [table.id, 1, ["0"]])
    second = sit(table, table.seats[0], size=PHONE)
    second.goto(f"{service.url}/luck/{table.id}")
    expect(second.locator("[data-own=out]")).to_be_visible()
    table.move("roll", count=1)
    assert [member["who"] for member in table.view["luck"]["members"]] == ["0"]
    second.get_by_role("button", name="Stir with this device").click()
    expect(second.locator("[data-own=in]")).to_be_visible()
    expect(first.locator(".luck-alarm")).to_be_visible()


def _with_a_six(route: Route) -> None:
    """The record with one other number on a die."""
    record = route.fetch().json()
    first = next(line for line in record["entries"] if line["entry"]["kind"] == "outcome")
    first["entry"]["outcome"] = 6 if first["entry"]["outcome"] != 6 else 5
    route.fulfill(json=record)


def test_everything_for_play_is_on_the_tablet_without_scrolling(service: Service, sit: Screen) -> None:
    for box in ("jenseits", "tomb_raiders", "horus", "tutankhamun"):
        table = service.lay(box, 4).begun()
        page = sit(table, table.host)
        high, wide = page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]")
        assert (high, wide) == (800, 1280), box
        assert page.evaluate(OUT_OF_SIGHT) == [], box


def test_what_is_pressed_is_large_enough_for_a_finger(service: Service, sit: Screen) -> None:
    for box in ("jenseits", "horus", "tutankhamun"):
        table = service.lay(box, 3).begun()
        for size in (None, PHONE):
            page = sit(table, table.host, size=size)
            assert page.evaluate(TOO_SMALL) == [], (box, size)
            if box == "horus":
                page.get_by_role("button", name="Sarcophagi", exact=True).click()
                expect(page.locator(".tomb-chip")).to_have_count(14)
                assert page.evaluate(TOO_SMALL) == [], (box, size)
                page.keyboard.press("Escape")
    for size in (None, PHONE, ON_ITS_SIDE):
        found = jenseits_reporting(service)
        assert sit(found, found.host, size=size).evaluate(TOO_SMALL) == [], size


def test_a_window_of_the_dial_holds_a_thumb_on_a_phone(service: Service, sit: Screen) -> None:
    table = service.lay("jenseits", 3).begun().move("dial", knowledge=5)
    page = sit(table, table.host, size=PHONE)
    for weeks in range(1, 13):
        window = page.get_by_role("button", name=re.compile(f"^{weeks} weeks?: "))
        assert window.evaluate(ROUND_WITHIN) >= 48, weeks


NAMES_OF_RINGS = "document.querySelectorAll('.ring-name').length"
LIES_OVER_NAMES = """() => {
  const boxes = (place) => [...document.querySelectorAll(place)].map((each) => [each, each.getBoundingClientRect()]);
  const over = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  return boxes(".ring-name text").flatMap(([name, at]) =>
    boxes(".knobs .button, .knobs .caption").filter(([, box]) => over(at, box)).map(() => name.textContent.trim()));
}"""


def test_nothing_lies_over_the_knobs_of_the_dial_on_a_phone(service: Service, sit: Screen) -> None:
    table = service.lay("jenseits", 3).begun().move("dial", knowledge=5)
    page = sit(table, table.host, size=PHONE)
    page.get_by_role("button", name="Less knowledge").tap()
    expect(page.locator(".knowledge-number")).to_have_text("4")
    page.get_by_role("button", name="12 weeks: ").tap()
    expect(page.locator(".button.suggested")).to_have_text("12")
    assert page.evaluate(NAMES_OF_RINGS) == 4
    assert page.evaluate(LIES_OVER_NAMES) == []


@pytest.mark.parametrize("box", ["jenseits", "horus", "tutankhamun"])
def test_a_low_screen_shows_the_board_and_not_only_its_buttons(
    service: Service, sit: Screen, subtests: pytest.Subtests, box: str
) -> None:
    table = service.lay(box, 4).begun()
    page = sit(table, table.host, size=ON_ITS_SIDE)
    for named, size in (("on its side", ON_ITS_SIDE), ("twice as large", TWICE_AS_LARGE)):
        with subtests.test(named):
            page.set_viewport_size({"width": size["width"], "height": size["height"]})
            settle(page)
            piece = page.locator(".track, .plan, .tray").first
            piece.scroll_into_view_if_needed()
            box_of = piece.bounding_box()
            assert box_of is not None
            dock = page.locator(".dock").bounding_box()
            assert dock is not None
            assert box_of["height"] <= size["height"]
            assert dock["width"] * dock["height"] < 0.3 * size["width"] * size["height"]


def test_names_of_any_kind_keep_to_their_place(service: Service, sit: Screen) -> None:
    asked = {"box": "horus", "mode": "toolbox", "seats": [{"name": name} for name in ODD_NAMES]}
    table = Table(service, service.call("POST", "/api/tables", asked))
    for size in (PHONE, TABLET):
        page = sit(table, table.host, size=size)
        page.get_by_role("button", name="Join with a phone").click()
        page.wait_for_selector("dialog[open]")
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        assert page.evaluate("document.querySelector('dialog').scrollWidth") <= size["width"]
        assert page.locator("img[src=x]").count() == 0
        page.goto(f"{service.url}/past")
        page.wait_for_selector(".table-row")
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]


def test_a_page_keeps_the_strict_policy(service: Service, sit: Screen) -> None:
    table = jenseits(service)
    page = sit(table, table.host)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.reload()
    page.wait_for_selector(".board > *")
    assert [each for each in said if "Content Security Policy" in each] == []
    policy = page.evaluate("fetch('/').then((answer) => answer.headers.get('content-security-policy'))")
    assert "unsafe" not in policy
