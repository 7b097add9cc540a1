"""Cards that lie face down are, for a bot, as likely as they are by counting; and it goes for the corridor and out."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

from msgspec.structs import replace

from companion.games.horus.insight import imagine, policy
from companion.games.horus.moves import Loot, Pick
from companion.games.horus.rules import Horus
from companion.games.horus.state import Adventurer
from companion.search.contests import one_game
from tests.games.horus.pyramids import table

SAMPLES = 1500


def test_a_hand_face_down_is_any_of_its_pile() -> None:
    game = table(2)
    held = ("treasure-sobek-5", "chest-sobek")
    start = game.start()
    pond = start.decks[2].without("treasure-sobek-5").without("chest")
    mine = Adventurer(who="gore", square="1", fate="inside", cards=("treasure-sobek-3",))
    other = replace(mine, who="sarti", cards=held)
    decks = (*start.decks[:2], pond.without("treasure-sobek-3"))
    state = replace(start, adventurers=(mine, other), decks=decks)
    known, luck = game.as_seen(state, 0).state, random.Random(2)
    found = Counter(tuple(sorted(imagine(game, known, 0, luck).adventurers[1].cards)) for _ in range(SAMPLES))

    printed = {card: n for card, n in game.terms.decks[2].counts.items() if card != "crocodile"}
    pool = [game.terms.card_from(2, card) for card, n in printed.items() for _ in range(n)]
    pool.remove("treasure-sobek-3")
    every = Counter(tuple(sorted(pair)) for pair in combinations(pool, 2))
    apart = sum(abs(found[hand] / SAMPLES - n / every.total()) for hand, n in every.items()) / 2
    assert found.keys() <= every.keys()
    assert apart < 0.08


def test_the_quick_player_empties_sarcophagi_picks_locks_and_gets_out() -> None:
    game, made, out = table(2), Counter[type](), 0

    def plays(playing: Horus, state: object, seat: int, luck: random.Random) -> object:
        move = policy(playing, state, seat, luck)  # type: ignore[arg-type]
        made[type(move)] += 1
        return move

    for seed in range(6):
        end, _ = one_game(game, [plays, plays], seed, random.Random(seed))  # type: ignore[list-item]
        out += sum(score.total > 0 for score in end.scores)
    assert made[Loot]
    assert made[Pick]
    assert out >= 8, "of 12"
