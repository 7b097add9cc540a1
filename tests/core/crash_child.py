"""A table that takes steps from a pipe and says of each when it is safe. It is killed in the middle of it."""

import sys
from pathlib import Path

from companion.play.table import HOST
from tests.core.coins import reopened


def main(folder: Path) -> None:
    table = reopened(folder)
    print("ready", table.seq, flush=True)
    for line in sys.stdin:
        request, seq = line.split()
        print("safe", table.play(HOST, int(seq), request, {"type": "toss", "count": 3}), flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
