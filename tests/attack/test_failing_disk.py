"""A disk that fails at any one of its writes and syncs, or at all from one on: nothing acknowledged is lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.needs import needs_program

HERE = Path(__file__).parent


def test_whichever_write_or_sync_fails_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    """What is refused did not happen, what says perhaps is settled by the same request, whatever happens meanwhile."""
    shim = tmp_path / "failing_disk.so"
    compiler = needs_program("cc", apt="gcc")
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", shim, HERE / "failing_disk.c", "-ldl"], check=True)
    memory = Path("/dev/shm")  # where there is one, hundreds of disks are synced in no time
    with tempfile.TemporaryDirectory(dir=memory if memory.is_dir() else None) as lives:
        told = played_on(shim, Path(lives))
    assert told["lives"] > 60, "the calls that failed were those of the journal"
    assert told["doubts"] > 5, "some failed in the middle of a commit"


def played_on(shim: Path, lives: Path) -> dict[str, int]:
    """How many disks failed, each at another call, and how many left something in doubt."""
    ran = subprocess.run(
        [sys.executable, "-m", "tests.attack.failing_disk", str(lives)],
        env={**os.environ, "LD_PRELOAD": str(shim)},
        cwd=HERE.parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    told: dict[str, int] = json.loads(ran.stdout)
    return told
