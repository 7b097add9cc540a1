"""What the service counts, as Prometheus reads it."""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, get_args
from weakref import WeakSet

from companion.play.entries import JournalLine
from companion.play.table import Table
from companion.refusals import Refusal
from hardware.states import Phase, RigState

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)

Labels = Mapping[str, str]


class Newest(NamedTuple):
    """The newest step that is on disk."""

    table: str | None
    seq: int


class Histogram:
    """How long something took, in steps that fit a disk from very good to an old card."""

    def __init__(self) -> None:
        self.counts = [0] * (len(SECONDS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        """Count one."""
        self.counts[bisect_left(SECONDS, seconds)] += 1
        self.total += seconds

    def lines(self, name: str) -> Iterator[str]:
        """The histogram in Prometheus' words."""
        seen = 0
        for limit, count in zip((*SECONDS, None), self.counts, strict=True):
            seen += count
            yield _line(f"{name}_bucket", seen, {"le": "+Inf" if limit is None else str(limit)})
        yield _line(f"{name}_sum", round(self.total, 6))
        yield _line(f"{name}_count", seen)


class Metrics:
    """Counts since the start of the service."""

    def __init__(self) -> None:
        self.newest = Newest(None, 0)
        self._lock = threading.Lock()
        self._tables: WeakSet[Table] = WeakSet()
        self._entries: Counter[str] = Counter()
        self._refusals: Counter[str] = Counter()
        self._answers: Counter[int] = Counter()
        self._commits = Histogram()

    def found(self, last_step: tuple[str, int] | None) -> None:
        """What was on disk before the service started."""
        if last_step is not None:
            self.newest = Newest(*last_step)

    def opened(self, table: Table) -> None:
        """A table was laid, or read from the journal."""
        with self._lock:
            self._tables.add(table)

    def stepped(self, table: Table, lines: Sequence[JournalLine]) -> None:
        """Entries are on disk."""
        with self._lock:
            self._entries.update(line.entry.__struct_config__.tag for line in lines)  # type: ignore[misc]
            self.newest = Newest(table.id, lines[-1].seq)

    def committed(self, seconds: float) -> None:
        """A step took so long, from being asked for to being on disk and on the screens' lines."""
        with self._lock:
            self._commits.add(seconds)

    def refused(self, refusal: Refusal) -> None:
        """Something was refused."""
        with self._lock:
            self._refusals[refusal.code] += 1

    def answered(self, status: int) -> None:
        """A request was answered."""
        with self._lock:
            self._answers[status] += 1

    def text(self, *, streams: int, told: int, rig: RigState) -> str:
        """Everything, in Prometheus' text format."""
        with self._lock:
            return "\n".join([*self._counted(), *_gauges(len(self._tables), streams, told), *_rig(rig)]) + "\n"

    def _counted(self) -> Iterator[str]:
        yield from _head("digside_entries_total", "counter", "Journal entries written, by kind")
        for kind, count in sorted(self._entries.items()):
            yield _line("digside_entries_total", count, {"kind": kind})
        yield from _head("digside_refusals_total", "counter", "Requests refused, by code")
        for code, count in sorted(self._refusals.items()):
            yield _line("digside_refusals_total", count, {"code": code})
        yield from _head("digside_answers_total", "counter", "Requests answered, by HTTP status")
        for status, count in sorted(self._answers.items()):
            yield _line("digside_answers_total", count, {"status": str(status)})
        yield from _head("digside_step_seconds", "histogram", "From a press to its step on disk and on every live line")
        yield from self._commits.lines("digside_step_seconds")


def _gauges(tables: int, streams: int, told: int) -> Iterator[str]:
    yield from _head("digside_tables", "gauge", "Tables open in memory")
    yield _line("digside_tables", tables)
    yield from _head("digside_streams", "gauge", "Live lines open")
    yield _line("digside_streams", streams)
    yield from _head("digside_pictures_total", "counter", "Different pictures put on live lines")
    yield _line("digside_pictures_total", told)


def _rig(rig: RigState) -> Iterator[str]:
    yield from _head("digside_rig_info", "gauge", "Which rig is attached")
    yield _line("digside_rig_info", 1, {"kind": rig.kind})
    yield from _head("digside_rig_age_seconds", "gauge", "How long ago the rig's loop last came round")
    yield _line("digside_rig_age_seconds", rig.age_s)
    if rig.link is not None:
        yield from _head("digside_rig_link_up", "gauge", "Whether the board answers")
        yield _line("digside_rig_link_up", int(rig.link.connected))
    if rig.shovel is not None:
        yield from _head("digside_shovel_state", "gauge", "1 for the state the shovel is in")
        for phase in get_args(Phase):
            yield _line("digside_shovel_state", int(rig.shovel.state == phase), {"state": phase})
        yield from _head("digside_shovel_lifts_total", "counter", "Lifts begun")
        yield _line("digside_shovel_lifts_total", rig.shovel.lift)


def _head(name: str, kind: str, text: str) -> Iterator[str]:
    yield f"# HELP {name} {text}"
    yield f"# TYPE {name} {kind}"


def _line(name: str, value: float, labels: Labels | None = None) -> str:
    said = ",".join(f'{key}="{_escaped(text)}"' for key, text in (labels or {}).items())
    return f"{name}{{{said}}} {value}" if said else f"{name} {value}"


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
