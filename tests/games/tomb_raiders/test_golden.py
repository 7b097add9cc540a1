"""Golden games for each number of players and each way to have cards, scored by a second count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from companion import games
from companion.play.golden import course
from tests.games.golden_games import Line, beside

GOLDEN = beside(__file__)


def test_there_is_a_game_for_each_number_of_players_and_each_way_to_have_cards() -> None:
    assert set(GOLDEN) == {"2_players", "3_players", "4_players", "mixed_cards", "real_cards"}


@pytest.mark.rule("TTR-60", "TTR-61", "TTR-62", "TTR-71")
@pytest.mark.parametrize("name", GOLDEN)
def test_a_second_count_from_the_steps_alone_comes_to_the_same(name: str) -> None:
    game, _, end = course(GOLDEN[name])
    scores = game.tally(end).scores
    for mine, score in zip(second_count(GOLDEN[name].steps, len(scores)), scores, strict=True):
        assert mine.items() <= score.parts.items()


def second_count(steps: Iterable[Line], seats: int) -> list[dict[str, int]]:
    """What was found, shown, given and attended, by who did it, and nothing of the referee's; professors and weeks have
    tests of their own."""
    box = games.box("tomb_raiders")
    parts = [Counter(dict.fromkeys(("artifacts", "exhibitions", "museums", "congresses"), 0)) for _ in range(seats)]
    seat = -1
    for step in steps:
        move, outcome = step.get("move", {}), str(step.get("outcome", ""))
        seat = step.get("seat", seat)
        mine = parts[seat]
        match move.get("type"):
            case "exhibit":
                mine["exhibitions"] += box.exhibitions[move["card"]].points  # type: ignore[attr-defined]
            case "museum":
                mine["museums"] += box.museums[move["card"]].points  # type: ignore[attr-defined]
                mine["artifacts"] -= sum(int(card.rpartition("-")[2]) for card in move["artifacts"])
            case "take":
                mine["congresses"] += move["card"] == "congress"
            case "play" if "artifact" in move:
                mine["artifacts"] += int(move["artifact"].rpartition("-")[2])
        if outcome.startswith("artifact-"):
            mine["artifacts"] += int(outcome.rpartition("-")[2])
    for mine in parts:
        mine["congresses"] = min(mine["congresses"], 7) * (min(mine["congresses"], 7) + 1) // 2
    return [dict(mine) for mine in parts]
