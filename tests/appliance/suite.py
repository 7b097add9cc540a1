"""The suite on another Debian than this machine's: what it needs from the system is installed there, then it runs."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from tests.appliance.house import CACHE, TREE, online, root_of, said, shell

SET_UP = "apt-get -qq update; apt-get -qq install --yes --no-install-recommends git make gcc libc6-dev >/dev/null"
PLACE = "/srv/digside"


def runs_on(suite: str, chosen: Sequence[str]) -> None:
    """All that `make test` does, or what is chosen in pytest's words, with everything that CI wants of a machine.

    The root is kept with what was installed there, so that a part of the suite can follow another.
    """
    root = CACHE / f"{suite}-suite"
    if not root.exists():
        half = root.with_suffix(".part")
        shutil.rmtree(half, ignore_errors=True)
        subprocess.run(["cp", "--archive", "--reflink=auto", root_of(suite, "amd64"), half], check=True)
        online(half, SET_UP)
        half.rename(root)
    lay(root / PLACE[1:])
    online(root, f"cd {PLACE}; make .venv/dev.stamp system")
    run = f".ci/tests .venv/bin {shlex.join(chosen)}" if chosen else "make test"
    began = time.monotonic()
    online(root, f"cd {PLACE}; export HOME=/root CI=true; {run}")
    said(suite, f"{run} ends well, after {(time.monotonic() - began) / 60:.1f} min")


def lay(there: Path) -> None:
    """Have the tree there as it lies here, with its history; the environment of the one before stays."""
    new = there.with_name(f"{there.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", TREE, new], check=True)
    for name in filter(None, shell("git", "-C", str(TREE), "ls-files", "-z").split("\0")):
        if (TREE / name).is_file():
            (new / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(TREE / name, new / name)
    if (there / ".venv").exists():
        (there / ".venv").rename(new / ".venv")
    shutil.rmtree(there, ignore_errors=True)
    new.rename(there)
