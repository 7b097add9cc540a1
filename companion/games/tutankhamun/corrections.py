"""The table shows otherwise: what can be put right. Cards, money, scarabs and barricades stay as many as they were."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from companion.game import Correction
from companion.games.tutankhamun.layers import FREE, with_card
from companion.games.tutankhamun.state import NOWHERE, Terms, TutankhamunState, added, changed
from companion.games.tutankhamun.turns import leave
from companion.games.tutankhamun.unseen import unseen_in
from companion.refusals import Illegal, Malformed

MOST_SILVER = 9_999  # far above what all cards of the box are worth


class Purse(Correction, frozen=True, tag="purse"):
    """A seat has so much, in silver; the bank makes up the difference."""

    seat: int
    silver: int


class Takings(Correction, frozen=True, tag="takings"):
    """So much silver lies aside for this turn."""

    silver: int


class Scarabs(Correction, frozen=True, tag="scarabs"):
    """A seat has so many scarabs in hand; the others are out of the game."""

    seat: int
    n: int


class Barricades(Correction, frozen=True, tag="barricades"):
    """A seat has so many barricades in hand; the others are out of the game."""

    seat: int
    n: int


class Standing(Correction, frozen=True, tag="standing"):
    """A seat's barricade stands on this square, or in its hand (an empty square)."""

    seat: int
    square: str = ""


class Shown(Correction, frozen=True, tag="card"):
    """A square shows this card; in a real tray also so many cards deep, 0 where it is bare."""

    square: str
    card: str = FREE
    depth: int | None = None


class Leave(Correction, frozen=True, tag="leave"):
    """A seat leaves the game."""

    seat: int


CORRECTION_TYPES: tuple[type[Correction], ...] = (Purse, Takings, Scarabs, Barricades, Standing, Shown, Leave)


def corrected(terms: Terms, state: TutankhamunState, correction: Correction) -> TutankhamunState:
    """The state with the table put right."""
    return CORRECTED[type(correction)](terms, state, correction)


def _purse(terms: Terms, state: TutankhamunState, seat: int, silver: int) -> TutankhamunState:
    _still_in(terms, state, seat)
    _is_a_sum(silver)
    more = silver - state.purses[seat]
    return replace(state, purses=added(state.purses, seat, more), bank=state.bank - more)


def _takings(state: TutankhamunState, silver: int) -> TutankhamunState:
    if state.phase != "digging" or not state.digs:
        raise Illegal("tutankhamun.nothing_set_aside", rule="TUT-13")
    _is_a_sum(silver)
    return replace(state, takings=silver, bank=state.bank + state.takings - silver)


def _scarabs(terms: Terms, state: TutankhamunState, seat: int, n: int) -> TutankhamunState:
    _still_in(terms, state, seat)
    lying = int(state.doubled and seat == state.seat)
    _in_reach(n, terms.scarabs - lying)
    gone = state.scarabs_gone + state.scarabs[seat] - n
    return replace(state, scarabs=changed(state.scarabs, seat, n), scarabs_gone=gone)


def _barricades(terms: Terms, state: TutankhamunState, seat: int, n: int) -> TutankhamunState:
    _still_in(terms, state, seat)
    _in_reach(n, terms.barricades - (state.standing[seat] != NOWHERE))
    gone = state.barricades_gone + state.barricades[seat] - n
    return replace(state, barricades=changed(state.barricades, seat, n), barricades_gone=gone)


def _standing(terms: Terms, state: TutankhamunState, seat: int, square: str) -> TutankhamunState:
    _still_in(terms, state, seat)
    at = _square(terms, square) if square else NOWHERE
    owner = state.barricaded_by(at) if square else None
    if owner not in {None, seat}:
        raise Illegal("tutankhamun.barricade_there", rule="TUT-16", square=square, player=terms.names[owner or 0])
    from_hand = int(bool(square)) - int(state.standing[seat] != NOWHERE)
    if state.barricades[seat] < from_hand:
        raise Illegal("tutankhamun.no_barricade", rule="TUT-16")
    hands = added(state.barricades, seat, -from_hand)
    return replace(state, barricades=hands, standing=changed(state.standing, seat, at))


