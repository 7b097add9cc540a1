"""Runs every benchmark, or those named: ``python -m tests.bench [core wire …]``; prints ``name: value unit``."""

from __future__ import annotations

import importlib
import logging
import sys
from pathlib import Path


def main(wanted: list[str]) -> None:
    logging.getLogger("firmware_bridge").setLevel(logging.ERROR)  # links are lost here on purpose
    for name, module in benches().items():
        if not wanted or name in wanted:
            print(f"== {name}", flush=True)
            importlib.import_module(module).main()


def benches() -> dict[str, str]:
    """Every benchmark and its module: those here, and each game's own beside its tests."""
    here, games = Path(__file__).parent, Path(__file__).parents[1] / "games"
    shared = {file.stem.removeprefix("bench_"): f"tests.bench.{file.stem}" for file in here.glob("bench_*.py")}
    own = {file.parent.name: f"tests.games.{file.parent.name}.bench" for file in games.glob("*/bench.py")}
    return dict(sorted((shared | own).items()))


if __name__ == "__main__":
    main(sys.argv[1:])
