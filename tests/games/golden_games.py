"""The golden games of a game's folder. That each comes out as it did is a law: tests/laws/test_golden.py."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from companion.play.golden import Golden, read_golden

Line = Mapping[str, Any]
"""A step as a golden game has it."""


def beside(test: str) -> dict[str, Golden]:
    """The games that are kept beside a test, by their names."""
    found = {file.stem: read_golden(file) for file in sorted(Path(test).with_name("golden").glob("*.json"))}
    return {name: golden for name, golden in found.items() if golden is not None}
