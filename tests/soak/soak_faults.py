"""Both tables of faults over both boards: how soon pump and valve are off after a mishap, and after a stop."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TABLES = (
    "tests/firmware_bridge/test_faults.py",
    "tests/firmware_bridge/test_worst_moments.py",
    "tests/lifts/test_hands.py",
)


def main() -> None:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TABLES]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    print("\n".join(line for line in ended.stdout.splitlines() if "|" in line))
    assert ended.returncode == 0, ended.stdout[-3000:]


if __name__ == "__main__":
    main()
