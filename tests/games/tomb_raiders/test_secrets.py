"""Who may know what: a hand is one seat's, and no pile is counted, by anybody, in anything that anybody receives."""

from __future__ import annotations

import inspect
import json
import random
import sys
from collections.abc import Callable
from itertools import pairwise
from types import FrameType
from typing import Any

import msgspec
import pytest

from companion.game import Chance
from companion.games.tomb_raiders.moves import Dig, Play
from companion.play.table import HOST, SPECTATOR, Actor
from companion.play.view import LOG_LINES, log, view
from tests.games.in_play import at_the_table
from tests.games.tomb_raiders.camp import Camp
from tests.laws.play import Presser, Way


@pytest.mark.rule("TTR-80")
def test_a_hand_is_seen_by_its_owner_and_others_see_its_size() -> None:
    camp = Camp(3)
    camp.give(0, "thief-egypt", "tomb_raiders-crete")
    for viewer in (None, 1, 2):
        seen = camp.game.sees(camp.state, viewer)
        assert seen.board["seats"][0]["hand"] == 8  # type: ignore[index,call-overload]
        aids = camp.game.aids(camp.state, viewer)
        for told in (seen.you or {}, aids, seen.board["seats"], seen.board["task"]):
            assert "thief-egypt" not in json.dumps(told)
        assert not {"play", "dig", "permits", "keep"} & aids.keys()
    own = camp.game.sees(camp.state, 0).you or {}
    assert {card["id"] for card in own["hand"]} > {"thief-egypt", "tomb_raiders-crete"}  # type: ignore[union-attr,index,call-overload]
    assert "thief-egypt" in camp.game.aids(camp.state, 0)["play"]  # type: ignore[operator]
    assert camp.game.sees(camp.state, None).you is None


@pytest.mark.rule("TTR-13", "TTR-33", "TTR-80")
def test_only_the_seat_that_looks_is_shown_the_pile_and_the_rubble_is_not_counted() -> None:
    camp = Camp(2)
    camp.give(0, "scientist")
    camp.lie("egypt", "artifact-egypt-6", *["rubble-egypt"] * 4)
    camp.play(Play("scientist", "egypt"))
    camp.draw("seen")
    assert camp.who().look is not None
    assert "4" not in msgspec.json.encode((camp.game.sees(camp.state, 0).you or {})["look"]).decode()
    for viewer in (None, 1):
        assert "artifact-egypt-6" not in json.dumps(camp.game.sees(camp.state, viewer).you)


@pytest.mark.rule("TTR-13")
def test_no_odds_are_shown_of_what_lies_on_a_pile() -> None:
    table, asked = Way("tomb_raiders", "referee", 2).table(), 0
    for seq in Presser(table, random.Random(7)).go_on(400):
        ask = table.ask(seq - 1)
        if isinstance(ask, Chance) and ask.randomizer == "piles":
            for actor in (SPECTATOR, Actor("seat", 0), Actor("seat", 1)):
                shown: Any = view(table, actor, seq=seq - 1)["ask"]
                assert ask.question.startswith("look") or not any(weight for _, weight in shown["odds"])
            asked += 1
    assert asked


@pytest.mark.rule("TTR-13")
def test_what_nobody_sees_is_told_once_and_leaves_room_in_the_log() -> None:
    table = Way("tomb_raiders", "referee", 2).table()
    list(Presser(table, random.Random(9)).go_on(40))
    lines = log(table, None, table.seq)
    said = [json.loads(line)["what"]["type"] for line in lines]
    assert said.count("shuffled") > 1
    assert ("shuffled", "shuffled") not in set(pairwise(said))
    assert len(lines) == LOG_LINES


@pytest.mark.rule("TTR-33")
def test_what_a_seat_has_looked_at_it_cannot_take_back() -> None:
    camp = Camp(2)
    camp.give(0, "scientist")
    camp.lie("egypt", "artifact-egypt-6", "rubble-egypt")
    table, ada = at_the_table(camp.game, camp.state), Actor("seat", 0)
    table.play(ada, table.seq, "look", msgspec.to_builtins(Play("scientist", "egypt")))
    offer = table.offer(ada)
    assert (offer.open, offer.why) == (False, "undo.revealed")
    assert table.offer(HOST).open, "the host can, for all to see"


def work(press: Callable[[], object]) -> int:
    """How much is done in a press: the functions it calls, which is what its time depends on."""
    calls = 0

    def count(frame: FrameType, event: str, arg: object) -> None:
        nonlocal calls
        calls += event == "call" and not frame.f_code.co_flags & inspect.CO_GENERATOR

    sys.setprofile(count)
    try:
        press()
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.rule("TTR-13")
def test_a_dig_takes_as_much_work_whatever_lies_there() -> None:
    """Time tells nothing either: until a card is shown, as many calls are made for a bare pile as for a full one."""
    worked = []
    for most in (False, True):
        camp = Camp()
        camp.ready_to_dig()
        dig = next(move for move in camp.moves if isinstance(move, Dig))
        camp.play(dig)

        def press(camp: Camp = camp, most: bool = most) -> None:
            while isinstance(ask := camp.game.ask(camp.state), Chance) and ask.hidden:
                falls = [outcome for outcome, weight in ask.odds if weight]
                camp.deal(falls[-1] if most else falls[0])

        for warm in range(2):  # the odds are worked out once
            before = camp.state
            calls = work(press)
            if not warm:
                camp.state = before
        worked.append(calls)
    assert abs(worked[0] - worked[1]) <= 0.02 * max(worked), worked
