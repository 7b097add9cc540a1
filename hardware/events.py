"""What passes between a table and its rig, as frozen values: cues in, events and the state out."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from hardware.calibration import Calibration, Reading
from hardware.faults import REFUSALS, Trouble
from hardware.vacuum import Thresholds

Sound = Literal["turn", "done", "warn", "fault"]


class Lamp(Struct, frozen=True, tag="lamp"):
    """Light or darken the lamp of one seat."""

    seat: int
    on: bool


class ShowTurn(Struct, frozen=True, tag="turn"):
    """Show whose turn it is; ``None`` when nobody is asked."""

    seat: int | None


class ShowTrack(Struct, frozen=True, tag="lights"):
    """
    Show markers on a strip of places and a number on a ring.

    :ivar markers: the place, from 0, and the seat of each; of a stack the topmost first
    :ivar turn: the seat that is asked
    :ivar planned: so many places ahead of its marker, and so many of the ring
    """

    markers: tuple[tuple[int, int], ...]
    turn: int | None
    planned: int = 0


class Buzz(Struct, frozen=True, tag="buzz"):
    """Sound one of the few signals people learn to tell apart."""

    kind: Sound


class Grip(Struct, frozen=True, tag="grip"):
    """
    Lift with the shovel: a lift of its own, refused while another is under way.

    :ivar order: a number that the lift's beginning, or its refusal, is told with
    """

    order: int = 0


class Release(Struct, frozen=True, tag="release"):
    """Put down what the shovel holds."""


class StopShovel(Struct, frozen=True, tag="stop"):
    """Pump off, valve open: at once, past any queue and without waiting for an answer."""


class ShowText(Struct, frozen=True, tag="show"):
    """Write a few short lines on the small display."""

    lines: tuple[str, ...]


Cue = Lamp | ShowTurn | ShowTrack | Buzz | Grip | Release | StopShovel | ShowText


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


class LinkDown(Struct, frozen=True, tag="link_lost"):
    """The board beside the table no longer answers."""


class LinkUp(Struct, frozen=True, tag="link_back"):
    """The board beside the table answers again."""


LiftEvent = LiftBegun | LiftHeld | LiftDoubted | LiftSettled | LiftDone | LiftFailed
RigEvent = Pressed | LiftEvent | ZeroLearned | Fault | Cleared | LinkDown | LinkUp


RigKind = Literal["none", "sim", "serial", "gpio"]
STALE_S = 2.0
"""So long after it last came round, a rig's loop counts as hanging; a board has let go long before."""

Phase = Literal["off", "priming", "holding", "releasing", "fault"]


class ShovelState(Struct, frozen=True):
    """
    The shovel.

    :ivar since: when it entered this state, on the rig's clock; see :attr:`RigState.at`
    :ivar lift: the number of the newest lift; 0 before the first
    :ivar vacuum_kpa: ``None`` where no gauge is fitted, or none has spoken yet
    :ivar zero_kpa: what the gauge reads when there is no vacuum; ``None`` before it is known
    :ivar outcome: how the newest lift went wrong, until the next begins
    :ivar doubt: the sensor has lost the card, and a person may say that it is still there
    :ivar measuring: the reading of a calibration that is being taken
    :ivar readings: those of the calibration that were taken so far; ``None`` where no gauge is fitted
    :ivar sensor: whether anything tells the vacuum
    :ivar gauge: whether it is a gauge, which can be calibrated
    :ivar left_s: how long holding may still last before the shovel lets go; ``None`` while it does not hold
    :ivar on_ms: how long the pump has been on in this go
    :ivar longest_ms: how long it may be on in one go
    :ivar budget_ms: how long it may still run before it has to rest
    :ivar rested_ms: what that comes to when it is rested
    :ivar resting: whether too little is left for a lift
    """

    state: Phase
    since: float
    lift: int
    vacuum_kpa: float | None
    zero_kpa: float | None
    thresholds: Thresholds | None
    fault: Trouble | None
    outcome: Trouble | None
    doubt: bool
    measuring: Reading | None
    readings: Calibration | None
    sensor: bool
    gauge: bool
    pump: bool
    calibrated: bool
    left_s: float | None
    on_ms: int
    longest_ms: int
    budget_ms: int
    rested_ms: int
    resting: bool


class LinkState(Struct, frozen=True):
    """
    The wire to the board.

    :ivar since: when it was connected or lost, on the rig's clock
    :ivar damaged_here: frames of the board that arrived damaged, or in part
    :ivar damaged_there: and frames that the board was sent, as it has counted them
    :ivar board: what the board says of itself
    :ivar reason: why there is no connection, as the computer puts it
    :ivar missing: the buttons of the rig file at lines that this board does not have
    """

    connected: bool
    since: float | None
    rtt_ms: float | None
    retries: int
    crc_errors: int
    lost_frames: int
    board: str | None
    reason: str = ""
    damaged_here: int = 0
    damaged_there: int = 0
    missing: tuple[str, ...] = ()


class WorldState(Struct, frozen=True):
    """The simulated world: what would be on the table in front of you."""

    card: bool
    leak: float
    vacuum_kpa: float
    plugged: bool


class RigState(Struct, frozen=True):
    """
    Everything that stands beside the table.

    :ivar at: when this was so, on the rig's clock (seconds that only go forward)
    :ivar age_s: how long ago the rig's loop last came round; all else is that old
    :ivar stale: that is too long: the loop hangs, and nobody knows how things are by now
    :ivar shovel: ``None`` where no shovel is attached, or where the one that was chosen is absent
    :ivar absent: what was chosen to stand here has not been there yet; tables are played without it
    :ivar lamps: the seat lamps
    :ivar turn: whether the turn light is on
    :ivar buttons: the buttons that are down
    :ivar lights: the colour of each pixel of the time track, red, green and blue in hexadecimal
    :ivar weeks: so many of them are the strip, and the others the ring
    """

    kind: RigKind
    at: float = 0.0
    age_s: float = 0.0
    stale: bool = False
    shovel: ShovelState | None = None
    link: LinkState | None = None
    lamps: tuple[bool, ...] = ()
    turn: bool = False
    buttons: tuple[str, ...] = ()
    world: WorldState | None = None
    absent: bool = False
    lights: tuple[str, ...] = ()
    weeks: int = 0


def gist(state: RigState) -> RigState:
    """The state without what changes by itself: two with the same gist look the same on a screen."""
    shovel, link, world = state.shovel, state.link, state.world
    return replace(
        state,
        at=0.0,
        age_s=0.0,
        shovel=shovel
        and replace(
            shovel,
            vacuum_kpa=_coarse(shovel.vacuum_kpa),
            zero_kpa=_coarse(shovel.zero_kpa),
            left_s=None,
            on_ms=shovel.on_ms // 100,
            budget_ms=shovel.budget_ms // 1000,
        ),
        link=link and replace(link, rtt_ms=None),
        world=world and replace(world, vacuum_kpa=_coarse(world.vacuum_kpa) or 0.0),
    )


def _coarse(kpa: float | None) -> float | None:
    """Half a kPa is what a gauge on a screen shows."""
    return None if kpa is None else round(kpa * 2)
