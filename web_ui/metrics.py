"""What the service counts, as Prometheus reads it. No name, no key and no table's id is in it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, get_args
from weakref import WeakSet

from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from companion.play.entries import JournalLine
from companion.play.table import Table
from companion.refusals import Refusal
from hardware.events import Phase, RigState

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


class NewestStep(NamedTuple):
    """The newest step that is on disk."""

    table: str | None
    seq: int


class Now(NamedTuple):
    """What is so at this moment, beside what was counted.

    :param streams: live lines that are open.
    :param told: different pictures that were put on live lines.
    :param pump_s: how long the pump has run.
    :param calls: tables that call for the host of the house.
    :param behind: tables of which the hub lacks something; None where there is no hub.
    :param broker: whether the broker that was chosen is there; None where none was.
    """

    streams: int
    told: int
    rig: RigState
    pump_s: float
    calls: int
    behind: int | None
    broker: bool | None


class Metrics:
    """Counts since the start of the service.

    :param now: tells what is so at the moment somebody asks.
    """

    def __init__(self, now: Callable[[], Now]) -> None:
        self.newest = NewestStep(None, 0)
        self._lock = threading.Lock()
        self._tables: WeakSet[Table] = WeakSet()
        registry = self.registry = CollectorRegistry()
        self._presses = Counter("digside_presses", "Presses that were kept, by call", ["call"], registry=registry)
        self._entries = Counter("digside_entries", "Journal entries written, by kind", ["kind"], registry=registry)
        self._refusals = Counter("digside_refusals", "Requests refused, by code", ["code"], registry=registry)
        self._answers = Counter("digside_answers", "Requests answered, by HTTP status", ["status"], registry=registry)
        self._steps = _histogram(
            "digside_step_seconds", "From a press to its step on disk and on every live line", registry
        )
        self._screens = _histogram(
            "digside_screen_seconds", "From a press to the last screen's connection having taken the picture", registry
        )
        self._journal = _histogram(
            "digside_journal_seconds", "The journal's part of a step: until it is safe", registry
        )
        self._stops = _histogram("digside_stop_seconds", "From STOP to the pump seen off, where it ran", registry)
        ProcessCollector(registry=registry)
        registry.register(_AsItIs(now, lambda: len(self._tables)))

    def found(self, last_step: tuple[str, int] | None) -> None:
        """What was on disk before the service started."""
        if last_step is not None:
            self.newest = NewestStep(*last_step)

    def opened(self, table: Table) -> None:
        """A table was laid, or read from the journal."""
        with self._lock:
            self._tables.add(table)

    def stepped(self, table: Table, lines: Sequence[JournalLine]) -> None:
        """Entries are on disk."""
        for line in lines:
            self._entries.labels(str(line.entry.__struct_config__.tag)).inc()
        self._journal.observe(table.journal_took)
        with self._lock:
            self.newest = NewestStep(table.id, lines[-1].seq)

    def committed(self, seconds: float, call: str) -> None:
        """A press took so long, from being asked for to being on disk and on the screens' lines."""
        self._presses.labels(call).inc()
        self._steps.observe(seconds)

    def shown(self, seconds: float) -> None:
        """A press took so long until the last screen had it."""
        self._screens.observe(seconds)

    def stopped(self, seconds: float) -> None:
        """The pump was off so long after somebody said stop."""
        self._stops.observe(seconds)

    def refused(self, refusal: Refusal) -> None:
        """Something was refused."""
        self._refusals.labels(refusal.code).inc()

    def answered(self, status: int) -> None:
        """A request was answered."""
        self._answers.labels(str(status)).inc()

    def text(self) -> str:
        """Everything, in Prometheus' text format."""
        return generate_latest(self.registry).decode()


def _histogram(name: str, about: str, registry: CollectorRegistry) -> Histogram:
    """How long something took, in steps that fit a disk from very good to an old card."""
    return Histogram(name, about, buckets=SECONDS, registry=registry)


class _AsItIs(Collector):
    """What is looked up when somebody asks."""

    def __init__(self, now: Callable[[], Now], tables: Callable[[], int]) -> None:
        self._now = now
        self._tables = tables

    def describe(self) -> Iterable[Metric]:
        """Nothing is looked up before somebody asks."""
        return ()

    def collect(self) -> Iterator[Metric]:
        now = self._now()
        yield GaugeMetricFamily("digside_tables", "Tables open in memory", self._tables())
        yield GaugeMetricFamily("digside_streams", "Live lines open", now.streams)
        yield CounterMetricFamily("digside_pictures", "Different pictures put on live lines", now.told)
        yield GaugeMetricFamily("digside_calls", "Tables that call for the host of the house", now.calls)
        if now.behind is not None:
            yield GaugeMetricFamily("digside_copies_behind", "Tables of which the hub lacks something", now.behind)
        if now.broker is not None:
            yield GaugeMetricFamily("digside_broker_up", "Whether the broker is there", int(now.broker))
        yield from _rig(now.rig, now.pump_s)


def _rig(rig: RigState, pump_s: float) -> Iterator[Metric]:
    yield _labelled("digside_rig_info", "Which rig is attached", "kind", {rig.kind: 1})
    yield GaugeMetricFamily("digside_rig_age_seconds", "How long ago the rig's loop last came round", rig.age_s)
    if rig.link is not None:
        yield GaugeMetricFamily("digside_rig_link_up", "Whether the board answers", int(rig.link.connected))
        damaged = rig.link.damaged_here + rig.link.damaged_there + rig.link.lost_frames
        yield CounterMetricFamily("digside_rig_link_damaged", "Frames that arrived damaged, or not at all", damaged)
        if rig.link.rtt_ms is not None:
            yield GaugeMetricFamily("digside_rig_link_seconds", "There and back to the board", rig.link.rtt_ms / 1000)
    if rig.shovel is not None:
        states = {phase: int(rig.shovel.state == phase) for phase in get_args(Phase)}
        yield _labelled("digside_shovel_state", "1 for the state the shovel is in", "state", states)
        yield CounterMetricFamily("digside_shovel_lifts", "Lifts begun", rig.shovel.lift)
        yield CounterMetricFamily("digside_pump_seconds", "How long the pump has run", pump_s)


def _labelled(name: str, about: str, label: str, values: dict[str, int]) -> Metric:
    family = GaugeMetricFamily(name, about, labels=[label])
    for which, value in values.items():
        family.add_metric([which], value)
    return family
