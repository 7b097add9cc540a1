"""Whatever is sent, the service answers in a way its document speaks of, and never with a mistake of its own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from companion.play.hall import Hall
from hardware.face import NoRig
from tests.laws.play import THOROUGH
from tests.web.conftest import UNCOUNTED
from tests.web.people import Asker, Entrance, sit_down
from web_ui.api import ALL
from web_ui.api.calls import Call
from web_ui.app import create_app

CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
TRIES: Any = {
    "max_examples": 4 * THOROUGH,
    "deadline": None,
    "database": None,
    "derandomize": True,
    "suppress_health_check": list(HealthCheck),
}
AS_TOLD, OTHERWISE = GenerationMode.POSITIVE, GenerationMode.NEGATIVE


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """One service for all of it."""
    hall = Hall(tmp_path_factory.mktemp("fuzz"))
    yield create_app(hall, NoRig(), settings=UNCOUNTED)
    hall.close()


@pytest.fixture(scope="module")
def host(app: Flask) -> Asker:
    """The host of a table there."""
    return sit_down(app)


@pytest.fixture(scope="module")
def schema(app: Flask) -> Any:
    """The document, as the tool reads it."""
    entrance = Entrance.of(app)

    def unpacked(environ: dict[str, Any], start: Any) -> Any:
        """The tool takes packed answers and does not unpack them."""
        return entrance({**environ, "HTTP_ACCEPT_ENCODING": "identity"}, start)

    return schemathesis.openapi.from_wsgi("/api/openapi.json", unpacked)


@pytest.mark.slow
def test_what_is_sent_as_it_is_told(schema: Any, host: Asker, subtests: pytest.Subtests) -> None:
    for call in ALL:
        with subtests.test(call.name):
            send_whatever(call, AS_TOLD, schema, host)


@pytest.mark.slow
def test_what_is_sent_otherwise(schema: Any, host: Asker, subtests: pytest.Subtests) -> None:
    for call in ALL:
        if call.query or call.method == "POST":
            with subtests.test(call.name):
                send_whatever(call, OTHERWISE, schema, host)


def send_whatever(call: Call, mode: GenerationMode, schema: Any, host: Asker) -> None:
    path = call.path.replace("<", "{").replace(">", "}")

    @settings(**TRIES)
    @given(case=schema[path][call.method].as_strategy(generation_mode=mode))
    def send(case: Any) -> None:
        if "table" in (case.path_parameters or {}):
            case.path_parameters["table"] = host.laid["table"]
            case.headers["Authorization"] = f"Bearer {host.key}"
        if call.name == "import_table" and mode is AS_TOLD:
            case.body = host.get("/record").json
        case.validate_response(case.call(), checks=CHECKS)

    send()
