"""Playing a table on its screens: what is pressed is done once, everybody sees it, and it can be taken back."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.screens import PHONE, Screen
from tests.browser.tables import Service, horus, jenseits_drawing, jenseits_reporting, tutankhamun

pytestmark = pytest.mark.browser


def knowledge(page: Page) -> str:
    return page.locator(".knowledge-number").text_content() or ""


def answered(page: Page) -> None:
    """Until a press is taken again: its picture may be there before its answer, and a key is not waited for."""
    expect(page.locator("main.busy")).to_have_count(0)


def test_two_screens_are_in_step(service: Service, sit: Screen) -> None:
    table = service.lay("jenseits", 3).begun()
    host, phone = sit(table, table.host), sit(table, table.seats[1], size=PHONE)
    host.get_by_role("button", name="More knowledge").click()
    expect(phone.locator(".knowledge-number")).to_have_text("1")
    phone.get_by_role("button", name="More knowledge").tap()
    expect(host.locator(".knowledge-number")).to_have_text("2")
    expect(phone.locator(".knowledge-number")).to_have_text("2")


def test_a_marker_walks_for_the_seat_that_is_chosen(service: Service, sit: Screen) -> None:
    table = service.lay("jenseits", 3).begun()
    page = sit(table, table.host)
    page.get_by_role("button", name="Act for Carlo").click()
    page.get_by_role("button", name="Carlo: 5 weeks on").click()
    expect(page.locator(".track")).to_have_attribute("aria-label", re.compile(r"Carlo: week\s21\sof\s1901"))
    expect(page.locator("#said")).to_have_text("Carlo: 5 weeks on")


def test_a_seats_own_phone_acts_for_that_seat_alone(service: Service, sit: Screen) -> None:
    table = service.lay("jenseits", 3).begun()
    phone = sit(table, table.seats[2], size=PHONE)
    expect(phone.get_by_role("button", name="Act for Ada")).to_have_count(0)
    phone.get_by_role("button", name="Carlo: 2 weeks on").tap()
    expect(phone.locator(".track")).to_have_attribute("aria-label", re.compile(r"Carlo: week\s18\sof\s1901"))


def test_tokens_come_one_by_one_at_a_press_each(service: Service, sit: Screen) -> None:
    table = jenseits_drawing(service)
    page = sit(table, table.host)
    for drawn in (5, 6):
        page.get_by_role("button", name=re.compile("^Reveal")).click()
        expect(page.locator(".cloth .token")).to_have_count(drawn)
    answered(page)
    page.keyboard.press("Space")
    expect(page.locator(".ask.move")).to_be_visible()
    expect(page.locator(".cloth .token")).to_have_count(7)


def test_what_the_table_drew_is_reported_with_one_touch(service: Service, sit: Screen) -> None:
    table = jenseits_reporting(service)
    page = sit(table, table.host)
    page.get_by_role("button", name="open book", exact=True).click()
    expect(page.locator(".progress")).to_have_text(re.compile(r"3\s/\s3"))
    page.get_by_role("button", name="rubble", exact=True).click()
    expect(page.locator(".ask.move")).to_be_visible()
    assert table.view["board"]["finds"][1] == [
        {"bag": "crete", "token": "object:5"},
        {"bag": "crete", "token": "open_book"},
    ]


def test_a_double_tap_does_it_once(service: Service, sit: Screen) -> None:
    table = service.lay("horus", 2)
    page = sit(table, table.host)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
    page.get_by_role("button", name="Draw a block").dblclick()
    answered(page)
    assert len(asked) == 1
    expect(page.locator(".refusal")).to_have_count(0)
    assert len(table.view["board"]["blocks"]["fallen"]) == 1


def test_an_answer_that_is_lost_is_asked_for_again_without_a_second_effect(service: Service, sit: Screen) -> None:
    table = service.lay("jenseits", 2).begun()
    page = sit(table, table.host)
    asked: list[str] = []

    def lose_the_first(route: Route) -> None:
        body = route.request.post_data_json
        assert body is not None
        asked.append(body["request"])
        if len(asked) == 1:
            route.fetch()  # it reaches the service, which does it; the answer gets lost
            route.abort("connectionreset")
        else:
            route.continue_()

    page.route("**/moves", lose_the_first)
    page.get_by_role("button", name="Ada: 1 week on").or_(
        page.get_by_role("button", name="Béatrice: 1 week on")
    ).click()
    expect(page.locator("main.busy")).to_have_count(0)
    assert len(asked) == 2
    assert len(set(asked)) == 1
    assert sorted(marker["at"] for marker in table.view["board"]["track"]["markers"]) == [0, 1]


def test_a_press_meant_for_an_older_table_shows_the_fresh_one(service: Service, sit: Screen) -> None:
    table = service.lay("jenseits", 2).begun()
    page = sit(table, table.host)
    page.route("**/stream*", lambda route: route.abort())
    page.evaluate("dispatchEvent(new Event('online'))")

    def behind(route: Route) -> None:
        table.move("dial", knowledge=9)
        route.continue_()

    page.route("**/moves", behind, times=1)
    page.get_by_role("button", name="More knowledge").click()
    expect(page.locator(".refusal")).to_contain_text("The table has changed")
    assert knowledge(page) == "9"


def test_a_step_is_taken_back_and_forward_again(service: Service, sit: Screen) -> None:
    table = service.lay("jenseits", 2).begun()
    page = sit(table, table.host)
    page.get_by_role("button", name="More knowledge").click()
    expect(page.locator(".knowledge-number")).to_have_text("1")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".knowledge-number")).to_have_text("0")
    page.get_by_role("button", name="Redo").click()
    expect(page.locator(".knowledge-number")).to_have_text("1")


def test_taking_back_what_was_revealed_is_asked_for_twice(service: Service, sit: Screen) -> None:
    table = horus(service)
    page = sit(table, table.host)
    before = table.view["played"]
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("button", name="Undo anyway?")).to_be_visible()
    assert table.view["played"] == before
    page.get_by_role("button", name="Undo anyway?").click()
    expect(page.get_by_role("button", name="Redo")).to_be_enabled()
    assert table.view["played"] > before


def test_a_seat_learns_why_it_cannot_take_back(service: Service, sit: Screen) -> None:
    table = service.lay("horus", 2).move("block")
    phone = sit(table, table.seats[0], size=PHONE)
    phone.locator(".undo .button").first.tap(force=True)  # it is quiet, and says why when it is touched
    expect(phone.locator(".why")).not_to_be_empty()
    expect(phone.get_by_role("button", name="Undo")).to_have_attribute("aria-disabled", "true")


def test_a_card_is_chosen_before_it_is_lifted(service: Service, sit: Screen) -> None:
    table = tutankhamun(service)
    page = sit(table, table.host)
    depth = table.view["board"]["tray"]["squares"][3]["depth"]
    page.get_by_role("button", name=re.compile("^d1:")).click()
    assert table.view["board"]["tray"]["squares"][3]["depth"] == depth
    page.get_by_role("button", name="Lift the card").click()
    expect(page.locator("[data-square=d1] .depth")).to_have_text(str(depth - 1))


def test_a_find_goes_back_into_its_bag(service: Service, sit: Screen) -> None:
    table = jenseits_reporting(service).deal("blank", 2)
    page = sit(table, table.host)
    page.get_by_role("button", name="Béatrice: 1 find").click()
    page.get_by_role("button", name="object worth 5, Crete").click()
    page.get_by_role("button", name="Put back: object worth 5").click()
    expect(page.locator(".finds")).to_have_count(0)


def test_the_keyboard_alone_plays(service: Service, sit: Screen) -> None:
    table = service.lay("horus", 3)
    page = sit(table, table.host)
    page.keyboard.press("3")
    expect(page.get_by_role("button", name="Act for Carlo")).to_have_attribute("aria-pressed", "true")
    page.locator("body").press("Space")
    expect(page.locator(".die:not(.unrolled)")).to_have_count(5)
    answered(page)
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Draw a block":
            break
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    page.keyboard.press("Enter")
    expect(page.locator(".fallen")).to_have_count(1)


def test_short_keys_can_be_off(service: Service, sit: Screen) -> None:
    table = service.lay("horus", 3)
    page = sit(table, table.host)
    page.goto(f"{service.url}/settings")
    page.get_by_role("group", name="Keyboard shortcuts").get_by_role("button", name="Off").click()
    page.goto(table.address())
    page.wait_for_selector(".board > *")
    for key in ("3", "Space", "?"):
        page.locator("body").press(key)
    expect(page.get_by_role("button", name="Act for Ada")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert table.view["log"] == []


def test_the_dial_is_turned_and_read_by_keyboard(service: Service, sit: Screen) -> None:
    table = service.lay("jenseits", 2).begun().move("dial", knowledge=5)
    page = sit(table, table.host)
    page.get_by_role("button", name="4 weeks: 3 tokens").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".draw-count output")).to_have_text("3")
    expect(page.locator(".button.suggested")).to_have_text("4")


def test_a_spectator_sees_the_table_and_no_secret(service: Service, sit: Screen) -> None:
    table = jenseits_drawing(service)
    page = sit(table)
    expect(page.locator(".bar-title")).to_contain_text("watching")
    expect(page.locator(".deal, .undo, [aria-label='Join with a phone']")).to_have_count(0)
    expect(page.locator(".bag-button").first).to_have_attribute("aria-disabled", "true")
    content = page.content() + page.evaluate("JSON.stringify(Object.entries(localStorage))")
    assert not any(key in content for key in (table.host, *table.seats))


def test_a_join_link_leads_to_the_seat_and_leaves_no_key_behind(service: Service, screen: Screen) -> None:
    table = service.lay("horus", 2)
    page = screen(table.address(table.seats[0]), ready=".board > *", size=PHONE)
    expect(page).to_have_url(table.address())
    expect(page.get_by_role("button", name="Draw a block")).not_to_have_attribute("aria-disabled", "true")
    assert table.seats[0] not in page.url
    assert page.evaluate("history.length") <= 2


def test_every_seat_has_a_code_to_join_by(service: Service, sit: Screen) -> None:
    table = service.lay("horus", 3)
    page = sit(table, table.host)
    page.get_by_role("button", name="Join with a phone").click()
    page.locator(".single-codes summary").click()
    codes = page.locator(".code")
    expect(codes).to_have_count(5)
    for i in range(5):
        expect(codes.nth(i)).to_have_js_property("complete", value=True)
        assert codes.nth(i).evaluate("(img) => img.naturalWidth") > 0


def test_the_code_for_a_second_host_is_shown_to_whoever_asks_twice(service: Service, sit: Screen) -> None:
    table = service.lay("horus", 2)
    page = sit(table, table.host)
    drawn: list[str] = []
    page.on("response", lambda answer: drawn.append(answer.url) if answer.url.endswith("/qr/host.svg") else None)
    page.get_by_role("button", name="Join with a phone").click()
    page.locator(".single-codes summary").click()
    expect(page.locator(".codes .code")).to_have_count(3)
    page.get_by_role("button", name="A second tablet for the whole table").click()
    assert drawn == []
    page.get_by_role("button", name="Show the code?").click()
    code = page.get_by_alt_text("The host’s code")
    expect(code).to_have_js_property("complete", value=True)
    assert code.evaluate("(img) => img.naturalWidth") > 0
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Join with a phone").click()
    page.locator(".single-codes summary").click()
    expect(page.locator(".codes .code")).to_have_count(3)
    expect(code).to_have_count(0)


def test_the_host_puts_the_table_right(service: Service, sit: Screen) -> None:
    table = service.lay("jenseits", 2).begun()
    page = sit(table, table.host)
    page.get_by_role("button", name="Fix a mistake").click()
    page.get_by_role("group", name="Seat").get_by_role("button", name="Béatrice").click()
    page.get_by_role("combobox", name="Week").select_option(label="31/1901")
    page.get_by_role("button", name="Correct", exact=True).click()
    expect(page.locator(".track")).to_have_attribute("aria-label", re.compile(r"Béatrice: week\s31\sof\s1901"))
    expect(page.locator(".log")).to_contain_text("Corrected")


def test_the_shovel_stops_at_one_touch_of_anybody(service: Service, sit: Screen) -> None:
    table = service.lay("tutankhamun", 2).begun()
    service.call("POST", f"/api/tables/{table.id}/rig", {}, service.owner)
    host, spectator = sit(table, table.host), sit(table, size=PHONE)
    host.get_by_role("button", name="Grip").click()
    expect(host.locator(".stop-place.running")).to_be_visible()
    spectator.get_by_role("button", name="Stop the shovel at once").tap()
    expect(host.locator(".stop-place.running")).to_have_count(0)
    assert service.call("GET", "/api/rig")["shovel"]["state"] == "off"
