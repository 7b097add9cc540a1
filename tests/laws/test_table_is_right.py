"""The table is right: what only our own figures rule out is believed, and the next table can be laid with it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion import games
from companion.boxes import owners
from companion.game import AnyGame, Chance, Dealt, Finished, Move, Played, Step, Turn
from companion.pieces.box_differences import FigureOverride, places
from companion.play.bounds import MOST_ENTRIES
from companion.play.history import History
from companion.play.table import HOST
from tests.laws.play import GAMES, WAYS, Presser, Way, any_step, counts

STEPS = 160


def most_reported() -> Iterator[Way]:
    """Of each game of which another copy may have other parts, the ways in which the table reports most of what falls:
    as few sit there as can, and as many."""
    for name, mode in GAMES:
        by_table: dict[Way, int] = {}
        for way in WAYS:
            if (way.box, way.mode) == (name, mode) and getattr(way.game(), "loose", {}):
                setup = way.setup(default="table")
                by_table[way] = sum(setup.source(each) == "table" for each in way.game().randomizers)
        ways = [way for way in by_table if by_table[way] == max(by_table.values())]
        if ways:
            yield from dict.fromkeys((ways[0]._replace(seats=games.box(name).seats.min), ways[-1]))


REPORTED = tuple(most_reported())
ways = pytest.mark.parametrize("way", REPORTED, ids=str)


def game_of(way: Way) -> AnyGame:
    """A game whose randomizers people report, as far as they can."""
    return games.open_game(way.setup(default="table"), games.box(way.box))


def played(game: AnyGame, way: Way, luck: random.Random) -> tuple[Any, list[tuple[Any, Step, Any]]]:
    """A game at random, in which the table often shows what the box does not have."""
    state, steps = game.start(), list[tuple[Any, Step, Any]]()
    for _ in range(MOST_ENTRIES if way.ends else STEPS):
        ask = game.ask(state)
        if isinstance(ask, Finished):
            break
        besides = game.off_list_outcomes(state)
        if besides and luck.random() < 0.2:
            step: Step = Dealt(luck.choice(besides))
        elif isinstance(ask, Turn) and way.mode == "toolbox" and luck.random() < 0.5:
            step = drawing(game, state, luck) or any_step(game, state, ask, luck)
        else:
            step = any_step(game, state, ask, luck)
        after = game.after(state, step)
        steps.append((state, step, after))
        state = after
    return state, steps


def drawing(game: AnyGame, state: Any, luck: random.Random) -> Played | None:
    """A step after which the table is asked for something, so that a toolbox is not only counted with."""
    if not isinstance(game.ask(state), Turn):
        return None
    kinds: dict[type, list[Move]] = {}
    for move in game.moves(state, 0).moves:
        kinds.setdefault(type(move), []).append(move)
    for kind in luck.sample(sorted(kinds, key=str), len(kinds)):
        step = Played(0, luck.choice(kinds[kind]))
        if isinstance(game.ask(game.after(state, step)), Chance):
            return step
    return None


@ways
def test_a_report_that_only_our_figures_rule_out_is_believed_and_nothing_is_lost(way: Way) -> None:
    believed = 0
    for seed in range(3):
        game = game_of(way)
        census = counts(game.census(game.start()))
        state, steps = played(game, way, random.Random(f"{way} {seed}"))
        assert not way.ends or isinstance(game.ask(state), Finished), "not played to its end"
        for before, step, after in steps:
            assert counts(game.census(after)) == census, step
            if not isinstance(step, Dealt) or step.outcome not in game.off_list_outcomes(before):
                continue
            believed += 1
            for seat in (None, *range(way.seats)):
                shown = game.sees(after, seat)
                told = game.tells(before, step, seat)
                lines = game.differences(after, seat)
                assert json.dumps([shown.board, shown.you, told, lines, game.aids(after, seat)])
                assert told["type"]
        assert json.dumps([together.rows for each in game.correction_form(state).tables.values() for together in each])
        again = game.start()
        for before, step, _ in steps:
            assert again == before
            again = game.after(again, step)
        assert again == state
    assert believed, "nothing was ever believed"


@ways
def test_such_a_table_is_undone_and_replayed_alike(way: Way) -> None:
    table = way.table(default="table")
    presser, luck, believed = Presser(table, random.Random(str(way))), random.Random(f"of {way}"), 0
    for _ in range(120):
        besides = table.game.off_list_outcomes(table.state)
        if besides and luck.random() < 0.4:
            before = table.state
            table.answer(HOST, table.seq, presser.fresh(), luck.choice(besides))
            after, seq, believed = table.state, table.seq, believed + 1
            if table.over():
                break
            assert after != before
            presser.back(seq - 1)
            assert table.state == before
            table.take_back(HOST, table.seq, presser.fresh(), seq)
            assert table.state == after
        elif way.mode == "toolbox" and (step := drawing(table.game, table.state, luck)):
            move = msgspec.to_builtins(step.move)
            table.play(HOST, table.seq, presser.fresh(), move, seat=step.seat)
        elif not presser.press():
            break
    assert believed, "nothing was ever believed"
    assert History(table.game, table.laid, table.written).state == table.state


@ways
def test_the_next_table_is_laid_with_what_was_noted(way: Way, tmp_path: Path) -> None:
    noted = 0
    for seed in range(2):
        folder, game, box = tmp_path / str(seed), game_of(way), games.box(way.box)
        state, _ = played(game, way, random.Random(f"noted {way} {seed}"))
        differing = game.differing(game.closed(state), None)
        figures = game.noted(game.closed(state), None)
        if not figures:
            continue
        owners.write_figures(folder, way.box, figures)
        own = games.box(way.box, overrides=folder)
        assert all(owners.has(own, key, value) for key, value in figures.items())
        assert not all(owners.has(box, key, value) for key, value in figures.items())
        assert own.digest != box.digest
        for where in places(differing):
            assert own.origin(next(key for key in figures if key.startswith(where))) != "rules"
        later = games.open_game(way.setup(default="table"), own)
        played(later, way, random.Random(seed))
        noted += 1
    assert noted, "nothing was ever noted"


@ways
def test_the_companion_never_draws_what_the_box_does_not_have(way: Way) -> None:
    """The same table, at which it draws all that it can."""
    table = way.table()
    for _ in Presser(table, random.Random(1)).go_on(60):
        ask = table.ask()
        if isinstance(ask, Chance) and table.setup.source(ask.randomizer) == "companion":
            assert table.game.off_list_outcomes(table.state) == ()


@pytest.mark.parametrize("name", [name for name in dict(GAMES) if games.box(name).readings])
def test_what_may_be_printed_otherwise_holds_and_no_rule_states_it(name: str) -> None:
    box, luck = games.box(name), random.Random(name)
    for key in luck.sample(sorted(box.readings), min(40, len(box.readings))):
        assert box.origin(key) != "rules"
        assert box.reads[key] in box.readings[key], key
        for value in {min(box.readings[key]), max(box.readings[key])}:
            copy = box.as_shown((), (FigureOverride(key, value),))
            assert list(copy.doubts()) == [], (key, value)
            assert copy.reads.get(key, value) == value
