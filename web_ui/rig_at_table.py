"""The rig as a live table knows it: the companion's few wishes in the hardware's words, and the other way round."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal

from companion.play.stage import Lift, LiftEnded, RigReport, Stage
from hardware.events import (
    Buzz,
    Grip,
    LiftBegun,
    LiftDone,
    LiftDoubted,
    LiftFailed,
    LiftHeld,
    LiftSettled,
    Pressed,
    Release,
    RigEvent,
    RigState,
    ShowTrack,
    ShowTurn,
    StopShovel,
)

if TYPE_CHECKING:
    from companion.play.lights import Lights as Track
    from companion.play.stage import Sound
    from hardware.face import Rig


SOON_S = 5.0
STOP_SEEN_WITHIN = 0.3
STOP_LOOKED_AT = 0.005


BECOMES: dict[type[RigEvent], Literal["held", "doubted", "done"]] = {
    LiftHeld: "held",
    LiftSettled: "held",
    LiftDoubted: "doubted",
    LiftDone: "done",
}


class RigTold(RigState, frozen=True, kw_only=True):
    """The rig as a screen is told of it.

    :ivar table: the table that has the rig
    :ivar lifts: moves that lift a card wait for the shovel
    :ivar put_by: it was taken away from a table, and waits to be given to one
    :ivar waiting: the move that waits for its lift
    :ivar mishap: why the newest lift that a move waited for came to nothing, as the key of a sentence
    :ivar ended: the newest lift, where it came to nothing, until the next begins or its seat moves on
    """

    table: str | None = None
    lifts: bool = False
    put_by: bool = False
    waiting: Lift | None = None
    mishap: str | None = None
    ended: LiftEnded | None = None

    @classmethod
    def of(cls, state: RigState, stage: Stage, *, put_by: bool) -> RigTold:
        """The rig's own state, and what a table does with it."""
        fields: dict[str, Any] = {name: getattr(state, name) for name in state.__struct_fields__}
        table = stage.table.id if stage.table else None
        fields |= {"waiting": stage.lift, "mishap": stage.mishap, "ended": stage.ended}
        return cls(**fields, table=table, lifts=stage.lifts, put_by=put_by)


def stop_timed(rig: Rig, took: Callable[[float], None]) -> None:
    """Stop the shovel at once; where its pump ran, `took` is told the seconds until it was seen off."""
    began, ran = time.perf_counter(), pump_runs(rig)
    rig.cue(StopShovel())

    def look() -> None:
        while time.perf_counter() < began + STOP_SEEN_WITHIN and pump_runs(rig):
            time.sleep(STOP_LOOKED_AT)
        took(time.perf_counter() - began)

    if ran:
        threading.Thread(target=look, name="stop", daemon=True).start()


def pump_runs(rig: Rig) -> bool:
    """Whether the pump is seen to run."""
    shovel = rig.state().shovel
    return shovel is not None and shovel.pump


class LastSeconds:
    """Warns at the table, once for each lift, that the shovel is about to let go by itself."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._warned = 0

    def look(self, state: RigState) -> None:
        """Look at how the rig is now."""
        shovel = state.shovel
        if shovel is None or shovel.left_s is None or shovel.left_s > SOON_S or shovel.lift == self._warned:
            return
        self._warned = shovel.lift
        self._rig.cue(Buzz("warn"))


class RigAtTable:
    """A rig beside one table."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig

    def can_lift(self) -> bool:
        """Whether there is a shovel that works: with a faulty one people lift by hand, and play goes on."""
        state = self._rig.state()
        answers = state.link is None or state.link.connected
        return state.shovel is not None and state.shovel.fault is None and answers and not state.stale

    def why_not_now(self) -> str | None:
        """Why the shovel, which works, would refuse to lift at this moment."""
        shovel = self._rig.state().shovel
        if shovel is None or shovel.state == "fault":
            return None
        if shovel.state == "releasing":
            return "stage.letting_go"
        if shovel.state != "off" or shovel.measuring:
            return "shovel.refused.busy"
        return "shovel.refused.resting" if shovel.resting else None

    def show_turn(self, seat: int | None) -> None:
        """Light the lamp of the seat that is asked."""
        self._rig.cue(ShowTurn(seat))

    def show_lights(self, lights: Track) -> None:
        """Show the track of time."""
        self._rig.cue(ShowTrack(lights.markers, lights.turn, lights.planned))

    def sound(self, sound: Sound) -> None:
        """Sound a signal."""
        self._rig.cue(Buzz(sound))

    def grip(self, order: int) -> None:
        """Lift."""
        self._rig.cue(Grip(order))

    def release(self) -> None:
        """Put down."""
        self._rig.cue(Release())

    def stop(self) -> None:
        """Everything off."""
        self._rig.cue(StopShovel())

    def listen(self, heard: Callable[[RigReport], None]) -> Callable[[], None]:
        """Have the stage told what happens."""
        return self._rig.listen(lambda event: heard(told(event)))


def told(event: RigEvent) -> RigReport:
    """What an event means for a table.

    >>> told(LiftFailed(3, "leak")).why
    'shovel.fault.leak'
    """
    match event:
        case Pressed(button):
            return RigReport("pressed", button)
        case LiftBegun(lift, order):
            return RigReport("begun", lift=lift, order=order)
        case LiftFailed(lift, _, order):
            return RigReport("failed", why=event.key, lift=lift, order=order)
        case LiftHeld() | LiftSettled() | LiftDoubted() | LiftDone():
            return RigReport(BECOMES[type(event)], lift=event.lift)
        case _:
            return RigReport("other")
