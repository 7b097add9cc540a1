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

pytestmark = pytest.mark.browser


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
    page = screen(f"{own_service.url}/boxes", ready=".own-box", owner=own_service)
    look(page, "boxes", "shelf")
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
    expect(page.locator(".holds")).to_have_text("Everything is right.")
    page.keyboard.press("Control+z")
    expect(figure(page, "layers.5.bracelet")).to_have_value("1")
    page.keyboard.press("Control+y")
    expect(figure(page, "layers.5.bracelet")).to_have_value("")
    expect(page.locator(".holds")).to_have_text("Everything is right.")
    save.click()
    expect(page.locator(".figure-tools [role=status]")).to_contain_text("New tables are laid with it")
    table = own_service.lay("tutankhamun", 2)
    record = own_service.call("GET", f"/api/tables/{table.id}/record", key=table.host)
    assert '"falcon":7' in json.dumps(record, separators=(",", ":"))
    file = taken_out(page, "tutankhamun")
    assert tomllib.loads(file)["values"] == {"falcon": 7}
    page.get_by_role("button", name="Back to the box’s own").click()
    page.get_by_role("button", name="Lose all your figures? Press again").click()
    expect(page.locator(".figure-tools [role=status]")).to_contain_text("as Digside comes")
    page.locator("input[type=file]").set_input_files(
        {"name": "tutankhamun.toml", "mimeType": "text/plain", "buffer": file.encode()}
    )
    expect(page.locator(".figure-tools [role=status]")).to_contain_text("brought in")
    assert taken_out(page, "tutankhamun") == file
    unfold(page, "purse")
    page.get_by_role("button", name=re.compile("^2: Scarabs, rules")).click()
    expect(page.locator(".figure-tools [role=status]")).to_have_text("The rules state this (TUT-01).")


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
    expect(page.locator(".figure-tools [role=status]")).to_contain_text("New tables are laid with it")
    told = {each["key"]: each["value"] for each in own_service.call("GET", "/api/boxes/horus")["figures"]}
    assert told["plan.grid.1"] == ["NE", "H4", "H3", "H2", "H1", "NW"]
    assert told["plan.corridor.left"] == ["T5", "T4", "T3", "T2", "T1", "NE"]
    speak(page, "de", ".fold")
    unfold(page, "plan")
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    look(page, "boxes", "plan", "phone")
