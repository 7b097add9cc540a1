"""Who asks: the host, a seat, or somebody looking on; and for whom each of them may act."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec
from msgspec import UNSET, UnsetType

from companion.game import Chance, SeatKind
from companion.play.entries import Role
from companion.refusals import Malformed, NotYourTurn


class Actor(msgspec.Struct, frozen=True):
    """Who asks: the host (mostly the shared tablet), a seat (a phone), or a spectator.

    :ivar seat: their own, if they have one; a host may have one, too.
    :ivar key: whose key they hold, where that is not the role's: the role is passed on, the keys stay. Left out where
        it is, so that a press has the digest that it had before there was one.
    """

    role: Literal["host", "seat", "spectator"]
    seat: int | None = None
    key: Role | UnsetType = UNSET

    @property
    def signs(self) -> Role:
        """As whom the journal knows this actor."""
        return "host" if self.role == "host" else "seat"

    @property
    def stirs_as(self) -> int | None:
        """As which seat this actor's device stirs the luck; None for that of the host's key, whoever is the host."""
        return None if (self.key or self.role) == "host" else self.seat


class Bot(Actor, frozen=True):
    """The bot that sits at a seat."""

    @classmethod
    def at(cls, seat: int) -> Bot:
        """That of a seat."""
        return cls("seat", seat)


HOST = Actor("host")
SPECTATOR = Actor("spectator")


def seat_of(actor: Actor, seat: int | None, asked: tuple[int, ...]) -> int:
    """For whom an actor moves; whether it is that seat's turn is the game's to say."""
    may_act(actor)
    if seat is not None and not is_number(seat):
        raise Malformed("core.bad_seat")
    if actor.role == "seat" and seat not in {None, actor.seat}:
        raise NotYourTurn("core.not_your_seat")
    if actor.role == "seat" or (seat is None and actor.seat in asked):
        seat = actor.seat
    return asked[0] if seat is None else seat


def hand_of(actor: Actor, chance: Chance, kinds: Sequence[SeatKind]) -> int | None:
    """Whose hand draws. For a seat at which no person plays, anybody's may.

    :param kinds: who plays for each seat.
    """
    may_act(actor)
    if actor.role == "host":
        return chance.seat
    own = chance.seat is None or chance.seat == actor.seat
    if not own and (isinstance(actor, Bot) or kinds[chance.seat or 0] == "person"):
        raise NotYourTurn("core.not_your_draw", rule=chance.rule)
    return actor.seat


def may_act(actor: Actor) -> None:
    if actor.role == "spectator":
        raise NotYourTurn("core.spectator")


def host_only(actor: Actor) -> None:
    if actor.role != "host":
        raise NotYourTurn("core.host_only")


def is_number(given: object) -> bool:
    """A whole number; JSON's true is none."""
    return isinstance(given, int) and not isinstance(given, bool)
