"""Stirring the luck: a device joins with the tip of a chain of values, and tells the next one when another joins.

So whatever somebody brings who reads the secret is followed by what they cannot know. `LUCK.md` says what that proves.
"""

from __future__ import annotations

import hashlib

import msgspec
from msgspec.structs import replace

from companion.play.dealer import Stir
from companion.play.entries import (
    DeviceJoined,
    Entry,
    LuckStirred,
    PinchCommitted,
    PinchOpened,
    SealRenewed,
    SeatsChanged,
    ValueTold,
)
from companion.play.stirring import StirringTurn, who_of
from companion.refusals import Illegal

MOST_JOINED = 4
"""So often one name joins: each time, whoever tells last has a choice between two."""


def after(value: str) -> str:
    """The value after another in the chain of a device."""
    return hashlib.sha256(f"digside part 1\0{value}".encode()).hexdigest()


class Member(msgspec.Struct, frozen=True):
    """A device that stirs.

    :ivar value: what it told last; at first its tip
    :ivar told: whether it has told a value since somebody joined last
    :ivar since: how many draws had been seen when it joined
    """

    name: str
    value: str
    told: bool
    since: int


class Members(msgspec.Struct, frozen=True):
    """The devices that stir, in the order in which they joined.

    >>> ada, ben = "a" * 64, "b" * 64
    >>> both = Members().followed(DeviceJoined("seat", after(ada), 0))
    >>> both = both.followed(DeviceJoined("seat", after(ben), 1))
    >>> both.participants, len(both.stirs)
    ([('0', False), ('1', True)], 1)
    >>> told = both.followed(ValueTold("seat", ada, 0))
    >>> told.participants, len(told.stirs)
    ([], 2)

    :ivar taken: whose place another device took
    :ivar all_taken: once two or more had stirred together, every place was
    :ivar joined: how often each name has joined
    :ivar late: who was asked, and not waited for
    """

    drawn: int = 0
    all: tuple[Member, ...] = ()
    stirs: tuple[Stir, ...] = ()
    stirred: tuple[StirringTurn, ...] = ()
    taken: tuple[str, ...] = ()
    all_taken: bool = False
    joined: dict[str, int] = {}
    late: tuple[str, ...] = ()

    @property
    def turns(self) -> list[StirringTurn]:
        """Who stirred, each time that they did."""
        sinces = [*(stir.since for stir in self.stirs), self.drawn]
        return [replace(turn, drew=sinces[at + 1] > sinces[at]) for at, turn in enumerate(self.stirred)]

    @property
    def names(self) -> list[str]:
        """The names of the members."""
        return [member.name for member in self.all]

    @property
    def participants(self) -> list[tuple[str, bool]]:
        """All members while any of them has to tell a value, and whether they have."""
        told = [(member.name, member.told) for member in self.all]
        return told if not all(has for _, has in told) else []

    def member(self, name: str) -> Member | None:
        """The member of a name."""
        return next((member for member in self.all if member.name == name), None)

    def check(self, seq: int, entry: Entry) -> None:
        """Refuse what is not what was promised, and whoever is not asked."""
        match entry:
            case DeviceJoined():
                self._check_joins(entry)
            case ValueTold():
                member = self.member(who_of(entry))
                if member is None or member.told:
                    raise Illegal("stir.not_asked")
                if after(entry.part) != member.value:
                    raise Illegal("stir.not_its_part")
            case LuckStirred() | PinchCommitted() | PinchOpened():
                raise Illegal("stir.by_part")

    def _check_joins(self, entry: DeviceJoined) -> None:
        name = who_of(entry)
        member = self.member(name)
        if entry.part is not None and (member is None or after(entry.part) != member.value):
            raise Illegal("stir.not_its_part")
        if member is not None and member.since == self.drawn:
            raise Illegal("stir.nothing_since")
        if self.joined.get(name, 0) >= MOST_JOINED:
            raise Illegal("stir.most", n=MOST_JOINED)

    def followed(self, entry: Entry) -> Members:
        """These, once a device has joined or told; under another seal, or once a seat is no more, none does."""
        match entry:
            case DeviceJoined():
                return self._joined_by(entry)._stirred_if_told()
            case ValueTold(part=part):
                name = who_of(entry)
                told = (replace(each, value=part, told=True) if each.name == name else each for each in self.all)
                return replace(self, all=tuple(told))._stirred_if_told()
            case SealRenewed() | SeatsChanged(do="leave"):
                return replace(self, all=(), joined={})
            case _:
                return self

    def _joined_by(self, entry: DeviceJoined) -> Members:
        name = who_of(entry)
        others = tuple(replace(member, told=False) for member in self.all if member.name != name)
        takes = entry.part is None and len(others) < len(self.all)
        return replace(
            self,
            all=(*others, Member(name, entry.tip, told=True, since=self.drawn)),
            taken=(*self.taken, name) if takes else self.taken,
            joined=self.joined | {name: self.joined.get(name, 0) + 1},
        )

    def fell(self, draws: int) -> Members:
        """These, once something fell that led to so many draws: whoever is asked meanwhile was not waited for."""
        if draws <= self.drawn:
            return self
        late = {*self.late, *(name for name, told in self.participants if not told)}
        return replace(self, drawn=draws, late=tuple(sorted(late)))

    def _stirred_if_told(self) -> Members:
        if self.participants:
            return self
        values = [f"{member.name}:{member.value}" for member in self.all]
        pinch = hashlib.sha256("\0".join(("digside stir 2", *values)).encode()).hexdigest()
        names = tuple(self.names)
        together = any(len(turn.names) > 1 for turn in self.stirred)
        return replace(
            self,
            stirs=(*self.stirs, Stir(self.drawn, pinch)),
            stirred=(*self.stirred, StirringTurn(names, late=tuple(name for name in names if name in self.late))),
            all_taken=self.all_taken or (together and set(names) <= set(self.taken)),
            late=(),
        )
