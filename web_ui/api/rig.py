"""The calls about what stands beside the table."""

from __future__ import annotations

from hardware.calibration import Calibration
from hardware.refusals import ShovelRefused
from hardware.states import RigState
from web_ui.api import shapes
from web_ui.api.calls import Asking, Calls, Query, admit_some_host
from web_ui.refusals import NoKey, ShovelSaysNo

calls = Calls()

TABLE = Query("table", "The table whose host's key is in the Authorization header; a cookie says it by itself.")


@calls.get("/api/rig", gives=RigState)
def show_rig(asking: Asking, _: shapes.Nothing) -> RigState:
    """What is attached, and how it is."""
    return asking.service.rig.state()


@calls.post(
    "/api/rig/shovel",
    takes=shapes.Shovelling,
    gives=RigState,
    asks="stops",
    query=(TABLE,),
    refuses=(NoKey, ShovelSaysNo),
)
def use_shovel(asking: Asking, asked: shapes.Shovelling) -> RigState:
    """Use the shovel. Anybody may stop it; all else needs the key of some table's host."""
    if asked.do != "stop":
        asking.service.limits.check("taps", asking.client)
        admit_some_host(asking)
    try:
        return asking.service.rig.shovel(asked.do, reading=asked.reading, sure=asked.sure)
    except ShovelRefused as refused:
        raise ShovelSaysNo(refused) from None


@calls.post(
    "/api/rig/calibrate",
    takes=shapes.Calibrating,
    gives=Calibration,
    who="some_host",
    query=(TABLE,),
    refuses=(ShovelSaysNo,),
)
def calibrate_shovel(asking: Asking, asked: shapes.Calibrating) -> Calibration:
    """Take one of the three guided readings; it takes about two seconds."""
    try:
        return asking.service.rig.calibrate(asked.reading)
    except ShovelRefused as refused:
        raise ShovelSaysNo(refused) from None


@calls.post(
    "/api/rig/world", takes=shapes.Poking, gives=RigState, who="some_host", query=(TABLE,), refuses=(ShovelSaysNo,)
)
def poke_world(asking: Asking, asked: shapes.Poking) -> RigState:
    """Do something to the simulated world."""
    try:
        return asking.service.rig.world(asked.do, asked.value)
    except ShovelRefused as refused:
        raise ShovelSaysNo(refused) from None
