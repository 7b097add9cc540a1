"""Dice, one in each colour, that lie as they were rolled until the next roll."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.game import Chance, Outcome
from companion.games.toolbox.kit import BUSY, Hand, Table, Tool
from companion.pieces.dice import Dice
from companion.referee import Act, Facts
from companion.refusals import Illegal, Refusal


class Roll(Act[Table], frozen=True, tag="roll"):
    """Rolls so many dice."""

    count: int

    @classmethod
    def thinkable(cls, here: Table) -> Iterator[Roll]:
        return (cls(count) for count in range(1, here.tool(DiceSet).count + 1))

    def why_not(self, here: Table) -> Refusal | None:
        most = here.tool(DiceSet).count
        return None if 1 <= self.count <= most else Illegal("toolbox.no_dice", rule="TBX-41", most=most)

    def done(self, here: Table) -> Table:
        return here.laid(here.tool(DiceSet).picked_up()).busy(Rolling(here.seat, self.count))

    def told(self, here: Table) -> Facts:
        return super().told(here) | {"n": self.count}


class Rolling(Hand, frozen=True):
    """Dice are being rolled, one after another."""

    seat: int
    count: int

    def asked(self, here: Table) -> Chance:
        dice = here.tool(DiceSet)
        nth = len(dice.lying.shown) + 1
        facts: Facts = {"nth": nth, "of": self.count, "colour": dice.colours[nth - 1]}
        return Chance("dice", f"die {nth}", dice.lying.odds(), seat=self.seat, rule=BUSY, facts=facts)

    def found(self, here: Table, outcome: Outcome) -> Table:
        return here.laid(here.tool(DiceSet).fallen(int(outcome))).settled()

    def settled(self, here: Table) -> Table:
        return here if len(here.tool(DiceSet).lying.shown) < self.count else self.followed(here).busy()

    def followed(self, here: Table) -> Table:
        """The table after what follows from the whole roll."""
        return here

    def told(self, here: Table, outcome: Outcome) -> Facts:
        dice = here.tool(DiceSet)
        nth = len(dice.lying.shown) + 1
        return {"type": "die", "die": dice.colours[nth - 1], "face": outcome, "nth": nth}


class DiceSet(Tool, frozen=True):
    """The dice, one in each colour.

    :param origins: where the colour of each is from.
    :param mummies_from: what a die has to show to be a step of the mummies.
    """

    name = "dice"
    acts = (Roll,)

    faces: int
    colours: tuple[str, ...]
    origins: tuple[str, ...]
    mummies_from: int
    lying: Dice = Dice()

    def laid_out(self, seats: int) -> DiceSet:
        return self.picked_up()

    @property
    def count(self) -> int:
        """How many dice there are."""
        return len(self.colours)

    def picked_up(self) -> DiceSet:
        """With no die on the table."""
        return replace(self, lying=Dice(faces=self.faces))

    def fallen(self, face: int) -> DiceSet:
        """With one more die on the table."""
        return replace(self, lying=self.lying.rolled(face))

    @property
    def steps(self) -> int:
        """How far the mummies would walk."""
        return self.lying.at_least(self.mummies_from)

    def board(self, here: Table) -> Facts:
        """``dice``: ``{faces, count, colours, rolled, rolling: how many are still to fall, mummies_from,
        from: for each colour}``."""
        rolled, hand = list(self.lying.shown), here.state.hand
        return {
            "dice": {
                "faces": self.faces,
                "count": self.count,
                "colours": list(self.colours),
                "rolled": rolled,
                "rolling": hand.count - len(rolled) if isinstance(hand, Rolling) else 0,
                "mummies_from": self.mummies_from,
                "from": list(self.origins),
            }
        }
