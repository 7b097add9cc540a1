"""Dice, one in each colour, that lie as they were rolled until the next roll."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from companion.game import Chance, Outcome
from companion.games.toolbox import seen
from companion.games.toolbox.kit import BUSY, Hand, Tool, ToolboxTable
from companion.games.toolbox.loads import Loads
from companion.games.toolbox.points import Tallies, out_of_reach
from companion.parts import Act, Facts
from companion.pieces.box_differences import NOTHING_LOOSE, BoxDifference, VariablePart
from companion.pieces.dice import Dice
from companion.refusals import Illegal, Refusal

DICE_OF = "dice:"
"""Before the name of a die, as a part of the box."""


class Roll(Act[ToolboxTable], frozen=True, tag="roll"):
    """Rolls so many dice."""

    count: int

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[Roll]:
        return (cls(count) for count in range(1, table.tool(DiceSet).count + 1))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        most = table.tool(DiceSet).count
        return None if 1 <= self.count <= most else Illegal("toolbox.no_dice", rule="TBX-41", most=most)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        hand = RollingAll if self.count == table.tool(DiceSet).count else RollingHand
        return table.laid(table.tool(DiceSet).picked_up()).busy(hand(table.seat, self.count))

    def log_facts(self, table: ToolboxTable) -> Facts:
        return super().log_facts(table) | {"n": self.count}


class InColours(Hand, frozen=True):
    """A die of the set is about to fall, which may be in another colour than the box says."""

    def die(self, table: ToolboxTable) -> int:
        """Which die it is, counted from 0."""
        raise NotImplementedError

    def off_list_outcomes(self, table: ToolboxTable) -> tuple[str, ...]:
        dice, place = table.tool(DiceSet), self.die(table)
        return tuple(colour for colour in dice.part(table, place).kinds if colour != dice.colours[place])

    def amend_for(self, table: ToolboxTable, outcome: str) -> ToolboxTable:
        """The die is in this colour, and one that was to be in it has that of the other."""
        dice, place = table.tool(DiceSet), self.die(table)
        colours, old = list(dice.colours), dice.colours[place]
        more = [BoxDifference(dice.part(table, place).where, outcome, old)]
        if outcome in colours:
            more.append(BoxDifference(dice.part(table, colours.index(outcome)).where, old, outcome))
            colours[colours.index(outcome)] = old
        colours[place] = outcome
        table = table.shown_otherwise(tuple(more)).laid(replace(dice, colours=tuple(colours)))
        if Loads.name not in table.state.tools:
            return table
        loads, instead = table.tool(Loads), {old: outcome, outcome: old}
        curses = {card: instead.get(colour, colour) for card, colour in loads.curses.items()}
        return table.laid(replace(loads, curses=curses))

    def settles(self, outcome: Outcome) -> bool:
        return isinstance(outcome, int)

    def log_facts(self, table: ToolboxTable, outcome: Outcome) -> Facts:
        dice, place = table.tool(DiceSet), self.die(table)
        if isinstance(outcome, str):
            return {"type": "otherwise_die", "god": dice.names[place], "what": outcome}
        return {"type": "die", "die": dice.colours[place], "face": outcome, "nth": place + 1}


class RollingHand(InColours, frozen=True):
    """Dice are being rolled, one after another."""

    seat: int
    count: int

    def die(self, table: ToolboxTable) -> int:
        return len(table.tool(DiceSet).lying.shown)

    def chance(self, table: ToolboxTable) -> Chance:
        dice = table.tool(DiceSet)
        nth = len(dice.lying.shown) + 1
        facts: Facts = {"nth": nth, "of": self.count, "colour": dice.colours[nth - 1]}
        return Chance("dice", f"die {nth}", dice.lying.odds(), seat=self.seat, rule=BUSY, facts=facts)

    def apply_outcome(self, table: ToolboxTable, outcome: Outcome) -> ToolboxTable:
        return table.laid(table.tool(DiceSet).apply_outcome(int(outcome))).withdrawn()

    def withdrawn(self, table: ToolboxTable) -> ToolboxTable:
        return table if len(table.tool(DiceSet).lying.shown) < self.count else self.followed(table).busy()

    def followed(self, table: ToolboxTable) -> ToolboxTable:
        """The table after what follows from the whole roll."""
        return table


class RollingAll(RollingHand, frozen=True):
    """All dice are being rolled: they give everybody actions, where somebody counts what is carried."""

    def followed(self, table: ToolboxTable) -> ToolboxTable:
        if Loads.name not in table.state.tools:
            return table
        dice = table.tool(DiceSet)
        return table.laid(table.tool(Loads).rolled(table, dict(zip(dice.colours, dice.lying.shown, strict=True))))


class Reroll(Act[ToolboxTable], frozen=True, tag="reroll"):
    """Rolls some of the dice again that lie there, counted from 0; the others stay as they are."""

    sampled = True

    dice: tuple[int, ...]

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[Reroll]:
        lie = range(len(table.tool(DiceSet).lying.shown))
        yield from (cls((place,)) for place in lie)
        if len(lie) > 1:
            yield cls(tuple(lie))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        lie = range(len(table.tool(DiceSet).lying.shown))
        if self.dice and len(set(self.dice)) == len(self.dice) and all(place in lie for place in self.dice):
            return None
        return Illegal("toolbox.no_such_dice", rule="TBX-42", n=len(lie))

    def done(self, table: ToolboxTable) -> ToolboxTable:
        return table.busy(Rerolling(table.seat, tuple(sorted(self.dice))))

    def log_facts(self, table: ToolboxTable) -> Facts:
        return super().log_facts(table) | {"n": len(self.dice)}


class Rerolling(InColours, frozen=True):
    """Some dice are being rolled again; these have not fallen yet."""

    seat: int
    left: tuple[int, ...]

    def die(self, table: ToolboxTable) -> int:
        return self.left[0]

    def chance(self, table: ToolboxTable) -> Chance:
        dice, place = table.tool(DiceSet), self.left[0]
        facts: Facts = {"nth": place + 1, "left": len(self.left), "colour": dice.colours[place]}
        return Chance("dice", f"die {place + 1} again", dice.lying.odds(), seat=self.seat, rule=BUSY, facts=facts)

    def apply_outcome(self, table: ToolboxTable, outcome: Outcome) -> ToolboxTable:
        dice = table.tool(DiceSet)
        again = table.laid(replace(dice, lying=dice.lying.turned(self.left[0], int(outcome))))
        return again.busy(*[replace(self, left=self.left[1:])] if self.left[1:] else ())


class PickLock(Act[ToolboxTable], frozen=True, tag="pick_lock"):
    """Rolls all dice for a lock; until the next roll the tray shows which of its numbers are missing."""

    lock: str

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[PickLock]:
        return (cls(lock) for lock in table.tool(DiceSet).locks)

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        locks = tuple(table.tool(DiceSet).locks)
        return None if self.lock in locks else Illegal("toolbox.no_lock", rule="TBX-43", locks=locks)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        dice = table.tool(DiceSet)
        return table.laid(replace(dice.picked_up(), lock=self.lock)).busy(RollingHand(table.seat, dice.count))


class ChestDie(Act[ToolboxTable], frozen=True, tag="chest_die"):
    """Rolls a die for a chest: what it shows is added to the points of a seat."""

    seat: int

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[ChestDie]:
        if table.tool(DiceSet).locks:
            yield from (act for seat in table.seats if not (act := cls(seat)).why_not(table))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        if not table.tool(DiceSet).locks:
            return Illegal("toolbox.no_chests", rule="TBX-44")
        if refusal := table.no_seat(self.seat):
            return refusal
        return out_of_reach(table.tool(Tallies).points[self.seat] + table.tool(DiceSet).faces)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        return table.busy(OpeningChest(table.seat, self.seat))

    def log_facts(self, table: ToolboxTable) -> Facts:
        return super().log_facts(table) | {"whose": table.called(self.seat)}


class OpeningChest(Hand, frozen=True):
    """A die is being rolled for a chest of a seat. The dice that lie stay as they are."""

    seat: int
    whose: int

    def chance(self, table: ToolboxTable) -> Chance:
        return Chance("dice", "die of a chest", table.tool(DiceSet).lying.odds(), seat=self.seat, rule=BUSY)

    def apply_outcome(self, table: ToolboxTable, outcome: Outcome) -> ToolboxTable:
        tallies = table.tool(Tallies)
        return table.laid(tallies.with_(self.whose, tallies.points[self.whose] + int(outcome))).busy()

    def log_facts(self, table: ToolboxTable, outcome: Outcome) -> Facts:
        return {"type": "chest", "whose": table.called(self.whose), "n": outcome}


class DiceSet(Tool, frozen=True):
    """The dice, one in each colour.

    :param origins: where the colour of each is from.
    :param mummies_from: what a die has to show to be a step of the mummies.
    :param locks: the numbers that open each lock; with none there are no chests either.
    :param names: what each die is called in the box.
    :param lock: the lock that the dice lie for; "" where they lie for something else.
    """

    name = "dice"
    acts = (Roll, Reroll, PickLock, ChestDie)

    faces: int
    colours: tuple[str, ...]
    origins: tuple[str, ...]
    mummies_from: int
    locks: dict[str, tuple[int, ...]] = msgspec.field(default_factory=dict)
    lying: Dice = Dice()
    lock: str = ""
    names: tuple[str, ...] = ()

    def laid_out(self, seats: int) -> DiceSet:
        return self.picked_up()

    @property
    def count(self) -> int:
        """How many dice there are."""
        return len(self.colours)

    def part(self, table: ToolboxTable, place: int) -> VariablePart:
        """Which colours a die may be in."""
        return table.loose(f"{DICE_OF}{self.names[place]}") if self.names else NOTHING_LOOSE

    def picked_up(self) -> DiceSet:
        """With no die on the table."""
        return replace(self, lying=Dice(faces=self.faces), lock="")

    def apply_outcome(self, face: int) -> DiceSet:
        """With one more die on the table."""
        return replace(self, lying=self.lying.rolled(face))

    @property
    def steps(self) -> int:
        """How far the mummies would walk."""
        return self.lying.at_least(self.mummies_from)

    def board(self, table: ToolboxTable) -> seen.ToolboxBoard:
        hand = table.state.hand
        again = hand.left if isinstance(hand, Rerolling) else ()
        rolled = [None if place in again else face for place, face in enumerate(self.lying.shown)]
        dice: seen.ToolboxDiceShown = {
            "faces": self.faces,
            "count": self.count,
            "colours": list(self.colours),
            "rolled": rolled,
            "rolling": hand.count - len(rolled) if isinstance(hand, RollingHand) else 0,
            "mummies_from": self.mummies_from,
            "from": list(self.origins),
        }
        if self.locks:
            dice["locks"] = {lock: list(numbers) for lock, numbers in self.locks.items()}
            dice["lock"] = self.lock or None
            dice["missing"] = list(self.lying.missing(self.locks[self.lock]) if self.lock else ())
        return {"dice": dice}
