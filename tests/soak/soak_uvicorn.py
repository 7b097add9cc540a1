"""The oldest and the newest uvicorn that pyproject.toml allows, each held to what our protocol class relies on."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
HELD_BY = ("tests/web/test_protocol.py", "tests/web/test_front.py", "tests/web/test_live.py")


def versions() -> tuple[str, str]:
    """The oldest and the newest that are allowed, as pip understands it."""
    said = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found = re.search(r'"uvicorn>=([0-9.]+),<([0-9.]+)"', said)
    assert found, "no oldest and newest uvicorn is named"
    return f"=={found[1]}", f"<{found[2]}"


def main() -> None:
    for version in versions():
        with tempfile.TemporaryDirectory() as folder:
            pip = (sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps")
            subprocess.run((*pip, "--target", folder, f"uvicorn{version}"), check=True)
            told = next(Path(folder).glob("uvicorn-*.dist-info")).name.removesuffix(".dist-info")
            tests = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *HELD_BY)
            ended = subprocess.run(tests, cwd=ROOT, env={**os.environ, "PYTHONPATH": folder}, check=False)
            print(f"{told}: {'held' if ended.returncode == 0 else 'NOT HELD'}", flush=True)
            assert ended.returncode == 0, told


if __name__ == "__main__":
    main()
