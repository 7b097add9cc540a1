"""What the corrections can say at a table of Tutankhamun: seats, squares, and the cards of each layer."""

from __future__ import annotations

from collections.abc import Iterator

from companion.game import Mending, Together
from companion.games.tutankhamun.layers import FREE
from companion.games.tutankhamun.referee import Tutankhamun
from companion.games.tutankhamun.state import NOWHERE, Terms, TutankhamunState

Row = tuple[str | int | None, ...]


def choices(game: Tutankhamun, state: TutankhamunState) -> Mending:
    """What can be said now. Which cards have not been seen yet is not told: that is for those who paid attention."""
    terms = game.terms
    seats = tuple(seat for seat, playing in enumerate(state.playing) if playing)
    seated = Together(("seat",), tuple((seat,) for seat in seats))
    in_a_turn = state.phase in {"digging", "closing"}
    takings = () if state.phase == "digging" and state.digs else (Together(("silver",), ()),)
    return Mending(
        tables={
            "purse": (seated,),
            "takings": takings,
            "scarabs": (Together(("seat", "n"), tuple(_scarabs(terms, state, seats))),),
            "barricades": (Together(("seat", "n"), tuple(_barricades(terms, state, seats))),),
            "standing": (Together(("seat", "square"), tuple(_standing(terms, state, seats))),),
            "card": (Together(("square", "card", "depth"), tuple(_cards(terms, state)) if in_a_turn else ()),),
            "leave": (seated if in_a_turn else Together(("seat",), ()),),
        },
        names={"square=": ("in_hand",), "card=": ("bare_square",)},
    )


def _scarabs(terms: Terms, state: TutankhamunState, seats: tuple[int, ...]) -> Iterator[Row]:
    """All that a seat has had, but for one that lies before it."""
    for seat in seats:
        lying = int(state.doubled and seat == state.seat)
        yield from ((seat, n) for n in range(terms.scarabs - lying + 1))


def _barricades(terms: Terms, state: TutankhamunState, seats: tuple[int, ...]) -> Iterator[Row]:
    """All that a seat has had, but for one that stands."""
    for seat in seats:
        stands = int(state.standing[seat] != NOWHERE)
        yield from ((seat, n) for n in range(terms.barricades - stands + 1))


def _standing(terms: Terms, state: TutankhamunState, seats: tuple[int, ...]) -> Iterator[Row]:
    """In the hand, or on a square where no other stands; of a seat that has one."""
    for seat in seats:
        stands = state.standing[seat] != NOWHERE
        if stands:
            yield (seat, "")
        if stands or state.barricades[seat]:
            free = (state.barricaded_by(at) in {None, seat} for at in range(len(terms.squares)))
            yield from ((seat, square) for square, is_free in zip(terms.squares, free, strict=True) if is_free)


def _cards(terms: Terms, state: TutankhamunState) -> Iterator[Row]:
    """Any card of the layer that lies open; then, in a real tray, of another: the pile is so deep, or bare."""
    others = range(len(terms.kinds) + 1) if terms.tray == "physical" else ()
    for square, depth in zip(terms.squares, state.depths, strict=True):
        for other in (depth, *(other for other in others if other != depth)):
            said = None if other == depth else other
            if other:
                yield from ((square, card, said) for card, _ in terms.kinds[other - 1].cards)
            elif depth:
                yield (square, FREE, said)
