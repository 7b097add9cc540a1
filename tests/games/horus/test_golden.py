"""Whole games as they were played: one for each way a game ends."""

from __future__ import annotations

import json
from functools import reduce
from operator import or_
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.game import Dealt, Finished, Played, Seat, Setup, Step
from companion.games.horus.rules import Horus
from tests.games.horus.pyramids import BOX

GOLDEN = sorted(Path(__file__).with_name("golden").glob("*.json"))
AnyMove: Any = reduce(or_, Horus.acts)


def step_of(told: dict[str, Any]) -> Step:
    if "outcome" in told:
        return Dealt(told["outcome"])
    return Played(told["seat"], msgspec.convert(told["move"], AnyMove))


def test_there_is_one_for_each_end() -> None:
    ends = {json.loads(file.read_text("utf-8"))["ends"] for file in GOLDEN}
    assert ends == {"all_out", "some_sealed", "all_lost", "turned"}


@pytest.mark.rule("HOR-03", "HOR-61", "HOR-62", "HOR-63")
@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_game_comes_out_as_it_did(file: Path) -> None:
    told = json.loads(file.read_text("utf-8"))
    seats = tuple(Seat(name) for name in told["seats"])
    table = Horus(Setup("horus", "referee", seats, options=told["options"]), BOX)
    state = table.start()
    for each in told["steps"]:
        assert not isinstance(table.ask(state), Finished)
        state = table.after(state, step_of(each))
    end = table.ask(state)
    assert isinstance(end, Finished)
    assert [score.total for score in end.scores] == told["scores"]
    assert list(end.winners) == told["winners"]
    assert [each.fate for each in state.adventurers] == told["fates"]
