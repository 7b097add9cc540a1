"""Judging a vacuum: thresholds, conditions that must last before they count, and a card told from a blocked hose."""

from typing import Literal

from msgspec import Struct

HELD_KPA = 6.0
LOST_BELOW_HELD_KPA = 2.0
CLEAR_KPA = 1.5
LASTS_SAMPLES = 3
HELD_LASTS_S = 0.06
LOST_LASTS_S = 0.15
GAP_S = 0.5
THROTTLE_BAND_KPA = 3.0
SLOWEST_PUMP = 0.85
"""With a smaller share of its voltage a diaphragm pump may stand still; others saw the recommended one do so at 0.75"""

Sense = Literal["none", "switch", "gauge"]


class Sample(Struct, frozen=True):
    """
    One reading of the sensor.

    :ivar kpa: vacuum below ambient; ``None`` when the sensor is outside its range
    :ivar at: when it was taken, on the rig's clock
    """

    kpa: float | None
    at: float


class Thresholds(Struct, frozen=True):
    """
    From which vacuum on a card is *held*, below which it is *lost*, and up to which the cup is *clear*.

    >>> Thresholds()
    Thresholds(held=6.0, lost=4.0, clear=1.5)
    >>> Thresholds.between(open_kpa=1.6, sealed_kpa=14.0)
    Thresholds(held=7.8, lost=5.8, clear=1.5)
    """

    held: float = HELD_KPA
    lost: float = HELD_KPA - LOST_BELOW_HELD_KPA
    clear: float = CLEAR_KPA

    @classmethod
    def between(cls, open_kpa: float, sealed_kpa: float) -> "Thresholds":
        """
        The thresholds for a cup that reads *open_kpa* in the air and *sealed_kpa* on a tile.

        A porous tile may never reach the usual 6 kPa; then the midpoint alone has to do.
        """
        midpoint = (open_kpa + sealed_kpa) / 2
        held = max(HELD_KPA, midpoint) if sealed_kpa >= HELD_KPA + LOST_BELOW_HELD_KPA else midpoint
        lost = max(held - LOST_BELOW_HELD_KPA, (open_kpa + held) / 2)
        return cls(round(held, 2), round(lost, 2), round(min(CLEAR_KPA, lost * 0.75), 2))

    @classmethod
    def of_switch(cls, closes_at_kpa: float) -> "Thresholds":
        """The thresholds for a vacuum switch, which reads either *closes_at_kpa* or nothing."""
        return cls(closes_at_kpa, closes_at_kpa / 2, closes_at_kpa / 4)


def throttle(kpa: float, target_kpa: float, slowest: float = SLOWEST_PUMP) -> float:
    """
    The pump's level for what the gauge reads: full until near the target, then as little as keeps it.

    >>> throttle(0.0, 12.0), throttle(12.0, 12.0), throttle(14.5, 12.0)
    (1.0, 0.85, 0.0)

    :param slowest: the least at which the pump is sure to turn
    """
    wanted = 0.5 + (target_kpa - kpa) / (2 * THROTTLE_BAND_KPA)
    if wanted < slowest / 2:  # between nothing and the slowest a small motor may stand still, hot
        return 0.0
    return min(1.0, max(slowest, wanted))


class Lasting:
    """
    Whether something has been so without a break, for long enough and over enough samples.

    >>> lost = Lasting(0.15)
    >>> [lost.see(True, at) for at in (0.0, 0.05, 0.10, 0.15)]
    [False, False, False, True]
    >>> lost.see(False, 0.2), lost.see(True, 0.4)
    (False, False)
    """

    def __init__(self, seconds: float, samples: int = LASTS_SAMPLES) -> None:
        self.seconds = seconds
        self.samples = samples
        self._since = 0.0
        self._seen = 0

    def see(self, so: bool, at: float) -> bool:
        """Take one sample's verdict, and say whether it has lasted."""
        if not so:
            self._seen = 0
            return False
        if not self._seen:
            self._since = at
        self._seen += 1
        return self._seen >= self.samples and at - self._since >= self.seconds - 1e-9

    def forget(self) -> None:
        """Start again."""
        self._seen = 0


class Gauge:
    """The newest readings of the sensor, and what they have been saying for long enough."""

    def __init__(self, thresholds: Thresholds, *, blocked_kpa: float) -> None:
        self.thresholds = thresholds
        self.blocked_kpa = blocked_kpa
        self.kpa: float | None = None
        self.at: float | None = None
        self._held = Lasting(HELD_LASTS_S)
        self._lost = Lasting(LOST_LASTS_S)
        self._clear = Lasting(HELD_LASTS_S)
        self._blocked = Lasting(LOST_LASTS_S)
        self._astray = Lasting(LOST_LASTS_S)
        self.held = self.lost = self.clear = self.blocked = self.astray = False

    def see(self, sample: Sample) -> None:
        """Take a sample; one that was seen before counts for nothing, and after a gap everything begins anew."""
        if self.at is not None and sample.at <= self.at:
            return
        if self.at is not None and sample.at - self.at > GAP_S:
            self.forget()
        self.at = sample.at
        self.astray = self._astray.see(sample.kpa is None, sample.at)
        if sample.kpa is None:
            for lasting in (self._held, self._lost, self._clear, self._blocked):
                lasting.forget()
            self.held = self.lost = self.clear = self.blocked = False
            return
        self.kpa = sample.kpa
        self.held = self._held.see(sample.kpa >= self.thresholds.held, sample.at)
        self.lost = self._lost.see(sample.kpa < self.thresholds.lost, sample.at)
        self.clear = self._clear.see(sample.kpa <= self.thresholds.clear, sample.at)
        self.blocked = self._blocked.see(sample.kpa > self.blocked_kpa, sample.at)

    def forget(self) -> None:
        """Start every judgement again, as at the beginning of a lift."""
        for lasting in (self._held, self._lost, self._clear, self._blocked, self._astray):
            lasting.forget()
        self.held = self.lost = self.clear = self.blocked = self.astray = False


