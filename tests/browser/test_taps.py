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
PLANTED = """async () => {
  const planted = document.createElement("section");
  planted.style.cssText = "position:fixed;z-index:99;left:0;bottom:0;display:flex;align-items:end;background:#fff";
  planted.innerHTML = '<button class="planted-dumb" style="width:48px;height:48px"></button>' +
    '<button class="planted">Keep it</button><button class="planted-look">Look</button>';
  const [, keep, look] = planted.children;
  keep.onclick = () => setTimeout(() => {
    Object.assign(keep, { textContent: "Throw it away", className: "planted stop", onclick: () => planted.remove() });
    look.style.marginLeft = "40px";
  }, 200);
  document.body.append(planted);
  await taps.warm();
}"""
"""What no page may have; what stops is kept from no finger."""


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
    assert list(map(str, [*walk.faults, *walk.shifts])) == []
    assert pale == []
    assert walk.places > 10


def test_a_walk_sees_what_does_something_else_what_moves_and_what_is_not_named(
    service: Service, browser: Browser
) -> None:
    walk, graves = Walk(browser, "tablet"), list[tuple[str, str, int, str, str]]()
    walk.look = lambda page, where: graves.extend(found(page, ["wcag2a"]))
    walk.role = "host"
    walk.come(service.lay("horus", 2))
    walk.page.evaluate(PLANTED)
    walk.over("planted", depth=0, dense=False)
    walk.close()
    assert {(fault.first, fault.gap, fault.second) for fault in walk.faults} == {("Keep it", 250, "Throw it away")}
    assert {(shift.pressed, name) for shift in walk.shifts for name, _, _ in shift.moved} == {
        ("Keep it", "BUTTON Look")
    }
    assert [(rule, where) for rule, _, _, where, _ in graves] == [("button-name", ".planted-dumb")]
