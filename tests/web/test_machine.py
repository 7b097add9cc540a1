"""The page of the computer: who may see it, what it tells and keeps, and how it is switched off."""

from __future__ import annotations

import io
import signal
import zipfile
from pathlib import Path

import pytest
from flask import Flask

from companion.play.hall import Hall
from companion.terminal.appliance import Told
from tests.core.coins import on_file
from tests.web.live import PATIENCE, Live
from tests.web.people import Asker, Browser
from web_ui.power import ASKED_TO_RESTART


@pytest.fixture
def owner(app: Flask) -> Browser:
    """The owner's browser."""
    browser = Browser(app)
    entered = browser.post("/api/owner/enter", json={"key": app.extensions["digside"].owner.key})
    assert entered.status_code == 200
    return browser


@pytest.mark.parametrize("path", ["/api/machine", "/api/machine/tables.zip", "/api/machine/help.zip"])
def test_the_computer_is_its_owners_alone(client: Browser, table: Asker, path: str) -> None:
    assert client.get(path).status_code == 401
    assert client.get(path, headers={"Authorization": f"Bearer {table.laid['host']}"}).status_code == 401
    assert client.post("/api/machine/power", json={"do": "off"}).status_code == 401


def test_it_tells_how_it_is_and_what_came_of_the_last_update(owner: Browser, hall: Hall, table: Asker) -> None:
    (hall.folder / "update.json").write_text(
        '{"before":"1.0","after":"1.1","at":7,"outcome":"went_back","reason":"it was tired"}'
    )
    told = owner.get("/api/machine").json
    assert told["tables"] == 1
    assert told["machine"]["card"]["free"] > 0
    assert told["update"]["outcome"] == "went_back"
    assert told["can"] == []
    assert [each["key"] for each in told["notices"]] == ["went_back"]
    assert "it was tired" in owner.get("/api/notices?lang=de").json["notices"][0]["message"]
    assert Told("1.0", "1.1", 7, "went_back").reason == ""


def test_all_tables_go_into_a_file_that_opens_elsewhere(owner: Browser, table: Asker, tmp_path: Path) -> None:
    packed = owner.get("/api/machine/tables.zip")
    assert packed.headers["Content-Disposition"].startswith('attachment; filename="digside-')
    with zipfile.ZipFile(io.BytesIO(packed.data)) as archive:
        archive.extractall(tmp_path / "elsewhere")
    again = Hall(tmp_path / "elsewhere")
    assert [each.table for each in again.tables()] == [table.laid["table"]]
    assert not on_file(again).copied_alone
    again.close()


def test_a_file_for_whoever_helps_has_no_name_and_no_key_in_it(owner: Browser, app: Flask, table: Asker) -> None:
    secrets = (table.laid["host"], *table.laid["seats"], app.extensions["digside"].owner.key, "Ada", "Ben")
    with zipfile.ZipFile(io.BytesIO(owner.get("/api/machine/help.zip").data)) as archive:
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    assert "Python 3." in texts["doctor.txt"]
    assert not [(name, secret) for name, text in texts.items() for secret in secrets if secret in text]


def test_nobody_switches_what_would_not_come_back(owner: Browser) -> None:
    refused = owner.post("/api/machine/power", json={"do": "restart"})
    assert (refused.status_code, refused.json["error"]["key"]) == (422, "web.no_power")


def test_the_owner_starts_it_anew_and_leaves_the_word_that_switches_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    word = tmp_path / "power"
    monkeypatch.setenv("DIGSIDE_POWER", str(word))
    live = Live(tmp_path / "data", rig="spy")
    try:
        assert live.call("GET", "/healthz")[0] == 200
        key = live.owner
        assert live.call("GET", "/api/machine", key=key)[1]["can"] == ["restart", "reboot", "off"]
        assert live.call("POST", "/api/machine/power", {"do": "off"}, key=key) == (200, {"do": "off"})
        assert word.read_text() == "off"
        assert live.call("POST", "/api/machine/power", {"do": "restart"}, key=key)[0] == 200
        assert live.process.wait(PATIENCE) == ASKED_TO_RESTART
    finally:
        live.stop(signal.SIGKILL)
    assert (tmp_path / "data" / "diary").read_text().startswith("safe"), "the shovel lets go first"
    unit = (Path(__file__).parents[2] / "hardware" / "systemd" / "digside.service").read_text()
    assert f"RestartForceExitStatus={ASKED_TO_RESTART}\n" in unit
