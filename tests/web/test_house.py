"""The page of the house: every table of it, the calls for its host, and what other Pis tell."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.play.hall import Hall
from companion.refusals import Malformed
from hardware.face import NoRig
from tests.web.broker import until
from tests.web.conftest import UNCOUNTED
from tests.web.live import Line, Live
from tests.web.people import Asker, Browser, sit_down
from web_ui import whole_house
from web_ui.app import create_app
from web_ui.service import Service
from web_ui.whole_house import OtherTold, PiTold, addresses

MANY = 200


def house(app: Flask) -> Any:
    told = Browser(app).get("/api/house")
    assert told.status_code == 200, told.text
    return told.json


def table_in(app: Flask, host: Asker) -> Any:
    """A table as the house is told of it, or nothing."""
    return next((each for each in house(app)["here"]["tables"] if each["now"]["table"] == host.laid["table"]), None)


def test_the_house_shows_what_everybody_sees(app: Flask) -> None:
    host = sit_down(app, mode="referee")
    told = table_in(app, host)
    view = host.spectator.view
    assert told["call"] is None
    assert told["now"]["turn"] == view["ask"]["seat"]
    assert [seat["name"] for seat in told["now"]["seats"]] == [seat["name"] for seat in view["seats"]]
    assert (told["now"]["seq"], told["now"]["box"]) == (view["seq"], view["box"])
    assert [host.laid["host"] in str(told), host.laid["seats"][0] in str(told)] == [False, False]
    assert host.press("/close").status_code == 200
    until(lambda: table_in(app, host) is None, "the end")


def test_whoever_sits_here_calls_once_and_takes_it_back(app: Flask) -> None:
    host = sit_down(app)
    assert host.spectator.post("/call", {"wanted": True}).status_code == 401
    called = host.seat(0).post("/call", {"wanted": True}).json
    assert host.post("/call", {"wanted": True}).json == called
    assert host.spectator.get("/call").json == called
    assert table_in(app, host)["call"] == called["at"]
    assert host.spectator.post("/call", {"wanted": False}).status_code == 401
    assert host.seat(1).post("/call", {"wanted": False}).json == {"at": None}
    assert table_in(app, host)["call"] is None
    host.post("/call", {"wanted": True})
    assert host.owner.post("/call", {"wanted": True}).status_code == 401, "an owner answers, and does not call"
    assert host.owner.post("/call", {"wanted": False}).json == {"at": None}


def test_who_calls_again_and_again_is_asked_to_wait(app: Flask) -> None:
    host, other = sit_down(app), sit_down(app)
    told = [host.post("/call", {"wanted": number % 2 == 0}).status_code for number in range(MANY)]
    assert 429 in told
    assert host.post("/call", {"wanted": False}).status_code == 200, "taking it back is never too much"
    assert other.post("/call", {"wanted": True}).status_code == 200


def test_a_key_of_another_table_calls_nobody(app: Flask) -> None:
    host, other = sit_down(app), sit_down(app)
    assert host.with_key(other.laid["host"]).post("/call", {"wanted": True}).status_code == 401


def test_nobody_calls_any_more_when_a_table_is_over(app: Flask) -> None:
    host = sit_down(app)
    house(app)
    host.post("/call", {"wanted": True})
    host.press("/close")
    until(lambda: host.get("/call").json == {"at": None}, "the end")


def test_nothing_is_made_while_nobody_looks(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    service: Service = app.extensions["digside"]
    host = sit_down(app)
    assert not service.house.now
    monkeypatch.setattr(whole_house, "GLANCE", 0.0)
    house(app)
    until(lambda: not service.house._ears, "that nobody looks")
    before = service.house.now.copy()
    host.dial()
    assert not service.house._dirty
    assert service.house.now == before


@pytest.fixture
def other(tmp_path: Path) -> Iterator[Live]:
    """Another Pi, a real service."""
    live = Live(tmp_path / "other")
    yield live
    live.stop()


@pytest.mark.slow
def test_other_pis_are_shown_and_said_to_be_away(tmp_path: Path, other: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(whole_house, "ASKED_EVERY", 0.05)
    _, laid = other.lay()
    here = f"http://127.0.0.1:{other.port}"
    hall = Hall(tmp_path / "here")
    (tmp_path / "here" / "house.txt").write_text("http://127.0.0.1:9  # nobody\n")
    app = create_app(hall, NoRig(), settings=UNCOUNTED.__class__(house=(here,)))
    try:
        until(lambda: house(app)["others"][0]["pi"], "the other")
        told, nobody = house(app)["others"]
        assert [each["now"]["table"] for each in told["pi"]["tables"]] == [laid["table"]]
        until(lambda: house(app)["others"][1]["away"], "that nobody answers")
        assert (told["away"], nobody["pi"]) == (None, None)
        line = Line(other.port, "/api/house/stream")
        events = line.views()
        next(events)
        other.call("POST", f"/api/tables/{laid['table']}/call", {"wanted": True}, key=laid["host"])
        assert any(each.data["here"]["tables"][0]["call"] for each in events)
        line.close()
        until(lambda: house(app)["others"][0]["pi"]["tables"][0]["call"], "the call there")
        other.stop()
        until(lambda: house(app)["others"][0]["away"], "that it is away")
        assert house(app)["others"][0]["pi"]["tables"], "it is shown as it was"
    finally:
        app.extensions["digside"].close()
        hall.close()


def test_what_another_says_is_read_with_care(monkeypatch: pytest.MonkeyPatch, app: Flask) -> None:
    whole = app.extensions["digside"].whole_house
    whole._others = {"http://a": OtherTold("http://a", None, None)}
    for raised in (ValueError("no JSON"), OSError("refused")):

        def answer(address: str, raised: Exception = raised) -> PiTold:
            raise raised

        monkeypatch.setattr(whole_house, "asked", answer)
        whole._ask("http://a")
        assert whole._others["http://a"].away is not None


@pytest.mark.parametrize(
    "said", ["ftp://a", "http://", "http://a/b", "http://u:p@a", "javascript:alert(1)", "a", "http://a:b"]
)
def test_what_is_no_address_of_a_pi_stops_the_start(said: str, tmp_path: Path) -> None:
    with pytest.raises(Malformed):
        addresses((said,), tmp_path)
    assert addresses(("http://pi2:8765/",), tmp_path) == ("http://pi2:8765",)
