"""How long the shovel may run: the limits of one lift, and the budget over many."""

from typing import Annotated

from msgspec import Meta, Struct

Seconds = Annotated[float, Meta(gt=0, le=60)]


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """
    The times and pressures of a lift; all may be set in the rig file, none beyond what a board accepts.

    :ivar target_kpa: the vacuum the pump is throttled to, to spare soft card; well above what counts as held
    :ivar blocked_kpa: above this the cup or the hose is blocked
    :ivar prime_s: how long to wait for a grip (with no sensor: how long a grip takes)
    :ivar doubt_s: how long a lost grip is kept up for a person to say that it is still there
    :ivar vent_s: how long letting go takes where no sensor tells
    :ivar clear_s: how long the vacuum may take to go once the valve is open
    :ivar longest_s: the pump's longest time in one go; the board's own limit is 20 s
    :ivar budget_s: how much pumping is saved up when rested; a second of rest buys back a second
    """

    target_kpa: Annotated[float, Meta(ge=8, le=30)] = 12.0
    blocked_kpa: Annotated[float, Meta(ge=15, le=80)] = 45.0
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
