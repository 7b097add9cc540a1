"""Every page in every state, on a tablet and a phone, in both lights and four languages: to axe, and to the eye."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.browser.looks import found, keep, look, speak
from tests.browser.screens import PHONE, TABLET, Screen
from tests.browser.tables import STATES, Service, Table

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SIZES = {"tablet": TABLET, "phone": PHONE}
OTHERS = ("fr", "it", "de")
PAGES = {"past": "/past", "settings": "/settings", "certificate": "/certificate", "hall": "/hall"}
SHEETS = {"join": "Join with a phone", "mend": "Fix a mistake", "help": "Help"}
Laid = Callable[[str], Table]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One whose past tables fit in a picture."""
    running = Service(tmp_path_factory.mktemp("pictures")).start()
    yield running
    running.stop()


@pytest.fixture(scope="module")
def laid(service: Service) -> Laid:
    """A table in some state, played to there once: nothing is pressed here that would change it."""
    tables: dict[str, Table] = {}

    def so_far(state: str) -> Table:
        if state not in tables:
            tables[state] = STATES[state](service)
        return tables[state]

    return so_far


@pytest.mark.parametrize("named", SIZES)
def test_the_start(service: Service, screen: Screen, subtests: pytest.Subtests, named: str) -> None:
    page = screen(service.url, ready=".box-cover", size=SIZES[named])
    for language in ("en", *OTHERS):
        with subtests.test(language):
            speak(page, language, ready=".box-cover")
            page.locator(".box-cover").first.click()
            (look if language == "de" else keep)(page, "start", named, language)


@pytest.mark.parametrize("size", SIZES)
def test_the_other_pages(service: Service, laid: Laid, screen: Screen, size: str) -> None:
    laid("jenseits")
    for name, address in PAGES.items():
        look(screen(service.url + address, size=SIZES[size]), name, size)
    luck = screen(f"{service.url}/luck/{laid('jenseits').id}", ready=".luck-table", size=SIZES[size])
    look(luck, "luck", size)


@pytest.mark.parametrize("size", SIZES)
def test_the_sheets_over_a_table(laid: Laid, sit: Screen, size: str) -> None:
    table = laid("jenseits")
    page = sit(table, table.host, size=SIZES[size])
    for sheet, name in SHEETS.items():
        page.get_by_role("button", name=name).click()
        page.wait_for_selector("dialog[open]")
        look(page, "table", "sheet", sheet, size)
        page.keyboard.press("Escape")
        page.wait_for_selector("dialog[open]", state="detached")


def test_a_seats_own_phone_and_a_spectator(laid: Laid, sit: Screen) -> None:
    table = laid("jenseits_reporting")
    look(sit(table, table.seats[1], size=PHONE), "table", "seat", "phone")
    assert found(sit(table)) == []
