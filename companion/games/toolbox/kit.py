"""What a box has: its tools as they lie on a table, the hand that is busy with one, and who sits there."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Self, TypeVar

import msgspec
from msgspec.structs import fields, replace

from companion.boxes import Box
from companion.game import Chance, Outcome, State, can_fall
from companion.games.toolbox import seen
from companion.parts import SEATS, Act, ChoiceOf, Draw, Facts, RuledCorrection, TableView
from companion.pieces.bag import Bag
from companion.pieces.box_differences import (
    NOTHING_LOOSE,
    BoxDifference,
    DescribedCard,
    FigureOverride,
    VariablePart,
    changed_bag,
)
from companion.refusals import Illegal, Refusal
from companion.secrecy import Secret, nobody, nothing

Likely = Callable[[int, tuple[str, ...], int], Mapping[str, int]]
"""How likely each card of a layer is on a square, after what has come to light there; layers and squares from 0."""

BUSY = "TBX-03"
"""By which rule a hand that is busy finishes first."""


class Tool(msgspec.Struct, frozen=True):
    """A tool of a box: what is printed on it, how it lies, what can be done with it, and what is seen of it."""

    name: ClassVar[str]
    as_it_lies: ClassVar[tuple[str, ...]] = ()
    """Fields that keep their value when printed figures are corrected in play: how the tool lies on the table."""
    acts: ClassVar[tuple[type[Act[Any]], ...]] = ()
    corrections: ClassVar[tuple[type[RuledCorrection[Any]], ...]] = ()

    def laid_out(self, seats: int) -> Self:
        """As it comes out of the box, for so many seats."""
        return self

    def first_hand(self) -> Hand | None:
        """The hand that is busy with it before anybody may act."""
        return None

    def board(self, table: ToolboxTable) -> seen.ToolboxBoard:
        """Its part of the board."""
        return {}

    def hand(self, table: ToolboxTable) -> seen.ToolboxOwn:
        """What of it only the seat sees whose hand it is."""
        return {}

    def goes_on(self, table: ToolboxTable, seat: int, before: int, after: int) -> ToolboxTable:
        """The table once a marker went from one week to another."""
        return table

    def bars(self) -> tuple[str, ...]:
        """The squares that it closes to every hand."""
        return ()

    def comes(self, table: ToolboxTable, back: str) -> ToolboxTable:
        """The table once a card came that is known by its back alone."""
        return table

    def turn_begins(self, table: ToolboxTable, seat: int) -> ToolboxTable:
        """The table once the turn of a seat has begun."""
        return table

    def lasts_beyond(self, week: int) -> bool:
        """Whether time goes on after a week, as far as this tool counts weeks."""
        return False

    def depended_on(self, act: Act[Any]) -> object:
        """What of it an act depends on: all of it, unless two hands may be busy with it at once."""
        return self

    def help(self) -> seen.ToolboxHelp:
        """What it can be asked before a decision."""
        return {}

    def counted(self, table: ToolboxTable) -> dict[str, int]:
        """How many things there are of it, wherever they lie."""
        return {}


class InStock(Secret):
    """What is in bags, or in decks: what is seen of it is for the tool to say."""

    def __init__(self) -> None:
        super().__init__(nothing, to=nobody)

    def seen(self, table: Any, value: Any, holder: Any, seat: int | None, viewer: int | None) -> Any:
        return holder.inside_seen_by(viewer)


class Stocks(Tool, frozen=True, kw_only=True):
    """A tool that has bags, or decks.

    :param printed: what is in each at the start.
    :param inside: what is in each now.
    """

    printed: dict[str, Bag]
    inside: Annotated[dict[str, Bag], InStock()] = msgspec.field(default_factory=dict)

    def inside_seen_by(self, viewer: int | None) -> dict[str, Bag]:
        """What a viewer sees of it."""
        raise NotImplementedError


class Kit(msgspec.Struct, frozen=True):
    """The tools of a box, as they come out of it.

    :param seats: the names of those at the table.
    :param gold: how many points a coin of gold is worth, where points are coins.
    :param points: what everybody's tally begins with.
    :param loose: the parts of the box that may be otherwise in another copy, by what the tools call them.
    :param real: what people at the table report, who are asked even for the last card of its kind.
    :param likely: where the companion lays a layer so that its cards belong together: how it deals them. Without it,
        each card that is unseen is as likely as any other.
    :param box: the box that they are from.
    :param again: lays out the tools of another copy of it.
    """

    seats: tuple[str, ...]
    tools: tuple[Tool, ...]
    points: int = 0
    gold: int = 0
    loose: Mapping[str, VariablePart] = {}
    real: frozenset[str] = frozenset()
    likely: Likely | None = None
    box: Box | None = None
    again: Callable[[Box], Kit] | None = None

    def as_shown(self, described: Sequence[DescribedCard], reads: Sequence[FigureOverride]) -> Kit:
        """The tools of another copy of the box."""
        if self.box is None or self.again is None:
            return self
        copy = self.box.as_shown(described, reads)
        return replace(self.again(copy), box=copy, again=self.again)


class Hand(msgspec.Struct, frozen=True):
    """A hand that has begun to stack, draw, roll or uncover: it finishes before anything else is done."""

    secret: ClassVar[Secret | None] = None
    """What everybody but the seat whose hand it is sees of what it finds; None where it is everybody's to see."""

    def chance(self, table: ToolboxTable) -> Chance:
        """What it is about to find."""
        raise NotImplementedError

    def apply_outcome(self, table: ToolboxTable, outcome: Outcome) -> ToolboxTable:
        """The table after it has found something."""
        raise NotImplementedError

    def off_list_outcomes(self, table: ToolboxTable) -> tuple[str, ...]:
        """What may be reported though the figures of the box rule it out."""
        return ()

    def amend_for(self, table: ToolboxTable, outcome: str) -> ToolboxTable:
        """The table as it must be for such a report."""
        raise NotImplementedError

    def unknown_card_part(self, table: ToolboxTable) -> str:
        """The part of the box of which a card may come up that is of no kind the box has; "" where none may."""
        return ""

    def settles(self, outcome: Outcome) -> bool:
        """Whether such a report is what was asked for."""
        return True

    def withdrawn(self, table: ToolboxTable) -> ToolboxTable:
        """The table once the hand that has what it wanted is withdrawn."""
        return table

    def log_facts(self, table: ToolboxTable, outcome: Outcome) -> Facts:
        """What the log says of what it found; `table` is the table before it."""
        raise NotImplementedError


