"""What each call answers."""

from __future__ import annotations

import pytest
from flask import Flask

from companion import __version__
from companion.play.hall import Hall
from tests.core.devices import Device
from tests.web.people import LAYING, Asker, Browser, lay, sit_down

TOO_FAR = {"type": "advance", "seat": 0, "weeks": 5000}
NO_MOVES = [{}, {"type": "fly"}, {"type": "dial"}, {"type": "dial", "knowledge": "x"}, {"type": "dial", "x": 1}]


def test_boxes_say_what_can_be_chosen(client: Browser) -> None:
    boxes = {box["id"]: box for box in client.get("/api/boxes").json["boxes"]}
    assert boxes.keys() == {"jenseits", "tomb_raiders", "horus", "tutankhamun", "shaft"}
    jenseits = boxes["jenseits"]
    assert jenseits["title"] == "Jenseits von Theben"
    assert jenseits["seats"] == {"min": 2, "max": 4}
    assert set(jenseits["modes"]) == {"referee", "toolbox"}
    assert {"JVT-07", "JVT-62"} <= {ruling["rule"] for ruling in jenseits["rulings"]}
    german = {box["id"]: box for box in client.get("/api/boxes?lang=de").json["boxes"]}
    for name, box in boxes.items():
        for ruling, deutsch in zip(box["rulings"], german[name]["rulings"], strict=True):
            assert ruling["said"].endswith("."), ruling
            assert ruling["said"] != deutsch["said"]
    assert all(option["default"] in option["values"] for option in jenseits["options"])
    assert all(set(source["modes"]) <= set(jenseits["modes"]) for source in jenseits["sources"])


def test_a_box_says_where_each_figure_is_from(client: Browser) -> None:
    told = client.get("/api/boxes/horus").json
    assert {figure["origin"] for figure in told["figures"]} <= {"rules", "found", "house", "owner"}
    assert client.get("/api/boxes/chess").status_code == 404


def test_the_rules_of_a_box_can_be_read(client: Browser) -> None:
    told = client.get("/api/boxes/tutankhamun/rules?mode=referee&lang=it").json
    assert (told["id"], told["mode"]) == ("tutankhamun", "referee")
    assert [heading["id"] for heading in told["headings"]] == ["setup", "turn", "end", "shovel", "secrets"]
    assert told["headings"][2]["title"] == "La fine"
    tied = {rule["id"]: rule for rule in told["headings"][2]["rules"]}["TUT-21"]
    assert tied["said"] == "Vince chi ha più denaro tra chi è ancora in gioco."
    assert tied["ruling"] == "In caso di parità la vittoria si divide."
    assert told["headings"][0]["rules"][0]["ruling"] is None


def test_without_a_mode_the_rules_are_the_referees_where_there_is_one(client: Browser) -> None:
    modes = [client.get(f"/api/boxes/{box}/rules").json["mode"] for box in ("jenseits", "shaft")]
    assert modes == ["referee", "referee"]


@pytest.mark.parametrize("asked", ["shaft/rules?mode=toolbox", "jenseits/rules?mode=chess", "chess/rules"])
def test_there_are_no_rules_of_what_is_not_played(client: Browser, asked: str) -> None:
    assert client.get(f"/api/boxes/{asked}").status_code == 404


def test_a_laid_table_tells_its_keys_once_and_its_seal(app: Flask) -> None:
    laid = lay(app)
    assert laid.keys() == {"table", "host", "seats", "seal"}
    assert len({laid["host"], *laid["seats"]}) == 3
    assert len(bytes.fromhex(laid["seal"])) == 32


UNLAYABLE: tuple[dict[str, object], ...] = (
    {"seats": []},
    {"seats": [{"name": "Ada"}]},
    {"seats": [{"name": "Ada"}, {"name": " ada "}]},
    {"seats": [{"name": "Ada"}, {"name": "\n"}]},
    {"seats": [{"name": "Ada"}, {"name": "A\u200dda"}]},
    {"seats": [{"name": "Ada"}, {"name": "\u200d"}]},
    {"seats": [{"name": "Ada", "colour": "red"}, {"name": "Ben"}]},
    {"mode": "chess"},
    {"pace": "slow"},
    {"sources": {"cards": "table"}},
    {"sources": {"default": "nobody"}},
    {"options": {"no_such": True}},
    {"surprise": 1},
)


