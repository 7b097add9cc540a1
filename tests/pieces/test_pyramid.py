"""The plan of a pyramid that fills with blocks, and the mummies in its corridor."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.boxes import load
from companion.games.horus.box import HorusBox
from companion.pieces.corridor import Walker
from companion.pieces.plan import Plan
from companion.refusals import Illegal

FACTS = load(HorusBox).plan
PLAN = Plan.of(FACTS.passages, exits=FACTS.entrances)
FALLEN = st.frozensets(st.sampled_from(FACTS.blocks))
STRETCH = ("a", "b", "c", "d", "e", "f")
WALKERS = st.builds(Walker.on, st.just(STRETCH), at=st.sampled_from(STRETCH), towards=st.sampled_from("af"))


@pytest.mark.rule("HOR-41")
def test_a_mummy_turns_where_it_meets_a_wall_and_the_turn_costs_no_step() -> None:
    mummy, entered = Walker.on(STRETCH, at="e", towards="f").walk(3)
    assert entered == ("f", "e", "d")
    assert (mummy.at, mummy.towards) == ("d", "a")


@pytest.mark.rule("HOR-40")
def test_the_mummies_of_the_box_walk_in_stretches_of_their_own() -> None:
    for mummy in FACTS.mummies.values():
        stretch = FACTS.corridor.stretch(mummy.stretch)
        walker, entered = Walker.on(stretch, at=mummy.square, towards=mummy.towards).walk(5)
        assert len(entered) == 5
        assert set(entered) <= set(stretch)
        assert walker.at == entered[-1]


@pytest.mark.rule("HOR-40")
@given(WALKERS, st.integers(0, 30))
def test_a_walker_enters_one_neighbour_for_each_step_and_stays_in_its_stretch(walker: Walker, steps: int) -> None:
    after, entered = walker.walk(steps)
    assert len(entered) == steps
    places = [STRETCH.index(square) for square in (walker.at, *entered)]
    assert all(abs(here - there) == 1 for here, there in pairwise(places))
    assert after.at == (walker.at, *entered)[-1]


@given(WALKERS, st.integers(0, 12), st.integers(0, 12))
def test_a_walk_in_two_parts_is_the_same_walk(walker: Walker, first: int, second: int) -> None:
    halfway, one = walker.walk(first)
    after, other = halfway.walk(second)
    assert (after, (*one, *other)) == walker.walk(first + second)


@given(WALKERS)
def test_a_walker_turns_only_at_an_end(walker: Walker) -> None:
    after, entered = walker.walk(1)
    assert walker.towards in {after.towards, walker.at}
    assert entered[0] != walker.at


@pytest.mark.parametrize(("at", "towards"), [("x", "f"), ("a", "c"), ("a", "x")])
def test_a_walker_stands_in_its_stretch_and_looks_at_an_end_of_it(at: str, towards: str) -> None:
    with pytest.raises(Illegal):
        Walker.on(STRETCH, at=at, towards=towards)


@pytest.mark.rule("HOR-31")
def test_a_solid_line_and_a_fallen_block_let_nobody_pass() -> None:
    assert set(PLAN.steps("1")) == {"2", "5"}
    assert PLAN.steps("1", fallen={"2"}) == ("5",)
    assert "27" not in PLAN.steps("A5")


@pytest.mark.rule("HOR-52")
@given(FALLEN, st.sampled_from(FACTS.squares))
def test_somebody_is_trapped_exactly_when_there_is_no_way_out(fallen: frozenset[str], square: str) -> None:
    way = PLAN.way_out(square, fallen=fallen)
    assert PLAN.is_trapped(square, fallen=fallen) == (way is None)
    if way is not None:
        assert way[0] == square
        assert way[-1] in FACTS.entrances
        assert not fallen.intersection(way)
        assert all(there in PLAN.steps(here) for here, there in pairwise(way))


@pytest.mark.rule("HOR-52")
@given(FALLEN, st.sampled_from(FACTS.blocks))
def test_a_block_never_opens_a_way(fallen: frozenset[str], block: str) -> None:
    assert PLAN.open_squares(fallen | {block}) <= PLAN.open_squares(fallen) - {block}


@pytest.mark.rule("HOR-52")
def test_nobody_is_trapped_before_the_first_block_and_all_are_when_the_entrances_are_shut() -> None:
    assert PLAN.open_squares() == set(FACTS.squares)
    assert PLAN.open_squares(set(FACTS.entrances)) == frozenset()
    assert PLAN.way_out("1", fallen={"1"}) is None


def test_a_way_out_is_a_shortest_one() -> None:
    assert PLAN.way_out("1") == ("1",)
    assert PLAN.way_out("13") == ("13", "9", "5", "1")
