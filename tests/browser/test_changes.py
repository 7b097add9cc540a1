"""What the screens make of the changes that a stream tells them."""

from __future__ import annotations

import json
import random
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from companion.play.table import HOST
from companion.play.view import view_in_parts
from tests.browser.screens import Screen
from tests.browser.tables import Service
from tests.laws.play import WAYS, Presser
from web_ui.views import Tracked

pytestmark = pytest.mark.browser

FOLLOW = """async (games) => {
  const { Followed, canonical } = await import("/static/changes.js");
  return games.map((events) => {
    const followed = new Followed();
    const frozen = (value) => {
      if (value && typeof value === "object") Object.values(Object.freeze(value)).forEach(frozen);
    };
    return events.map((event) => {
      frozen(followed.take(event));
      return followed.version;
    }).concat(canonical(followed.view));
  });
}"""


def test_a_screen_makes_of_changes_what_the_service_shows(service: Service, page: Page) -> None:
    games, wanted = list[list[object]](), list[list[str]]()
    for way in WAYS:
        if not way.is_usual:
            continue
        table = way.table("flow")
        tracked = Tracked(table.seq, view_in_parts(table, HOST))
        events, versions = [tracked.since(None)], [tracked.version]
        for _ in Presser(table, random.Random(5)).go_on(60):
            events.append(tracked.goes_on(table.seq, view_in_parts(table, HOST)) or b"")
            versions.append(tracked.version)
        told = [json.loads(event.partition(b"data: ")[2]) for event in events]
        games.append([*told[:9], told[8], told[3], *told[9:]])  # two come once more
        seen = [f"{each.seq}-{each.sum}" for each in versions]
        whole = json.loads(tracked.whole()().partition(b"data: ")[2])["view"]
        sorted_text = json.dumps(whole, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        wanted.append([*seen[:9], seen[8], seen[8], *seen[9:], sorted_text])
    page.goto(service.url)
    assert page.evaluate(FOLLOW, games) == wanted


def test_a_page_that_has_drifted_asks_for_all_of_it(service: Service, sit: Screen) -> None:
    table = service.lay("jenseits", 2).begun().move("dial", knowledge=5)
    page, asked = sit(table, table.host), list[str]()

    def bend_the_first(route: Route) -> None:
        has = parse_qs(urlsplit(route.request.url).query, keep_blank_values=True)["changes"][0]
        asked.append(has)
        if len(asked) > 1:
            return route.continue_()
        seq, _, before = has.partition("-")
        patch = [{"op": "replace", "path": "/board/dial/knowledge", "value": 8}]
        bent = {"seq": int(seq) + 1, "sum": "0", "after": int(seq), "from": before, "patch": patch}
        return route.fulfill(body=f"id: {seq}\ndata: {json.dumps(bent)}\n\n", content_type="text/event-stream")

    page.route("**/stream*", bend_the_first)
    page.reload()
    expect(page.locator(".link.up")).to_be_visible()
    page.get_by_role("button", name="More knowledge").click()
    expect(page.locator(".knowledge-number")).to_have_text("6")
    assert (asked[0] != "", asked[1:]) == (True, [""])