def test_a_table_that_cannot_be_laid_is_refused(client: Browser, subtests: pytest.Subtests) -> None:
    for wrong in UNLAYABLE:
        with subtests.test(wrong=wrong):
            answer = client.post("/api/tables", json={**LAYING, **wrong})
            assert answer.status_code == 400
            assert answer.json["error"]["code"] == "malformed"
            assert client.get("/api/tables").json == {"tables": []}


def test_a_name_may_be_signs_that_are_drawn_as_one(app: Flask) -> None:
    family = "\U0001f469\u200d\U0001f467\u200d\U0001f466 Ada"
    view = sit_down(app, seats=[{"name": family}, {"name": "Ben"}]).get().json
    assert view["seats"][0]["name"] == family


@pytest.mark.parametrize("wrong", [{"box": "chess"}, {"box": "shaft", "mode": "toolbox"}], ids=str)
def test_what_does_not_exist_is_missing(client: Browser, wrong: dict[str, object]) -> None:
    answer = client.post("/api/tables", json={**LAYING, **wrong})
    assert (answer.status_code, answer.json["error"]["code"]) == (404, "missing")


@pytest.mark.parametrize("mode", ["toolbox", "referee"])
def test_in_flow_a_laid_table_asks_for_the_first_move(app: Flask, mode: str) -> None:
    laid = lay(app, mode=mode, wait=False)
    view = Asker(app, laid, laid["host"]).view
    assert view["ask"]["kind"] == "move"
    assert view["seq"] == view["luck"]["draws"] > 0


@pytest.mark.parametrize(
    "asked", [{"wait": True}, {"pace": "press"}, {"sources": {"default": "table"}}], ids=["wait", "press", "table"]
)
def test_nothing_is_drawn_before_a_hand_where_one_is_waited_for(app: Flask, asked: dict[str, object]) -> None:
    laid = lay(app, **{"wait": False, **asked})
    view = Asker(app, laid, laid["host"]).view
    assert (view["seq"], view["ask"]["kind"], view["log"]) == (0, "chance", [])


def test_the_list_of_tables_has_the_newest_first_and_no_key(app: Flask, client: Browser) -> None:
    first, second = lay(app), lay(app, box="horus")
    told = client.get("/api/tables")
    assert [each["table"] for each in told.json["tables"]] == [second["table"], first["table"]]
    assert told.json["tables"][1]["title"] == "Jenseits von Theben"
    assert not any(key in told.text for key in (first["host"], *first["seats"], second["host"]))


def test_a_view_has_all_the_contract_names(table: Asker) -> None:
    view = table.view
    named = {"table", "box", "mode", "seq", "over", "ask", "board", "you", "seats", "log", "seal", "undo"}
    assert named <= view.keys()
    assert view["seal"] == table.laid["seal"]
    assert view["me"] == {"role": "host", "seat": None}


def test_moves_are_listed_concretely_and_each_can_be_made(table: Asker) -> None:
    told = table.get("/moves").json
    assert told.keys() == {"seq", "moves", "more"}
    assert told["seq"] == table.view["seq"]
    answer = table.press("/moves", move=told["moves"][0])
    assert answer.status_code == 200
    assert answer.json["seq"] == told["seq"] + 1


def test_a_move_answers_with_the_new_view(table: Asker) -> None:
    answer = table.dial(6)
    assert answer.json["board"]["dial"]["knowledge"] == 6
    assert answer.json == table.view


def test_a_spectator_has_no_moves(table: Asker) -> None:
    assert table.spectator.get("/moves").json["moves"] == []


def test_the_same_request_again_has_no_second_effect_and_the_same_answer(table: Asker) -> None:
    body = {"seq": table.view["seq"], "request": "once", "move": {"type": "dial", "knowledge": 5}}
    first = table.post("/moves", body)
    table.dial(7)
    again = table.post("/moves", body)
    assert again.status_code == 200
    assert again.json == first.json
    assert table.view["board"]["dial"]["knowledge"] == 7


