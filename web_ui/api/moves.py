"""The calls by which a table goes from one Digside to another.

What these ask each other is sealed (`between.py`). Inside are the types of `reception.py`.
"""

from __future__ import annotations

import re

import msgspec

from companion.play.actors import SPECTATOR
from companion.refusals import Elsewhere, Illegal, Malformed, Missing, Stale, Storage
from web_ui.api import bodies
from web_ui.api.calls import Asking, AtTable, CallTable, Reply, brought, told_between
from web_ui.api.tables import seat_keys
from web_ui.http_errors import NoKey, OtherAway
from web_ui.migration import TableMigrated
from web_ui.others import Sealed
from web_ui.reception import Barring, Load

calls = CallTable()

TICKET = re.compile(r"[\w-]{16,64}", re.ASCII)


class ElsewhereTold(msgspec.Struct, frozen=True):
    """Where a table has gone; `link` leads whoever asks to their own place there: keep it to yourself."""

    address: str
    there: bool
    link: str


class Sending(bodies.Body, frozen=True):
    """A table that is to go to another Digside, or to be taken `back` while it has not arrived there.

    `key` is the owner's of the other, or the whole address that `digside owner` prints there; without it the token of
    the house is shown. `address` may be left out to take it back from where it was sent.
    """

    table: bodies.Key
    address: bodies.Key | None = None
    key: bodies.Key | None = None
    back: bool = False


@calls.post(
    "/api/owner/move",
    gives=TableMigrated,
    who="owner",
    refuses=(Missing, Elsewhere, Illegal, Malformed, OtherAway, Storage),
    long=True,
)
def move_table(asking: Asking, body: Sending) -> TableMigrated:
    """Have a table go to another Digside with all it has, or take back one that has not arrived."""
    mover = asking.service.mover
    if body.back:
        mover.back(body.table, body.address, body.key, asking.language)
        return TableMigrated(body.table, None)
    return TableMigrated(body.table, mover.move(body.table, body.address or "", body.key, asking.language).address)


@calls.get("/api/tables/<table>/elsewhere", gives=ElsewhereTold)
def show_elsewhere(asking: AtTable, _: bodies.Nothing) -> ElsewhereTold:
    """Where a table has gone, with the way to the asker's own place there."""
    going, keys, actor = asking.table.going, asking.table.keys, asking.actor
    if going is None:
        raise Missing("web.not_leaving", table=asking.table.id)
    own = actor.stirs_as
    key = None if actor == SPECTATOR else keys.host if own is None else seat_keys(asking.table)[own]
    way = f"/join/{asking.table.id}#{key}" if key else f"/table/{asking.table.id}"
    return ElsewhereTold(going.address, going.there, f"{going.address}{way}")


@calls.get("/api/moves", gives=Sealed, who="mover", refuses=(NoKey, Storage))
def meet_house(asking: Asking, _: bodies.Nothing) -> Reply:
    """Which Digside this is, wherever it is reached; its turn; and why it would take in no table now, if so."""
    return told_between(asking, asking.service.reception.meet(asking.language))


@calls.post(
    "/api/moves/<ticket>",
    gives=Sealed,
    who="mover",
    asks="layings",
    refuses=(Missing, NoKey, Elsewhere, Stale, Illegal, Storage),
)
def take_in_moved(asking: Asking, body: bodies.SealedBody) -> Reply:
    """Take in a table from another Digside: once for each ticket, its chain checked. Its keys hold here then."""
    load = brought(asking, body.sealed, Load)
    return told_between(asking, asking.service.reception.take(_turn(asking), _ticket(asking), load))


@calls.post("/api/moves/<ticket>/bar", gives=Sealed, who="mover", refuses=(NoKey, Stale, Storage))
def bar_ticket(asking: Asking, body: bodies.SealedBody) -> Reply:
    """What came by a ticket; where nothing has, nothing comes by it any more."""
    table = brought(asking, body.sealed, Barring).table
    return told_between(asking, asking.service.reception.bar(_turn(asking), _ticket(asking), table))


def _turn(asking: Asking) -> str:
    return asking.request.exchange.turn if asking.request.exchange is not None else ""


def _ticket(asking: Asking) -> str:
    ticket = asking.where["ticket"]
    if not TICKET.fullmatch(ticket):
        raise Malformed("web.bad_request")
    return ticket
