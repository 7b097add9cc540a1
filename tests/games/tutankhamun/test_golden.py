"""One golden game for each way a game ends, and one in a real tray; the purses are kept a second time."""

from __future__ import annotations

import pytest

from companion.play.golden import course
from tests.games.golden_games import beside
from tests.games.tutankhamun.site import Purser

GOLDEN = beside(__file__)


@pytest.mark.rule("TUT-20", "TUT-21")
@pytest.mark.parametrize("name", GOLDEN)
def test_a_second_count_of_the_purses_comes_to_the_same(name: str) -> None:
    _, played, end = course(GOLDEN[name])
    purser = Purser(len(end.playing))
    for left, (before, step) in zip(reversed(range(len(played))), played, strict=True):
        purser.follow(before, step, is_last=left == 0)
    assert tuple(purser.purses) == GOLDEN[name].scores
    ends = {"uncovered": max(end.depths) <= 1, "left": sum(end.playing) == 1, "passed": len(end.passed) > 1}
    expected = {"all_uncovered": "uncovered", "real_tray": "uncovered", "one_left": "left", "all_passed": "passed"}
    assert [how for how, is_so in ends.items() if is_so] == [expected[name]]
