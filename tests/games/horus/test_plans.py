"""No rule rests on a figure of the box: the laws hold over plans that somebody's copy might show, some of them mean."""

from __future__ import annotations

import random

import pytest

from companion.game import Chance, Finished, Played, Turn
from companion.games.horus import refereed
from companion.games.horus.bots import planner
from companion.games.horus.box import HorusBox
from companion.games.horus.events import Sealing
from companion.games.horus.rules import Horus
from companion.games.horus.view import board
from companion.referee import Referee
from companion.trials import at_random, play_out
from tests.games.horus.pyramids import BOX, box_with, lingering, table
from tests.laws.play import course

ONE_WAY_OUT = """
[plan]
entrances = ["2"]
walls = [["1", "5"], ["3", "7"], ["4", "8"], ["10", "14"], ["9", "13"], ["12", "16"]]
"""
LONG_WALLS = (
    '[plan]\nwalls = [["5", "9"], ["6", "10"], ["7", "11"], ["13", "17"], ["14", "18"], ["15", "19"], ["21", "31"],'
    ' ["23", "33"], ["25", "35"], ["27", "28"], ["22", "32"], ["24", "34"], ["26", "36"], ["A1", "17"], ["A2", "21"],'
    ' ["A3", "23"], ["A4", "25"], ["A5", "27"]]'
)
BESIDE_WATER = """
[plan]
areas = { den = "1-12", sand = "13-20", pond = "21-36" }
entrances = ["1", "A1", "T5"]
sarcophagi.horus = ["NW", "H1", "H2", "NE"]
alcoves = { anubis = ["A4"], thoth = ["A4"], horus = ["H2", "H3"], sobek = ["H2"], hededet = ["T1"] }
"""
OTHER_FIGURES = """
[dice]
mummies_from = 2
[decks]
idols = { hededet = 1, sobek = 20, thoth = 2, anubis = 2, horus = 3 }
[locks]
horus = [2, 6]
"""
PLANS = {
    "ours": BOX,
    "one way out": box_with(ONE_WAY_OUT),
    "long walls": box_with(LONG_WALLS),
    "alcoves beside water": box_with(BESIDE_WATER),
    "other figures": box_with(OTHER_FIGURES),
}
plans = pytest.mark.parametrize("box", PLANS.values(), ids=PLANS.keys())
PLAYERS = (at_random, lingering, planner)


def games(box: HorusBox) -> list[tuple[Horus, int]]:
    return [(table(2 + seed % 5, box=box, total_secrecy=seed % 2 == 0), seed) for seed in range(6)]


@plans
def test_every_game_ends_and_nothing_is_lost_on_the_way(box: HorusBox) -> None:
    for game, seed in games(box):
        census = game.census(game.start())
        last = game.start()
        for _, _, after in course(game, random.Random(seed), bot=PLAYERS[seed % 3]):
            assert game.census(after) == census
            last = after
        ended = game.ask(last)
        assert isinstance(ended, Finished)
        assert set(ended.winners) <= {seat for seat, each in enumerate(last.adventurers) if each.fate == "left"}
        assert all(each.fate in ("left", "sealed", "turned") for each in last.adventurers)


@plans
@pytest.mark.rule("HOR-31", "HOR-52")
def test_nobody_stands_under_a_block_or_inside_without_a_way_out(box: HorusBox) -> None:
    for game, seed in games(box):
        for _, _, after in course(game, random.Random(seed), bot=PLAYERS[seed % 3]):
            fallen = frozenset(map(str, after.fallen))
            if any(isinstance(event, Sealing) for event in after.pending):
                continue
            ways_out = game.terms.plan.open_squares(fallen)
            for each in after.adventurers:
                assert each.fate != "inside" or each.square in ways_out


@plans
@pytest.mark.rule("HOR-12", "HOR-43")
def test_nobody_is_asked_for_more_while_somebody_holds_too_many_cards(box: HorusBox) -> None:
    for game, seed in games(box):
        for _, _, after in course(game, random.Random(seed), bot=PLAYERS[seed % 3]):
            held = [game.at(after).held(seat) for seat in game.at(after).inside]
            assert max(held, default=0) <= 12 or after.asking == "discard"


@plans
@pytest.mark.rule("HOR-30")
def test_the_fast_list_is_the_whole_list_and_is_accepted(box: HorusBox) -> None:
    for game, seed in games(box)[:3]:
        for before, step, _ in course(game, random.Random(seed), bot=PLAYERS[seed % 3]):
            if not isinstance(step, Played) or random.Random(str(step)).random() > 0.3:
                continue
            here = game.at(before, step.seat)
            listed = game.moves(before, step.seat).moves
            assert set(listed) == set(Referee.listed(game, here))
            assert len(set(listed)) == len(listed)
            for move in listed:
                game.after(before, Played(step.seat, move))


@plans
@pytest.mark.rule("HOR-03")
def test_somebody_is_asked_or_something_is_drawn_until_the_end(box: HorusBox) -> None:
    for game, seed in games(box)[:3]:
        for before, _, _ in course(game, random.Random(seed), bot=PLAYERS[seed % 3]):
            asked = game.ask(before)
            shown = board(game.at(before))
            if isinstance(asked, Turn):
                assert shown["turn"] == asked.seats[0]
                assert shown["asking"], "everybody is told what is waited for"
            else:
                assert isinstance(asked, Chance)
                assert asked.seat is not None
                assert asked.rule


@plans
def test_a_replay_is_the_same_game(box: HorusBox) -> None:
    game, seed = games(box)[1]
    steps, last = [], game.start()
    for _, step, after in course(game, random.Random(seed), bot=planner):
        steps.append(step)
        last = after
    again = Horus(game.setup, box)
    state = again.start()
    for step in steps:
        state = again.after(state, step)
    assert state == last


def test_who_plans_leaves_in_time() -> None:
    trial = play_out(table(4), refereed(), ["sensible"] * 4, games=40, seed=3)
    out = sum(total > 0 for scores in trial.scores for total in scores)
    assert out >= 0.9 * 4 * 40
