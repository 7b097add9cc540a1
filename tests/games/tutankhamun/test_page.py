"""Tutankhamun on its page: a dealt tray is dug to its end, and a real one reported."""

from __future__ import annotations

import re

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.screens import Screen
from tests.browser.tables import Service
from tests.games.tutankhamun.trays import SQUARES, depth, dig, square

pytestmark = pytest.mark.browser


def test_a_dealt_game_is_played_to_its_end(service: Service, sit: Screen) -> None:
    table = service.lay("tutankhamun", 2, mode="referee")
    page = sit(table, table.host)
    page.get_by_role("button", name=re.compile("^Reveal")).click()
    expect(page.locator(".tray-square")).to_have_count(16)
    for at in (0, 5, 10, 15, 5, 6):
        for _ in range(2):  # whoever was bitten, or has stopped, may set a barricade first
            finish = page.get_by_role("button", name="End without a barricade")
            if finish.is_visible():
                finish.click()
                expect(finish).to_have_count(0)
        before = table.view["board"]["cards_left"]
        square(page, SQUARES[at]).click()
        page.get_by_role("button", name="Lift the card").click()
        expect(page.locator(".tray-square.fresh")).to_have_count(1)
        expect(page.locator("main.busy")).to_have_count(0)
        assert table.view["board"]["cards_left"] == before - 1
    while table.view["ask"]["kind"] == "move":
        played = table.view["played"]
        stop, go = (
            page.get_by_role("button", name=re.compile("^Stop and keep")),
            page.get_by_role("button", name=re.compile("^(Pass for|Really|You cannot)")),
        )
        finish = page.get_by_role("button", name="End without a barricade")
        (finish if finish.is_visible() else stop if stop.is_visible() else go).click()
        if go.is_visible() and table.view["played"] == played:
            go.click()
        expect(page.locator("main.busy")).to_have_count(0)
    expect(page.locator(".tut-layer")).to_have_count(6)
    assert page.locator(".tut-found .tut-face").count() == 96
    expect(page.locator(".scores")).to_be_visible()
    page.locator(".final-count.done").wait_for()
    page.keyboard.press("Escape")
    with page.expect_download() as kept:
        page.get_by_role("link", name="A picture to keep").click()
    assert kept.value.suggested_filename == f"digside-tutankhamun-{table.id}.png"
    with Image.open(kept.value.path()) as picture:
        assert picture.size == (2480, 1748)


def test_a_card_is_lifted_with_the_keyboard_alone(service: Service, sit: Screen) -> None:
    table = dig(service)
    page = sit(table, table.host)
    square(page, "c3").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".tut-chosen")).to_contain_text("c3")
    page.keyboard.press("Enter")
    expect(page.locator(".tray-square.fresh")).to_have_count(1)
    assert depth(table, "c3") == 5


def test_a_square_says_why_it_cannot_be_dug(service: Service, sit: Screen) -> None:
    table = dig(service, 2).move("dig", square="a1")
    if table.view["board"]["phase"] == "digging":
        table.move("stop")
    owner = table.view["seats"][table.view["board"]["turn"]["seat"]]["name"]
    page = sit(table, table.host)
    square(page, "d4").click()
    page.get_by_role("button", name="Barricade on d4").click()
    expect(page.locator(".tray .planks")).to_have_count(1)
    square(page, "d4").click()
    why = page.locator(".why-not")
    expect(why).to_contain_text(f"barricade until the next turn of {owner}")
    expect(why.get_by_role("button", name="Rule TUT-16: read it")).to_be_visible()
    expect(page.get_by_role("button", name="Lift the card")).to_have_attribute("aria-disabled", "true")


def test_the_scarab_doubles_and_the_odds_are_only_told_where_they_were_asked_for(service: Service, sit: Screen) -> None:
    table = dig(service, odds=True)
    page = sit(table, table.host)
    page.get_by_role("button", name="Lay a scarab").click()
    page.get_by_role("button", name="Count double").click()
    expect(page.locator(".tut-doubled")).to_be_visible()
    square(page, "b1").click()
    expect(page.locator(".tut-odds")).to_contain_text("danger")
    silent = sit(other := dig(service), other.host)
    square(silent, "b1").click()
    expect(silent.locator(".tut-chosen")).to_be_visible()
    expect(silent.locator(".tut-odds")).to_have_count(0)


def test_the_deal_is_one_line_of_the_log(service: Service, sit: Screen) -> None:
    table = dig(service)
    page = sit(table, table.host)
    lines = page.locator(".log li")
    expect(lines.filter(has_text="deals the layers, unseen")).to_have_count(1)
    expect(lines.filter(has_text="card 3 of 16")).to_have_count(0)


def test_what_a_real_tray_shows_is_reported_with_one_touch(service: Service, sit: Screen) -> None:
    table = dig(service, tray="physical")
    page = sit(table, table.host)
    square(page, "b2").click()
    page.get_by_role("button", name="Lift the card").click()
    expect(page.locator(".outcomes .card-value", has_text="−3")).to_have_count(1)  # the scorpion's seal
    page.get_by_role("button", name="alabaster vase").click()
    expect(page.locator(".tut-balance .good")).to_have_text("3")
    expect(square(page, "b2")).to_have_attribute("aria-label", re.compile(r"alabaster vase, 5\scards deep"))


def test_a_table_that_is_closed_early_turns_up_its_tray(service: Service, sit: Screen) -> None:
    table = dig(service).move("dig", square="a1")
    page = sit(table, table.host)
    expect(page.locator(".tray-square")).to_have_count(16)
    table.press("close")
    expect(page.locator(".tut-layer")).to_have_count(6)
    expect(page.locator(".tut-grid .buried")).to_have_count(95 - 16)
    expect(page.locator(".scores")).to_be_visible()


def test_a_correction_begins_with_how_things_stand(service: Service, sit: Screen) -> None:
    table = dig(service, tray="physical").move("pass").move("no_barricade").move("dig", square="b2").deal("falcon")
    page = sit(table, table.host)
    page.get_by_role("button", name="Fix a mistake").click()
    fields = page.locator("dialog .field")
    silver = page.locator("dialog").get_by_label("Silver")
    expect(silver).to_have_value("10")
    fields.get_by_role("button", name="Béatrice").click()
    expect(silver).to_have_value("7")
    page.locator("dialog").get_by_label("What is different?").select_option("card")
    fields.filter(has_text=re.compile("^Square")).locator("select").select_option(label="b2")
    expect(fields.filter(has_text=re.compile("^Card")).locator("option:checked").first).to_have_text("falcon")
    expect(fields.get_by_role("button", name="unchanged", pressed=True)).to_be_visible()


def test_how_deep_a_pile_is_can_only_be_put_right_in_a_real_tray(service: Service, sit: Screen) -> None:
    table = dig(service)
    page = sit(table, table.host)
    page.get_by_role("button", name="Fix a mistake").click()
    page.locator("dialog").get_by_label("What is different?").select_option("card")
    expect(page.locator("dialog .field")).to_have_count(3)  # what is different, which square, which card


def test_who_cannot_pay_is_told_so(service: Service, sit: Screen) -> None:
    table = dig(service, 3, tray="physical")
    page = sit(table, table.host)
    seat = table.view["ask"]["seat"]
    table.press("correct", correction={"type": "purse", "seat": seat, "silver": 2})
    table.move("dig", square="b2").deal("scorpion")
    name = table.view["seats"][seat]["name"]
    expect(page.locator(".tut-last")).to_contain_text(f"{name} cannot pay 3 and is out of the game")
    expect(page.locator(".tut-purse.out")).to_have_count(1)
