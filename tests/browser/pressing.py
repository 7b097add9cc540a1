"""Whatever can be pressed at a table is pressed, at random; the page stays whole, and the record can be verified."""

from __future__ import annotations

import json
import random

from playwright.sync_api import Page, ViewportSize

from companion.play.proof import verify
from companion.play.record import decode
from tests.browser.screens import PHONE
from tests.browser.tables import Table

SIZES: tuple[ViewportSize, ...] = tuple(
    {"width": wide, "height": high} for wide, high in ((1280, 800), (800, 1280), (PHONE["width"], PHONE["height"]))
)
AT_HAND = ".board, .beside-tools, .more-tools, .ask, dialog[open]"
PRESS = """([luck, answers, atHand]) => {
  const top = document.querySelector("dialog[open]") ?? document.querySelector(".scene-player");
  const at = top ? [top] : [...document.querySelectorAll(atHand)];
  const all = new Set(at.flatMap((place) => [...place.querySelectorAll("button, [role=button], summary")]));
  const can = [...all].filter((each) => each.ariaDisabled !== "true" && each.getClientRects().length > 0
    && !each.closest(".stop-tools, .big-stop, .undo"));
  if (can.length === 0) return null;
  const asked = answers ? can.filter((each) => each.closest(top ? "header" : ".ask")) : [];
  const among = asked.length > 0 ? asked : can;
  const one = among[Math.floor(luck * among.length)];
  one.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  return one.ariaLabel || one.textContent.trim();
}"""
ANSWERED = 0.6
"""How often what is asked is answered, where something is; and how soon a sheet is closed again."""
STOP = """() => [...document.querySelectorAll(".stop")].every((each) => {
  const box = each.getBoundingClientRect();
  return box.width === 0 || (box.top >= 0 && box.bottom <= innerHeight && box.right <= innerWidth);
})"""
REPORTED = "() => document.querySelector('.understood button') !== null"
"""Whether a report is shown as it was understood: it counts by itself, if nothing else is touched meanwhile."""
IDLE = "() => !document.querySelector('main.busy')"


def pressed(page: Page, luck: random.Random, presses: int) -> list[str]:
    """Presses so many buttons that can be pressed, one after another; what they were called."""
    names = []
    for _ in range(presses):
        name = page.evaluate(PRESS, [luck.random(), luck.random() < ANSWERED, AT_HAND])
        assert name is not None, "nothing can be pressed"
        names.append(name)
        page.wait_for_function(IDLE)
        if page.evaluate(REPORTED) and luck.random() < ANSWERED:
            page.wait_for_function(f"() => !({REPORTED})()")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"it runs over the side: {name}"
        assert page.evaluate(STOP), f"STOP is off the screen: {name}"
        if page.viewport_size not in (None, PHONE):
            assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), f"a tablet scrolls: {name}"
    return names


def verified(table: Table) -> int:
    """Has the record of a table verified, to the last step; how many entries it has."""
    record = table.service.call("GET", f"/api/tables/{table.id}/record", key=table.host)
    proof = verify(decode(json.dumps(record).encode()))
    assert proof.fault in (None, "proof.no_secret"), proof
    return len(record["entries"])
