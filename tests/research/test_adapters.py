"""Both adapters, held by the tests of their own libraries where these are installed (`pip install -e .[research]`)."""

from __future__ import annotations

import random

import pytest

from companion import games
from companion.research.numbering import numbered
from companion.research.position import GamePosition, open_box

BOXES = tuple(name for name, mode in games.registered() if mode == "referee")


@pytest.mark.parametrize("box", BOXES)
def test_numbers_mean_the_same_in_a_copy(box: str) -> None:
    play, luck = GamePosition(open_box(box, 2)), random.Random(1)
    for _ in range(60):
        other = play.copy()
        if play.chance is not None:
            number = luck.choice(play.outcomes())[0]
            play.deal(number)
            other.deal(number)
        elif play.end is None:
            moves = play.moves()
            assert moves == other.moves() == numbered(tuple(reversed(moves.values())))
            number = luck.choice(list(moves))
            play.move(number)
            other.move(number)
        assert other.state == play.state


@pytest.mark.slow
@pytest.mark.parametrize("box", BOXES)
def test_openspiel_plays_it_at_random(box: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    from companion.research import openspiel

    openspiel.register()
    game = pyspiel.load_game(f"digside_{box}(players=2)")
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


@pytest.mark.slow
@pytest.mark.parametrize("box", BOXES)
def test_pettingzoo_finds_nothing_wrong(box: str) -> None:
    tests = pytest.importorskip("pettingzoo.test")
    from companion.research.environment import BoxEnvironment

    tests.api_test(BoxEnvironment(box), num_cycles=60)


@pytest.mark.slow
def test_openspiels_own_search_plays_at_a_table() -> None:
    pytest.importorskip("pyspiel")
    from companion.research.openspiel import ismcts_bot

    play, bot = GamePosition(open_box("horus", 2)), ismcts_bot("horus", 2, 12)
    for _ in range(4):
        while play.chance is not None:
            play.deal(play.outcomes()[0][0])
        assert play.seat is not None
        move = bot(play.game, play.state, play.seat, random.Random(1))
        play.move(next(number for number, each in play.moves().items() if each == move))
