"""Laws of ends, and of what was reported: a wrong word is put right, also the last one of a game."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import partial
from itertools import islice

import pytest

from companion.game import Chance, Json
from companion.play.bounds import MOST_ENTRIES
from companion.play.entries import MovePlayed, OutcomeRecorded
from companion.play.final_reports import PendingFinalReports
from companion.play.position import Trail
from companion.play.proof import verify
from companion.play.record import decode, encode, export
from companion.play.sitting import is_by_itself
from companion.play.table import HOST, SPECTATOR, Actor, Table
from companion.play.view import View, view
from companion.refusals import Illegal, NotYourTurn, Over
from companion.terminal import telling
from tests.laws.play import SECRET, WAYS, Presser, Way

GAMES = 2
PRESSES = 80
SOME = 2
ENOUGH = 12
STANDING = {"over", "sealed", "left"}
"""Words of how a game stands: they say nothing of what was hidden."""

ways = pytest.mark.parametrize("way", WAYS, ids=str)
boxes = pytest.mark.parametrize("box", sorted({way.box for way in WAYS if way.ends}))


def hand_of(trail: Trail) -> Actor:
    """Who made an entry; the host, where it was for no seat."""
    seat = trail.entry.seat if isinstance(trail.entry, OutcomeRecorded | MovePlayed) else None
    return HOST if seat is None else Actor("seat", seat)


def somebody_else(table: Table, seat: int | None) -> Actor:
    """Another seat; the host, where there is none."""
    others = (Actor("seat", each) for each in range(len(table.setup.seats)) if each != seat)
    return next(others, HOST)


def everybody(table: Table) -> list[Actor]:
    return [HOST, SPECTATOR, *(Actor("seat", seat) for seat in range(len(table.setup.seats)))]


def played_to_its_end(way: Way) -> tuple[Table, Presser, PendingFinalReports] | None:
    """A game at which the table draws, whose end hangs on a report; none where it was always a move that ended it."""
    setup = way.setup(default="table")
    dealt = all(setup.source(each) == "companion" for each in way.game().randomizers)
    for seed in range(1 if dealt else GAMES):
        table = way.table(default="table")
        presser = Presser(table, random.Random(f"{way} {seed}"))
        for _ in presser.go_on(MOST_ENTRIES):
            pass
        assert table.over()
        hinge = table.hinge()
        newest = table.newest_by_hand()
        assert newest is not None
        assert (hinge is None) == (not isinstance(newest.entry, OutcomeRecorded)) == table.settled()
        if hinge is not None:
            return table, presser, hinge
    return None


@boxes
def test_an_end_by_report_is_final_only_when_confirmed(box: str) -> None:
    ended = (played_to_its_end(way) for way in WAYS if way.box == box and way.ends)
    for table, presser, hinge in islice((each for each in ended if each is not None), SOME):
        is_put_right_and_confirmed(table, presser, hinge)


def is_put_right_and_confirmed(table: Table, presser: Presser, hinge: PendingFinalReports) -> None:
    is_not_told(table)
    census = table.game.census(table.game.start())
    reporter = hand_of(hinge.reports[-1])
    before, end = hinge.reports[-1].before.seq, shown(table, reporter)

    table.take_back(reporter, table.seq, presser.fresh())
    assert not table.over()
    assert isinstance(table.ask(), Chance)
    assert table.position().seq == before
    table.take_back(HOST, table.seq, presser.fresh(), table.offer(HOST).redo)
    assert shown(table, reporter) == end
    assert not table.settled()

    another = somebody_else(table, hinge.seat)
    refuses(NotYourTurn, lambda: table.settle(SPECTATOR, table.seq, presser.fresh()))
    if reporter != HOST:
        refuses(NotYourTurn, lambda: table.settle(reporter, table.seq, presser.fresh()))
    table.settle(another, table.seq, presser.fresh())
    assert table.settled()
    assert table.game.census(table.state) == census
    for actor in (HOST, reporter, another):
        refuses(Illegal, partial(table.take_back, actor, table.seq, presser.fresh()))
        refuses(Over, partial(table.settle, actor, table.seq, presser.fresh()))
    refuses(Over, lambda: table.end(HOST, table.seq, presser.fresh()))
    assert view(table)["secret"] == SECRET.hex()
    record = decode(encode(export(table)))
    proof = verify(record)
    assert proof.fault is None, proof
    assert not any(line.entry.__struct_config__.tag == "masked" for line in record.entries)


def is_not_told(table: Table) -> None:
    """Nothing that comes to light only at the end is told of an end that is not settled."""
    for actor in everybody(table):
        seen = view(table, actor)
        assert (seen["over"], seen["settled"], seen["secret"]) == (True, False, None)
        assert SECRET.hex() not in json.dumps(seen)
        known = texts(view(table, actor, seq=table.seq - 1)["board"]) | texts(seen["hinge"])
        assert texts(seen["board"]) - known <= STANDING
        assert list(telling.board("en", seen, 100))
        assert telling.question_sentence("en", seen, {})
    record = export(table)
    assert record.secret is None
    assert not record.over
    assert verify(record).fault == "proof.no_secret"


def texts(part: Json) -> set[str]:
    """Every word in a part of a view."""
    if isinstance(part, dict):
        return set().union(*map(texts, part.values())) if part else set()
    if isinstance(part, list | tuple):
        return set().union(*map(texts, part)) if part else set()
    return {part} if isinstance(part, str) else set()


def shown(table: Table, actor: Actor) -> View:
    return {
        name: part for name, part in view(table, actor).items() if name not in {"seq", "log", "undo", "head", "played"}
    }


def refuses(kind: type[Exception], tried: Callable[[], object]) -> None:
    with pytest.raises(kind):
        tried()


@ways
def test_what_is_reported_closes_the_move_behind_it(way: Way) -> None:
    """A seat that has reported two blanks takes both back, but not its dig, to dig longer: as if they were drawn.

    What a bot dug it does not take back either: before that stands what another did, or what is closed as well.
    """
    table = way.table("press", default="table")
    presser, closed, told = Presser(table, random.Random(f"{way} reports")), 0, 0
    for _ in presser.go_on(PRESSES):
        reports, move = told_upon(table)
        told += move is not None and len(reports) > 0
        if move is not None and len(reports) in {1, 2} and closed < ENOUGH:
            for each in reports:
                table.take_back(hand_of(each), table.seq, presser.fresh())
            mover = hand_of(move)
            assert table.position().trail is move
            offer = table.offer(mover)
            assert (offer.open, offer.why == "undo.revealed" or is_by_itself(move.entry)) == (False, True)
            refuses(Illegal, partial(table.take_back, mover, table.seq, presser.fresh()))
            closed += 1
    assert closed > 0 or told == 0, "nothing was ever reported upon a move"


def told_upon(table: Table) -> tuple[list[Trail], Trail | None]:
    """What was reported before everybody's eyes since the newest move, newest first, and the move."""
    reports, trail = [], table.position().trail
    while (
        trail is not None
        and isinstance(trail.entry, OutcomeRecorded)
        and trail.entry.by == "table"
        and table.reveals(trail.seq)
    ):
        reports.append(trail)
        trail = trail.before.trail
    return reports, trail if trail is not None and isinstance(trail.entry, MovePlayed) else None
