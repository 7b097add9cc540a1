"""Programs that some tests need: without them a test is skipped and says how to get them; on CI it fails."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest


def _missing(what: str, apt: str) -> None:
    message = f"{what} is missing: apt install {apt}"
    if os.environ.get("CI") == "true":
        pytest.fail(message)
    pytest.skip(message)


def needs_program(name: str, *, apt: str) -> str:
    """Return the path of a program, or skip the test visibly."""
    path = shutil.which(name)
    if path is None:
        _missing(name, apt)
    return str(path)


def needs_file(path: str, *, apt: str) -> Path:
    """Return the path of an installed file (a header, a library), or skip the test visibly."""
    if not Path(path).exists():
        _missing(path, apt)
    return Path(path)


def needs_npm() -> Path:
    """Return the folder of what the tests need from npm, or skip the test visibly."""
    folder = Path(__file__).parent / "node_modules"
    if not (folder / ".bin" / "spectral").exists():
        _missing("what tests/package.json names", "npm, then `make node`")
    return folder
