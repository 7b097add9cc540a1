"""The table shows otherwise: what can be put right. Cards, money, scarabs and barricades stay as many as they were."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any

from companion.games.tutankhamun.box import LAYERS
from companion.games.tutankhamun.layers import FREE, with_card
from companion.games.tutankhamun.state import NOWHERE
from companion.games.tutankhamun.tray import Tray, added
from companion.parts import SEATS, Facts, Mend, Says, changed
from companion.refusals import Illegal, Malformed, Over, Refusal
from companion.secrecy import Secret, nobody

MOST_SILVER = 9_999  # far above what all cards of the box are worth

Seat = Annotated[int, Says(lambda here: here.still_in), SEATS]
ScarabCount = Annotated[int, Says(lambda here: range(here.terms.outfit.scarabs + 1))]
BarricadeCount = Annotated[int, Says(lambda here: range(here.terms.outfit.barricades + 1))]
Square = Annotated[str, Says(lambda here: here.terms.squares)]
SquareOrHand = Annotated[str, Says(lambda here: ("", *here.terms.squares), lambda here: {"square=": ("in_hand",)})]
Card = Annotated[str, Says(lambda here: (FREE, *here.terms.values), lambda here: {"card=": ("bare_square",)})]
Depth = Annotated[int | None, Says(lambda here: (None, *(range(LAYERS + 1) if here.is_real else ())))]


class Purse(Mend[Tray], frozen=True, tag="purse"):
    """A seat has so much, in silver; the bank makes up the difference."""

    seat: Seat
    silver: int

    @classmethod
    def stands(cls, here: Tray) -> Iterator[Purse]:
        return (cls(seat, here.state.purses[seat]) for seat in here.still_in)

    def why_not(self, here: Tray) -> Refusal | None:
        return _not_in(here, self.seat) or _no_sum(self.silver)

    def done(self, here: Tray) -> Tray:
        return here.with_money(self.seat, self.silver)


class Takings(Mend[Tray], frozen=True, tag="takings"):
    """So much silver lies aside for this turn."""

    silver: int

    @classmethod
    def stands(cls, here: Tray) -> tuple[Takings, ...]:
        return (cls(here.state.takings),)

    def why_not(self, here: Tray) -> Refusal | None:
        if here.state.phase != "digging" or not here.state.digs:
            return Illegal("tutankhamun.nothing_set_aside", rule="TUT-13")
        return _no_sum(self.silver)

    def done(self, here: Tray) -> Tray:
        return here.with_takings(self.silver)


class Scarabs(Mend[Tray], frozen=True, tag="scarabs"):
    """A seat has so many scarabs in hand; the others are out of the game."""

    seat: Seat
    n: ScarabCount

    @classmethod
    def stands(cls, here: Tray) -> Iterator[Scarabs]:
        return (cls(seat, here.state.scarabs[seat]) for seat in here.still_in)

    def why_not(self, here: Tray) -> Refusal | None:
        lying = here.state.doubled and self.seat == here.state.seat
        return _not_in(here, self.seat) or _out_of_reach(self.n, here.terms.outfit.scarabs - lying)

    def done(self, here: Tray) -> Tray:
        return here.with_scarabs(self.seat, self.n)


class Barricades(Mend[Tray], frozen=True, tag="barricades"):
    """A seat has so many barricades in hand; the others are out of the game."""

    seat: Seat
    n: BarricadeCount

    @classmethod
    def stands(cls, here: Tray) -> Iterator[Barricades]:
        return (cls(seat, here.state.barricades[seat]) for seat in here.still_in)

    def why_not(self, here: Tray) -> Refusal | None:
        if refusal := _not_in(here, self.seat):
            return refusal
        return _out_of_reach(self.n, here.terms.outfit.barricades - (here.state.standing[self.seat] != NOWHERE))

    def done(self, here: Tray) -> Tray:
        return here.with_barricades(self.seat, self.n)


class Standing(Mend[Tray], frozen=True, tag="standing"):
    """A seat's barricade stands on this square, or in its hand (an empty square)."""

    seat: Seat
    square: SquareOrHand = ""

    @classmethod
    def stands(cls, here: Tray) -> Iterator[Standing]:
        return (cls(seat, here.name(here.state.standing[seat]) or "") for seat in here.still_in)

    def offered(self, here: Tray) -> bool:
        """What is in a hand already is not taken there."""
        return super().offered(here) and bool(self.square or here.state.standing[self.seat] != NOWHERE)

    def why_not(self, here: Tray) -> Refusal | None:
        if refusal := _not_in(here, self.seat):
            return refusal
        if self.square and (refusal := here.no_square(self.square) or here.no_room(self.square, self.seat)):
            return refusal
        if here.state.barricades[self.seat] < self._from_hand(here):
            return Illegal("tutankhamun.no_barricade", rule="TUT-16")
        return None

    def done(self, here: Tray) -> Tray:
        hands = added(here.state.barricades, self.seat, -self._from_hand(here))
        at = here.at(self.square) if self.square else NOWHERE
        return here.but(barricades=hands, standing=changed(here.state.standing, self.seat, at))

    def told(self, here: Tray) -> Facts:
        return {"square": "in_hand"} | super().told(here)

    def _from_hand(self, here: Tray) -> int:
        """How many barricades it takes from the hand: less than none where one comes back."""
        return bool(self.square) - (here.state.standing[self.seat] != NOWHERE)


