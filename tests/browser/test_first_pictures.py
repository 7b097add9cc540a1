"""The first picture of every table that can be laid: of each box, mode and source, for each number of seats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize

from companion import games
from tests.browser.looks import UNFILLED, UNMEANT
from tests.browser.screens import PHONE, TABLET, Screen
from tests.browser.tables import Service, Table

pytestmark = pytest.mark.browser

BOARD = ".board > *"
SHOWN = "(() => document.querySelector('main').textContent.trim().length)()"


def ways(box: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Each mode for each number of seats, for fewest and most with the table's luck too; each source; each option."""
    least, most = box["seats"]["min"], box["seats"]["max"]
    for mode in box["modes"]:
        for seats in range(least, most + 1):
            for source in ("companion", "table") if seats in (least, most) else ("companion",):
                yield {"mode": mode, "seats": seats, "sources": {"default": source}}
        for each in box["sources"]:
            if mode in each["modes"]:
                yield {"mode": mode, "seats": least, "sources": {each["randomizer"]: "table"}}
        for option in box["options"]:
            if mode in option["modes"]:
                for value in option["values"]:
                    if not isinstance(value, int) or isinstance(value, bool) or value < least:
                        yield {"mode": mode, "seats": least, "options": {option["name"]: value}}


def amiss(page: Page) -> list[str]:
    told: list[str] = page.evaluate(UNMEANT) + page.evaluate(UNFILLED)
    return told if page.evaluate(SHOWN) > 40 else [*told, "there is nothing on it"]


def opened(page: Page, address: str) -> None:
    page.goto(address)
    page.wait_for_selector(BOARD)


@pytest.mark.parametrize("name", games.names())
def test_each_table_opens_on_something_that_can_be_read(service: Service, screen: Screen, name: str) -> None:
    page = screen(service.url, ready=".shelf")
    wrongs: list[str] = []
    page.on("pageerror", lambda error: wrongs.append(str(error)))
    box = next(each for each in service.call("GET", "/api/boxes")["boxes"] if each["id"] == name)
    found: list[tuple[object, ...]] = []
    walls: set[str] = set()
    for way in ways(box):
        table: Table = service.lay(name, way.pop("seats"), **way)
        answer = page.request.post(f"{service.url}/api/tables/{table.id}/enter", data={"key": table.host})
        assert answer.ok
        for size in (TABLET, PHONE):
            page.set_viewport_size(ViewportSize(width=size["width"], height=size["height"]))
            if size is TABLET:
                opened(page, table.address())
            found += [(way, size["width"], each) for each in amiss(page)]
        if way["mode"] not in walls:
            walls.add(way["mode"])
            opened(page, f"{service.url}/tv/{table.id}")
            found += [(way, "wall", each) for each in amiss(page)]
    assert found == []
    assert wrongs == []