class ToolboxState(State, frozen=True):
    """The tools by their names, and the hands that are busy: the first one finishes first."""

    tools: dict[str, Tool]
    hands: tuple[Hand, ...]

    @property
    def hand(self) -> Hand | None:
        """The hand that is busy now."""
        return self.hands[0] if self.hands else None


T = TypeVar("T", bound=Tool)


class ToolboxTable(TableView[ToolboxState, Kit]):
    """The tools, and the hands that use them."""

    @property
    def seats(self) -> range:
        """Those who sit here."""
        return range(len(self.terms.seats))

    def tool(self, kind: type[T]) -> T:
        """A tool as it lies."""
        found: Any = self.state.tools[kind.name]
        tool: T = found
        return tool

    def laid(self, tool: Tool) -> ToolboxTable:
        """The table with a tool that lies otherwise."""
        return self.replace(tools=self.state.tools | {tool.name: tool})

    def loose(self, part: str | int) -> VariablePart:
        """A part of the box, as far as no rule says what it is made of."""
        return self.terms.loose.get(str(part), NOTHING_LOOSE)

    def on_box_changed(self, before: Kit) -> ToolboxTable:
        """The tools lie as they did; what is printed on them is as the copy has it."""
        table, were = self, {tool.name: tool for tool in before.tools}
        for new in self.terms.tools:
            was = were[new.name]
            names = [field.name for field in fields(new) if field.name not in new.as_it_lies]
            other = {name: getattr(new, name) for name in names if getattr(new, name) != getattr(was, name)}
            if other:
                table = table.laid(replace(table.state.tools[new.name], **other))
        return table

    def shown_otherwise(self, more: tuple[BoxDifference, ...]) -> ToolboxTable:
        """The table that has shown what the box does not say."""
        return self.replace(otherwise=(*self.state.otherwise, *more))

    def exchanged(self, stocks: Stocks, part: str, shown: str) -> ToolboxTable:
        """The table on which a bag or deck has shown what its figures rule out."""
        more = self.loose(part).exchanged(stocks.inside[part], shown)
        inside, printed = (each | {part: changed_bag(each[part], more)} for each in (stocks.inside, stocks.printed))
        return self.shown_otherwise(more).laid(replace(stocks, inside=inside, printed=printed))

    def busy(self, *hands: Hand) -> ToolboxTable:
        """The table with these hands instead of the one that was busy, as far as they have something to find."""
        return self.replace(hands=(*hands, *self.state.hands[1:])).withdrawn()

    def withdrawn(self) -> ToolboxTable:
        """The table once a hand that has what it wanted is withdrawn."""
        return self.state.hands[0].withdrawn(self) if self.state.hands else self

    def went_on(self, seat: int, before: int, after: int) -> ToolboxTable:
        """The table once a marker went from one week to another: every tool hears of it."""
        table = self
        for tool in self.state.tools.values():
            table = tool.goes_on(table, seat, before, after)
        return table

    def is_before_the_end(self, week: int) -> bool:
        """Whether time goes on after a week."""
        return any(tool.lasts_beyond(week) for tool in self.state.tools.values())

    def barred(self) -> tuple[str, ...]:
        """The squares that are closed to every hand."""
        return tuple(square for tool in self.state.tools.values() for square in tool.bars())

    def came(self, back: str) -> ToolboxTable:
        """The table once a card came that is known by its back alone: every tool hears of it."""
        table = self
        for tool in self.state.tools.values():
            table = tool.comes(table, back)
        return table

    def began_turn(self, seat: int) -> ToolboxTable:
        """The table once the turn of a seat has begun: every tool hears of it."""
        table = self
        for tool in self.state.tools.values():
            table = tool.turn_begins(table, seat)
        return table

    def called(self, place: str | int) -> str:
        """The name of a seat; any other place has its own."""
        return self.terms.seats[place] if isinstance(place, int) else place

    def no_seat(self, seat: int | None) -> Refusal | None:
        """Why a seat cannot be meant: it is not at the table."""
        return None if seat is None or seat in self.seats else Illegal("toolbox.no_seat", rule="TBX-04")


