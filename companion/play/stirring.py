"""Stirring the luck of older tables: devices promise pinches, and only when all of a round have are they told.

Tables of today do otherwise (`members.py`): here whoever reads the secret can stir by a round of their own after any
other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Protocol, Self

import msgspec
from msgspec.structs import replace

from companion.play.dealer import Stir
from companion.play.entries import DeviceJoined, Entry, LuckStirred, PinchCommitted, PinchOpened, ValueTold
from companion.refusals import Illegal, Malformed

LONGEST = 256


class StirringTurn(msgspec.Struct, frozen=True):
    """Who stirred the luck together.

    :ivar missing: who had promised to, and did not
    :ivar late: for whom a draw did not wait that was made while they were asked
    :ivar drew: whether anything was drawn with what they stirred, before others did
    """

    names: tuple[str, ...]
    missing: tuple[str, ...] = ()
    late: tuple[str, ...] = ()
    drew: bool = True


class LuckStirring(Protocol):
    """How the devices of a table stir its luck, as far as its entries tell."""

    @property
    def drawn(self) -> int:
        """How many draws anybody has ever seen, taken back or not."""

    @property
    def stirs(self) -> Sequence[Stir]:
        """What the draws to come are stirred with."""

    @property
    def turns(self) -> Sequence[StirringTurn]:
        """Who stirred, each time that they did."""

    @property
    def names(self) -> Sequence[str]:
        """Who stirs."""

    @property
    def participants(self) -> Sequence[tuple[str, bool]]:
        """Who takes part in stirring that is under way, and whether they have told what they are asked for."""

    def check(self, seq: int, entry: Entry) -> None:
        """Refuse an entry about stirring that no table writes."""

    def followed(self, entry: Entry) -> Self:
        """The same, once an entry about stirring is made, or one that puts the luck under another seal."""

    def fell(self, draws: int) -> Self:
        """The same, once something fell that led to so many draws."""


class PinchShare(msgspec.Struct, frozen=True):
    """What somebody adds: promised, and told once it is opened."""

    who: str
    commit: str
    pinch: str | None = None


class Round(msgspec.Struct, frozen=True):
    """Those who stir together. Nobody joins once the first pinch is told; the next draw ends it.

    >>> ada, ben = (PinchCommitted("seat", promise(who, f"{who}!"), int(who)) for who in "01")
    >>> both = Round().joined(ada).joined(ben).opened(PinchOpened("seat", "0!", 0))
    >>> both.opening, both.complete, both.missing
    (True, False, ('1',))
    """

    shares: tuple[PinchShare, ...] = ()

    @property
    def opening(self) -> bool:
        """Whether a pinch has been told."""
        return any(share.pinch is not None for share in self.shares)

    @property
    def tellers(self) -> tuple[str, ...]:
        """Who has told."""
        return tuple(share.who for share in self.shares if share.pinch is not None)

    @property
    def missing(self) -> tuple[str, ...]:
        """Who promised and has not told."""
        return tuple(share.who for share in self.shares if share.pinch is None)

    @property
    def complete(self) -> bool:
        """Whether all is told."""
        return bool(self.shares) and not self.missing

    def share(self, who: str) -> PinchShare | None:
        """What somebody adds to this round."""
        return next((share for share in self.shares if share.who == who), None)

    def joined(self, entry: PinchCommitted) -> Round:
        """The round with another promise."""
        if self.opening:
            raise Illegal("stir.opening")
        if self.share(who_of(entry)) is not None:
            raise Illegal("stir.once")
        return Round((*self.shares, PinchShare(who_of(entry), entry.commit)))

    def opened(self, entry: PinchOpened) -> Round:
        """The round with a pinch told."""
        share = self.share(who_of(entry))
        if share is None or share.commit != promise(share.who, entry.pinch):
            raise Illegal("stir.not_promised")
        if share.pinch is not None:
            raise Illegal("stir.once")
        told = replace(share, pinch=entry.pinch)
        return Round(tuple(told if each is share else each for each in self.shares))

    def stir(self, since: int) -> Stir:
        """What the pinches that were told come to, for the draws from number `since` on."""
        told = [f"{share.who}:{share.pinch}" for share in self.shares if share.pinch is not None]
        return Stir(since, hashlib.sha256("\0".join(("digside stir 1", *told)).encode()).hexdigest())


class Rounds(msgspec.Struct, frozen=True):
    """Rounds of stirring, one after the other.

    :ivar done: those that are over, and `ended` what they came to
    :ivar last: by who stirs, how many draws had been seen when they did last
    """

    drawn: int = 0
    round: Round = Round()
    done: tuple[Round, ...] = ()
    ended: tuple[Stir, ...] = ()
    last: dict[str, int] = {}

    @property
    def stirs(self) -> tuple[Stir, ...]:
        """Those of the rounds that are over, and of those who stir now, with the pinches that are told."""
        pending = (self.round.stir(self.drawn),) if self.round.opening else ()
        return (*self.ended, *pending)

    @property
    def turns(self) -> list[StirringTurn]:
        """Those who have told their pinches, round by round."""
        now = [StirringTurn(self.round.tellers)] if self.round.opening else []
        return [*(StirringTurn(each.tellers, each.missing) for each in self.done), *now]

    @property
    def names(self) -> list[str]:
        """Those of the round."""
        return [share.who for share in self.round.shares]

    @property
    def participants(self) -> list[tuple[str, bool]]:
        """Those of the round, and whether their pinch is told."""
        return [(share.who, share.pinch is not None) for share in self.round.shares]

    def check(self, seq: int, entry: Entry) -> None:
        """Refuse what would add nothing, or reach back to what was seen."""
        match entry:
            case LuckStirred(since=since) if since != self.drawn:
                raise Malformed("entry.stirs_what_was_seen", seq=seq, n=self.drawn, since=since)
            case PinchCommitted():
                (Round() if self.round.complete else self.round).joined(entry)
                if self.last.get(who_of(entry)) == self.drawn:
                    raise Illegal("stir.nothing_since")
            case PinchOpened():
                self.round.opened(entry)
            case DeviceJoined() | ValueTold():
                raise Illegal("stir.by_pinch")

    def followed(self, entry: Entry) -> Rounds:
        """These, with a promise or a pinch more."""
        match entry:
            case LuckStirred(since=since, pinch=pinch):
                return replace(self, ended=(*self.ended, Stir(since, pinch)))
            case PinchCommitted():
                known = self._once_over() if self.round.complete else self
                last = self.last | {who_of(entry): self.drawn}
                return replace(known, round=known.round.joined(entry), last=last)
            case PinchOpened():
                return replace(self, round=self.round.opened(entry))
            case _:
                return self

    def fell(self, draws: int) -> Rounds:
        """These, once something fell that led to so many draws: it ends a round in which a pinch is told."""
        known = self._once_over() if self.round.opening else self
        return replace(known, drawn=max(self.drawn, draws))

    def _once_over(self) -> Rounds:
        ended, done = (*self.ended, self.round.stir(self.drawn)), (*self.done, self.round)
        return replace(self, ended=ended, done=done, round=Round())


def who_of(entry: PinchCommitted | PinchOpened | DeviceJoined | ValueTold) -> str:
    """Whose device it is: the host's, or that of a seat by its number."""
    return "host" if entry.seat is None else str(entry.seat)


def promise(who: str, pinch: str) -> str:
    """What is told of a pinch before it is told itself: `who` is the host, or a seat by its number."""
    return hashlib.sha256("\0".join(("digside pinch 1", who, pinch)).encode()).hexdigest()
