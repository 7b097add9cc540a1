"""Tutankhamun dug with the shovel: the page through a lift, and out of its middle."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.bench import Bench
from tests.browser.looks import also_upright, found, keep
from tests.browser.screens import PHONE, TABLET, Screen
from tests.browser.tables import Service
from tests.games.tutankhamun.trays import depth, dig, dug, in_a_turn, lifting, square

pytestmark = pytest.mark.browser

STEADY_MS = 900
WATCH_STEPS = """() => {
  window.steps = [];
  const look = () => window.steps.push(document.querySelector(".tut-steps .now")?.textContent);
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""


def test_a_lift_fails_and_is_tried_again(own_service: Service, sit: Screen) -> None:
    table = dig(own_service)
    page = sit(table, table.host)
    square(page, "a1").click()  # a simulated shovel is not used unless the host wants it
    expect(page.get_by_role("button", name="Lift the card")).to_be_visible()
    page.get_by_role("button", name="Use the simulated shovel").click()
    played = table.view["played"]
    page.evaluate(WATCH_STEPS)
    square(page, "b2").click()
    page.get_by_role("button", name="Lift with the shovel").click()
    expect(page.locator(".lift-told")).to_contain_text("nothing was lifted")
    expect(page.locator(".lift-told")).to_contain_text("It cost nothing.")
    assert "Pump" in page.evaluate("window.steps")
    assert table.view["played"] == played
    own_service.call("POST", f"/api/rig/world?table={table.id}", {"do": "card"}, table.host)
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".tut-steps .now")).to_have_text("Held")
    expect(page.get_by_role("button", name="Cup on the card")).to_have_attribute("aria-pressed", "true")
    assert depth(table, "b2") == 6
    let_go(page)
    expect(page.locator(".tut-lifting.tut-bar")).to_have_count(0)
    expect(page.locator(".tray-square.fresh")).to_have_count(1)
    assert depth(table, "b2") == 5
    assert [line["what"].get("type") for line in table.view["log"]].count("dig") == 1


def steadily(button: Locator) -> None:
    """Press until it is taken: a button that is new takes no second tap of the finger that brought it."""
    expect(button).to_be_visible()
    button.page.wait_for_timeout(STEADY_MS)
    button.click()


def let_go(page: Page) -> None:
    steadily(page.get_by_role("button", name="Let go", exact=True))


@pytest.fixture
def bench(rig_service: Service) -> Bench:
    """A tray that is dug with the simulated shovel."""
    return Bench(rig_service, dig(rig_service)).take().tidy()


@pytest.mark.parametrize("way_out", ["STOP", "Not this one", "undo"])
def test_every_way_out_of_the_middle_leaves_the_pump_off(bench: Bench, sit: Screen, way_out: str) -> None:
    table = bench.table.move("scarab")
    page, onlooker = sit(table, table.host), sit(table)
    bench.poke("card")
    lifting(page)
    expect(page.locator(".tut-steps .now")).to_have_text("Held")
    if way_out == "STOP":  # anybody may
        onlooker.get_by_role("button", name="Stop the shovel at once").click()
    elif way_out == "undo":
        steadily(page.get_by_role("button", name="Undo"))
    else:
        steadily(page.get_by_role("button", name="Not this one"))
    expect(page.locator(".tut-lifting.tut-bar")).to_have_count(0)
    expect(page.locator(".shovel-state")).to_contain_text("off")
    assert (bench.state["waiting"], bench.shovel["pump"], depth(table, "b2")) == (None, False, 6)


@pytest.mark.parametrize("who", ["person", "sensor"])
def test_a_doubt_that_is_settled_lets_the_lift_go_on(patient_service: Service, sit: Screen, who: str) -> None:
    bench = Bench(patient_service, dig(patient_service)).take().tidy().poke("card")
    page = sit(bench.table, bench.table.host)
    lifting(page)
    button = page.get_by_role("button", name="Let go", exact=True)
    expect(button).to_be_visible()
    bench.poke("no_card")
    still_there = page.get_by_role("button", name="It is still there")
    expect(still_there).to_be_visible()
    expect(button).to_have_count(0)
    if who == "person":
        steadily(still_there)
    else:
        bench.poke("card")
    let_go(page)
    expect(page.locator(".tray-square.fresh")).to_have_count(1)
    assert depth(bench.table, "b2") == 5


def test_the_seat_that_lifts_lets_go_on_its_own_phone(bench: Bench, sit: Screen) -> None:
    table = bench.poke("card").table
    phone = sit(table, table.seats[table.view["ask"]["seat"]], size=PHONE)
    lifting(phone, "c2")
    let_go(phone)
    expect(phone.locator(".tut-lifting.tut-bar")).to_have_count(0)
    assert depth(table, "c2") == 5


def test_with_a_faulty_shovel_people_lift_by_hand(bench: Bench, sit: Screen) -> None:
    page = sit(bench.table, bench.table.host)
    lifting(page)
    bench.poke("unplug")
    expect(page.locator(".lift-told")).to_contain_text("lift by hand")
    page.get_by_role("button", name="Lift the card").click()
    expect(page.locator(".tray-square.fresh")).to_have_count(1)
    assert depth(bench.table, "b2") == 5


def test_the_host_lifts_by_hand_again(bench: Bench, sit: Screen) -> None:
    page = sit(bench.table, bench.table.host)
    page.get_by_role("button", name="Lift by hand").click()
    square(page, "b2").click()
    page.get_by_role("button", name="Lift the card").click()
    expect(page.locator(".tray-square.fresh")).to_have_count(1)
    assert depth(bench.table, "b2") == 5


def test_a_second_tap_on_the_same_spot_does_nothing(bench: Bench, sit: Screen) -> None:
    table = bench.poke("card").table
    phone = sit(table, table.host, size=PHONE)
    square(phone, "b2").click()
    spot = phone.get_by_role("button", name="Lift with the shovel").bounding_box()
    assert spot is not None
    x, y = spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2
    for _ in range(4):
        phone.touchscreen.tap(x, y)
    bench.until(lambda shovel: shovel["state"] == "holding")
    phone.touchscreen.tap(x, y)
    assert bench.state["waiting"]["state"] == "held"
    let_go(phone)
    bench.until(lambda shovel: shovel["state"] == "off")


def test_a_hands_lift_is_put_down_where_it_is_in_the_way(bench: Bench, sit: Screen) -> None:
    table = bench.table
    page = sit(table, table.host)
    bench.holding()
    expect(page.locator(".tut-bar .lift.held")).to_be_visible()
    let_go(page)
    bench.at_rest()
    assert (depth(table, "b2"), bench.state["ended"]) == (6, None)


def test_a_lift_looks_right_and_can_be_used_by_everybody(rig_service: Service, sit: Screen) -> None:
    table = in_a_turn(dug(rig_service, 8))
    Bench(rig_service, table).take().tidy().poke("card")
    squares = table.view["ask"]["options"]["squares"]
    pages = [sit(table, table.host, size=size, language=language) for size, language in ((TABLET, "en"), (PHONE, "de"))]
    lifting(pages[0], next(name for name, aid in squares.items() if aid["dig"]["legal"]))
    for page, name in zip(pages, ("tablet", "phone"), strict=True):
        expect(page.locator(".tut-lifting.held")).to_be_visible()
        assert found(page) == []
        keep(page, "table", "tutankhamun_lift", name)
    also_upright(pages[0], "table", "tutankhamun_lift")
