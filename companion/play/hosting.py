"""What may be done about the seats of a table and its host's role, and by whom."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from companion.play.actors import Actor, host_only, may_act
from companion.play.anytime_requests import SeatingEntry
from companion.play.entries import HostAgreed, HostHolder, HostStayed, HostWanted, SeatChange, SeatsChanged
from companion.play.history import HostBid
from companion.play.seating import Seating
from companion.play.table import Table
from companion.refusals import AsTyped, Illegal, NotYourTurn

ALONE_MS = 60_000
"""So long everybody sees that somebody who is alone wants to be the host, before they are."""
LAPSES_MS = 5 * 60_000
"""After so long without the others' consent, somebody else may ask."""

By = Literal["host", "seat", "owner", "guest"]


def sit(table: Table, request: str, name: str | None, seat: int | None, *, host: Actor | None = None) -> int:
    """Take a free seat: one that is named, the next, or, before the first step, one more; by whoever has the code.

    :param host: whoever has the host's key, where they do so.
    :returns: the seat.
    """

    def entry() -> SeatsChanged:
        seating, at = _with_place(table, seat, name)
        now = seating.taken(at, name) if host is None else seating.taken_by_host(at, name)
        return _changed("take", now, by="guest" if host is None else host.signs, of=at)

    seq = table.seat(request, ("sit", name, seat, host), entry)
    made = table.all_written()[seq - 1].entry
    return made.of if isinstance(made, SeatsChanged) and made.of is not None else 0


def _with_place(table: Table, seat: int | None, name: str | None) -> tuple[Seating, int]:
    """The seats with room for somebody, and where."""
    seating = table.seating
    free = seating.free()
    if seat is not None:
        if seating.check_seat(seat) not in free:
            raise Illegal("core.seat_taken", name=AsTyped(seating.seats[seat].name))
        return seating, seat
    for at in free:
        if table.kinds[at] == "person":
            return seating, at
    if table.begun or name is None:
        raise Illegal("core.no_seat_free")
    return seating.added(name)


def note_entered(table: Table, actor: Actor) -> None:
    """Note that a device has come for a seat with its key."""
    if actor.role == "seat" and actor.seat is not None and not table.seating.seats[actor.seat].taken:
        key, seat = table.seating.seats[actor.seat].key, actor.seat
        table.seat(
            f"entered {key}",
            ("entered", key),
            lambda: _changed("take", table.seating.taken(seat), by="seat", seat=seat, of=seat),
        )


def name_seat(table: Table, actor: Actor, request: str, seat: int, name: str) -> int:
    """Call a seat otherwise: the host any, everybody else their own."""
    _own_or_host(actor, seat)
    return table.seat(
        request,
        ("name", actor, seat, name),
        lambda: _changed("name", table.seating.named(seat, name), by=actor.signs, seat=actor.seat, of=seat),
    )


def free_seat(table: Table, actor: Actor, request: str, seat: int) -> int:
    """Have a seat free for somebody else, who takes it by the code: whoever sat there looks on from then on."""
    _own_or_host(actor, seat)

    def entry() -> SeatsChanged:
        if isinstance(table.seating.host, int) and table.seating.hosts_seat == seat:
            raise Illegal("core.host_sits")
        return _changed("free", table.seating.freed(seat), by=actor.signs, seat=actor.seat, of=seat)

    return table.seat(request, ("free", actor, seat), entry)


def add_seat(table: Table, actor: Actor, request: str, name: str) -> int:
    """Have a seat more, before the first step."""
    host_only(actor)

    def entry() -> SeatsChanged:
        _not_begun(table)
        now, at = table.seating.added(name)
        return _changed("add", now, by=actor.signs, seat=actor.seat, of=at)

    return table.seat(request, ("add", actor, name), entry)


