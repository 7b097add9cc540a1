"""A law of every refusal: a program is told by it what a person is, and no more."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from itertools import chain, count, islice

import pytest

from companion import games
from companion.game import AnyGame, Corrected, Dealt, Played, Step, Turn, scope_of
from companion.refusals import Illegal, Refusal
from companion.words import said_of
from tests.laws.near import any_correction, misses, strings
from tests.laws.play import WAYS, Moment, Way, at_random

STEPS = 120
"""Of as many games as that takes: one at random may be over soon."""
EVERY = 5


def tried(game: AnyGame, moment: Moment, luck: random.Random) -> Iterator[Step]:
    """What a hand might try that is not, or is hardly, to be done."""
    ask = moment.ask
    yield Dealt("nothing of the sort")
    if isinstance(ask, Turn):
        listed = game.moves(moment.before, ask.seats[0]).moves
        yield from (Played(ask.seats[0], move) for move in misses(game.move_types, listed, luck, 6))
    correction = any_correction(game.correction_types, sorted(strings(game.sees(moment.before, None).board)), luck)
    if correction is not None:
        yield Corrected(correction)


def refusals(way: Way) -> Iterator[Refusal]:
    game, luck = way.game(), random.Random(str(way))
    moments = chain.from_iterable(at_random(game, luck, STEPS) for _ in count())
    for number, moment in enumerate(islice(moments, STEPS)):
        for step in tried(game, moment, luck) if number % EVERY == 0 else ():
            try:
                game.after(moment.before, step)
            except Refusal as refusal:
                yield refusal


def ledger(way: Way) -> set[str]:
    """The rules that are written down for a table, by their ids; all of a box go by its letters."""
    written = (games.folder(scope) / "RULES.md" for scope in scope_of(way.box, way.mode))
    return {games.box(way.box).rule_prefix} | {
        each for file in written for each in re.findall(r"\b[A-Z]{3}-\d\d\b", file.read_text("utf-8"))
    }


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_refusal_tells_a_program_what_its_sentence_says_and_no_more(way: Way) -> None:
    heard, rules = 0, ledger(way)
    for refusal in refusals(way):
        told = refusal.plain()
        assert json.loads(json.dumps(told, allow_nan=False)) == told
        assert set(told) == {"code", "key", "rule", "facts"}
        assert set(told["facts"]) <= said_of("en", refusal.key)
        assert refusal.rule or not isinstance(refusal, Illegal), f"{refusal.key}: by which rule?"
        assert not refusal.rule or refusal.rule in rules, f"{refusal.rule} is not in RULES.md"
        heard += 1
    assert heard >= STEPS // EVERY, "a report of nonsense each time"
