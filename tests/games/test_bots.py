"""Whoever plays with sense beats chance in every box, from either seat; and a trial tells of each of its games."""

from __future__ import annotations

import pytest

from companion import games
from companion.trials import play_out
from companion.words import own
from tests.laws.play import WAYS

SENSE = {
    "jenseits": (60, 0.95),
    "tomb_raiders": (12, 0.8),
    "horus": (40, 0.9),
    "tutankhamun": (60, 0.8),
    "shaft": (200, 0.6),
}
"""How many games are played, and the share that is won."""


@pytest.mark.parametrize("box", SENSE)
def test_whoever_plays_with_sense_beats_chance(box: str) -> None:
    count, share = SENSE[box]
    way = next(way for way in WAYS if (way.box, way.mode) == (box, "referee") and way.is_smallest)
    brought = games.bundle(box).refereed
    assert brought is not None
    *_, best = brought().bots
    won, heard = 0.0, list[int]()
    for seat in (0, 1):
        bots = ["random", "random"]
        bots[seat] = best
        trial = play_out(way.game(), brought(), bots, games=count // 2, seed=7 + seat, progress=heard.append)
        won += trial.wins[seat]
        assert 0 < sum(trial.wins) <= count // 2 + 0.01, "at most one wins each, and nobody where all are lost"
        assert len(trial.scores) == len(trial.steps) == sum(trial.endings.values()) == count // 2
        assert all(own("en", f"bots.{ending}", (box,)) for ending in trial.endings)
    assert won >= share * count
    assert heard == [*range(1, count // 2 + 1)] * 2
