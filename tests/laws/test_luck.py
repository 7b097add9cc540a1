"""What the sealed dealer answers is as likely as the odds say, for every randomizer of every game.

The secret is fixed, so a run that passes passes always.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest

from companion import games
from companion.game import Chance, Mode, Outcome
from companion.play.dealer import SealedDealer
from tests.fair import is_fair
from tests.laws.play import SECRET, WAYS, Way, at_random

DRAWS = 1500
SCARCE = 5  # of an answer that is expected less often, chi-squared says nothing
LONGEST: dict[Mode, int] = {"referee": 800, "toolbox": 150}
CELLS = 80
RARE = 4.0  # standard deviations: with some forty figures, one in a few hundred secrets comes so far


RARELY_GETS_FAR = {next(way for way in WAYS if (way.box, way.mode) == ("horus", "referee"))}
"""Where somebody at random seldom comes to a lock, and hardly ever out of it with a chest."""
DEEP = 40
SELDOM = {("horus", "referee"): {"chest_dice"}}
"""What only whoever plans comes to: a chest is rolled for once it is outside. The game's own tests hold its odds."""


@cache
def questions(way: Way) -> dict[str, Chance]:
    """For each randomizer the question with the most answers of those that some games at random put."""
    found: dict[str, Chance] = {}
    game = way.game()
    for seed in range(DEEP if way in RARELY_GETS_FAR else 3):
        for moment in at_random(game, random.Random(f"{way} luck {seed}"), LONGEST[way.mode]):
            ask = moment.ask
            if isinstance(ask, Chance) and breadth(ask) > max(1, breadth(found.get(ask.randomizer))):
                found[ask.randomizer] = ask
    return found


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
    return cells


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_every_randomizer_is_as_fair_as_its_odds(way: Way) -> None:
    dealer, asked = SealedDealer(SECRET), questions(way)
    assert asked, "nothing is left to luck"
    for chance in asked.values():
        cells, weights = in_cells(chance), Counter[int]()
        for outcome, weight in chance.odds:
            if weight:
                weights[cells[outcome]] += weight
        total = sum(weights.values())
        fell = Counter(cells[dealer.deal(draw, chance, ())] for draw in range(DRAWS))
        assert is_fair(fell, {cell: weight / total for cell, weight in weights.items()}, RARE), chance.question
        assert min(weights.values()) / total * DRAWS > SCARCE, f"{chance.question}: too few draws to judge by"


def test_every_randomizer_of_a_game_is_asked_in_some_way_to_play_it() -> None:
    asked: dict[tuple[str, str], set[str]] = {}
    for way in WAYS:
        asked.setdefault((way.box, way.mode), set()).update(questions(way))
    for box, mode in games.registered():
        never = set(games.kind(games.box(box), mode).randomizers) - asked[box, mode]
        assert never <= SELDOM.get((box, mode), set()), (box, mode)
