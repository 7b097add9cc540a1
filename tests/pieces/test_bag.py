"""A bag loses and gains nothing but what a hand takes out and puts in."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.boxes import load
from companion.games.jenseits.box import JenseitsBox
from companion.pieces.bag import Bag
from companion.pieces.odds import finds, prospect
from companion.refusals import Illegal

TOKENS = st.sampled_from(["blank", "object:1", "object:2", "object:10", "book:crete", "open_book"])
BAGS = st.dictionaries(TOKENS, st.integers(0, 5))
FULL = BAGS.filter(lambda counts: sum(counts.values()) > 0)


@given(FULL, st.data())
def test_what_is_drawn_and_what_is_left_are_what_was_there(counts: dict[str, int], data: st.DataObject) -> None:
    bag = before = Bag.of(counts)
    drawn: list[str] = []
    for _ in range(data.draw(st.integers(0, bag.total))):
        token = data.draw(st.sampled_from([token for token, _ in bag.odds()]))
        bag, drawn = bag.without(token), [*drawn, token]
    assert bag.total == before.total - len(drawn)
    assert Counter(bag.counts) + Counter(drawn) == Counter(before.counts)
    assert bag.with_all(drawn) == before


@given(BAGS, TOKENS, st.integers(0, 4))
def test_taking_out_undoes_putting_in(counts: dict[str, int], token: str, count: int) -> None:
    bag = changed = Bag.of(counts)
    changed = changed.with_(token, count)
    assert changed.total == bag.total + count
    for _ in range(count):
        changed = changed.without(token)
    assert changed == bag


@given(FULL, st.randoms(use_true_random=False))
def test_equal_bags_have_equal_odds_in_equal_order(counts: dict[str, int], luck: Random) -> None:
    """A sealed draw reads the odds by place, so a history must not show in them."""
    bag = Bag.of(counts)
    tokens = [token for token, count in bag.odds() for _ in range(count)]
    luck.shuffle(tokens)
    refilled = Bag.of({})
    for token in tokens:
        refilled = refilled.with_(token)
    assert refilled.odds() == bag.odds()
    assert hash(refilled) == hash(bag)


def test_a_token_that_is_not_there_cannot_be_drawn() -> None:
    bag = Bag.of({"blank": 1})
    with pytest.raises(Illegal):
        bag.without("object:4")
    with pytest.raises(Illegal):
        bag.without("blank").without("blank")


def test_there_is_no_less_than_nothing() -> None:
    with pytest.raises(Illegal):
        Bag.of({"blank": -1})
    with pytest.raises(Illegal):
        Bag.of({}).with_("blank", -1)


def test_a_bag_is_asked_what_is_in_it() -> None:
    bag = Bag.of({"blank": 2, "open_book": 0})
    assert (bag["blank"], bag["open_book"]) == (2, 0)
    assert "blank" in bag
    assert "open_book" not in bag
    assert list(bag) == ["blank"]
    assert len(bag) == 2


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 40))
def test_the_chances_of_finds_add_up(good: int, bad: int, draws: int) -> None:
    chances = finds(good, good + bad, draws)
    assert sum(chances) == 1
    assert all(chance >= 0 for chance in chances)


@given(st.lists(st.integers(0, 7), max_size=7), st.integers(0, 8))
def test_a_prospect_is_what_counting_every_hand_says(values: list[int], draws: int) -> None:
    """A token worth 0 stands for a blank."""
    bag = Bag.of([f"object:{value}" if value else "blank" for value in values])
    seen = prospect(bag, {f"object:{value}": value for value in range(1, 8)}, draws)
    hands = list(combinations(values, min(draws, len(values))))
    points = [sum(hand) for hand in hands]
    mean = Fraction(sum(points), len(hands))
    variance = sum(((point - mean) ** 2 for point in points), Fraction(0)) / len(hands)
    assert seen.points == mean
    assert seen.spread == pytest.approx(math.sqrt(variance), abs=1e-9)
    assert seen.at_least_one == Fraction(sum(any(hand) for hand in hands), len(hands))
    assert seen.expected_finds == Fraction(sum(sum(map(bool, hand)) for hand in hands), len(hands))


@pytest.mark.rule("JVT-44")
def test_a_bag_with_fewer_tokens_is_emptied() -> None:
    assert prospect(Bag.of({"object:3": 2}), {"object:3": 3}, 5).points == 6
    assert prospect(Bag.of({}), {}, 5).finds == (Fraction(1),)


@pytest.mark.rule("JVT-44", "JVT-64")
def test_five_tokens_from_a_full_bag_find_something_in_all_but_three_digs_of_a_hundred() -> None:
    bag = Bag.of(load(JenseitsBox).bags["crete"])
    worth = {token: 0 for token in bag if token != "blank"} | {f"object:{value}": value for value in range(1, 8)}
    seen = prospect(bag, worth, 5)
    assert seen.at_least_one == 1 - Fraction(math.comb(16, 5), math.comb(30, 5))
    assert seen.points == Fraction(5 * (2 * 1 + 2 * 2 + 4 * 3 + 3 * 4 + 1 * 5), 30)
