"""Dial, dice, purse and tray."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.boxes import load
from companion.games.jenseits.box import JenseitsBox
from companion.games.tutankhamun.box import TutankhamunBox
from companion.pieces.dial import Dial
from companion.pieces.dice import Dice, chances
from companion.pieces.purse import Coins, Purse
from companion.pieces.tray import Tray
from companion.refusals import Illegal

DIAL = Dial(load(JenseitsBox).dial.rows)
LAYERS = [[f"{layer}-{square}" for square in range(16)] for layer in range(6)]


@pytest.mark.rule("JVT-33", "JVT-64", "TTR-41")
@given(st.integers(1, 40), st.integers(1, 12))
def test_knowledge_above_twelve_is_read_at_twelve(knowledge: int, weeks: int) -> None:
    assert DIAL.tokens(knowledge, weeks) == DIAL.rows[min(knowledge, 12) - 1][weeks - 1]


@pytest.mark.rule("JVT-42")
@pytest.mark.parametrize("weeks", [-1, 0, 13])
def test_a_dig_takes_one_to_twelve_weeks(weeks: int) -> None:
    with pytest.raises(Illegal):
        DIAL.tokens(8, weeks)


def test_no_knowledge_finds_nothing() -> None:
    assert {DIAL.tokens(knowledge, 12) for knowledge in (0, -1)} == {0}


@given(st.integers(0, 15), st.integers(0, 11))
def test_the_fewest_weeks_for_so_many_tokens(knowledge: int, tokens: int) -> None:
    weeks = DIAL.weeks_for(knowledge, tokens)
    enough = [week for week in range(1, 13) if DIAL.tokens(knowledge, week) >= tokens]
    assert weeks == (enough[0] if enough else None)


@pytest.mark.rule("HOR-20")
def test_actions_are_the_dice_at_or_above_the_level_besides_cursed_ones() -> None:
    dice = Dice((4, 1, 6, 3, 4))
    assert [dice.at_least(level) for level in (2, 3, 4, 5)] == [4, 4, 3, 1]
    assert dice.at_least(4, besides=[0]) == 2


@pytest.mark.rule("HOR-34")
def test_chosen_dice_are_rolled_again() -> None:
    dice = Dice((2, 3, 4, 4, 5))
    assert dice.missing([1, 2, 3]) == (1,)
    again = dice.picked_up([2, 3, 4]).rolled(1).rolled(1).rolled(6)
    assert again.shown == (2, 3, 1, 1, 6)
    assert again.missing([1, 2, 3]) == ()
    with pytest.raises(Illegal):
        dice.picked_up([5])


@pytest.mark.parametrize("face", [0, 7])
def test_a_die_shows_one_of_its_faces(face: int) -> None:
    assert Dice().odds() == tuple((number, 1) for number in range(1, 7))
    with pytest.raises(Illegal):
        Dice().rolled(face)


@pytest.mark.parametrize("level", range(9))
def test_the_chances_of_dice_are_what_counting_every_roll_says(level: int) -> None:
    rolls = [sum(face >= level for face in roll) for roll in product(range(1, 7), repeat=3)]
    assert chances(3, level) == tuple(Fraction(rolls.count(hits), len(rolls)) for hits in range(4))


@pytest.mark.rule("TUT-01")
def test_everybody_begins_with_ten_in_silver() -> None:
    facts = load(TutankhamunBox).purse
    purse = Purse.of(silver=facts.silver, gold=facts.gold, gold_in_silver=facts.gold_in_silver)
    assert purse.silver == 10
    assert purse.can_pay(10)
    assert not purse.can_pay(11)


@given(st.integers(0, 200), st.integers(0, 200))
def test_money_is_neither_made_nor_lost(owned: int, owed: int) -> None:
    purse = Purse(owned)
    coins = purse.coins()
    assert Purse.of(gold=coins.gold, silver=coins.silver) == purse
    assert coins.silver <= purse.gold_in_silver
    assert bool(coins.silver) == bool(purse.silver)
    if purse.can_pay(owed):
        assert purse.pay(owed).earn(owed) == purse
    else:
        with pytest.raises(Illegal):
            purse.pay(owed)


def test_nobody_pays_or_earns_less_than_nothing() -> None:
    assert Purse(7).coins() == Coins(1, 2)
    assert Purse(10).coins() == Coins(1, 5)
    with pytest.raises(Illegal):
        Purse(5).pay(-1)
    with pytest.raises(Illegal):
        Purse(5).earn(-1)


@pytest.mark.rule("TUT-12")
@given(st.lists(st.integers(0, 15), max_size=96))
def test_a_lift_uncovers_what_lies_below(squares: list[int]) -> None:
    tray = Tray.of(LAYERS)
    for square in squares:
        depth = tray.depth(square)
        if tray.is_bare(square):
            with pytest.raises(Illegal):
                tray.uncover(square)
            continue
        tray = tray.uncover(square)
        assert tray.depth(square) == depth - 1
        assert tray.top(square) == (LAYERS[depth - 2][square] if depth > 1 else None)
    assert sum(tray.depth(square) for square in range(16)) == 96 - sum(
        min(squares.count(square), 6) for square in range(16)
    )


@pytest.mark.rule("TUT-17")
def test_the_last_card_of_a_square_uncovers_nothing_and_there_is_no_other() -> None:
    tray = Tray.of(LAYERS[:1]).uncover(5)
    assert (tray.top(5), tray.depth(5), tray.is_bare(5)) == (None, 0, True)
    with pytest.raises(Illegal):
        tray.uncover(5)


@pytest.mark.rule("TUT-20")
def test_every_card_has_been_seen_when_none_lies_on_another() -> None:
    tray = Tray.of(LAYERS[:2])
    assert not tray.is_uncovered
    for square in range(16):
        tray = tray.uncover(square)
    assert tray.is_uncovered
    assert not tray.is_empty
    for square in range(16):
        tray = tray.uncover(square)
    assert tray.is_empty


@pytest.mark.rule("TUT-05")
@given(st.integers(-4, 8))
def test_quarter_turns_come_round_and_keep_every_pile(quarters: int) -> None:
    tray = Tray.of(LAYERS)
    turned = tray.turned(quarters)
    assert turned.turned(-quarters) == tray
    assert sorted(turned.piles) == sorted(tray.piles)
    assert (turned == tray) == (quarters % 4 == 0)


def test_a_quarter_turn_is_clockwise() -> None:
    assert Tray.of([LAYERS[0]]).turned(1).top(3) == "0-0"


def test_a_layer_covers_the_tray_and_a_square_is_on_it() -> None:
    with pytest.raises(Illegal):
        Tray.of([LAYERS[0], ["earth"]])
    with pytest.raises(Illegal):
        Tray.of(LAYERS).top(16)
