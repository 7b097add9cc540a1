"""The book of lifts: each is counted once, and is told to be held at most once and to have ended exactly once."""

from collections.abc import Callable

from hardware.events import LiftDone, LiftDoubted, LiftFailed, LiftHeld, LiftSettled, RigEvent
from hardware.faults import OUTCOMES, FaultCode, OutcomeCode, Trouble


class Lifts:
    """
    Which lift is under way, whether its sensor or a person vouches for it, and how the last one ended.

    >>> lifts = Lifts(print)
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

    def __init__(self, tell: Callable[[RigEvent], None]) -> None:
        self.count = 0
        self.under_way = False
        self.by_hand = False
        self.outcome: Trouble | None = None
        self._vouched = False
        self._tell = tell

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
        self._tell(LiftHeld(self.count))

    def doubted(self) -> None:
        """The sensor no longer sees it."""
        self._tell(LiftDoubted(self.count))

    def settled(self) -> None:
        """It is held after all."""
        self._tell(LiftSettled(self.count))

    def put_down(self) -> None:
        """The cup is clear again; where the lift had failed before, nothing is left to tell."""
        if self.under_way:
            self.under_way = False
            self._tell(LiftDone(self.count, verified=self._vouched and not self.by_hand))

    def fail(self, why: FaultCode | OutcomeCode) -> None:
        """It ended otherwise; where none is under way, nothing did."""
        if self.under_way:
            self.under_way = False
            self.outcome = Trouble.of(why) if why in OUTCOMES else None
            self._tell(LiftFailed(self.count, why))
