"""All attacks at once, 20,000 requests and 2,000 connections from this machine itself, against a family's presses."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.attack.family import attacked, p99

REQUESTS, CONNECTIONS, SECONDS = 20_000, 2_000, 300
TIMES, STOP_MS, MEMORY_MB = 3.0, 100.0, 160.0


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        seen = attacked(Path(folder), requests=REQUESTS, connections=CONNECTIONS, seconds=SECONDS, presses=500)
    print("\n".join(seen.lines()))
    if p99(seen.presses) > TIMES * p99(seen.quiet) or p99(seen.stops) > STOP_MS or seen.most > MEMORY_MB:
        sys.exit(f"the limits are {TIMES:g} times, {STOP_MS:g} ms and {MEMORY_MB:g} MB")


if __name__ == "__main__":
    main()
