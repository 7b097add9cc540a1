"""What the corrections can say at a table of Tutankhamun: seats, squares, and the cards of each layer."""

from __future__ import annotations

from companion.game import Mending, Together
from companion.games.tutankhamun import Tutankhamun
from companion.games.tutankhamun.layers import FREE
from companion.games.tutankhamun.state import NOWHERE, TutankhamunState


def choices(game: Tutankhamun, state: TutankhamunState) -> Mending:
    """What can be said. Which cards have not been seen yet is not told: that is for those who paid attention."""
    terms = game.terms
    seats = tuple(seat for seat, playing in enumerate(state.playing) if playing)
    seated = Together(("seat",), tuple((seat,) for seat in seats))
    standing = tuple(
        (seat, square)
        for seat in seats
        for square in (*(("",) if state.standing[seat] != NOWHERE else ()), *terms.squares)
    )
    cards = dict.fromkeys(card for kind in terms.kinds for card, _ in kind.cards)
    return Mending(
        tables={
            "purse": (seated,),
            "scarabs": (seated, _up_to("n", terms.scarabs)),
            "barricades": (seated, _up_to("n", terms.barricades)),
            "standing": (Together(("seat", "square"), standing),),
            "card": (
                Together(("square",), tuple((square,) for square in terms.squares)),
                Together(("card",), tuple((card,) for card in (*cards, FREE))),
                Together(("depth",), ((None,), *((depth,) for depth in range(len(terms.kinds) + 1)))),
            ),
            "leave": (seated,),
        },
        names={"square=": ("in_hand",), "card=": ("bare_square",)},
    )


def _up_to(field: str, most: int) -> Together:
    return Together((field,), tuple((n,) for n in range(most + 1)))
