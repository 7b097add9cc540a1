"""The Tomb Raiders on its page: a whole game at a tablet and two phones, and real cards reported by picture."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looks import found
from tests.browser.screens import PHONE, Screen
from tests.browser.tables import Service, Table
from tests.games.tomb_raiders.on_screen import GREEN, Hand, laid, moves, seen_by, settled, wander, wish

pytestmark = pytest.mark.browser

BY_TOUCH = 10
"""So many moves are touched at the beginning; then the table goes on by itself, until few cards are left."""
LAST = 3


def at_hand(table: Table, tablet: Page, phones: list[Page], nth: int) -> Hand:
    """Whoever plays does so on their phone, but now and then on the tablet, which is handed over."""
    return Hand(tablet if nth % 4 == 3 else phones[table.view["ask"]["seat"]], table)


def hand_on(page: Page) -> list[str]:
    """The names of the cards that a screen shows of a hand."""
    return page.locator(".tr-held .unseen").all_text_contents()


def test_a_look_ends_with_the_hold_and_a_hand_that_plays_stays_open(service: Service, sit: Screen) -> None:
    table = settled(laid(service))
    page = sit(table, table.host)
    asked = table.view["ask"]["seat"]
    for seat, stays in ((1 - asked, 0), (asked, 1)):
        page.locator(".tr-small-hand").nth(seat).hover()
        page.mouse.down()
        page.wait_for_selector(".tr-hand-sheet .tr-hand")
        page.mouse.up()
        expect(page.locator(".tr-hand-sheet")).to_have_count(stays)


def test_a_whole_game_at_a_tablet_and_two_phones(service: Service, sit: Screen) -> None:
    """Touched at its beginning and its end; the long middle is played without screens."""
    table, luck = settled(laid(service)), random.Random(8)
    tablet = sit(table, table.host)
    phones = [sit(table, key, size=PHONE) for key in table.seats]
    for seat, phone in enumerate(phones):
        expect(phone.locator(".tr-held")).to_have_count(len(seen_by(table, seat)["you"]["hand"]))
    touched = 0
    while not table.view["over"]:
        if touched == BY_TOUCH:
            wander(table, 400, until=lambda view: view["board"]["deck"]["left"] <= LAST)
        if settled(table).view["over"]:
            break
        seat = table.view["ask"]["seat"]
        hand = at_hand(table, tablet, phones, touched)
        expect(hand.page.locator(f".tr-board[data-played='{table.view['played']}']")).to_have_count(1)
        hand.play(wish(moves(table, seat), luck))
        touched += 1
        assert hand_on(tablet) == []  # covered again
        if table.view["board"]["phase"] == "choosing":
            expect(phones[seat].locator(".tr-pick")).not_to_have_count(0)
            assert [each.locator(".tr-pick").count() for each in (tablet, phones[1 - seat])] == [0, 0]
    assert touched > BY_TOUCH
    scores = table.view["ask"]["scores"]
    for page in (tablet, *phones):
        sheet = page.locator(".final-sheet")
        expect(sheet.locator(".whole td")).to_have_text([str(score["total"]) for score in scores])
        rows = [row.locator("td").all_inner_texts() for row in sheet.locator("tbody tr").all()[:-1]]
        assert rows == [[str(score["parts"][part]) for score in scores] for part in scores[0]["parts"]]
    picture = tablet.locator(".keepsake img")
    assert picture.evaluate("(picture) => picture.decode().then(() => picture.naturalWidth)") == 2480


def test_a_choice_tells_who_plays_after_it_and_a_second_touch_makes_it(service: Service, sit: Screen) -> None:
    table = settled(laid(service, 3))
    page = sit(table, table.host)
    view = table.view
    answer = view["ask"]["options"]["storage"][0]
    land = view["ask"]["options"]["lands"][str(answer["total"])]
    card = page.locator(".tr-card").first
    expect(card.locator(".tr-face .seat-sign")).to_have_count(1)
    card.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".plan-lands")).to_contain_text(f"then week {land['week']}")
    expect(page.locator(".plan-lands")).to_contain_text(view["seats"][land["next"]]["name"])
    expect(page.locator(".track-strip .ghost")).to_have_count(1)
    expect(card).to_have_accessible_name(re.compile("Touch again to do it"))
    page.keyboard.press("Enter")
    expect(page.locator(f".tr-board[data-played='{view['played']}']")).to_have_count(0)
    assert table.view["board"]["seats"][view["ask"]["seat"]] != view["board"]["seats"][view["ask"]["seat"]]


def test_a_hand_is_held_open_and_a_double_touch_takes_nothing(service: Service, sit: Screen) -> None:
    table = settled(laid(service))
    page = sit(table, table.host)
    played, seat = table.view["played"], table.view["ask"]["seat"]
    page.locator(".tr-card").first.dblclick()
    expect(page.locator(".plan-sheet")).to_be_visible()
    assert table.view["played"] == played
    hold = page.locator(".ask .tr-open-hand")
    hold.click()
    assert hand_on(page) == []  # a touch in passing
    hold.focus()
    page.keyboard.down("Enter")
    expect(page.locator(".tr-held")).to_have_count(len(seen_by(table, seat)["you"]["hand"]))
    page.keyboard.up("Enter")
    page.keyboard.press("Escape")
    expect(page.locator(".tr-held")).to_have_count(0)
    phone = sit(table, table.seats[1 - seat], size=PHONE)
    expect(phone.locator(".tr-held")).not_to_have_count(0)
    phone.locator("#tab-all").tap()
    assert hand_on(phone) == []
    expect(phone.get_by_role("button", name=re.compile("hold to see"))).to_have_count(0)  # no other's hand


def test_real_cards_are_reported_by_picture_and_backs_put_on_their_piles(service: Service, sit: Screen) -> None:
    """The deck and the hands are real, the piles are not: one of them is opened for one pair of eyes, one dug into."""
    table = laid(service, options={"cards": "mixed"})
    while table.view["ask"]["question"] != "top":
        table.deal()
    tablet = sit(table, table.host, still=False)
    greece = tablet.get_by_role("button", name="A card onto the pile Greece")
    for _ in range(6):
        played = table.view["played"]
        greece.click()
        expect(tablet.locator(f".tr-board[data-played='{played}']")).to_have_count(0)
    expect(tablet.locator(".outcomes .tr-face")).to_have_count(5)
    tablet.get_by_role("button", name="A green back on top").click()
    kinds = tablet.locator(".tr-real > button")
    expect(kinds).to_have_count(18)
    assert found(tablet) == []
    kinds.and_(tablet.get_by_role("button", name=re.compile("^an action card for 3 weeks"))).click()
    tablet.locator(".plan-sheet .do-it").click()
    seat = table.view["log"][-1]["seat"]
    _greens(table, seat)
    phone, other = (sit(table, table.seats[each], size=PHONE) for each in (seat, 1 - seat))
    phone.locator(".tr-held", has_text="Action").tap()
    phone.get_by_role("button", name="tomb raiders: Greece").tap()
    phone.locator(".tr-deed .do-it").tap()
    if table.view["board"]["phase"] == "choosing":  # else there was only rubble
        expect(other.locator(".tr-pick")).to_have_count(0)
        tablet.locator(".ask .tr-open-hand.hold-open").dispatch_event("click", {"detail": 0})
        expect(tablet.locator(".tr-pick")).to_have_count(
            len(seen_by(table, seat)["ask"]["options"]["keep"]["artifacts"])
        )
        tablet.keyboard.press("Escape")
        expect(tablet.locator(".tr-pick")).to_have_count(0)
        phone.locator(".tr-pick").first.tap()
        phone.locator(".tr-seen .do-it").tap()
        expect(phone.locator(".tr-pick")).to_have_count(0)
        assert len(table.view["board"]["seats"][seat]["finds"]) == 1


def test_a_dig_fills_the_screen(service: Service, sit: Screen) -> None:
    table = laid(service, options={"cards": "mixed"})
    while table.view["ask"]["question"] != "top":
        table.deal()
    table.deal("greece", times=12).deal(GREEN)
    seat = table.view["ask"]["seat"]
    table.move("take", card="expertise-greece-3")
    _greens(table, seat)
    page = sit(table, table.seats[seat], size=PHONE, still=False)
    page.wait_for_selector("link[href*=scene_player]", state="attached")
    hand = Hand(page, table)
    hand.open_hand()
    page.locator(".tr-held", has_text="Greece").first.tap()
    row = seen_by(table, seat)["ask"]["options"]["digs"]["greece"]["cards"]
    expect(page.locator(".tr-week b")).to_have_text([str(cards or "–") for cards in row])
    expect(page.locator(".chart .chart-row .chart-cell").last).to_have_text(str(row[-1]))
    page.locator(".tr-week").nth(11).tap()
    hand.deed()
    expect(page.locator(".scene-player")).to_contain_text("digs: Greece")
    expect(page.locator(".scene-player-row li")).to_have_count(row[-1])


def _greens(table: Table, seat: int) -> None:
    """On until a seat is to move again: the next backs are green, and others take short cards."""
    while settled(table).view["ask"]["seat"] != seat:
        table.move("take", card="congress")
    settled(table)


def test_what_lies_open_stays_while_a_tablet_is_turned(service: Service, sit: Screen) -> None:
    """Laid out for a narrow screen other parts are drawn in the places of these; none takes another's."""
    table = settled(laid(service))
    page = sit(table, table.host)
    page.locator(".tr-row-of").first.click()
    for width, height in ((600, 960), (1280, 800)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator(".tr-papers")).to_be_visible()
    expect(page.locator(".tr-everybody")).to_be_visible()
