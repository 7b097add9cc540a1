"""Service processes over one database: each shows the same tables, and one that is killed is missed by nobody."""

from __future__ import annotations

import io
import signal
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest
from flask import Flask

from companion.play.hall import Hall
from companion.play.postgres_journal import PostgresJournal
from hardware.face import NoRig
from tests.core.coins import KEYS, SECRET, laid
from tests.venue.database import Database
from tests.web.broker import until
from tests.web.conftest import UNCOUNTED
from tests.web.live import Line, Live
from tests.web.people import Browser, sit_down
from web_ui.app import create_app


@pytest.fixture
def two(database: Database, tmp_path: Path) -> Iterator[list[Flask]]:
    """Two processes of a hall, as far as one process can be two."""
    address = database.make()
    halls = [Hall(tmp_path, journal=PostgresJournal(address)) for _ in range(2)]
    apps = [create_app(hall, NoRig(), settings=UNCOUNTED) for hall in halls]
    yield apps
    for app, hall in zip(apps, halls, strict=True):
        app.extensions["digside"].close()
        hall.close()


def test_a_code_that_one_process_shows_is_taken_by_any_other(two: list[Flask]) -> None:
    one, other = two
    host = sit_down(one)
    codes = host.post("/codes").json["codes"]
    phone = Browser(other)
    entered = phone.post("/api/join", json={"code": f"{codes[1][:3].upper()} {codes[1][3:]}"})
    assert entered.json == {"table": host.laid["table"], "me": {"role": "seat", "seat": 1}}
    assert phone.get(host.path).json["me"] == {"role": "seat", "seat": 1}
    gone = Browser(other).own().post("/api/owner/delete", json={"table": host.laid["table"]})
    assert gone.status_code == 200
    assert Browser(one).post("/api/join", json={"code": codes[0]}).status_code == 404


def test_what_a_database_cannot_keep_is_refused_and_no_mistake_of_ours(two: list[Flask]) -> None:
    host, looks = sit_down(two[0]), Browser(two[0])
    body = {"seq": host.view["seq"], "request": "nul\0", "move": {"type": "dial", "knowledge": 3}}
    assert host.post("/moves", body).status_code == 400
    for name in ("a%00b", "%ed%a0%80"):
        assert looks.get(f"/api/tables/{name}").status_code == 404
    host.dial()


def test_a_call_is_known_to_every_process_and_answered_at_any(two: list[Flask]) -> None:
    one, other = two
    host, looks = sit_down(one), Browser(other)

    def there() -> Any:
        tables = looks.get("/api/house").json["here"]["tables"]
        return next((each for each in tables if each["now"]["table"] == host.laid["table"]), None)

    until(there, "the table of the other process")
    called = host.post("/call", {"wanted": True}).json["at"]
    until(lambda: there()["call"] == called, "its call")
    host.dial()
    until(lambda: there()["now"]["seq"] == host.view["seq"], "its step")
    assert looks.own().post(f"{host.path}/call", json={"wanted": False}).json == {"at": None}
    until(lambda: host.get("/call").json == {"at": None}, "the answer")
    host.post("/call", {"wanted": True})
    host.press("/close")
    until(lambda: there() is None, "the end")
    until(lambda: not one.extensions["digside"].calls.all(), "that nobody calls")
    until(lambda: not other.extensions["digside"].calls.all(), "that nobody calls")
    assert host.post("/call", {"wanted": True}).status_code == 422, "nor does anybody at a table that has ended"


def test_a_call_that_was_missed_is_known_once_the_database_is_back(database: Database, tmp_path: Path) -> None:
    address = database.make()
    one, other = (PostgresJournal(address) for _ in range(2))
    try:
        one.lay(laid(), SECRET, KEYS)
        heard: list[str] = []
        other.callers.listen(heard.append)
        other.listen(lambda _: None)
        with psycopg.connect(address, autocommit=True) as db:
            db.execute("INSERT INTO calls VALUES ('coins', 7)")  # without a word
            db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
        until(lambda: heard == ["coins"], "that the listener has come back")
        assert other.callers.all() == {"coins": 7}
    finally:
        one.close()
        other.close()


def test_a_hall_has_nothing_to_watch_and_says_why(two: list[Flask]) -> None:
    browser = Browser(two[0])
    assert not any(box["bots"] for box in browser.get("/api/boxes").json["boxes"])
    refused = browser.post("/api/shows", json={"box": "jenseits"})
    assert refused.status_code == 422
    assert "memory of one computer" in refused.json["error"]["message"]


def test_the_page_of_the_computer_leaves_copies_to_the_database(two: list[Flask]) -> None:
    owner = Browser(two[0]).own()
    assert owner.get("/api/machine").json["backups"] is None
    asked = [
        owner.get("/api/machine/tables.zip"),
        owner.post("/api/machine/backups", json={}),
        owner.post("/api/machine/bring", json={"at": 0, "piece": ""}),
        owner.post("/api/machine/put_back", json={"backup": "2026-01-01-000000"}),
    ]
    assert [each.status_code for each in asked] == [422] * 4
    assert all("pg_dump" in each.json["error"]["message"] for each in asked)
    with zipfile.ZipFile(io.BytesIO(owner.get("/api/machine/help.zip").data)) as archive:
        assert "✓ the database answers and accepts steps" in archive.read("doctor.txt").decode()


def test_two_seats_that_are_asked_at_once_may_press_at_two_processes(database: Database, tmp_path: Path) -> None:
    address = database.make()
    one, other = (Live(tmp_path, journal=address) for _ in range(2))
    try:
        path, laid = one.lay()
        seq = one.call("GET", path)[1]["seq"]
        assert other.call("GET", path)[1]["seq"] == seq
        with ThreadPoolExecutor(2) as hands:
            presses = [
                hands.submit(each.award, path, laid["seats"][seat], seq, seat) for seat, each in enumerate((one, other))
            ]
        assert [press.result()[0] for press in presses] == [200, 200]
        assert max(each.call("GET", path)[1]["seq"] for each in (one, other)) == seq + 2
    finally:
        one.stop()
        other.stop()


def test_a_table_goes_on_at_another_process_when_its_own_is_killed(database: Database, tmp_path: Path) -> None:
    address = database.make()
    one, other = (Live(tmp_path, journal=address) for _ in range(2))
    try:
        path, laid = one.lay()
        seq = one.call("GET", path)[1]["seq"]
        watching = Line(other.port, f"{path}/stream")
        seen = watching.views()
        assert next(seen).id == seq
        status, _ = one.dial(path, laid["host"], seq, "tap")
        assert status == 200
        assert next(seen).id == seq + 1, "who looks at another process is told of each step"
        one.stop(signal.SIGKILL)
        status, again = other.dial(path, laid["host"], seq, "tap")
        assert (status, again["seq"]) == (200, seq + 1), "a request whose answer was lost is made once"
        status, _ = other.dial(path, laid["host"], seq, "late")
        assert status == 409
        status, _ = other.dial(path, laid["host"], seq + 1, "next")
        assert status == 200
        assert next(seen).id == seq + 2
        assert [each["table"] for each in other.call("GET", "/api/tables")[1]["tables"]] == [laid["table"]]
        watching.close()
    finally:
        one.stop(signal.SIGKILL)
        other.stop()
