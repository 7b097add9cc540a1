"""Hands and piles as a bot imagines them are as likely as they are by counting."""

from __future__ import annotations

import random
from collections import Counter
from itertools import product

from msgspec.structs import replace

from companion.game import Chance, Dealt, Finished, Played
from companion.games.tomb_raiders.forecast import forecast
from companion.games.tomb_raiders.insight import imagine, policy
from companion.games.tomb_raiders.state import HIDDEN, TombState
from companion.search.luck import CommonLuck
from tests.games.tomb_raiders.camp import Camp, game

SAMPLES = 1200


def test_hands_are_dealt_as_likely_as_they_are() -> None:
    """Three permits and two action cards are out of sight, two cards in one hand and three in the other."""
    camp = Camp(3)
    held, actions = ("excavation-crete", "excavation-egypt", "excavation-general"), ("scientist", "thief-crete")
    begun = camp.game.terms.hand
    used = Counter(begun * 2) - Counter(held)
    deck = camp.state.deck.without("scientist").without("thief-crete") if "scientist" in camp.state.deck else None
    assert deck is not None
    mine, *_ = camp.state.seats
    others = [replace(mine, hand=(HIDDEN,) * n) for n in (2, 3)]
    state = replace(camp.state, seats=(mine, *others), deck=deck, gone=tuple(used.elements()))
    luck = random.Random(1)
    found = Counter(tuple(sorted(imagine(camp.game, state, 0, luck).seats[1].hand)) for _ in range(SAMPLES))

    slots = [[at for at in range(2) for _ in range(begun.count(card))] for card in held]
    every: Counter[tuple[str, ...]] = Counter()
    for owners in product(*slots, range(2), range(2)):
        first = tuple(sorted(card for card, at in zip((*held, *actions), owners, strict=True) if not at))
        if len(first) == 2:
            every[first] += 1
    apart = sum(abs(found[hand] / SAMPLES - n / every.total()) for hand, n in every.items()) / 2
    assert found.keys() <= every.keys()
    assert apart < 0.06


def test_piles_are_as_high_as_the_forecast_says() -> None:
    playing, state = game(2), middle()
    for region in playing.terms.regions:
        luck, lying = random.Random(region), list[int]()
        for _ in range(300):
            lying.append(imagine(playing, state, 0, luck).piles[region].cards.total)
        expected = forecast(playing.at(state), region).lie
        assert abs(sum(lying) / len(lying) - expected) < 0.7, region


def middle() -> TombState:
    """A game in which piles have been reached into, as seat 0 sees it."""
    playing, chance, luck = game(2), CommonLuck(5), random.Random(5)
    state, digs = playing.start(), 0
    while digs < 6:
        ask = playing.ask(state)
        assert not isinstance(ask, Finished)
        if isinstance(ask, Chance):
            state = playing.after(state, Dealt(chance.drawn(ask)))
            continue
        move = policy(playing, state, ask.seats[0], luck)
        digs += type(move).__name__ == "Dig"
        state = playing.after(state, Played(ask.seats[0], move))
    while isinstance(ask := playing.ask(state), Chance):
        state = playing.after(state, Dealt(chance.drawn(ask)))
    return playing.as_seen(state, 0).state
