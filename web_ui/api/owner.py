"""The calls about whose service it is, and what is the owner's alone."""

from __future__ import annotations

import msgspec

from companion.refusals import Missing, Storage
from web_ui.api import answers, bodies
from web_ui.api.calls import Asking, CallTable, Reply
from web_ui.codes import qr_code
from web_ui.http_errors import NoKey
from web_ui.owner import owner_cookie

calls = CallTable()


class OwnerTold(msgspec.Struct, frozen=True):
    """Whether it is the owner who asks, and what the owner has chosen."""

    owner: bool
    guests_lay: bool


class TableGone(msgspec.Struct, frozen=True):
    """A table that is no more."""

    table: str


class Choosing(bodies.Body, frozen=True):
    """What the owner chooses."""

    guests_lay: bool


class Deleting(bodies.Body, frozen=True):
    """A table that is to go for good."""

    table: bodies.Key


@calls.get("/api/owner", gives=OwnerTold)
def show_owner(asking: Asking, _: bodies.Nothing) -> OwnerTold:
    """Whether the asker is the owner, and whether guests may lay tables."""
    return _told(asking, owner=asking.service.is_owner(asking.request.authorization, asking.request.cookies))


@calls.get("/api/groups", gives=answers.GroupsTold)
def list_groups(asking: Asking, _: bodies.Nothing) -> answers.GroupsTold:
    """Who has played together here, to be offered for the next game: the owner's to see, nobody else is told any."""
    own = asking.service.is_owner(asking.request.authorization, asking.request.cookies)
    return answers.GroupsTold(asking.service.groups.all() if own else ())


@calls.post("/api/owner/enter", gives=OwnerTold, refuses=(NoKey, Storage))
def become_owner(asking: Asking, body: bodies.Entering) -> Reply:
    """Make a device the owner's, with the key from the address printed at the start: it is kept in a cookie."""
    if not asking.service.owner.holds(body.key):
        asking.service.limits.check("guesses", asking.client)
        raise NoKey("web.not_the_owner")
    cookie = owner_cookie(body.key, secure=asking.request.is_secure)
    return Reply(msgspec.json.encode(_told(asking, owner=True)), (cookie,))


@calls.post("/api/owner/leave", gives=OwnerTold)
def leave_owner(asking: Asking, _: bodies.Nothing) -> Reply:
    """Make this device a guest's: the cookie goes."""
    return Reply(
        msgspec.json.encode(_told(asking, owner=False)), (owner_cookie(None, secure=asking.request.is_secure),)
    )


@calls.post("/api/owner/choices", gives=OwnerTold, who="owner", refuses=(Storage,))
def choose(asking: Asking, body: Choosing) -> OwnerTold:
    """Choose whether guests may lay tables."""
    asking.service.owner.choose(guests_lay=body.guests_lay)
    return _told(asking, owner=True)


@calls.post("/api/owner/anew", gives=OwnerTold, who="owner", refuses=(Storage,))
def turn_out(asking: Asking, _: bodies.Nothing) -> Reply:
    """Make guests of all other devices that are the owner's: there is a new key, which this one is given."""
    asking.service.owner.change_key()
    cookie = owner_cookie(asking.service.owner.key, secure=asking.request.is_secure)
    return Reply(msgspec.json.encode(_told(asking, owner=True)), (cookie,))


@calls.get("/api/owner/qr.svg", gives=str, media="image/svg+xml", who="owner")
def draw_owner_code(asking: Asking, _: bodies.Nothing) -> Reply:
    """The code that makes another device the owner's. The key is in the drawing alone."""
    service = asking.service
    return Reply(qr_code(service.owner.address(service.reached_at(asking.request.base))))


@calls.post("/api/owner/delete", gives=TableGone, who="owner", refuses=(Missing, Storage))
def delete_table(asking: Asking, body: Deleting) -> TableGone:
    """Delete a table for good, with every step of it. Whoever looks at it is told that it is gone."""
    asking.service.delete(body.table)
    return TableGone(body.table)


def _told(asking: Asking, *, owner: bool) -> OwnerTold:
    return OwnerTold(owner, asking.service.owner.guests_lay)