def _shown(terms: Terms, state: TutankhamunState, shown: Shown) -> TutankhamunState:
    """The top card of a square was another one: the two change places within their layer."""
    _in_a_turn(state)
    at = _square(terms, shown.square)
    depth = state.depths[at] if shown.depth is None else shown.depth
    state = _with_depth(terms, state, at, depth)
    if bool(depth) != bool(shown.card):
        raise Illegal("tutankhamun.card_or_bare", rule="TUT-12", square=shown.square)
    if not depth or shown.card == state.top(at):
        return state
    layer = depth - 1
    if shown.card not in unseen_in(terms, state, layer):
        raise Illegal("tutankhamun.none_unseen", rule="TUT-02", card=shown.card, n=depth)
    layers = with_card(state.layers, layer, _place_of(state, layer, shown.card, at), state.top(at))
    return replace(state, layers=with_card(layers, layer, at, shown.card), last=None)


def _place_of(state: TutankhamunState, layer: int, card: str, at: int) -> int:
    """Where an unseen card of a layer lies; the square itself, if nobody knows."""
    for square, depth in enumerate(state.depths):
        if depth > layer + 1 and state.layers[layer][square] == card:
            return square
    return at


def _with_depth(terms: Terms, state: TutankhamunState, at: int, depth: int) -> TutankhamunState:
    """A real tray with another number of cards on a square; what is covered again is unknown again."""
    if depth == state.depths[at]:
        return state
    if terms.tray != "physical":
        raise Illegal("tutankhamun.own_tray", rule="TUT-03")
    _in_reach(depth, len(terms.kinds))
    layers = tuple(
        layout if kind.is_uniform or number >= depth else changed(layout, at, FREE)
        for number, (kind, layout) in enumerate(zip(terms.kinds, state.layers, strict=True))
    )
    return replace(
        state,
        layers=layers,
        depths=changed(state.depths, at, depth),
        dug=tuple(square for square in state.dug if square != at),
        lifted=state.lifted + state.depths[at] - depth,
        last=None,
    )


def _leave(terms: Terms, state: TutankhamunState, seat: int) -> TutankhamunState:
    _in_a_turn(state)
    _still_in(terms, state, seat)
    return leave(terms, state, seat)


def _still_in(terms: Terms, state: TutankhamunState, seat: int) -> None:
    if not 0 <= seat < terms.seats:
        raise Malformed("tutankhamun.no_seat", n=terms.seats)
    if not state.playing[seat]:
        raise Illegal("tutankhamun.has_left", rule="TUT-14", player=terms.names[seat])


def _in_a_turn(state: TutankhamunState) -> None:
    if state.phase in {"laying", "dealing", "turning"}:
        raise Illegal("tutankhamun.lay_first", rule="TUT-02", n=len(state.layers) + 1)
    if state.phase == "uncovering":
        raise Illegal("core.chance_first", rule="TUT-12")


def _square(terms: Terms, square: str) -> int:
    if square not in terms.squares:
        raise Malformed("tutankhamun.no_square", square=square, first=terms.squares[0], last=terms.squares[-1])
    return terms.squares.index(square)


def _is_a_sum(silver: int) -> None:
    if silver < 0:
        raise Illegal("tutankhamun.below_zero", rule="TUT-14")
    _in_reach(silver, MOST_SILVER)


def _in_reach(n: int, most: int) -> None:
    if not 0 <= n <= most:
        raise Illegal("tutankhamun.out_of_reach", rule="TUT-01", n=n, most=most)


CORRECTED: dict[type[Correction], Callable[[Terms, TutankhamunState, Any], TutankhamunState]] = {
    Purse: lambda terms, state, c: _purse(terms, state, c.seat, c.silver),
    Takings: lambda _terms, state, c: _takings(state, c.silver),
    Scarabs: lambda terms, state, c: _scarabs(terms, state, c.seat, c.n),
    Barricades: lambda terms, state, c: _barricades(terms, state, c.seat, c.n),
    Standing: lambda terms, state, c: _standing(terms, state, c.seat, c.square),
    Shown: _shown,
    Leave: lambda terms, state, c: _leave(terms, state, c.seat),
}
