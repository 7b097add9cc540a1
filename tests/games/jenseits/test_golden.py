"""Whole games, one for each way a game can end: replayed step by step, and scored by a second count of their own. They
were played by version 1 of the rules."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.game import Chance, Dealt, Finished, Played, Turn
from companion.games.jenseits.moves import Dig, Exhibit, Refresh, Retire, Take
from companion.games.jenseits.rules import Jenseits
from companion.games.jenseits.state import JenseitsState
from tests.games.jenseits.expedition import box, game

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*.json"))
ENDINGS = {"all_retire", "all_to_the_last_week", "mixed", "tie"}

Told = dict[str, Any]


def read(file: Path) -> Told:
    told: Told = json.loads(file.read_text(encoding="utf-8"))
    return told


def replay(playing: Jenseits, steps: list[Told]) -> JenseitsState:
    state = playing.start()
    for step in steps:
        ask = playing.ask(state)
        if "outcome" in step:
            assert isinstance(ask, Chance)
            state = playing.after(state, Dealt(step["outcome"]))
        else:
            assert isinstance(ask, Turn)
            move = msgspec.convert(step["move"], Take | Refresh | Dig | Exhibit | Retire)
            state = playing.after(state, Played(step["seat"], move))
    return state


def test_there_is_a_game_for_each_ending() -> None:
    assert {file.stem for file in GOLDEN} == ENDINGS


@pytest.mark.rule("JVT-08", "JVT-60", "JVT-61", "JVT-62")
@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_told_game_ends_as_it_did(file: Path) -> None:
    told = read(file)
    playing = game(told["seats"], rules=1)
    end = playing.ask(replay(playing, told["steps"]))
    assert isinstance(end, Finished)
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


@pytest.mark.parametrize("file", GOLDEN, ids=lambda file: file.stem)
def test_a_finished_game_replays_in_no_time(file: Path) -> None:
    told = read(file)
    playing = game(told["seats"], rules=1)
    best = 1.0
    for _ in range(3):
        begun = time.perf_counter()
        replay(playing, told["steps"])
        best = min(best, time.perf_counter() - begun)
    assert best < 0.05
