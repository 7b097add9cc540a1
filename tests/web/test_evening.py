"""What is left of a table: every earlier view, its story, the next game of the same people, what if, bots to watch."""

from __future__ import annotations

import html
import random
import threading
from typing import Any

import pytest
from flask import Flask

from companion.play.hall import Hall
from tests.laws.play import Presser
from tests.web.people import NAMES, Asker, Browser, sit_down
from web_ui.shows import Shows


@pytest.fixture
def over(table: Asker) -> Asker:
    """A toolbox table at which something was done before it was closed."""
    for knowledge in (3, 4, 5):
        assert table.dial(knowledge).status_code == 200
    assert table.press("/close").status_code == 200
    return table


def test_a_page_of_a_table_is_made_once_it_is_over(table: Asker) -> None:
    assert table.get("/page.html").status_code == 422
    table.dial(3)
    table.press("/close")
    page = table.get("/page.html")
    assert page.mimetype == "text/html"
    assert "default-src 'none'" in html.unescape(page.data.decode())
    assert b"attachment" in page.headers["Content-Disposition"].encode()


@pytest.fixture
def sand(app: Flask) -> Asker:
    """Layers are dealt, and nobody may know how they lie."""
    return sit_down(app, box="tutankhamun", mode="referee", wait=False, seats=[{"name": name} for name in NAMES])


@pytest.fixture
def hanging(app: Flask) -> Asker:
    """A real tray whose last card is reported: with that the game has come to its end."""
    seats, options = [{"name": name} for name in NAMES[:2]], {"tray": "physical"}
    table = sit_down(app, box="tutankhamun", mode="referee", seats=seats, options=options)
    game = app.extensions["digside"].hall.table(table.laid["table"])
    for _ in Presser(game, random.Random(5)).go_on(3000):
        pass
    assert game.hinge() is not None
    return table


def new_table(app: Flask, answer: Any) -> Asker:
    assert answer.status_code == 201, answer.text
    return Asker(app, answer.json, answer.json["host"])


def test_a_table_is_shown_as_it_was_after_any_step(over: Asker) -> None:
    seen = [over.get(f"?seq={seq}&seat=spectator").json for seq in range(over.view["seq"] + 1)]
    assert [view["seq"] for view in seen] == list(range(len(seen)))
    assert {view["me"]["role"] for view in seen} == {"spectator"}
    assert [view["over"] for view in seen] == [False] * (len(seen) - 1) + [True]
    assert [view["secret"] is None for view in seen] == [True] * (len(seen) - 1) + [False]
    dials = [view["board"]["dial"]["knowledge"] for view in seen]
    assert dials[-4:-1] == [3, 4, 5]


@pytest.mark.parametrize("seq", ["-1", "x", "", "9999", "٣", "1.0", "123456789012"])
def test_a_step_there_never_was_is_refused(over: Asker, seq: str) -> None:
    refused = over.get(f"?seq={seq}")
    assert (refused.status_code, refused.json["error"]["key"]) == (400, "undo.no_such_step")


def test_an_end_that_hangs_on_a_report_waits_for_somebody_elses_word(hanging: Asker) -> None:
    view = hanging.view
    reporter = view["hinge"]["seat"]
    own, other = hanging.seat(reporter), hanging.seat(1 - reporter)
    told = [each.get("").json for each in (hanging, own, other, hanging.spectator)]
    assert [each["hinge"]["confirm"] for each in told] == [True, False, True, False]
    assert [each["undo"]["open"] for each in told] == [True, True, False, False]
    assert {(each["settled"], each["secret"]) for each in told} == {(False, None)}
    assert len({each["hinge"]["reports"][-1]["outcome"] for each in told}) == 1
    for path in ("/story", "/keepsake.png", "/draws"):
        assert hanging.get(path).status_code in {404, 422}
    assert not hanging.get("/api/tables").json["tables"][0]["over"]
    assert own.press("/settle").json["error"]["key"] == "core.own_report"
    assert hanging.spectator.press("/settle").status_code in {401, 403}
    assert other.press("/undo").json["error"]["key"] == "undo.not_yours"
    assert own.press("/undo").json["over"] is False
    assert own.press("/undo", to=own.view["undo"]["redo"]).json["over"] is True
    asked = {"seq": other.view["seq"], "request": "its answer gets lost"}
    settled = other.press("/settle", **asked).json
    assert (settled["settled"], settled["hinge"]) == (True, None)
    assert settled["secret"]
    again = other.press("/settle", **asked)
    assert (again.status_code, again.json) == (200, settled)
    assert [line["kind"] for line in hanging.view["log"]].count("settle") == 1
    assert own.press("/settle").json["error"]["code"] == "over"
    assert hanging.get("/keepsake.png").status_code == 200


