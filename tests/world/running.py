"""Runs histories in a process of their own, with the disk loaded before everything else."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.needs import needs_program

HERE = Path(__file__).parent
KINDS = (
    "restore",
    "restore once more",
    "restore as wished",
    "restore over damage",
    "bring and restore",
    "first start",
    "new format",
    "move from",
    "move to",
)
"""What a machine dies in."""
LEFT = ("nothing", "all", "the first", "any", "all but one")
"""What is left of what was not synced."""


class Ran(NamedTuple):
    """What came of histories: whether all laws held, and what was said."""

    held: bool
    said: str


def made_disk(folder: Path) -> Path:
    """The disk, compiled into a folder."""
    shim = folder / "disk.so"
    compiler = needs_program("cc", apt="gcc")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", shim, HERE / "disk.c", "-ldl"], check=True)
    return shim


def histories(disk: Path, first: int, count: int, program: Path = HERE.parents[1]) -> Ran:
    """Let so many histories happen, up to the first that breaks a law.

    :param program: the folder of the program that they happen to.
    """
    return _ran(disk, ["tests.world", str(first), str(count)], program)


def crashes(
    disk: Path, kind: str, survives: str, first: int = 1, every: int = 1, program: Path = HERE.parents[1]
) -> Ran:
    """Let a machine die at calls of a restore or a move, one after the other; what is said is how many times."""
    return _ran(disk, ["tests.world.crashes", kind, survives, str(first), str(every)], program)


def tests(chosen: str, program: Path) -> Ran:
    """Run tests of a program; whether they pass. Those that cannot be run prove nothing, and end everything."""
    asked = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(program), chosen]
    unwritten = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    ran = subprocess.run(asked, env=unwritten, cwd=program, capture_output=True, text=True, check=False)
    if ran.returncode not in {0, 1}:
        raise SystemExit(ran.stdout + ran.stderr)
    return Ran(ran.returncode == 0, ran.stdout)


def _ran(disk: Path, module: list[str], program: Path) -> Ran:
    ran = subprocess.run(
        [sys.executable, "-m", *module],
        env={**os.environ, "LD_PRELOAD": str(disk), "PYTHONDONTWRITEBYTECODE": "1"},
        cwd=program,
        capture_output=True,
        text=True,
        check=False,
    )
    return Ran(ran.returncode == 0, ran.stdout + ran.stderr)
