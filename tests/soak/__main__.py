"""Runs every soak, or those named: ``python -m tests.soak [lifts …]``; prints its figures."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path


def main(wanted: list[str]) -> None:
    for file in sorted(Path(__file__).parent.glob("soak_*.py")):
        name = file.stem.removeprefix("soak_")
        if not wanted or name in wanted:
            print(f"== {name}", flush=True)
            importlib.import_module(f"tests.soak.{file.stem}").main()


if __name__ == "__main__":
    main(sys.argv[1:])