def test_a_request_id_is_for_one_thing_only(table: Asker) -> None:
    seq = table.view["seq"]
    table.dial(5, request="once", seq=seq)
    assert table.dial(6, request="once", seq=seq).status_code == 400


def test_a_stale_press_is_refused_with_the_fresh_view(table: Asker) -> None:
    old = table.view["seq"]
    table.dial(5)
    answer = table.dial(6, seq=old)
    assert answer.status_code == 409
    assert answer.json["error"]["code"] == "stale"
    assert answer.json["view"] == table.view


def test_an_illegal_move_is_refused_with_its_rule_and_changes_nothing(table: Asker) -> None:
    before = table.view
    answer = table.press("/moves", move=TOO_FAR)
    assert answer.status_code == 422
    assert answer.json["error"].keys() == {"code", "key", "rule", "facts", "message"}
    assert answer.json["error"]["code"] == "illegal"
    assert table.view == before


MISSHAPEN: tuple[object, ...] = (
    {},
    {"seq": 1},
    {"seq": "1", "request": "a", "move": {}},
    {"seq": 1, "request": "", "move": {}},
    {"seq": 1, "request": "a" * 101, "move": {}},
    {"seq": -1, "request": "a", "move": {}},
    {"seq": 1.5, "request": "a", "move": {}},
    {"seq": True, "request": "a", "move": {}},
    {"seq": 1, "request": "a", "move": []},
    {"seq": 1, "request": "a", "move": {}, "seat": "x"},
    {"seq": 1, "request": "a", "move": {}, "other": 1},
    [],
    "move",
    1,
)


def test_a_body_of_the_wrong_shape_is_malformed(table: Asker, subtests: pytest.Subtests) -> None:
    for body in MISSHAPEN:
        with subtests.test(body=body):
            answer = table.post("/moves", body)
            assert (answer.status_code, answer.json["error"]["code"]) == (400, "malformed")


@pytest.mark.parametrize(
    "move",
    [{}, {"type": "fly"}, {"type": "dial"}, {"type": "dial", "knowledge": "x"}, {"type": "dial", "x": 1}],
    ids=str,
)
def test_a_move_that_is_none_is_malformed(table: Asker, move: object) -> None:
    assert table.press("/moves", move=move).status_code == 400


def test_an_outcome_is_reported_where_the_table_draws(app: Flask) -> None:
    host = sit_down(app, sources={"blocks": "table"}, box="horus")
    host.press("/moves", move={"type": "block"})
    ask = host.view["ask"]
    assert (ask["kind"], ask["source"]) == ("chance", "table")
    assert host.press("/outcome", outcome="nonsense").status_code == 422
    assert host.press("/outcome", outcome=None).status_code == 422
    assert host.press("/outcome", outcome=1.5).status_code == 400
    assert host.press("/outcome", outcome=ask["odds"][0][0]).status_code == 200


def test_a_refusal_tells_a_program_what_its_sentence_says(app: Flask) -> None:
    laying = {**LAYING, "seats": [{"name": "Ada"}, {"name": "Ada"}]}
    answers = [
        Browser(app).post(f"/api/tables?lang={language}", json=laying).json["error"] for language in ("en", "de")
    ]
    told = {"code": "malformed", "key": "core.same_name", "rule": None, "facts": {"name": "Ada"}}
    assert [{**answer, "message": ""} for answer in answers] == [{**told, "message": ""}] * 2
    assert [answer["message"] for answer in answers] == ["Two players are called Ada.", "Zwei Personen heißen Ada."]


def test_an_outcome_is_refused_where_nothing_is_drawn(table: Asker) -> None:
    answer = table.press("/outcome", outcome=None)
    assert (answer.status_code, answer.json["error"]["key"]) == (422, "core.no_draw")


def test_undo_takes_back_and_goes_forward_again(table: Asker) -> None:
    before = table.view["board"]
    table.dial(7)
    after = table.view["board"]
    assert table.press("/undo").json["board"] == before
    assert table.press("/undo", to=table.view["undo"]["redo"]).json["board"] == after


