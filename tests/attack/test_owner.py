"""Whose service it is: what the owner's key opens, what stays shut without it, and how old keys are turned out."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from flask import Flask

from companion.play.hall import Hall
from companion.terminal import cli
from hardware.face import NoRig
from tests.web.live import Line, Live
from tests.web.people import Asker, Browser, lay, owner_of, sit_down
from web_ui.app import create_app
from web_ui.owner import Owner


def test_the_owners_address_makes_a_device_the_owners(client: Browser, app: Flask) -> None:
    assert client.get("/api/owner").json == {"owner": False, "guests_lay": True}
    assert client.post("/api/owner/enter", json={"key": "a guess"}).status_code == 401
    entered = client.post("/api/owner/enter", json={"key": owner_of(app)})
    assert entered.json["owner"] is True
    assert "HttpOnly" in entered.headers["Set-Cookie"]
    assert client.get("/api/owner").json["owner"] is True
    assert owner_of(app) not in client.get("/api/owner").text
    client.post("/api/owner/leave", json={})
    assert client.get("/api/owner").json["owner"] is False


def test_what_is_the_owners_is_no_guests_and_no_hosts(table: Asker, client: Browser) -> None:
    calls = {
        "/api/owner/choices": {"guests_lay": False},
        "/api/owner/anew": {},
        "/api/owner/delete": {"table": table.laid["table"]},
        "/api/tables/import": table.get("/record").json,
    }
    for path, body in calls.items():
        for asker in (table, table.seat(0), table.spectator, table.with_key("a guess")):
            answer = asker.post(path, body)
            assert (answer.status_code, answer.json["error"]["key"]) == (401, "web.owner_only"), path
    assert client.get("/api/owner/qr.svg").status_code == 401
    assert table.get().status_code == 200
    assert client.own().get("/api/owner/qr.svg").mimetype == "image/svg+xml"


def test_another_site_does_nothing_in_the_owners_name(client: Browser) -> None:
    foreign = {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"}
    assert client.own().post("/api/owner/anew", json={}, headers=foreign).status_code == 403


def test_guests_lay_tables_unless_the_owner_keeps_that(client: Browser, app: Flask, table: Asker) -> None:
    table.press("/close")
    owner = Browser(app).own()
    owner.post("/api/owner/choices", json={"guests_lay": False})
    laying = {"box": "jenseits", "mode": "toolbox", "seats": [{"name": "Ada"}, {"name": "Ben"}]}
    for path, body in (("/api/tables", laying), (f"{table.path}/branch", {"seq": 1})):
        answer = client.post(path, json=body)
        assert (answer.status_code, answer.json["error"]["key"]) == (401, "web.owner_lays")
        assert owner.post(path, json=body).status_code == 201
    assert table.post("/rematch", {}).status_code == 201, "the same people play on"
    owner.post("/api/owner/choices", json={"guests_lay": True})
    assert client.post("/api/tables", json=laying).status_code == 201


def test_old_devices_are_turned_out_at_once_here_and_from_the_terminal(
    app: Flask, hall: Hall, capsys: pytest.CaptureFixture[str]
) -> None:
    first, second = Browser(app).own(), Browser(app).own()
    old = owner_of(app)
    assert first.post("/api/owner/anew", json={}).json["owner"] is True
    assert (first.get("/api/owner").json["owner"], second.get("/api/owner").json["owner"]) == (True, False)
    assert cli.main(["owner", "--data", str(hall.folder)]) == 0
    told = capsys.readouterr().out
    assert f"#{owner_of(app)}" in told
    assert old not in told
    assert cli.main(["owner", "--anew", "--data", str(hall.folder)]) == 0
    assert first.get("/api/owner").json["owner"] is False
    assert f"#{owner_of(app)}" in capsys.readouterr().out


def test_who_owns_it_is_kept_over_a_restart_and_nobody_else_reads_it(hall: Hall, app: Flask) -> None:
    kept = Owner(hall.folder)
    assert kept.key == owner_of(app)
    assert (hall.folder / "owner.json").stat().st_mode & 0o077 == 0


def test_a_guesser_of_the_owners_key_is_slowed_down_wherever_it_asks(hall: Hall) -> None:
    from web_ui.rate import Pace
    from web_ui.settings import Settings

    app = create_app(hall, NoRig(), settings=Settings(guesses=Pace(3, 0.001), at_home=1))
    guests = Asker(app, lay(app), "a guess")
    answers = [
        guests.post(path, body).status_code
        for path, body in (
            ("/api/owner/enter", {"key": "one"}),
            ("/api/owner/anew", {}),
            ("/api/rig/calibrate", {"reading": "ambient"}),
            ("/api/rig/shovel", {"do": "grip"}),
            ("/api/owner/delete", {"table": "x"}),
        )
    ]
    assert answers == [401, 401, 401, 429, 429]
    app.extensions["digside"].close()


def test_a_table_that_is_deleted_is_gone_for_everybody(table: Asker, app: Flask, hall: Hall) -> None:
    kept = sit_down(app)
    hall.table(table.laid["table"])
    owner = Browser(app).own()
    assert owner.post("/api/owner/delete", json={"table": table.laid["table"]}).json == {"table": table.laid["table"]}
    assert table.get().status_code == 404
    assert table.post("/moves", {}).status_code == 404
    assert [each["table"] for each in owner.get("/api/tables").json["tables"]] == [kept.laid["table"]]
    assert owner.post("/api/owner/delete", json={"table": table.laid["table"]}).status_code == 404
    assert kept.dial().status_code == 200


def test_a_press_at_a_table_that_is_deleted_under_the_hand_is_refused(table: Asker, hall: Hall) -> None:
    from companion.play.table import HOST
    from companion.refusals import Missing

    held = hall.table(table.laid["table"])
    hall.delete(held.id)
    with pytest.raises(Missing):
        held.play(HOST, held.seq, "late", {"type": "dial", "knowledge": 2})


def test_whoever_looks_at_a_deleted_table_is_let_go(tmp_path: Path) -> None:
    live = Live(tmp_path)
    path, laid = live.lay()
    line = Line(live.port, f"{path}/stream")
    events = iter(line)
    next(events)
    assert live.call("POST", "/api/owner/delete", {"table": laid["table"]}, key=live.owner)[0] == 200
    assert [event.kind for event in events][-1] == "bye"
    assert Line(live.port, f"{path}/stream").status == 404
    live.stop()


def test_the_start_prints_what_makes_a_device_the_owners_but_not_for_the_systems_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    live = Live(tmp_path)
    live.call("GET", "/healthz")
    live.stop()
    assert f"http://127.0.0.1:{live.port}/owner#{live.owner}" in live.said()
    monkeypatch.setitem(os.environ, "JOURNAL_STREAM", "8:1234")
    live = Live(tmp_path)
    live.call("GET", "/healthz")
    live.stop()
    said = live.said()
    assert "digside owner" in said
    assert live.owner not in said


def test_processes_that_begin_at_once_in_one_folder_have_one_owner(tmp_path: Path) -> None:
    """As the services of a hall do: none of them ends for it, and the first says who owns them."""
    told = "import sys; from pathlib import Path; from web_ui.owner import Owner\n"
    told += "print(flush=True); sys.stdin.readline()\n"
    told += f"print(Owner(Path({str(tmp_path)!r})).key)"
    pipe, here = subprocess.PIPE, {"PYTHONPATH": str(Path(__file__).parents[2])}
    asked = [sys.executable, "-c", told]
    begun = [subprocess.Popen(asked, stdin=pipe, stdout=pipe, env=here, text=True) for _ in range(6)]
    for each in begun:
        assert each.stdout is not None
        each.stdout.readline()
    for each in begun:
        assert each.stdin is not None
        each.stdin.write("\n")
        each.stdin.flush()
    assert {each.communicate()[0].strip() for each in begun} == {Owner(tmp_path).key}
    assert [each.name for each in tmp_path.iterdir()] == ["owner.json"]
