"""The owner's own figures on the tablet: tables of them, and a plan that is drawn."""

from __future__ import annotations

import json
import re
import tomllib

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.looks import look, speak
from tests.browser.screens import PHONE, Screen
from tests.browser.tables import Service
from tests.games.tomb_raiders.on_screen import laid as raiders
from tests.games.tomb_raiders.on_screen import settled

pytestmark = pytest.mark.browser
FINGER = 44


def figure(page: Page, key: str) -> Locator:
    return page.locator(f"#figure-{key.replace('.', '-')}")


def tool(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).click()


def unfold(page: Page, table: str) -> None:
    page.locator(f"#section-{table} .fold").click()


def taken_out(page: Page, box: str) -> str:
    """The file that the page offers."""
    answer = page.request.get(page.locator("a[download]").evaluate("(link) => link.href"))
    assert f'filename="{box}.toml"' in answer.headers["content-disposition"]
    return answer.text()


def test_a_figure_is_put_right_and_the_next_table_has_it(own_service: Service, screen: Screen) -> None:
    page = screen(own_service.url, ready=".shelf", owner=own_service)
    the_way_there(page)
    page.get_by_role("link", name=re.compile("Tutankhamun")).click()
    unfold(page, "values")
    save = page.get_by_role("button", name="Save", exact=True)
    falcon = figure(page, "values.falcon")
    falcon.fill("much")
    expect(page.locator("#figure-values-falcon-doubt")).to_have_text("a whole number is expected")
    expect(page.locator(".all-doubts li")).to_contain_text("What the cards are worth · falcon")
    expect(save).to_have_attribute("aria-disabled", "true")
    unfold(page, "layers")
    figure(page, "layers.5.chain").fill("2")
    expect(page.locator(".all-doubts li")).to_have_count(2)
    look(page, "boxes", "amiss")
    page.locator(".all-doubts").get_by_text("What the cards are worth · falcon").click()
    expect(falcon).to_be_focused()
    page.context.set_offline(True)
    falcon.fill("7")
    expect(page.locator(".figure-tools [role=status]")).to_contain_text("kept on this device")
    page.context.set_offline(False)
    page.reload()
    expect(page.locator(".all-doubts li")).to_have_text(["Layers · 5: 16 cards are expected, not 17"])
    unfold(page, "layers")
    figure(page, "layers.5.bracelet").fill("")
    expect(page.locator(".holds")).to_have_text("No errors.")
    page.keyboard.press("Control+z")
    expect(figure(page, "layers.5.bracelet")).to_have_value("1")
    page.keyboard.press("Control+y")
    expect(figure(page, "layers.5.bracelet")).to_have_value("")
    expect(page.locator(".holds")).to_have_text("No errors.")
    save.click()
    expect(page.locator(".figure-tools [role=status]")).to_contain_text("New tables use it")
    a_title_and_rulings(page, own_service)
    table = own_service.lay("tutankhamun", 2)
    record = own_service.call("GET", f"/api/tables/{table.id}/record", key=table.host)
    assert '"falcon":7' in json.dumps(record, separators=(",", ":"))
    file = taken_out(page, "tutankhamun")
    kept = tomllib.loads(file)
    assert kept["values"] == {"falcon": 7}
    assert "TUT-11" not in kept["rulings"]
    page.get_by_role("button", name="Reset everything").click()
    page.get_by_role("button", name="Lose all your figures? Press again").click()
    expect(page.locator(".figure-tools [role=status]")).to_contain_text("default figures")
    page.locator("input[type=file]").set_input_files(
        {"name": "tutankhamun.toml", "mimeType": "text/plain", "buffer": file.encode()}
    )
    expect(page.locator(".figure-tools [role=status]")).to_contain_text("imported")
    assert taken_out(page, "tutankhamun") == file
    unfold(page, "purse")
    page.get_by_role("button", name=re.compile("^2: Scarabs, rules")).click()
    expect(page.locator(".figure-tools [role=status]")).to_have_text("The rules state this (TUT-01).")


def the_way_there(page: Page) -> None:
    """From the first page, for its owner."""
    page.get_by_role("link", name="Your copies").click()
    page.wait_for_selector(".own-box")
    look(page, "boxes", "shelf")


def a_title_and_rulings(page: Page, service: Service) -> None:
    """They are put right as figures are; what the owner's own rulebook says is told as our ruling no more."""
    unfold(page, "title")
    figure(page, "title").fill("Tutankhamun, the third printing")
    unfold(page, "rulings")
    page.get_by_label(re.compile("^TUT-11")).click()
    expect(page.locator(".holds")).to_have_text("No errors.")
    look(page, "boxes", "rulings")
    tool(page, "Save")
    expect(page.locator(".figure-tools [role=status]")).to_contain_text("New tables use it")
    boxes = {each["id"]: each for each in service.call("GET", "/api/boxes")["boxes"]}
    assert boxes["tutankhamun"]["title"].endswith("third printing")
    told = service.call("GET", "/api/boxes/tutankhamun/rules?mode=referee")["headings"]
    ruled = {rule["id"] for heading in told for rule in heading["rules"] if rule["ruling"]}
    assert "TUT-11" not in ruled
    assert "TUT-15" in ruled


