"""The suction shovel: a state machine that lifts, verifies what it lifted, and never lets go on a whim."""

from collections.abc import Callable
from typing import Annotated

from msgspec import Meta, Struct

from hardware.air import Air
from hardware.calibration import Calibration, Reading
from hardware.events import (
    Cleared,
    Fault,
    LiftDone,
    LiftDoubted,
    LiftFailed,
    LiftHeld,
    LiftSettled,
    Phase,
    RigEvent,
    ShovelState,
)
from hardware.faults import OUTCOMES, AirLost, FaultCode, OutcomeCode, ShovelRefused, Trouble
from hardware.senses import PUMPING, Senses
from hardware.vacuum import SLOWEST_PUMP

Seconds = Annotated[float, Meta(gt=0, le=60)]


class LiftLimits(Struct, frozen=True, forbid_unknown_fields=True):
    """
    The times and pressures of a lift; all may be set in the rig file, none beyond what a board accepts.

    :ivar target_kpa: the vacuum the pump is throttled to, to spare soft card; well above what counts as held
    :ivar blocked_kpa: above this the cup or the hose is blocked
    :ivar slowest_pump: the least share of its voltage at which the pump is sure to turn; ``digside bench`` finds it out
    :ivar prime_s: how long to wait for a grip (with no sensor: how long a grip takes)
    :ivar doubt_s: how long a lost grip is kept up for a person to say that it is still there
    :ivar vent_s: how long letting go takes where no sensor tells
    :ivar clear_s: how long the vacuum may take to go once the valve is open
    :ivar longest_s: the pump's longest time in one go; the board's own limit is 20 s
    :ivar budget_s: how much pumping is saved up when rested; a second of rest buys back a second
    """

    target_kpa: Annotated[float, Meta(ge=8, le=30)] = 12.0
    blocked_kpa: Annotated[float, Meta(ge=15, le=80)] = 45.0
    slowest_pump: Annotated[float, Meta(ge=0.5, le=1)] = SLOWEST_PUMP
    prime_s: Seconds = 2.5
    doubt_s: Annotated[float, Meta(ge=0, le=5)] = 2.0
    vent_s: Seconds = 0.4
    clear_s: Seconds = 1.5
    longest_s: Annotated[float, Meta(gt=0, le=15)] = 15.0
    budget_s: Annotated[float, Meta(ge=5, le=60)] = 20.0


class Budget:
    """
    Pumping time that is spent while the pump runs and comes back while it rests.

    A full budget and the rate of one for one let the pump run half of the time for good, which
    keeps a small diaphragm pump cool.

    >>> budget = Budget(60.0)
    >>> budget.spend(10.0, running=True)
    50.0
    >>> budget.spend(4.0, running=False)
    54.0
    """

    def __init__(self, full: float) -> None:
        self.full = full
        self.left = full

    def spend(self, seconds: float, *, running: bool) -> float:
        """Let *seconds* pass and return what is left."""
        change = -seconds if running else seconds
        self.left = min(self.full, max(0.0, self.left + change))
        return self.left


class LiftRecord:
    """
    Which lift is under way, whether its sensor or a person vouches for it, and how the last one ended.

    >>> lifts = LiftRecord(print)
    >>> lifts.begin(vouched=True)
    >>> lifts.held()
    LiftHeld(lift=1)
    >>> lifts.put_down()
    LiftDone(lift=1, verified=True)
    >>> lifts.fail("dropped")

    :ivar count: how many have begun
    :ivar under_way: whether one has begun and not ended
    :ivar by_hand: whether a person vouches for it in place of the sensor
    :ivar outcome: how the newest went wrong, unless a fault says so
    """

    def __init__(self, emit: Callable[[RigEvent], None]) -> None:
        self.count = 0
        self.under_way = False
        self.by_hand = False
        self.outcome: Trouble | None = None
        self._vouched = False
        self._emit = emit

    def begin(self, *, vouched: bool) -> None:
        """
        Begin the next.

        :param vouched: whether the sensor saw an empty cup
        """
        self.count += 1
        self.under_way = True
        self.by_hand = False
        self.outcome = None
        self._vouched = vouched

    def held(self) -> None:
        """There is a grip."""
        self._emit(LiftHeld(self.count))

    def doubted(self) -> None:
        """The sensor no longer sees it."""
        self._emit(LiftDoubted(self.count))

    def emit_settled(self) -> None:
        """It is held after all."""
        self._emit(LiftSettled(self.count))

    def put_down(self) -> None:
        """The cup is clear again; where the lift had failed before, nothing is left to tell."""
        if self.under_way:
            self.under_way = False
            self._emit(LiftDone(self.count, verified=self._vouched and not self.by_hand))

    def fail(self, why: FaultCode | OutcomeCode) -> None:
        """It ended otherwise; where none is under way, nothing did."""
        if self.under_way:
            self.under_way = False
            self.outcome = Trouble.of(why) if why in OUTCOMES else None
            self._emit(LiftFailed(self.count, why))