class HandDraw(Draw[ToolboxTable]):
    """What the busy hand is about to find."""

    rule = BUSY

    def due(self, table: ToolboxTable) -> bool:
        return bool(table.state.hands)

    def chance(self, table: ToolboxTable) -> Chance:
        return table.state.hands[0].chance(table)

    def why_not(self, table: ToolboxTable, outcome: Outcome) -> Refusal | None:
        if can_fall(self.chance(table), outcome):
            return None
        return Illegal("toolbox.cannot_fall", rule="TBX-05", outcome=outcome)

    def off_list_outcomes(self, table: ToolboxTable) -> tuple[str, ...]:
        return table.state.hands[0].off_list_outcomes(table)

    def amend_for(self, table: ToolboxTable, outcome: Outcome) -> ToolboxTable:
        return table.state.hands[0].amend_for(table, str(outcome))

    def unknown_card_part(self, table: ToolboxTable) -> str:
        return table.state.hands[0].unknown_card_part(table)

    def settles(self, table: ToolboxTable, outcome: Outcome) -> bool:
        return table.state.hands[0].settles(outcome)

    def count_rule_for(self, table: ToolboxTable, outcome: Outcome) -> str | None:
        return (
            "TBX-08" if any(outcome in (*each.kinds, *each.together) for each in table.terms.loose.values()) else None
        )

    def apply_outcome(self, table: ToolboxTable, outcome: Outcome) -> ToolboxTable:
        return table.state.hands[0].apply_outcome(table, outcome)

    def log_facts(self, table: ToolboxTable, outcome: Outcome) -> Facts:
        return table.state.hands[0].log_facts(table, outcome)

    def secret_of(self, table: ToolboxTable) -> Secret | None:
        return table.state.hands[0].secret


Seated = Annotated[int, ChoiceOf(lambda table: table.seats), SEATS]
"""A seat at the table."""
