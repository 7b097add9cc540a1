"""Whole games, one for each way a game can end: replayed step by step, and scored by a second count of their own. They
were played by version 1 of the rules."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from tests.games.jenseits.expedition import box, game
from tests.games.told import Told, ended, kept_beside, played_out, read

GOLDEN = kept_beside(__file__)
ENDINGS = {"all_retire", "all_to_the_last_week", "mixed", "tie"}


def test_there_is_a_game_for_each_ending() -> None:
    assert {file.stem for file in GOLDEN} == ENDINGS


@pytest.mark.rule("JVT-08", "JVT-60", "JVT-61", "JVT-62")
@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_told_game_ends_as_it_did(file: Path) -> None:
    told = read(file)
    playing = game(told["seats"], rules=1)
    end = ended(playing, played_out(playing, told["steps"]))
    assert [msgspec.to_builtins(score) for score in end.scores] == told["scores"]
    assert list(end.winners) == told["winners"]
    assert told["retired"] == sum(step.get("move", {}).get("type") == "retire" for step in told["steps"])


@pytest.mark.rule("JVT-60", "JVT-61")
@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_second_count_from_the_steps_alone_comes_to_the_same(file: Path) -> None:
    told = read(file)
    assert second_count(told["steps"], told["seats"]) == [score["parts"] for score in told["scores"]]


def second_count(steps: list[Told], seats: int) -> list[dict[str, int]]:
    """Scores a game with pencil and paper: who took what, and who drew what, and nothing of the referee's."""
    objects, shown, congresses = Counter[int](), Counter[int](), Counter[int]()
    books: Counter[tuple[int, str]] = Counter()
    dug: set[str] = set()
    digger = -1
    for step in steps:
        move, outcome = step.get("move", {}), str(step.get("outcome", ""))
        if move.get("type") == "take" and move["card"].startswith("congress"):
            congresses[step["seat"]] += 1
        elif move.get("type") == "take" and move["card"].startswith("book-"):
            books[step["seat"], move["card"].split("-")[1]] += int(move["card"].split("-")[3])
        elif move.get("type") == "exhibit":
            shown[step["seat"]] += 4 if "small" in move["card"] else 5
        elif move.get("type") == "dig":
            digger = step["seat"]
            objects[digger] += move["site"] not in dug
            dug.add(move["site"])
        elif outcome.startswith("object:"):
            objects[digger] += int(outcome[7:])
        elif outcome.startswith("book:"):
            books[digger, outcome[5:]] += 1
    majorities = Counter[int]()
    for site in box().sites:
        most = max(books[seat, site] for seat in range(seats))
        holders = [seat for seat in range(seats) if most and books[seat, site] == most]
        for seat in holders:
            majorities[seat] += 5 if len(holders) == 1 else 3
    return [
        {
            "objects": objects[seat],
            "exhibitions": shown[seat],
            "congresses": min(congresses[seat], 7) * (min(congresses[seat], 7) + 1) // 2,
            "majorities": majorities[seat],
        }
        for seat in range(seats)
    ]
