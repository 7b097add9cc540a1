"""What can be pressed keeps its place at every size: others play, the table reports, luck is told, the link is lost."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.browser.tables import Service
from tests.browser.taps import SIZES, WAYS, Walk, Way, shifted

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SAMPLE = [way for way in WAYS if (way.pace, way.source) == ("press", "companion")]
STEPS = 6


@pytest.mark.parametrize("way", SAMPLE, ids=str)
def test_nothing_that_is_pressed_is_moved_by_what_comes(service: Service, browser: Browser, way: Way) -> None:
    walks = [Walk(browser, size) for size in SIZES]
    try:
        assert shifted(way.lay(service), walks, steps=STEPS) == []
    finally:
        for walk in walks:
            walk.close()
