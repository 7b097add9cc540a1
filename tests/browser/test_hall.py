"""The house at a glance: two Pis on one page, a call, a shovel's fault; and a table that goes from one to the other."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from companion.game import Seat, Setup
from companion.play.hall import Hall
from tests.browser.bench import Bench
from tests.browser.looks import look
from tests.browser.screens import PHONE, TABLET, UPRIGHT, Screen
from tests.browser.tables import Service, Table

pytestmark = pytest.mark.browser

AGO = 95 * 60_000


@pytest.fixture
def there(tmp_path: Path) -> Iterator[Service]:
    """Another Pi of the house, at which a table has lain for an hour and a half."""
    hall = Hall(tmp_path / "there", clock=lambda: time.time_ns() // 1_000_000 - AGO)
    hall.lay(Setup("horus", "toolbox", (Seat("Dörte"), Seat("W" * 24))))
    hall.close()
    running = Service(tmp_path / "there").start()
    yield running
    running.stop()


@pytest.fixture
def here(tmp_path: Path, there: Service) -> Iterator[Service]:
    """A Pi that knows of the other."""
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "house.txt").write_text(f"{there.url}\n")
    running = Service(tmp_path / "here").start()
    yield running
    running.stop()


def called(service: Service, table: Table) -> bool:
    """Whether a table calls for the host of the house."""
    return bool(service.call("GET", f"/api/tables/{table.id}/call")["at"])


def looked_at(page: Page, name: str) -> None:
    """At three sizes, in both lights."""
    for size in (TABLET, UPRIGHT, PHONE):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        look(page, name, str(size["width"]))


def test_the_host_of_the_house_sees_who_calls_what_ails_a_shovel_and_where_a_table_goes(
    here: Service, there: Service, screen: Screen, sit: Screen
) -> None:
    first = here.lay("jenseits", 3, mode="referee").begun()
    second = here.lay("tutankhamun", 2, mode="referee").begun()
    Bench(there, there.lay("horus", 2)).holding().poke("brown_out").until(lambda shovel: shovel["state"] == "fault")
    page = screen(f"{here.url}/hall", ready=".hall-table", owner=here)
    mine, others = page.locator(".hall-pi").nth(0), page.locator(".hall-pi").nth(1)
    expect(mine.locator(".hall-table")).to_have_count(2)
    expect(others.locator("h2")).to_contain_text(there.url)
    expect(others.locator(".refusal")).to_contain_text("voltage")
    expect(others.locator(".hall-table").first).to_contain_text("1 hr 35 min")
    expect(mine.locator(".refusal")).to_have_count(0)
    turn = first.view["seats"][first.view["ask"]["seat"]]["name"]
    expect(mine.locator(".hall-table", has_text="Jenseits").locator(".hall-turn")).to_contain_text(turn)

    phone = sit(second, second.seats[0], size=PHONE)
    phone.get_by_role("button", name="Menu").click()
    phone.get_by_role("button", name="Somebody please").click()
    top = mine.locator(".hall-table").first
    expect(top).to_have_class(re.compile("calls"))
    expect(top.locator("h3")).to_contain_text("Tutankhamun")
    looked_at(page, "hall")
    assert not any(key in page.content() for key in (first.host, *first.seats, here.owner))
    top.get_by_role("button").click()
    expect(page.locator(".calls")).to_have_count(0)
    assert not called(here, second)
    second.press("close")
    expect(mine.locator(".hall-table")).to_have_count(1)

    seat = sit(first, first.seats[1], size=PHONE)
    page.set_viewport_size(TABLET)  # type: ignore[arg-type]
    past = screen(f"{here.url}/past", ready=".table-row", owner=here)
    past.locator(".table-row", has_text="Jenseits").get_by_role("button", name="Move").click()
    past.get_by_label("Address of the other").fill(there.url)
    past.get_by_label("Its owner").fill("a guess")
    past.get_by_role("button", name="Move it there").click()
    expect(past.locator("dialog .refusal")).to_contain_text("does not take the table")
    past.get_by_label("Its owner").fill(there.owner)
    looked_at(past, "move")
    past.get_by_role("button", name="Move it there").click()
    expect(past.locator(".table-row", has_text="Jenseits")).to_contain_text(f"Moved to {there.url}")
    seat.wait_for_url(f"{there.url}/**")
    seat.wait_for_selector(".board > *")
    assert Table(there, {"table": first.id, "host": first.host, "seats": first.seats}).view["seq"] == first.view["seq"]
    expect(others.locator(".hall-table", has_text="Jenseits")).to_be_visible()
    expect(mine.locator(".hall-table")).to_have_count(0)
    there.stop()
    expect(others.locator(".notice")).to_contain_text("has not answered")
    expect(others.locator(".hall-table", has_text="Jenseits")).to_be_visible()
