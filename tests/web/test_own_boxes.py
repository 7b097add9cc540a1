"""The owner's own figures over HTTP: who may, what is told, what is kept, and what is refused whole."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.play.hall import Hall
from tests.web.people import Asker, Browser, sit_down

TABLES = "/api/owner/boxes"
TRAY = f"{TABLES}/tutankhamun"


@pytest.fixture
def owner(app: Flask) -> Browser:
    """The owner's browser."""
    browser = Browser(app)
    assert browser.post("/api/owner/enter", json={"key": app.extensions["digside"].owner.key}).status_code == 200
    return browser


def edited(box: dict[str, Any], **values: int) -> dict[str, Any]:
    """The figures of a box with cards of another worth."""
    figures = copy.deepcopy(box["figures"])
    figures["values"] |= values
    return {"version": box["version"], "figures": figures}


def test_figures_are_their_owners_alone(client: Browser, table: Asker) -> None:
    key = {"Authorization": f"Bearer {table.laid['host']}"}
    for path in (TABLES, TRAY, f"{TRAY}/export.toml"):
        assert client.get(path).status_code == 401
        assert client.get(path, headers=key).status_code == 401
    assert client.post(f"{TRAY}/reset", json={"version": ""}).status_code == 401


def test_a_box_says_of_every_figure_what_it_may_be_and_where_it_is_from(owner: Browser) -> None:
    assert {each["state"] for each in owner.get(TABLES).json["boxes"]} == {"shipped"}
    box = owner.get(f"{TRAY}?lang=de").json
    fields = {field["name"]: field for field in box["shape"]["fields"]}
    assert fields["values"]["of"] == {"sort": "number", "least": -9999, "most": 9999}
    assert fields["layers"]["of"]["whole"] is True
    assert (box["words"]["layers"], box["names"]["mosquito"]) == ("Schichten", "Stechmücke")
    assert (box["origins"]["values"], box["rules"]["purse.pass_fee"]) == ("house", "TUT-15")
    assert box["figures"] == box["shipped"]
    assert box["doubts"] == []


def test_a_draft_is_looked_through_and_nothing_is_kept(owner: Browser, hall: Hall) -> None:
    box = owner.get(TRAY).json
    draft = edited(box, falcon=3)["figures"]
    draft["layers"]["1"]["chain"] = 3
    draft["purse"]["scarabs"] = 4
    told = owner.post(f"{TRAY}/check?lang=fr", json={"figures": draft}).json
    assert {(each["key"], each["message"]) for each in told["doubts"]} == {
        ("purse.scarabs", "les règles disent 2 (TUT-01)"),
        ("layers.1", "il faut 16 cartes, et non 17"),
    }
    assert {each["rule"] for each in told["doubts"]} == {"TUT-01", None}
    assert told["own"] == 3
    assert not list(hall.own_boxes.glob("*"))
    refused = owner.post(f"{TRAY}/save", json={"version": "", "figures": draft})
    assert (refused.status_code, refused.json["error"]["code"]) == (422, "bad_figures")
    assert not list(hall.own_boxes.glob("*"))


def test_a_draft_that_is_no_box_is_told_so(owner: Browser) -> None:
    broken: tuple[dict[str, Any], ...] = (
        {},
        {"values": 3},
        {"layers": {"1": []}},
        {"purse": {"silver": {"a": [None]}}},
    )
    for junk in broken:
        assert owner.post(f"{TRAY}/check", json={"figures": junk}).json["doubts"]
        assert owner.post(f"{TRAY}/save", json={"version": "", "figures": junk}).status_code == 422


