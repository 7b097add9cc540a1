"""Short codes to type for a seat, and what the list of tables says to whom."""

from __future__ import annotations

import time

import pytest
from flask import Flask

from tests.web.people import Browser, lay, sit_down


def test_a_code_takes_its_seat_and_no_other(app: Flask) -> None:
    host = sit_down(app)
    codes = host.post("/codes").json["codes"]
    assert len(set(codes)) == 2
    phone = Browser(app)
    entered = phone.post("/api/join", json={"code": f" {codes[1][:2].upper()}-{codes[1][2:]} "})
    assert entered.json == {"table": host.laid["table"], "me": {"role": "seat", "seat": 1}}
    assert phone.get(host.path).json["me"] == {"role": "seat", "seat": 1}
    assert host.laid["seats"][1] not in entered.text


def test_only_the_host_is_shown_codes(app: Flask) -> None:
    host = sit_down(app)
    assert host.seat(0).post("/codes").status_code == 403
    assert host.spectator.post("/codes").status_code == 401


def test_a_wrong_code_opens_nothing_and_says_so(app: Flask) -> None:
    sit_down(app).post("/codes")
    answer = Browser(app).post("/api/join", json={"code": "aaaaa"})
    assert (answer.status_code, answer.json["error"]["key"]) == (404, "web.wrong_code")
    assert "Set-Cookie" not in answer.headers


def test_who_guesses_is_slowed_down(app: Flask) -> None:
    app.extensions["digside"].limits._of["codes"]._home = app.extensions["digside"].settings.codes
    guesser = Browser(app)
    answers = [guesser.post("/api/join", json={"code": f"aaaa{letter}"}).status_code for letter in "bcdefghjkmnp"]
    assert answers[:10] == [404] * 10
    assert answers[10:] == [429] * 2


def test_many_addresses_guess_no_faster(app: Flask) -> None:
    limit = app.extensions["digside"].limits._of["all_codes"]
    assert [limit.allows("") for _ in range(61)].count(True) == 60
    assert Browser(app).post("/api/join", json={"code": "aaaaa"}).status_code == 429


def test_a_code_holds_for_two_hours(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    host = sit_down(app)
    told = host.post("/codes").json
    now, codes = time.monotonic(), app.extensions["digside"].hall.journal.codes
    monkeypatch.setattr(codes, "_clock", lambda: now + told["holds"] - 60)
    assert Browser(app).post("/api/join", json={"code": told["codes"][0]}).status_code == 200
    monkeypatch.setattr(codes, "_clock", lambda: now + told["holds"] + 60)
    assert Browser(app).post("/api/join", json={"code": told["codes"][0]}).status_code == 404


def test_the_list_knows_the_browser_that_asks(app: Flask) -> None:
    host = sit_down(app)
    lay(app)
    phone = Browser(app)
    phone.post(f"{host.path}/enter", json={"key": host.laid["seats"][1]})
    phone.keep("digside-zzzzz", "nobody's")
    told = {each["table"]: each["me"] for each in phone.get("/api/tables").json["tables"]}
    assert told.pop(host.laid["table"]) == {"role": "seat", "seat": 1}
    assert set(told.values()) == {None}


def test_the_list_tells_points_and_winners_of_what_is_over(app: Flask) -> None:
    host = sit_down(app)
    host.press("/moves", move={"type": "award", "seat": 1, "points": 4})
    (before,) = host.get("/api/tables").json["tables"]
    assert (before["totals"], before["winners"]) == (None, None)
    host.press("/close")
    (after,) = host.get("/api/tables").json["tables"]
    assert (after["totals"], after["winners"]) == ([0, 4], [1])