def test_any_key_may_look_as_everybody_does(table: Asker) -> None:
    for who in (table, table.seat(0), table.spectator):
        assert who.get("?seat=spectator").json["me"] == {"role": "spectator", "seat": None}


def test_before_the_end_an_earlier_view_tells_no_more_than_it_did(sand: Asker) -> None:
    told = [sand.get(f"?seq={seq}&seat=spectator").text for seq in range(sand.view["seq"] + 1)]
    assert not any('"found"' in view for view in told)


def test_the_course_has_every_step_and_its_hour(over: Asker, sand: Asker) -> None:
    told = over.spectator.get("/course").json
    assert [step["seq"] for step in told["steps"]] == list(range(1, over.view["seq"] + 1))
    assert told["growth"] is None
    growth = sand.get("/course").json["growth"]
    assert growth["weeks"] is False
    assert [line[-1]["points"] for line in growth["seats"]] == [row["total"] for row in sand.view["board"]["seats"]]


@pytest.mark.parametrize(("ask", "body"), [("branch", {"seq": 0}), ("rematch", {})])
def test_before_the_end_there_is_neither_what_if_nor_rematch(sand: Asker, ask: str, body: Any) -> None:
    refused = sand.post(f"/{ask}", body)
    assert (refused.status_code, refused.json["error"]["key"]) == (422, "core.before_the_end")


def test_before_the_end_there_is_no_story(sand: Asker) -> None:
    refused = sand.get("/story")
    assert (refused.status_code, refused.json["error"]["key"]) == (422, "core.before_the_end")
    assert sand.press("/close").status_code == 200
    assert [each["seat"] for each in sand.get("/story").json["seats"]] == [0, 1]


def test_what_if_is_a_table_of_its_own_in_play(app: Flask, over: Asker) -> None:
    seq = over.view["seq"] - 2
    before = over.get(f"?seq={seq}").json
    copy = new_table(app, over.spectator.post("/branch", {"seq": seq}))
    assert copy.laid["table"] != over.laid["table"]
    assert not set(copy.laid["seats"]) & set(over.laid["seats"])
    assert copy.view["board"] == before["board"]
    assert copy.view["seal"] != before["seal"]
    assert copy.dial(7).status_code == 200
    assert over.view["over"]


def test_what_if_does_not_begin_where_all_is_over(over: Asker) -> None:
    refused = over.post("/branch", {"seq": over.view["seq"]})
    assert (refused.status_code, refused.json["error"]["key"]) == (422, "core.nothing_left")
    assert over.post("/branch", {"seq": 9999}).status_code == 400


def test_a_rematch_has_the_same_people_and_is_laid_once(app: Flask, over: Asker) -> None:
    following = new_table(app, over.post("/rematch"))
    assert over.view["next"] == following.laid["table"]
    assert following.view["next"] is None
    for part in ("box", "mode", "seats", "options", "sources", "pace"):
        assert following.view[part] == over.view[part]
    assert over.post("/rematch").json == following.laid


def test_whoever_has_no_host_key_lays_no_rematch(over: Asker) -> None:
    assert over.seat(0).post("/rematch").status_code == 403
    assert over.spectator.post("/rematch").status_code == 401


def test_the_first_layer_goes_round(app: Flask, sand: Asker) -> None:
    assert sand.press("/close").status_code == 200
    following = new_table(app, sand.post("/rematch"))
    assert (sand.view["options"]["first_layer"], following.view["options"]["first_layer"]) == (0, 1)


def test_phones_go_along_to_their_own_seats(app: Flask, over: Asker) -> None:
    assert over.seat(1).post("/follow").status_code == 404
    following = new_table(app, over.post("/rematch"))
    phone = over.seat(1).post("/follow")
    assert phone.json == {"table": following.laid["table"], "me": {"role": "seat", "seat": 1}}
    assert following.laid["seats"][1] in phone.headers["Set-Cookie"]
    assert over.post("/follow").json["me"] == {"role": "host", "seat": None}
    assert over.spectator.post("/follow").status_code == 401


