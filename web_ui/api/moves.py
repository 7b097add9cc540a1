"""The calls by which a table goes from one Digside to another."""

from __future__ import annotations

import re

import msgspec

from companion.play.entries import JournalLine, Keys, Laid
from companion.refusals import Elsewhere, Illegal, Malformed, Missing, Storage
from web_ui.api import bodies
from web_ui.api.calls import Asking, AtTable, Calls, Query
from web_ui.http_errors import NoKey, OtherAway
from web_ui.moves import ANYHOW, ArrivalTold, HouseMet, Moved, told

calls = Calls()

TICKET = re.compile(r"[\w-]{16,64}", re.ASCII)


class ElsewhereTold(msgspec.Struct, frozen=True):
    """Where a table has gone; `link` leads whoever asks to their own place there: keep it to yourself."""

    address: str
    there: bool
    link: str


class Arriving(bodies.Body, frozen=True):
    """All that a table is: how it was laid, its luck, its keys, and every entry."""

    laid: Laid
    secret: bytes
    keys: Keys
    lines: tuple[JournalLine, ...] = ()


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
    gives=Moved,
    who="owner",
    refuses=(Missing, Elsewhere, Illegal, Malformed, OtherAway, Storage),
)
def move_table(asking: Asking, asked: Sending) -> Moved:
    """Have a table go to another Digside with all it has, or take back one that has not arrived."""
    mover = asking.service.mover
    if asked.back:
        mover.back(asked.table, asked.address, asked.key, asking.language)
        return Moved(asked.table, None)
    return Moved(asked.table, mover.move(asked.table, asked.address or "", asked.key, asking.language).address)


@calls.get("/api/tables/<table>/elsewhere", gives=ElsewhereTold)
def show_elsewhere(asking: AtTable, _: bodies.Nothing) -> ElsewhereTold:
    """Where a table has gone, with the way to the asker's own place there."""
    going, keys, actor = asking.table.going, asking.table.keys, asking.actor
    if going is None:
        raise Missing("web.not_leaving", table=asking.table.id)
    key = keys.host if actor.role == "host" else keys.seats[actor.seat] if actor.seat is not None else None
    way = f"/join/{asking.table.id}#{key}" if key else f"/table/{asking.table.id}"
    return ElsewhereTold(going.address, going.there, f"{going.address}{way}")


@calls.get(
    "/api/moves",
    gives=HouseMet,
    query=(Query(ANYHOW, "Given for one that left before: it is answered though there is no room for a table."),),
    refuses=(NoKey, Storage),
)
def meet_house(asking: Asking, _: bodies.Nothing) -> HouseMet:
    """Which Digside this is, wherever it is reached. With the owner's key, or the token of the house, in a header."""
    _admit(asking)
    if ANYHOW not in asking.asked.query:
        asking.service.hall.check_takes()
    return HouseMet(asking.service.mover.house)


@calls.post(
    "/api/moves/<ticket>", gives=ArrivalTold, asks="layings", refuses=(Missing, NoKey, Elsewhere, Illegal, Storage)
)
def take_in_moved(asking: Asking, asked: Arriving) -> ArrivalTold:
    """Take in a table from another Digside: once for each ticket, its chain checked. Its keys hold here then."""
    _admit(asking)
    arrival = asking.service.hall.arrive(_ticket(asking), asked.laid, asked.secret, asked.keys, asked.lines)
    return told(arrival)


@calls.post("/api/moves/<ticket>/bar", gives=ArrivalTold, refuses=(NoKey, Storage))
def bar_ticket(asking: Asking, _: bodies.Nothing) -> ArrivalTold:
    """What came by a ticket; where nothing has, nothing comes by it any more."""
    _admit(asking)
    return told(asking.service.hall.journal.bar(_ticket(asking)))


def _admit(asking: Asking) -> None:
    asking.service.check_mover(asking.asked.authorization, asking.client)


def _ticket(asking: Asking) -> str:
    ticket = asking.where["ticket"]
    if not TICKET.fullmatch(ticket):
        raise Malformed("web.bad_request")
    return ticket
