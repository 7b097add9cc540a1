"""The link between screen and service: what is lost is said, nothing older is shown, all comes back by itself."""

from __future__ import annotations

import json
import re
from urllib.request import urlopen

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.relay import Relay
from tests.browser.screens import PHONE, Screen
from tests.browser.tables import Service, Table, jenseits_drawing

pytestmark = pytest.mark.browser

BACK_WITHIN = 15_000
STOP_WITHIN = 2_000  # milliseconds on a machine that also draws eight windows
KEPT_AT_MOST = 5  # three pages keep a line; others may just be looking in
KEEP_SHOWN = """() => {
  window.shown = [];
  new MutationObserver(() => {
    const number = Number(document.querySelector(".knowledge-number").textContent);
    if (number !== window.shown.at(-1)) window.shown.push(number);
  }).observe(document.getElementById("root"), { subtree: true, childList: true, characterData: true });
}"""


def opened_by_hand(relay: Relay, table: Table, screen: Screen) -> Page:
    """A screen whose time stands still, and goes on only when it is told to."""
    page = screen(f"{relay.url}/join/{table.id}#{table.host}", ready=".board > *")
    page.clock.install()
    page.reload()
    expect(page.locator(".link.up")).to_be_visible()
    page.clock.pause_at(page.evaluate("Date.now()") / 1000 + 1)
    return page


def silence(relay: Relay, page: Page) -> None:
    """Nothing comes any more, and what was on its way has come."""
    relay.silence()
    page.wait_for_timeout(300)


def age(page: Page) -> int:
    """How many seconds old the screen says its picture is."""
    return int(re.findall(r"\d+", page.locator(".banner").inner_text())[0])


def test_a_silent_link_is_told_within_two_seconds_and_caught_up_after(
    service: Service, relay: Relay, screen: Screen
) -> None:
    table = service.lay("jenseits", 2).begun()
    page = opened_by_hand(relay, table, screen)
    silence(relay, page)
    expect(page.locator(".banner")).to_have_count(0)
    page.clock.run_for(2_000)
    expect(page.locator(".banner")).to_contain_text(re.compile(r"[1-9]\d*\sseconds?\sago"))
    expect(page.get_by_role("button", name="More knowledge")).to_have_attribute("aria-disabled", "true")
    table.move("dial", knowledge=7)
    relay.back()
    page.clock.resume()
    expect(page.locator(".banner")).to_have_count(0, timeout=BACK_WITHIN)
    expect(page.locator(".knowledge-number")).to_have_text("7")
    expect(page.get_by_role("button", name="More knowledge")).not_to_have_attribute("aria-disabled", "true")


def test_the_picture_grows_older_while_the_link_is_silent(service: Service, relay: Relay, screen: Screen) -> None:
    page = opened_by_hand(relay, service.lay("horus", 2), screen)
    silence(relay, page)
    page.clock.run_for(2_000)
    before = age(page)
    expect(page.locator(".banner.late")).to_contain_text("Waiting for Digside")  # a busy service is told softly first
    expect(page.locator(".banner")).not_to_contain_text("Not connected")
    page.clock.run_for(5_000)
    expect(page.locator(".banner:not(.late)")).to_contain_text("Not connected")
    assert age(page) == before + 5
    page.clock.run_for(120_000)
    expect(page.locator(".banner")).to_contain_text("2 minutes ago")


@pytest.mark.parametrize("kill", [False, True], ids=["stopped", "killed"])
def test_a_service_that_restarts_under_open_screens_is_found_again(
    own_service: Service, sit: Screen, kill: bool
) -> None:
    table = own_service.lay("jenseits", 2).begun().move("dial", knowledge=3)
    host, phone = sit(table, table.host), sit(table, table.seats[1], size=PHONE)
    own_service.stop(kill=kill)
    for page in (host, phone):
        expect(page.locator(".banner")).to_be_visible(timeout=BACK_WITHIN)
    own_service.start()
    for page in (host, phone):
        expect(page.locator(".banner")).to_have_count(0, timeout=BACK_WITHIN)
    host.get_by_role("button", name="More knowledge").click()
    expect(phone.locator(".knowledge-number")).to_have_text("4")


