"""Lifts with the shovel when things go wrong: each counts once or costs nothing, and outside them the pump is off."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lifts.evening import MISHAPS, Evening

ROUNDS = 4


@pytest.mark.rule("TUT-30", "TUT-31")
@pytest.mark.parametrize("mishap", MISHAPS)
def test_a_lift_counts_once_or_costs_nothing(tmp_path: Path, mishap: str) -> None:
    evening = Evening(tmp_path, seed=sum(mishap.encode()))
    for _ in range(ROUNDS):
        evening.lift(mishap)
    assert evening.figures["lifts"] == ROUNDS
    if mishap == "nothing":
        assert evening.figures["counted"] == ROUNDS
    if mishap == "no card":
        assert evening.figures["failed"] == ROUNDS


@pytest.mark.slow
@pytest.mark.rule("TUT-30", "TUT-31")
def test_an_evening_of_mishaps(tmp_path: Path) -> None:
    evening = Evening(tmp_path, seed=30)
    for _ in range(250):
        evening.lift(evening.luck.choice(MISHAPS))
    assert evening.figures["counted"] > 50
    assert evening.figures["failed"] > 50
    assert evening.figures["restarts"] > 10
