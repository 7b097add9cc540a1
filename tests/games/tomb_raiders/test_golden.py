"""Whole games, told step by step: they end as they did, and a second count with pencil and paper comes to the same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from companion import games
from companion.game import Seat, Setup
from companion.games.tomb_raiders.rules import TombRaiders
from tests.games.told import Told, ended, kept_beside, played_out, read

GOLDEN = kept_beside(__file__)
TOLD = {"2_players", "3_players", "4_players", "mixed_cards", "real_cards"}


def game(told: Told) -> TombRaiders:
    seats = tuple(Seat(str(seat)) for seat in range(told["seats"]))
    setup = Setup("tomb_raiders", "referee", seats, options=told["options"])
    return TombRaiders(setup, games.box("tomb_raiders"), told.get("rules", 1))


def test_there_is_a_game_for_each_number_of_players_and_each_way_to_have_cards() -> None:
    assert {file.stem for file in GOLDEN} == TOLD


@pytest.mark.rule("TTR-70", "TTR-71", "TTR-72")
@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_told_game_ends_as_it_did(file: Path) -> None:
    told = read(file)
    playing = game(told)
    end = ended(playing, played_out(playing, told["steps"]))
    assert [msgspec.to_builtins(score) for score in end.scores] == told["scores"]
    assert list(end.winners) == told["winners"]


@pytest.mark.rule("TTR-60", "TTR-61", "TTR-62", "TTR-71")
@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_second_count_from_the_steps_alone_comes_to_the_same(file: Path) -> None:
    told = read(file)
    counted = second_count(told["steps"], told["seats"])
    for mine, score in zip(counted, told["scores"], strict=True):
        assert mine.items() <= score["parts"].items()


def second_count(steps: list[Told], seats: int) -> list[dict[str, int]]:
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
