"""The API document: complete, and true of what is really answered."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest
from flask import Flask

from companion import games
from tests.core.devices import Device
from tests.web.people import LAYING, Asker, Browser, Told, lay, sit_down
from web_ui.api.blueprint import finder
from web_ui.api.game_schemas import FREE

LOOKS = ("/api/boxes", "/api/tables", "/api/rig", "/api/rig/stream", "/healthz", "/metrics")


@pytest.fixture
def document(client: Browser) -> dict[str, Any]:
    """The document as anybody gets it."""
    told: dict[str, Any] = client.get("/api/openapi.json").json
    return told


def check(document: dict[str, Any], answer: Told, path: str, method: str) -> None:
    """An answer is one the document speaks of, in status, type and shape."""
    operation = document["paths"][path][method]
    told = operation["responses"][str(answer.status_code)]
    media, content = next(iter(told["content"].items()))
    assert answer.mimetype == media.partition(";")[0]
    if media == "application/json":
        schema = {**content["schema"], "components": document["components"]}
        jsonschema_rs.validator_for(schema).validate(json.loads(answer.data))


def test_the_document_is_openapi_with_no_loose_ends(document: dict[str, Any]) -> None:
    assert document["openapi"] == "3.1.0"
    text = json.dumps(document)
    named = {part.partition('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert named <= document["components"]["schemas"].keys()
    for name, schema in document["components"]["schemas"].items():
        jsonschema_rs.meta.validate(schema)
        assert name.isidentifier(), "a class of the same name is in two modules"
    free = {name for name, schema in document["components"]["schemas"].items() if schema == FREE}
    assert free <= {"ShaftBoard", "ShaftHelp"}, "a game outside of Digside need not type what it shows; ours do"


def test_every_address_of_it_leads_to_its_own_call(document: dict[str, Any], app: Flask) -> None:
    asked = [
        (method.upper(), path.replace("{", "a-").replace("}", ""), operation["operationId"])
        for path, item in document["paths"].items()
        for method, operation in item.items()
    ]
    assert len(asked) > 50
    find = finder(app)
    assert [call and call.name for call in (find(method, path) for method, path, _ in asked)] == [
        name for _, _, name in asked
    ]
    assert find("GET", "/") is find("PUT", "/api/rig") is find("GET", f"/api/{'x' * 99}") is None


def test_every_call_is_answered_as_it_says(document: dict[str, Any], table: Asker) -> None:
    laid = Browser(table.app).post("/api/tables", json=LAYING)
    check(document, laid, "/api/tables", "post")
    table.dial(4)
    record = table.get("/record")
    taken = Browser(table.app).own().post("/api/tables/import", data=record.data, content_type="application/json")
    check(document, taken, "/api/tables/import", "post")
    for path in (*LOOKS, "/api/openapi.json"):
        check(document, table.get(path), path, "get")
    check(document, table.get("/api/boxes/horus"), "/api/boxes/{box}", "get")
    for call in ("", "/moves", "/keys", "/corrections", "/luck", "/record", "/stream"):
        check(document, table.get(call), "/api/tables/{table}" + call, "get")
    check(document, table.get("/keepsake.png"), "/api/tables/{table}/keepsake.png", "get")
    check(document, table.get("/qr/0.svg"), "/api/tables/{table}/qr/{seat}.svg", "get")
    presses: dict[str, dict[str, Any]] = {
        "/moves": {"move": {"type": "dial", "knowledge": 3}},
        "/undo": {},
        "/stir": {"tip": Device("host").value},
        "/correct": {"correction": {"type": "marker", "seat": 0, "at": 2}},
        "/close": {},
    }
    for call, body in presses.items():
        check(document, table.press(call, **body), "/api/tables/{table}" + call, "post")
    entered = table.post("/enter", {"key": table.laid["host"]})
    check(document, entered, "/api/tables/{table}/enter", "post")
    check(document, table.post("/leave"), "/api/tables/{table}/leave", "post")
    check(document, table.post("/rig"), "/api/tables/{table}/rig", "post")
    check(document, table.post("/api/rig/shovel", {"do": "stop"}), "/api/rig/shovel", "post")


@pytest.mark.parametrize(("box", "mode"), games.registered())
def test_the_view_of_every_game_is_as_it_says(document: dict[str, Any], app: Flask, box: str, mode: str) -> None:
    laid = lay(app, box=box, mode=mode, pace="press")
    host = Asker(app, laid, laid["host"])
    for _ in range(30):
        view = host.get()
        check(document, view, "/api/tables/{table}", "get")
        check(document, host.seat(0).get(), "/api/tables/{table}", "get")
        if view.json["ask"]["kind"] == "chance":
            host.press("/outcome", outcome=None)
        elif moves := host.get("/moves").json["moves"]:
            host.press("/moves", move=moves[len(moves) // 2])
    check(document, host.get("/moves"), "/api/tables/{table}/moves", "get")
    check(document, host.get("/corrections"), "/api/tables/{table}/corrections", "get")
    check(document, host.get("/aids"), "/api/tables/{table}/aids", "get")
    check(document, host.seat(0).press("/close"), "/api/tables/{table}/close", "post")
    check(document, host.press("/close"), "/api/tables/{table}/close", "post")


def test_a_box_that_does_not_hold_is_refused_as_it_says(document: dict[str, Any], app: Flask, tmp_path: Path) -> None:
    lay(app)
    (tmp_path / "data" / "boxes").mkdir(exist_ok=True)
    (tmp_path / "data" / "boxes" / "jenseits.toml").write_text("weeks = [")
    anybody = Browser(app)
    for path in ("/api/boxes", "/api/tables"):
        check(document, anybody.get(path), path, "get")
    check(document, anybody.get("/api/boxes/jenseits"), "/api/boxes/{box}", "get")
    check(document, anybody.get("/api/boxes/jenseits/rules"), "/api/boxes/{box}/rules", "get")
    check(document, anybody.post("/api/tables", json=LAYING), "/api/tables", "post")


def test_refusals_are_as_it_says(document: dict[str, Any], table: Asker) -> None:
    moves = "/api/tables/{table}/moves"
    check(document, table.dial(seq=0), moves, "post")
    check(document, table.press("/moves", move={"type": "advance", "seat": 0, "weeks": 5000}), moves, "post")
    check(document, table.post("/moves", []), moves, "post")
    check(document, table.spectator.dial(), moves, "post")
    check(document, table.spectator.get("?seat=0"), "/api/tables/{table}", "get")
    check(document, table.get("/api/boxes/chess"), "/api/boxes/{box}", "get")
    gone = sit_down(table.app)
    gone.path = "/api/tables/zzzzz"
    check(document, gone.get(), "/api/tables/{table}", "get")
    check(document, table.post("/api/rig/shovel", {"do": "grip"}), "/api/rig/shovel", "post")
