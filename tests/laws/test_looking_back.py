"""A table keeps little of what was: whoever looks back sees it as it was, and a whole evening weighs little."""

from __future__ import annotations

import gc
import random
import tracemalloc
from contextlib import suppress
from typing import NamedTuple

import msgspec
import pytest

from companion.game import Ask, Chance, Played, State
from companion.play import position, written
from companion.play.chain import canonical
from companion.play.live_history import LONGEST_AT_HAND
from companion.play.position import Trail
from companion.play.table import HOST, Table
from companion.play.view import view
from companion.refusals import Refusal
from tests.laws.play import WAYS, Presser, Way, some_ways

PRESSES = 60
EVENING = 300  # entries
TABLES = 4
LIMIT = 220_000
"""Bytes that a table may weigh after an evening."""

ways = pytest.mark.parametrize("way", some_ways(__name__), ids=str)
smallest = pytest.mark.parametrize("way", [way for way in WAYS if way.is_smallest], ids=str)


class Was(NamedTuple):
    """What a table was after an entry; what was written, as it is on disk."""

    line: bytes
    state: State
    ask: Ask
    draws: int
    trail: list[tuple[int, bytes]]
    survivors: set[int]


def was(table: Table, seq: int) -> Was:
    there = table.position(seq)
    line = canonical(table.written[seq - 1]) if seq else b""
    return Was(line, there.state, there.ask, there.draws, followed(there.trail), table.survivors(seq))


def followed(trail: Trail | None) -> list[tuple[int, bytes]]:
    """The entries of a trail, newest first."""
    steps = list[tuple[int, bytes]]()
    while trail is not None:
        steps.append((trail.seq, canonical(trail.entry)))
        trail = trail.before.trail
    return steps


@pytest.fixture
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that put nearly everything away."""
    monkeypatch.setattr(position, "AT_HAND", 2)
    monkeypatch.setattr(position, "EVERY", 5)
    monkeypatch.setattr(written, "PACK", 4)
    monkeypatch.setattr(written, "NEWEST", 4)


@ways
@pytest.mark.usefixtures("forgetful")
def test_what_is_made_again_is_what_it_was(way: Way) -> None:
    """Through steps back and forward, corrections and pinches, up to an end."""
    table, luck = way.table(), random.Random(11)
    presser = Presser(table, luck)
    kept = [was(table, 0)]
    for _ in range(PRESSES):
        any_press(presser)
        kept += [was(table, seq) for seq in range(len(kept), table.seq + 1)]
        seq = luck.randrange(len(kept))
        assert was(table, seq) == kept[seq]
    if not table.over():
        table.end(HOST, table.seq, presser.fresh())
        kept.append(was(table, table.seq))
    assert [canonical(line) for line in table.written] == [each.line for each in kept[1:]]
    assert table.written[:] == [*table.written]
    for seq in luck.sample(range(len(kept)), len(kept)):
        assert was(table, seq) == kept[seq]


def any_press(presser: Presser) -> None:
    """A move or a draw, and now and then something else; what is refused changes nothing."""
    table, luck = presser.table, presser.luck
    with suppress(Refusal):
        match luck.randrange(14):
            case 0:
                presser.back()
            case 1:
                presser.back(table.offer(HOST).redo)
            case 2:
                presser.back(luck.randrange(table.seq + 1))
            case 3:
                table.stir(HOST, table.seq, presser.fresh(), "a pinch")
            case 4:
                stands = [
                    {"type": tag, **row}
                    for tag, rows in table.game.correction_form(table.state).stands.items()
                    for row in rows
                ]
                table.correct(HOST, table.seq, presser.fresh(), luck.choice(stands or [{}]))
            case _:
                presser.press()


@smallest
def test_an_evening_at_a_table_weighs_little(way: Way) -> None:
    evenings(way)  # what the games keep for all tables is made once
    assert weight(way) < LIMIT or weight(way) < LIMIT  # a dict of the whole process may grow meanwhile, but not twice


def weight(way: Way) -> float:
    """How many bytes a table takes after an evening."""
    gc.collect()
    tracemalloc.start()
    try:
        tables = evenings(way)
        gc.collect()
        return tracemalloc.get_traced_memory()[0] / len(tables)
    finally:
        tracemalloc.stop()


def evenings(way: Way) -> list[Table]:
    return [evening(way, luck) for luck in range(TABLES)]


def evening(way: Way, luck: int) -> Table:
    """A table that was played and looked at, until it has so many entries or is over."""
    table = way.table()
    presser = Presser(table, random.Random(luck))
    while table.seq < EVENING and presser.press():
        view(table)
    return table


def for_ever(table: Table) -> list[dict[str, object]]:
    """Moves that can be made again and again, and change nothing but what was made last."""
    state, steady = table.state, list[dict[str, object]]()
    for move in table.game.moves(state, 0).moves:
        after = table.game.after(state, Played(0, move))
        with suppress(Refusal):  # of what is done once
            if table.game.after(after, Played(0, move)) == after:
                steady.append(msgspec.to_builtins(move))
    return steady


def test_a_table_that_is_played_at_for_long_does_not_grow_with_it() -> None:
    """Beside the entries themselves, packed: what they led to is made again where somebody looks back."""
    table = next(way for way in WAYS if not way.ends).table()
    while isinstance(table.ask(), Chance):
        table.answer(HOST, table.seq, f"deal {table.seq}", None)
    moves = for_ever(table)

    def weight_once_shortened() -> int:
        base = table.base
        while table.base == base:
            table.play(HOST, table.seq, f"press number {table.seq}", moves[table.seq % len(moves)], seat=0)
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    tracemalloc.start()
    try:
        weight_once_shortened()
        before, seq = weight_once_shortened(), table.seq
        grown = weight_once_shortened() - before
    finally:
        tracemalloc.stop()
    assert seq > LONGEST_AT_HAND
    assert grown < 150 * (table.seq - seq)  # bytes; all that was at hand came to 1,100 for each entry
