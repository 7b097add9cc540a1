"""Digs on the page of Jenseits von Theben: what they may bring, and how the tokens come out."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.looks import found, keep
from tests.browser.screens import Screen
from tests.browser.tables import Service
from tests.games.jenseits.excavation import Hand, moves, referee, to_a_dig

pytestmark = pytest.mark.browser


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
