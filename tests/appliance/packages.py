"""Packages of versions to come, made from the one that is here: one that works, and some that do not."""

from __future__ import annotations

import re
import shutil
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from hardware.package import build
from tests.appliance.house import TREE

Edit = Callable[[str], str]


def own_version() -> str:
    """The version that is here."""
    found = re.search(r'(?m)^version = "(.*)"$', (TREE / "pyproject.toml").read_text(encoding="utf-8"))
    assert found
    return found[1]


def changed(wheel: Path, version: str, edits: Mapping[str, Edit], into: Path) -> Path:
    """A wheel of another version, with some of its files edited."""
    before = wheel.name.split("-")[1]
    made = into / wheel.name.replace(before, version)
    unknown = set(edits) - set(zipfile.ZipFile(wheel).namelist())
    assert not unknown, unknown
    with zipfile.ZipFile(wheel) as source, zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            content = source.read(name)
            if name in edits:
                whole, content = content, edits[name](content.decode()).encode()
                assert content != whole, f"{name} is as it was"
            if name.endswith("/METADATA"):
                content = content.replace(f"\nVersion: {before}\n".encode(), f"\nVersion: {version}\n".encode())
            if name == "companion/__init__.py":
                content = content.replace(before.encode(), version.encode())
            if name.endswith("/RECORD"):
                lines = content.decode().replace(f"digside-{before}.dist-info", f"digside-{version}.dist-info")
                content = re.sub(r"(?m)^([^,]+),.*$", r"\1,,", lines).encode()  # sums that would not hold any more
            target.writestr(name.replace(f"digside-{before}.dist-info", f"digside-{version}.dist-info"), content)
    return made


def package(wheel: Path, version: str, architecture: str, into: Path, edits: Mapping[str, Edit] | None = None) -> Path:
    """A package of another version, with some files of its wheel edited."""
    wheels = into / f"wheels-{version}"
    shutil.rmtree(wheels, ignore_errors=True)
    wheels.mkdir(parents=True)
    own = changed(wheel, version, edits or {}, wheels)
    return build.package(architecture, version, own, build.fetched(architecture), into)
