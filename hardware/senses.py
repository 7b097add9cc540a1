"""What a shovel's sensor says: freed of its own error, judged, and learned from while the pump rests."""

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING

from hardware.calibration import AMBIENT_AT_MOST_KPA, Calibration, Measuring, Reading, Zero
from hardware.events import Phase, RigEvent, ZeroLearned
from hardware.faults import FaultCode, ShovelRefused, Trouble
from hardware.vacuum import GAP_S, Gauge, Leakage, Sample, Sense, Thresholds, throttle

if TYPE_CHECKING:
    from hardware.lifter import LiftLimits

log = logging.getLogger(__name__)

PUMPING = ("priming", "holding")
RESTED_S = 5.0
ZERO_TELLS_KPA = 0.2


class Senses:
    """
    The judgement of a lift; it drives nothing.

    :param sense: what tells the vacuum
    :param emit: is told of a zero that was learned
    :ivar calibration: what is known of sensor and cup
    :ivar gauge: the newest reading, and what has been read for long enough
    :ivar leakage: whether air comes in where the cup is
    """

    def __init__(
        self,
        sense: Sense,
        *,
        limits: "LiftLimits",
        calibration: Calibration,
        thresholds: Thresholds | None,
        emit: Callable[[RigEvent], None],
    ) -> None:
        self.sense = sense
        self.calibration = calibration
        self.gauge = Gauge(thresholds or calibration.thresholds, blocked_kpa=limits.blocked_kpa)
        self.leakage = Leakage(limits.target_kpa)
        self._limits = limits
        self._zero = Zero(calibration.ambient)
        self._told_zero = self._zero.kpa
        self._measure: Measuring | None = None
        self._pumping = True
        self._pumped_at: float | None = None
        self._emit = emit

    def see(self, sample: Sample, phase: Phase) -> None:
        """Take a sample as the sensor gives it."""
        if sample.kpa is not None and self.sense == "gauge":
            sample = self._weighed(sample.kpa, sample.at, phase)
        self.gauge.see(sample)

    def forget(self) -> None:
        """Judge anew, as at the beginning of a lift."""
        self.gauge.forget()
        self.leakage.forget()
        self._pumping = True

    def driven(self, level: float, now: float) -> None:
        """The pump has been told to run at *level*."""
        self._pumping = level > 0
        self._pumped_at = now

    def level(self, now: float, *, vouched_for: bool) -> float:
        """Throttled by a gauge, for more than enough dents soft card; a pause now and then tells of a blocked hose."""
        if self.gauge.kpa is None or self.sense != "gauge":
            return 1.0
        if self.gauge.held and self.leakage.due(now) and (self._measure or not vouched_for):
            return 0.0
        return throttle(self.gauge.kpa, self._limits.target_kpa, self._limits.slowest_pump)

    # What is so.

    def kpa(self, now: float) -> float | None:
        """The vacuum, where a gauge tells it."""
        return self.gauge.kpa if self.sense == "gauge" and not self.blind(now) else None

    @property
    def zero_kpa(self) -> float | None:
        """What the gauge reads when there is no vacuum, once it is known."""
        return self._zero.kpa if self.sense == "gauge" and self._zero.known else None

    @property
    def astray_kpa(self) -> float | None:
        """What the gauge reads at rest, where that is too much to be an error of it."""
        return self._zero.astray

    @property
    def sure(self) -> bool:
        """Whether a vacuum is a grip: behind a gauge air has to come in when the pump pauses."""
        return self.sense == "switch" or self.leakage.answers

    def blind(self, now: float) -> bool:
        """Whether the sensor says nothing that could be believed."""
        return self.gauge.astray or self.gauge.at is None or now - self.gauge.at > GAP_S

    def blindness(self) -> FaultCode:
        """Why it is blind."""
        return "sensor_range" if self.gauge.astray else "sensor_silent"

    def empty(self, now: float) -> bool | None:
        """Whether nothing hangs on the cup; ``None`` where nobody can tell."""
        if self.sense == "none" or self.gauge.kpa is None or self.blind(now):
            return None
        if self.gauge.kpa <= self.gauge.thresholds.clear:
            return True
        supposed = self.sense == "gauge" and not self._zero.known
        return None if supposed and abs(self.gauge.kpa) <= AMBIENT_AT_MOST_KPA else False

    def trouble(self, code: FaultCode) -> Trouble:
        """A fault as a screen shows it, with the reading where it is about one."""
        if code != "sensor_zero" or self._zero.astray is None:
            return Trouble.of(code)
        log.warning("with the pump off the sensor reads %.1f kPa: that is no error of a sensor", self._zero.astray)
        return Trouble.of(code, round(self._zero.astray, 1))

    # The zero.

    def suppose_zero(self) -> None:
        """Somebody lifts: where nothing was learned yet, what is read just before has to do."""
        if self.gauge.kpa is not None:
            self._zero.suppose(self.gauge.kpa + self._zero.kpa)

    def _weighed(self, raw_kpa: float, at: float, phase: Phase) -> Sample:
        """A reading of a gauge without its error, seen on the way by all who judge it."""
        if self._measure:
            self._measure.see(raw_kpa, at)
        if self._rests(at, phase):
            self._zero.see(raw_kpa, at)
            self._tell_zero()
        else:
            self._zero.interrupt()
        kpa = raw_kpa - self._zero.kpa
        if phase in PUMPING and at != self.gauge.at:
            self.leakage.see(kpa, at, pumping=self._pumping)
        return Sample(kpa, at)

    def _rests(self, at: float, phase: Phase) -> bool:
        """Whether the pump has been off for so long that what is read is the sensor's own error."""
        at_rest = phase in ("off", "fault") and self._measure is None
        return at_rest and (self._pumped_at is None or at - self._pumped_at >= RESTED_S)

    def _tell_zero(self) -> None:
        if abs(self._zero.kpa - self._told_zero) < ZERO_TELLS_KPA:
            return
        self._told_zero = self._zero.kpa
        log.info("with no vacuum the sensor reads %.1f kPa; from now on that counts as none", self._zero.kpa)
        self._emit(ZeroLearned(round(self._zero.kpa, 1)))

    # The readings of a calibration.

    @property
    def measuring(self) -> Reading | None:
        """The reading that is under way."""
        return self._measure.reading if self._measure else None

    def expect(self, reading: Reading) -> None:
        """Refuse a reading that there is no gauge for, or that is out of turn."""
        if self.sense != "gauge":
            raise ShovelRefused("no_sensor")
        self.calibration.expect(reading)

    def measure(self, reading: Reading, now: float, done: Callable[[Calibration | ShovelRefused], None]) -> None:
        """Begin a reading."""
        self._measure = Measuring(reading, now, self.calibration, done)

    def measured(self, now: float) -> bool:
        """Whether a reading was under way that has had its time; it is over now, and what it says in force."""
        measure = self._measure
        if measure is None or not measure.due(now):
            return False
        self._measure = None
        tight = self.leakage.mute or (self.gauge.held and not self.leakage.answers)
        taken = measure.finish(now, tight=tight)
        if taken is not None:
            self._take(taken)
        return True

    def abandon(self) -> None:
        """Something came between a reading and its end."""
        measure, self._measure = self._measure, None
        if measure:
            measure.abandon()

    def _take(self, taken: Calibration) -> None:
        self.calibration = taken
        if taken.ambient is not None:
            self._zero.measured(taken.ambient)
        if taken.complete:
            self.gauge.thresholds = taken.thresholds
