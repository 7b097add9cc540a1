"""The page of the computer: who may see it, what it tells and keeps, and how it is switched off."""

from __future__ import annotations

import io
import signal
import zipfile
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.game import Seat, Setup
from companion.play import backups, restoring
from companion.play.hall import Hall
from companion.terminal.appliance import UpdateReport
from hardware.face import NoRig
from tests.core.coins import on_file
from tests.web.live import PATIENCE, Live
from tests.web.people import Asker, Browser
from web_ui.app import create_app
from web_ui.groups import Groups
from web_ui.power import ASKED_TO_RESTART


@pytest.fixture
def owner(app: Flask) -> Browser:
    """The owner's browser."""
    browser = Browser(app)
    entered = browser.post("/api/owner/enter", json={"key": app.extensions["digside"].owner.key})
    assert entered.status_code == 200
    return browser


LOOKS = ["/api/machine", "/api/machine/tables.zip", "/api/machine/help.zip", "/api/machine/backups/2026-01-01-000000"]


@pytest.mark.parametrize("path", LOOKS)
def test_the_computer_is_its_owners_alone(client: Browser, table: Asker, path: str) -> None:
    assert client.get(path).status_code == 401
    assert client.get(path, headers={"Authorization": f"Bearer {table.laid['host']}"}).status_code == 401
    assert client.post("/api/machine/power", json={"do": "off"}).status_code == 401
    assert client.post("/api/machine/backups", json={}).status_code == 401
    assert client.post("/api/machine/bring", json={"at": 0, "piece": "eA=="}).status_code == 401
    assert client.post("/api/machine/put_back", json={"backup": "2026-01-01-000000"}).status_code == 401


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
    assert UpdateReport("1.0", "1.1", 7, "went_back").reason == ""


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


def brought(owner: Browser, content: bytes) -> Any:
    """Bring a file in pieces, one of them twice, as a page does whose network was away; what is said at the end."""
    for at in range(0, len(content), 30_000):
        piece = {"at": at, "piece": b64encode(content[at : at + 30_000]).decode()}
        assert owner.post("/api/machine/bring", json=piece).status_code == 200
        if at:
            again = owner.post("/api/machine/bring", json=piece)
            assert (again.status_code, again.json["error"]["key"]) == (400, "core.bad_piece")
    return owner.post("/api/machine/bring", json={"at": len(content), "piece": ""})


def test_a_backup_is_made_taken_brought_to_another_machine_and_put_back_there(
    owner: Browser, app: Flask, table: Asker, tmp_path: Path
) -> None:
    assert owner.get("/api/machine").json["backups"] == []
    (made,) = owner.post("/api/machine/backups", json={}).json["backups"]
    assert made["brought"] is False
    packed = owner.get(f"/api/machine/backups/{made['name']}").data

    other = Hall(tmp_path / "other")
    left = other.lay(Setup("horus", "toolbox", (Seat("Cleo"), Seat("Dan")))).id
    (other.folder / "rig.toml").write_text("# theirs")
    there = create_app(other, NoRig())
    theirs = Browser(there).own()
    assert brought(theirs, packed).json["tables"] == 1
    (here,) = theirs.get("/api/machine").json["backups"]
    assert here["brought"] is True
    coming = theirs.post("/api/machine/put_back", json={"backup": here["name"]}).json
    assert coming["restarting"] is False
    there.extensions["digside"].close()
    other.close()

    restoring.put_back_as_wished(tmp_path / "other")
    restoring.put_back_as_wished(tmp_path / "other")  # once is enough
    again = Hall(tmp_path / "other")
    assert [each.table for each in again.tables()] == [table.laid["table"]]
    assert again.table(table.laid["table"]).keys.host == table.laid["host"]
    after = restoring.wished_back(tmp_path / "other")
    assert after is not None
    assert (after.tables, after.reason) == (1, "")
    again.close()
    (aside,) = (tmp_path / "other" / backups.FOLDER).glob("replaced-*")
    kept_aside = Hall(aside)
    assert [each.table for each in kept_aside.tables()] == [left]
    kept_aside.close()


def test_the_choices_of_a_machine_come_with_its_tables(owner: Browser, hall: Hall, table: Asker) -> None:
    (hall.folder / "rig.toml").write_text("# here")
    (hall.folder / "boxes").mkdir()
    (hall.folder / "boxes" / "horus.toml").write_text("# ours")
    groups, people = Groups(hall.folder), [Seat("Ada"), Seat("Ben")]
    groups.note(people)
    packed = owner.get("/api/machine/tables.zip").data
    (hall.folder / "rig.toml").write_text("# other")
    groups.note([Seat("Carol"), Seat("Dora")])
    assert brought(owner, packed).status_code == 200
    (name,) = (each["name"] for each in owner.get("/api/machine").json["backups"])
    assert owner.post("/api/machine/put_back", json={"backup": name}).status_code == 200
    hall.close()
    restoring.put_back_as_wished(hall.folder)
    assert (hall.folder / "rig.toml").read_text() == "# here"
    assert [file.read_text() for file in (hall.folder / backups.FOLDER).glob("replaced-*/rig.toml")] == ["# other"]
    assert [[person.name for person in group] for group in groups.all()] == [["Ada", "Ben"]]


@pytest.mark.parametrize(
    "content", [b"no tables at all", b"SQLite format 3\0 and then nothing", b"PK\5\6" + b"\0" * 18]
)
def test_what_is_no_backup_is_thrown_away(owner: Browser, hall: Hall, content: bytes) -> None:
    refused = brought(owner, content)
    assert (refused.status_code, refused.json["error"]["key"]) == (507, "core.no_such_backup")
    assert list((hall.folder / backups.FOLDER).iterdir()) == []
    assert owner.post("/api/machine/put_back", json={"backup": "../digside"}).status_code == 404
    assert owner.post("/api/machine/bring", json={"at": 5, "piece": "eA=="}).status_code == 400


def test_a_packed_file_is_unpacked_nowhere_else(owner: Browser, hall: Hall, table: Asker) -> None:
    out = io.BytesIO(owner.get("/api/machine/tables.zip").data)
    with zipfile.ZipFile(out, "a") as packed:
        packed.writestr("../../outside.toml", "# out")
        packed.writestr("boxes/../../rig.toml", "# out")
    assert brought(owner, out.getvalue()).status_code == 200
    folder = hall.folder / backups.FOLDER
    assert {file.name for file in folder.rglob("*") if file.is_file()} - {"groups.json"} == {"digside.sqlite"}
    assert not list(hall.folder.parent.glob("outside.toml"))


def test_a_backup_that_was_spoilt_since_changes_nothing(owner: Browser, hall: Hall, table: Asker) -> None:
    (made,) = owner.post("/api/machine/backups", json={}).json["backups"]
    assert owner.post("/api/machine/put_back", json={"backup": made["name"]}).status_code == 200
    backups.named(hall.folder, made["name"]).write_bytes(b"spoilt")
    hall.close()
    restoring.put_back_as_wished(hall.folder)
    after = restoring.wished_back(hall.folder)
    assert after is not None
    assert (after.tables, bool(after.reason)) == (None, True)
    again = Hall(hall.folder)
    assert [each.table for each in again.tables()] == [table.laid["table"]]
    again.close()
