"""Whole games as they were played: one for each way a game ends, and one in a real tray."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.games.told import course, ended, kept_beside, read
from tests.games.tutankhamun.site import Purser, game

GOLDEN = kept_beside(__file__)


def test_there_is_one_for_each_end() -> None:
    assert {read(file)["ends"] for file in GOLDEN} == {"uncovered", "passed", "left"}


@pytest.mark.rule("TUT-20", "TUT-21")
@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_game_comes_out_as_it_did(file: Path) -> None:
    told = read(file)
    table, purser = game(len(told["seats"]), **told["options"]), Purser(len(told["seats"]))
    state = table.start()
    for before, step, state in course(table, told["steps"]):
        purser.follow(before, step, is_last=state.phase == "over")
    end = ended(table, state)
    assert [score.total for score in end.scores] == told["scores"] == purser.purses
    assert list(end.winners) == told["winners"]
    assert list(state.playing) == told["playing"]
    ends = {"uncovered": max(state.depths) <= 1, "left": sum(state.playing) == 1, "passed": len(state.passed) > 1}
    assert [end for end, is_so in ends.items() if is_so] == [told["ends"]]
