"""A tray of cards in layers; nobody knows a card before it comes to light."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Annotated

from msgspec.structs import replace

from companion.game import Chance, Outcome
from companion.games.toolbox import seen
from companion.games.toolbox.kit import BUSY, Hand, Tool, ToolboxTable
from companion.parts import Act, ChoiceOf, Facts, RuledCorrection, changed
from companion.pieces.bag import Bag
from companion.pieces.box_differences import as_printed, changed_bag
from companion.refusals import Illegal, Refusal

COLUMNS = "abcdefghijklmnop"


class Uncover(Act[ToolboxTable], frozen=True, tag="uncover"):
    """Lifts the top card of a square."""

    lifts = True

    square: str

    @classmethod
    def thinkable(cls, table: ToolboxTable) -> Iterator[Uncover]:
        barred = table.barred()
        return (cls(square) for square, _ in table.tool(TrayTool).open() if square not in barred)

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        tray = table.tool(TrayTool)
        if refusal := tray.no_square(self.square):
            return refusal
        if self.square in table.barred():
            return Illegal("toolbox.barred", rule="TBX-57", square=self.square)
        open_card = tray.tops[tray.at(self.square)]
        return None if open_card else Illegal("toolbox.bare", rule="TBX-73", square=self.square)

    def done(self, table: ToolboxTable) -> ToolboxTable:
        tray = table.tool(TrayTool)
        at = tray.at(self.square)
        lifted = tray.lifted(at)
        return table.laid(lifted).busy(*[Uncovering((at,), table.seat)] if lifted.depths[at] else ())


class Uncovering(Hand, frozen=True):
    """What lies on these squares, numbered from 0, is coming to light."""

    squares: tuple[int, ...]
    seat: int | None = None

    def chance(self, table: ToolboxTable) -> Chance:
        tray, square = table.tool(TrayTool), self.squares[0]
        layer, name, likely = tray.layer(square), tray.squares[square], table.terms.likely
        weights = likely(layer, tray.shown[layer], square) if likely else tray.unseen[layer].counts
        return Chance(
            "cards",
            f"card {name} {layer + 1}",
            tuple((card, weights.get(card, 0)) for card in tray.cards[layer]),
            seat=self.seat,
            rule=BUSY,
            veiled=True,
            facts={"square": name, "layer": layer + 1},
        )

    def off_list_outcomes(self, table: ToolboxTable) -> tuple[str, ...]:
        layer = table.tool(TrayTool).layer(self.squares[0])
        return table.loose(layer + 1).off_list_outcomes(table.tool(TrayTool).unseen[layer])

    def amend_for(self, table: ToolboxTable, outcome: str) -> ToolboxTable:
        tray = table.tool(TrayTool)
        layer = tray.layer(self.squares[0])
        more = table.loose(layer + 1).exchanged(tray.unseen[layer], outcome)
        unseen, cards = (changed(bags, layer, changed_bag(bags[layer], more)) for bags in (tray.unseen, tray.cards))
        return table.shown_otherwise(more).laid(replace(tray, unseen=unseen, cards=cards))

    def apply_outcome(self, table: ToolboxTable, outcome: Outcome) -> ToolboxTable:
        square, *others = self.squares
        return table.laid(table.tool(TrayTool).turned_up(square, str(outcome))).busy(
            replace(self, squares=tuple(others))
        )

    def withdrawn(self, table: ToolboxTable) -> ToolboxTable:
        """A card that is the only kind left in its layer is certain, so nobody is asked for it."""
        if not self.squares:
            return table.busy()
        tray = table.tool(TrayTool)
        cards = tuple(tray.unseen[tray.layer(self.squares[0])])
        asked = len(cards) > 1 or ("cards" in table.terms.real and self.off_list_outcomes(table))
        return table if asked else self.apply_outcome(table, cards[0])

    def log_facts(self, table: ToolboxTable, outcome: Outcome) -> Facts:
        return {"type": "comes_to_light", "square": table.tool(TrayTool).squares[self.squares[0]]}


Square = Annotated[str, ChoiceOf(lambda table: table.tool(TrayTool).squares)]
AnyCard = Annotated[str, ChoiceOf(lambda table: table.tool(TrayTool).kinds)]


class SetCard(RuledCorrection[ToolboxTable], frozen=True, tag="card"):
    """Another card lies open on a square."""

    square: Square
    card: AnyCard

    @classmethod
    def current_values(cls, table: ToolboxTable) -> Iterator[SetCard]:
        return (cls(square, top) for square, top in table.tool(TrayTool).open())

    def why_not(self, table: ToolboxTable) -> Refusal | None:
        tray = table.tool(TrayTool)
        if refusal := tray.no_square(self.square):
            return refusal
        at = tray.at(self.square)
        if not tray.tops[at]:
            return Illegal("toolbox.unseen", rule="TBX-95", square=self.square)
        if self.card not in tray.unseen[tray.layer(at)]:
            return Illegal("toolbox.no_card", rule="TBX-95", square=self.square, card=self.card)
        return None

    def done(self, table: ToolboxTable) -> ToolboxTable:
        tray = table.tool(TrayTool)
        at = tray.at(self.square)
        return table.laid(tray.turned_down(at).turned_up(at, self.card)).withdrawn()


class TrayTool(Tool, frozen=True):
    """The tray. Squares and layers are numbered from 0, the lowest layer first.

    :param cards: what each layer is made of.
    :param values: what each card is worth.
    :param house: the cards whose worth is a house figure.
    :param depths: how many cards lie on each square.
    :param unseen: for each layer the cards that have not come to light.
    :param shown: for each layer the card that came to light on each square; "" where none did yet.
    """

    name = "tray"
    acts = (Uncover,)
    corrections = (SetCard,)

    side: int
    cards: tuple[Bag, ...]
    values: dict[str, int]
    house: tuple[str, ...]
    depths: tuple[int, ...] = ()
    unseen: tuple[Bag, ...] = ()
    shown: tuple[tuple[str, ...], ...] = ()

    def laid_out(self, seats: int) -> TrayTool:
        squares, deep = len(self.squares), len(self.cards)
        return replace(self, depths=(deep,) * squares, unseen=self.cards, shown=(("",) * squares,) * deep)

    def first_hand(self) -> Uncovering:
        return Uncovering(tuple(range(len(self.squares))))

    @property
    def squares(self) -> tuple[str, ...]:
        """The names of the squares."""
        return squares(self.side)

    @property
    def tops(self) -> tuple[str, ...]:
        """The card that lies open on each square; "" where none does."""
        return tuple(self.shown[depth - 1][at] if depth else "" for at, depth in enumerate(self.depths))

    @property
    def gone(self) -> tuple[Bag, ...]:
        """For each layer the cards that have left the game."""
        return tuple(
            Bag.of(card for card, depth in zip(cards, self.depths, strict=True) if card and depth <= layer)
            for layer, cards in enumerate(self.shown)
        )

    @property
    def kinds(self) -> list[str]:
        """All kinds of cards."""
        return sorted({card for layer in self.cards for card in layer})

    def no_square(self, square: str) -> Refusal | None:
        """Why a square cannot be meant: there is none of the name."""
        return None if square in self.squares else Illegal("toolbox.no_square", rule="TBX-70", square=square)

    def at(self, square: str) -> int:
        """The number of a square."""
        return self.squares.index(square)

    def layer(self, square: int) -> int:
        """The layer of a square's top card."""
        return self.depths[square] - 1

    def open(self) -> Iterator[tuple[str, str]]:
        """Every square on which a card lies open, and the card."""
        return ((square, top) for square, top in zip(self.squares, self.tops, strict=True) if top)

    def lifted(self, square: int) -> TrayTool:
        """Without the card that lies open on a square; what lies below has not been seen yet."""
        return replace(self, depths=changed(self.depths, square, self.layer(square)))

    def turned_up(self, square: int, card: str) -> TrayTool:
        """With an unseen card of its layer open on a square."""
        layer = self.layer(square)
        unseen = changed(self.unseen, layer, self.unseen[layer].without(card))
        return replace(self, shown=self._showing(square, card), unseen=unseen)

    def turned_down(self, square: int) -> TrayTool:
        """With the open card of a square among the unseen ones again."""
        layer = self.layer(square)
        unseen = changed(self.unseen, layer, self.unseen[layer].with_(self.tops[square]))
        return replace(self, shown=self._showing(square, ""), unseen=unseen)

    def _showing(self, square: int, card: str) -> tuple[tuple[str, ...], ...]:
        layer = self.layer(square)
        return changed(self.shown, layer, changed(self.shown[layer], square, card))

    def board(self, table: ToolboxTable) -> seen.ToolboxBoard:
        return {
            "tray": {
                "side": self.side,
                "layers": len(self.cards),
                "squares": [
                    {"square": square, "depth": depth, "top": top or None}
                    for square, depth, top in zip(self.squares, self.depths, self.tops, strict=True)
                ],
                "value": dict(self.values),
                "house": list(self.house),
            }
        }

    def counted(self, table: ToolboxTable) -> dict[str, int]:
        """Cards unseen, gone and open, layer by layer."""
        things: Counter[str] = Counter()
        for bags in (self.unseen, self.gone):
            for layer, bag in enumerate(bags, 1):
                things.update({f"layer {layer} {card}": count for card, count in bag.odds()})
        things.update(f"layer {depth} {top}" for depth, top in zip(self.depths, self.tops, strict=True) if top)
        for layer in range(1, len(self.cards) + 1):
            of = [each for each in table.state.otherwise if each.where == table.loose(layer).where]
            things = Counter(as_printed(things, of, f"layer {layer} {{}}"))
        return dict(things)


@cache
def squares(side: int) -> tuple[str, ...]:
    """The names of the squares: a column's letter and a row's number, row by row from the far side."""
    return tuple(f"{column}{row}" for row in range(1, side + 1) for column in COLUMNS[:side])
