"""The plan of a pyramid: blocks that fall on its squares, and mummies that walk its corridor as the dice say."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec.structs import replace

from companion.game import Chance, Outcome
from companion.games.toolbox import seen
from companion.games.toolbox.dice import DiceSet, RollingHand
from companion.games.toolbox.kit import BUSY, Hand, Tool, ToolboxTable
from companion.parts import Act, ChoiceOf, Facts, RuledCorrection
from companion.pieces.corridor import Walker
from companion.pieces.plan import Plan
from companion.printed import Wall
from companion.refusals import Illegal, Refusal
from companion.secrecy import Secret, nothing

SET_ASIDE = "set_aside"
PUT_BACK = "put_back"
LIES_DOWN = "lies_down"
GETS_UP = "gets_up"
HAS_FALLEN = "has_fallen"
IS_BOXED = "is_boxed"


class DropBlock(Act[ToolboxTable], frozen=True, tag="block"):
    """Draws a block, which falls."""

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> tuple[DropBlock, ...]:
        return (cls(),) if table.tool(Blocks).boxed else ()

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        return None if table.tool(Blocks).boxed else Illegal("toolbox.no_blocks", rule="TBX-51")

    def done(self, table: ToolboxTable) -> ToolboxTable:
        return table.busy(FallingHand(table.seat))


class LookAtBlock(Act[ToolboxTable], frozen=True, tag="look_at_block"):
    """Draws a block that this seat alone looks at."""

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> tuple[LookAtBlock, ...]:
        return () if (act := cls()).why_not(table) else (act,)

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        blocks = table.tool(Blocks)
        if blocks.real:
            return Illegal("toolbox.real_blocks", rule="TBX-53")
        if blocks.looked:
            return Illegal("toolbox.looked_at", rule="TBX-53")
        return None if blocks.boxed else Illegal("toolbox.no_blocks", rule="TBX-51")

    def done(self, table: ToolboxTable) -> ToolboxTable:
        return table.busy(LookingHand(table.seat))


class LookingHand(Hand, frozen=True):
    """A block is being drawn to be looked at."""

    secret = Secret(nothing)

    seat: int

    def chance(self, table: ToolboxTable) -> Chance:
        odds = tuple((number, 1) for number in table.tool(Blocks).boxed)
        return Chance("blocks", "block looked at", odds, seat=self.seat, rule=BUSY, facts={"left": len(odds)})

    def apply_outcome(self, table: ToolboxTable, outcome: Outcome) -> ToolboxTable:
        return table.laid(replace(table.tool(Blocks), looked=int(outcome), looker=self.seat)).busy()

    def withdrawn(self, table: ToolboxTable) -> ToolboxTable:
        return table if table.tool(Blocks).boxed else table.busy()

    def log_facts(self, table: ToolboxTable, outcome: Outcome) -> Facts:
        return {"type": "looked", "whose": table.called(self.seat)}


class KeepBlock(Act[ToolboxTable], frozen=True, tag="keep_block"):
    """Sets the block that was looked at aside, to be the next that falls; or puts it back into the box."""

    keep: bool

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[KeepBlock]:
        return (act for keep in (True, False) if not (act := cls(keep)).why_not(table))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        blocks = table.tool(Blocks)
        mine = blocks.looked and not blocks.kept and blocks.looker == table.seat
        return None if mine else Illegal("toolbox.not_looked", rule="TBX-53")

    def done(self, table: ToolboxTable) -> ToolboxTable:
        blocks = table.tool(Blocks)
        return table.laid(replace(blocks, kept=True) if self.keep else blocks.looked_away())

    def log_facts(self, table: ToolboxTable) -> Facts:
        return super().log_facts(table) | {"state": SET_ASIDE if self.keep else PUT_BACK}


class FallingHand(Hand, frozen=True):
    """A block is being drawn."""

    seat: int

    def chance(self, table: ToolboxTable) -> Chance:
        blocks = table.tool(Blocks)
        odds = tuple((number, int(not blocks.kept or number == blocks.looked)) for number in blocks.boxed)
        facts: Facts = {"left": len(odds)}
        return Chance("blocks", "block", odds, seat=self.seat, rule=BUSY, veiled=blocks.kept, facts=facts)

    def apply_outcome(self, table: ToolboxTable, outcome: Outcome) -> ToolboxTable:
        return table.laid(table.tool(Blocks).with_fallen(int(outcome)).looked_away()).busy()

    def withdrawn(self, table: ToolboxTable) -> ToolboxTable:
        return table if table.tool(Blocks).boxed else table.busy()

    def log_facts(self, table: ToolboxTable, outcome: Outcome) -> Facts:
        return {"type": "falls", "block": outcome}


Number = Annotated[int, ChoiceOf(lambda table: table.tool(Blocks).numbers)]
Fallen = Annotated[bool, ChoiceOf(lambda table: (True, False))]


class SetBlock(RuledCorrection[ToolboxTable], frozen=True, tag="fallen"):
    """A block has fallen, or it has not."""

    number: Number
    fallen: Fallen

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        blocks = table.tool(Blocks)
        if self.number not in blocks.numbers:
            return Illegal("toolbox.no_block", rule="TBX-93", most=blocks.count)
        if self.fallen != (self.number in blocks.fallen):
            return None
        key = "toolbox.block_fallen" if self.fallen else "toolbox.block_boxed"
        return Illegal(key, rule="TBX-93", block=self.number)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        blocks = table.tool(Blocks)
        put_right = blocks.with_fallen(self.number) if self.fallen else blocks.without_fallen(self.number)
        return table.laid(put_right).withdrawn()

    def log_facts(self, table: ToolboxTable) -> Facts:
        return super().log_facts(table) | {"state": HAS_FALLEN if self.fallen else IS_BOXED}


class Drawn(msgspec.Struct, frozen=True):
    """A plan as it is drawn: its squares by rows, what parts them, the corridor's stretches, the ways in, the areas,
    and the squares before each alcove."""

    grid: tuple[tuple[str, ...], ...]
    walls: tuple[tuple[str, str], ...]
    corridor: dict[str, tuple[str, ...]]
    entrances: tuple[str, ...]
    areas: dict[str, tuple[str, ...]]
    alcoves: dict[str, tuple[str, ...]] = {}


class Blocks(Tool, frozen=True):
    """The blocks, and the plan on which they fall.

    :param origin: where the plan is from.
    :param real: whether they are drawn at the table, so that nobody here knows one that is looked at.
    :param fallen: those that have fallen, in their order.
    :param looked: the block that a seat, the `looker`, has looked at: its secret; 0 where nobody has.
    :param kept: whether that block is set aside, to fall next.
    """

    name = "blocks"
    acts = (DropBlock, LookAtBlock, KeepBlock)
    corrections = (SetBlock, Wall)

    count: int
    drawing: Drawn
    plan: Plan
    origin: str
    real: bool = True
    fallen: tuple[int, ...] = ()
    looked: Annotated[int, Secret(nothing, to=lambda blocks, seat: (blocks.looker,))] = 0
    looker: int = -1
    kept: bool = False

    @property
    def numbers(self) -> range:
        """All blocks."""
        return range(1, self.count + 1)

    @property
    def boxed(self) -> tuple[int, ...]:
        """Those that have not fallen."""
        return tuple(number for number in self.numbers if number not in self.fallen)

    def with_fallen(self, number: int) -> Blocks:
        """After one more has fallen."""
        after = replace(self, fallen=(*self.fallen, number))
        return after.looked_away() if number == self.looked else after

    def looked_away(self) -> Blocks:
        """After the block that was looked at went back into the box, or fell."""
        return replace(self, looked=0, looker=-1, kept=False)

    def without_fallen(self, number: int) -> Blocks:
        """With a block in the box again."""
        return replace(self, fallen=tuple(other for other in self.fallen if other != number))

    def board(self, table: ToolboxTable) -> seen.ToolboxBoard:
        drawing = self.drawing
        blocks: seen.ToolboxBlocksShown = {
            "of": self.count,
            "left": self.count - len(self.fallen),
            "fallen": list(self.fallen),
            "drawn": self.fallen[-1] if self.fallen else None,
        }
        if not self.real:
            blocks |= {"looker": None if self.looker < 0 else self.looker, "aside": self.kept}
        return {
            "blocks": blocks,
            "plan": {
                "grid": [list(row) for row in drawing.grid],
                "walls": [list(wall) for wall in drawing.walls],
                "corridor": {stretch: list(squares) for stretch, squares in drawing.corridor.items()},
                "entrances": list(drawing.entrances),
                "areas": {name: list(squares) for name, squares in drawing.areas.items()},
                "alcoves": {god: list(squares) for god, squares in drawing.alcoves.items()},
                "trapped": self._trapped(),
                "from": self.origin,
            },
        }

    def hand(self, table: ToolboxTable) -> seen.ToolboxOwn:
        return {"block": self.looked} if self.looked and self.looker == table.seat else {}

    def _trapped(self) -> list[str]:
        fallen = {str(number) for number in self.fallen}
        out = self.plan.open_squares(fallen) | fallen
        return [square for row in self.drawing.grid for square in row if square and square not in out]

    def counted(self, table: ToolboxTable) -> dict[str, int]:
        return {"blocks": len({*self.fallen, *self.boxed})}


class WalkMummies(Act[ToolboxTable], frozen=True, tag="mummies"):
    """Lets the mummies walk: so many squares, or as many as the dice say."""

    steps: int | None = None

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[WalkMummies]:
        yield cls()
        yield from (cls(steps) for steps in range(table.tool(DiceSet).count + 1))

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        most = table.tool(DiceSet).count
        if self.steps is None or 0 <= self.steps <= most:
            return None
        return Illegal("toolbox.no_steps", rule="TBX-63", most=most)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        if self.steps is not None:
            return table.laid(table.tool(Mummies).walked(self.steps))
        dice = table.tool(DiceSet)
        return table.laid(dice.picked_up()).busy(MummyRollingHand(table.seat, dice.count))

    def log_facts(self, table: ToolboxTable) -> Facts:
        return super().log_facts(table) | {"walk": "as_rolled" if self.steps is None else self.steps}


class MummyRollingHand(RollingHand, frozen=True):
    """Dice are being rolled, and the mummies wait for them."""

    def followed(self, table: ToolboxTable) -> ToolboxTable:
        return table.laid(table.tool(Mummies).walked(table.tool(DiceSet).steps))

    def log_facts(self, table: ToolboxTable, outcome: Outcome) -> Facts:
        told = super().log_facts(table, outcome)
        if isinstance(outcome, str):
            return told
        dice = table.tool(DiceSet).apply_outcome(outcome)
        return told if len(dice.lying.shown) < self.count else told | {"type": "last_die", "n": dice.steps}


class LayMummy(Act[ToolboxTable], frozen=True, tag="lay_mummy"):
    """A mummy lies down, shot: it does not walk the next time, and gets up instead; or it gets up at once."""

    mummy: str

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[LayMummy]:
        return (cls(name) for name in table.tool(Mummies).walkers)

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        mummies = tuple(table.tool(Mummies).walkers)
        return None if self.mummy in mummies else Illegal("toolbox.no_mummy", rule="TBX-65", mummies=mummies)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        mummies = table.tool(Mummies)
        others = tuple(name for name in mummies.down if name != self.mummy)
        down = others if self.mummy in mummies.down else (*others, self.mummy)
        return table.laid(replace(mummies, down=down))

    def log_facts(self, table: ToolboxTable) -> Facts:
        state = GETS_UP if self.mummy in table.tool(Mummies).down else LIES_DOWN
        return super().log_facts(table) | {"state": state}


AnyMummy = Annotated[str, ChoiceOf(lambda table: table.tool(Mummies).walkers)]
Corridor = Annotated[str, ChoiceOf(lambda table: table.tool(Mummies).squares)]
End = Annotated[str, ChoiceOf(lambda table: table.tool(Mummies).ends)]


class SetMummy(RuledCorrection[ToolboxTable], frozen=True, tag="mummy"):
    """A mummy stands elsewhere, or looks the other way."""

    mummy: AnyMummy
    square: Corridor
    towards: End

    @classmethod
    def current_values(cls, table: ToolboxTable) -> Iterator[SetMummy]:
        return (cls(name, walker.at, walker.towards) for name, walker in table.tool(Mummies).walkers.items())

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        mummies = table.tool(Mummies).walkers
        if self.mummy not in mummies:
            return Illegal("toolbox.no_mummy", rule="TBX-94", mummies=tuple(mummies))
        stretch = mummies[self.mummy].stretch
        if self.square not in stretch:
            return Illegal("toolbox.mummy_square", rule="TBX-94", mummy=self.mummy, squares=stretch)
        ends = (stretch[0], stretch[-1])
        if self.towards not in ends:
            return Illegal("toolbox.mummy_towards", rule="TBX-94", mummy=self.mummy, squares=ends)
        return None

    def done(self, table: ToolboxTable) -> ToolboxTable:
        mummies = table.tool(Mummies)
        stretch = mummies.walkers[self.mummy].stretch
        walker = Walker.on(stretch, at=self.square, towards=self.towards)
        entered = {name: squares for name, squares in mummies.entered.items() if name != self.mummy}
        return table.laid(replace(mummies, walkers=mummies.walkers | {self.mummy: walker}, entered=entered))


class Mummies(Tool, frozen=True):
    """The mummies; the dice that say how far they walk lie in the same box.

    :param stretches: the name of the stretch of the corridor that each walks in.
    :param entered: the squares that each entered when it last walked.
    :param down: those that lie on the ground until the mummies walk again.
    """

    name = "mummies"
    acts = (WalkMummies, LayMummy)
    corrections = (SetMummy,)

    walkers: dict[str, Walker]
    stretches: dict[str, str]
    entered: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    down: tuple[str, ...] = ()

    @property
    def squares(self) -> tuple[str, ...]:
        """All squares that a mummy walks on."""
        return tuple(dict.fromkeys(square for walker in self.walkers.values() for square in walker.stretch))

    @property
    def ends(self) -> tuple[str, ...]:
        """All squares at which one turns."""
        ends = (end for walker in self.walkers.values() for end in (walker.stretch[0], walker.stretch[-1]))
        return tuple(dict.fromkeys(ends))

    def walked(self, steps: int) -> Mummies:
        """After every mummy has walked so many squares; one that lies on the ground gets up instead."""
        walks = {name: walker.walk(0 if name in self.down else steps) for name, walker in self.walkers.items()}
        return replace(
            self,
            down=(),
            walkers={name: walker for name, (walker, _) in walks.items()},
            entered={name: squares for name, (_, squares) in walks.items()},
        )

    def board(self, table: ToolboxTable) -> seen.ToolboxBoard:
        return {"mummies": [self._mummy_shown(name) for name in self.walkers]}

    def _mummy_shown(self, name: str) -> seen.ToolboxMummyShown:
        walker = self.walkers[name]
        told: seen.ToolboxMummyShown = {
            "mummy": name,
            "square": walker.at,
            "towards": walker.towards,
            "stretch": self.stretches[name],
            "walked": list(self.entered.get(name, ())),
        }
        if name in self.down:
            told["lying"] = True
        return told

    def counted(self, table: ToolboxTable) -> dict[str, int]:
        return {"mummies": sum(walker.at in walker.stretch for walker in self.walkers.values())}
