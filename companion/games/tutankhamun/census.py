"""How many of each thing there are, wherever they are; no step changes it."""

from __future__ import annotations

from collections import Counter

from companion.games.tutankhamun.state import NOWHERE, Terms, TutankhamunState
from companion.games.tutankhamun.unseen import unseen_in


def census(terms: Terms, state: TutankhamunState) -> dict[str, int]:
    """Cards in all and of each kind, silver, scarabs and barricades."""
    to_be_laid = len(terms.squares) * (len(terms.kinds) - len(state.layers))
    standing = sum(at != NOWHERE for at in state.standing)
    return {
        "cards": to_be_laid + sum(state.depths) + state.lifted,
        "silver": state.bank + sum(state.purses) + state.takings,
        "scarabs": sum(state.scarabs) + state.doubled + state.scarabs_gone,
        "barricades": sum(state.barricades) + standing + state.barricades_gone,
        **_kinds(terms, state),
    }


def _kinds(terms: Terms, state: TutankhamunState) -> Counter[str]:
    """Each kind of card: those that lie or have lain in the tray, and those nobody has laid or reported yet."""
    kinds: Counter[str] = Counter()
    for layer, kind in enumerate(terms.kinds):
        if layer >= len(state.layers):
            kinds.update(dict(kind.cards))
            continue
        kinds.update(card for card in state.layers[layer] if card)
        if not all(state.layers[layer]):
            kinds.update(unseen_in(terms, state, layer))
    return kinds
