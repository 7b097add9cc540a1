"""A table that is opened from a snapshot is the table: whoever looks at it or plays on sees no difference."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

import msgspec
import pytest

from companion.play import history, position, view, written
from companion.play.entries import JournalLine, OutcomeRecorded
from companion.play.journal import NoJournal
from companion.play.opening import table_of
from companion.play.partial_history import CARRIED
from companion.play.record import encode, export
from companion.play.replays import no_replays
from companion.play.snapshots import Snapshot
from companion.play.state_codec import pack, unpack
from companion.play.table import HOST, SPECTATOR, Actor, Table
from companion.play.view import view_in_json
from companion.refusals import Asleep, Malformed
from tests.laws.play import KEYS, SECRET, WAYS, Presser, Way, some_ways
from tests.laws.test_looking_back import any_press

PRESSES = 70
LINES = 12
SEEDS = 8
"""So many lines of the log are at hand: all that are shown, and one."""

ways = pytest.mark.parametrize("way", some_ways(__name__), ids=str)


class Memory(NoJournal):
    """Keeps entries as long as the program runs."""

    def __init__(self) -> None:
        self.lines: list[JournalLine] = []

    def append(self, table: str, written: Sequence[JournalLine]) -> None:
        self.lines += written

    def entries(self, table: str, after: int = 0) -> list[JournalLine]:
        return self.lines[after:]

    def answered(self, table: str, request: str) -> tuple[int, str | None] | None:
        return next(((line.seq, line.asked) for line in self.lines if line.request == request), None)


@pytest.fixture(autouse=True)
def forgetful(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that put nearly everything away, and can be kept from nearly everywhere."""
    monkeypatch.setattr(position, "AT_HAND", 2)
    monkeypatch.setattr(position, "EVERY", 5)
    monkeypatch.setattr(history, "POINTS_EVERY", 4)
    monkeypatch.setattr(written, "PACK", 4)
    monkeypatch.setattr(written, "NEWEST", 4)
    monkeypatch.setattr(view, "LOG_LINES", LINES - 1)


def played(way: Way, seed: int, *, backwards: bool = True) -> tuple[Table, Memory, Presser]:
    journal, laid = Memory(), way.table().laid
    laid = msgspec.structs.replace(laid, chain=1)
    presser = Presser(table_of(laid, SECRET, KEYS, journal, clock=lambda: 1), random.Random(seed))
    for _ in range(PRESSES):
        if backwards:
            any_press(presser)
        else:
            presser.press()
    return presser.table, journal, presser


class Kept(NamedTuple):
    """A game that was played, and a snapshot of it."""

    table: Table
    journal: Memory
    presser: Presser
    snapshot: Snapshot


def long_enough(way: Way, seed: int, *, backwards: bool = True, over: bool = True) -> Kept | None:
    """The first game from a seed on of which there is something to keep; and, if that matters, that is not over. None
    where games are over too soon."""
    for luck in range(seed, seed + SEEDS):
        table, journal, presser = played(way, luck, backwards=backwards)
        snapshot = table.snapshot(LINES)
        if snapshot is not None and (over or not table.over()):
            return Kept(table, journal, presser, snapshot)
    return None


def opened(table: Table, journal: Memory, snapshot: Snapshot) -> Table:
    lines = journal.entries(table.id, snapshot.base)
    return table_of(table.laid, SECRET, KEYS, journal, clock=lambda: 1, written=lines, snapshot=snapshot)


def seen(table: Table, seq: int | None = None) -> list[bytes]:
    """All that anybody sees of a table."""
    seats = [Actor("seat", seat) for seat in range(len(table.setup.seats))]
    looks = [view_in_json(table, actor, seq=seq) for actor in (HOST, SPECTATOR, *seats)]
    return [*looks, view_in_json(table, HOST, seq=seq, seat=0)]


@ways
def test_a_table_from_a_snapshot_is_the_table(way: Way) -> None:
    kept = long_enough(way, seed=21)
    if kept is None:
        return
    table, journal, presser, snapshot = kept
    again = opened(table, journal, unpack(pack(snapshot)))
    assert 0 < again.base < again.seq == table.seq
    assert seen(again) == seen(table)
    assert {name: again.__dict__[name] for name in CARRIED} == {name: table.__dict__[name] for name in CARRIED}
    third = opened(table, journal, snapshot)
    for seq in presser.luck.sample(range(table.seq + 1), 6):
        assert seen(third, seq) == seen(table, seq)
    assert third.survivors() == table.survivors()
    assert encode(export(third)) == encode(export(table))
    assert third.base == 0, "all its entries are at hand from then on"


