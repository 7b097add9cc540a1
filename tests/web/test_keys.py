"""Who may do what, and that no key or secret is told to anybody else."""

from __future__ import annotations

import logging

import pytest
from flask import Flask

from companion.play.hall import Hall
from tests.core.devices import Device
from tests.web.people import Asker, Browser, lay, sit_down
from web_ui.app import create_app
from web_ui.rate import Pace
from web_ui.settings import Settings

PLAYER_CALLS = ("/moves", "/outcome", "/undo", "/stir")
HOST_CALLS = ("/correct", "/close", "/rig")


def test_a_seat_sees_itself_and_the_host_through_its_eyes(table: Asker) -> None:
    assert table.seat(1).view["me"] == {"role": "seat", "seat": 1}
    assert table.spectator.view["me"] == {"role": "spectator", "seat": None}
    assert table.get("?seat=1").json["me"] == {"role": "host", "seat": 1}


def test_only_the_host_looks_through_other_eyes(table: Asker) -> None:
    assert table.seat(0).get("?seat=0").status_code == 200
    for asker in (table.seat(0), table.spectator):
        answer = asker.get("?seat=1")
        assert (answer.status_code, answer.json["error"]["code"]) == (403, "not_allowed")


@pytest.mark.parametrize("seat", ["2", "-1", "x", "1e3", "", "99999999999999999999", "١"])
def test_a_seat_that_does_not_exist_has_no_eyes(table: Asker, seat: str) -> None:
    assert table.get(f"?seat={seat}").status_code == 400


@pytest.mark.parametrize("path", [*PLAYER_CALLS, *HOST_CALLS])
def test_without_a_key_nothing_is_done(table: Asker, path: str) -> None:
    answer = table.spectator.post(path, {})
    assert (answer.status_code, answer.json["error"]["code"]) == (401, "no_key")
    assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("path", HOST_CALLS)
def test_what_is_the_hosts_is_not_a_seats(table: Asker, path: str) -> None:
    answer = table.seat(0).post(path, {})
    assert (answer.status_code, answer.json["error"]["code"]) == (403, "not_allowed")


@pytest.mark.parametrize("path", ["/keys", "/qr/0.svg", "/qr/host.svg", "/qr/spectator.svg"])
def test_keys_are_told_to_the_host_alone(table: Asker, path: str) -> None:
    assert table.get(path).status_code == 200
    assert table.seat(0).get(path).status_code == 403
    assert table.spectator.get(path).status_code == 401


def test_the_host_is_told_all_keys(table: Asker) -> None:
    assert table.get("/keys").json == {"host": table.laid["host"], "seats": table.laid["seats"]}


def test_a_code_for_a_seat_that_is_not_there(table: Asker) -> None:
    assert table.get("/qr/9.svg").status_code == 404


def test_a_seat_moves_for_itself_only(app: Flask) -> None:
    host = sit_down(app, box="horus")
    ben = host.seat(1)
    assert ben.press("/moves", move={"type": "roll", "count": 1}, seat=0).status_code == 403
    assert ben.press("/moves", move={"type": "roll", "count": 1}).status_code == 200
    assert host.press("/moves", move={"type": "roll", "count": 1}, seat=0).status_code == 200


@pytest.mark.parametrize(
    "header", ["Bearer wrong", "Bearer ", "bearer", "Basic QTpC", "Bearer \xe9", "Bearer " + "a" * 5000, ""]
)
def test_a_key_that_opens_nothing_is_refused_even_for_looking(table: Asker, header: str) -> None:
    answer = table.spectator.get("", Authorization=header)
    assert (answer.status_code, answer.json["error"]["code"]) == (401, "no_key")


def test_a_key_opens_its_own_table_only(app: Flask) -> None:
    here, there = sit_down(app), lay(app)
    assert here.with_key(there["host"]).get().status_code == 401


def test_entering_keeps_the_key_where_no_script_reads_it(table: Asker, client: Browser) -> None:
    answer = client.post(f"{table.path}/enter", json={"key": table.laid["seats"][1]})
    assert answer.json == {"table": table.laid["table"], "me": {"role": "seat", "seat": 1}}
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie
    assert client.get(table.path).json["me"]["seat"] == 1


def test_over_https_the_cookie_stays_on_https(table: Asker, client: Browser) -> None:
    answer = client.post(f"{table.path}/enter", json={"key": table.laid["host"]}, base_url="https://localhost")
    assert "Secure" in answer.headers["Set-Cookie"]


def test_leaving_makes_a_spectator(table: Asker, client: Browser) -> None:
    client.post(f"{table.path}/enter", json={"key": table.laid["host"]})
    client.post(f"{table.path}/leave", json={})
    assert client.get(table.path).json["me"]["role"] == "spectator"


def test_a_wrong_key_does_not_enter(table: Asker, client: Browser) -> None:
    answer = client.post(f"{table.path}/enter", json={"key": "wrong"})
    assert answer.status_code == 401
    assert "Set-Cookie" not in answer.headers


def test_laying_a_table_makes_the_device_its_host(app: Flask) -> None:
    device = Browser(app)
    laid = device.post("/api/tables", json={"box": "horus", "mode": "toolbox", "seats": [{"name": "A"}, {"name": "B"}]})
    assert device.get(f"/api/tables/{laid.json['table']}").json["me"]["role"] == "host"


def test_an_outdated_cookie_makes_a_spectator(table: Asker, client: Browser) -> None:
    client.keep(f"digside-{table.laid['table']}", "from-another-life")
    assert client.get(table.path).json["me"]["role"] == "spectator"


def test_guessing_keys_is_slow(hall: Hall) -> None:
    from hardware.face import NoRig

    app = create_app(hall, NoRig(), settings=Settings(guesses=Pace(3, 0.001), at_home=1))
    laid = lay(app)
    device = Browser(app, cookies=False)
    tries = [device.post(f"/api/tables/{laid['table']}/enter", json={"key": f"guess {n}"}) for n in range(5)]
    assert [answer.status_code for answer in tries] == [401, 401, 401, 429, 429]
    assert tries[-1].headers["Retry-After"] == "1"


def test_no_secret_is_in_any_answer_before_the_end(table: Asker, hall: Hall, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    table.press("/stir", tip=Device("host").value)
    secret = hall.table(table.laid["table"]).dealer.secret.hex()
    keys = (table.laid["host"], *table.laid["seats"])
    everybody = (table, table.seat(0), table.spectator)
    looks = ("", "/moves", "/record", "/luck", "/corrections", "/stream", "/api/tables", "/metrics")
    told = [asker.get(path).text for asker in everybody for path in looks]
    told += [table.dial(4).text, table.dial(4, seq=0).text, table.press("/moves", move={}).text]
    for text in (*told, caplog.text):
        assert secret not in text
        assert not any(key in text for key in keys)


def test_the_secret_is_told_to_everybody_at_the_end(table: Asker, hall: Hall) -> None:
    table.press("/close")
    secret = hall.table(table.laid["table"]).dealer.secret.hex()
    assert table.spectator.view["secret"] == secret
    assert table.spectator.get("/record").json["secret"] == secret


def test_a_spectator_has_no_eyes_of_a_seat(app: Flask) -> None:
    host = sit_down(app, box="tutankhamun", mode="referee")
    assert host.spectator.view["you"] is None
    assert host.view["you"] is None
