"""Tutankhamun on its page: dug, laid in secret, reported from a real tray, and lifted with the shovel."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, TABLET, Screen
from tests.browser.looks import found, keep
from tests.browser.looks import look as in_both_lights
from tests.browser.tables import Service, Table

pytestmark = pytest.mark.browser

SQUARES = [f"{column}{row}" for row in range(1, 5) for column in "abcd"]
EAVESDROP = """
  window.heard = [];
  const parse = JSON.parse, json = Response.prototype.json;
  JSON.parse = (text, ...more) => { window.heard.push(text); return parse(text, ...more); };
  Response.prototype.json = async function () {
    const text = await this.text();
    window.heard.push(text);
    return parse(text);
  };
"""
WATCH_STEPS = """() => {
  window.steps = [];
  const look = () => window.steps.push(document.querySelector(".tut-steps .now")?.textContent);
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
}"""
SIZE = "[document.documentElement.scrollWidth, document.documentElement.scrollHeight]"
CUT = """() => [...document.querySelectorAll("main button, .tut-square")].filter((each) => {
  const box = each.getBoundingClientRect();
  return box.width && (box.bottom > innerHeight || box.right > innerWidth || box.top < 0);
}).map((each) => each.textContent)"""
TOO_SMALL = """() => [...document.querySelectorAll("main button, main summary, dialog button, .tut-square")]
  .map((each) => [each.getAttribute("aria-label") ?? each.textContent, each.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && (box.height < 47.5 || box.width < 43.5))
  .map(([name, box]) => `${name} ${box.width} × ${box.height}`)"""
LAYOUTS = """() => {
  const found = [];
  const walk = (value) => {
    const words = Array.isArray(value) && value.every((each) => typeof each === "string");
    if (words && value.length === 16) found.push(value);
    if (value && typeof value === "object") Object.values(value).forEach(walk);
  };
  window.heard.forEach((text) => walk(JSON.parse(text)));
  return found;
}"""


def dig(service: Service, seats: int = 2, **options: object) -> Table:
    """A tray that is laid and turned, or real."""
    return service.lay("tutankhamun", seats, mode="referee", options=options).begun()


def dug(service: Service, digs: int, seats: int = 4, seed: int = 3, **options: object) -> Table:
    """A game in which some have dug and set barricades."""
    table, luck = dig(service, seats, **options), random.Random(seed)
    while digs and (view := table.view)["ask"]["kind"] == "move":
        aids, turn = view["ask"]["options"], view["board"]["turn"]
        if view["board"]["phase"] == "closing":
            free = [square for square, aid in aids["squares"].items() if aid["barricade"]["legal"]]
            table.move("barricade", square=luck.choice(free)) if free and luck.random() < 0.5 else table.move(
                "no_barricade"
            )
        elif turn["digs"] == 3:
            table.move("stop")
        else:
            open_ones = [square for square, aid in aids["squares"].items() if aid["dig"]["legal"]]
            table.move("dig", square=luck.choice(open_ones))
            digs -= 1
    return table


def in_a_turn(table: Table) -> Table:
    """Nobody is asked for a barricade."""
    return table.move("no_barricade") if table.view["board"]["phase"] == "closing" else table


def passed(table: Table) -> Table:
    """All who are still in pass, and the tray is turned up."""
    while (view := table.view)["ask"]["kind"] == "move":
        actions = view["ask"]["options"]["actions"]
        kind = next(kind for kind in ("pass", "stop", "no_barricade") if actions[kind]["legal"])
        table.move(kind)
    return table


def to_lay(service: Service, layer: int = 2) -> tuple[Table, list[str]]:
    """A tray whose layers are laid by hand, up to one that is due, and a legal way to lay that one."""
    table = service.lay("tutankhamun", 3, mode="referee", options={"tray": "laid"})
    for _ in range(layer - 1):
        table.move("deal")
    moves = service.call("GET", f"/api/tables/{table.id}/moves", key=table.host)["moves"]
    return table, next(move["cards"] for move in moves if move["type"] == "lay")


def square(page: Page, name: str) -> Any:
    return page.get_by_role("button", name=re.compile(f"^{name}: "))


def depth(table: Table, name: str) -> int:
    found_: int = next(each["depth"] for each in table.view["board"]["tray"]["squares"] if each["square"] == name)
    return found_


def look(page: Page) -> None:
    """Hold the button until the secret screen opens."""
    hold = page.get_by_role("button", name="Hold to look")
    hold.hover()
    page.mouse.down()
    page.wait_for_selector("dialog.tut-secret")
    page.mouse.up()


def lay(page: Page, cards: list[str]) -> None:
    """Tap each card, and then its square."""
    for at, card in enumerate(cards):
        page.locator(f"[data-card={card}]").click()
        page.locator(f"[data-at='{at}']").click()


# -- digging -----------------------------------------------------------------------------------------------------------


def test_a_dealt_game_is_played_to_its_end(service: Service, sit: Screen) -> None:
    table = service.lay("tutankhamun", 2, mode="referee")
    page = sit(table, table.host)
    page.get_by_role("button", name=re.compile("^Deal")).click()
    expect(page.locator(".tut-square")).to_have_count(16)
    for at in (0, 5, 10, 15, 5, 6):
        for _ in range(2):  # whoever was bitten, or has stopped, may set a barricade first
            finish = page.get_by_role("button", name="End without a barricade")
            if finish.is_visible():
                finish.click()
                expect(finish).to_have_count(0)
        before = table.view["board"]["cards_left"]
        square(page, SQUARES[at]).click()
        page.get_by_role("button", name="Lift the card").click()
        expect(page.locator(".tut-square.fresh")).to_have_count(1)
        expect(page.locator("main.busy")).to_have_count(0)
        assert table.view["board"]["cards_left"] == before - 1
    while table.view["ask"]["kind"] == "move":
        seq = table.view["seq"]
        stop, go = (
            page.get_by_role("button", name=re.compile("^Stop and keep")),
            page.get_by_role("button", name=re.compile("^(Pass for|Really|You cannot)")),
        )
        finish = page.get_by_role("button", name="End without a barricade")
        (finish if finish.is_visible() else stop if stop.is_visible() else go).click()
        if go.is_visible() and table.view["seq"] == seq:
            go.click()
        expect(page.locator("main.busy")).to_have_count(0)
    expect(page.locator(".tut-layer")).to_have_count(6)
    assert page.locator(".tut-found .tut-face").count() == 96
    expect(page.locator(".scores")).to_be_visible()


def test_a_card_is_lifted_with_the_keyboard_alone(service: Service, sit: Screen) -> None:
    table = dig(service)
    page = sit(table, table.host)
    square(page, "c3").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".tut-chosen")).to_contain_text("c3")
    page.keyboard.press("Enter")
    expect(page.locator(".tut-square.fresh")).to_have_count(1)
    assert depth(table, "c3") == 5


def test_a_square_says_why_it_cannot_be_dug(service: Service, sit: Screen) -> None:
    table = dig(service, 2).move("dig", square="a1")
    if table.view["board"]["phase"] == "digging":
        table.move("stop")
    owner = table.view["seats"][table.view["board"]["turn"]["seat"]]["name"]
    page = sit(table, table.host)
    square(page, "d4").click()
    page.get_by_role("button", name="Barricade on d4").click()
    expect(page.locator(".tut-pit .tut-planks")).to_have_count(1)
    square(page, "d4").click()
    expect(page.locator(".why-not")).to_contain_text(f"barricade until the next turn of {owner}")
    expect(page.get_by_role("button", name="Lift the card")).to_have_attribute("aria-disabled", "true")


def test_the_scarab_doubles_and_the_odds_are_only_told_where_they_were_asked_for(service: Service, sit: Screen) -> None:
    table = dig(service, odds=True)
    page = sit(table, table.host)
    page.get_by_role("button", name="Lay a scarab").click()
    page.get_by_role("button", name="Count double").click()
    expect(page.locator(".tut-doubled")).to_be_visible()
    square(page, "b1").click()
    expect(page.locator(".tut-odds")).to_contain_text("danger")
    silent = sit(other := dig(service), other.host)
    square(silent, "b1").click()
    expect(silent.locator(".tut-chosen")).to_be_visible()
    expect(silent.locator(".tut-odds")).to_have_count(0)


def test_the_deal_is_one_line_of_the_log(service: Service, sit: Screen) -> None:
    table = dig(service)
    page = sit(table, table.host)
    lines = page.locator(".log li")
    expect(lines.filter(has_text="deals the layers, unseen")).to_have_count(1)
    expect(lines.filter(has_text="card 3 of 16")).to_have_count(0)


def test_what_a_real_tray_shows_is_reported_with_one_touch(service: Service, sit: Screen) -> None:
    table = dig(service, tray="physical")
    page = sit(table, table.host)
    square(page, "b2").click()
    page.get_by_role("button", name="Lift the card").click()
    page.get_by_role("button", name="alabaster vase", exact=True).click()
    expect(page.locator(".tut-balance .good")).to_have_text("3")
    expect(square(page, "b2")).to_have_attribute("aria-label", re.compile("alabaster vase, 5 cards deep"))


# -- laying in secret --------------------------------------------------------------------------------------------------


def test_a_layer_is_laid_and_a_wrong_one_refused(service: Service, sit: Screen) -> None:
    table, cards = to_lay(service)
    head = cards.index("snake_head")
    loose = next(at for at, card in enumerate(cards) if card in {"pectoral", "bracelet", "chain", "falcon"})
    wrong = list(cards)
    wrong[head], wrong[loose] = wrong[loose], wrong[head]
    page = sit(table, table.host)
    look(page)
    lay(page, wrong)
    page.get_by_role("button", name="Lay this layer").click()
    expect(page.locator(".tut-wrong")).to_be_visible()
    expect(page.locator(".tut-cell.wrong")).to_have_count(1)
    assert table.view["board"]["laying"]["layer"] == 2
    for at in (head, loose):  # taken up again, both, and laid the other way round
        page.locator(f"[data-at='{at}']").drag_to(page.locator(".tut-hand"))
    for at in (head, loose):
        page.locator(f"[data-card={cards[at]}]").drag_to(page.locator(f"[data-at='{at}']"))
    page.get_by_role("button", name="Lay this layer").click()
    expect(page.locator("dialog.tut-secret")).to_have_count(0)
    expect(page.locator("h2", has_text="Hand the tablet to Carlo")).to_be_visible()
    assert table.view["board"]["laying"]["layer"] == 3


def test_the_hand_is_guided_along_a_line(service: Service, sit: Screen) -> None:
    table, _ = to_lay(service)
    page = sit(table, table.host)
    look(page)
    page.locator("[data-card=snake_head]").click()
    page.locator("[data-at='5']").click()
    expect(page.locator(".tut-cell.hint")).to_have_count(4)
    page.locator("[data-at='6']").click()
    expect(page.locator(".tut-cell.hint")).to_have_count(1)
    expect(page.get_by_role("button", name="d2: free, fits in line")).to_be_visible()


def test_a_layer_may_be_dealt_instead(service: Service, sit: Screen) -> None:
    table, _ = to_lay(service)
    page = sit(table, table.host)
    page.get_by_role("button", name="Deal it for me").click()
    expect(page.locator("h2", has_text="Hand the tablet to Carlo")).to_be_visible()
    assert table.view["board"]["layers"][1]["laid"]


def test_a_brush_of_the_finger_opens_nothing_and_covering_leaves_nothing(service: Service, sit: Screen) -> None:
    table, cards = to_lay(service)
    page = sit(table, table.host)
    page.get_by_role("button", name="Hold to look").click()
    page.wait_for_timeout(900)
    expect(page.locator("dialog.tut-secret")).to_have_count(0)
    look(page)
    lay(page, cards[:6])
    expect(page.locator(".tut-cell.full")).to_have_count(6)
    page.get_by_role("button", name="Cover").click()
    expect(page.locator(".tut-cell, [data-card]")).to_have_count(0)
    look(page)
    expect(page.locator(".tut-cell.full")).to_have_count(6)


@pytest.mark.parametrize("layer", [2, 5])
def test_a_layer_taken_back_shows_nobody_how_it_lay(service: Service, sit: Screen, layer: int) -> None:
    table, cards = to_lay(service, layer)
    page = sit(table, table.host)
    look(page)
    lay(page, cards)
    page.get_by_role("button", name="Lay this layer").click()
    expect(page.locator("dialog.tut-secret")).to_have_count(0)
    table.press("undo")
    expect(page.get_by_role("button", name="Hold to look")).to_be_visible()
    expect(page.locator("dialog.tut-secret")).to_have_count(0)
    look(page)
    expect(page.locator(".tut-cell.full")).to_have_count(0)


def test_nobody_else_sees_a_layer(service: Service, sit: Screen, screen: Screen) -> None:
    table, cards = to_lay(service)
    others = []
    for key in (None, table.seats[0], table.seats[2]):
        page = sit(table, key)
        page.context.add_init_script(EAVESDROP)
        page.goto(table.address())
        page.wait_for_selector(".board > *")
        expect(page.get_by_role("button", name="Hold to look")).to_have_count(0)
        others.append(page)
    own = sit(table, table.seats[1], size=PHONE)
    own.get_by_role("button", name="Hold to look").dispatch_event("click", {"detail": 0})
    own.wait_for_selector("dialog.tut-secret")
    lay(own, cards)
    own.get_by_role("button", name="Lay this layer").click()
    for page in others:
        expect(page.locator(".tut-strata .laid")).to_have_count(2)
        assert page.evaluate("window.heard.length") > 2
        assert page.evaluate(LAYOUTS) == []
        assert page.locator(".tut-cell, .tut-face").count() == 0
    for layer in (3, 4, 5):
        assert table.view["board"]["laying"]["layer"] == layer
        table.move("deal")
    table.begun()
    for page in others:
        expect(page.locator(".tut-square")).to_have_count(16)
        assert page.evaluate(LAYOUTS) == []
        assert json.dumps(cards, separators=(",", ":")) not in page.content()


# -- the shovel --------------------------------------------------------------------------------------------------------


def lifting(page: Page, name: str = "b2") -> None:
    square(page, name).click()
    page.get_by_role("button", name=re.compile("^(Lift with the shovel|Try again)$")).click()
    expect(page.locator(".tut-lifting.tut-bar")).to_be_visible()


def test_a_lift_fails_and_is_tried_again(own_service: Service, sit: Screen) -> None:
    table = dig(own_service)
    page = sit(table, table.host)
    square(page, "a1").click()  # a simulated shovel is not used unless the host wants it
    expect(page.get_by_role("button", name="Lift the card")).to_be_visible()
    page.get_by_role("button", name="Use the simulated shovel").click()
    seq = table.view["seq"]
    page.evaluate(WATCH_STEPS)
    square(page, "b2").click()
    page.get_by_role("button", name="Lift with the shovel").click()
    expect(page.locator(".tut-chosen .refusal")).to_contain_text("nothing was lifted", timeout=10_000)
    expect(page.locator(".tut-chosen .refusal")).to_contain_text("It has cost nothing.")
    assert "Pump" in page.evaluate("window.steps")
    assert table.view["seq"] == seq
    own_service.call("POST", f"/api/rig/world?table={table.id}", {"do": "card"}, table.host)
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".tut-steps .now")).to_have_text("Held", timeout=10_000)
    expect(page.get_by_role("button", name="Cup on the card")).to_have_attribute("aria-pressed", "true")
    assert depth(table, "b2") == 6
    page.get_by_role("button", name="Let go", exact=True).click()
    expect(page.locator(".tut-lifting.tut-bar")).to_have_count(0, timeout=10_000)
    expect(page.locator(".tut-square.fresh")).to_have_count(1)
    assert depth(table, "b2") == 5
    assert [line["what"].get("type") for line in table.view["log"]].count("dig") == 1


@pytest.mark.parametrize("way_out", ["STOP", "Not this one", "undo"])
def test_every_way_out_of_the_middle_leaves_the_pump_off(own_service: Service, sit: Screen, way_out: str) -> None:
    table = dig(own_service).move("scarab")
    own_service.call("POST", f"/api/tables/{table.id}/rig", {}, table.host)
    page = sit(table, table.host)
    onlooker = sit(table)
    own_service.call("POST", f"/api/rig/world?table={table.id}", {"do": "card"}, table.host)
    lifting(page)
    expect(page.locator(".tut-steps .now")).to_have_text("Held", timeout=10_000)
    if way_out == "STOP":  # anybody may
        onlooker.get_by_role("button", name="Stop the shovel at once").click()
    elif way_out == "undo":
        page.get_by_role("button", name="Take back").click()
    else:
        page.get_by_role("button", name="Not this one").click()
    expect(page.locator(".tut-lifting.tut-bar")).to_have_count(0)
    expect(page.locator(".shovel-state")).to_contain_text("off")
    rig = own_service.call("GET", "/api/rig")
    assert (rig["waiting"], rig["shovel"]["pump"], depth(table, "b2")) == (None, False, 6)


def test_the_seat_that_lifts_lets_go_on_its_own_phone(own_service: Service, sit: Screen) -> None:
    table = dig(own_service)
    own_service.call("POST", f"/api/tables/{table.id}/rig", {}, table.host)
    own_service.call("POST", f"/api/rig/world?table={table.id}", {"do": "card"}, table.host)
    phone = sit(table, table.seats[table.view["ask"]["seat"]], size=PHONE)
    lifting(phone, "c2")
    phone.get_by_role("button", name="Let go", exact=True).click(timeout=10_000)
    expect(phone.locator(".tut-lifting.tut-bar")).to_have_count(0, timeout=10_000)
    assert depth(table, "c2") == 5


def test_with_a_faulty_shovel_people_lift_by_hand(own_service: Service, sit: Screen) -> None:
    table = dig(own_service)
    own_service.call("POST", f"/api/tables/{table.id}/rig", {}, table.host)
    page = sit(table, table.host)
    lifting(page)
    own_service.call("POST", f"/api/rig/world?table={table.id}", {"do": "unplug"}, table.host)
    expect(page.locator(".tut-chosen .refusal")).to_contain_text("lift by hand", timeout=10_000)
    page.get_by_role("button", name="Lift the card").click()
    expect(page.locator(".tut-square.fresh")).to_have_count(1)
    assert depth(table, "b2") == 5


def test_the_host_lifts_by_hand_again(own_service: Service, sit: Screen) -> None:
    table = dig(own_service)
    own_service.call("POST", f"/api/tables/{table.id}/rig", {}, table.host)
    page = sit(table, table.host)
    page.get_by_role("button", name="Lift by hand").click()
    square(page, "b2").click()
    page.get_by_role("button", name="Lift the card").click()
    expect(page.locator(".tut-square.fresh")).to_have_count(1)
    assert depth(table, "b2") == 5


# -- how it looks, and whether everybody can use it --------------------------------------------------------------------


def laying_open(page: Page) -> None:
    look_quietly(page)
    for card, at in (("obelisk_base", 0), ("obelisk_middle", 1), ("obelisk_top", 2), ("snake_head", 4)):
        page.locator(f"[data-card={card}]").click()
        page.locator(f"[data-at='{at}']").click()


def look_quietly(page: Page) -> None:
    """As a screen reader presses, which cannot hold."""
    page.locator(".tut-hold").dispatch_event("click", {"detail": 0})
    page.wait_for_selector("dialog.tut-secret")


def choose(page: Page) -> None:
    page.locator(".tut-square.can").nth(5).click()
    page.wait_for_selector(".tut-bar.chosen")


SCENES: dict[str, tuple[Callable[[Service], Table], Callable[[Page], None]]] = {
    "dig": (lambda service: in_a_turn(dug(service, 26, odds=True)), choose),
    "six": (lambda service: dug(service, 40, seats=6, open_memory=True), lambda page: None),
    "closing": (lambda service: dig(service, 3).move("pass"), choose),
    "report": (lambda service: dig(service, 4, tray="physical").move("dig", square="b2"), lambda page: None),
    "cover": (lambda service: to_lay(service)[0], lambda page: None),
    "laying": (lambda service: to_lay(service)[0], laying_open),
    "end": (lambda service: passed(dug(service, 45, seats=3)), lambda page: None),
}


@pytest.mark.parametrize("scene", SCENES)
def test_everybody_can_use_it(service: Service, sit: Screen, scene: str) -> None:
    made, comes = SCENES[scene]
    table = made(service)
    for size in (TABLET, PHONE):
        page = sit(table, table.host, size=size)
        comes(page)
        assert page.evaluate(TOO_SMALL) == []
        if size is TABLET and scene not in {"cover", "laying"}:
            assert page.evaluate(SIZE) == [TABLET["width"], TABLET["height"]]  # nothing scrolls
            assert page.evaluate(CUT) == []
        in_both_lights(page, "table", f"tutankhamun_{scene}", "phone" if size is PHONE else "tablet")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["fr", "it", "de"])
@pytest.mark.parametrize("scene", SCENES)
def test_it_looks_right_in_every_language(service: Service, sit: Screen, scene: str, language: str) -> None:
    made, comes = SCENES[scene]
    table = made(service)
    for size in (TABLET, PHONE):
        page = sit(table, table.host, language=language, size=size)
        comes(page)
        assert "ui." not in page.locator("main").inner_text()
        keep(page, "table", f"tutankhamun_{scene}", "phone" if size is PHONE else "tablet", language)


def test_a_lift_looks_right_and_can_be_used_by_everybody(own_service: Service, sit: Screen) -> None:
    table = in_a_turn(dug(own_service, 8, seats=4))
    squares = table.view["ask"]["options"]["squares"]
    own_service.call("POST", f"/api/tables/{table.id}/rig", {}, table.host)
    own_service.call("POST", f"/api/rig/world?table={table.id}", {"do": "card"}, table.host)
    pages = [sit(table, table.host, size=size, language=language) for size, language in ((TABLET, "en"), (PHONE, "de"))]
    lifting(pages[0], next(name for name, aid in squares.items() if aid["dig"]["legal"]))
    for page, name in zip(pages, ("tablet", "phone"), strict=True):
        expect(page.locator(".tut-lifting.held")).to_be_visible(timeout=10_000)
        assert found(page) == []
        keep(page, "table", "tutankhamun_lift", name)