def test_what_is_saved_is_laid_and_a_table_in_play_keeps_its_figures(app: Flask, owner: Browser, hall: Hall) -> None:
    before = sit_down(app, box="tutankhamun", mode="toolbox")
    kept = owner.post(f"{TRAY}/save", json=edited(owner.get(TRAY).json, falcon=7))
    assert kept.status_code == 200
    assert (hall.own_boxes / "tutankhamun.toml").read_text() == "[values]\nfalcon = 7\n"
    assert {each["id"]: each["own"] for each in owner.get(TABLES).json["boxes"] if each["own"]} == {"tutankhamun": 1}
    box = owner.get(TRAY).json
    assert (box["state"], box["version"], box["figures"]["values"]["falcon"]) == ("own", kept.json["version"], 7)
    assert box["origins"]["values.falcon"] == "owner"
    after = sit_down(app, box="tutankhamun", mode="toolbox")
    own = [hall.table(each.laid["table"]).laid.box["values"]["falcon"] for each in (before, after)]
    assert own == [2, 7]


def test_two_tablets_do_not_overwrite_one_another(owner: Browser) -> None:
    box = owner.get(TRAY).json
    assert owner.post(f"{TRAY}/save", json=edited(box, falcon=3)).status_code == 200
    late = owner.post(f"{TRAY}/save", json=edited(box, chain=3))
    assert (late.status_code, late.json["error"]["code"]) == (409, "stale")
    assert owner.get(TRAY).json["figures"]["values"]["chain"] == 1


def test_a_figure_or_all_go_back(owner: Browser, hall: Hall) -> None:
    owner.post(f"{TRAY}/save", json=edited(owner.get(TRAY).json, falcon=3, chain=3))
    version = owner.get(TRAY).json["version"]
    version = owner.post(f"{TRAY}/reset", json={"version": version, "key": "values.chain"}).json["version"]
    assert owner.get(TRAY).json["figures"]["values"] | {"falcon": 2} == owner.get(TRAY).json["shipped"]["values"]
    assert owner.post(f"{TRAY}/reset", json={"version": version}).json == {"version": ""}
    assert not list(hall.own_boxes.glob("*"))


def test_what_is_taken_out_is_brought_in_as_it_is(owner: Browser, hall: Hall) -> None:
    owner.post(f"{TRAY}/save", json=edited(owner.get(TRAY).json, falcon=3))
    taken = owner.get(f"{TRAY}/export.toml")
    assert taken.headers["Content-Disposition"] == 'attachment; filename="tutankhamun.toml"'
    owner.post(f"{TRAY}/reset", json={"version": owner.get(TRAY).json["version"]})
    brought = owner.post(f"{TRAY}/import", json={"version": "", "text": taken.text})
    assert brought.status_code == 200
    assert (hall.own_boxes / "tutankhamun.toml").read_text() == taken.text
    wrong = owner.post(f"{TRAY}/import?lang=it", json={"version": brought.json["version"], "text": "[values]\nmask = "})
    assert (wrong.status_code, "TOML" in wrong.json["error"]["message"]) == (422, True)
    large = owner.post(f"{TRAY}/import", json={"version": brought.json["version"], "text": "#" * 70_000})
    assert large.status_code == 413
    assert (hall.own_boxes / "tutankhamun.toml").read_text() == taken.text


@pytest.mark.parametrize(("text", "state"), [("[values\n", "unread"), ("[values]\nmask = -99999\n", "amiss")])
def test_a_broken_file_is_told_and_can_be_mended_here(owner: Browser, hall: Hall, text: str, state: str) -> None:
    hall.own_boxes.mkdir()
    Path(hall.own_boxes / "tutankhamun.toml").write_text(text)
    told = {each["id"]: each for each in owner.get(TABLES).json["boxes"]}
    assert (told["tutankhamun"]["state"], told["horus"]["state"]) == (state, "shipped")
    assert "tutankhamun.toml" in told["tutankhamun"]["message"]
    box = owner.get(TRAY).json
    assert box["state"] == state
    saved = owner.post(f"{TRAY}/save", json=edited(box, mask=-10, falcon=3))
    assert saved.status_code == (422 if state == "unread" else 200)
    version = box["version"] if state == "unread" else saved.json["version"]
    assert owner.post(f"{TRAY}/reset", json={"version": version}).status_code == 200
    assert {each["state"] for each in owner.get(TABLES).json["boxes"]} == {"shipped"}


def test_there_is_no_other_box(owner: Browser) -> None:
    assert owner.get(f"{TABLES}/nowhere").status_code == 404
