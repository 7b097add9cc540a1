"""The house at a glance: two Pis on one page, a call, a shovel's fault; and a table that goes from one to the other."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Page, expect

from companion.game import Seat, Setup
from companion.play.hall import Hall
from tests.browser.bench import Bench
from tests.browser.looks import look
from tests.browser.pis import Pis, pi
from tests.browser.screens import PHONE, TABLET, UPRIGHT, Screen
from tests.browser.tables import Service, Table

pytestmark = pytest.mark.browser

WALL = {"width": 1920, "height": 1080}
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
    tables, ailing = page.locator(".hall-table"), page.locator(".hall-ailing")
    mine = tables.filter(has=page.locator("a[href^='/tv/']"))
    others = tables.filter(has=page.locator(f"a[href^='{there.url}/tv/']"))
    expect(mine).to_have_count(2)
    expect(others).to_have_count(2)
    expect(ailing.locator("li")).to_have_count(1)
    expect(ailing).to_contain_text("voltage")
    expect(others.filter(has_text="1 hr 35 min")).to_have_count(1)
    turn = first.view["seats"][first.view["ask"]["seat"]]["name"]
    expect(mine.filter(has_text="Jenseits").locator(".hall-turn")).to_contain_text(turn)

    phone = sit(second, second.seats[0], size=PHONE)
    phone.get_by_role("button", name="Menu").click()
    phone.get_by_role("button", name="Call for help").click()
    top = tables.first
    expect(top).to_have_class(re.compile("calls"))
    expect(top.locator("h2")).to_contain_text("Tutankhamun")
    expect(page.get_by_role("status").filter(has_text="1 table calls")).to_contain_text("Tutankhamun")
    expect(page).to_have_title(re.compile(r"^\(1\) All tables"))
    looked_at(page, "hall")
    assert not any(key in page.content() for key in (first.host, *first.seats, here.owner))
    top.get_by_role("button").click()
    expect(page.locator(".calls")).to_have_count(0)
    expect(page).to_have_title(re.compile("^All tables"))
    assert not called(here, second)
    second.press("close")
    expect(mine).to_have_count(1)

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
    assert (
        Table(there, {"table": first.id, "host": first.host, "seats": first.seats}).view["played"]
        == first.view["played"]
    )
    expect(others.filter(has_text="Jenseits")).to_be_visible()
    expect(mine).to_have_count(0)
    there.stop()
    expect(ailing).to_contain_text("has not answered")
    expect(others.filter(has_text="Jenseits")).to_be_visible()


@pytest.fixture
def fifty(tmp_path: Path) -> Iterator[tuple[Service, Pis]]:
    """A Pi that knows of fifty others."""
    others = Pis([pi(number) for number in range(1, 51)])
    (tmp_path / "fifty").mkdir()
    (tmp_path / "fifty" / "house.txt").write_text("\n".join(others.addresses))
    running = Service(tmp_path / "fifty").start()
    yield running, others
    running.stop()
    others.stop()


def test_fifty_tables_at_fifty_pis_are_seen_at_once_and_who_calls_before_all(
    fifty: tuple[Service, Pis], screen: Screen
) -> None:
    service, others = fifty
    page = screen(f"{service.url}/hall", ready=".hall-table", size=TABLET)
    tables = page.locator(".hall-table")
    expect(tables).to_have_count(50)
    assert beyond(page) == [0, 0], "nothing lies below the fold, or beside the screen"
    others.told[39] = pi(40, call=3)
    others.told[29] = pi(30, call=8)
    others.told[16] = pi(17, fault="brown_out")
    others.told[7] = pi(8, tables=0)
    newer = others.told[1].tables[0]
    others.told[1] = replace(pi(2, fault="melted"), tables=(replace(newer, now=replace(newer.now, box="atlantis")),))
    expect(page).to_have_title(re.compile(r"^\(2\)"))
    expect(page.get_by_role("status").filter(has_text="2 tables call")).to_have_text(re.compile("pi-30.*pi-40"))
    for nth, name in enumerate(("pi-30", "pi-40", "pi-2", "pi-17")):
        expect(tables.nth(nth).locator("h2 b")).to_have_text(name)
    expect(page.locator(".hall-ailing")).to_contain_text("voltage")
    expect(page.locator(".hall-ailing")).to_contain_text("melted")
    expect(tables.filter(has_text="atlantis")).to_have_count(1)
    expect(page.locator(".caption").last).to_contain_text("pi-8")
    for size in (TABLET, WALL, PHONE):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        look(page, "hall-of-fifty", str(size["width"]))
        assert all("in play for" in said for said in page.locator(".hall-table .caption").all_inner_texts())
        assert beyond(page)[1] == 0
    page.keyboard.press("End")
    expect(page.get_by_role("status").filter(has_text="2 tables call")).to_be_in_viewport()
    tables.locator("a").last.focus()
    expect(tables.locator("a").last).to_have_attribute("href", re.compile(f"^{others.addresses[-1]}/tv/"))


def beyond(page: Page) -> list[int]:
    """By how much the page is higher and wider than the screen."""
    found: list[int] = page.evaluate(
        "(({scrollHeight, clientHeight, scrollWidth, clientWidth}) =>"
        " [scrollHeight - clientHeight, scrollWidth - clientWidth])(document.documentElement)"
    )
    return found
