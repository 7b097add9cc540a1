"""A test stand for the shovel: an air path made of numbers, and a clock that is turned by hand."""

from hardware.calibration import Calibration
from hardware.events import RigEvent
from hardware.faults import AirLost, FaultCode
from hardware.lifter import Lifter, LiftLimits
from hardware.vacuum import Sample, Sense, Thresholds

TICK_S = 0.02
CARD_LEAKS = 0.05


class FakeAir:
    """
    An air path whose vacuum follows pump, valve, hose and card within a tick, unless a test sets it.

    :ivar zero: what the sensor reads when there is no vacuum
    :ivar reads: what the sensor says in place of the truth; ``"astray"`` is outside its range
    """

    def __init__(self, sense: Sense = "gauge") -> None:
        self.sense: Sense = sense
        self.thresholds: Thresholds | None = None
        self.level = 0.0
        self.closed = False
        self.card = True
        self.blocked = False
        self.kpa = 0.0
        self.zero = 0.0
        self.reads: float | str | None = None
        self.silent = False
        self.lost = False
        self.fault: FaultCode | None = None
        self.renewed = 0
        self.stops = 0
        self._last: Sample | None = None

    @property
    def safe(self) -> bool:
        return self.level == 0 and not self.closed

    def breathe(self) -> None:
        """What one tick does to the vacuum in the cup."""
        if not self.closed:
            self.kpa = max(0.0, self.kpa - 3.0)
        elif self.blocked:
            self.kpa = min(40.0, self.kpa + 10.0 * self.level)
        elif self.card:
            self.kpa += 2.5 * self.level - CARD_LEAKS * self.kpa
        else:
            self.kpa = 1.0 if self.level else 0.0

    def samples(self, now: float) -> list[Sample]:
        if self.sense == "none":
            return []
        if not self.silent:
            reads = self.kpa + self.zero if self.reads is None else self.reads
            self._last = Sample(reads if isinstance(reads, float) else None, now)
        return [self._last] if self._last else []

    def trouble(self, now: float) -> FaultCode | None:
        return "link_lost" if self.lost else self.fault

    def drive(self, level: float, *, closed: bool) -> None:
        if self.lost:
            raise AirLost("link_lost", "the cable is out")
        self.level, self.closed = level, closed

    def renew(self) -> None:
        self.renewed += 1

    def stop(self) -> None:
        self.stops += 1
        self.level, self.closed = 0.0, False

    def clear(self) -> None:
        self.fault = None

    def budget_s(self) -> float | None:
        return None

    def close(self) -> None:
        self.stop()


class Stand:
    """A shovel on a fake air path, with the events it told."""

    def __init__(
        self,
        sense: Sense = "gauge",
        *,
        limits: LiftLimits | None = None,
        calibration: Calibration | None = None,
        thresholds: Thresholds | None = None,
        zero: float = 0.0,
    ) -> None:
        self.now = 100.0
        self.air = FakeAir(sense)
        self.air.zero, self.air.thresholds = zero, thresholds
        self.told: list[RigEvent] = []
        self.shovel = Lifter(self.air, emit=self.told.append, limits=limits, calibration=calibration)
        self.pass_time(0.2)

    def tick(self) -> None:
        self.now = round(self.now + TICK_S, 3)
        self.air.breathe()
        self.shovel.tick(self.now)

    def pass_time(self, seconds: float) -> None:
        for _ in range(round(seconds / TICK_S)):
            self.tick()

    def until(self, phase: str, within: float = 20.0) -> float:
        """Pass time until the shovel is in *phase*; return how long it took."""
        start = self.now
        while self.shovel.phase != phase:
            assert self.now - start < within, f"still {self.shovel.phase} after {within} s"
            self.tick()
        return self.now - start

    def grip(self) -> None:
        self.shovel.grip(self.now)

    def holding(self) -> "Stand":
        self.grip()
        self.until("holding")
        return self

    @property
    def phase(self) -> str:
        return self.shovel.phase

    @property
    def fault(self) -> str | None:
        fault = self.shovel.state(self.now).fault
        return fault.code if fault else None

    @property
    def outcome(self) -> str | None:
        outcome = self.shovel.state(self.now).outcome
        return outcome.code if outcome else None
