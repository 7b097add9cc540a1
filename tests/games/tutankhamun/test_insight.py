"""What a bot imagines of the layers is as likely as by counting the layouts that show what it has seen."""

from __future__ import annotations

import random
from collections import Counter

from companion.game import Chance, Dealt, Finished, Played
from companion.games.tutankhamun.insight import imagine, known, policy
from companion.games.tutankhamun.layers import odds_at
from companion.search.luck import CommonLuck
from tests.games.tutankhamun.site import game

SAMPLES = 800


def test_a_card_below_is_as_likely_as_layouts_show_it_there() -> None:
    playing, chance, luck = game(2), CommonLuck(1), random.Random(1)
    state = playing.start()
    for _ in range(170):
        ask = playing.ask(state)
        assert not isinstance(ask, Finished)
        step = Dealt(chance.drawn(ask)) if isinstance(ask, Chance) else None
        state = playing.after(state, step or Played(ask.seats[0], policy(playing, state, ask.seats[0], luck)))  # type: ignore[union-attr]
    seen = known(playing, state, 0)
    worlds = [imagine(playing, seen, 0, luck) for _ in range(SAMPLES)]
    tried = 0
    for layer, kind in enumerate(playing.terms.kinds[:-1]):
        if not any(seen.layers[layer]):
            continue
        at = seen.layers[layer].index("")
        odds = odds_at(kind, seen.layers[layer], at)
        found = Counter(world.layers[layer][at] for world in worlds)
        apart = sum(abs(found[card] / SAMPLES - n / sum(odds.values())) for card, n in odds.items()) / 2
        assert found.keys() <= odds.keys()
        assert apart < 0.07
        tried += 1
    assert tried >= 2
