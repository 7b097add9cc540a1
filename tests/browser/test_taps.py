"""A sample of what ``make soak`` does everywhere: two taps at each sort of place of a table, in some of its states."""

from __future__ import annotations

import itertools

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.looks import OF_LIGHT, found, lit
from tests.browser.tables import Service
from tests.browser.taps import WAYS, Walk, Way, states

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SIZES = "tablet", "phone", "upright"
SAMPLE = [way for way in WAYS if (way.pace, way.source) == ("flow", "companion")]
STEPS = 12


@pytest.mark.parametrize(("way", "size"), list(zip(SAMPLE, itertools.cycle(SIZES), strict=False)), ids=str)
def test_a_second_tap_does_nothing_else_at_any_place(service: Service, browser: Browser, way: Way, size: str) -> None:
    walk = Walk(browser, size)
    pale: list[list[object]] = []

    def look(page: Page, where: str) -> None:
        lit(page, "day")
        pale.extend([where, *violation] for violation in found(page, OF_LIGHT))

    try:
        for table in itertools.islice(states(way, service, steps=STEPS), 1, 2):
            walk.visit(table, str(way), depth=0, dense=False)
            walk.look = look
            look(walk.page, str(way))
    finally:
        walk.close()
    assert list(map(str, walk.faults)) == []
    assert pale == []
    assert walk.places > 10
