"""Whole games as they were played: one for each way a game ends, and one in a real tray."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.game import Dealt, Finished, Played, Step
from companion.games.tutankhamun.moves import Barricade, Deal, Dig, Lay, NoBarricade, Pass, Scarab, Stop
from tests.games.tutankhamun.site import Purser, game

GOLDEN = sorted(Path(__file__).with_name("golden").glob("*.json"))
AnyMove = Lay | Deal | Scarab | Dig | Stop | Barricade | NoBarricade | Pass


def step_of(told: dict[str, Any]) -> Step:
    if "outcome" in told:
        return Dealt(told["outcome"])
    return Played(told["seat"], msgspec.convert(told["move"], AnyMove))


def test_there_is_one_for_each_end() -> None:
    assert {json.loads(file.read_text("utf-8"))["ends"] for file in GOLDEN} == {"uncovered", "passed", "left"}


@pytest.mark.rule("TUT-20", "TUT-21")
@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_game_comes_out_as_it_did(file: Path) -> None:
    told = json.loads(file.read_text("utf-8"))
    table = game(len(told["seats"]), **told["options"])
    state, purser = table.start(), Purser(len(told["seats"]))
    for each in told["steps"]:
        assert not isinstance(table.ask(state), Finished)
        before, step = state, step_of(each)
        state = table.after(state, step)
        purser.follow(before, step, is_last=state.phase == "over")
    end = table.ask(state)
    assert isinstance(end, Finished)
    assert [score.total for score in end.scores] == told["scores"] == purser.purses
    assert list(end.winners) == told["winners"]
    assert list(state.playing) == told["playing"]
    ends = {"uncovered": max(state.depths) <= 1, "left": sum(state.playing) == 1, "passed": len(state.passed) > 1}
    assert [end for end, is_so in ends.items() if is_so] == [told["ends"]]
