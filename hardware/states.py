"""The rig at one moment, as values that go to a screen as they are."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from hardware.calibration import Calibration, Reading
from hardware.faults import Trouble
from hardware.vacuum import Thresholds

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