def test_a_reload_in_the_middle_of_a_draw_goes_on_where_it_was(service: Service, sit: Screen) -> None:
    table = jenseits_drawing(service)
    page = sit(table, table.host)
    drawn = table.view["board"]["drawing"]["drawn"]
    page.reload()
    expect(page.locator(".cloth .token")).to_have_count(len(drawn))
    page.get_by_role("button", name=re.compile("^Reveal")).click()
    expect(page.locator(".cloth .token")).to_have_count(len(drawn) + 1)


def test_no_older_view_is_ever_shown_while_the_link_is_cut_again_and_again(
    service: Service, relay: Relay, screen: Screen
) -> None:
    table = service.lay("jenseits", 2).begun()
    page = screen(f"{relay.url}/join/{table.id}#{table.host}", ready=".board > *")
    page.evaluate(KEEP_SHOWN)
    for knowledge in range(1, 13):
        table.move("dial", knowledge=knowledge)
        if knowledge % 3 == 0:
            relay.cut()
        page.wait_for_timeout(60)
    expect(page.locator(".knowledge-number")).to_have_text("12", timeout=BACK_WITHIN)
    shown = page.evaluate("window.shown")
    assert shown == sorted(shown)


def test_an_older_view_that_comes_late_is_not_shown(service: Service, sit: Screen) -> None:
    table = service.lay("jenseits", 2).begun().move("dial", knowledge=5)
    page = sit(table, table.host)
    older = table.view
    newer = table.move("dial", knowledge=6).view
    told = [{"seq": view["seq"], "sum": "", "view": view} for view in (newer, older)]
    late = "".join(f"id: {each['seq']}\ndata: {json.dumps(each)}\n\n" for each in told)
    page.route("**/stream*", lambda route: route.fulfill(body=late, content_type="text/event-stream"))
    page.reload()
    expect(page.locator(".knowledge-number")).to_have_text("6")
    page.wait_for_timeout(1_000)  # the stream is read, ends, and is read again
    expect(page.locator(".knowledge-number")).to_have_text("6")


def test_a_table_that_is_no_longer_there_is_told_as_such(service: Service, sit: Screen) -> None:
    table = service.lay("horus", 2)
    page = sit(table, table.host)
    gone = {"error": {"code": "missing", "rule": None, "message": "There is no such table.", "key": "core.no_table"}}
    page.route("**/stream*", lambda route: route.fulfill(status=404, json=gone))
    page.reload()
    expect(page.locator(".banner")).to_have_text(re.compile(r"There is no such table\."))
    page.unroute("**/stream*")
    expect(page.locator(".banner")).to_have_count(0, timeout=BACK_WITHIN)


