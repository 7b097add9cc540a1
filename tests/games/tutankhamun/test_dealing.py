"""The companion's own dealing, with the real dealer and fixed secrets: as even as it should be."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import sqrt

import pytest

from companion.game import Chance, Dealt
from companion.games.tutankhamun.layers import fault
from companion.games.tutankhamun.state import TutankhamunState
from companion.play.dealer import SealedDealer
from tests.games.tutankhamun.site import game

DEALS = 400


@cache
def dealt_trays() -> tuple[TutankhamunState, ...]:
    table, trays = game(2), []
    for number in range(DEALS):
        dealer, state, draw = SealedDealer(number.to_bytes(32, "big")), table.start(), 0
        while isinstance(ask := table.ask(state), Chance):
            state = table.after(state, Dealt(dealer.deal(draw, ask, ())))
            draw += 1
        trays.append(state)
    return tuple(trays)


def is_even(counts: Counter[str | int], shares: dict[str | int, float]) -> bool:
    """Chi-squared, against its mean and four standard deviations."""
    total, freedom = sum(counts.values()), len(shares) - 1
    chi = sum((counts[each] - total * share) ** 2 / (total * share) for each, share in shares.items())
    return abs(chi - freedom) < 4 * sqrt(2 * freedom)


@pytest.mark.rule("TUT-03", "TUT-04")
def test_every_dealt_layer_is_legal() -> None:
    kinds = game(2).terms.kinds
    for state in dealt_trays()[:100]:
        assert all(fault(kind, layer) is None for kind, layer in zip(kinds, state.layers, strict=True))


@pytest.mark.rule("TUT-03")
@pytest.mark.parametrize("square", [0, 5, 15])
def test_each_card_of_the_lowest_layer_lies_anywhere(square: int) -> None:
    kind = game(2).terms.kinds[0]
    counts = Counter[str | int](state.layers[0][square] for state in dealt_trays())
    assert is_even(counts, {card: count / 16 for card, count in kind.cards})


@pytest.mark.rule("TUT-03", "TUT-04")
def test_a_single_card_of_a_higher_layer_lies_as_often_in_each_corner() -> None:
    counts = Counter[str | int](
        corner
        for state in dealt_trays()
        for layer in state.layers[1:5]
        for corner in (0, 3, 12, 15)
        if layer[corner] == "scorpion"
    )
    assert is_even(counts, dict.fromkeys((0, 3, 12, 15), 1 / 4))


@pytest.mark.rule("TUT-05")
def test_each_quarter_turn_comes_as_often() -> None:
    counts = Counter[str | int](state.quarters for state in dealt_trays())
    assert is_even(counts, dict.fromkeys(range(4), 1 / 4))
