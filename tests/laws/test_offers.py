"""What a game offers can be done: every move it lists, and every correction it lets somebody choose.

A list of what can be put right must not tell what nobody may know. Where there is a secret at a table, it may offer a
thing that turns out not to be there, if by all that everybody sees it could be.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping
from functools import reduce
from operator import or_
from typing import Any

import msgspec
import pytest

from companion.game import AnyGame, Corrected, Correction, CorrectionForm, FieldTable, Json, Played, Seen, Turn
from companion.parts import RuledCorrection
from companion.play.table import HOST
from companion.play.view import view
from companion.printed import FigurePrinted
from companion.referee import Referee
from companion.refusals import Refusal
from companion.terminal import telling
from tests.laws.near import strings
from tests.laws.play import THOROUGH, Presser, Way, at_random, some_ways

GAMES, STEPS, STATES, TRIES = 4, 160, 30 * THOROUGH, 4
PRESSES = 40

Said = dict[str, Json]
ways = pytest.mark.parametrize("way", some_ways(__name__), ids=str)


class Watched:
    """Some games at random, and states of them."""

    def __init__(self, way: Way) -> None:
        self.game = way.game()
        self.luck = random.Random(str(way))
        self.tags = [str(kind.__struct_config__.tag) for kind in self.game.correction_types]
        seeds = (random.Random(f"{way} {seed}") for seed in range(GAMES))
        moments = [moment for seed in seeds for moment in at_random(self.game, seed, STEPS)]
        self.states = [moment.before for moment in self.luck.sample(moments, min(STATES, len(moments)))]


def kind_of(game: AnyGame, tag: str) -> type[Correction]:
    """The correction of a name."""
    return next(kind for kind in game.correction_types if kind.__struct_config__.tag == tag)


def made(game: AnyGame, said: Mapping[str, Json]) -> Corrected:
    """The step that puts something right, from what somebody sends."""
    kinds: Any = reduce(or_, game.correction_types)
    return Corrected(msgspec.convert(said, kinds))


def chosen(tables: tuple[FieldTable, ...], luck: random.Random) -> Said | None:
    """A row of each table, such that they agree; None where the first ones leave nothing for the others."""
    said: Said = {}
    for together in tables:
        known = [(at, said[field]) for at, field in enumerate(together.fields) if field in said]
        rows = [row for row in together.rows if all(is_same(row[at], value) for at, value in known)]
        if not rows:
            return None
        said |= zip(together.fields, luck.choice(rows), strict=True)
    return said


def is_same(one: Json, other: Json) -> bool:
    """Whether two values are one in JSON, where true is not 1."""
    return one == other and type(one) is type(other)


def filled(game: AnyGame, tag: str, mending: CorrectionForm, luck: random.Random) -> Said | None:
    """A correction as a screen would fill it in: chosen where there is a list, else as it stands, else 0 or nothing."""
    said = chosen(mending.tables.get(tag, ()), luck)
    if said is None:
        return None
    standing = [row for row in mending.stands.get(tag, ()) if all(is_same(row[name], said[name]) for name in said)]
    for field in msgspec.structs.fields(kind_of(game, tag)):
        name = field.encode_name
        if name not in said and (standing and luck.random() < 0.5):
            said[name] = luck.choice(standing)[name]
        elif name not in said and field.required:
            said[name] = "" if field.type is str else 0
    return {"type": tag, **said}


def refusal_of(game: AnyGame, state: Any, step: Corrected) -> Refusal | None:
    """Why something is not put right; None where it is."""
    try:
        game.after(state, step)
    except Refusal as refusal:
        return refusal
    return None


def seems_right(game: AnyGame, state: Any, step: Corrected) -> bool:
    """Whether something could be so by all that everybody sees, which is not all there is."""
    assert isinstance(game, Referee)
    assert isinstance(step.correction, RuledCorrection)
    seen = game.as_seen(state, None)
    return seen.state != state and step.correction.offered(seen)


@ways
def test_every_move_that_is_listed_is_accepted_and_loses_nothing(way: Way) -> None:
    watched, played = Watched(way), 0
    game = watched.game
    for state in watched.states:
        ask, census = game.ask(state), game.census(state)
        if not isinstance(ask, Turn):
            continue
        seat = watched.luck.choice(ask.seats)
        listed = game.moves(state, seat).moves
        assert len(set(listed)) == len(listed), "a move is listed once"
        for move in listed:
            assert game.census(game.after(state, Played(seat, move))) == census, move
        played += len(listed)
    assert played > 0


@ways
def test_every_correction_that_is_offered_is_accepted_and_loses_nothing(way: Way) -> None:
    watched, accepted = Watched(way), set[str]()
    game = watched.game
    for state in watched.states:
        mending, census = game.correction_form(state), game.census(state)
        offered = (filled(game, tag, mending, watched.luck) for tag in watched.tags for _ in range(TRIES))
        for said in filter(None, offered):
            step = made(game, said)
            refusal = refusal_of(game, state, step)
            if refusal is None:
                assert game.census(game.after(state, step)) == census, said
                accepted.add(str(said["type"]))
            else:
                assert seems_right(game, state, step), f"{said}: {refusal}"
    assert accepted or not watched.tags, "nothing was ever put right"


@ways
def test_what_is_said_as_it_stands_leaves_everything_where_it_stands(way: Way) -> None:
    """A marker that is said to stand where it does goes on top of its stack; said again, it changes nothing at all."""
    watched = Watched(way)
    game = watched.game
    for state in watched.states[: STATES // 3]:
        mending, census = game.correction_form(state), game.census(state)
        shown = words(game.sees(state, seat) for seat in (None, *range(way.seats)))
        for tag, standing in mending.stands.items():
            for said in watched.luck.sample(standing, min(len(standing), TRIES)):
                assert said["type"] == tag
                of_box = ("part", "figure") if kind_of(game, tag) is FigurePrinted else ()
                printed = {str(said[name]) for name in of_box}
                assert strings(said) - {tag, "", *said} - printed <= shown, "nobody is told more than is seen"
                step = made(game, said)
                once = game.after(state, step)
                if once != state:
                    assert game.census(once) == census, said
                    assert game.correction_form(once).stands == mending.stands, said
                    assert game.after(once, step) == once, said


@ways
def test_who_is_meant_by_a_number_is_said_and_sits_there(way: Way) -> None:
    """A screen tells a seat from a number by nothing else: neither by a field's name nor by its type. It lists each
    choice once."""
    watched = Watched(way)
    game = watched.game
    for state in watched.states:
        mending = game.correction_form(state)
        for tag in watched.tags:
            assert all(len(set(map(repr, each.rows))) == len(each.rows) for each in mending.tables[tag]), "once each"
            seated, kind = set(mending.seats[tag]), kind_of(game, tag)
            fields = {field.encode_name: field.type for field in msgspec.structs.fields(kind)}
            assert seated <= fields.keys()
            assert {name for name in fields if name == "seat"} <= seated, tag
            for together in mending.tables.get(tag, ()):
                said = [(name, row[at]) for at, name in enumerate(together.fields) for row in together.rows]
                meant = {name: {value for each, value in said if each == name} for name in together.fields}
                for name, values in meant.items():
                    numbers = {value for value in values if isinstance(value, int) and not isinstance(value, bool)}
                    assert name not in seated or numbers <= set(range(way.seats)), (tag, name)
                    assert name in seated or not (numbers and any(isinstance(value, str) for value in values))


@ways
def test_a_terminal_tells_what_was_put_right_by_name(way: Way) -> None:
    """Whoever and whatever is known is called by its name, never by a question mark."""
    table = way.table(default="table")
    presser, told = Presser(table, random.Random(f"{way} told")), 0
    pressed = 0
    for pressed, _ in enumerate(presser.go_on(PRESSES)):
        if pressed % 3:
            continue
        mending = table.game.correction_form(table.state)
        tag = presser.luck.choice([*mending.tables]) if mending.tables else ""
        said = filled(table.game, tag, mending, presser.luck) if tag else None
        if said is None or refusal_of(table.game, table.state, made(table.game, said)) is not None:
            continue
        table.correct(HOST, table.seq, presser.fresh(), said)
        seen: Any = view(table, HOST)
        sentence = telling.log_sentence("en", seen, seen["log"][-1])
        assert "?" not in sentence, said
        assert not re.search(r"\d+ stands|\{", sentence), said
        told += 1
        if table.over():
            break
        presser.back()
    assert told or pressed < PRESSES // 2 or not table.game.correction_types


def words(seen: Iterator[Seen]) -> set[str]:
    """All words that somebody sees."""
    return set().union(*(strings(each.board) | strings(each.you or {}) for each in seen))
