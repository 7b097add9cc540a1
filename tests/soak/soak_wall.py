"""The real service with a board behind it, by the clock on the wall: the pump is off in time, whatever fails."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest


def main() -> None:
    ended = pytest.main([str(Path(__file__).parent / "wall.py"), "-q", "-p", "no:cacheprovider"])
    if ended:
        sys.exit(ended)


if __name__ == "__main__":
    main()
