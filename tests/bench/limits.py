"""The limits of figures: each is printed with its figure, and all of them at the end, bench by bench."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

TICKS = os.sysconf("SC_CLK_TCK")
BUSY = 0.2  # of the machine, with which others may have spoilt a figure
_figures: list[Figure] = []


class Figure(NamedTuple):
    """A figure that has a limit, as it is printed."""

    said: str
    held: bool


def limited(
    name: str, value: float, unit: str, *, at_most: float = math.inf, at_least: float = -math.inf, more: str = ""
) -> None:
    """Print a figure with its limit, and remember whether it held.

    :param more: what else is known of it: its spread, what it was compared with.
    """
    limit = f"limit {at_most:,g}" if at_most < math.inf else f"limit at least {at_least:,g}"
    digits = 0 if value >= 1000 or value == int(value) else 3 if value < 10 else 1
    said = f"{name.strip()}: {value:,.{digits}f} {unit} ({', '.join(filter(None, (more, limit)))})"
    _figures.append(Figure(said, at_least <= value <= at_most))
    print(said, flush=True)


def judged(benches: Mapping[str, Callable[[], None]]) -> int:
    """Run them; say how long each took, how busy others were, and which limits held: 1 where one did not."""
    verdict: list[str] = []
    for name, bench in benches.items():
        print(f"== {name}", flush=True)
        first, began, others = len(_figures), time.monotonic(), Others()
        bench()
        share = others.share()
        weather = f"{name} took {time.monotonic() - began:.0f} s, others had {share:.0%} of this machine meanwhile"
        verdict.append(f"{weather}: it was too busy to judge by" if share > BUSY else weather)
        verdict += [f"  {'held' if figure.held else 'NOT HELD'}: {figure.said}" for figure in _figures[first:]]
    broken = sum(not figure.held for figure in _figures)
    print("== limits", *verdict, f"{len(_figures) - broken} of {len(_figures)} limits held", sep="\n", flush=True)
    return 1 if broken else 0


class Others:
    """How busy a machine is with work that is not ours: a share of all its processors.

    :param ours: processes that live all the while; whoever has ended and was waited for is ours by itself.
    """

    def __init__(self, *ours: int) -> None:
        self.ours = (os.getpid(), *ours)
        self._since = self._now()

    def share(self) -> float:
        """Since the last time it was asked."""
        before, self._since = self._since, self._now()
        elapsed, busy, own = (now - then for now, then in zip(self._since, before, strict=True))
        return max(0.0, (busy - own) / max(elapsed, 1))  # asked again at once it knows of no time

    def _now(self) -> tuple[float, float, float]:
        total = list(map(int, Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:9]))
        return sum(total), sum(total) - total[3] - total[4], sum(ticks(pid) for pid in self.ours)


def ticks(pid: int) -> int:
    """How long a processor was busy with a process, and with the children it has waited for."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11:15]))


def milliseconds(pid: int) -> float:
    """The same in milliseconds."""
    return ticks(pid) / TICKS * 1000
