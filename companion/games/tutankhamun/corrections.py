"""The table shows otherwise: what can be put right. Cards, money, scarabs and barricades stay as many as they were."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from companion.games.tutankhamun.box import LAYERS
from companion.games.tutankhamun.layers import FREE, with_card
from companion.games.tutankhamun.state import NOWHERE
from companion.games.tutankhamun.tray import TutankhamunTable, added
from companion.parts import SEATS, ChoiceOf, Facts, RuledCorrection, changed
from companion.refusals import Illegal, Malformed, Over, Refusal
from companion.secrecy import Secret, nobody

MOST_SILVER = 9_999  # far above what all cards of the box are worth

Seat = Annotated[int, ChoiceOf(lambda table: table.still_in), SEATS]
ScarabCount = Annotated[int, ChoiceOf(lambda table: range(table.terms.outfit.scarabs + 1))]
BarricadeCount = Annotated[int, ChoiceOf(lambda table: range(table.terms.outfit.barricades + 1))]
Square = Annotated[str, ChoiceOf(lambda table: table.terms.squares)]
SquareOrHand = Annotated[
    str, ChoiceOf(lambda table: ("", *table.terms.squares), lambda table: {"square=": ("in_hand",)})
]
Card = Annotated[str, ChoiceOf(lambda table: (FREE, *table.terms.values), lambda table: {"card=": ("bare_square",)})]
Depth = Annotated[int | None, ChoiceOf(lambda table: (None, *(range(LAYERS + 1) if table.is_real else ())))]


class SetPurse(RuledCorrection[TutankhamunTable], frozen=True, tag="purse"):
    """A seat has so much, in silver; the bank makes up the difference."""

    seat: Seat
    silver: int

    @classmethod
    def current_values(cls, table: TutankhamunTable) -> Iterator[SetPurse]:
        return (cls(seat, table.state.purses[seat]) for seat in table.still_in)

    def why_not(self, table: TutankhamunTable) -> Refusal | None:
        return _not_in(table, self.seat) or _no_sum(self.silver)

    def done(self, table: TutankhamunTable) -> TutankhamunTable:
        return table.with_money(self.seat, self.silver)


class SetTakings(RuledCorrection[TutankhamunTable], frozen=True, tag="takings"):
    """So much silver lies aside for this turn."""

    silver: int

    @classmethod
    def current_values(cls, table: TutankhamunTable) -> tuple[SetTakings, ...]:
        return (cls(table.state.takings),)

    def why_not(self, table: TutankhamunTable) -> Refusal | None:
        if table.state.phase != "digging" or not table.state.digs:
            return Illegal("tutankhamun.nothing_set_aside", rule="TUT-13")
        return _no_sum(self.silver)

    def done(self, table: TutankhamunTable) -> TutankhamunTable:
        return table.with_takings(self.silver)


class SetScarabs(RuledCorrection[TutankhamunTable], frozen=True, tag="scarabs"):
    """A seat has so many scarabs in hand; the others are out of the game."""

    seat: Seat
    n: ScarabCount

    @classmethod
    def current_values(cls, table: TutankhamunTable) -> Iterator[SetScarabs]:
        return (cls(seat, table.state.scarabs[seat]) for seat in table.still_in)

    def why_not(self, table: TutankhamunTable) -> Refusal | None:
        lying = table.state.doubled and self.seat == table.state.seat
        return _not_in(table, self.seat) or _out_of_reach(self.n, table.terms.outfit.scarabs - lying)

    def done(self, table: TutankhamunTable) -> TutankhamunTable:
        return table.with_scarabs(self.seat, self.n)


class SetBarricades(RuledCorrection[TutankhamunTable], frozen=True, tag="barricades"):
    """A seat has so many barricades in hand; the others are out of the game."""

    seat: Seat
    n: BarricadeCount

    @classmethod
    def current_values(cls, table: TutankhamunTable) -> Iterator[SetBarricades]:
        return (cls(seat, table.state.barricades[seat]) for seat in table.still_in)

    def why_not(self, table: TutankhamunTable) -> Refusal | None:
        if refusal := _not_in(table, self.seat):
            return refusal
        return _out_of_reach(self.n, table.terms.outfit.barricades - (table.state.standing[self.seat] != NOWHERE))

    def done(self, table: TutankhamunTable) -> TutankhamunTable:
        return table.with_barricades(self.seat, self.n)


class SetStanding(RuledCorrection[TutankhamunTable], frozen=True, tag="standing"):
    """A seat's barricade stands on this square, or in its hand (an empty square)."""

    seat: Seat
    square: SquareOrHand = ""

    @classmethod
    def current_values(cls, table: TutankhamunTable) -> Iterator[SetStanding]:
        return (cls(seat, table.name(table.state.standing[seat]) or "") for seat in table.still_in)

    def offered(self, table: TutankhamunTable) -> bool:
        """What is in a hand already is not taken there."""
        return super().offered(table) and bool(self.square or table.state.standing[self.seat] != NOWHERE)

    def why_not(self, table: TutankhamunTable) -> Refusal | None:
        if refusal := _not_in(table, self.seat):
            return refusal
        if self.square and (refusal := table.no_square(self.square) or table.no_room(self.square, self.seat)):
            return refusal
        if table.state.barricades[self.seat] < self._from_hand(table):
            return Illegal("tutankhamun.no_barricade", rule="TUT-16")
        return None

    def done(self, table: TutankhamunTable) -> TutankhamunTable:
        hands = added(table.state.barricades, self.seat, -self._from_hand(table))
        at = table.at(self.square) if self.square else NOWHERE
        return table.replace(barricades=hands, standing=changed(table.state.standing, self.seat, at))

    def log_facts(self, table: TutankhamunTable) -> Facts:
        return {"square": "in_hand"} | super().log_facts(table)

    def _from_hand(self, table: TutankhamunTable) -> int:
        """How many barricades it takes from the hand: less than none where one comes back."""
        return bool(self.square) - (table.state.standing[self.seat] != NOWHERE)


