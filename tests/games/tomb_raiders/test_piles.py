"""What comes onto the piles is worked out late, and comes out as if the draw pile had been shuffled at the start."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations

import pytest

from companion.game import Chance, Dealt, Finished, Outcome, Played
from companion.games.tomb_raiders.state import TombState
from companion.pieces.piles import FINEST, are_among, have_come
from companion.trials import random_outcome
from tests.games.tomb_raiders.camp import Camp, game

GREENS, EGYPT, CRETE = 3, 2, 2


def shuffled(first: int, second: int) -> Counter[tuple[int, int, int, int]]:
    """How often so many of Egypt and of Crete have come when so many green cards are out, in every order there is."""
    deck = ("green",) * GREENS + ("egypt",) * EGYPT + ("crete",) * CRETE
    seen: Counter[tuple[int, int, int, int]] = Counter()
    for order in set(permutations(deck)):
        seen[(*out_at(order, first), *out_at(order, second))] += 1
    return seen


def out_at(order: tuple[str, ...], greens: int) -> tuple[int, int]:
    """How many of Egypt and of Crete lie open when so many green cards do, and the next back is green."""
    out = Counter[str]()
    for card in order:
        if card == "green" and out["green"] == greens:
            break
        out[card] += 1
    return out["egypt"], out["crete"]


def chances(cards: int, past: int, ahead: int) -> Iterator[tuple[int, Fraction]]:
    odds = have_come(cards, past, ahead)
    total = sum(weight for _, weight in odds)
    return ((came, Fraction(weight, total)) for came, weight in odds)


def worked_out(first: int, second: int) -> dict[tuple[int, int, int, int], Fraction]:
    """The same, as the hidden draws have it: at the first reach into a pile, and at the second."""
    found: dict[tuple[int, int, int, int], Fraction] = {}
    past, ahead = first + 1, GREENS - first
    for one, p_one in chances(EGYPT, past, ahead):
        for other, p_other in chances(CRETE, past + one, ahead + EGYPT - one):
            left = EGYPT - one, CRETE - other
            later, still = second - first, GREENS - second
            for more, p_more in chances(left[0], later, still):
                for others, p_others in chances(left[1], later + more, still + left[0] - more):
                    found[one, other, one + more, other + others] = p_one * p_other * p_more * p_others
    return found


@pytest.mark.rule("TTR-11", "TTR-13")
def test_late_draws_are_as_likely_as_a_shuffle_at_the_start() -> None:
    for first, second in ((0, 1), (0, 2), (1, 2)):
        counted = shuffled(first, second)
        total = sum(counted.values())
        assert {came: Fraction(n, total) for came, n in counted.items()} == worked_out(first, second)


@pytest.mark.rule("TTR-13")
def test_odds_stay_within_what_a_draw_tells_apart_and_nothing_possible_is_lost() -> None:
    odds = have_come(20, 6, 78)
    assert sum(weight for _, weight in odds) <= FINEST
    assert all(weight > 0 for _, weight in odds)
    mean = Fraction(sum(came * weight for came, weight in odds), sum(weight for _, weight in odds))
    assert abs(mean - Fraction(20 * 6, 84)) < Fraction(1, 1 << 40)


def test_of_a_kind_so_many_are_among_the_cards_as_a_hand_of_them_has() -> None:
    assert are_among(4, 16, 0, 6) == ((0, 1), (1, 0), (2, 0), (3, 0), (4, 0), (5, 0), (6, 0))
    odds = dict(are_among(4, 16, 5, 4))
    assert Fraction(odds[0], sum(odds.values())) == Fraction(4368, 15504)


def hidden_steps(seed: int, seats: int = 3, **options: bool | int | str) -> list[int]:
    """How many hidden draws follow each move of a game at random, with the moves of another one's luck."""
    playing, luck = game(seats, rules=None, **options), random.Random(seed)
    state: TombState = playing.start()
    runs: list[int] = []
    while not isinstance(ask := playing.ask(state), Finished):
        if isinstance(ask, Chance):
            if ask.hidden:
                runs[-1] += 1
            state = playing.after(state, Dealt(random_outcome(ask, luck)))
        else:
            runs.append(0)
            state = playing.after(state, Played(ask.seats[0], luck.choice(playing.moves(state, ask.seats[0]).moves)))
    return runs


@pytest.mark.rule("TTR-13")
@pytest.mark.parametrize("cards", ["companion", "mixed"])
def test_hidden_draws_are_always_as_many(cards: str) -> None:
    """None, where no card has come since; else one for each region and one for each kind of the pile but the last."""
    playing = game(2)
    kinds = {len(playing.terms.kinds(region)) - 1 for region in playing.terms.regions}
    regions = len(playing.terms.regions) if cards == "companion" else 0
    seen = {n for seed in range(4) for n in hidden_steps(seed, cards=cards)}
    assert seen <= {0, *kinds, *(regions + each for each in kinds)}
    assert {regions + each for each in kinds} <= seen


@pytest.mark.rule("TTR-13")
def test_an_empty_draw_and_a_full_one_are_asked_alike() -> None:
    """The questions that are put to chance before a dig do not depend on what has come."""
    asked = []
    for most in (False, True):
        camp = Camp()
        camp.ready_to_dig()
        camp.play(next(move for move in camp.moves if "Dig" in type(move).__name__))
        questions = []
        while isinstance(ask := camp.game.ask(camp.state), Chance) and ask.hidden:
            falls: list[Outcome] = [outcome for outcome, weight in ask.odds if weight]
            questions.append((ask.question, ask.randomizer, ask.seat, ask.facts))
            camp.deal(falls[-1] if most else falls[0])
        asked.append(questions)
    assert asked[0] == asked[1]
    assert len(asked[0]) == 4 + 6