@ways
def test_it_holds_as_many_lines_of_the_log_as_are_wanted_and_begins_no_sooner(way: Way) -> None:
    """Of a run of draws that nobody sees, one line is counted."""
    table, _, _ = played(way, seed=23)
    if table.over():
        return
    points = range(history.POINTS_EVERY, table.seq + 1, history.POINTS_EVERY)[-history.POINTS :]

    def lines_after(seq: int) -> int:
        unseen = (
            isinstance(table.written[each - 1].entry, OutcomeRecorded) and not table.reveals(each)
            for each in table.logged[table.logged.up_to(seq) :]
        )
        return sum(1 if is_unseen else len([*run]) for is_unseen, run in groupby(unseen))

    for most in range(1, lines_after(0) + 2):
        snapshot = table.snapshot(most)
        fitting = [point for point in points if point < table.seq and lines_after(point) >= most]
        assert (snapshot.base if snapshot else None) == max(fitting, default=None), most


@ways
def test_whoever_plays_on_at_it_makes_the_same_of_it(way: Way) -> None:
    kept = long_enough(way, seed=22, over=False)
    if kept is None:
        return
    table, journal, presser, snapshot = kept
    mine = Memory()
    mine.lines = [*journal.lines]
    again = opened(table, mine, snapshot)
    other = Presser(again, random.Random(5))
    presser.luck, presser.table = random.Random(5), table
    other._requests = presser._requests
    for _ in range(12):
        any_press(presser)
        any_press(other)
    assert [line.link for line in mine.lines] == [line.link for line in journal.lines]
    assert seen(again) == seen(table)
    newer = again.snapshot(LINES)
    if newer is not None:
        assert seen(opened(table, journal, newer)) == seen(table)


@pytest.mark.parametrize("way", [way for way in WAYS if way.is_smallest], ids=str)
def test_a_look_at_it_plays_nothing_again(way: Way) -> None:
    kept = long_enough(way, seed=23, backwards=False)
    if kept is None:
        return
    table, journal, _, snapshot = kept
    again = opened(table, journal, snapshot)
    with no_replays():
        assert seen(again) == seen(table)
        assert again.base
        with pytest.raises(Asleep):
            seen(again, 0)


def test_a_step_back_to_long_ago_is_in_the_next_snapshot() -> None:
    way = next(way for way in WAYS if not way.ends)
    table, journal, presser = played(way, seed=24, backwards=False)
    table.take_back(HOST, table.seq, presser.fresh(), 3)
    snapshot = table.snapshot(LINES)
    assert snapshot is not None
    assert set(snapshot.positions) == {3, snapshot.base}
    again = opened(table, journal, snapshot)
    with no_replays():
        assert again.state == table.state
    assert seen(again) == seen(table)


def test_a_request_is_answered_once_however_old_it_is() -> None:
    way = next(way for way in WAYS if not way.ends)
    table, journal, _ = played(way, seed=25, backwards=False)
    snapshot = table.snapshot(LINES)
    assert snapshot is not None
    again = opened(table, journal, snapshot)
    old = next(line for line in journal.lines if line.request is not None)
    assert old.request is not None
    assert old.seq < again.base
    assert again.answered(old.request)
    assert again._answer_to(old.request, str(old.asked), anywhere=True) == old.seq
    with pytest.raises(Malformed):
        again._answer_to(old.request, "something else", anywhere=True)
    assert again.base


@ways
def test_a_table_that_holds_little_of_what_was_is_the_same_table(way: Way) -> None:
    table, journal, presser = played(way, seed=26)
    whole = table_of(table.laid, SECRET, KEYS, journal, clock=lambda: 1, written=journal.lines)
    for most in (20, 3, 1):
        table.shorten(most)
        assert table.base == max(0, table.seq - most) or table.base == 0
        with no_replays():
            assert table.state == whole.state
        assert seen(table) == seen(whole)
        table.shorten(most)
        for seq in presser.luck.sample(range(table.seq + 1), 4):
            assert seen(table, seq) == seen(whole, seq)
    table.shorten(5)
    other = Presser(whole, random.Random(5))
    other._requests, presser.luck = presser._requests, random.Random(5)
    mine, whole._journal = [*journal.lines], Memory()
    for _ in range(8):
        any_press(presser)
        any_press(other)
    assert seen(table) == seen(whole)
    assert journal.lines[: len(mine)] == mine
