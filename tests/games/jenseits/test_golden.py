"""One golden game for each way a game can end, scored by a second count of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from companion.play.golden import course
from tests.games.golden_games import Line, beside
from tests.games.jenseits.expedition import box

GOLDEN = beside(__file__)


def test_there_is_a_game_for_each_ending() -> None:
    assert set(GOLDEN) == {"all_retire", "all_to_the_last_week", "mixed", "tie"}


@pytest.mark.rule("JVT-60", "JVT-61")
@pytest.mark.parametrize("name", GOLDEN)
def test_a_second_count_from_the_steps_alone_comes_to_the_same(name: str) -> None:
    game, _, end = course(GOLDEN[name])
    parts = [dict(score.parts) for score in game.tally(end).scores]
    assert second_count(GOLDEN[name].steps, len(parts)) == parts


def second_count(steps: Iterable[Line], seats: int) -> list[dict[str, int]]:
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
