"""A call that was released stays as it was: whoever wrote a client for it finds all that it uses.

After a release: `python -m tests.web.test_released_calls` keeps its document in `released/`.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion import __version__
from tests.web.compatible import breaks, stored
from web_ui.api import ALL
from web_ui.api.openapi import document

RELEASED = Path(__file__).parent / "released"
TABLE = "/api/tables/{table}"


@pytest.fixture(scope="module")
def now() -> Any:
    """The document of today."""
    return stored(json.loads(document(ALL)))


@pytest.mark.parametrize("kept", sorted(RELEASED.glob("*.json")), ids=lambda kept: kept.stem)
def test_whoever_wrote_against_a_release_misses_nothing(kept: Path, now: Any) -> None:
    assert breaks(json.loads(kept.read_text("utf-8")), now) == []


def _schema(document: Any, name: str) -> Any:
    return document["components"]["schemas"][name]


def _renamed(table: Any, name: str, *, to: str) -> None:
    table[to] = table.pop(name)


@pytest.mark.parametrize(
    ("changed", "missed"),
    [
        (lambda new: new["paths"].pop(TABLE), f"GET {TABLE}: gone"),
        (lambda new: new["paths"][TABLE]["get"]["parameters"].pop(), "no seq in query any more"),
        (lambda new: new["paths"][TABLE]["get"]["parameters"][1].update(required=True, name="x"), "needs x now"),
        (lambda new: new["paths"]["/api/tables"]["post"]["responses"].pop("201"), "no 201 any more"),
        (lambda new: _schema(new, "HorusBoard")["properties"].pop("round"), ".board.round: gone"),
        (lambda new: _schema(new, "HorusBoard")["required"].remove("round"), "may lack ['round'] now"),
        (lambda new: _schema(new, "Closing")["required"].append("why"), "needs ['why'] now"),
        (
            lambda new: _schema(new, "TutankhamunDig")["properties"]["type"].update(const="scoop"),
            ".square: gone",
        ),
        (lambda new: _renamed(_schema(new, "Laying")["properties"], "pace", to="speed"), ".pace: gone"),
        (
            lambda new: _schema(new, "Luck")["properties"].update(draws={"type": "string"}),
            ".luck.draws: no integer any",
        ),
        (lambda new: _schema(new, "Laying")["properties"]["mode"]["enum"].remove("toolbox"), "no ['toolbox'] any more"),
        (
            lambda new: _schema(new, "Luck")["properties"].update(
                draws={"anyOf": [{"type": "integer"}, {"type": "null"}]}
            ),
            ".luck.draws: may be null now",
        ),
    ],
)
def test_what_breaks_a_client_is_noticed(now: Any, changed: Callable[[Any], object], missed: str) -> None:
    new = copy.deepcopy(now)
    changed(new)
    assert any(missed in each for each in breaks(now, new)), breaks(now, new)


def test_what_is_added_breaks_nobody(now: Any) -> None:
    new = copy.deepcopy(now)
    new["paths"]["/api/more"] = {"get": {"parameters": [], "responses": {}}}
    _schema(new, "HorusBoard")["properties"]["weather"] = {"type": "string"}
    _schema(new, "Closing")["properties"]["why"] = {"type": "string"}
    _schema(new, "Move")["anyOf"].append({"$ref": "#/components/schemas/Closing"})
    assert breaks(now, new) == []


if __name__ == "__main__":
    kept = RELEASED / f"{__version__}.json"
    kept.write_text(
        json.dumps(stored(json.loads(document(ALL))), separators=(",", ":"), sort_keys=True) + "\n", "utf-8"
    )
    print(kept)
