"""What can be pressed keeps its place at every size: others play, the table reports, luck is told, the link is lost."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.tables import Service
from tests.browser.taps import SIZES, WAYS, Walk, Way, legal, stepped

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SAMPLE = [way for way in WAYS if (way.pace, way.source) == ("press", "companion")]
STEPS = 6
Places = dict[str, list[int]]


def moved(before: Places, after: Places) -> list[tuple[str, list[int], list[int]]]:
    """What begins elsewhere than it did, by more than the width of a line."""
    both = before.keys() & after.keys()
    far = [it for it in both if max(abs(before[it][i] - after[it][i]) for i in (0, 1)) > 1]
    return [(it, before[it], after[it]) for it in sorted(far)]


@pytest.mark.parametrize("way", SAMPLE, ids=str)
def test_nothing_that_is_pressed_is_moved_by_what_comes(service: Service, browser: Browser, way: Way) -> None:
    """Markers and mummies walk, and are not counted; nor is what is new or gone."""
    table, luck = way.lay(service), random.Random(12)
    walks = [Walk(browser, size) for size in SIZES]
    stood: dict[str, Places] = {}
    shifts: list[tuple[Any, ...]] = []
    try:
        for walk in walks:
            walk.role = "host"
            walk.come(table)
        for step in range(STEPS):
            view = table.view
            if step and not view["over"]:
                stepped(table, view, legal(table) if view["ask"]["kind"] == "move" else [], luck)
            for walk in walks:
                walk.seen(table.view["seq"])
                now: Places = walk.page.evaluate("taps.stands()")
                assert len(now) > 5
                shifts += [(walk.size, step, *each) for each in moved(stood.get(walk.size, now), now)]
                stood[walk.size] = now
        for walk in walks:
            walk.page.evaluate("taps.cut(true)")
            walk.page.wait_for_selector(".banner")
            lost: Places = walk.page.evaluate("taps.stands()")
            walk.page.evaluate("taps.cut(false)")
            shifts += [(walk.size, "lost", *each) for each in moved(stood[walk.size], lost)]
            walk.page.wait_for_selector(".banner", state="detached")
            again: Places = walk.page.evaluate("taps.stands()")
            shifts += [(walk.size, "again", *each) for each in moved(stood[walk.size], again)]
    finally:
        for walk in walks:
            walk.close()
    assert "\n".join(map(str, shifts)) == ""