def test_a_device_joins_and_tells_what_it_is_asked_for(table: Asker) -> None:
    drawn = table.view["luck"]["draws"]
    tablet, phone = Device("host"), Device("0")
    joined = table.press("/stir", tip=tablet.value).json["luck"]
    assert (joined["draws"], joined["stirs"], joined["round"], joined["version"]) == (drawn, 1, [], 2)
    assert joined["members"] == [{"who": "host", "value": tablet.value[:32]}]
    asked = table.seat(0).press("/stir", tip=phone.value).json["luck"]
    assert (asked["stirs"], asked["stirred"]) == (1, joined["stirred"])
    assert asked["round"] == [{"who": "host", "told": False}, {"who": "0", "told": True}]
    told = table.press("/stir", part=tablet.next()).json["luck"]
    assert (told["stirs"], told["round"]) == (2, [])
    assert told["stirred"] != joined["stirred"]
    assert table.press("/stir", tip=Device("host").value).json["error"]["key"] == "stir.taken"
    for wrong in (
        {},
        {"pinch": ""},
        {"commit": "ab"},
        {"commit": "a" * 64, "pinch": "x"},
        {"tip": "a" * 64, "pinch": "x"},
        {"part": "a" * 64, "instead": True},
    ):
        assert table.press("/stir", **wrong).status_code == 400, wrong
    for earlier in ({"pinch": "salt"}, {"commit": "a" * 64}):
        assert table.press("/stir", **earlier).json["error"]["key"] == "stir.by_part"


def test_corrections_are_listed_and_the_host_can_make_them(table: Asker) -> None:
    forms = table.get("/corrections").json["corrections"]
    types = [form["properties"]["type"]["enum"][0] for form in forms]
    assert "marker" in types
    answer = table.press("/correct", correction={"type": "marker", "seat": 0, "at": 3})
    assert answer.json["log"][-1]["kind"] == "correct"
    assert table.press("/correct", correction={"type": "no_such"}).status_code == 400


def test_closing_opens_the_seal_and_nothing_is_played_after(table: Asker) -> None:
    closed = table.press("/close").json
    assert (closed["over"], closed["closed"], closed["ask"]["kind"]) == (True, True, "over")
    assert closed["secret"] is not None
    answer = table.dial()
    assert (answer.status_code, answer.json["error"]["code"]) == (422, "over")


def test_luck_counts_what_fell_against_what_should_have(app: Flask) -> None:
    host = sit_down(app, box="horus")
    for _ in range(3):
        assert host.press("/moves", move={"type": "roll", "count": 2}).status_code == 200
    dice = {each["randomizer"]: each for each in host.get("/luck").json["randomizers"]}["dice"]
    assert (dice["draws"], dice["reported"]) == (6, 0)
    assert sum(each["fell"] for each in dice["outcomes"]) == 6
    assert sum(each["expected"] for each in dice["outcomes"]) == pytest.approx(6, abs=0.01)


def test_a_record_goes_out_and_comes_in_as_another_table(table: Asker) -> None:
    table.dial(4)
    record = table.get("/record")
    assert "attachment" in record.headers["Content-Disposition"]
    taken = Browser(table.app).own().post("/api/tables/import", data=record.data, content_type="application/json")
    assert taken.status_code == 201
    assert taken.json["table"] != table.laid["table"]
    assert taken.json["seal"] != table.laid["seal"]
    again = Asker(table.app, taken.json, taken.json["host"])
    assert again.view["board"] == table.view["board"]


def test_what_is_no_record_is_not_taken_in(client: Browser) -> None:
    for body in (b"", b"[]", b"{}", b'{"format": "digside-record"}', b"\xff"):
        answer = client.own().post("/api/tables/import", data=body, content_type="application/json")
        assert answer.status_code == 400, body
    assert client.get("/api/tables").json == {"tables": []}


def test_health_tells_the_newest_step_on_disk(table: Asker) -> None:
    table.dial()
    health = table.get("/healthz").json
    newest = {"table": table.laid["table"], "seq": table.view["seq"]}
    assert health == {"ok": True, "version": __version__, **newest, "journal": "writable", "rig_age_s": 0.0}


