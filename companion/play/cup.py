"""What lies on the shovel's cup, or is about to, and which move waits for it: one state, whoever uses the shovel.

The shovel numbers its lifts, and a lift that a table asked for begins, or is refused, with the order it was asked with.
"""

from __future__ import annotations

from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.play.table import Press

Lifting = Literal["gripping", "held", "doubted"]


class Lift(msgspec.Struct, frozen=True):
    """A move that waits for its lift."""

    table: str
    seat: int
    move: dict[str, object]
    state: Lifting = "gripping"


class LiftEnded(msgspec.Struct, frozen=True):
    """A lift that came to nothing, until the next begins or its seat moves on.

    :ivar why: the key of a sentence
    :ivar table: the table that had the rig
    :ivar seat: whose lift it was; null where a hand had asked the shovel itself
    :ivar move: the move that waited for it, and was not made; null where none did
    """

    why: str
    table: str | None = None
    seat: int | None = None
    move: dict[str, object] | None = None


class Errand(msgspec.Struct, frozen=True):
    """What a table asked the shovel to lift for.

    :ivar order: what it was asked with
    :ivar press: the move that is made once the card is lifted; none where a step itself told the shovel to grip
    :ivar step: that step
    :ivar number: which of the shovel's lifts it is, once that has begun
    """

    order: int
    lift: Lift
    press: Press | None = None
    step: int = 0
    number: int = 0


class Cup(msgspec.Struct, frozen=True):
    """What the cup holds, or is about to.

    :ivar on: the shovel's number of the lift that is under way, whoever began it; 0 while none is
    :ivar by_hand: a hand began that one, at a button or on a screen
    :ivar errand: what a table waits for
    """

    on: int = 0
    by_hand: bool = False
    errand: Errand | None = None

    @property
    def free(self) -> bool:
        """Whether nothing is on it, or about to be."""
        return not self.on and self.errand is None

    def begun(self, number: int, order: int) -> Cup:
        """A lift has begun: it is the errand's only if it was asked for with its order."""
        errand = self.errand
        if errand is not None and order == errand.order:
            errand = replace(errand, number=number)
        return Cup(number, order == 0, errand)

    def is_for(self, number: int) -> bool:
        """Whether a lift is the one that a table waits for."""
        return self.errand is not None and self.errand.number == number != 0

    def with_report(self, number: int, state: Lifting) -> Cup:
        """How a lift stands."""
        if self.errand is None or not self.is_for(number):
            return self
        return replace(self, errand=replace(self.errand, lift=replace(self.errand.lift, state=state)))

    def over(self, number: int) -> Cup:
        """A lift has ended, and the errand with it where it was its lift."""
        cup = self if self.on != number else replace(self, on=0, by_hand=False)
        return replace(cup, errand=None) if cup.is_for(number) else cup
