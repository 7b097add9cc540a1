"""Jenseits von Theben on its page: a game played whole by touching what is seen, and who may touch what."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.looks import found, keep
from tests.browser.screens import Screen
from tests.browser.tables import Service
from tests.games.jenseits.excavation import SITES, Hand, best, moves, referee, to_a_dig, wander

pytestmark = pytest.mark.browser


def test_a_whole_game_is_played_on_the_page(service: Service, sit: Screen) -> None:
    table = referee(service).begun()
    page = sit(table, table.host)
    hand = Hand(page, table)
    kinds = set()
    while not table.view["over"]:
        move = best(table)
        kinds.add(move["type"])
        hand.play(move)
    assert kinds >= {"take", "dig"}
    scores = table.view["ask"]["scores"]
    sheet = page.locator(".final-sheet")
    expect(sheet.locator(".whole td")).to_have_text([str(score["total"]) for score in scores])
    for part, row in zip(scores[0]["parts"], range(4), strict=True):
        told = [cell.split()[0] for cell in sheet.locator("tbody tr").nth(row).locator("td").all_inner_texts()]
        assert told == [str(score["parts"][part]) for score in scores]
    winners = [table.view["seats"][seat]["name"] for seat in table.view["ask"]["winners"]]
    for name in winners:
        expect(sheet.get_by_role("heading")).to_contain_text(name)
    page.locator(".final-count.done").wait_for()
    page.keyboard.press("Escape")
    picture = page.locator(".keepsake img")
    assert picture.evaluate("(picture) => picture.decode().then(() => picture.naturalWidth)") == 2480
    with page.expect_download() as kept:
        page.get_by_role("link", name="Keep this picture").click()
    assert kept.value.suggested_filename == f"digside-jenseits-{table.id}.png"
    keep(page, "jenseits", "over", "tablet", "lamplight")


def test_retiring_is_asked_for_twice(service: Service, sit: Screen) -> None:
    table = referee(service).begun()
    page = sit(table, table.host)
    before = table.view["played"]
    page.locator("[data-sheet=menu]").click()
    page.get_by_role("button", name=re.compile("^Retire: give up 156 weeks")).click()
    assert table.view["played"] == before
    page.get_by_role("button", name=re.compile("^Retire for good")).click()
    expect(page.locator(".log li").first).to_contain_text("retires")


def test_a_taken_back_step_is_seen_where_it_was_made(service: Service, sit: Screen) -> None:
    table = referee(service, sources={"cards": "table"})
    table.deal()
    for card in ("car-rome", "shovel-london", "congress-paris", "assistant-berlin"):
        table.deal(card)
    page = sit(table, table.host)
    Hand(page, table).play({"type": "take", "card": "car-rome"})
    expect(page.get_by_role("button", name=re.compile("Undo"))).to_be_visible()
    page.get_by_role("button", name=re.compile("Undo")).click()
    expect(page.locator(".open-cards .card-place")).to_have_count(0)
    expect(page.locator(".ask.move")).to_be_visible()


def test_a_spectator_looks_at_everything_and_touches_nothing(service: Service, sit: Screen) -> None:
    table, dig = to_a_dig(wander(referee(service).begun(), 4))
    page = sit(table)
    expect(page.locator(".jcard").first).to_have_attribute("aria-disabled", "true")
    page.locator(".site .hit").nth(SITES.index(dig["site"])).click()
    expect(page.locator(".dig-sheet")).to_be_visible()
    expect(page.locator(".dig-sheet .do-it")).to_have_count(0)
    page.keyboard.press("Escape")
    page.locator("[data-sheet=menu]").click()
    expect(page.locator("dialog .menu-ways")).to_be_visible()
    expect(page.locator(".retire")).to_have_count(0)


def test_the_keyboard_alone_is_enough(service: Service, sit: Screen) -> None:
    table = referee(service).begun()
    page = sit(table, table.host)
    seq = table.view["played"]
    page.locator(".jcard").first.focus()
    page.keyboard.press("Enter")
    page.locator("body").evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    expect(page.locator(f".jboard[data-played='{seq}']")).to_have_count(0)
    page.locator(".site .hit").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".dig-sheet")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".dig-sheet")).to_have_count(0)


def test_what_a_dig_may_bring_is_told_for_each_number_of_weeks(service: Service, sit: Screen) -> None:
    table, dig = to_a_dig(referee(service).begun(), 7)
    page = sit(table, table.host)
    Hand(page, table).think(dig)
    told = table.view["ask"]["options"]["sites"][dig["site"]]
    way = next(way for way in told["ways"] if not way["use"])
    for row, column in zip(way["weeks"], page.locator(".week-choice").all(), strict=True):
        draw = told["draws"].get(str(row["tokens"]))
        expect(column.locator(".of-tokens")).to_have_text(str(row["tokens"] or "–"))
        if draw:
            expect(column.locator(".of-any")).to_have_text(f"{100 * draw['any']:.0f}%")
            assert float(column.locator(".of-points").inner_text()) == pytest.approx(draw["points"], abs=0.051)
            assert float(column.locator(".of-spread").inner_text().strip("±")) == pytest.approx(
                draw["spread"], abs=0.051
            )
    expect(page.locator(".dig-dial .knowledge-number")).to_have_text(str(way["knowledge"]["total"]))
    expect(page.locator(".point.whole dd")).to_have_text(str(way["knowledge"]["total"]))
    page.get_by_role("slider").fill("12")
    expect(page.locator(".week-choice[aria-pressed=true] .of-weeks")).to_have_text("12")
    assert found(page) == []
    keep(page, "jenseits", "dig", "tablet", "lamplight")


def test_a_table_may_do_without_the_odds(service: Service, sit: Screen) -> None:
    table, dig = to_a_dig(referee(service, pace="press", options={"dig_help": False}).begun())
    page = sit(table, table.host)
    Hand(page, table).think(dig)
    expect(page.locator(".of-tokens").nth(5)).not_to_be_empty()
    for odds in (".of-any", ".chance-bar", ".spread", ".bag-known"):
        expect(page.locator(odds)).to_have_count(0)
    assert found(page) == []
    page.locator(".dig-sheet .do-it").click()
    expect(page.get_by_role("button", name=re.compile("^Reveal"))).to_be_visible()
    expect(page.locator(".odds")).to_have_count(0)


def test_tokens_come_out_one_by_one_and_the_weeks_stand(service: Service, sit: Screen) -> None:
    table, dig = to_a_dig(referee(service, pace="press").begun(), 10, tokens=3)
    page = sit(table, table.host)
    hand = Hand(page, table)
    hand.play(dig)
    of = table.view["board"]["drawing"]["of"]
    cloth = page.locator(".newest-dig .cloth .token")
    expect(cloth).to_have_count(0)
    page.get_by_role("button", name=re.compile("^Reveal")).click()
    expect(cloth).to_have_count(1)
    page.reload()
    page.wait_for_selector(".jboard")
    expect(cloth).to_have_count(1)
    expect(page.locator(".site .hit")).to_have_count(0)
    assert [each["type"] for each in moves(table)] == []
    for drawn in range(2, of + 1):
        page.get_by_role("button", name=re.compile("^Reveal")).click()
        expect(cloth).to_have_count(drawn)
    expect(page.locator(".ask.move")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Reveal"))).to_have_count(0)


def test_in_a_run_the_whole_dig_is_laid_out(service: Service, sit: Screen) -> None:
    table, dig = to_a_dig(referee(service).begun(), 8)
    page = sit(table, table.host)
    before = table.view
    tokens = next(
        row["tokens"] for row in before["ask"]["options"]["sites"][dig["site"]]["ways"][0]["weeks"] if row["weeks"] == 8
    )
    Hand(page, table).play(dig)
    expect(page.locator(".newest-dig .cloth .token")).to_have_count(tokens)
    page.locator(".newest-dig").get_by_role("button", name="Close").click()
    expect(page.locator(".newest-dig")).to_have_count(0)
