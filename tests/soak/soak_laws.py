"""The laws of all games, whatever is sent, and all hands at once, tried many times as long as with each change."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from tests.web.live import TREE

TIMES = 8
TRIED = ("tests/laws", "tests/web/test_fuzz.py", "tests/lifts/test_hands.py")


def main(times: int = TIMES) -> None:
    start = time.perf_counter()
    command = [sys.executable, "-m", "pytest", "-q", "--no-header", "-p", "no:cacheprovider", "-n", "auto", *TRIED]
    ended = subprocess.run(
        command,
        cwd=TREE,
        env={**os.environ, "DIGSIDE_THOROUGH": str(times)},
        capture_output=True,
        text=True,
        check=False,
    )
    print(f"{times} times as long, {time.perf_counter() - start:.0f} s: {ended.stdout.strip().splitlines()[-1]}")
    if ended.returncode:
        sys.exit(ended.stdout)


if __name__ == "__main__":
    main(*(int(each) for each in sys.argv[1:2]))
