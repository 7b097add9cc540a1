"""What a seat does at the tray."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Annotated

from companion.games.tutankhamun.layers import fault, random_layout
from companion.games.tutankhamun.state import NOWHERE
from companion.games.tutankhamun.tray import Tray, added
from companion.parts import Act, Facts, changed
from companion.refusals import Illegal, Refusal
from companion.secrecy import Secret, nothing

SHOWN_LAYOUTS = 3


class Lay(Act[Tray], frozen=True, tag="lay"):
    """Lay the layer that is due, row by row, each row from left to right."""

    sampled = True

    cards: Annotated[tuple[str, ...], Secret(nothing)]

    @classmethod
    def thinkable(cls, here: Tray) -> Iterator[Lay]:
        """Some of the layouts, the same each time one asks."""
        luck = random.Random(len(here.state.layers))  # noqa: S311 -- examples, by which nothing is dealt
        for _ in range(SHOWN_LAYOUTS if here.state.phase == "laying" else 0):
            yield cls(random_layout(here.layer_due, luck))

    def why_not(self, here: Tray) -> Refusal | None:
        return Deal().why_not(here) or fault(here.layer_due, self.cards)

    def done(self, here: Tray) -> Tray:
        return here.with_layer(self.cards)

    def told(self, here: Tray) -> Facts:
        """That a layer lies, and not how [TUT-40]."""
        return {"type": "lay", "layer": here.number_due}


class Deal(Act[Tray], frozen=True, tag="deal"):
    """Let the companion lay the layer that is due."""

    def why_not(self, here: Tray) -> Refusal | None:
        return None if here.state.phase == "laying" else Illegal("tutankhamun.layers_lie", rule="TUT-03")

    def done(self, here: Tray) -> Tray:
        return here.being_dealt()

    def told(self, here: Tray) -> Facts:
        return {"type": "deal", "layer": here.number_due}


class Scarab(Act[Tray], frozen=True, tag="scarab"):
    """Everything this turn counts double."""

    def why_not(self, here: Tray) -> Refusal | None:
        state = here.state
        if refusal := here.no_turn("TUT-11"):
            return refusal
        if state.doubled:
            return Illegal("tutankhamun.scarab_lies", rule="TUT-11")
        if state.digs:
            return Illegal("tutankhamun.scarab_late", rule="TUT-11")
        return None if state.scarabs[state.seat] else Illegal("tutankhamun.no_scarab", rule="TUT-11")

    def done(self, here: Tray) -> Tray:
        return here.but(doubled=True, scarabs=added(here.state.scarabs, here.state.seat, -1))


class Dig(Act[Tray], frozen=True, tag="dig"):
    """Lift the top card of a square."""

    lifts = True

    square: str

    @classmethod
    def thinkable(cls, here: Tray) -> list[Dig]:
        return [cls(square) for square, depth in zip(here.terms.squares, here.state.depths, strict=True) if depth]

    def why_not(self, here: Tray) -> Refusal | None:
        if refusal := here.no_square(self.square) or here.no_turn("TUT-12"):
            return refusal
        at, standing = here.at(self.square), here.state.standing
        if not here.state.depths[at]:
            return Illegal("tutankhamun.bare", rule="TUT-12", square=self.square)
        if at not in standing:
            return None
        owner = here.terms.names[standing.index(at)]
        return Illegal("tutankhamun.barricaded", rule="TUT-16", square=self.square, player=owner)

    def done(self, here: Tray) -> Tray:
        """The card leaves the tray; what lies below is about to show, unless it was the last [TUT-17]."""
        state, at = here.state, here.at(self.square)
        below = state.depths[at] - 1
        return here.but(
            phase="uncovering" if below else "digging",
            digging=at if below else NOWHERE,
            depths=changed(state.depths, at, below),
            lifted=state.lifted + 1,
            digs=state.digs + 1,
            dug=tuple(square for square in state.dug if square != at),
            passed=(),
            last=None,
        )


class Stop(Act[Tray], frozen=True, tag="stop"):
    """Keep this turn's takings."""

    def why_not(self, here: Tray) -> Refusal | None:
        if refusal := here.no_turn("TUT-13"):
            return refusal
        fee = here.terms.outfit.pass_fee
        return None if here.state.digs else Illegal("tutankhamun.nothing_dug", rule="TUT-15", fee=fee)

    def done(self, here: Tray) -> Tray:
        return here.kept().turn_ended()


class Barricade(Act[Tray], frozen=True, tag="barricade"):
    """Close a square until one's own next turn."""

    square: str

    @classmethod
    def thinkable(cls, here: Tray) -> Iterator[Barricade]:
        return map(cls, here.terms.squares)

    def why_not(self, here: Tray) -> Refusal | None:
        state, seat = here.state, here.state.seat
        if refusal := here.no_square(self.square):
            return refusal
        turn_runs = NoBarricade().why_not(here)
        if not turn_runs and state.standing[seat] != NOWHERE:  # only a correction leads here
            return Illegal("tutankhamun.stands_already", rule="TUT-16")
        if not state.barricades[seat] and (turn_runs or here.terms.rules > 1):
            return Illegal("tutankhamun.no_barricade", rule="TUT-16")
        return turn_runs or here.no_room(self.square, seat)

    def done(self, here: Tray) -> Tray:
        state = here.state
        hands = added(state.barricades, state.seat, -1)
        return here.but(
            barricades=hands, standing=changed(state.standing, state.seat, here.at(self.square))
        ).next_turn()


class NoBarricade(Act[Tray], frozen=True, tag="no_barricade"):
    """End the turn without a barricade."""

    def why_not(self, here: Tray) -> Refusal | None:
        return None if here.state.phase == "closing" else Illegal("tutankhamun.turn_runs", rule="TUT-16")

    def done(self, here: Tray) -> Tray:
        return here.next_turn()


class Pass(Act[Tray], frozen=True, tag="pass"):
    """Let a turn go by without digging, for a fee."""

    def why_not(self, here: Tray) -> Refusal | None:
        if refusal := here.no_turn("TUT-15"):
            return refusal
        return Illegal("tutankhamun.has_dug", rule="TUT-15") if here.state.digs else None

    def done(self, here: Tray) -> Tray:
        passed = here.but(passed=(*here.state.passed, here.state.seat), last=None)
        return passed.paid(here.terms.outfit.pass_fee).turn_ended()
