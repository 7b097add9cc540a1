"""Who sits at a table and who is its host: how that begins, what may change it, and whose key opens what."""

from __future__ import annotations

import base64
import hmac
import re
import secrets
from collections.abc import Iterable, Sequence
from typing import Self

import msgspec
from msgspec.structs import replace

from companion.game import Seat
from companion.play.actors import Actor
from companion.play.entries import HostHolder, Keys, SeatsChanged, SeatState
from companion.refusals import AsTyped, Illegal, Malformed, as_typed

LONGEST_NAME = 24
COLOURS = ("#c8553d", "#2f7fae", "#5f8f3a", "#e0a526", "#7d5ba6", "#3c8d86")
SHAPES = ("circle", "square", "triangle", "diamond", "hexagon", "star")
JOINED = re.compile(r"(?<=[^\w\s])\u200d(?=[^\w\s])")  # several signs drawn as one: a family, a flag
HOSTS_KEY = -1
"""In the place of a key's number: the host's key."""


class Seating(msgspec.Struct, frozen=True):
    """The seats of a table and its host's role, as they are after an entry.

    :ivar keys: so many keys have been given out for seats; a freed seat gets the next.
    """

    seats: tuple[SeatState, ...]
    host: HostHolder = "key"
    own: int | None = None
    keys: int = 0

    @classmethod
    def begun(cls, seats: Sequence[Seat]) -> Self:
        """As a table is laid."""
        now = tuple(SeatState(seat.name, seat.colour, seat.shape, key) for key, seat in enumerate(seats))
        return cls(now, keys=len(now))

    def followed(self, entry: SeatsChanged) -> Self:
        """As an entry says."""
        keys = max(self.keys, *(seat.key + 1 for seat in entry.seats))
        return replace(self, seats=entry.seats, host=entry.host, own=entry.own, keys=keys)

    def under_new_keys(self) -> Self:
        """In a copy of the table: whoever laid that has the host's key, and nobody a seat."""
        return replace(self, seats=tuple(replace(each, taken=False) for each in self.seats), host="key", own=None)

    @property
    def plain(self) -> tuple[Seat, ...]:
        """The seats as a game knows them."""
        return tuple(Seat(each.name, each.colour, each.shape) for each in self.seats)

    @property
    def hosts_seat(self) -> int | None:
        """The seat of the host, where the host has one."""
        return self.seat_of(self.own if self.host == "key" else self.host)

    def seat_of(self, key: HostHolder | None) -> int | None:
        """The seat that the key of a number opens, if it opens one."""
        return next((at for at, each in enumerate(self.seats) if each.key == key), None)

    def key_of(self, seat: int | None) -> HostHolder:
        """What a host has who sits there; at no seat, the host's key."""
        return "key" if seat is None else self.seats[self.check_seat(seat)].key

    def actor(self, number: int) -> Actor | None:
        """Who holds the key of a number; None where it opens nothing any more."""
        if number == HOSTS_KEY:
            at = self.seat_of(self.own)
            if self.host == "key":
                return Actor("host", at)
            return Actor("spectator") if at is None else Actor("seat", at, "host")
        at = self.seat_of(number)
        if at is None:
            return None
        return Actor("host", at, "seat") if self.host == number else Actor("seat", at)

    def holder(self, keys: Keys, key: str) -> Actor | None:
        """Who holds a key; None where it opens nothing."""
        number = key_number(keys, (each.key for each in self.seats), key)
        return None if number is None else self.actor(number)

    def check_seat(self, seat: int | None) -> int:
        """A seat that there is."""
        if seat is None or not 0 <= seat < len(self.seats):
            raise Malformed("core.bad_seat")
        return seat

    # What may be done. Each gives the seats as they are then; that it may be done just now, the table knows.

    def added(self, name: str) -> tuple[Self, int]:
        """With a seat more, for whoever comes; and which it is."""
        worn = {each.shape for each in self.seats}
        colour, shape = next(
            (sign for sign in zip(COLOURS, SHAPES, strict=True) if sign[1] not in worn), (COLOURS[0], SHAPES[0])
        )
        more = SeatState(name, colour, shape, self.keys)
        return self._named((*self.seats, more), keys=self.keys + 1), len(self.seats)

    def left(self, seat: int) -> Self:
        """Without a seat; those after it move up. Where it was the host's, the host's key is again."""
        gone = self.seats[self.check_seat(seat)].key
        rest = (*self.seats[:seat], *self.seats[seat + 1 :])
        own = None if self.own == gone else self.own
        return replace(self, seats=rest, host="key" if self.host == gone else self.host, own=own)

    def named(self, seat: int, name: str) -> Self:
        """With another name at a seat."""
        return self._with(seat, replace(self.seats[self.check_seat(seat)], name=name))

    def taken(self, seat: int, name: str | None = None) -> Self:
        """With somebody at a seat, who may bring a name."""
        there = self.seats[self.check_seat(seat)]
        return self._with(seat, replace(there, name=name or there.name, taken=True))

    def taken_by_host(self, seat: int, name: str | None = None) -> Self:
        """With whoever has the host's key at a seat; the one they had is free."""
        before = self.seat_of(self.own)
        free = self if before is None or before == seat else self.freed(before)
        return replace(free.taken(seat, name), own=free.seats[seat].key)

    def freed(self, seat: int) -> Self:
        """With nobody at a seat: the key it had opens nothing any more. A host who sat there is the host no longer."""
        there = self.seats[self.check_seat(seat)]
        host: HostHolder = "key" if self.host == there.key else self.host
        own = None if self.own == there.key else self.own
        return replace(
            self._with(seat, replace(there, taken=False, key=self.keys)), host=host, own=own, keys=self.keys + 1
        )

    def passed(self, host: HostHolder) -> Self:
        """With another host."""
        if isinstance(host, int) and self.seat_of(host) is None:
            raise Malformed("core.bad_seat")
        return replace(self, host=host)

    def free(self) -> list[int]:
        """The seats that nobody has taken."""
        return [at for at, each in enumerate(self.seats) if not each.taken]

    def _with(self, seat: int, there: SeatState) -> Self:
        return self._named((*self.seats[:seat], there, *self.seats[seat + 1 :]))

    def _named(self, seats: tuple[SeatState, ...], keys: int | None = None) -> Self:
        clean = named([Seat(each.name, each.colour, each.shape) for each in seats])
        now = tuple(replace(each, name=seat.name) for each, seat in zip(seats, clean, strict=True))
        return replace(self, seats=now, keys=self.keys if keys is None else keys)


