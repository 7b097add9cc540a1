"""Help before a decision: the odds are those that counting through all that may happen comes to."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from time import perf_counter
from typing import Any

import pytest

from companion.game import Turn
from companion.games.horus.bots import planner
from companion.games.horus.locks import hits, opens
from companion.games.horus.moves import Pick, Search
from companion.games.horus.state import DICE
from companion.games.horus.uses import Use
from tests.games.horus.pyramids import BOX, Playing, acting, lingering, table
from tests.laws.play import course

Dice = tuple[int, ...]


@cache
def best(lying: Dice, wanted: Dice, rolls: int, helpers: int, faces: int) -> Fraction:
    """The chance by the best of all ways to roll again, every set of dice tried and every fall counted."""
    if len(set(wanted) - set(lying)) <= helpers:
        return Fraction(1)
    if not rolls:
        return Fraction(0)
    found = Fraction(0)
    for n in range(1, len(lying) + 1):
        for again in set(combinations(lying, n)):
            kept = list(lying)
            for face in again:
                kept.remove(face)
            found = max(found, after(tuple(kept), n, wanted, rolls - 1, helpers, faces))
    return found


@cache
def after(kept: Dice, thrown: int, wanted: Dice, rolls: int, helpers: int, faces: int) -> Fraction:
    falls = Counter(tuple(sorted((*kept, *fall))) for fall in product(range(1, faces + 1), repeat=thrown))
    chances = (Fraction(n, faces**thrown) * best(dice, wanted, rolls, helpers, faces) for dice, n in falls.items())
    return sum(chances, Fraction(0))


@pytest.mark.rule("HOR-34", "HOR-35")
@pytest.mark.parametrize("numbers", [3, 4, 5])
@pytest.mark.parametrize("helpers", [0, 1])
def test_a_lock_is_as_likely_as_the_best_of_all_ways_to_roll(numbers: int, helpers: int) -> None:
    """Four-sided dice for five numbers would never do; six faces, and two rolls after the first."""
    wanted = tuple(range(1, numbers + 1))
    luck = random.Random(numbers * 10 + helpers)
    for _ in range(4):
        lying = tuple(sorted(luck.choices(range(1, 7), k=DICE)))
        missing = len(set(wanted) - set(lying))
        for rolls in (0, 1, 2):
            told = opens(missing, numbers - missing, rolls, helpers, DICE, 6)
            assert told == best(lying, wanted, rolls, helpers, 6), (lying, rolls)


@pytest.mark.rule("HOR-34")
def test_a_whole_roll_is_counted_right() -> None:
    for wanted in range(1, 6):
        falls = Counter(len(set(fall) & set(range(1, wanted + 1))) for fall in product(range(1, 7), repeat=DICE))
        assert hits(wanted, DICE, 6) == tuple(Fraction(falls[n], 6**DICE) for n in range(wanted + 1))


@pytest.mark.rule("HOR-34")
def test_help_tells_the_odds_of_a_lock_and_which_dice_to_keep() -> None:
    playing = acting("A1", "5", actions=3, who=("sarti", "rice"))
    told = playing.aids()["locks"][0]
    assert told["opens"][0] == 0.0
    assert told["opens"][1] == pytest.approx(float(opens(3, 0, 1, 0, 5, 6)))
    playing.does(Pick()).falls(2, 6, 2, 1, 5)
    told = playing.aids()["locks"][0]
    assert (told["missing"], told["keep"], told["rolling"]) == ([3], [0, 3], True)
    assert told["opens"][1] == pytest.approx(1 - (5 / 6) ** 3)


def test_lock_odds_take_no_time() -> None:
    opens.cache_clear()
    hits.cache_clear()
    began = perf_counter()
    for rolls in range(6):
        opens(5, 0, rolls, 2, 5, 6)
    assert perf_counter() - began < 0.1, "the bench holds it against 5 ms"


@pytest.mark.rule("HOR-50", "HOR-52")
def test_the_chance_to_be_shut_in_is_that_of_trying_each_block() -> None:
    """Each block that is left falls once; whoever it hits jumps where a way is left, if there is one."""
    game, luck = table(2), random.Random(4)
    states = [after for _, step, after in course(game, luck, bot=lingering) if after.asking == "act"]
    for state in luck.sample(states, 8):
        playing = Playing(game, state)
        told = playing.aids()["dangers"]
        fallen = {str(number) for number in state.fallen}
        for seat in playing.here.inside:
            square = state.adventurers[seat].square
            shut = 0
            for block in state.boxed:
                open_squares = game.terms.plan.open_squares(fallen | {str(block)})
                beside = playing.here.near(square) if square == str(block) else (square,)
                shut += not any(each in open_squares for each in beside)
            assert told["cut_off"][str(seat)] == pytest.approx(shut / len(state.boxed))
            assert told["squares"][square]["cut_off"] == told["cut_off"][str(seat)]


@pytest.mark.rule("HOR-40", "HOR-42")
def test_where_mummies_can_be_and_whom_they_touch_is_that_of_all_rolls() -> None:
    where = {"initkaes": ("A4", "NW"), "sanakht": ("H1", "NW")}
    playing = acting("A5", "5", actions=1, mummies=where, who=("sarti", "rice"))
    dangers = playing.aids()["dangers"]
    stands: Counter[str] = Counter()
    touch = touches = 0
    for dice in product(range(1, 7), repeat=DICE):
        steps = sum(face >= BOX.dice.mummies_from for face in dice)
        walks = [mummy.walker.walk(steps) for mummy in playing.state.mummies]
        stands[walks[0][0].at] += 1
        entered = sum(each == "A5" for _, squares in walks for each in squares)
        touch += entered > 0
        touches += entered
    told = next(each for each in dangers["mummies"] if each["mummy"] == "initkaes")["stands"]
    assert told == pytest.approx({square: n / 6**DICE for square, n in stands.items()})
    assert dangers["squares"]["A5"]["touch"] == pytest.approx(touch / 6**DICE)
    assert dangers["squares"]["A5"]["touches"] == pytest.approx(touches / 6**DICE)


@pytest.mark.rule("HOR-71")
def test_a_mummy_that_lies_touches_where_it_lies_and_walks_nowhere() -> None:
    playing = acting("A2", "5", who=("gore", "rice"), mummies={"initkaes": ("A3", "NW")})
    playing.does(Use(ability="shooting", mummy="initkaes"))
    told = playing.aids()["dangers"]
    assert told["squares"]["A3"]["touch"] == pytest.approx(1)
    assert "A2" not in told["mummies"][0]["enters"]


@pytest.mark.rule("HOR-32", "HOR-82")
def test_what_a_search_is_worth_is_what_lies_open_leaves() -> None:
    playing = acting("33", "5", actions=3, who=("sarti", "ardila"))
    cards = [*BOX.decks.water.treasures, *[3.5] * 2, *[0] * 6]
    told = playing.aids()["dangers"]["search"]["pond"]
    assert told["worth"] == pytest.approx(sum(cards) / 18)
    assert (told["treasure"], told["wound"]) == (pytest.approx(12 / 18), pytest.approx(6 / 18))
    playing.does(Search()).falls("crocodile")
    told = playing.aids()["dangers"]["search"]["pond"]
    assert told["worth"] == pytest.approx(sum(cards) / 17)
    assert told["wound"] == pytest.approx(5 / 17)
    worths = []
    for card in ("treasure-sobek-3", "treasure-sobek-6"):
        other = acting("33", "5", actions=3, who=("sarti", "ardila")).does(Search()).falls(card)
        worths.append(other.aids()["dangers"]["search"]["pond"])
    assert worths[0] == worths[1], "nobody remembers for anybody which treasure has gone"
    assert worths[0]["treasure"] == pytest.approx(11 / 17)


def test_a_way_is_told_to_every_square_with_its_cost_and_its_touches() -> None:
    playing = acting("31", "5", actions=3, mummies={"initkaes": ("A2", "NW")}, who=("sarti", "rice"))
    ways = playing.aids()["ways"]
    assert ways["A1"]["cost"] == len(ways["A1"]["way"])
    for to, told in ways.items():
        at, touches = "31", 0
        for square in told["way"]:
            assert square in playing.game.terms.plan.neighbours[at] or square == "outside"
            touches += len(playing.here.standing_mummies(square))
            at = square
        assert at == to
        assert told["touches"] == touches
        assert told["reach"] == (told["cost"] <= 3)
    assert ways["outside"]["way"][-1] == "outside"


def test_without_the_option_no_odds_are_told() -> None:
    playing = acting("A1", "5", game=table(2, odds=False), who=("sarti", "rice"))
    told = playing.aids()
    assert told["dangers"] is None
    assert told["locks"][0]["opens"] is None
    assert told["tombs"][0]["worth"] is None
    assert told["ways"], "where one can go is no secret"


def test_help_is_there_whatever_is_asked() -> None:
    seen: dict[str, Any] = {}
    shown: Callable[[Any], list[str]] = sorted
    for seed in range(4):
        game = table(4)
        for before, _, _ in course(game, random.Random(seed), bot=planner if seed % 2 else lingering):
            asked = game.ask(before)
            if isinstance(asked, Turn) and before.asking not in seen:
                seen[before.asking] = shown(game.aids(before, None))
    assert seen["act"] == ["actions", "dangers", "left", "locks", "tombs", "ways"]
    assert seen["ready"] == ["count", "dangers", "expected", "level"]
    assert seen["jump"] == ["dangers", "to"]
