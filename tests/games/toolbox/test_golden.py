"""Evenings with each toolbox, kept as they were: whoever changes what a step does finds it here."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion import games
from companion.play.golden import step_of
from tests.games.toolbox.tools import toolbox

GOLDEN = sorted(Path(__file__).with_name("golden").glob("*.json"))
SAID_SINCE = {"from", "alcoves", "worth", "house"}
"""Where figures are from, where the alcoves are, what idols are worth, and which of that is ours."""


def as_then(seen: Any, then: Any) -> Any:
    """What a board told when the evening was played: more is said of its pieces since."""
    if isinstance(seen, dict) and isinstance(then, dict):
        return {key: as_then(seen[key], then.get(key)) for key in seen if key in then or key not in SAID_SINCE}
    if isinstance(seen, list) and isinstance(then, list) and len(seen) == len(then):
        return [as_then(*both) for both in zip(seen, then, strict=True)]
    return seen


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_an_evening_comes_to_the_same_board(file: Path) -> None:
    evening = json.loads(file.read_text("utf-8"))
    game = toolbox(evening["box"], evening["seats"], rules=evening.get("rules", 1), **evening["options"])
    state = game.start()
    for written in evening["steps"]:
        state = game.after(state, step_of(game, written))
    assert as_then(json.loads(json.dumps(game.sees(state, None).board)), evening["board"]) == evening["board"]
    tally = game.tally(state)
    assert [score.total for score in tally.scores] == evening["points"]
    assert list(tally.winners) == evening["winners"]


def test_each_box_has_its_evening() -> None:
    assert {file.stem for file in GOLDEN} == {name for name, mode in games.registered() if mode == "toolbox"}
