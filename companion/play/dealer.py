"""Who answers chance: luck sealed before the first draw, so that anybody can check it afterwards.

Draw ``k`` is HMAC-SHA256 of the stirs so far, ``k`` and the question, under a secret whose SHA-256 (the seal) everybody
has seen. ``k`` counts the draws of the surviving history: whoever takes a step back and presses again is dealt the
same.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

import msgspec

from companion.game import Chance, Outcome

WORD = 1 << 64


class Stir(msgspec.Struct, frozen=True):
    """A pinch somebody threw in. It counts for draws that nobody has seen yet: from draw number `since` on."""

    since: int
    pinch: str


class SealedDealer:
    """Deals from 32 secret bytes.

    >>> dealer = SealedDealer(bytes(32))
    >>> dealer.seal[:16]
    '66687aadf862bd77'
    >>> die = Chance("dice", "die", tuple((face, 1) for face in range(1, 7)))
    >>> [dealer.deal(k, die, ()) for k in range(6)] == [dealer.deal(k, die, ()) for k in range(6)]
    True
    """

    def __init__(self, secret: bytes) -> None:
        if len(secret) != 32:
            raise ValueError("the secret of a sealed dealer is 32 bytes")
        self.secret = secret
        self.seal = hashlib.sha256(secret).hexdigest()

    def deal(self, draw: int, chance: Chance, stirs: Sequence[Stir]) -> Outcome:
        """The answer to a question at a draw; the same for the same secret, stirs, draw and question."""
        total = sum(weight for _, weight in chance.odds)
        point = self.below(total, draw, chance.question, stirs)
        for outcome, weight in chance.odds:
            point -= weight
            if point < 0:
                return outcome
        raise ValueError(f"nothing can fall: {chance.question}")

    def below(self, total: int, draw: int, question: str, stirs: Sequence[Stir] = ()) -> int:
        """A whole number below `total`, each as likely as any other: words that would favour some are rejected."""
        if not 0 < total <= WORD:
            raise ValueError(f"a draw is among 1 to 2^64, not {total}")
        fair = WORD - WORD % total
        message = b"\0".join((b"digside 1", stirred(draw, stirs), str(draw).encode(), question.encode(), b""))
        block = 0
        while True:
            digest = hmac.digest(self.secret, message + str(block).encode(), "sha256")
            for at in (0, 8, 16, 24):
                word = int.from_bytes(digest[at : at + 8], "big")
                if word < fair:
                    return word % total
            block += 1


def stirred(draw: int, stirs: Sequence[Stir]) -> bytes:
    """What the stirs before a draw come to; nothing, if nobody stirred."""
    counted = [stir for stir in stirs if stir.since <= draw]
    if not counted:
        return b""
    mixed = hashlib.sha256()
    for stir in counted:
        mixed.update(hashlib.sha256(f"{stir.since}:{stir.pinch}".encode()).digest())
    return mixed.hexdigest().encode()
