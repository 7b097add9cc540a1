"""A bot imagines no more and no less than its seat can know, and the same seed chooses the same.

That it knows nothing else is held where twins are compared (`tests/laws/twins.py`): its choice is among what is.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from companion import games
from companion.game import Played, Turn
from companion.search.choice import think
from companion.search.hints import hints
from companion.search.insight import NO_INSIGHT, Insight
from companion.search.players import insight_of
from companion.search.worlds import as_known, redealt
from companion.words import LANGUAGES, catalogue, say
from tests.laws.play import THOROUGH, Way, at_random, some_ways

PLAYED = tuple(way for way in some_ways(__name__) if way.mode == "referee")
STEPS = 220


def insight(way: Way) -> Insight:
    brought = games.bundle(way.box).refereed
    assert brought is not None
    return insight_of(brought()) or NO_INSIGHT


def asked(way: Way, seed: int, most: int) -> Iterator[tuple[Any, Any, int]]:
    """Some moments of a game at random at which a seat has a choice: the game, the state and the seat."""
    game, luck = way.game(), random.Random(f"{way} {seed}")
    turns = (
        (game, each.before, seat)
        for each in at_random(game, luck, STEPS)
        if isinstance(each.ask, Turn)
        for seat in each.ask.seats
    )
    yield from islice((each for each in turns if luck.random() < 0.2), most)


@pytest.mark.parametrize("way", PLAYED, ids=str)
def test_what_a_bot_imagines_looks_to_its_seat_as_the_table_does(way: Way) -> None:
    own = insight(way)
    for game, state, seat in asked(way, 0, 8 * THOROUGH):
        known = (own.knows or as_known)(game, state, seat)
        assert (own.knows or as_known)(game, known, seat) == known, "what is known once is known still"
        luck = random.Random(1)
        world = own.imagine(game, known, seat, luck) if own.imagine else redealt(game, state, seat, luck)
        if world is not None:
            assert game.moves(world, seat) == game.moves(state, seat)
            assert game.sees(world, seat) == game.sees(state, seat)
            assert game.aids(world, seat) == game.aids(state, seat)
            assert +Counter(game.census(world)) == +Counter(game.census(state)), "nothing is made or lost"


@pytest.mark.parametrize("way", [way for way in PLAYED if way.is_smallest], ids=str)
def test_a_bot_chooses_something_legal_with_an_insight_and_without(way: Way) -> None:
    for game, state, seat in asked(way, 1, 3):
        for own in (insight(way), NO_INSIGHT):
            thought = think(game, own, state, seat, simulations=40, seed=5)
            game.after(state, Played(seat, thought.move))
            assert thought == think(game, own, state, seat, simulations=40, seed=5)


def test_every_process_chooses_the_same() -> None:
    way = next(way for way in PLAYED if way.is_smallest)
    game, state, seat = next(asked(way, 2, 1))
    here = think(game, insight(way), state, seat, simulations=60, seed=9)
    told = (
        "from tests.laws import test_search as law; way = next(way for way in law.PLAYED if way.is_smallest);"
        "game, state, seat = next(law.asked(way, 2, 1));"
        "print(law.think(game, law.insight(way), state, seat, simulations=60, seed=9))"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7"}
    done = subprocess.run([sys.executable, "-c", told], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(here)


def test_who_is_late_chooses_from_what_there_is_by_then() -> None:
    way = next(way for way in PLAYED if way.is_smallest)
    game, state, seat = next(asked(way, 2, 1))
    shares: list[float] = []

    def late(share: float) -> bool:
        shares.append(share)
        return True

    thought = think(game, insight(way), state, seat, simulations=5000, seed=9, late=late)
    assert 0 < thought.courses < 60, "each round plays its moves once or so"
    assert shares == sorted(shares)
    assert shares[-1] == 1


@pytest.mark.parametrize("way", PLAYED, ids=str)
def test_a_hint_is_legal_fits_what_the_seat_knows_and_says_why(way: Way) -> None:
    own = insight(way)
    for game, state, seat in asked(way, 3, 3 * THOROUGH):
        found = hints(game, own, state, seat, seed=1, simulations=24, courses=4)
        legal = game.moves(state, seat)
        assert 1 <= len(found) <= 3
        assert len({each.move for each in found}) == len(found)
        assert legal.more or all(each.move in legal.moves for each in found)
        assert all(each.chance is None or 0 <= each.chance <= 1 for each in found)
        known = (own.knows or as_known)(game, state, seat)
        assert all(each.told == game.tells(known, Played(seat, each.move), seat) for each in found)
        for move in legal.moves[:40] if own.why else ():
            why = own.why(game, known, seat, move) if own.why else None
            for language in LANGUAGES if why else ():
                key = f"{way.box}.why.{why.key}" if why else ""
                assert key in catalogue(language, (way.box,))
                assert "{" not in say(language, key, why.facts if why else {}, (way.box,))