def forgotten(table: Any, card: str) -> str:
    """A card that will leave the tray: it is remembered for nobody, unless memory is open [TUT-40]."""
    return card if table.terms.open_memory else FREE


class SetCard(RuledCorrection[TutankhamunTable], frozen=True, tag="card"):
    """A square shows this card; in a real tray also so many cards deep, 0 where it is bare."""

    square: Square
    card: Annotated[Card, Secret(forgotten, to=nobody, passing=lambda table: True)] = FREE
    depth: Depth = None

    @classmethod
    def current_values(cls, table: TutankhamunTable) -> Iterator[SetCard]:
        return (cls(square, table.state.top(at)) for at, square in enumerate(table.terms.squares))

    def offered(self, table: TutankhamunTable) -> bool:
        """Any card of its layer: which have shown is for those who paid attention [TUT-40]."""
        lies, depth = table.state.depths[table.at(self.square)], self._depth(table)
        if _not_now(table) or self.depth == lies:
            return False
        return self.card in table.cards(depth - 1) if depth else lies > 0 and not self.card

    def why_not(self, table: TutankhamunTable) -> Refusal | None:
        if refusal := self._cannot_lie(table):
            return refusal
        there, depth = self._dug(table), self._depth(table)
        if self.card == there.state.top(table.at(self.square)) or there.unseen(depth - 1).get(self.card):
            return None
        return Illegal("tutankhamun.none_unseen", rule="TUT-02", card=self.card, n=depth)

    def _cannot_lie(self, table: TutankhamunTable) -> Refusal | None:
        """Why not, by what everybody sees."""
        if refusal := _not_now(table) or table.no_square(self.square):
            return refusal
        depth = self._depth(table)
        if depth != table.state.depths[table.at(self.square)] and not table.is_real:
            return Illegal("tutankhamun.own_tray", rule="TUT-03")
        if refusal := _out_of_reach(depth, len(table.terms.kinds)):
            return refusal
        if bool(depth) != bool(self.card):
            return Illegal("tutankhamun.card_or_bare", rule="TUT-12", square=self.square)
        return None

    def done(self, table: TutankhamunTable) -> TutankhamunTable:
        """The card and the one that was thought to lie there change places within their layer."""
        at, layer, there = table.at(self.square), self._depth(table) - 1, self._dug(table)
        state, instead = there.state, there.state.top(at)
        if self.card == instead:
            return there.unless_over()
        below = (square for square, depth in enumerate(state.depths) if depth > layer + 1)
        whence = next((square for square in below if state.layers[layer][square] == self.card), at)
        layers = with_card(with_card(state.layers, layer, whence, instead), layer, at, self.card)
        return there.replace(layers=layers, last=None).unless_over()

    def log_facts(self, table: TutankhamunTable) -> Facts:
        """Which card, only with open memory: it will leave the tray [TUT-40]."""
        told = super().log_facts(table)
        return told if table.terms.open_memory else {name: fact for name, fact in told.items() if name != "card"}

    def _depth(self, table: TutankhamunTable) -> int:
        return table.state.depths[table.at(self.square)] if self.depth is None else self.depth

    def _dug(self, table: TutankhamunTable) -> TutankhamunTable:
        """A real tray with so many cards on the square; what is covered again is unknown again."""
        state, at, depth = table.state, table.at(self.square), self._depth(table)
        if depth == state.depths[at]:
            return table
        layers = tuple(
            layout if kind.is_uniform or number >= depth else changed(layout, at, FREE)
            for number, (kind, layout) in enumerate(zip(table.terms.kinds, state.layers, strict=True))
        )
        return table.replace(
            layers=layers,
            depths=changed(state.depths, at, depth),
            dug=tuple(square for square in state.dug if square != at),
            lifted=state.lifted + state.depths[at] - depth,
            last=None,
        )


class Leave(RuledCorrection[TutankhamunTable], frozen=True, tag="leave"):
    """A seat leaves the game."""

    seat: Seat

    def why_not(self, table: TutankhamunTable) -> Refusal | None:
        return _not_now(table) or _not_in(table, self.seat)

    def done(self, table: TutankhamunTable) -> TutankhamunTable:
        if self.seat != table.state.seat:
            return table.without_seat(self.seat).unless_over()
        return table.with_takings(0).without_seat(self.seat).turn_ended()


def _not_in(table: TutankhamunTable, seat: int) -> Refusal | None:
    """Why nothing of a seat is put right: nobody sits there any more."""
    if not 0 <= seat < table.terms.seats:
        return Malformed("tutankhamun.no_seat", n=table.terms.seats)
    if not table.state.playing[seat]:
        return Illegal("tutankhamun.has_left", rule="TUT-14", player=table.terms.names[seat])
    return None


def _not_now(table: TutankhamunTable) -> Refusal | None:
    """Why nothing is put right that belongs between two digs."""
    if table.state.phase == "over":
        return Over("core.over", rule="TUT-20")
    if table.state.phase == "uncovering":
        return Illegal("core.chance_first", rule="TUT-12")
    return table.not_filled()


def _no_sum(silver: int) -> Refusal | None:
    if silver < 0:
        return Illegal("tutankhamun.below_zero", rule="TUT-14")
    return _out_of_reach(silver, MOST_SILVER)


def _out_of_reach(n: int, most: int) -> Refusal | None:
    return None if 0 <= n <= most else Illegal("tutankhamun.out_of_reach", rule="TUT-01", n=n, most=most)
