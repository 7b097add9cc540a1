"""What a seat does at the tray."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from typing import Annotated

from companion.games.tutankhamun.layers import fault, random_layout
from companion.games.tutankhamun.state import NOWHERE
from companion.games.tutankhamun.tray import TutankhamunTable, added
from companion.parts import Act, Facts, changed
from companion.refusals import Illegal, Refusal
from companion.secrecy import Secret, nothing

SHOWN_LAYOUTS = 3


class Lay(Act[TutankhamunTable], frozen=True, tag="lay"):
    """Lay the layer that is due, row by row, each row from left to right."""

    sampled = True

    cards: Annotated[tuple[str, ...], Secret(nothing)]

    @classmethod
    def thinkable(cls, table: TutankhamunTable) -> Iterator[Lay]:
        """Some of the layouts, the same each time one asks."""
        luck = random.Random(len(table.state.layers))  # noqa: S311 -- examples, by which nothing is dealt
        for _ in range(SHOWN_LAYOUTS if table.state.phase == "laying" else 0):
            yield cls(random_layout(table.layer_due, luck))

    def why_not(self, table: TutankhamunTable) -> Refusal | None:
        return Deal().why_not(table) or fault(table.layer_due, self.cards)

    def done(self, table: TutankhamunTable) -> TutankhamunTable:
        return table.with_layer(self.cards)

    def log_facts(self, table: TutankhamunTable) -> Facts:
        """That a layer lies, and not how [TUT-40]."""
        return {"type": "lay", "layer": table.number_due}


class Deal(Act[TutankhamunTable], frozen=True, tag="deal"):
    """Let the companion lay the layer that is due."""

    def why_not(self, table: TutankhamunTable) -> Refusal | None:
        return None if table.state.phase == "laying" else Illegal("tutankhamun.layers_lie", rule="TUT-03")

    def done(self, table: TutankhamunTable) -> TutankhamunTable:
        return table.being_dealt()

    def log_facts(self, table: TutankhamunTable) -> Facts:
        return {"type": "deal", "layer": table.number_due}


class Scarab(Act[TutankhamunTable], frozen=True, tag="scarab"):
    """Everything this turn counts double."""

    def why_not(self, table: TutankhamunTable) -> Refusal | None:
        state = table.state
        if refusal := table.no_turn("TUT-11"):
            return refusal
        if state.doubled:
            return Illegal("tutankhamun.scarab_lies", rule="TUT-11")
        if state.digs:
            return Illegal("tutankhamun.scarab_late", rule="TUT-11")
        return None if state.scarabs[state.seat] else Illegal("tutankhamun.no_scarab", rule="TUT-11")

    def done(self, table: TutankhamunTable) -> TutankhamunTable:
        return table.replace(doubled=True, scarabs=added(table.state.scarabs, table.state.seat, -1))


class Dig(Act[TutankhamunTable], frozen=True, tag="dig"):
    """Lift the top card of a square."""

    lifts = True

    square: str

    @classmethod
    def thinkable(cls, table: TutankhamunTable) -> list[Dig]:
        return [_dig(square) for square, depth in zip(table.terms.squares, table.state.depths, strict=True) if depth]

    def why_not(self, table: TutankhamunTable) -> Refusal | None:
        if refusal := table.no_square(self.square) or table.no_turn("TUT-12"):
            return refusal
        at, standing = table.at(self.square), table.state.standing
        if not table.state.depths[at]:
            return Illegal("tutankhamun.bare", rule="TUT-12", square=self.square)
        if at not in standing:
            return None
        owner = table.terms.names[standing.index(at)]
        return Illegal("tutankhamun.barricaded", rule="TUT-16", square=self.square, player=owner)

    def done(self, table: TutankhamunTable) -> TutankhamunTable:
        """The card leaves the tray; what lies below is about to show, unless it was the last [TUT-17]."""
        state, at = table.state, table.at(self.square)
        below = state.depths[at] - 1
        return table.replace(
            phase="uncovering" if below else "digging",
            digging=at if below else NOWHERE,
            depths=changed(state.depths, at, below),
            lifted=state.lifted + 1,
            digs=state.digs + 1,
            dug=tuple(square for square in state.dug if square != at),
            passed=(),
            last=None,
        )


@cache
def _dig(square: str) -> Dig:
    return Dig(square)


class Stop(Act[TutankhamunTable], frozen=True, tag="stop"):
    """Keep this turn's takings."""

    def why_not(self, table: TutankhamunTable) -> Refusal | None:
        if refusal := table.no_turn("TUT-13"):
            return refusal
        fee = table.terms.outfit.pass_fee
        return None if table.state.digs else Illegal("tutankhamun.nothing_dug", rule="TUT-15", fee=fee)

    def done(self, table: TutankhamunTable) -> TutankhamunTable:
        return table.kept().turn_ended()


class Barricade(Act[TutankhamunTable], frozen=True, tag="barricade"):
    """Close a square until one's own next turn."""

    square: str

    @classmethod
    def thinkable(cls, table: TutankhamunTable) -> Iterator[Barricade]:
        return map(cls, table.terms.squares)

    def why_not(self, table: TutankhamunTable) -> Refusal | None:
        state, seat = table.state, table.state.seat
        if refusal := table.no_square(self.square):
            return refusal
        turn_runs = NoBarricade().why_not(table)
        if not turn_runs and state.standing[seat] != NOWHERE:  # only a correction leads here
            return Illegal("tutankhamun.stands_already", rule="TUT-16")
        if not state.barricades[seat] and (turn_runs or table.terms.rules > 1):
            return Illegal("tutankhamun.no_barricade", rule="TUT-16")
        return turn_runs or table.no_room(self.square, seat)

    def done(self, table: TutankhamunTable) -> TutankhamunTable:
        state = table.state
        hands = added(state.barricades, state.seat, -1)
        return table.replace(
            barricades=hands, standing=changed(state.standing, state.seat, table.at(self.square))
        ).next_turn()


class NoBarricade(Act[TutankhamunTable], frozen=True, tag="no_barricade"):
    """End the turn without a barricade."""

    def why_not(self, table: TutankhamunTable) -> Refusal | None:
        return None if table.state.phase == "closing" else Illegal("tutankhamun.turn_runs", rule="TUT-16")

    def done(self, table: TutankhamunTable) -> TutankhamunTable:
        return table.next_turn()


class Pass(Act[TutankhamunTable], frozen=True, tag="pass"):
    """Let a turn go by without digging, for a fee."""

    def price(self, table: TutankhamunTable) -> int:
        return table.terms.outfit.pass_fee

    def why_not(self, table: TutankhamunTable) -> Refusal | None:
        if refusal := table.no_turn("TUT-15"):
            return refusal
        return Illegal("tutankhamun.has_dug", rule="TUT-15") if table.state.digs else None

    def done(self, table: TutankhamunTable) -> TutankhamunTable:
        passed = table.replace(passed=(*table.state.passed, table.state.seat), last=None)
        return passed.paid(table.terms.outfit.pass_fee).turn_ended()
