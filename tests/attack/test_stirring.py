"""Who stirs last, or too often, has nothing of it."""

from __future__ import annotations

import pytest

from companion.play.entries import MovePlayed, OutcomeRecorded
from companion.play.journal import NoJournal
from companion.play.stirring import StirringTurn, promise
from companion.play.table import HOST, Actor, Table
from companion.play.view import LOG_LINES, LOG_STIRS, view
from companion.refusals import Illegal, Stale
from tests.core.coins import coin_table

ADA, BEN = Actor("seat", 0), Actor("seat", 1)
TOSS = {"type": "toss", "count": 1}


@pytest.fixture
def table() -> Table:
    return coin_table(NoJournal())


def who(actor: Actor) -> str:
    return "host" if actor.seat is None else str(actor.seat)


def commit(table: Table, actor: Actor, pinch: str) -> None:
    table.commit_pinch(actor, table.seq, f"commit {table.seq}", promise(who(actor), pinch))


def tell(table: Table, actor: Actor, pinch: str) -> None:
    table.open_pinch(actor, table.seq, f"open {table.seq}", pinch)


def tossed(table: Table, times: int) -> list[object]:
    began = table.seq
    for _ in range(times):
        table.play(HOST, table.seq, f"toss {table.seq}", TOSS)
    return [line.entry.outcome for line in table.written[began:] if isinstance(line.entry, OutcomeRecorded)]


def stirred_by(*told: tuple[Actor, str]) -> list[object]:
    """What falls once these have stirred together, all promised before any was told."""
    table = coin_table(NoJournal())
    for actor, pinch in told:
        commit(table, actor, pinch)
    for actor, pinch in told:
        tell(table, actor, pinch)
    return tossed(table, 40)


def test_every_pinch_that_was_told_counts(table: Table) -> None:
    alone, both, other = (
        stirred_by((ADA, "a")),
        stirred_by((ADA, "a"), (BEN, "b")),
        stirred_by((ADA, "a"), (BEN, "c")),
    )
    assert len({tuple(each) for each in (tossed(table, 40), alone, both, other)}) == 4
    assert stirred_by((ADA, "a"), (BEN, "b")) == both


def test_nobody_stirs_who_has_seen_what_another_stirred(table: Table) -> None:
    """Else who reads the secret tries pinches, after all others have told theirs, until five sixes come."""
    commit(table, ADA, "a")
    tell(table, ADA, "a")
    with pytest.raises(Illegal, match="not what you promised"):
        tell(table, BEN, "a good one")
    commit(table, BEN, "b")  # all of the first round is told: this is another, which others can join
    commit(table, HOST, "h")
    tell(table, BEN, "b")
    with pytest.raises(Illegal, match="not what you promised"):
        tell(table, HOST, "a good one")
    tell(table, HOST, "h")


def test_a_pinch_is_told_though_somebody_has_moved(table: Table) -> None:
    commit(table, ADA, "a")
    seq = table.seq
    table.correct(HOST, seq, "heads", {"type": "heads", "heads": 7})
    table.open_pinch(ADA, seq, "told", "a")
    assert len(table.stirs) == 1


def test_nobody_joins_once_a_pinch_is_told(table: Table) -> None:
    commit(table, ADA, "a")
    commit(table, BEN, "b")
    tell(table, ADA, "a")
    with pytest.raises(Illegal, match="already revealing what they added"):
        commit(table, HOST, "h")


def test_a_pinch_is_the_one_that_was_promised_by_that_device(table: Table) -> None:
    commit(table, ADA, "a")
    table.commit_pinch(BEN, table.seq, "copied", promise("0", "a"))
    for actor, pinch in ((ADA, "another"), (BEN, "b"), (BEN, "a"), (HOST, "a")):
        with pytest.raises(Illegal, match="not what you promised"):
            tell(table, actor, pinch)


def test_who_does_not_tell_is_left_out_and_named_from_the_next_draw_on(table: Table) -> None:
    commit(table, ADA, "a")
    commit(table, BEN, "b")
    tell(table, ADA, "a")
    shown = view(table)["luck"]
    assert isinstance(shown, dict)
    assert shown["round"] == [{"who": "0", "told": True}, {"who": "1", "told": False}]
    fell = tossed(table, 40)
    assert fell == stirred_by((ADA, "a"))
    assert table.stirring.turns == [StirringTurn(("0",), missing=("1",))]
    with pytest.raises(Illegal):
        tell(table, BEN, "b")


def test_a_promise_alone_holds_nothing_up(table: Table) -> None:
    commit(table, BEN, "b")
    assert tossed(table, 20) == tossed(coin_table(NoJournal()), 20)
    assert table.stirring.participants == [("1", False)], "the others may still join"


def test_stirring_makes_no_move_stale(table: Table) -> None:
    seq = table.seq
    for actor in (ADA, BEN, HOST):
        commit(table, actor, "x")
    for actor in (ADA, BEN, HOST):
        tell(table, actor, "x")
    table.play(ADA, seq, "meant before", TOSS)
    assert isinstance(table.written[6].entry, MovePlayed)
    with pytest.raises(Stale):
        table.play(BEN, seq, "too late now", TOSS)


@pytest.mark.parametrize("actor", [ADA, HOST])
def test_stirring_leaves_open_what_could_be_taken_back_and_put_forward_again(table: Table, actor: Actor) -> None:
    table.play(ADA, 0, "end", {"type": "toss", "count": 2})
    table.take_back(HOST, table.seq, "back")
    offer, seq = table.offer(actor), table.seq
    commit(table, BEN, "b")
    tell(table, BEN, "b")
    assert table.offer(actor) == offer
    if offer.redo is not None:
        table.take_back(actor, seq, "again", offer.redo)


def test_nobody_stirs_again_before_anything_was_drawn(table: Table) -> None:
    """Twenty-five times a second, a seat once filled the log and the disk."""
    commit(table, ADA, "once")
    tell(table, ADA, "once")
    for n in range(100):
        with pytest.raises(Illegal, match="Nothing has been drawn"):
            commit(table, ADA, str(n))
    assert table.seq == 2
    tossed(table, 1)
    commit(table, ADA, "again")


def test_stirring_pushes_nothing_out_of_the_log(table: Table) -> None:
    table.play(HOST, 0, "toss", TOSS)
    table.correct(HOST, table.seq, "heads", {"type": "heads", "heads": 7})
    for n in range(20):
        for actor in (ADA, BEN, HOST):
            commit(table, actor, str(n))
        for actor in (ADA, BEN, HOST):
            tell(table, actor, str(n))
        tossed(table, 1)
    lines = view(table)["log"]
    assert isinstance(lines, list)
    kinds = [line["kind"] for line in lines if isinstance(line, dict)]
    assert kinds.count("correct") == 1
    assert kinds.count("stir") == LOG_STIRS
    assert len(kinds) == 43 + LOG_STIRS
    tossed(table, 40)
    lines = view(table)["log"]
    assert isinstance(lines, list)
    assert len(lines) == LOG_LINES
