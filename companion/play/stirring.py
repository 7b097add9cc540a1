"""Stirring the luck together: each device promises a pinch, and only when all have are the pinches told.

Whoever read the secret could try pinches until the draws please. Promised before anybody tells theirs, no pinch can be
chosen by the others; all that is left to choose is not to tell one's own, and that is seen.
"""

from __future__ import annotations

import hashlib

import msgspec
from msgspec.structs import replace

from companion.play.dealer import Stir
from companion.play.entries import Committed, Opened
from companion.refusals import Illegal

LONGEST = 256


class Share(msgspec.Struct, frozen=True):
    """What somebody adds: promised, and told once it is opened."""

    who: str
    commit: str
    pinch: str | None = None


class Round(msgspec.Struct, frozen=True):
    """Those who stir together. Nobody joins once the first pinch is told; the next draw ends it.

    >>> ada, ben = (Committed("seat", promise(who, f"{who}!"), int(who)) for who in "01")
    >>> both = Round().joined(ada).joined(ben).opened(Opened("seat", "0!", 0))
    >>> both.opening, both.complete, [share.who for share in both.left_out]
    (True, False, ['1'])
    """

    shares: tuple[Share, ...] = ()

    @property
    def opening(self) -> bool:
        """Whether a pinch has been told."""
        return any(share.pinch is not None for share in self.shares)

    @property
    def left_out(self) -> tuple[Share, ...]:
        """What was promised and is not told."""
        return tuple(share for share in self.shares if share.pinch is None)

    @property
    def complete(self) -> bool:
        """Whether all is told."""
        return bool(self.shares) and not self.left_out

    def share(self, who: str) -> Share | None:
        """What somebody adds to this round."""
        return next((share for share in self.shares if share.who == who), None)

    def joined(self, entry: Committed) -> Round:
        """The round with another promise."""
        if self.opening:
            raise Illegal("stir.opening")
        if self.share(who_of(entry)) is not None:
            raise Illegal("stir.once")
        return Round((*self.shares, Share(who_of(entry), entry.commit)))

    def opened(self, entry: Opened) -> Round:
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


def who_of(entry: Committed | Opened) -> str:
    """Whose device it is: the host's, or that of a seat by its number."""
    return "host" if entry.seat is None else str(entry.seat)


def promise(who: str, pinch: str) -> str:
    """What is told of a pinch before it is told itself: `who` is the host, or a seat by its number."""
    return hashlib.sha256("\0".join(("digside pinch 1", who, pinch)).encode()).hexdigest()
