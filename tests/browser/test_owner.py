"""The owner's pages, with fingers and with keys: who may lay tables, the computer, its backups."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.looks import keep, look, settle, speak
from tests.browser.screens import PHONE, TABLET, UPRIGHT, Screen
from tests.browser.tables import Service

pytestmark = pytest.mark.browser

HEADINGS = {"de": "Sicherungen", "fr": "Sauvegardes", "it": "Backup"}


def reach(page: Page, name: str) -> None:
    """Go on with the tab key until a thing of this name has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        said = "document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent"
        if page.evaluate(said).strip().startswith(name):
            return
    raise AssertionError(f"no key leads to {name}")


def test_an_owner_uses_keys_alone_and_a_guest_is_told_whose_it_is(own_service: Service, screen: Screen) -> None:
    guest = screen(f"{own_service.url}/machine", ready=".notice", size=PHONE)
    expect(guest.locator("main")).not_to_contain_text("Backups")
    page = screen(f"{own_service.url}/owner#{own_service.owner}", ready=".owner-card .lead")
    assert own_service.owner not in page.url
    page.goto(f"{own_service.url}/settings")
    page.wait_for_selector(".owner-tools")
    may = page.get_by_role("group", name="Guests can start games")
    reach(page, "Sign out all other owner devices")
    while not may.evaluate("(group) => group.contains(document.activeElement)"):
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    expect(may.get_by_role("button", name="No")).to_have_attribute("aria-pressed", "true")
    guest.goto(own_service.url)
    guest.get_by_role("button", name="The Pyramid of Horus").tap()
    expect(guest.locator("main")).to_contain_text("Only the owner starts games")
    reach(page, "Sign out all other owner devices")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    assert own_service.call("GET", "/api/owner", key=own_service.owner)["owner"], "one press alone turns nobody out"


def test_a_backup_is_made_taken_brought_and_put_back(own_service: Service, screen: Screen, tmp_path: Path) -> None:
    own_service.lay("horus", 2)
    page = screen(f"{own_service.url}/machine", ready=".backups", owner=own_service)
    expect(page.locator(".backups")).to_contain_text("None yet")
    reach(page, "Back up now")
    page.keyboard.press("Enter")
    expect(page.locator(".backup-list li")).to_have_count(1)
    with page.expect_download() as coming:
        page.get_by_role("link", name="Download the backup").click()
    file = tmp_path / "taken.zip"
    coming.value.save_as(file)

    own_service.lay("horus", 3)
    page.locator(".backups input[type=file]").set_input_files(file)
    expect(page.locator(".backups")).to_contain_text("Uploaded, with 1 table")
    expect(page.locator(".backup-list li")).to_have_count(2)
    back = page.locator(".backup-list li").first.get_by_role("button")
    for size in (TABLET, UPRIGHT, PHONE):
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        settle(page)
        assert all(each.bounding_box()["height"] >= 47.5 for each in page.locator(".backups .button").all())  # type: ignore[index]
        look(page, "machine", str(size["width"]))
    page.set_viewport_size(TABLET)  # type: ignore[arg-type]
    back.click()
    expect(back).to_have_text("Press again")
    assert own_service.call("GET", "/api/machine", key=own_service.owner)["put_back"] is None
    back.click()
    expect(page.locator(".backups .notice")).to_contain_text("when Digside starts next")
    own_service.stop()
    own_service.start()
    page.reload()
    expect(page.locator(".backups .notice")).to_contain_text("a backup was restored, with 1 table")
    assert len(own_service.call("GET", "/api/tables")["tables"]) == 1
    for language, heading in HEADINGS.items():
        speak(page, language, ".backups")
        expect(page.locator(".backups h2")).to_have_text(heading)
        keep(page, "machine", language)


def test_a_backup_that_lacks_a_damaged_table_names_it(own_service: Service, screen: Screen) -> None:
    sick, _ = own_service.lay("horus", 2), own_service.lay("horus", 3)
    own_service.stop()
    with closing(sqlite3.connect(own_service._data / "digside.sqlite")) as db:
        db.execute("UPDATE tables SET laid = substr(laid, 2) WHERE id = ?", (sick.id,))
        db.commit()
    own_service.start()
    page = screen(f"{own_service.url}/machine", ready=".backups", owner=own_service)
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    page.get_by_role("button", name="Back up now").click()
    expect(page.locator(".backups [role=status]").last).to_contain_text(f"It lacks {sick.id}")
    expect(page.locator(".backup-list li")).to_contain_text(f"without {sick.id}: damaged")
    look(page, "machine", "lacks")


def test_a_file_that_is_no_backup_is_refused_in_plain_words(
    own_service: Service, screen: Screen, tmp_path: Path
) -> None:
    wrong = tmp_path / "holiday.zip"
    wrong.write_bytes(b"a picture of the sea" * 4000)
    page = screen(f"{own_service.url}/machine", ready=".backups", owner=own_service, size=PHONE)
    page.locator(".backups input[type=file]").set_input_files(wrong)
    expect(page.get_by_role("alert")).to_contain_text("not a file with tables of Digside")
    expect(page.get_by_role("button", name="Back up now")).to_be_enabled()


def test_a_house_is_told_and_an_address_is_tried_on_a_phone(own_service: Service, screen: Screen) -> None:
    """The broker with its devices and blueprints; a webhook with its secret, which is shown once."""
    page = screen(f"{own_service.url}/machine", ready=".webhooks", owner=own_service, size=PHONE)
    page.get_by_label("Address of the broker").fill("mqtt://127.0.0.1:9")
    expect(page.get_by_label("Devices")).to_have_value("here")
    page.get_by_role("button", name="Publish to this broker").tap()
    link = page.get_by_role("link", name="somebody_calls.yaml")
    expect(link).to_be_visible()
    assert "A table calls for help" in page.request.get(own_service.url + str(link.get_attribute("href"))).text()
    page.get_by_role("button", name="Add an address").tap()
    page.get_by_label("Address", exact=True).fill("http://127.0.0.1:9/a-long-topic-that-nobody-guesses-7f3kq2")
    page.get_by_role("group", name="What is sent").get_by_role("button", name="Call").tap()
    page.get_by_role("button", name="with a new secret").tap()
    for size in (TABLET, UPRIGHT, PHONE):
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        settle(page)
        low = [each.text_content() for each in page.locator(".webhooks .button").all() if low_or_cut(each)]
        assert not low, low
        look(page, "webhooks", str(size["width"]))
    page.get_by_role("button", name="Save").tap()
    secret = page.locator(".webhooks .notice code").text_content()
    assert secret is not None
    assert len(secret) == 32
    page.get_by_role("button", name="Send a test").tap()
    expect(page.locator(".hook-tries summary")).to_contain_text("Test: not reached: Connection refused")
    expect(page.locator(".hook-said")).to_contain_text("Turn, End, Shovel fault · signed")
    look(page, "webhooks", "tried")
    page.reload()
    page.wait_for_selector(".hook-said")
    expect(page.locator("main")).not_to_contain_text(secret)
    for language in HEADINGS:
        speak(page, language, ".hook-said")
        page.locator(".webhooks > .owner-tools .button").tap()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], language
        keep(page, "webhooks", language)


def low_or_cut(button: Locator) -> bool:
    """Whether a finger could miss it, or its word does not fit."""
    box = button.bounding_box()
    return box is None or box["height"] < 47.5 or button.evaluate("(each) => each.scrollWidth > each.clientWidth + 1")
