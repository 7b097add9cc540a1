"""A page says a sentence as the service says it: counts, lists, people, a box's own words."""

from __future__ import annotations

from typing import Any

import pytest

from companion import games
from companion.words import LANGUAGES, say
from tests.browser.screens import Screen
from tests.browser.tables import Service

pytestmark = pytest.mark.browser

SAID: list[tuple[str, dict[str, Any]]] = [
    ("ui.over.won", {"n": 1, "names": ["egypt"]}),
    ("ui.over.won", {"n": 3, "names": ["Ada", "{all}", "crete"]}),
    ("ui.dice.rolled", {"dice": ["egypt", "crete", "greece"]}),
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
