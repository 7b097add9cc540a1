"""What the sealed dealer answers is as likely as the odds say, for every randomizer of every game.

The secret is fixed, so a run that passes passes always.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from companion import games
from companion.game import Chance, Outcome
from companion.play.dealer import SealedDealer
from companion.trials import Bot
from tests.fair import is_fair
from tests.laws.play import GAMES, SECRET, WAYS, Way, at_random

DRAWS = 1500
SCARCE = 5  # of an answer that is expected less often, chi-squared says nothing
LONGEST, ENDLESS = 800, 150
CELLS = 80
RARE = 4.0  # standard deviations: with some forty figures, one in a few hundred secrets comes so far


FEW, DEEP = 3, 40


@cache
def questions(way: Way) -> dict[str, Chance]:
    """For each randomizer the question with the most answers of those that some games at random put; of more games, and
    those of the game's own bots, where somebody at random seldom comes to all of them."""
    found: dict[str, Chance] = {}
    game = way.game()
    bots = [None] * FEW + bots_of(way) * FEW + [None] * DEEP
    for seed, bot in enumerate(bots if way.is_usual else bots[:FEW]):
        if seed >= FEW and found.keys() >= {*game.randomizers}:
            break
        for moment in at_random(game, random.Random(f"{way} luck {seed}"), LONGEST if way.ends else ENDLESS, bot):
            ask = moment.ask
            if isinstance(ask, Chance) and breadth(ask) > max(1, breadth(found.get(ask.randomizer))):
                found[ask.randomizer] = ask
    return found


def bots_of(way: Way) -> list[Bot | None]:
    """Who plays such a game with sense."""
    refereed = games.bundle(way.box).refereed
    return list(refereed().bots.values()) if refereed and way.mode == "referee" else []


def breadth(chance: Chance | None) -> int:
    """How many answers can fall."""
    return sum(weight > 0 for _, weight in chance.odds) if chance else 0


def in_cells(chance: Chance) -> dict[Outcome, int]:
    """The answers that can fall, each in a cell of its own; dealt out over a few where they are many, and together with
    the next rarest until they are expected often enough."""
    falling = sorted((weight, str(outcome), outcome) for outcome, weight in chance.odds if weight)
    total = sum(weight for weight, _, _ in falling)
    if len(falling) > CELLS:
        return {outcome: index % CELLS for index, (_, _, outcome) in enumerate(falling)}
    cells: dict[Outcome, int] = {}
    cell = gathered = 0
    for weight, _, outcome in falling:
        cells[outcome] = cell
        gathered += weight
        if gathered * DRAWS > 2 * SCARCE * total:
            cell, gathered = cell + 1, 0
    left_over = cell if gathered and cell else None  # too few for a cell of their own
    return {outcome: cell - 1 if at == left_over else at for outcome, at in cells.items()}


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_every_randomizer_is_as_fair_as_its_odds(way: Way) -> None:
    dealer, asked = SealedDealer(SECRET), questions(way)
    for chance in asked.values():
        cells, weights = in_cells(chance), Counter[int]()
        for outcome, weight in chance.odds:
            if weight:
                weights[cells[outcome]] += weight
        if len(weights) == 1:  # all but one are too rare to be judged
            continue
        total = sum(weights.values())
        fell = Counter(cells[dealer.deal(draw, chance, ())] for draw in range(DRAWS))
        assert is_fair(fell, {cell: weight / total for cell, weight in weights.items()}, RARE), chance.question


def test_every_randomizer_of_a_game_is_asked_in_some_way_to_play_it() -> None:
    asked: dict[tuple[str, str], set[str]] = {}
    for way in WAYS:
        asked.setdefault((way.box, way.mode), set()).update(questions(way))
    for box, mode in GAMES:
        assert set(games.kind(games.box(box), mode).randomizers) <= asked[box, mode], (box, mode)