ANSWER_S = 0.5
PAUSE_AT_MOST_S = 0.8
ANSWER_KPA = 1.0
SHARE_AT_LEAST = 0.03
FALL_AT_LEAST_PER_S = 0.6
SPAN_S = 0.02
CHECK_EVERY_S = 1.0


class Leakage:
    """
    Whether air still comes in where the cup is, judged by pausing the pump with the valve shut.

    A cup on a card lets in air, through the card and through its bleed hole, and has a whole hose of air behind it:
    the vacuum rises in a tenth of a second and falls as soon as the pump pauses. Behind a kink there is next to no
    air and no leak: the vacuum leaps up and stays. How large pump and hose are nobody says; but the fall (in parts
    of the vacuum) divided by the rise (in kPa) is what leaks in at 1 kPa, as a share of what the pump draws, and in
    that the volume of the air cancels out.

    >>> card, kinked = Leakage(12.0), Leakage(12.0)
    >>> for at, kpa in ((0.0, 0.0), (0.025, 2.5), (0.05, 6.0), (0.075, 9.5)):
    ...     card.see(kpa, at, pumping=True)
    ...     kinked.see(4 * kpa, at, pumping=True)
    >>> for tick in range(4, 30):
    ...     card.see(9.5 * 0.9 ** (tick - 3), tick / 40, pumping=False)
    ...     kinked.see(38.0 * 0.995 ** (tick - 3), tick / 40, pumping=False)
    >>> card.answers, kinked.answers, kinked.mute
    (True, False, True)

    :ivar mute: the newest pause brought no answer
    """

    def __init__(self, target_kpa: float) -> None:
        self._target = target_kpa
        self.forget()

    def forget(self) -> None:
        """Start again, as at the beginning of a lift."""
        self.mute = False
        self._answered_at: float | None = None
        self._rise = 0.0
        self._earlier: list[tuple[float, float]] = []
        self._paused_at: float | None = None
        self._top = self._top_at = 0.0

    @property
    def answers(self) -> bool:
        """Whether air came in at the last pause, as it does through a card."""
        return self._answered_at is not None and not self.mute

    def due(self, now: float) -> bool:
        """Whether it is time for a pause: at the beginning, and then once in a while."""
        return self._answered_at is None or self.mute or now - self._answered_at >= CHECK_EVERY_S

    def see(self, kpa: float, at: float, *, pumping: bool) -> None:
        """
        Take a sample.

        :param pumping: whether the pump has been told to run, at whatever level
        """
        if pumping:
            self._see_rise(kpa, at)
        else:
            self._see_fall(kpa, at)

    def _see_rise(self, kpa: float, at: float) -> None:
        if self._paused_at is not None:
            self._paused_at = None
            self._rise = 0.0
            self._earlier.clear()
        self._note_rise(kpa, at)

    def _note_rise(self, kpa: float, at: float) -> None:
        """The steepest rise between two samples that are far enough apart to tell it from noise."""
        self._earlier.append((kpa, at))
        while len(self._earlier) > 1 and at - self._earlier[1][1] >= SPAN_S - 1e-9:
            del self._earlier[0]
        before, when = self._earlier[0]
        if at - when >= SPAN_S - 1e-9:
            self._rise = max(self._rise, (kpa - before) / (at - when))

    def _see_fall(self, kpa: float, at: float) -> None:
        if self._paused_at is None:
            self._begin_span(kpa, at)
        if kpa >= self._top:  # the motor runs down, and draws all the while
            self._top, self._top_at = kpa, at
            self._note_rise(kpa, at)
        passed, fallen = at - self._top_at, self._top - kpa
        if fallen >= ANSWER_KPA and passed > 0 and self._is_leak(fallen / max(self._top, ANSWER_KPA) / passed):
            self.mute = False
            self._answered_at = at
            self._begin_span(kpa, at)  # the hose may be blocked in the middle of a pause
        elif passed >= ANSWER_S or at - (self._paused_at or at) >= PAUSE_AT_MOST_S:
            self.mute = True

    def _begin_span(self, kpa: float, at: float) -> None:
        self._paused_at = self._top_at = at
        self._top = kpa

    def _is_leak(self, fall_per_s: float) -> bool:
        share = fall_per_s / max(self._rise, 1.0) * self._target
        return fall_per_s >= FALL_AT_LEAST_PER_S and share >= SHARE_AT_LEAST
