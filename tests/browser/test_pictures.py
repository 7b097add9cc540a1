"""Every page in every state, on a tablet and a phone, in both lights and four languages: to axe, and to the eye."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from tests.browser.conftest import PHONE, TABLET, Screen
from tests.browser.looks import found, keep, look
from tests.browser.tables import STATES, Service, Table

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SIZES = {"tablet": TABLET, "phone": PHONE}
LANGUAGES = ("en", "fr", "it", "de")
PAGES = {"past": "/past", "settings": "/settings", "certificate": "/certificate"}
TOLD_APART = ("jenseits_drawing", "horus", "tutankhamun")
SHEETS = {"join": "Join with a phone", "mend": "Put something right", "help": "Help"}
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


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("state", STATES)
def test_a_table(laid: Laid, sit: Screen, state: str, size: str) -> None:
    table = laid(state)
    look(sit(table, table.host, size=SIZES[size]), "table", state, size)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_in_every_language(laid: Laid, sit: Screen, language: str) -> None:
    for state in TOLD_APART:
        table = laid(state)
        page = sit(table, table.host, language=language)
        keep(page, "table", state, "tablet", language)
        page = sit(table, table.host, size=PHONE, language=language)
        keep(page, "table", state, "phone", language)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_start(service: Service, screen: Screen, language: str, size: str) -> None:
    page = screen(service.url, ready=".box-cover", size=SIZES[size], language=language)
    page.locator(".box-cover").first.click()
    look(page, "start", size, language)


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
