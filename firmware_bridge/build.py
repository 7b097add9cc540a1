"""Builds the simulated board from the firmware's own sources, once, into a cache."""

from __future__ import annotations

import fcntl
import hashlib
import logging
import os
import shutil
import subprocess
from pathlib import Path

SOURCES = Path(__file__).parent / "firmware"
_COMPILERS = ("cc", "gcc", "clang")
_log = logging.getLogger(__name__)


class NoCompiler(RuntimeError):
    """The firmware cannot be built on this computer."""


def cache_folder() -> Path:
    """Return the folder for what is built: systemd's CacheDirectory=, or the user's own."""
    if given := os.environ.get("CACHE_DIRECTORY"):
        return Path(given.split(":", maxsplit=1)[0])
    root = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(root) / "digside"


def compiler() -> str | None:
    """Return the C compiler of this computer, if it has one."""
    wanted = os.environ.get("CC")
    return next((path for name in ([wanted] if wanted else _COMPILERS) if (path := shutil.which(name))), None)


def sources() -> list[Path]:
    """Return every file that the build for this computer is made from."""
    return sorted(p for folder in ("core", "host") for p in (SOURCES / folder).glob("*.[ch]"))


def fingerprint(cc: str) -> str:
    """Return a name for what these sources and this compiler make."""
    digest = hashlib.sha256(cc.encode())
    for path in [*sources(), SOURCES / "pins.h"]:
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]


def _compile(cc: str, target: Path, units: list[str], *extra: str) -> None:
    fresh = target.with_name(f"{target.name}.{os.getpid()}")
    core = [str(p) for p in sources() if p.parent.name == "core" and p.suffix == ".c"]
    host = [str(SOURCES / "host" / unit) for unit in units]
    include = [f"-I{SOURCES / 'core'}", f"-I{SOURCES / 'host'}", f"-I{SOURCES}"]
    command = [cc, "-std=gnu11", "-O2", *include, *extra, "-o", str(fresh), *host, *core, "-lutil", "-lm"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)  # noqa: S603 - no shell, our own files
    if done.returncode:
        fresh.unlink(missing_ok=True)
        raise NoCompiler(f"{cc} cannot build the simulated board: {done.stderr.strip()[-500:]}")
    fresh.replace(target)  # whole or not at all


def _built(name: str, units: list[str], *extra: str, folder: Path | None = None) -> Path:
    cc = compiler()
    if cc is None:
        raise NoCompiler("no C compiler here (apt install gcc libc6-dev)")
    place = (folder or cache_folder()) / f"board-{fingerprint(cc)}"
    target = place / name
    if target.exists():
        return target
    try:
        place.mkdir(parents=True, exist_ok=True)
        with (place / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)  # whoever waited finds it built
            if not target.exists():
                _log.info("building %s", target)
                _compile(cc, target, units, *extra)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise NoCompiler(f"the simulated board cannot be built in {place}: {error}") from error
    return target


def program(folder: Path | None = None) -> Path:
    """Return the simulated board as a program, built if need be.

    :raises NoCompiler: when it cannot be.
    """
    return _built("board", ["main.c", "machine_host.c", "plant.c"], folder=folder)


def library(folder: Path | None = None) -> Path:
    """Return the core as a shared library for ctypes, built if need be.

    :raises NoCompiler: when it cannot be.
    """
    return _built("libboard.so", ["library.c"], "-shared", "-fPIC", folder=folder)