def check_follows(before: Seating, entry: SeatsChanged, *, begun: bool, by_agreement: bool) -> None:
    """Refuse seats that no table comes to: names that nobody may have, places added or left in the middle of a game.

    :param begun: whether a step has been made.
    :param by_agreement: whether somebody has asked to be the host.
    """
    now = entry.seats
    if [(each.name, each.colour, each.shape) for each in now] != [
        (each.name, each.colour, each.shape) for each in named([Seat(e.name, e.colour, e.shape) for e in now])
    ]:
        raise Malformed("core.bad_name", n=LONGEST_NAME)
    keys = [each.key for each in now]
    known = isinstance(entry.host, str) or entry.host in keys
    if len(set(keys)) < len(keys) or max(keys, default=0) > before.keys or not known:
        raise Malformed("core.bad_seat")
    if len(now) != len(before.seats) and (begun or entry.do not in {"add", "leave", "take"}):
        raise Illegal("core.begun")
    if entry.host != before.host and entry.do == "host" and entry.by == "seat" and not by_agreement:
        raise Illegal("core.nobody_asked")


def seat_key(keys: Keys, number: int) -> str:
    """The key of a number: one the table was laid with, or one that follows from the host's.

    >>> keys = Keys("h" * 22, ("a" * 22,))
    >>> seat_key(keys, 0) == keys.seats[0], len(seat_key(keys, 1)), seat_key(keys, 1) == seat_key(keys, 2)
    (True, 22, False)
    """
    if number < len(keys.seats):
        return keys.seats[number]
    made = hmac.digest(keys.host.encode(), b"digside seat key %d" % number, "sha256")[:16]
    return base64.urlsafe_b64encode(made).decode().rstrip("=")


def key_number(keys: Keys, numbers: Iterable[int], key: str) -> int | None:
    """Which key of a table it is; None where it is neither the host's nor one of these numbers."""
    if secrets.compare_digest(key.encode(), keys.host.encode()):
        return HOSTS_KEY
    return next((at for at in numbers if secrets.compare_digest(key.encode(), seat_key(keys, at).encode())), None)


def named(seats: Sequence[Seat]) -> tuple[Seat, ...]:
    """The seats with clean, different names, and a colour and a shape each."""
    clean = tuple(_dressed(seat, index) for index, seat in enumerate(seats))
    names = [seat.name.casefold() for seat in clean]
    for name in names:
        if names.count(name) > 1:
            raise Malformed("core.same_name", name=AsTyped(clean[names.index(name)].name))
    return clean


def _dressed(seat: Seat, index: int) -> Seat:
    name = " ".join(seat.name.split())
    if not 0 < len(name) <= LONGEST_NAME or not JOINED.sub("", name).isprintable():
        raise Malformed("core.bad_name", n=LONGEST_NAME)
    if seat.colour and not re.fullmatch("#[0-9a-f]{6}", seat.colour):
        raise Malformed("core.bad_colour", colour=seat.colour)
    if seat.shape and seat.shape not in SHAPES:
        raise Malformed("core.bad_shape", known=as_typed(SHAPES))
    colour, shape = seat.colour or COLOURS[index % len(COLOURS)], seat.shape or SHAPES[index % len(SHAPES)]
    return replace(seat, name=name, colour=colour, shape=shape)
