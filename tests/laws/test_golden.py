"""Golden games: whatever a game has kept comes out the same for ever, and everybody is told the same on the way."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from companion import games
from companion.game import scope_of
from companion.play import golden
from tests.laws.play import GAMES

TESTS = Path(__file__).parents[1] / "games"
KEPT = [
    (name, file)
    for name, mode in GAMES
    for place in (TESTS / scope_of(name, mode)[-1], games.folder(name))
    for file in sorted(place.glob("golden/*.json"))
    if (told := golden.read_golden(file)) is not None and (told.box, told.mode) == (name, mode)
]


@pytest.mark.parametrize(("box", "file"), KEPT, ids=[f"{name}-{file.stem}" for name, file in KEPT])
def test_a_golden_game_comes_out_the_same_and_is_told_the_same(box: str, file: Path) -> None:
    kept = golden.read_golden(file)
    assert kept is not None
    assert kept.box == box
    assert golden.replay(kept) == kept
    assert golden.encode(kept) == file.read_bytes()


@pytest.mark.parametrize("box", [name for name, mode in GAMES if mode == "referee"])
def test_a_game_that_is_recorded_now_is_read_and_comes_out_the_same(box: str, tmp_path: Path) -> None:
    """Moves with rows of cards, too, whichever a game has."""
    file = tmp_path / "one.json"
    file.write_bytes(golden.encode(golden.at_random(box, random.Random(1))))
    kept = golden.read_golden(file)
    assert kept is not None
    assert golden.replay(kept) == kept
