"""What a dig is said to bring: by what everybody has seen, and right on average."""

from __future__ import annotations

import random
from itertools import islice
from typing import Any

import pytest

from companion.game import Chance, Dealt, Finished, Played
from companion.games.tomb_raiders.draws import NOTHING
from companion.games.tomb_raiders.forecast import Forecast, forecast
from companion.games.tomb_raiders.moves import Dig
from companion.games.tomb_raiders.rules import TombRaiders
from companion.trials import random_outcome
from tests.games.tomb_raiders.camp import Camp, game

GAMES = 60
DIGS = 600


def foretold(camp: Camp, region: str = "egypt") -> Forecast:
    return forecast(camp.game.as_seen(camp.state, None), region)


def brought(playing: TombRaiders, seed: int) -> list[tuple[float, float, int, int]]:
    """Of each dig of a game at random: the cards and points to be expected, and those that came."""
    luck, state, digs = random.Random(seed), playing.start(), list[tuple[float, float, int, int]]()
    said, cards, points = (0.0, 0.0), 0, 0
    while not isinstance(ask := playing.ask(state), Finished):
        if isinstance(ask, Chance):
            outcome = random_outcome(ask, luck)
            if ask.question.startswith("find") and state.task and state.task.does == "dig" and outcome != NOTHING:
                cards, points = cards + 1, points + playing.terms.artifacts.get(str(outcome), ("", 0))[1]
            state, digging = playing.after(state, Dealt(outcome)), state.task
            if digging and digging.does == "dig" and not state.task:
                digs.append((*said, cards, points))
            continue
        moves = playing.moves(state, ask.seats[0]).moves
        digs_now = [move for move in moves if isinstance(move, Dig)]
        move = luck.choice(digs_now) if digs_now and luck.random() < 0.3 else luck.choice(moves)
        if isinstance(move, Dig):
            here = playing.as_seen(state, None, ask.seats[0])
            expected, shown = forecast(here, move.region), move.cards(here)
            said, cards, points = (expected.cards[shown], expected.points[shown]), 0, 0
        state = playing.after(state, Played(ask.seats[0], move))
    return digs


@pytest.mark.rule("TTR-13", "TTR-43")
def test_it_is_right_on_average() -> None:
    playing = game(3)
    digs = list(islice((dig for seed in range(GAMES) for dig in brought(playing, seed)), DIGS))
    assert len(digs) == DIGS
    means = [sum(dig[part] for dig in digs) / DIGS for part in range(4)]
    assert means[0] == pytest.approx(means[2], rel=0.08)
    assert means[1] == pytest.approx(means[3], rel=0.12)


@pytest.mark.rule("TTR-13")
def test_of_a_pile_that_was_drawn_out_only_what_came_since_is_unknown() -> None:
    camp = Camp()
    camp.ready_to_dig()
    before = foretold(camp)
    assert before.lie > 0
    camp.lie("egypt", "artifact-egypt-1", "rubble-egypt")
    camp.play(Dig("egypt", 12, "region"))
    camp.draw("rubble-egypt", "artifact-egypt-1", NOTHING)
    after = foretold(camp)
    assert (after.lie, after.cards[:3], after.points[3]) == (1.0, (0.0, 1.0, 1.0), 0.0)
    camp.state = camp.here().replace(turned=camp.state.turned + 1).state
    assert foretold(camp).lie == pytest.approx(1 + 18 / (1 + camp.state.deck.total))


def test_it_goes_by_the_gaps_between_green_cards() -> None:
    """Of 20 cards, of 84 gaps those before the fifth green card are past: 20 × 5 / 84, whatever has come of others."""
    camp = Camp()
    assert foretold(camp).lie == pytest.approx(20 * 5 / 84)
    camp.find(1, "artifact-greece-1")
    assert foretold(camp).lie == pytest.approx(20 * 6 / 85), "one card more is known to have come"


def test_without_the_option_and_with_real_cards_nothing_is_foretold() -> None:
    for options in ({"forecast": False}, {"cards": "mixed"}, {"cards": "real"}):
        camp = Camp(**options)
        aids: Any = camp.game.aids(camp.state, None)
        assert aids["digs"]["egypt"]["forecast"] is None
    told: Any = Camp().game.aids(Camp().state, None)
    assert told["digs"]["egypt"]["forecast"]["cards"][0] == 0
