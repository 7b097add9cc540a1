"""What a game says for the story of a table holds: how everybody stands, and what may be found."""

from __future__ import annotations

import random

import pytest

from companion import games
from companion.account import Account, nothing_to_find
from companion.game import Chance, Dealt, Finished, Played
from companion.play.story import course, story
from companion.play.table import HOST
from companion.refusals import Illegal
from tests.laws.play import WAYS, Presser, Way, at_random


def said_at(way: Way) -> Account | None:
    """What the game says, if it does."""
    refereed = games.bundle(way.box).refereed if way.mode == "referee" else None
    return refereed().account if refereed else None


ways = pytest.mark.parametrize("way", [way for way in WAYS if said_at(way)], ids=str)


def account_at(way: Way) -> Account:
    account = said_at(way)
    assert account is not None
    return account


@ways
def test_everybody_stands_somewhere_and_at_the_end_where_the_scores_say(way: Way) -> None:
    account, game = account_at(way), way.game()
    for moment in at_random(game, random.Random(str(way)), 3_000):
        stands = account.standings(game, game.sees(moment.after, None).board)
        assert len(stands) == way.seats
        assert len({each.week is None for each in stands}) == 1
        end = game.ask(moment.after)
        if isinstance(end, Finished):
            assert [each.points for each in stands] == [score.total for score in end.scores]


@ways
def test_what_comes_to_light_is_among_what_may(way: Way) -> None:
    account, game = account_at(way), way.game()
    finds = owned = 0
    for moment in at_random(game, random.Random(str(way)), 600):
        owned += isinstance(moment.ask, Chance) and moment.ask.seat is not None
        match moment:
            case (before, Chance() as ask, Dealt(outcome=outcome), _):
                may = account.may_be_found(game, before, ask)
                assert not may or outcome in {each.outcome for each in may if each.weight > 0}
                assert not may or ask.seat is not None
                finds += bool(may)
            case (before, _, Played(seat=seat, move=move), _):
                assert account.idle(game, before, seat, move) >= 0
            case _:
                raise AssertionError(moment)
    assert finds or not owned or account.may_be_found is nothing_to_find


@ways
def test_the_next_game_of_the_same_people_can_be_laid(way: Way) -> None:
    setup = way.setup()
    for _ in range(way.seats):
        setup = account_at(way).once_more(setup)
        games.open_game(setup, games.box(way.box))
    assert [seat.name for seat in setup.seats] == [seat.name for seat in way.setup().seats]


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_the_story_waits_for_the_end_and_the_course_does_not(way: Way) -> None:
    table = way.table()
    account = said_at(way)
    presser = Presser(table, random.Random(str(way)))
    list(presser.go_on(60))
    told = course(table, account)
    assert [step.seq for step in told.steps] == list(range(1, table.seq + 1))
    if not table.over():
        with pytest.raises(Illegal, match="over"):
            story(table, account)
        table.end(HOST, table.seq, "the end")
    end = story(table, account)
    assert end.seq == table.seq
    assert len(end.seats) == (way.seats if account else 0)
    growth = course(table, account).growth
    assert (growth is not None) == (account is not None)
    for line in growth.seats if growth else ():
        assert [point.seq for point in line] == sorted({point.seq for point in line})
