"""What the tests need from Debian is installed by the name it has there; what cannot be had keeps nothing else away."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

SYSTEM = Path(__file__).parents[1] / ".ci" / "system"
PROGRAMS = {
    "id": "echo ${WHO:-0}",
    "clang": "echo 19.1.7",
    "dpkg-query": 'grep -qx "${@: -1}" installed && echo install ok installed',
    "apt-cache": 'grep -qx "$2" known && echo "  Candidate: 1.0" || echo "  Candidate: (none)"',
    "apt-get": """
        for word in "$@"; do case "$word" in -*|*=*|install) continue;; update) exit 0;; esac
            grep -qx "$word" known || { echo "E: Unable to locate package $word" >&2; exit 100; }; done
        for word in "$@"; do grep -x "$word" known >>installed; done; exit 0""",
}
NEEDS = ("shell|browser", "clang", "libclang-rt-@-dev|libclang-rt-dev")


class Debian:
    """A machine that knows some packages and has some of them."""

    def __init__(self, folder: Path, *, known: Sequence[str], installed: Sequence[str] = ()) -> None:
        self._folder = folder
        for name, body in PROGRAMS.items():
            (folder / name).write_text(f"#!/bin/bash\ncd {folder}\n{body}\n")
            (folder / name).chmod(0o755)
        (folder / "known").write_text("".join(f"{each}\n" for each in known))
        (folder / "installed").write_text("".join(f"{each}\n" for each in installed))

    @property
    def installed(self) -> set[str]:
        return set((self._folder / "installed").read_text().split())

    def set_up(self, *packages: str, who: int = 0) -> str:
        """What is said while it is made ready."""
        here = os.environ | {"PATH": f"{self._folder}:{os.environ['PATH']}", "WHO": str(who)}
        done = subprocess.run([SYSTEM, *packages], env=here, capture_output=True, text=True, check=True)
        return done.stdout


def test_a_package_is_taken_under_the_name_that_fits_the_clang_that_is_there(tmp_path: Path) -> None:
    debian = Debian(tmp_path, known=["browser", "clang", "libclang-rt-19-dev", "libclang-rt-dev"])
    debian.set_up(*NEEDS)
    assert debian.installed == {"browser", "clang", "libclang-rt-19-dev"}


def test_where_no_version_has_a_name_of_its_own_the_plain_one_is_taken(tmp_path: Path) -> None:
    debian = Debian(tmp_path, known=["shell", "browser", "clang", "libclang-rt-dev"])
    debian.set_up(*NEEDS)
    assert debian.installed == {"shell", "clang", "libclang-rt-dev"}


def test_what_is_there_already_is_not_asked_for_again(tmp_path: Path) -> None:
    debian = Debian(tmp_path, known=["shell"], installed=["browser", "clang", "libclang-rt-dev"])
    assert debian.set_up(*NEEDS) == ""
    assert "shell" not in debian.installed


def test_what_cannot_be_had_is_named_and_all_else_installed(tmp_path: Path) -> None:
    debian = Debian(tmp_path, known=["shell", "clang"])
    said = debian.set_up("of-long-ago", *NEEDS)
    assert debian.installed == {"shell", "clang"}
    assert "E: Unable to locate package of-long-ago" in said
    assert said.endswith("sudo apt-get install -y --no-install-recommends of-long-ago libclang-rt-19-dev\n")


def test_who_may_not_install_is_told_the_line(tmp_path: Path) -> None:
    debian = Debian(tmp_path, known=["shell", "clang", "libclang-rt-dev"])
    said = debian.set_up(*NEEDS, who=1000)
    assert said.endswith("sudo apt-get install -y --no-install-recommends shell clang libclang-rt-dev\n")
    assert debian.installed == set()


@pytest.mark.parametrize(
    ("made_in", "stamp", "kept"),
    [("{here}", True, True), ("/elsewhere", True, False), ("{here}", False, False)],
    ids=["sound", "moved", "half made"],
)
def test_an_environment_that_was_moved_or_half_made_is_made_anew(
    tmp_path: Path, made_in: str, stamp: bool, kept: bool
) -> None:
    shutil.copy(SYSTEM.parents[1] / "Makefile", tmp_path)
    pip = tmp_path / ".venv" / "bin" / "pip"
    pip.parent.mkdir(parents=True)
    pip.write_text(f"#!{made_in.format(here=tmp_path)}/.venv/bin/python3\n")
    if stamp:
        (tmp_path / ".venv" / "run.stamp").touch()
    said = subprocess.run(
        ["make", "--dry-run", "clean"], cwd=tmp_path, capture_output=True, text=True, check=True
    ).stdout
    assert pip.exists() == kept
    assert ("is made anew" in said) != kept
