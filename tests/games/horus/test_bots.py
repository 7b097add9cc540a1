"""The one who plans beats the one at random, and leaves in time."""

from __future__ import annotations

import pytest

from companion.games.horus import refereed
from companion.trials import play_out
from tests.games.horus.pyramids import table

GAMES = 40


@pytest.mark.parametrize("seat", [0, 1])
def test_who_plans_wins_nine_of_ten_games_against_random(seat: int) -> None:
    bots = ["random", "random"]
    bots[seat] = "sensible"
    trial = play_out(table(2), refereed(), bots, games=GAMES, seed=7)
    assert trial.wins[seat] >= 0.9 * GAMES


def test_who_plans_leaves_in_time() -> None:
    trial = play_out(table(4), refereed(), ["sensible"] * 4, games=GAMES, seed=3)
    out = sum(total > 0 for scores in trial.scores for total in scores)
    assert out >= 0.9 * 4 * GAMES
