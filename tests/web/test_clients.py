"""Clients generated from the API's document, as `docs/clients.md` says, play every box; linters find no error in it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from openapi_spec_validator import OpenAPIV31SpecValidator

from companion import games
from tests.needs import needs_npm
from tests.web.live import Live
from tests.web.service_child import UNCOUNTED
from web_ui.api import ALL
from web_ui.api.openapi import document

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "clients.md"
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
SAVED = {"yaml": "client.yaml", "python": "play.py", "ts": "play.ts"}
RULES = """extends: ["spectral:oas"]
rules:  # these take half the time, and there are no examples
  oas3-valid-media-example: "off"
  oas3-valid-schema-example: "off"
"""
pytestmark = pytest.mark.slow


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Live]:
    """Digside with the boxes that it comes with, for programs that play faster than people."""
    monkeypatch.delenv(games.ELSEWHERE, raising=False)
    live = Live(tmp_path / "data", settings=UNCOUNTED)
    yield live
    live.stop()


def run(script: str, folder: Path) -> str:
    """Run a script with what was installed from npm and PyPI at hand."""
    (folder / "node_modules").symlink_to(needs_npm())
    path = f"{needs_npm() / '.bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("DIGSIDE", "COV"))}
    ran = subprocess.run(
        ["bash", "-eu", "-o", "pipefail", "-c", script],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**clean, "PATH": path, "REDOCLY_TELEMETRY": "off", "REDOCLY_SUPPRESS_UPDATE_NOTICE": "true"},
    )
    assert ran.returncode == 0, f"{ran.stdout}\n{ran.stderr}"
    return ran.stdout


def test_generated_clients_play_every_box_to_its_end(service: Live, tmp_path: Path) -> None:
    script = ""
    for kind, block in BLOCK.findall(PAGE.read_text("utf-8")):
        if kind in SAVED:
            (tmp_path / SAVED[kind]).write_text(block, "utf-8")
        elif kind == "sh":
            script += block.replace("http://localhost:8765", f"http://127.0.0.1:{service.port}")
    said = run(script, tmp_path)
    played = [tuple(line.split()[:2]) for line in said.splitlines() if line.startswith(games.REGISTER)]
    boxes = [(name, mode) for name in games.REGISTER for mode in games.modes(name)]
    assert played == boxes * 2, said


def test_linters_find_no_error_in_the_document(tmp_path: Path) -> None:
    whole = document(ALL)
    OpenAPIV31SpecValidator(json.loads(whole)).validate()
    (tmp_path / "openapi.json").write_bytes(whole)
    (tmp_path / ".spectral.yaml").write_text(RULES, "utf-8")
    run("spectral lint --fail-severity error openapi.json; redocly lint openapi.json", tmp_path)
