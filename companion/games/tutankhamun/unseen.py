"""What anybody who paid attention knows of the cards below: which of each layer have not shown yet."""

from __future__ import annotations

from companion.games.tutankhamun.state import Terms, TutankhamunState


def unseen_in(terms: Terms, state: TutankhamunState, layer: int) -> dict[str, int]:
    """How many of each card of a layer, counted from 0 at the bottom, have not been uncovered yet."""
    left = dict(terms.kinds[layer].cards)
    for card, depth in zip(state.layers[layer], state.depths, strict=True):
        if card and depth <= layer + 1:
            left[card] -= 1
    return {card: count for card, count in left.items() if count}