def test_a_disk_that_takes_nothing_is_told_and_nothing_is_shown(
    table: Asker, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.refusals import Storage

    def full(*_: object) -> None:
        raise Storage("core.disk_full", folder="data")

    before = table.view
    monkeypatch.setattr(hall.journal, "append", full)
    monkeypatch.setattr(hall.journal, "writable", full)
    answer = table.dial()
    assert (answer.status_code, answer.json["error"]["code"]) == (507, "storage")
    assert table.view == before
    assert table.get("/healthz").status_code == 507


def test_metrics_speak_prometheus(table: Asker) -> None:
    table.dial()
    table.press("/moves", move=TOO_FAR)
    text = table.get("/metrics").text
    assert 'digside_entries_total{kind="move"} 1.0' in text
    assert 'digside_refusals_total{code="illegal"} 1.0' in text
    assert "digside_step_seconds_count" in text
    assert "digside_tables 1.0" in text
    assert all(line.startswith("#") or float(line.split(" ")[-1]) >= 0 for line in text.splitlines())


def test_a_mistake_of_ours_is_told_without_a_trace(
    table: Asker, hall: Hall, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(hall, "tables", lambda *_: 1 // 0)
    answer = table.get("/api/tables")
    assert (answer.status_code, answer.json["error"]["code"]) == (500, "broken")
    assert "ZeroDivision" not in answer.text
    assert "Traceback" not in answer.text
    assert "ZeroDivisionError" in caplog.text


def test_addresses_and_methods_that_do_not_exist(client: Browser) -> None:
    assert client.get("/api/nothing").status_code == 404
    assert client.get("/api/tables/zzzzz").json["error"]["key"] == "core.no_table"
    answer = client.ask("DELETE", "/api/tables")
    assert (answer.status_code, answer.json["error"]["code"]) == (405, "wrong_method")
    assert answer.headers["Allow"] == "GET, HEAD, OPTIONS, POST"
    asked = client.ask("OPTIONS", "/api/tables")
    assert (asked.status_code, asked.headers["Allow"], asked.data) == (200, answer.headers["Allow"], b"")


def test_who_asks_for_the_head_alone_is_told_no_more(client: Browser) -> None:
    whole, head = client.get("/api/boxes"), client.ask("HEAD", "/api/boxes")
    assert (head.status_code, head.data) == (200, b"")
    assert head.headers["Content-Length"] == str(len(whole.data))


def test_what_is_filled_in_leads_no_further_than_its_place(client: Browser) -> None:
    for address in ("/api/tables/", "/api/tables//moves", "/api/tables/a/moves/", "/api/tables/a/qr/.svg", "/api//rig"):
        answer = client.get(address)
        assert (answer.status_code, answer.json["error"]["key"]) == (404, "web.no_page"), address


def test_the_owner_alone_notes_that_a_copy_is_otherwise(app: Flask) -> None:
    """What is reported beyond our figures is in the view; one press of the owner's has the next table expect it."""
    real = {"mode": "referee", "wait": False, "options": {"tray": "physical"}}
    host = sit_down(app, box="tutankhamun", **real)
    seat = host.view["ask"]["seat"]
    assert host.press("/moves", seat=seat, move={"type": "dig", "square": "b2"}).status_code == 200
    ask = host.view["ask"]
    assert "mask" in ask["besides"]
    assert "obelisk_top" not in ask["besides"]
    refused = host.press("/outcome", outcome="earth")
    assert (refused.status_code, refused.json["error"]["rule"]) == (422, "TUT-02")
    assert host.press("/outcome", outcome="mask").status_code == 200
    told = [{"type": "otherwise_layer", "layer": 5, "key": "layers.5", "what": "mask", "n": 1}]
    assert host.spectator.view["otherwise"] == told
    differing = host.spectator.get("/otherwise").json
    assert (differing["noted"], differing["figures"]["layers.5"]["mask"]) == (False, 1)
    for guest in (host, host.seat(0), host.spectator):
        assert guest.post("/otherwise").status_code in (401, 403)
    assert not (app.extensions["digside"].hall.own_boxes / "tutankhamun.toml").exists()
    assert host.owner.post("/otherwise").json["noted"]
    assert host.get("/otherwise").json["noted"]
    later = sit_down(app, box="tutankhamun", **real)
    assert later.view["board"]["layers"][4]["cards"]["mask"] == 1
    assert later.view["otherwise"] == []
