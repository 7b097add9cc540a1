"""What the rig tells a table: events, small frozen values."""

from msgspec import Struct

from hardware.faults import REFUSALS


class Pressed(Struct, frozen=True, tag="pressed"):
    """Somebody pressed a real button; its name is the one in the rig file."""

    button: str


class LiftBegun(Struct, frozen=True, tag="lift_begun"):
    """
    The shovel lifts, whoever asked it to.

    :ivar order: the number it was asked with; 0 where a hand asked, at a button or on a screen
    """

    lift: int
    order: int = 0


class LiftHeld(Struct, frozen=True, tag="lift_held"):
    """The shovel holds something; told once for each lift."""

    lift: int


class LiftDoubted(Struct, frozen=True, tag="lift_doubted"):
    """The sensor has lost what the shovel holds; a person may still say that it is there."""

    lift: int


class LiftSettled(Struct, frozen=True, tag="lift_settled"):
    """The doubt is over: the sensor sees what is held again, or a person says that it is there."""

    lift: int


class LiftDone(Struct, frozen=True, tag="lift_done"):
    """What was lifted is put down; *verified* when the sensor saw all of it."""

    lift: int
    verified: bool


class LiftFailed(Struct, frozen=True, tag="lift_failed"):
    """
    The lift ended otherwise; *why* is an outcome, the code of a fault, or for lift 0, which never began, of a refusal.

    >>> LiftFailed(3, "dropped").key, LiftFailed(0, "resting").key
    ('shovel.fault.dropped', 'shovel.refused.resting')

    :ivar order: for lift 0, the number it was asked with
    """

    lift: int
    why: str
    order: int = 0

    @property
    def key(self) -> str:
        """The key of the sentence that says so."""
        return f"shovel.refused.{self.why}" if self.why in REFUSALS else f"shovel.fault.{self.why}"


class ZeroLearned(Struct, frozen=True, tag="zero_learned"):
    """The gauge reads this much when there is no vacuum, and from now on that counts as none."""

    kpa: float


class Fault(Struct, frozen=True, tag="fault"):
    """The shovel has latched a fault and is safe."""

    code: str


class Cleared(Struct, frozen=True, tag="cleared"):
    """Somebody has cleared the fault."""


class LinkLost(Struct, frozen=True, tag="link_lost"):
    """The board beside the table no longer answers."""


class LinkBack(Struct, frozen=True, tag="link_back"):
    """The board beside the table answers again."""


LiftEvent = LiftBegun | LiftHeld | LiftDoubted | LiftSettled | LiftDone | LiftFailed
RigEvent = Pressed | LiftEvent | ZeroLearned | Fault | Cleared | LinkLost | LinkBack
