"""What a game offers beside its rules: a keepsake of the end, and what its corrections can say."""

from __future__ import annotations

import io
from typing import Any

import pytest
from flask import Flask
from PIL import Image

from companion import games
from companion.words import LANGUAGES
from tests.web.people import Asker, sit_down

REFEREED = {"mode": "referee"}
GAMES = [("jenseits", "referee"), ("jenseits", "toolbox"), ("tomb_raiders", "toolbox"), ("horus", "toolbox"),
         ("tutankhamun", "referee"), ("tutankhamun", "toolbox")]  # fmt: skip


@pytest.fixture
def refereed(app: Flask) -> Asker:
    """The host at a refereed table."""
    return sit_down(app, **REFEREED)


@pytest.mark.parametrize("box", [box for box, mode in games.registered() if mode == "referee"])
def test_a_finished_table_has_a_picture_in_any_language(app: Flask, box: str) -> None:
    finished = sit_down(app, box=box, **REFEREED)
    assert finished.press("/close").status_code == 200
    pictures = set()
    for language in LANGUAGES[:2]:  # in all of them they have room: tests/laws/test_keepsakes.py
        answer = finished.spectator.get(f"/keepsake.png?lang={language}")
        assert (answer.status_code, answer.mimetype) == (200, "image/png")
        assert Image.open(io.BytesIO(answer.data)).size == (2480, 1748)
        pictures.add(answer.data)
    assert len(pictures) == 2


def test_a_picture_is_drawn_once(refereed: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    pictures = iter([b"the first", b"another"])
    monkeypatch.setattr("companion.keepsake.sheet.keepsake", lambda *_: next(pictures))
    refereed.press("/close")
    assert {refereed.get("/keepsake.png?lang=it").data for _ in range(3)} == {b"the first"}


def test_there_is_no_keepsake_before_the_end(refereed: Asker) -> None:
    answer = refereed.get("/keepsake.png?lang=en")
    assert answer.status_code == 404
    assert answer.json["error"]["message"] == "There is a keepsake once the game is over."


def test_a_game_that_draws_none_says_so(table: Asker) -> None:
    table.press("/close")
    answer = table.get("/keepsake.png?lang=de")
    assert answer.status_code == 404
    assert answer.json["error"]["message"] == "Dieses Spiel zeichnet kein Andenken."


@pytest.mark.parametrize(("box", "mode"), GAMES)
def test_what_a_correction_can_say_is_a_field_of_it(app: Flask, box: str, mode: str) -> None:
    told = sit_down(app, box=box, mode=mode).get("/corrections").json
    fields = {form["properties"]["type"]["enum"][0]: set(form["properties"]) for form in told["corrections"]}
    assert told["tables"].keys() <= fields.keys()
    for kind, tables in told["tables"].items():
        for each in tables:
            assert set(each["fields"]) <= fields[kind]
            assert all(len(row) == len(each["fields"]) for row in each["rows"])


def test_every_card_and_token_that_is_told_can_be_put_where_it_is_told(app: Flask) -> None:
    for kind in ("token", "card"):
        host = sit_down(app, **REFEREED)
        there, goes, _ = host.get("/corrections").json["tables"][kind]
        assert there["fields"][:-1] == goes["fields"][:-1]
        for row in there["rows"][::17]:
            to = next(place for *thing, place in goes["rows"] if thing == row[:-1] and place != row[-1])
            correction = {"type": kind, **dict(zip(there["fields"], row, strict=True)), "to": to}
            answer = host.press("/correct", correction=correction)
            assert answer.status_code == 200, (correction, answer.text)
            assert host.press("/undo").status_code == 200


def test_what_can_be_said_follows_the_table(refereed: Asker) -> None:
    def places(token: str) -> list[Any]:
        rows = refereed.get("/corrections").json["tables"]["token"][0]["rows"]
        return [row[2] for row in rows if row[:2] == ["greece", token]]

    assert places("book:crete") == ["bag"]
    moved = {"type": "token", "site": "greece", "token": "book:crete", "from": "bag", "to": 1}
    assert refereed.press("/correct", correction=moved).status_code == 200
    assert places("book:crete") == [1]


def test_a_toolbox_offers_only_what_its_box_has(app: Flask) -> None:
    tables = sit_down(app, box="jenseits").get("/corrections").json["tables"]
    filled = {kind for kind, each in tables.items() if all(table["rows"] for table in each)}
    assert filled == {"marker", "token", "points", "printed"}


def test_nobody_learns_from_corrections_what_lies_in_a_pile(app: Flask) -> None:
    host = sit_down(app, box="tomb_raiders")
    pile = host.get("/moves").json["moves"]
    backs = next(move for move in pile if move["type"] == "add_back")
    for _ in range(3):
        assert host.press("/moves", move=backs).status_code == 200
    tables = host.get("/corrections").json["tables"]["token"]
    assert "bag" not in {value for table in tables for row in table["rows"] for value in row}
