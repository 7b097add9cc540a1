"""The calls about what stands beside the table."""

from __future__ import annotations

import msgspec

from companion.play.table import SPECTATOR
from hardware.calibration import Calibration
from hardware.events import StopShovel
from hardware.face import Do
from hardware.faults import ShovelRefused
from web_ui.api import bodies
from web_ui.api.calls import Asking, AtTable, CallTable, admit_owner, admit_to_rig
from web_ui.http_errors import NoKey, ShovelSaysNo
from web_ui.rig_at_table import RigTold

calls = CallTable()


class RigHands(msgspec.Struct, frozen=True):
    """What an asker may do with the rig.

    :ivar uses: may use the shovel; stopping it is everybody's
    :ivar owner: may also calibrate it, clear its faults, and say which table has it
    :ivar tables: the tables in play that it may give the rig to, or take it from
    """

    uses: bool
    owner: bool
    tables: tuple[str, ...]


LIFTERS = ("release", "confirm")
"""What is also for a seat that lifts, or that the table asks."""


@calls.get("/api/rig", gives=RigTold)
def show_rig(asking: Asking, _: bodies.Nothing) -> RigTold:
    """What is attached, and how it is."""
    return asking.service.rig_told()


LATCHED = ("clear", "calibrate")
"""What is the owner's alone."""


@calls.post("/api/rig/shovel", gives=RigTold, asks="stops", refuses=(NoKey, ShovelSaysNo))
def use_shovel(asking: Asking, body: bodies.Shovelling) -> RigTold:
    """Use the shovel. Anybody may stop it, who lifts lets go, the owner clears it; all else is its table's host's."""
    if body.do != "stop":
        asking.service.limits.check("taps", asking.client)
        if body.do in LATCHED:
            admit_owner(asking)
        elif not _may(asking, body.do):
            admit_to_rig(asking)
    try:
        asking.service.rig.shovel(body.do, reading=body.reading, sure=body.sure)
    except ShovelRefused as refused:
        raise ShovelSaysNo(refused) from None
    return asking.service.rig_told()


@calls.post("/api/rig/stop", gives=RigTold, asks="stops")
def stop_shovel(asking: Asking, _: bodies.Nothing) -> RigTold:
    """Stop the shovel, whoever asks. Nothing is read and nothing waited for: the state is as it was last seen."""
    asking.service.rig.cue(StopShovel())
    return asking.service.rig_told()


def _may(asking: Asking, do: Do) -> bool:
    """Whether a seat of the table that has the rig may do that with the shovel."""
    actor = asking.service.at_rig(asking.request.authorization, asking.request.cookies)
    return do in LIFTERS and actor is not None and asking.service.stage.may_let_go(actor)


@calls.post("/api/rig/calibrate", gives=Calibration, who="owner", refuses=(ShovelSaysNo,))
def calibrate_shovel(asking: Asking, body: bodies.Calibrating) -> Calibration:
    """Take one of the three guided readings; it takes about two seconds."""
    try:
        return asking.service.rig.calibrate(body.reading)
    except ShovelRefused as refused:
        raise ShovelSaysNo(refused) from None


@calls.post("/api/rig/world", gives=RigTold, who="rig", refuses=(NoKey, ShovelSaysNo))
def poke_world(asking: Asking, body: bodies.Poking) -> RigTold:
    """Do something to the simulated world."""
    try:
        asking.service.rig.world(body.do, body.value)
    except ShovelRefused as refused:
        raise ShovelSaysNo(refused) from None
    return asking.service.rig_told()


@calls.get("/api/rig/hands", gives=RigHands)
def show_hands(asking: Asking, _: bodies.Nothing) -> RigHands:
    """What the asker may do with the rig, by the keys that were shown."""
    here, shown = asking.service, (asking.request.authorization, asking.request.cookies)
    owner, uses = here.is_owner(*shown), here.works_rig(*shown)
    in_play = (each.table for each in here.hall.tables() if not each.over)
    known_as = {} if owner else here.known_as(asking.request.cookies, asking.client)
    own = tuple(each for each in in_play if here.lends(each, known_as.get(each, SPECTATOR), owner=owner))
    return RigHands(uses=uses, owner=owner, tables=own)


@calls.post("/api/tables/<table>/rig", gives=RigTold, who="lends")
def claim_rig(asking: AtTable, _: bodies.Nothing) -> RigTold:
    """Give the rig to this table. One that is played takes it by itself while it is free; one that lifts borrows it."""
    asking.service.give_rig(asking.table)
    return asking.service.rig_told()


@calls.post("/api/tables/<table>/rig/leave", gives=RigTold, who="lends")
def put_rig_by(asking: AtTable, _: bodies.Nothing) -> RigTold:
    """Take the rig away from this table, which lifts by hand until it is given it again; who lifts takes it."""
    asking.service.put_rig_by(asking.table)
    return asking.service.rig_told()


@calls.post("/api/tables/<table>/rig/plan", gives=RigTold, who="host")
def plan_move(asking: AtTable, body: bodies.Planning) -> RigTold:
    """Have the time track of light show how far the move reaches that the shared screen shows as planned."""
    asking.service.stage.plan(asking.table, body.weeks)
    return asking.service.rig_told()
