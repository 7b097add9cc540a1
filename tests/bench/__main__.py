"""Runs every benchmark, or those named: ``python -m tests.bench [core wire …]``; prints ``name: value unit``."""

from __future__ import annotations

import importlib
import logging
import sys
from pathlib import Path


def main(wanted: list[str]) -> None:
    logging.getLogger("firmware_bridge").setLevel(logging.ERROR)  # links are lost here on purpose
    for file in sorted(Path(__file__).parent.glob("bench_*.py")):
        name = file.stem.removeprefix("bench_")
        if not wanted or name in wanted:
            print(f"== {name}", flush=True)
            importlib.import_module(f"tests.bench.{file.stem}").main()


if __name__ == "__main__":
    main(sys.argv[1:])