GRIP_NEEDS_S = 5.0
AHEAD_OF_DEVICE_S = 0.2
"""So much before a device cuts for want of rest the shovel lets go by itself: one that cuts latches a fault."""
SILENT = ("link_lost", "board_restarted")
WHY_SILENT = ("board_hung", "brown_out")
"""What a board may say, once it is heard again, of why it was not; it tells a person more than the silence did."""


class Lifter:
    """
    A pump, a valve and perhaps a sensor behind an :class:`~hardware.air.Air`, driven by :meth:`tick`.

    ``off → priming → holding → releasing → off``, and ``fault``, which is latched: it stays until
    :meth:`clear`. All methods but :meth:`stop` and :meth:`halt` belong to the one thread that ticks.

    The following example grips until somebody lets go::

        lifter = Lifter(air, emit=print)
        lifter.grip(monotonic())
        while lifter.phase != "off":
            lifter.tick(monotonic())
            sleep(0.02)

    :param air: what it drives
    :param emit: takes each event of a lift as it happens
    """

    def __init__(
        self,
        air: Air,
        *,
        emit: Callable[[RigEvent], None],
        limits: LiftLimits | None = None,
        calibration: Calibration | None = None,
    ) -> None:
        self.air = air
        self.limits = limits or LiftLimits()
        self.phase: Phase = "off"
        self._emit = emit
        self._senses = Senses(
            air.sense,
            limits=self.limits,
            calibration=calibration or Calibration(),
            thresholds=air.thresholds,
            emit=emit,
        )
        self._budget = Budget(self.limits.budget_s)
        self._since = 0.0
        self._now: float | None = None
        self._on_since: float | None = None
        self._lifts = LiftRecord(emit)
        self._doubt_since: float | None = None
        self._fault: Trouble | None = None
        self._stop_asked = False
        self._halted = False

    # The commands of people and of the table.

    def grip(self, now: float, *, sure: bool = False) -> None:
        """
        Lift. Asked again during a lift it changes nothing.

        :param sure: a person says that the cup is empty, whatever the sensor reads
        :raises ShovelRefused: in a fault, while letting go or measuring, with something on the cup, or tired
        """
        self._take_stop(now)  # one that came before this is over: it ends no lift that begins after it
        if self.phase in PUMPING and self.measuring is None and not self._halted:
            return
        self._refuse_unless_ready(now)
        empty = self._senses.empty(now)
        if empty is False and not sure:
            raise ShovelRefused("not_empty")
        self._ready_air(now)
        self._senses.suppose_zero()
        self._lifts.begin(vouched=bool(empty))
        self._enter("priming", now)

    def release(self, now: float) -> None:
        """Put down what is held; where nothing is held it changes nothing. What the sensor has lost was dropped."""
        if self.phase == "priming":
            self._lifts.fail("cancelled")
        elif self._doubt_since is not None:
            self._lifts.fail("dropped")
        if self.phase in PUMPING:
            self._senses.abandon()
            self._let_go(now)

    def confirm(self, now: float) -> None:
        """
        A person vouches for what the sensor does not see: "I have it", or "it is still there".

        While letting go it means that the card has come off; during a lift that nobody doubts, nothing.

        :raises ShovelRefused: when there is nothing to confirm
        """
        if not self._lifts.under_way:
            raise ShovelRefused("nothing_to_confirm")
        if self.phase == "holding" and self._doubt_since is None:
            return
        self._lifts.by_hand = True
        self._settle()
        if self.phase == "priming":
            self._hold(now)
        elif self.phase == "releasing":
            self._put_down(now)

    def clear(self, now: float) -> None:
        """
        Clear a fault, once its cause is gone.

        :raises ShovelRefused: while the cause is still there
        """
        if self.phase != "fault":
            return
        try:
            self.air.clear()
        except AirLost:
            raise ShovelRefused("still_faulty") from None
        if self.air.trouble(now) or self._senses.gauge.astray or self._senses.astray_kpa is not None:
            raise ShovelRefused("still_faulty")
        self._fault = None
        self._enter("off", now)
        self._emit(Cleared())

    def measure(self, reading: Reading, now: float, done: Callable[[Calibration | ShovelRefused], None]) -> None:
        """
        Begin one of the three readings of a calibration.

        :param done: is told the outcome about two seconds later
        :raises ShovelRefused: when there is no gauge, the reading is out of turn, or the shovel is not at rest
        """
        self._take_stop(now)
        self._senses.expect(reading)
        self._refuse_unless_ready(now)
        self._ready_air(now)
        self._senses.measure(reading, now, done)
        self._lifts.outcome = None
        if reading != "ambient":
            self._enter("priming", now)

    @property
    def lift(self) -> int:
        """The number of the newest lift; 0 before the first."""
        return self._lifts.count

    @property
    def calibration(self) -> Calibration:
        """What is known of sensor and cup."""
        return self._senses.calibration

    @property
    def measuring(self) -> Reading | None:
        """The reading of a calibration that is under way."""
        return self._senses.measuring

    def stop(self) -> None:
        """Pump off, valve open, at once, from any thread and in every state; harmless to repeat."""
        self._stop_asked = True
        self.air.stop()

    def halt(self) -> None:
        """Stop for good: nothing moves again in this process. Safe in a signal handler."""
        self._halted = True
        self.air.stop()

    def break_down(self, now: float) -> None:
        """Latch a fault because the loop itself has failed."""
        self._fail("device", now)

    # The loop.

    def tick(self, now: float) -> None:
        """Look at the sensor and the clock, and do what is due. Call it every 20 ms or so."""
        self._take_stop(now)
        passed = 0.0 if self._now is None else now - self._now
        self._now = now
        self._budget.spend(passed, running=self.phase in PUMPING)
        try:
            for sample in self.air.samples(now):
                self._senses.see(sample, self.phase)
            trouble = self._trouble(now)
            if trouble and self.phase != "fault":
                self._fail(trouble, now)
            elif trouble in WHY_SILENT and self._fault and self._fault.code in SILENT:
                self._fault = Trouble.of(trouble)
            self._act(now)
        except AirLost as lost:
            if not self._must_stop():  # a board that was stopped meanwhile refuses, and that is no fault
                self._fail(lost.code, now)

    def state(self, now: float) -> ShovelState:
        """The shovel at this moment."""
        sense, senses = self.air.sense, self._senses
        on_s = 0.0 if self._on_since is None else now - self._on_since
        return ShovelState(
            state=self.phase,
            since=self._since,
            lift=self._lifts.count,
            vacuum_kpa=_tenths(senses.kpa(now)),
            zero_kpa=_tenths(senses.zero_kpa),
            thresholds=senses.gauge.thresholds if sense != "none" else None,
            fault=self._fault,
            outcome=self._lifts.outcome,
            doubt=self._doubt_since is not None,
            measuring=self.measuring,
            readings=self.calibration if sense == "gauge" else None,
            sensor=sense != "none",
            gauge=sense == "gauge",
            pump=self.phase in PUMPING,
            calibrated=sense == "gauge" and self.calibration.complete,
            left_s=round(max(0.0, self._may_pump_s(now)), 1) if self.phase == "holding" else None,
            on_ms=round(on_s * 1000),
            longest_ms=round(self.limits.longest_s * 1000),
            budget_ms=round(max(0.0, self._left_s()) * 1000),
            rested_ms=round(self.limits.budget_s * 1000),
            resting=self._left_s() < GRIP_NEEDS_S,
        )

    def _trouble(self, now: float) -> FaultCode | None:
        trouble = self.air.trouble(now)
        if trouble is None and self.phase == "off" and self._senses.astray_kpa is not None:
            return "sensor_zero"
        if trouble or self.phase not in PUMPING:
            return trouble
        return "blocked" if self._senses.gauge.blocked else None

    def _act(self, now: float) -> None:
        match self.phase:
            case "priming" | "holding" if self._may_pump_s(now) <= 0:
                self._end_of_time(now)
            case "priming" if self.measuring:
                self._go_on_measuring(now)
            case "priming":
                self._go_on_priming(now)
            case "holding":
                self._go_on_holding(now)
            case "releasing":
                self._go_on_releasing(now)
            case _:
                self._senses.measured(now)
                self.air.drive(0.0, closed=False)

    def _go_on_priming(self, now: float) -> None:
        waited = now - self._since
        if self.air.sense == "none":
            if waited >= self.limits.prime_s:
                self._hold(now)
        elif self._senses.blind(now):
            self._fail(self._senses.blindness(), now)
        elif self._senses.gauge.held:
            self._make_sure(now)
        elif waited >= self.limits.prime_s:
            self._lifts.fail("leak")
            self._let_go(now)
        self._suck(now)

    def _make_sure(self, now: float) -> None:
        """There is a vacuum; before it counts as a grip, air has to come in when the pump pauses."""
        if self._senses.sure:
            self._hold(now)
        elif self._senses.leakage.mute:
            self._fail("blocked", now)

    def _go_on_holding(self, now: float) -> None:
        if self.air.sense != "none" and not self._lifts.by_hand:
            self._watch_over(now)
        self._suck(now)

    def _watch_over(self, now: float) -> None:
        blind, mute = self._senses.blind(now), self._senses.leakage.mute
        if not (self._senses.gauge.lost or blind or mute):
            if self._senses.gauge.held:
                self._settle()
        elif self._doubt_since is None:
            self._doubt_since = now
            self._lifts.doubted()
        if self._doubt_since is None or now - self._doubt_since < self.limits.doubt_s:
            return
        if blind:
            self._fail(self._senses.blindness(), now)
        elif mute:
            self._fail("blocked", now)
        else:
            self._lifts.fail("dropped")
            self._let_go(now)

    def _end_of_time(self, now: float) -> None:
        """The pump may run no longer: let go as a person would, for nothing is wrong that anybody had to clear."""
        if self._doubt_since is not None:
            self._lifts.fail("dropped")
        else:
            self._lifts.fail("held_too_long" if self.phase == "holding" else "leak")
        self._senses.abandon()
        self._let_go(now)

    def _settle(self) -> None:
        if self._doubt_since is not None:
            self._doubt_since = None
            self._lifts.emit_settled()

    def _go_on_releasing(self, now: float) -> None:
        self.air.drive(0.0, closed=False)
        waited = now - self._since
        if self.air.sense == "none":
            if waited >= self.limits.vent_s:
                self._put_down(now)
        elif self._senses.gauge.clear:
            self._put_down(now)
        elif waited >= self.limits.clear_s:
            self._fail("not_clear", now)

    def _go_on_measuring(self, now: float) -> None:
        if self._senses.measured(now):
            self._let_go(now)
        self._suck(now)

    def _suck(self, now: float) -> None:
        if self.phase not in PUMPING or self._must_stop():
            return
        level = self._senses.level(now, vouched_for=self._lifts.by_hand)
        self._senses.driven(level, now)
        self.air.drive(level, closed=True)
        if self._must_stop():  # a stop that came in between has the last word
            self.air.stop()

    # From phase to phase.

    def _enter(self, phase: Phase, now: float) -> None:
        if phase not in PUMPING:
            self._on_since = None
            self._doubt_since = None
        elif self._on_since is None:
            self._on_since = now
        if phase != "holding":
            self._senses.forget()
        self.phase = phase
        self._since = now

    def _hold(self, now: float) -> None:
        self._enter("holding", now)
        self._lifts.held()

    def _let_go(self, now: float) -> None:
        self._enter("releasing", now)
        try:
            self.air.drive(0.0, closed=False)
        except AirLost as lost:
            self._fail(lost.code, now)

    def _put_down(self, now: float) -> None:
        self._enter("off", now)
        self._lifts.put_down()

    def _fail(self, code: FaultCode, now: float) -> None:
        if self.phase == "fault":
            return
        self._senses.abandon()
        self._enter("fault", now)
        self.air.stop()
        self._fault = self._senses.trouble(code)
        self._lifts.fail(code)
        self._emit(Fault(code))

    def _take_stop(self, now: float) -> None:
        if not self._must_stop():
            return
        self._stop_asked = False
        if self.phase in ("priming", "holding", "releasing"):
            self._enter("off", now)
            self._lifts.fail("stopped")
        self._senses.abandon()

    # What is so.

    def _ready_air(self, now: float) -> None:
        try:
            self.air.clear()
        except AirLost as lost:
            self._fail(lost.code, now)
            raise ShovelRefused("faulty") from lost

    def _must_stop(self) -> bool:
        return self._stop_asked or self._halted

    def _refuse_unless_ready(self, now: float) -> None:
        if self._halted:
            raise ShovelRefused("closed")
        if self.phase == "fault" or self.air.trouble(now):
            raise ShovelRefused("faulty")
        if self.phase != "off" or self.measuring:
            raise ShovelRefused("busy")
        if self._left_s() < GRIP_NEEDS_S:
            raise ShovelRefused("resting")

    def _left_s(self) -> float:
        of_device = self.air.budget_s()
        return self._budget.left if of_device is None else min(self._budget.left, of_device - AHEAD_OF_DEVICE_S)

    def _may_pump_s(self, now: float) -> float:
        """How long this go may still last."""
        on_s = 0.0 if self._on_since is None else now - self._on_since
        return min(self.limits.longest_s - on_s, self._left_s())


def _tenths(kpa: float | None) -> float | None:
    return None if kpa is None else round(kpa, 1)