UNSEEN = """() => {
  Object.defineProperty(document, "hidden", { get: () => window.unseen, configurable: true });
  window.unseen = true;
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_a_page_that_nobody_sees_leaves_its_lines_to_others_and_catches_up_when_it_is_seen(
    service: Service, sit: Screen
) -> None:
    table = service.lay("jenseits", 2).begun()
    first = page = sit(table, table.host)
    for _ in range(3):
        page.evaluate(UNSEEN)
        expect(page.locator(".link.down")).to_be_visible()
        page = page.context.new_page()
        page.goto(table.address())
        page.wait_for_selector(".board > *")
    page.get_by_role("button", name="More knowledge").click()
    expect(page.locator(".knowledge-number")).to_have_text("1")
    assert knowledge_of(first) == "0"
    first.evaluate("() => { window.unseen = false; document.dispatchEvent(new Event('visibilitychange')); }")
    expect(first.locator(".knowledge-number")).to_have_text("1")
    expect(first.locator(".banner")).to_have_count(0)


def streams(service: Service) -> int:
    """How many live lines are open."""
    with urlopen(f"{service.url}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return int(float(next(line.split()[-1] for line in lines if line.startswith("digside_streams "))))


def test_many_windows_of_one_browser_leave_lines_for_presses_and_for_stop(own_service: Service, sit: Screen) -> None:
    table = own_service.lay("jenseits", 2).begun()
    pages = [sit(table, table.host)]
    while len(pages) < 8:  # all are seen at once, and a browser opens six lines to one service
        pages.append(pages[0].context.new_page())
        pages[-1].goto(table.address())
        pages[-1].wait_for_selector(".board > *")
    for number, page in enumerate(pages, 1):
        page.get_by_role("button", name="More knowledge").click()
        expect(pages[number % 8].locator(".knowledge-number")).to_have_text(str(number))
    for page in pages:
        expect(page.locator(".knowledge-number")).to_have_text("8")
        expect(page.locator(".banner")).to_have_count(0)
    took = pages[0].evaluate(
        """async () => { const began = performance.now();
          await fetch("/api/rig/shovel", { method: "POST", body: '{"do":"stop"}',
            headers: { "Content-Type": "application/json" } });
          return performance.now() - began; }"""
    )
    assert took < STOP_WITHIN
    assert streams(own_service) <= KEPT_AT_MOST


def knowledge_of(page: Page) -> str:
    return page.locator(".knowledge-number").text_content() or ""


def test_a_picture_that_may_be_out_of_date_says_since_when_until_it_is_not(service: Service, screen: Screen) -> None:
    """A process of a hall that is cut off from its database shows what it knows."""
    table = service.lay("jenseits", 2).begun()
    page = screen(service.url)
    held: list[Route] = []

    def behind(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"stale_since": 1_700_000_000_000})

    page.route(re.compile(rf"/api/tables/{table.id}$"), behind)
    page.route("**/stream?*", lambda route: held.append(route))  # noqa: PLW0108
    page.goto(f"{service.url}/table/{table.id}")
    page.wait_for_selector(".board > *")
    expect(page.locator(".banner")).to_contain_text("This may be out of date: since")
    page.unroute("**/stream?*")
    for route in held:
        route.continue_()
    expect(page.locator(".banner")).to_have_count(0)


KEPT = """async () => {
  const opened = await Promise.all((await caches.keys()).map((name) => caches.open(name)));
  const kept = await Promise.all(opened.map((each) => each.keys()));
  return kept.flat().map(({ url }) => new URL(url).pathname);
}"""


ANOTHER = """async (old) => {
  await (await navigator.serviceWorker.ready).update();
  const until = performance.now() + 15_000;
  const kept = () => caches.keys();
  const isDone = (names) => names.length === 1 && !old.includes(names[0]);
  while (!isDone(await kept()) && performance.now() < until)
    await new Promise((done) => setTimeout(done, 20));
  return kept();
}"""
"""The names of what is kept, once there is one, and not an old one."""


def test_a_page_opens_without_the_service_and_keeps_nothing_of_a_table(own_service: Service, sit: Screen) -> None:
    table = own_service.lay("horus", 2)
    page = sit(table, table.host)
    page.evaluate("navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)")
    kept = page.evaluate(KEPT)
    assert kept
    assert all(path == "/shell" or path.startswith("/static/") for path in kept)
    before = page.evaluate("caches.keys()")
    # Another language makes another page to keep, as a new version does.
    page.context.add_cookies([{"name": "language", "value": "de", "url": own_service.url}])
    (after,) = page.evaluate(ANOTHER, before)
    assert [after] != before
    assert page.evaluate(KEPT) == kept
    own_service.stop()
    page.goto(table.address())
    expect(page.get_by_role("heading", level=1)).to_have_text("Digside antwortet nicht")
    expect(page.locator("#where")).to_contain_text(f"/table/{table.id}")
    own_service.start()
    page.wait_for_selector(".board > *")
    assert page.evaluate(KEPT) == kept
