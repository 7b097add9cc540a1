"""What is installed is all that is needed: every file of the packages, and the licence of whatever is not our own."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
PACKAGES = ("companion", "hardware", "firmware_bridge", "web_ui")
MADE = {"__pycache__", "out"}
ONLY_READ_AT_HOME = {"package", "image"}  # what packages and cards are made with


def test_every_file_of_a_package_is_installed() -> None:
    shipped = ["*.py", *PROJECT["tool"]["setuptools"]["package-data"]["*"]]
    files = [
        path.relative_to(ROOT)
        for package in PACKAGES
        for path in (ROOT / package).rglob("*")
        if path.is_file() and not (MADE | ONLY_READ_AT_HOME) & set(path.parts)
    ]
    assert Path("web_ui/static/manifest.webmanifest") in files
    assert [str(path) for path in files if not any(fnmatch(path.name, each) for each in shipped)] == []


def test_every_vendored_licence_goes_along() -> None:
    listed = {path for pattern in PROJECT["project"]["license-files"] for path in ROOT.glob(pattern)}
    vendored = [
        path
        for package in PACKAGES
        for path in (ROOT / package).rglob("*.txt")
        if path.stem.endswith(("LICENSE", "OFL"))
    ]
    assert len(vendored) == 6
    assert listed == {ROOT / "LICENSE", *vendored}
