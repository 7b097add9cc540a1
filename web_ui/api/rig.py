"""The calls about what stands beside the table."""

from __future__ import annotations

import msgspec
from flask import request

from hardware.calibration import Calibration
from hardware.face import Do
from hardware.faults import ShovelRefused
from web_ui.api import bodies
from web_ui.api.calls import Asking, AtTable, Calls, Query, admit_some_host
from web_ui.http_errors import NoKey, ShovelSaysNo
from web_ui.keys import shown_for
from web_ui.rig_at_table import RigTold
from web_ui.service import speakable

calls = Calls()


class RigHands(msgspec.Struct, frozen=True):
    """What an asker may do with the rig.

    :ivar uses: may use the shovel; stopping it is everybody's
    :ivar tables: the tables in play that it may give the rig to, or take it from
    """

    uses: bool
    tables: tuple[str, ...]


TABLE = Query("table", "The table whose host's key is in the Authorization header, where no other will do.")


LIFTERS = ("release", "confirm")
"""What is also for a seat that lifts, or that the table asks."""


@calls.get("/api/rig", gives=RigTold)
def show_rig(asking: Asking, _: bodies.Nothing) -> RigTold:
    """What is attached, and how it is."""
    return asking.service.rig_told()


@calls.post(
    "/api/rig/shovel",
    gives=RigTold,
    asks="stops",
    query=(TABLE,),
    refuses=(NoKey, ShovelSaysNo),
)
def use_shovel(asking: Asking, asked: bodies.Shovelling) -> RigTold:
    """Use the shovel. Anybody may stop it, its table's seats clear it, who lifts lets go; all else is some host's."""
    if asked.do != "stop":
        asking.service.limits.check("taps", asking.client)
        if not _may(asking, asked.do):
            admit_some_host(asking)
    try:
        asking.service.rig.shovel(asked.do, reading=asked.reading, sure=asked.sure)
    except ShovelRefused as refused:
        raise ShovelSaysNo(refused) from None
    return asking.service.rig_told()


def _may(asking: Asking, do: Do) -> bool:
    """Whether a seat of the table that has the rig may do that with the shovel."""
    stage = asking.service.stage
    table = stage.table
    if table is None:
        return False
    shown = shown_for(table.id, request.headers.get("Authorization"), request.cookies)
    actor = asking.service.hall.actor(table, speakable(shown.key)) if shown else None
    if actor is None or actor.role != "seat":
        return False
    return do == "clear" or (do in LIFTERS and stage.may_let_go(actor))


@calls.post(
    "/api/rig/calibrate",
    gives=Calibration,
    who="some_host",
    query=(TABLE,),
    refuses=(ShovelSaysNo,),
)
def calibrate_shovel(asking: Asking, asked: bodies.Calibrating) -> Calibration:
    """Take one of the three guided readings; it takes about two seconds."""
    try:
        return asking.service.rig.calibrate(asked.reading)
    except ShovelRefused as refused:
        raise ShovelSaysNo(refused) from None


@calls.post("/api/rig/world", gives=RigTold, who="some_host", query=(TABLE,), refuses=(ShovelSaysNo,))
def poke_world(asking: Asking, asked: bodies.Poking) -> RigTold:
    """Do something to the simulated world."""
    try:
        asking.service.rig.world(asked.do, asked.value)
    except ShovelRefused as refused:
        raise ShovelSaysNo(refused) from None
    return asking.service.rig_told()


@calls.get("/api/rig/hands", gives=RigHands, query=(TABLE,), refuses=(NoKey,))
def show_hands(asking: Asking, _: bodies.Nothing) -> RigHands:
    """What the asker may do with the rig, by the keys that were shown."""
    here = asking.service
    shown = (request.headers.get("Authorization"), request.cookies, request.args.get("table"), asking.client)
    in_play = [each.table for each in here.hall.tables() if not each.over]
    return RigHands(uses=here.is_some_host(*shown), tables=tuple(here.hosted(*shown, among=in_play)))


@calls.post("/api/tables/<table>/rig", gives=RigTold, who="host")
def claim_rig(asking: AtTable, _: bodies.Nothing) -> RigTold:
    """Give the rig to this table, whichever has it now. A table that is played takes it by itself while it is free."""
    asking.service.give_rig(asking.table)
    return asking.service.rig_told()


@calls.post("/api/tables/<table>/rig/leave", gives=RigTold, who="host")
def put_rig_by(asking: AtTable, _: bodies.Nothing) -> RigTold:
    """Take the rig away from this table. No table takes it by itself then: it waits to be given to one."""
    asking.service.put_rig_by(asking.table)
    return asking.service.rig_told()