def test_a_hall_that_was_closed_still_knows_the_next_table(tmp_path: Any, app: Flask, hall: Hall, over: Asker) -> None:
    following = over.post("/rematch").json["table"]
    again = Hall(hall.folder, reading=True)
    assert again.table(over.laid["table"]).next == following
    again.close()


def test_the_evenings_tell_who_won_what_with_whom(app: Flask, over: Asker) -> None:
    told = over.get("/api/evenings").json
    assert not told["more"]
    (evening,) = told["evenings"]
    assert (evening["table"], evening["names"]) == (over.laid["table"], list(NAMES))
    assert len(evening["end"]["totals"]) == 2
    assert {person["name"]: person["others"][0]["of"] for person in told["people"]} == {"Ada": "Ben", "Ben": "Ada"}
    sit_down(app)
    assert len(over.get("/api/evenings").json["evenings"]) == 1


def test_the_list_of_evenings_is_paged(app: Flask, over: Asker, monkeypatch: pytest.MonkeyPatch) -> None:
    again = new_table(app, over.post("/rematch"))
    assert again.press("/close").status_code == 200
    every = over.get("/api/evenings").json
    monkeypatch.setattr("web_ui.api.evening.LISTED", 1)
    first, second = (over.get(f"/api/evenings?first={n}").json for n in (0, 1))
    assert [page["older"] for page in (every, first, second)] == [False, True, False]
    assert first["evenings"] + second["evenings"] == every["evenings"]
    assert (first["people"], second["people"]) == (every["people"], [])
    assert over.get("/api/evenings?first=x").status_code == 400


def shows(app: Flask) -> Shows:
    found: Shows = app.extensions["digside"].shows
    return found


def test_bots_are_told_of_where_there_are_any(client: Browser, monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(box["bots"] for box in client.get("/api/boxes").json["boxes"])
    monkeypatch.setattr("companion.play.show.bots_of", lambda box: {})
    refused = client.post("/api/shows", json={"box": "horus"})
    assert (refused.status_code, refused.json["error"]["key"]) == (404, "core.no_bots")


def test_a_show_is_the_same_for_all_who_watch_and_kept_nowhere(app: Flask, client: Browser, hall: Hall) -> None:
    table = client.post("/api/shows", json={"box": "shaft"}).json["table"]
    assert client.post("/api/shows", json={"box": "shaft"}).json["table"] == table
    assert client.get(f"/api/tables/{table}").json["me"]["role"] == "spectator"
    assert client.get("/api/tables").json["tables"] == []
    assert hall.tables() == []


def test_a_show_stands_still_while_nobody_looks(app: Flask, client: Browser) -> None:
    table = client.post("/api/shows", json={"box": "shaft"}).json["table"]
    assert not shows(app).turn()
    assert client.get(f"/api/tables/{table}").json["seq"] == 0


@pytest.mark.parametrize("box", ["shaft", "jenseits", "tutankhamun"])
def test_bots_play_to_the_end_while_somebody_looks(app: Flask, hall: Hall, box: str) -> None:
    told: list[int] = []
    played = Shows(hall, lambda table: True, lambda table: told.append(table.seq))
    table = played.of(box, NAMES)
    turns = 0
    while played.turn():
        turns += 1
    assert table.over()
    assert turns > 20
    assert played.of(box, NAMES) is not table
    assert told == [0, 0]


def test_a_show_is_played_by_one_thread_that_ends_with_the_last_look(hall: Hall) -> None:
    looks = threading.Event()
    looks.set()
    played = Shows(hall, lambda table: looks.is_set(), lambda table: None, pace=0.001)
    table = played.of("shaft", NAMES)
    went_on = threading.Event()
    table.listen(lambda table, lines: went_on.set())
    played.looked(table.id)
    assert went_on.wait(10)
    (player,) = [thread for thread in threading.enumerate() if thread.name == "shows"]
    looks.clear()
    player.join(10)
    assert not player.is_alive()
    seq = table.seq
    looks.set()
    went_on.clear()
    if not table.over():
        played.looked(table.id)
        assert went_on.wait(10)
        assert table.seq > seq
    played.close()
