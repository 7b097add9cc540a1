"""The tray as a hand finds it: what lies there, and what a hand does at it. Each verb answers the tray after it."""

from __future__ import annotations

from itertools import compress

from companion.games.tutankhamun.layers import FREE, LayerKind, Layout, patterns, uniform, with_pattern
from companion.games.tutankhamun.state import NOWHERE, TutankhamunState, TutankhamunTerms
from companion.parts import TableView, changed
from companion.pieces.box_differences import net
from companion.refusals import Illegal, Malformed, Refusal


class TutankhamunTable(TableView[TutankhamunState, TutankhamunTerms]):
    """The tray and the purses around it. Whose turn it is stands in the state, for its draws are nobody else's."""

    # What lies there.

    @property
    def number_due(self) -> int:
        """Which layer is laid next, from 1 at the bottom."""
        return len(self.state.layers) + 1

    @property
    def layer_due(self) -> LayerKind:
        """The cards of that layer."""
        return self.terms.kinds[self.number_due - 1]

    @property
    def is_real(self) -> bool:
        """Whether the players have filled the real tray, and the companion knows nothing of it."""
        return self.terms.tray == "physical"

    @property
    def is_filled(self) -> bool:
        """Whether all layers lie and are turned."""
        return self.state.phase not in {"laying", "dealing", "turning"}

    @property
    def still_in(self) -> tuple[int, ...]:
        """The seats that have not left."""
        return tuple(compress(range(self.terms.seats), self.state.playing))

    def at(self, square: str) -> int:
        """Which square is called so."""
        return self.terms.place_of[square]

    def name(self, at: int) -> str | None:
        """What a square is called; None for nowhere."""
        return None if at == NOWHERE else self.terms.squares[at]

    def cards(self, layer: int) -> dict[str, int]:
        """What a layer, from 0 at the bottom, is made of: as the box says, and as the table has shown otherwise."""
        printed = dict(self.terms.kinds[layer].cards)
        if not self.state.otherwise:
            return printed
        more = net(self.state.otherwise, self.terms.loose[layer].where)
        return {card: n for card in {**printed, **more} if (n := printed.get(card, 0) + more[card])}

    def unseen(self, layer: int) -> dict[str, int]:
        """How many of each card of a layer, from 0 at the bottom, have not shown yet, as who paid attention knows."""
        left = self.cards(layer)
        for card, depth in zip(self.state.layers[layer], self.state.depths, strict=True):
            if depth <= layer + 1 and card:
                left[card] -= 1
        return left

    def no_square(self, square: str) -> Refusal | None:
        """Why a square cannot be meant."""
        if square in self.terms.place_of:
            return None
        squares = self.terms.squares
        return Malformed("tutankhamun.no_square", square=square, first=squares[0], last=squares[-1])

    def not_filled(self) -> Refusal | None:
        """Why nothing is dug yet: there are layers to lay."""
        if self.is_filled:
            return None
        return Illegal("tutankhamun.lay_first", rule="TUT-02", n=self.number_due)

    def no_turn(self, rule: str) -> Refusal | None:
        """Why nothing is done that belongs to a turn under way."""
        if self.state.phase == "digging":
            return None
        return self.not_filled() or Illegal("tutankhamun.turn_ended", rule=rule)

    def no_room(self, square: str, seat: int) -> Refusal | None:
        """Why a seat's barricade cannot stand on a square: another's does [TUT-16]."""
        owner = self.state.barricaded_by(self.at(square))
        if owner is None or owner == seat:
            return None
        return Illegal("tutankhamun.barricade_there", rule="TUT-16", square=square, player=self.terms.names[owner])

    # How it is filled.

    def with_real_layers(self) -> TutankhamunTable:
        """All layers lie in the real tray, turned already; of those below the blank one nothing is known."""
        layers = tuple(uniform(kind) if kind.is_uniform else self.unknown for kind in self.terms.kinds)
        return self.replace(layers=layers, depths=(len(layers),) * len(self.unknown)).first_turn()

    @property
    def unknown(self) -> Layout:
        """A layer of which nobody knows how it lies."""
        return (FREE,) * len(self.terms.squares)

    @property
    def is_left_open(self) -> bool:
        """Whether the layer that is due comes to light first, at a table to learn at: what lies there is drawn as it
        does."""
        return self.terms.arranged and self.number_due == len(self.terms.kinds) - 1

    def with_layer(self, layout: Layout) -> TutankhamunTable:
        """A whole layer lies, and the next is due."""
        layers = (*self.state.layers, layout)
        return self.replace(layers=layers, depths=(len(layers),) * len(layout), laying=()).next_layer()

    def next_layer(self) -> TutankhamunTable:
        """The next one is to lay a layer; the blank one lies by itself, and then the tray is turned [TUT-02]."""
        if self.number_due > len(self.terms.kinds):
            return self.replace(phase="turning")
        due = self.replace(phase="laying", seat=self.terms.owner(self.number_due - 1))
        if self.layer_due.is_uniform:
            return due.with_layer(uniform(self.layer_due))
        if self.terms.tray != "dealt":
            return due
        return due.with_layer(self.unknown) if self.is_left_open else due.being_dealt()

    def being_dealt(self) -> TutankhamunTable:
        """The companion begins a layer; where there are no obelisks and snakes, there is no pattern to draw."""
        has_patterns = len(patterns(self.layer_due)) > 1
        return self.replace(phase="dealing", laying=() if has_patterns else with_pattern(self.layer_due, 0))

    # How a turn goes.

    def first_turn(self) -> TutankhamunTable:
        return self.replace(phase="digging", seat=self.terms.first_digger)

    def kept(self) -> TutankhamunTable:
        """What was set aside is the player's own [TUT-13]."""
        state = self.state
        return self.replace(purses=added(state.purses, state.seat, state.takings), takings=0)

    def paid(self, silver: int) -> TutankhamunTable:
        """The player pays the bank, or leaves the game [TUT-14, TUT-15]."""
        seat = self.state.seat
        left = self.state.purses[seat] - silver
        return self.with_money(seat, left) if left >= 0 else self.without_seat(seat)

    def without_seat(self, seat: int) -> TutankhamunTable:
        """A seat has left: its money is in the bank, its scarabs and barricades are out of the game."""
        table = self.replace(playing=changed(self.state.playing, seat, False))
        return table.with_money(seat, 0).with_scarabs(seat, 0).with_barricades(seat, 0)

    def turn_ended(self) -> TutankhamunTable:
        """The scarab goes; who is still in and has a barricade may set it; then it is the next one's turn."""
        gone = self.state.scarabs_gone + self.state.doubled
        table = self.replace(phase="closing", digs=0, dug=(), doubled=False, scarabs_gone=gone).unless_over()
        state = table.state
        return table if state.phase == "over" or state.barricades[state.seat] else table.next_turn()

    def next_turn(self) -> TutankhamunTable:
        """Clockwise to the next still in; where a turn begins, or would, its barricade goes [TUT-10, TUT-16]."""
        state, seat = self.state, self.state.seat
        standing, gone = state.standing, state.barricades_gone
        while True:
            seat = (seat + 1) % len(standing)
            gone += standing[seat] != NOWHERE
            standing = changed(standing, seat, NOWHERE)
            if state.playing[seat]:
                return self.replace(phase="digging", seat=seat, standing=standing, barricades_gone=gone)

    # Who has how much: the bank, or the box, makes up the difference.

    def with_money(self, seat: int, silver: int) -> TutankhamunTable:
        purses = self.state.purses
        return self.replace(purses=changed(purses, seat, silver), bank=self.state.bank + purses[seat] - silver)

    def with_takings(self, silver: int) -> TutankhamunTable:
        return self.replace(takings=silver, bank=self.state.bank + self.state.takings - silver)

    def with_scarabs(self, seat: int, n: int) -> TutankhamunTable:
        hands, gone = self.state.scarabs, self.state.scarabs_gone
        return self.replace(scarabs=changed(hands, seat, n), scarabs_gone=gone + hands[seat] - n)

    def with_barricades(self, seat: int, n: int) -> TutankhamunTable:
        hands, gone = self.state.barricades, self.state.barricades_gone
        return self.replace(barricades=changed(hands, seat, n), barricades_gone=gone + hands[seat] - n)

    # How it ends.

    def unless_over(self) -> TutankhamunTable:
        """Over, once one player is left, every card is uncovered, or all still in have passed [TUT-20]."""
        state = self.state
        if state.phase not in {"digging", "closing"}:
            return self
        still_in = self.still_in
        is_over = len(still_in) == 1 or max(state.depths) <= 1 or set(state.passed).issuperset(still_in)
        return self.kept().over() if is_over else self

    def over(self) -> TutankhamunTable:
        return self.replace(phase="over", doubled=False, scarabs_gone=self.state.scarabs_gone + self.state.doubled)


def added(row: tuple[int, ...], at: int, more: int) -> tuple[int, ...]:
    """A row with more, or less, at one place."""
    return changed(row, at, row[at] + more)
