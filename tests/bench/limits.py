"""The limits of figures: each is printed with its figure, and all of them at the end, bench by bench."""

from __future__ import annotations

import math
import os
import time
import traceback
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
    """Run them; say how long each took, how busy others were, and which limits held: 1 where one did not.

    One that breaks is said to be broken, and the others go on.
    """
    verdict, broken, began = list[str](), list[str](), time.monotonic()
    for name, bench in benches.items():
        first, said, failed = len(_figures), *_run(name, bench)
        verdict.append(said)
        verdict += [f"  {'held' if figure.held else 'NOT HELD'}: {figure.said}" for figure in _figures[first:]]
        broken += [name] * failed
    held = sum(figure.held for figure in _figures)
    summary = [f"{held} of {len(_figures)} limits held, in {(time.monotonic() - began) / 60:.1f} min"]
    summary += [f"broken: {', '.join(broken)}"] if broken else []
    print("== limits", *verdict, *summary, sep="\n", flush=True)
    return 1 if broken or held < len(_figures) else 0


def _run(name: str, bench: Callable[[], None]) -> tuple[str, bool]:
    """Run one; what is to be said of it, and whether it broke."""
    print(f"== {name}", flush=True)
    began, others, why = time.monotonic(), Others(), ""
    try:
        bench()
    except Exception as error:
        traceback.print_exc()
        why = f" BROKEN by {type(error).__name__}: {error};"
    share = others.share()
    said = f"{name}{why} took {time.monotonic() - began:.0f} s, others had {share:.0%} of this machine meanwhile"
    return f"{said}: it was too busy to judge by" if share > BUSY else said, bool(why)


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
