"""A page says a sentence as the service says it: counts, lists, people, a box's own words."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from companion import games
from companion.words import LANGUAGES, person, say
from tests.browser.screens import Screen
from tests.browser.tables import Service

pytestmark = pytest.mark.browser

SAID: list[tuple[str, dict[str, Any]]] = [
    ("ui.over.won", {"n": 1, "names": ["egypt"]}),
    ("ui.over.won", {"n": 3, "names": ["Ada", "{all}", "crete"]}),
    ("ui.dice.rolled", {"dice": ["egypt", "crete", "greece"]}),
    ("ui.over.won", {"n": 2, "names": ["Joueur 2", "Person 1"]}),
    ("ui.seats.act_for", {"name": "Robot 12"}),
    ("ui.seats.act_for", {"name": "Joueur 0"}),
    ("toolbox.log.draw", {"n": 2, "whose": "Giocatore 1", "bag": "Person 2"}),
    ("ui.bags.draw", {"n": 1, "left": ""}),
    ("ui.bags.draw", {"n": 0, "left": ""}),
    ("ui.dial.title", {}),
    ("toolbox.log.draw", {"n": 2, "whose": "Ada", "bag": "egypt"}),
    ("toolbox.log.dial", {"reads": 4}),
]
IN_PAGE = """async (said) => {
  const words = await import(document.querySelector("script[type=importmap]")
    ? JSON.parse(document.querySelector("script[type=importmap]").textContent).imports["/static/words.js"]
    : "/static/words.js");
  return said.map(([key, facts]) => words.say(key, facts));
}"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_says_it_as_the_service_does(service: Service, sit: Screen, language: str) -> None:
    assert "tomb_raiders" in games.names()  # its words are on the shelf
    table = service.lay("tomb_raiders", 2)
    page = sit(table, table.host, language=language)
    told = page.evaluate(IN_PAGE, SAID)
    scope = ("tomb_raiders", "toolbox")
    assert [each.replace("\u00a0", " ") for each in told] == [
        say(language, key, facts, scope).replace("\u00a0", " ") for key, facts in SAID
    ]


UNTYPED = ("Giocatore 1", "Person 2", "Robot 1", "Joueurs 4")
IN_LISTS = "[...document.querySelectorAll('.names li, .hall-seats li span')].map((each) => each.innerText.trim())"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_name_that_nobody_typed_is_read_in_the_language_of_the_screen(
    service: Service, sit: Screen, screen: Screen, language: str
) -> None:
    """In the first view, in what the stream changes of it, on the wall and in the lists of tables."""
    table = service.lay("jenseits", 4, names=UNTYPED).begun()
    names = [person(language, name) for name in UNTYPED]
    page = sit(table, table.host, language=language)
    for weeks in (3, 4):
        expect(page.locator(".seat-name")).to_have_text(names)
        table.move("advance", seat=1, weeks=weeks)
        expect(page.locator(".log li").first).to_contain_text(names[1])
    wall = screen(f"{service.url}/tv/{table.id}", language=language, ready=".tv-name")
    expect(wall.locator(".tv-name")).to_have_text(names)
    for place in ("", "hall"):
        wall.goto(f"{service.url}/{place}")
        expect(wall.locator("main")).to_contain_text(names[0])
        assert not set(UNTYPED[:3]) - set(names) & set(wall.evaluate(IN_LISTS))
