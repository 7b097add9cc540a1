"""Runs every benchmark, or those named: ``python -m tests.bench [core wire …]``; prints ``name: value unit``.

What has a limit says so, and at the end which limits held; the exit status is 1 where one did not.
"""

from __future__ import annotations

import importlib
import logging
import sys
from functools import partial
from pathlib import Path

from tests.bench.limits import judged


def main(wanted: list[str]) -> int:
    logging.getLogger("firmware_bridge").setLevel(logging.ERROR)  # links are lost here on purpose
    known = benches()
    if unknown := set(wanted) - known.keys():
        print(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(known)}", file=sys.stderr)
        return 2
    return judged({name: partial(_run, module) for name, module in known.items() if not wanted or name in wanted})


def _run(module: str) -> None:
    importlib.import_module(module).main()


def benches() -> dict[str, str]:
    """Every benchmark and its module: those here, and each game's own beside its tests."""
    here, games = Path(__file__).parent, Path(__file__).parents[1] / "games"
    shared = {file.stem.removeprefix("bench_"): f"tests.bench.{file.stem}" for file in here.glob("bench_*.py")}
    own = {file.parent.name: f"tests.games.{file.parent.name}.bench" for file in games.glob("*/bench.py")}
    return dict(sorted((shared | own).items()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
