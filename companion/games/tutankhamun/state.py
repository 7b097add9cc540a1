"""A game of Tutankhamun at one moment, and the terms it is played on."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from companion.game import Option, Setup, State
from companion.games.tutankhamun.box import Outfit, TutankhamunBox
from companion.games.tutankhamun.layers import FREE, LayerKind, Layout, square_names
from companion.pieces.box_differences import VariablePart
from companion.pieces.purse import Coins, Purse
from companion.refusals import Malformed
from companion.secrecy import Secret, nobody, nothing

Phase = Literal["laying", "dealing", "turning", "digging", "uncovering", "closing", "over"]
Way = Literal["dealt", "laid", "physical"]

NOWHERE = -1

OPTIONS = (
    Option("tray", ("dealt", "laid", "physical"), "dealt"),
    Option("open_memory", (False, True), False),
    Option("odds", (False, True), False),
    Option("first_layer", (0, 1, 2, 3, 4, 5), 0, of_seats=True),
)


class TutankhamunTerms(msgspec.Struct, frozen=True):
    """What does not change while a game lasts: the box's figures, and how the table was laid.

    :param rules: the version of the rules; by the first, a barricade put out of the game could still be set.
    :param tray: who lays the layers: the companion, the players on the tablet, or the players in the real tray.
    :param arranged: the first cards that come to light are to show what there is.
    :param kinds: the cards of each layer, from the bottom.
    :param first_layer: the seat that lays the lowest layer.
    :param loose: of each layer, what it may have otherwise.
    """

    names: tuple[str, ...]
    rules: int
    tray: Way
    arranged: bool
    open_memory: bool
    odds: bool
    first_layer: int
    squares: tuple[str, ...]
    place_of: dict[str, int]
    kinds: tuple[LayerKind, ...]
    values: dict[str, int]
    house_worths: tuple[str, ...]
    outfit: Outfit
    loose: tuple[VariablePart, ...]
    box: TutankhamunBox

    @classmethod
    def of(cls, setup: Setup, box: TutankhamunBox, rules: int) -> TutankhamunTerms:
        """The terms of a table whose seats and options are among those on offer.

        :raises Malformed: if the first layer goes to a seat where nobody sits.
        """
        chosen = {option.name: option.default for option in OPTIONS} | setup.options
        first_layer = int(chosen["first_layer"])
        if first_layer >= len(setup.seats):
            raise Malformed("tutankhamun.first_layer", rule="TUT-02", n=first_layer, seats=len(setup.seats))
        squares = square_names(box.tray.side)
        return cls(
            names=tuple(seat.name for seat in setup.seats),
            rules=rules,
            tray=msgspec.convert(chosen["tray"], Way),
            arranged=setup.is_arranged,
            open_memory=bool(chosen["open_memory"]),
            odds=bool(chosen["odds"]),
            first_layer=first_layer,
            squares=squares,
            place_of={square: at for at, square in enumerate(squares)},
            kinds=tuple(LayerKind.of(box.tray.side, box.layers[number]) for number in sorted(box.layers)),
            values=dict(box.values),
            house_worths=box.house_worths,
            outfit=box.purse,
            loose=tuple(box.loose_at(str(number)) for number in sorted(box.layers)),
            box=box,
        )

    @property
    def seats(self) -> int:
        return len(self.names)

    @property
    def money(self) -> int:
        """What a seat begins with, in silver."""
        begins = self.outfit
        return Purse.of(silver=begins.silver, gold=begins.gold, gold_in_silver=begins.gold_in_silver).silver

    def coins(self, silver: int) -> Coins:
        """A sum as its coins lie in a purse (TUT-01)."""
        return Purse(silver, self.outfit.gold_in_silver).coins()

    def owner(self, layer: int) -> int:
        """Who lays a layer, counted from 0 at the bottom; the blank one goes to whoever laid the one below (TUT-02)."""
        return (self.first_layer + min(layer, len(self.kinds) - 2)) % self.seats

    @property
    def first_digger(self) -> int:
        """The player left of the one who laid the top layer (TUT-10)."""
        return (self.owner(len(self.kinds) - 1) + 1) % self.seats


class Uncovered(msgspec.Struct, frozen=True):
    """The card that was uncovered last, and what it brought or cost."""

    seat: int
    square: int
    card: str
    points: int


def open_cards(table: Any, layers: tuple[Layout, ...]) -> tuple[Layout, ...]:
    """What lies open, and what of the cards that have left is remembered for everybody [TUT-40]."""
    remembered: bool = table.terms.open_memory or table.terms.odds
    is_filled: bool = table.is_filled
    depths, digging = table.state.depths, table.state.digging

    def is_seen(layer: int, at: int) -> bool:
        depth = depths[at]
        return is_filled and ((layer == depth - 1 and at != digging) or (remembered and layer >= depth))

    return tuple(
        tuple(card if is_seen(layer, at) else "" for at, card in enumerate(layout))
        for layer, layout in enumerate(layers)
    )


def so_many(table: Any, laying: Layout) -> Layout:
    """How far a layer is dealt."""
    free = laying.count(FREE)
    return ("hidden",) * (len(laying) - free) + (FREE,) * free


class TutankhamunState(State, frozen=True):
    """A game of Tutankhamun at one moment. Seats index the tuples; squares count row by row from the far left.

    :param seat: whose doing it is: who lays, digs, or may set a barricade.
    :param layers: from the bottom, as they lie now; in a real tray an empty string is a card nobody has reported.
    :param laying: the layer under the companion's hand, with its free squares.
    :param quarters: how often the tray was turned by a quarter (TUT-05).
    :param depths: how many cards lie on each square.
    :param standing: for each seat, where its barricade stands.
    :param digs: how many cards this turn has lifted.
    :param dug: the squares this turn has uncovered a card on.
    :param digging: the square whose next card is about to show.
    :param passed: the seats that have passed one after another since the last dig.
    :param bank: what the bank has taken in, less what it has paid out.
    :param lifted: how many cards have left the tray.
    """

    phase: Phase
    seat: int
    purses: tuple[int, ...]
    scarabs: tuple[int, ...]
    barricades: tuple[int, ...]
    playing: tuple[bool, ...]
    standing: tuple[int, ...]
    layers: Annotated[tuple[Layout, ...], Secret(open_cards, to=nobody)] = ()
    laying: Annotated[Layout, Secret(so_many, to=nobody)] = ()
    quarters: Annotated[int, Secret(nothing, to=nobody)] = 0
    depths: tuple[int, ...] = ()
    takings: int = 0
    doubled: bool = False
    digs: int = 0
    dug: tuple[int, ...] = ()
    digging: int = NOWHERE
    last: Uncovered | None = None
    passed: tuple[int, ...] = ()
    bank: int = 0
    lifted: int = 0
    scarabs_gone: int = 0
    barricades_gone: int = 0

    @property
    def factor(self) -> int:
        """What a point counts this turn (TUT-11)."""
        return 2 if self.doubled else 1

    def top(self, square: int) -> str:
        """The card that lies open on a square; nothing where that is bare, or the card is about to show."""
        depth = self.depths[square]
        return self.layers[depth - 1][square] if depth and square != self.digging else ""

    def barricaded_by(self, square: int) -> int | None:
        """The seat whose barricade stands on a square."""
        return self.standing.index(square) if square in self.standing else None
