"""Real cards and tokens beside the page of Jenseits von Theben: reported, and put right where they differ."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.looks import found, keep
from tests.browser.screens import Screen
from tests.browser.tables import Service
from tests.games.jenseits.excavation import Hand, moves, referee

pytestmark = pytest.mark.browser

LIKELY = ".outcomes:not(.besides .outcomes)"


def test_a_report_is_shown_as_understood_and_called_back_before_it_counts(service: Service, sit: Screen) -> None:
    table = referee(service, 2, sources={"default": "table"})
    page = sit(table, table.host)
    seats = page.locator(".outcomes .button")
    seats.nth(0).click()
    expect(page.locator(".understood")).to_contain_text(table.view["seats"][0]["name"])
    page.get_by_role("button", name="No, change it").click()
    page.wait_for_timeout(1800)  # longer than a report waits
    assert table.view["played"] == 0
    seats.nth(1).dblclick()  # a second tap of the same finger says nothing more
    expect(page.locator(".understood")).to_contain_text(table.view["seats"][1]["name"])
    page.wait_for_timeout(750)
    seats.nth(1).click()  # touched again it counts at once
    expect(page.locator(".log li").first).to_be_attached()
    assert [line["what"]["seat"] for line in table.view["log"]] == [1]


def test_our_own_cards_and_tokens_are_reported_by_touch(service: Service, sit: Screen) -> None:
    table = referee(service, 2, sources={"default": "table"})
    page = sit(table, table.host)
    names = [seat["name"] for seat in table.view["seats"]]
    page.locator(".outcomes").get_by_role("button", name=names[1]).click()
    expect(page.get_by_role("group", name="What kind is it?")).to_be_visible()
    opened = {"Rome": "1 book about Greece", "London": "shovel", "Moscow": "car", "Berlin": "assistant"}
    for city, card in opened.items():
        expect(page.locator(LIKELY)).to_have_count(0)
        assert page.locator(".sorts .button").count() <= 8
        page.locator(".sorts").get_by_role("button", name=city).click()
        assert page.locator(f"{LIKELY} .button").count() <= 16
        page.locator(".outcomes").get_by_role("button", name=card, exact=True).click()
        expect(page.locator(".log li").first).to_contain_text(city)
    hand = Hand(page, table)
    hand.play({"type": "take", "card": "book-greece-rome-1"})
    keep(page, "jenseits", "reporting", "tablet", "lamplight")
    page.locator(".sorts").get_by_role("button", name="Paris").click()
    page.locator(".outcomes").get_by_role("button", name="congress").click()
    expect(page.locator(".outcomes")).to_have_count(0)
    table.press("correct", correction={"type": "marker", "seat": 0, "week": 40, "year": 1901})
    expect(page.locator(".jboard")).to_have_attribute("data-played", str(table.view["played"]))
    hand.play({"type": "dig", "site": "greece", "weeks": 12})
    page.locator(".outcomes").get_by_role("button", name="object worth 6").click()
    expect(page.locator(".newest-dig .worth-number")).to_have_text(["6"])


def test_our_own_exhibition_is_reported_by_touch(service: Service, sit: Screen) -> None:
    table = referee(service, 2, sources={"exhibitions": "table"}).begun()
    while table.view["ask"]["kind"] == "move":
        legal = moves(table)
        table.press("moves", move=next(move for move in legal if move["type"] in {"refresh", "retire"}))
    page = sit(table, table.host)
    page.locator(".outcomes").get_by_role("button", name="small exhibition in Paris").click()
    expect(page.locator(".exhibitions > *").first).to_contain_text("Paris")
    assert table.view["board"]["exhibitions"]["a"]["id"] == "exhibition-small-paris"


def test_a_wrong_token_is_put_right_by_choosing(service: Service, sit: Screen) -> None:
    table = referee(service).begun()
    page = sit(table, table.host)
    page.get_by_role("button", name="Fix a mistake").click()
    page.get_by_role("combobox", name="What is different?").select_option(label="A token is elsewhere")
    page.get_by_role("group", name="Site").get_by_role("button", name="Egypt").click()
    page.get_by_role("combobox", name="Token", exact=True).select_option(label="book about Mesopotamia")
    page.get_by_role("group", name="To").get_by_role("button", name="Béatrice").click()
    assert found(page) == []
    page.get_by_role("button", name="Correct", exact=True).click()
    expect(page.locator("dialog")).to_have_count(0)
    assert table.view["board"]["finds"][1] == [{"bag": "egypt", "token": "book:mesopotamia"}]
    assert table.view["board"]["bags"][2]["left"] == 29
    expect(page.locator(".log li").first).to_contain_text(
        "Corrected: book about Mesopotamia (Egypt), from the bag to Béatrice"
    )
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".log li s").first).to_contain_text("Corrected")
    assert table.view["board"]["bags"][2]["left"] == 30


def test_markers_permits_and_cards_are_put_right_by_choosing(service: Service, sit: Screen) -> None:
    table = referee(service).begun()
    page = sit(table, table.host)

    def put(what: str, choose: Callable[[], None]) -> None:
        page.get_by_role("button", name="Fix a mistake").click()
        page.get_by_role("combobox", name="What is different?").select_option(label=what)
        choose()
        page.get_by_role("button", name="Correct", exact=True).click()
        expect(page.locator("dialog")).to_have_count(0)

    def marker() -> None:
        page.get_by_role("group", name="Seat").get_by_role("button", name="Béatrice").click()
        page.get_by_role("combobox", name="Week", exact=True).select_option(label="30")
        page.get_by_role("group", name="Year").get_by_role("button", name="1902").click()

    def permit() -> None:
        page.get_by_role("group", name="Site").get_by_role("button", name="Crete").click()

    def card() -> None:
        page.get_by_role("combobox", name="Card", exact=True).select_option(label="car, Rome")
        page.get_by_role("group", name="To").get_by_role("button", name="Ada").click()

    def figure() -> None:
        page.get_by_role("combobox", name="Place", exact=True).select_option(label="Egypt")

    put("A marker stands elsewhere", marker)
    put("A permit shows the other side", permit)
    put("A card is elsewhere", card)
    put("A figure stands elsewhere", figure)
    board = table.view["board"]
    assert (board["track"]["markers"][1]["week"], board["track"]["markers"][1]["year"]) == (30, 1902)
    assert board["seats"][0]["permits"]["crete"] is False
    assert [each["id"] for each in board["seats"][0]["cards"]] == ["car-rome"]
    assert board["map"]["figures"][0] == "egypt"


def test_what_is_put_right_begins_where_it_stands(service: Service, sit: Screen) -> None:
    table = referee(service).begun()
    table.press("correct", correction={"type": "marker", "seat": 1, "week": 30, "year": 1902})
    page = sit(table, table.host)
    page.get_by_role("button", name="Fix a mistake").click()
    page.get_by_role("group", name="Seat").get_by_role("button", name="Béatrice").click()
    week = page.get_by_role("combobox", name="Week", exact=True).locator("option:checked")
    expect(week).to_have_text("30")
    expect(page.get_by_role("group", name="Year").locator("[aria-pressed=true]")).to_have_text("1902")
    table.press("correct", correction={"type": "marker", "seat": 1, "week": 31, "year": 1902})
    expect(week).to_have_text("31")
    page.get_by_role("combobox", name="What is different?").select_option(label="A figure stands elsewhere")
    expect(page.get_by_role("combobox", name="Place", exact=True).locator("option:checked")).to_have_text("Warsaw")
