"""Whole games as they were played: one for each way a game ends."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.game import Seat, Setup
from companion.games.horus.rules import Horus
from tests.games.horus.pyramids import BOX
from tests.games.told import ended, kept_beside, played_out, read

GOLDEN = kept_beside(__file__)


def test_there_is_one_for_each_end() -> None:
    assert {read(file)["ends"] for file in GOLDEN} == {"all_out", "some_sealed", "all_lost", "turned"}


@pytest.mark.rule("HOR-03", "HOR-61", "HOR-62", "HOR-63")
@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_game_comes_out_as_it_did(file: Path) -> None:
    told = read(file)
    seats = tuple(Seat(name) for name in told["seats"])
    table = Horus(Setup("horus", "referee", seats, options=told["options"]), BOX, told.get("rules", 1))
    state = played_out(table, told["steps"])
    end = ended(table, state)
    assert [score.total for score in end.scores] == told["scores"]
    assert list(end.winners) == told["winners"]
    assert [each.fate for each in state.adventurers] == told["fates"]
