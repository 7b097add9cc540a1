"""The guide's checklist walked on a rig: each check measures, judges, and may have learned something for `rig.toml`."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from statistics import median
from typing import Literal, Protocol, get_args

from msgspec import Struct

from hardware.air import Air
from hardware.calibration import AMBIENT_AT_MOST_KPA, OPEN_AT_MOST_KPA, ZERO_STEADY_KPA, Calibration, Reading
from hardware.faults import AirLost, ShovelRefused
from hardware.lifter import Lifter, LiftLimits
from hardware.vacuum import CLEAR_KPA, HELD_KPA, Sample

Check = Literal[
    "supply",
    "zero",
    "rest",
    "ground",
    "open",
    "leak",
    "valve",
    "stall",
    "thresholds",
    "lift",
    "stop",
    "lease",
    "unplug",
]
Wish = Literal["nothing", "cup_in_air", "cup_on_tile", "pull_plug", "put_plug_back"]
Question = Literal["still", "hung", "fell"]
"""Whether all stood still; whether the tile hung on the cup and came free; whether it fell, and the pump stopped."""
Verdict = Literal["passed", "failed", "left_out"]

CHECKS: tuple[Check, ...] = get_args(Check)
NEEDS: Mapping[Check, Wish] = {
    "ground": "cup_in_air",
    "open": "cup_in_air",
    "rest": "cup_on_tile",
    "leak": "cup_on_tile",
    "valve": "cup_on_tile",
    "stall": "cup_on_tile",
    "lift": "cup_on_tile",
    "stop": "cup_on_tile",
    "lease": "cup_on_tile",
    "unplug": "cup_on_tile",
}
NEEDS_GAUGE: frozenset[Check] = frozenset(("supply", "zero", "ground", "open", "leak", "valve", "stall", "thresholds"))
"""The others a switch can tell, and where there is no sensor at all, whoever stands at the rig."""
TICK_S = 0.02
RENEW_S = 0.2
REST_S = 1.0
SUPPLY_V = (4.4, 5.25)
GROUND_AT_MOST_KPA = 1.5
OPEN_AT_LEAST_KPA = 0.3
BLEEDS_WITHIN_S = 0.5
VENT_FASTER = 0.75
LEVELS = (1.0, 0.94, 0.88, 0.82, 0.75, 0.69, 0.63)
"""The steps in which a board's level goes."""
STALL_MARGIN = 0.04
LIFTS = 3
LIFT_WITHIN_S = 1.0
OFF_WITHIN_S = 0.8
LATE_S = 0.1
"""A status of the board may be that old when it is looked at."""
PULL_WITHIN_S = 12.0
BACK_WITHIN_S = 30.0


class BenchOperator(Protocol):
    """Whoever stands at the rig."""

    def do(self, wish: Wish) -> None:
        """Do it, and return when it is done; ``"pull_plug"`` returns at once, and the plug is pulled soon."""

    def volts(self) -> float | None:
        """What a multimeter shows between the board's 5 V pin and ground; ``None`` where nobody has one."""

    def saw(self, question: Question) -> bool | None:
        """What was seen in the check that has just ended, where no sensor tells; ``None`` where nobody looked."""


class CheckResult(Struct, frozen=True):
    """
    What became of one check.

    :ivar found: what it measured, by name
    :ivar why: where it was left out, or broke off: a code of a fault or a refusal, or ``"no_gauge"`` and the like;
        ``"seen"`` or ``"seen_otherwise"`` where somebody looked in place of a sensor
    """

    check: Check
    verdict: Verdict
    found: dict[str, float] = {}
    why: str = ""


class Learned(Struct):
    """What is worth keeping: in the rig file, and in the calibration."""

    slowest_pump: float | None = None
    reference_v: float | None = None
    calibration: Calibration | None = None


