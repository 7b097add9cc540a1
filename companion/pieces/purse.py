"""A purse of gold and silver, counted in silver."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from companion.refusals import Illegal


class Coins(NamedTuple):
    """Coins as they lie on the table."""

    gold: int
    silver: int


class Purse(msgspec.Struct, frozen=True):
    """What somebody owns; the bank changes coins at any time.

    >>> purse = Purse.of(gold=1, silver=5)
    >>> purse.silver, purse.coins()
    (10, Coins(gold=1, silver=5))
    >>> purse.pay(3).coins()
    Coins(gold=1, silver=2)
    """

    silver: int
    """The value of all coins."""
    gold_in_silver: int = 5

    @classmethod
    def of(cls, *, silver: int = 0, gold: int = 0, gold_in_silver: int = 5) -> Purse:
        """A purse with these coins."""
        return cls(silver + gold * gold_in_silver, gold_in_silver)

    def coins(self) -> Coins:
        """Gold, and beside it silver to give change with, as a purse is handed out."""
        gold = max(0, self.silver - 1) // self.gold_in_silver
        return Coins(gold, self.silver - gold * self.gold_in_silver)

    def can_pay(self, silver: int) -> bool:
        """Whether there is enough."""
        return self.silver >= silver

    def pay(self, silver: int) -> Purse:
        """The purse after paying.

        :raises Illegal: if there is not enough.
        """
        if silver < 0:
            raise Illegal("piece.purse.negative")
        if not self.can_pay(silver):
            raise Illegal("piece.purse.short", owed=silver, owned=self.silver)
        return Purse(self.silver - silver, self.gold_in_silver)

    def earn(self, silver: int) -> Purse:
        """The purse after being paid."""
        if silver < 0:
            raise Illegal("piece.purse.negative")
        return Purse(self.silver + silver, self.gold_in_silver)
