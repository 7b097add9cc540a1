"""Which draws are arranged at a table to learn at: the first cards that come to light are good, the next costs."""

from __future__ import annotations

from collections.abc import Collection

from companion.game import Chance, Outcome
from companion.games.tutankhamun.tray import TutankhamunTable

GOOD = 2
"""So many cards bring something before one costs something: somebody has something to lose by then."""


def to_show(table: TutankhamunTable, chance: Chance) -> Collection[Outcome]:
    """The first cards add to the takings, the next ends a turn and is paid [TUT-13, TUT-14]; a card that lay
    there before is what it is."""
    state, values = table.state, table.terms.values
    if chance.randomizer != "cards" or state.lifted > GOOD + 1 or len(chance.odds) == 1:
        return ()
    is_danger = state.lifted > GOOD
    return [card for card, _ in chance.odds if (values[str(card)] < 0 if is_danger else values[str(card)] > 0)]