def test_a_plan_is_drawn_by_touch_and_says_what_it_lacks(own_service: Service, screen: Screen) -> None:
    page = screen(f"{own_service.url}/boxes#horus", ready=".fold", owner=own_service)
    unfold(page, "plan")
    wall = page.locator("[data-wall='13-14']")
    holds, doubts = page.locator(".plan-checks .holds"), page.locator(".plan-doubts li")
    expect(holds).to_have_count(3)
    look(page, "boxes", "plan")
    wall.focus()
    page.keyboard.press("Enter")
    expect(wall).to_have_attribute("aria-pressed", "true")
    tool(page, "Undo")
    expect(wall).to_have_attribute("aria-pressed", "false")
    for other in ("13-9", "14-10", "15-11", "16-12"):
        here, there = other.split("-")
        page.locator(f"[data-wall='{here}-{there}'], [data-wall='{there}-{here}']").click()
    expect(page.locator("[data-amiss='36']")).to_be_visible()
    expect(doubts.filter(has_text="no way leads from 13 to an entrance")).to_be_visible()
    for _ in range(4):
        tool(page, "Undo")
    expect(holds).to_have_count(3)
    tool(page, "Rock")
    page.locator("[data-square='13']").click()
    expect(doubts.filter(has_text="13 is missing")).to_be_visible()
    tool(page, "Numbers")
    page.locator("[data-square='0,6']").click()
    expect(doubts.filter(has_text="13 is missing")).to_be_visible()
    tool(page, "Corridor")
    page.locator("[data-square='A1']").click()
    expect(doubts.filter(has_text="a stretch has 6 squares, not 5")).to_be_visible()
    for _ in range(3):
        tool(page, "Undo")
    expect(holds).to_have_count(3)
    tool(page, "Mirror the plan")
    expect(holds).to_have_count(3)
    tool(page, "Save")
    expect(page.locator(".figure-tools [role=status]")).to_contain_text("New tables use it")
    told = {each["key"]: each["value"] for each in own_service.call("GET", "/api/boxes/horus")["figures"]}
    assert told["plan.grid.1"] == ["NE", "H4", "H3", "H2", "H1", "NW"]
    assert told["plan.corridor.left"] == ["T5", "T4", "T3", "T2", "T1", "NE"]
    speak(page, "de", ".fold")
    unfold(page, "plan")
    by_finger(screen(f"{own_service.url}/boxes#horus", ready=".fold", owner=own_service, size=PHONE))


def by_finger(phone: Page) -> None:
    """On a phone too each edge of a square holds a finger; what is drawn is taken back."""
    unfold(phone, "plan")
    look(phone, "boxes", "plan", "phone")
    wall = phone.locator("[data-wall='14-13']")
    wall.tap()
    expect(wall).to_have_attribute("aria-pressed", "true")
    box = wall.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= FINGER
    phone.get_by_role("button", name="Undo", exact=True).tap()
    expect(wall).to_have_attribute("aria-pressed", "false")


def test_what_a_copy_has_otherwise_is_told_at_the_table_and_noted(own_service: Service, screen: Screen) -> None:
    """A book of four points that no box here has, and a cell of the dial; then a third card in a real storage."""
    table = own_service.lay("jenseits", 2, mode="referee", sources={"default": "table"})
    table.deal(0)
    assert "another_kind" in table.view["ask"]["besides"]
    page = screen(table.address(), ready=".ask", owner=own_service, enters=(table, table.host), size=PHONE)
    page.get_by_text("Something else…").click()
    tool(page, "a card of another kind")
    for question, answer in (
        ("What kind of card is it?", "book"),
        ("Which site is it about?", "Crete"),
        ("Which city is it in?", "Rome"),
        ("How many points are on it?", "4"),
        ("How many weeks are on it?", "7"),
    ):
        expect(page.locator(".ask-line").first).to_have_text(question)
        if answer == "Rome":
            look(page, "table", "another-kind", "phone")
        page.locator(".outcomes").get_by_role("button", name=answer, exact=True).dblclick()
    expect(page.locator(".differences li")).to_have_text(["Research cards: book Crete Rome 4, 1 more"])
    assert table.view["board"]["open"][0]["weeks"] == 7
    while table.view["ask"]["kind"] == "chance":
        table.deal(next(outcome for outcome, weight in table.view["ask"]["odds"] if weight))
    table.correct("printed", part="dial.rows.1", figure="7", value=1)
    expect(page.locator(".differences li")).to_have_count(2)
    look(page, "table", "copy-otherwise", "phone")
    tool(page, "Save it for next time")
    expect(page.locator(".differences")).to_contain_text("Saved for the next table")
    figures = {each["key"]: each["value"] for each in own_service.call("GET", "/api/boxes/jenseits")["figures"]}
    assert figures["dial.rows.1.7"] == 1
    cards = [value for key, value in figures.items() if key.startswith("research.cards.")]
    assert {"kind": "book", "city": "rome", "weeks": 7, "copies": 1, "value": 4, "site": "crete"} in cards
    table = settled(raiders(own_service, options={"cards": "real"}))
    page = screen(table.address(), ready=".tr-real", owner=own_service, enters=(table, table.host))
    look(page, "table", "real-storage")
    tool(page, "Another card…")
    expect(page.locator(".ask-line").first).to_have_text("Which card is taken from storage?")
    page.get_by_text("Something else…").click()
    tool(page, "a card of another kind")
    for answer in ("general knowledge", "3", "9"):
        page.locator(".outcomes").get_by_role("button", name=answer, exact=True).dblclick()
    expect(page.locator(".differences li")).to_have_text(["Draw pile: general knowledge 3, 1 more"])
    assert max(marker["week"] for marker in table.view["board"]["track"]["markers"]) == 9
    tool(page, "Fix a mistake")
    page.get_by_label("What is different?").select_option(label="Something is printed differently")
    page.locator("dialog select").nth(1).select_option(label="museum 2")
    page.get_by_label("Which figure").get_by_role("button", name="points").click()
    page.get_by_label("What is printed").select_option(label="6")
    look(page, "table", "printed-otherwise")
    tool(page, "Correct")
    expect(page.locator(".differences li").last).to_have_text("Printed: museum 2, points → 6")
