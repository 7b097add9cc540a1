"""Bots at the tables of a service: they move, people draw for them, hints stay secret, and a study adds up."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

from companion.play.hall import Hall
from companion.play.thinking import Thinker
from hardware.face import NoRig
from tests.web.conftest import UNCOUNTED
from tests.web.people import Asker, lay, sit_down
from tests.web.test_document import check
from web_ui import studies
from web_ui.app import create_app

PATIENCE_S = 60.0


@pytest.fixture
def bots(app: Flask) -> Any:
    """The bots of the service, who hurry, and have room wherever the test runs."""
    found = app.extensions["digside"].bots
    found.least_s = 0.0
    found._room = lambda: True
    return found


def until(so: Callable[[], Any]) -> Any:
    """What is so, once it is."""
    late = time.monotonic() + PATIENCE_S
    while not (found := so()):
        assert time.monotonic() < late, "it never came"
        time.sleep(0.02)
    return found


def with_bot(app: Flask, box: str = "tutankhamun", kind: str = "curious", **more: Any) -> Asker:
    """The host at a table of Ada and a bot."""
    seats = [{"name": "Ada", "hints": "few"}, {"name": "Bot", "kind": kind}]
    return sit_down(app, box=box, mode="referee", seats=seats, **more)


def asks(host: Asker, seat: int) -> bool:
    view = host.view
    return bool(view["over"] or (view["ask"]["kind"] == "move" and view["ask"]["seats"] == [seat]))


def passed(host: Asker) -> None:
    """Whatever Ada may do, done once."""
    moves = host.get("/moves").json["moves"]
    host.press("/moves", move=moves[-1])


def until_other_moves(host: Asker) -> None:
    """Ada plays until the other has moved, who may do so between two looks, and her turn has come again."""

    def others() -> int:
        return sum(line["kind"] == "move" and line["seat"] == 1 for line in host.view["log"])

    before = others()
    until(lambda: asks(host, 0))
    while others() == before and asks(host, 0):
        passed(host)
    until(lambda: asks(host, 0))


def test_a_bot_moves_when_it_is_asked_and_says_so(app: Flask, bots: Any) -> None:
    host = with_bot(app)
    until_other_moves(host)
    log = host.view["log"]
    made = [line for line in log if line["kind"] == "move" and line["seat"] == 1]
    assert made
    assert {line["by"] for line in made} == {"bot"}
    assert bots.thinker().pid, "a process of its own has thought"
    seat = host.view["seats"][1]
    assert (seat["kind"], seat["hints"], seat["hints_left"]) == ("curious", "none", 0)
    # With one press a person plays there, and the bot no more.
    assert host.seat(0).press("/sit", seat=1, kind="person").status_code == 403
    assert host.seat(1).press("/sit", seat=1, kind="person").status_code == 200
    while not asks(host, 1):
        passed(host)
    seq = host.view["seq"]
    time.sleep(0.3)
    assert host.view["seq"] == seq
    assert host.press("/sit", seat=1, kind="away").status_code == 200
    until(lambda: asks(host, 0))


def test_with_real_pieces_anybody_draws_for_a_bot(app: Flask, bots: Any) -> None:
    host = with_bot(app, box="horus", kind="away", sources={"default": "table"})
    other = host.seat(0)

    def asked() -> Any:
        ask = other.view["ask"]
        return ask if ask["kind"] == "chance" and ask["seat"] == 1 else None

    for _ in range(200):
        view = other.view
        if view["ask"]["kind"] == "chance":
            if asked():
                break
            outcome = next(each for each, weight in view["ask"]["odds"] if weight != 0)
            assert host.press("/outcome", outcome=outcome).status_code == 200
        elif view["ask"]["seats"] == [0]:
            passed(other)
        else:
            time.sleep(0.02)
    ask = asked()
    assert ask, "nobody is asked to draw for the bot"
    assert ask["source"] == "table"
    outcome = next(each for each, weight in ask["odds"] if weight != 0)
    assert other.press("/outcome", outcome=outcome).status_code == 200, "a phone reports it too"


def test_a_hint_is_for_whoever_may_know_it_and_counts_once(app: Flask, bots: Any) -> None:
    host = with_bot(app, box="tomb_raiders", kind="away")
    until(lambda: asks(host, 0))
    ada = host.seat(0)
    refused = host.press("/hint", seat=0)
    assert (refused.status_code, refused.json["error"]["key"]) == (422, "hint.secret")
    assert host.spectator.press("/hint", seat=0).status_code == 401
    assert ada.press("/hint").status_code == 200
    assert ada.press("/hint").status_code == 200
    told = until(lambda: (found := ada.get("/hint").json)["ready"] and found)
    check(host.get("/api/openapi.json").json, ada.get("/hint"), "/api/tables/{table}/hint", "get")
    assert 1 <= len(told["moves"]) <= 3
    assert all(0 <= each["chance"] <= 1 and each["move"] and each["told"]["type"] for each in told["moves"])
    assert told["moves"][0]["move"] in ada.get("/moves").json["moves"]
    assert [line["kind"] for line in host.view["log"]].count("hint") == 1
    assert host.view["seats"][0]["hints_left"] == 2
    # Whoever was handed the tablet may ask on it.
    assert host.get("/hint?seat=0").json["ready"]
    assert host.get("/hint").json["error"]["key"] in {"hint.secret", "hint.not_your_turn"}
    assert host.press("/hints", seat=0, hints="none").status_code == 200
    passed(ada)


def test_a_machine_without_room_hints_by_today_s_bot(app: Flask, bots: Any) -> None:
    bots._room = lambda: False
    host = with_bot(app)
    until(lambda: asks(host, 0))
    assert host.seat(0).press("/hint").status_code == 200
    (move,) = host.seat(0).get("/hint").json["moves"]
    assert "chance" not in move
    until_other_moves(host)
    assert host.view["seats"][1]["bot"] == "no_room"
    assert host.post("/study").status_code == 422


def test_a_study_adds_up_is_kept_and_can_be_stopped(
    app: Flask, bots: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(studies, "BUDGET_S", 5.0)
    laid = lay(app, box="tutankhamun", mode="referee", seats=[{"name": name, "kind": "away"} for name in "AB"])
    host = Asker(app, laid, laid["host"])
    assert host.get("/study").json == {"can": False, "study": None, "making": None}
    assert host.post("/study").status_code == 422, "before the end"
    until(lambda: len(host.view["log"]) > 40)
    for seat in range(2):
        host.press("/sit", seat=seat, kind="person")
    until(lambda: host.press("/close").status_code == 200 or host.view["over"])
    assert host.post("/study").json["making"] is not None
    assert host.post("/study", {"do": "stop"}).json["making"] is None
    assert host.get("/study").json["study"] is None
    assert host.post("/study").json["making"] is not None, "begun anew before the other has noticed its end"
    study = until(lambda: host.get("/study").json["study"])
    check(host.get("/api/openapi.json").json, host.get("/study"), "/api/tables/{table}/study", "get")
    for seat in range(2):
        whole = study["start"][seat] + study["luck"][seat] + study["decisions"][seat]
        assert whole == pytest.approx(study["end"][seat], abs=1e-6)
        each = sum(moment["luck"][seat] + moment["decision"][seat] for moment in study["moments"])
        assert study["start"][seat] + each == pytest.approx(study["end"][seat], abs=1e-6)
    seqs = [moment["seq"] for moment in study["moments"]]
    assert set(study["turns"]) <= set(seqs)
    assert len(study["turns"]) == 3
    kept = tmp_path / "data" / "studies" / f"{host.laid['table']}.json"
    assert kept.exists()
    assert host.owner.post("/api/owner/delete", {"table": host.laid["table"]}).status_code == 200
    assert not kept.exists()


def test_after_a_restart_the_bots_go_on(tmp_path: Path) -> None:
    first = Hall(tmp_path / "data")
    app = create_app(first, NoRig(), settings=UNCOUNTED)
    app.extensions["digside"].bots.least_s = 0.0
    host = with_bot(app, kind="away")
    until(lambda: asks(host, 0))
    app.extensions["digside"].bots.close()
    while asks(host, 0):
        passed(host)
    app.extensions["digside"].close()
    first.close()
    second = Hall(tmp_path / "data")
    app = create_app(second, NoRig(), settings=UNCOUNTED)
    app.extensions["digside"].bots.least_s = 0.0
    again = Asker(app, host.laid, host.key)
    until(lambda: asks(again, 0))
    app.extensions["digside"].close()
    second.close()


def test_a_process_that_is_killed_is_no_loss(app: Flask, bots: Any) -> None:
    host = with_bot(app)
    until(lambda: asks(host, 0))
    thinker: Thinker = bots.thinker()
    while asks(host, 0):
        passed(host)
    for _ in range(3):
        process = thinker._process
        if process is not None:
            process.kill()
    until(lambda: asks(host, 0))


def test_in_a_hall_bots_play_in_the_process_through_which_people_look(
    app: Flask, hall: Hall, bots: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = hall.table(with_bot(app).laid["table"])
    bots._looked.clear()
    assert bots.watches(table), "a person plays with them"
    monkeypatch.setattr(hall.journal, "shared", True)
    assert not bots.watches(table)
    bots.looked(table)
    assert bots.watches(table)