def forgotten(here: Any, card: str) -> str:
    """A card that will leave the tray: it is remembered for nobody, unless memory is open [TUT-40]."""
    return card if here.terms.open_memory else FREE


class Shown(Mend[Tray], frozen=True, tag="card"):
    """A square shows this card; in a real tray also so many cards deep, 0 where it is bare."""

    square: Square
    card: Annotated[Card, Secret(forgotten, to=nobody, passing=lambda here: True)] = FREE
    depth: Depth = None

    @classmethod
    def stands(cls, here: Tray) -> Iterator[Shown]:
        return (cls(square, here.state.top(at)) for at, square in enumerate(here.terms.squares))

    def offered(self, here: Tray) -> bool:
        """Any card of its layer: which have shown is for those who paid attention [TUT-40]."""
        lies, depth = here.state.depths[here.at(self.square)], self._depth(here)
        if _not_now(here) or self.depth == lies:
            return False
        return self.card in here.cards(depth - 1) if depth else lies > 0 and not self.card

    def why_not(self, here: Tray) -> Refusal | None:
        if refusal := self._cannot_lie(here):
            return refusal
        there, depth = self._dug(here), self._depth(here)
        if self.card == there.state.top(here.at(self.square)) or there.unseen(depth - 1).get(self.card):
            return None
        return Illegal("tutankhamun.none_unseen", rule="TUT-02", card=self.card, n=depth)

    def _cannot_lie(self, here: Tray) -> Refusal | None:
        """Why not, by what everybody sees."""
        if refusal := _not_now(here) or here.no_square(self.square):
            return refusal
        depth = self._depth(here)
        if depth != here.state.depths[here.at(self.square)] and not here.is_real:
            return Illegal("tutankhamun.own_tray", rule="TUT-03")
        if refusal := _out_of_reach(depth, len(here.terms.kinds)):
            return refusal
        if bool(depth) != bool(self.card):
            return Illegal("tutankhamun.card_or_bare", rule="TUT-12", square=self.square)
        return None

    def done(self, here: Tray) -> Tray:
        """The card and the one that was thought to lie there change places within their layer."""
        at, layer, there = here.at(self.square), self._depth(here) - 1, self._dug(here)
        state, instead = there.state, there.state.top(at)
        if self.card == instead:
            return there.unless_over()
        below = (square for square, depth in enumerate(state.depths) if depth > layer + 1)
        whence = next((square for square in below if state.layers[layer][square] == self.card), at)
        layers = with_card(with_card(state.layers, layer, whence, instead), layer, at, self.card)
        return there.but(layers=layers, last=None).unless_over()

    def told(self, here: Tray) -> Facts:
        """Which card, only with open memory: it will leave the tray [TUT-40]."""
        told = super().told(here)
        return told if here.terms.open_memory else {name: fact for name, fact in told.items() if name != "card"}

    def _depth(self, here: Tray) -> int:
        return here.state.depths[here.at(self.square)] if self.depth is None else self.depth

    def _dug(self, here: Tray) -> Tray:
        """A real tray with so many cards on the square; what is covered again is unknown again."""
        state, at, depth = here.state, here.at(self.square), self._depth(here)
        if depth == state.depths[at]:
            return here
        layers = tuple(
            layout if kind.is_uniform or number >= depth else changed(layout, at, FREE)
            for number, (kind, layout) in enumerate(zip(here.terms.kinds, state.layers, strict=True))
        )
        return here.but(
            layers=layers,
            depths=changed(state.depths, at, depth),
            dug=tuple(square for square in state.dug if square != at),
            lifted=state.lifted + state.depths[at] - depth,
            last=None,
        )


class Leave(Mend[Tray], frozen=True, tag="leave"):
    """A seat leaves the game."""

    seat: Seat

    def why_not(self, here: Tray) -> Refusal | None:
        return _not_now(here) or _not_in(here, self.seat)

    def done(self, here: Tray) -> Tray:
        if self.seat != here.state.seat:
            return here.gone(self.seat).unless_over()
        return here.with_takings(0).gone(self.seat).turn_ended()


def _not_in(here: Tray, seat: int) -> Refusal | None:
    """Why nothing of a seat is put right: nobody sits there any more."""
    if not 0 <= seat < here.terms.seats:
        return Malformed("tutankhamun.no_seat", n=here.terms.seats)
    if not here.state.playing[seat]:
        return Illegal("tutankhamun.has_left", rule="TUT-14", player=here.terms.names[seat])
    return None


def _not_now(here: Tray) -> Refusal | None:
    """Why nothing is put right that belongs between two digs."""
    if here.state.phase == "over":
        return Over("core.over", rule="TUT-20")
    if here.state.phase == "uncovering":
        return Illegal("core.chance_first", rule="TUT-12")
    return here.not_filled()


def _no_sum(silver: int) -> Refusal | None:
    if silver < 0:
        return Illegal("tutankhamun.below_zero", rule="TUT-14")
    return _out_of_reach(silver, MOST_SILVER)


def _out_of_reach(n: int, most: int) -> Refusal | None:
    return None if 0 <= n <= most else Illegal("tutankhamun.out_of_reach", rule="TUT-01", n=n, most=most)