def leave_seat(table: Table, actor: Actor, request: str, seat: int) -> int:
    """Have a seat less, before the first step."""
    _own_or_host(actor, seat)

    def entry() -> SeatsChanged:
        _not_begun(table)
        if isinstance(table.seating.host, int) and table.seating.hosts_seat == seat:
            raise Illegal("core.host_sits")
        gone = table.seating.seats[table.seating.check_seat(seat)].name
        return _changed("leave", table.seating.left(seat), by=actor.signs, seat=actor.seat, name=gone)

    return table.seat(request, ("leave", actor, seat), entry)


def pass_host(table: Table, actor: Actor, request: str, seat: int | None) -> int:
    """The host has somebody who sits here be the host, or with None whoever has the host's key."""
    host_only(actor)

    def entry() -> SeatsChanged:
        seating = table.seating
        if seat is not None and not seating.seats[seating.check_seat(seat)].taken:
            raise Illegal("core.nobody_there", name=AsTyped(seating.seats[seat].name))
        return _host(table, seating.key_of(seat), by=actor.signs, seat=actor.seat)

    return table.seat(request, ("host", actor, seat), entry)


def owner_hosts(table: Table, actor: Actor, request: str) -> int:
    """The owner is the host from now on: by the key that this device of theirs has, or else as the owner."""

    def entry() -> SeatsChanged:
        own = actor.role == "spectator"
        return _host(table, "owner" if own else table.seating.key_of(actor.stirs_as), by="owner", seat=actor.seat)

    return table.seat(request, ("owner hosts", actor), entry)


def want_host(table: Table, actor: Actor, request: str, *, now: int, silent: bool, present: Collection[int]) -> int:
    """Ask the others to be the host, agree with whoever asked, or become it once they agree, or waited for all to see.

    :param now: milliseconds since 1970.
    :param silent: whether no device of the host's was heard for a minute.
    :param present: the keys of the seats whose devices were.
    """
    may_act(actor)
    seat = actor.seat
    if actor.role == "host" or seat is None:
        raise NotYourTurn("core.is_host")
    if not silent:
        raise Illegal("core.host_is_here")

    def entry() -> SeatingEntry:
        bid, key = table.bid, table.seating.seats[seat].key
        if bid is None or table.seating.seat_of(bid.key) is None or now - bid.at > LAPSES_MS:
            return HostWanted("seat", seat)
        agreed = {*bid.agreed, key}
        if _decided(bid, agreed, now=now, present={*present, key}):
            return _host(table, bid.key, by="seat", seat=seat)
        if key in bid.agreed:
            raise Illegal("core.others_asked")
        return HostAgreed("seat", seat)

    return table.seat(request, ("want host", actor), entry)


def _decided(bid: HostBid, agreed: Collection[int], *, now: int, present: Collection[int]) -> bool:
    """Whether more than half of those present agree; somebody alone has waited for all to see."""
    here = {*present, *agreed}
    if here == {bid.key}:
        return now - bid.at >= ALONE_MS
    return 2 * len(agreed) > len(here) and len(agreed) > 1


def keep_host(table: Table, actor: Actor, request: str) -> int:
    """The host is there, or whoever asked to be it does not any more, or somebody objects: nobody is asked."""
    may_act(actor)

    def entry() -> HostStayed:
        if table.bid is None:
            raise Illegal("core.nobody_asked")
        return HostStayed(actor.signs, actor.seat)

    return table.seat(request, ("keep host", actor), entry)


def _host(table: Table, host: HostHolder, *, by: By, seat: int | None) -> SeatsChanged:
    if table.seating.host == host:
        raise Illegal("core.is_host")
    now = table.seating.passed(host)
    return _changed("host", now, by=by, seat=seat, of=now.hosts_seat)


def _changed(
    do: SeatChange,
    now: Seating,
    *,
    by: By,
    seat: int | None = None,
    of: int | None = None,
    name: str | None = None,
) -> SeatsChanged:
    return SeatsChanged(do, by, now.seats, now.host, now.own, seat, of, name)


def _own_or_host(actor: Actor, seat: int) -> None:
    may_act(actor)
    if actor.role != "host" and actor.seat != seat:
        raise NotYourTurn("core.not_your_seat")


def _not_begun(table: Table) -> None:
    if table.begun:
        raise Illegal("core.begun")