class BenchAborted(Exception):
    """The rig let go in the middle of a check."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Bench:
    """
    The checks of one rig. Pump and valve are off before each, between them and after the last, whatever happens.

    :param lifter: the shovel on the same air path
    :param wait: lets time pass
    :param without: the checks that have nothing to look at on this rig, and why
    """

    def __init__(
        self,
        air: Air,
        lifter: Lifter,
        *,
        hands: BenchOperator,
        limits: LiftLimits | None = None,
        without: Mapping[Check, str] | None = None,
        clock: Callable[[], float] = time.monotonic,
        wait: Callable[[float], None] = time.sleep,
    ) -> None:
        self.learned = Learned()
        self._air, self._lifter, self._hands = air, lifter, hands
        self._limits = limits or LiftLimits()
        self._without = without or {}
        self._clock, self._wait = clock, wait
        self._zero = 0.0
        self._renewed_at = float("-inf")

    def run(self, checks: Sequence[Check] = CHECKS) -> Iterator[CheckResult]:
        """Make the checks, in this order, and tell of each as it ends."""
        for check in checks:
            yield self._made(check)

    def _made(self, check: Check) -> CheckResult:
        if (why := self._why_left_out(check)) is not None:
            return CheckResult(check, "left_out", why=why)
        try:
            if check in NEEDS:
                self._hands.do(NEEDS[check])
            self._rest()
            result: CheckResult = getattr(self, f"check_{check}")()
        except (BenchAborted, AirLost, ShovelRefused) as broken:
            result = CheckResult(check, "failed", why=str(broken.code))
        finally:
            self._off()
        return result

    def _why_left_out(self, check: Check) -> str | None:
        if self._air.sense != "gauge" and check in NEEDS_GAUGE:
            return "no_gauge"
        return self._without.get(check)

    @property
    def _blind(self) -> bool:
        return self._air.sense == "none"

    # The checks.

    def check_supply(self) -> CheckResult:
        """The board's own 5 V, with which its converter compares."""
        volts = self._hands.volts()
        if volts is None:
            return CheckResult("supply", "left_out", why="not_measured")
        sound = SUPPLY_V[0] <= volts <= SUPPLY_V[1]
        if sound:
            self.learned.reference_v = round(volts, 2)
        return _judged("supply", sound, volts=volts)

    def check_zero(self) -> CheckResult:
        """What the gauge reads at rest, and that it stands still."""
        readings = self._readings(0.0, REST_S, closed=False)
        self._zero, spread = median(readings), max(readings) - min(readings)
        sound = abs(self._zero) <= AMBIENT_AT_MOST_KPA and spread <= ZERO_STEADY_KPA
        return _judged("zero", sound, kpa=self._zero, spread=spread)

    def check_rest(self) -> CheckResult:
        """With the valve shut on a tile and the pump off, nothing pulls."""
        readings = self._readings(0.0, REST_S, closed=True)
        if self._blind:
            return self._seen("rest", "still")
        kpa = max(readings) - self._zero
        return _judged("rest", kpa <= CLEAR_KPA, kpa=kpa)

    def check_ground(self) -> CheckResult:
        """A reading that leaps as the pump's current ends is no vacuum: the pump's ground is the gauge's."""
        before = median(self._readings(1.0, REST_S, closed=True)[-5:])
        after = self._readings(0.0, 0.08, closed=True)[-1]
        return _judged("ground", before - after <= GROUND_AT_MOST_KPA, kpa=before - after)

    def check_open(self) -> CheckResult:
        """Air goes through cup, hose and pump."""
        kpa = median(self._readings(1.0, REST_S, closed=True)[-5:]) - self._zero
        return _judged("open", OPEN_AT_LEAST_KPA <= kpa <= OPEN_AT_MOST_KPA, kpa=kpa)

    def check_leak(self) -> CheckResult:
        """A tile is held, and the bleed hole lets air in."""
        reached = self._up_to(self._limits.target_kpa)
        bleeds = self._falls_to(reached / 2, closed=True)
        return _judged("leak", reached >= HELD_KPA and bleeds <= BLEEDS_WITHIN_S, kpa=reached, seconds=bleeds)

    def check_valve(self) -> CheckResult:
        """With the valve open the vacuum goes faster than with the valve shut."""
        shut = self._falls_to(self._up_to(self._limits.target_kpa) / 4, closed=True)
        opened = self._falls_to(self._up_to(self._limits.target_kpa) / 4, closed=False)
        return _judged("valve", opened <= VENT_FASTER * shut, seconds=opened, shut=shut)

    def check_stall(self) -> CheckResult:
        """The least of its voltage with which the pump starts on a tile."""
        least = None
        for level in LEVELS:
            self._rest()
            if max(self._readings(level, REST_S, closed=True)) - self._zero < CLEAR_KPA:
                break
            least = level
        if least is None:
            return _judged("stall", False)
        self.learned.slowest_pump = round(min(1.0, least + STALL_MARGIN), 2)
        return _judged("stall", True, least=least, slowest=self.learned.slowest_pump)

    def check_thresholds(self) -> CheckResult:
        """The three guided readings, as on the tablet."""
        readings: tuple[tuple[Reading, Wish], ...] = (
            ("ambient", "nothing"),
            ("open", "cup_in_air"),
            ("sealed", "cup_on_tile"),
        )
        for reading, wish in readings:
            self._hands.do(wish)
            self._work(lambda: False, REST_S)
            self.learned.calibration = self._taken(reading)
            self._work(lambda: self._lifter.phase == "off", 3.0)
        held = self._lifter.calibration.thresholds
        return _judged("thresholds", True, held=held.held, lost=held.lost, clear=held.clear)

    def check_lift(self) -> CheckResult:
        """A tile is lifted and put down some times, as in play."""
        slowest = 0.0
        self._work(lambda: False, REST_S)
        for _ in range(LIFTS):
            self._lifter.grip(self._clock())
            slowest = max(slowest, self._work(lambda: self._lifter.phase == "holding", self._limits.prime_s + 1))
            self._work(lambda: False, REST_S)
            if self._lifter.phase != "holding":
                raise BenchAborted(self._trouble_of_the_lift())
            self._lifter.release(self._clock())
            self._work(lambda: self._lifter.phase == "off", 3.0)
        if self._blind:
            return self._seen("lift", "hung")
        return _judged("lift", slowest <= LIFT_WITHIN_S and self._lifter.phase == "off", seconds=slowest)

    def check_stop(self) -> CheckResult:
        """Stop, in the middle of a grip."""
        self._hold()
        self._air.stop()
        gone = self._gone()
        if self._blind:
            return self._seen("stop", "fell")
        return _judged("stop", gone <= OFF_WITHIN_S, seconds=gone)

    def check_lease(self) -> CheckResult:
        """A program that hangs: nobody renews, and the rig lets go by itself."""
        self._hold()
        self._drive(1.0, closed=True)
        self._air.renew()
        begun, let_go = self._clock(), None
        while let_go is None and self._clock() - begun < 2 * OFF_WITHIN_S:
            self._pass_tick()
            let_go = self._air.trouble(self._clock())
        seconds = self._clock() - begun
        sound = let_go is not None and seconds <= OFF_WITHIN_S + LATE_S and self._gone() <= OFF_WITHIN_S
        if sound and self._blind:
            return self._seen("lease", "fell")
        return _judged("lease", sound, seconds=seconds)

    def check_unplug(self) -> CheckResult:
        """The cable is pulled while a tile is held; once it is back, the cup is free and the pump is off."""
        self._hands.do("pull_plug")
        begun = self._clock()
        with suppress(BenchAborted, AirLost):
            while self._clock() - begun < PULL_WITHIN_S:
                self._readings(self._limits.slowest_pump, RENEW_S, closed=True)
        if self._air.trouble(self._clock()) != "link_lost":
            raise BenchAborted("not_pulled")
        self._hands.do("put_plug_back")
        begun = self._clock()
        while self._air.trouble(self._clock()) == "link_lost":
            if self._clock() - begun > BACK_WITHIN_S:
                raise BenchAborted("link_lost")
            self._pass_tick()
            self._renew()
        readings = self._samples_for(REST_S)
        if self._blind:
            return self._seen("unplug", "fell")
        kpa = median(readings[-5:]) - self._zero
        return _judged("unplug", kpa <= CLEAR_KPA, kpa=kpa)

    # What they are made of.

    def _off(self) -> None:
        """Whatever happened, and whatever the rig still hears."""
        with suppress(AirLost):
            self._air.drive(0.0, closed=False)
        self._air.stop()

    def _rest(self) -> None:
        """Off, vented, and ready for what comes."""
        self._off()
        self._samples_for(REST_S)
        self._air.clear()

    def _drive(self, level: float, *, closed: bool) -> None:
        if (code := self._air.trouble(self._clock())) is not None:
            raise BenchAborted(code)
        self._air.drive(level, closed=closed)

    def _pass_tick(self) -> list[float]:
        self._wait(TICK_S)
        return _kpa(self._air.samples(self._clock()))

    def _renew(self, each: float = RENEW_S) -> None:
        now = self._clock()
        if now - self._renewed_at >= each:
            self._renewed_at = now
            self._air.renew()

    def _readings(self, level: float, seconds: float, *, closed: bool) -> list[float]:
        """What the gauge says while pump and valve are so; asked for in each tick, so that a board at rest speaks."""
        ends, readings = self._clock() + seconds, list[float]()
        while self._clock() < ends:
            self._drive(level, closed=closed)
            self._renew(TICK_S)
            readings += self._pass_tick()
        if not readings and not self._blind:
            raise BenchAborted("sensor_range")
        return readings

    def _hold(self) -> None:
        """Have a tile on the cup; without a sensor, for as long as a grip takes."""
        if self._blind:
            self._rest()
            self._readings(1.0, self._limits.prime_s, closed=True)
        elif self._up_to(self._limits.target_kpa) < HELD_KPA:
            raise BenchAborted("nothing_held")

    def _seen(self, check: Check, question: Question) -> CheckResult:
        """What somebody saw who looked in place of a sensor; asked once all is off, because asking waits."""
        self._off()
        match self._hands.saw(question):
            case None:
                return CheckResult(check, "left_out", why="nobody_looked")
            case True:
                return CheckResult(check, "passed", why="seen")
            case False:
                return CheckResult(check, "failed", why="seen_otherwise")

    def _up_to(self, target_kpa: float) -> float:
        """Pump on a tile up to a vacuum, or as far as it goes; what was reached."""
        self._rest()
        begun, reached = self._clock(), 0.0
        while reached < target_kpa and self._clock() - begun < self._limits.prime_s:
            reached = max(self._readings(1.0, TICK_S, closed=True)) - self._zero
        return reached

    def _falls_to(self, kpa: float, *, closed: bool) -> float:
        """How long the vacuum takes to fall so far once the pump is off."""
        begun = self._clock()
        while self._clock() - begun < 2 * BLEEDS_WITHIN_S:
            if self._readings(0.0, TICK_S * 2, closed=closed)[-1] - self._zero <= kpa:
                break
        return self._clock() - begun

    def _gone(self) -> float:
        """How long the vacuum takes to go, as far as a sensor tells; nobody drives anything meanwhile."""
        begun = self._clock()
        if self._blind:
            self._samples_for(OFF_WITHIN_S)
            return 0.0
        while self._clock() - begun < 2 * OFF_WITHIN_S:
            self._renew(TICK_S)
            readings = self._pass_tick()
            if readings and readings[-1] - self._zero <= CLEAR_KPA:
                break
        return self._clock() - begun

    def _samples_for(self, seconds: float) -> list[float]:
        """What the gauge says while nobody drives anything."""
        ends, readings = self._clock() + seconds, list[float]()
        while self._clock() < ends:
            self._renew(TICK_S)
            readings += self._pass_tick()
        if not readings and not self._blind:
            raise BenchAborted(self._air.trouble(self._clock()) or "sensor_range")
        return readings

    def _work(self, done: Callable[[], bool], within: float) -> float:
        """Have the shovel work until something is so, or for a time; how long it took."""
        begun = self._clock()
        while not done() and self._clock() - begun < within:
            self._wait(TICK_S)
            self._lifter.tick(self._clock())
            self._renew()
        return self._clock() - begun

    def _taken(self, reading: Reading) -> Calibration:
        taken: list[Calibration | ShovelRefused] = []
        self._lifter.measure(reading, self._clock(), taken.append)
        self._work(lambda: bool(taken), 6.0)
        outcome = taken[0] if taken else BenchAborted("no_answer")
        if isinstance(outcome, Calibration):
            return outcome
        raise outcome

    def _trouble_of_the_lift(self) -> str:
        state = self._lifter.state(self._clock())
        trouble = state.fault or state.outcome
        return trouble.code if trouble else "nothing_held"


def _judged(check: Check, sound: bool, **found: float) -> CheckResult:
    return CheckResult(check, "passed" if sound else "failed", {name: round(value, 2) for name, value in found.items()})


def _kpa(samples: Sequence[Sample]) -> list[float]:
    return [sample.kpa for sample in samples if sample.kpa is not None]
