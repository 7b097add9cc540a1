"""What the pages say is in the words they are sent: at a table its game's too, where one is laid those to choose by."""

from __future__ import annotations

import re
from html import escape
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

import web_ui
from companion import games
from companion.game import Mode, scope_of
from companion.words import LANGUAGES, own, shelved
from tests.web.people import Asker, Browser, sit_down
from web_ui.booklet import booklet, plain_setup

STATIC = Path(web_ui.__file__).parent / "static"
SCRIPTS = sorted(file for file in STATIC.rglob("*.js") if "vendor" not in file.parts)
NAMED = re.compile(rf"""["'`]((?:ui|{"|".join(shelved())})\.[a-z0-9_.]+)["'`]""")
TABLES = pytest.mark.parametrize(
    ("box", "mode"), games.registered(), ids=["-".join(game) for game in games.registered()]
)


def sent(client: Browser, language: str, box: str | None = None, mode: Mode | None = None) -> dict[str, Any]:
    """The words of a page: of a table's, or of one that is about none."""
    at = f"/{box}/{mode}" if box else ""
    words: dict[str, Any] = client.get(f"/words/{language}{at}.json").json
    return words


def said_by(files: list[Path]) -> set[str]:
    """The keys that scripts say by name."""
    return {key for file in files for key in NAMED.findall(file.read_text(encoding="utf-8"))}


def board_of(scope: str) -> list[Path]:
    """The scripts of a board."""
    return sorted(games.boards().get(scope, STATIC / "boards" / scope).rglob("*.js"))


@TABLES
def test_a_board_says_only_what_its_page_is_sent(client: Browser, box: str, mode: Mode) -> None:
    scripts = board_of(scope_of(box, mode)[-1])
    assert scripts
    assert sorted(said_by(scripts) - sent(client, "en", box, mode).keys()) == []


def test_all_other_scripts_say_only_what_every_page_is_sent(client: Browser) -> None:
    scripts = [file for file in SCRIPTS if "boards" not in file.parts]
    assert sorted(said_by(scripts) - sent(client, "en").keys()) == []


@TABLES
def test_a_table_is_sent_its_own_words_and_no_other_games(client: Browser, box: str, mode: Mode) -> None:
    scopes = {key.split(".")[0] for key in sent(client, "fr", box, mode)} & set(shelved())
    assert scopes == set(scope_of(box, mode))


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_a_table_is_laid_everything_to_choose_has_its_words(client: Browser, language: str) -> None:
    words = sent(client, language)
    for name, mode in games.registered():
        kind = games.kind(games.box(name), mode)
        wanted = [f"name.{each}" for each in kind.randomizers] + [f"option.{each.name}" for each in kind.options]
        wanted += [f"value.{value}" for each in kind.options for value in each.values if isinstance(value, str)]
        assert f"{name}.title" in words
        assert [key for key in wanted if own(language, key, scope_of(name, mode)) not in words] == []


def test_what_no_page_says_is_not_sent(client: Browser) -> None:
    for words in (sent(client, "en"), sent(client, "en", "jenseits", "referee")):
        areas = {".".join(key.split(".")[:2]) for key in words}
        assert not areas & {
            "web.no_page",
            "core.stale",
            "cli.help",
            "jenseits.rules",
            "jenseits.rulings",
            "jenseits.bots",
        }
    assert not [key for key in sent(client, "en") if key.startswith("jenseits.page.")]


@pytest.mark.parametrize(
    "path", ["jenseits/nothing", "shaft/toolbox", "nothing/referee", "toolbox/toolbox", "jenseits", "/"]
)
def test_there_are_no_words_for_what_is_not_played(client: Browser, path: str) -> None:
    assert client.get(f"/words/en/{path}.json").status_code == 404


@pytest.mark.parametrize("page", ["table", "join", "luck"])
def test_a_page_about_a_table_names_the_words_it_needs(table: Asker, client: Browser, page: str) -> None:
    text = client.get(f"/{page}/{table.laid['table']}").text
    assert 'data-box="jenseits" data-mode="toolbox"' in text
    (address,) = re.findall(r'href="(/words/[^"]+)"', text)
    assert client.get(address).json["toolbox.log.draw"]


def test_a_refusal_names_things_as_its_table_does(app: Flask) -> None:
    table = sit_down(app, sources={"tokens": "table"})
    assert table.press("/moves", move={"type": "draw", "bag": "egypt", "count": 1}).status_code == 200
    refused = table.press("/outcome?lang=fr", outcome="book:egypt")
    assert refused.json["error"]["key"] == "toolbox.cannot_fall"
    assert "livre sur l’Égypte" in refused.json["error"]["message"]


def test_every_figure_of_a_booklet_is_called_by_a_word() -> None:
    """German nouns begin with a capital: what is still its key does not."""
    for name in games.names():
        box = games.box(name)
        parts = {part for figure in box.figures() for part in figure.key.split(".") if not part.isdigit()}
        page = booklet(box, plain_setup(box, 2), "de")
        called = {escape(part.replace("_", " ")) for part in parts if part}
        headed = re.findall(r"<(?:h3|th)>(.*?)</", page)
        assert headed
        assert not called & {each for whole in headed for each in whole.split(", ")}, name
