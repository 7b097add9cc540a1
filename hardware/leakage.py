"""Telling a card that is held from a hose that is blocked: how fast the vacuum rises, and how it falls in a pause."""

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
