"""The calls about the whole house: every table of it, and the calls for its host."""

from __future__ import annotations

import msgspec

from companion.play.table import SPECTATOR
from companion.refusals import Elsewhere, Missing, Over, Storage
from web_ui.api import bodies
from web_ui.api.calls import STREAM, Asking, AtTable, CallTable, Reply
from web_ui.http_errors import Full, NoKey, TooMany
from web_ui.streams import GREETING, view_event
from web_ui.whole_house import CallTold, HouseTold, PiTold

calls = CallTable()


class Calling(bodies.Body, frozen=True):
    """Whether somebody is to come to the table."""

    wanted: bool


@calls.get("/api/house", gives=HouseTold)
def show_house(asking: Asking, _: bodies.Nothing) -> HouseTold:
    """Every table in play here and on the other Pis of the house, as everybody sees them, and who calls."""
    return asking.service.whole_house.look()


@calls.get("/api/house/own", gives=PiTold)
def show_own_house(asking: Asking, _: bodies.Nothing) -> PiTold:
    """The same of this Pi alone: what other Pis of the house ask for."""
    return asking.service.whole_house.look().here


@calls.get("/api/house/stream", gives=HouseTold, media=STREAM, refuses=(Full,))
def watch_house(asking: Asking, _: bodies.Nothing) -> Reply:
    """Live: the house as an event at once and whenever something of it changes."""
    told = asking.service.whole_house.look()
    return Reply(GREETING + view_event(0, msgspec.json.encode(told)))


@calls.get("/api/tables/<table>/call", gives=CallTold)
def show_call(asking: AtTable, _: bodies.Nothing) -> CallTold:
    """Since when this table has been calling for the host of the house."""
    return CallTold(asking.service.calls.of(asking.table.id))


@calls.post("/api/tables/<table>/call", gives=CallTold, refuses=(NoKey, TooMany, Over, Missing, Elsewhere, Storage))
def call_host(asking: AtTable, body: Calling) -> CallTold:
    """Call for the host of the house, or take that back. For whoever sits at the table; the owner may answer."""
    service = asking.service
    if asking.actor == SPECTATOR and (
        body.wanted or not service.is_owner(asking.request.authorization, asking.request.cookies)
    ):
        raise NoKey("web.key_needed")
    if body.wanted:
        asking.table.check_here()
    if body.wanted and asking.table.settled():
        raise Over("core.over")
    calling = service.calls
    changed = calling.call(asking.table.id) if body.wanted else calling.take_back(asking.table.id)
    if changed:
        service.house.changed(asking.table.id)
        service.whole_house.changed()
    return CallTold(calling.of(asking.table.id))
