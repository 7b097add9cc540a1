"""Several seats are asked at once: whoever presses first makes no other's press stale, and learns nothing by it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.game import Played
from companion.play.journal import NoJournal
from companion.play.sqlite_journal import SqliteJournal
from companion.play.table import HOST, Actor, Table
from companion.refusals import LostRace, NotYourTurn, Refusal, Stale
from companion.trials import at_random, moved_together, one_game
from tests.core.bids import Bid, auction, bidding

ADA, BEN, CLEO = (Actor("seat", seat) for seat in range(3))
BID, PUSH = {"type": "bid", "amount": 2}, {"type": "push"}


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[SqliteJournal]:
    kept = SqliteJournal(tmp_path)
    yield kept
    kept.close()


def bids(table: Table) -> list[int]:
    return [each.bid for each in table.state.bidders]  # type: ignore[attr-defined]


@pytest.mark.parametrize("first", [ADA, BEN])
def test_two_presses_for_the_same_entry_both_count(first: Actor) -> None:
    table = auction(seats=3)
    for who in (first, BEN if first == ADA else ADA):
        table.play(who, 0, f"bid {who.seat}", BID)
    assert bids(table) == [2, 2, 0]
    table.play(HOST, 0, "bid 2", BID, seat=2)
    assert table.state.shown == (2, 2, 2)  # type: ignore[attr-defined]


def test_a_second_press_of_the_same_seat_is_stale() -> None:
    table = auction()
    table.play(ADA, 0, "bid", PUSH)
    with pytest.raises(Stale):
        table.play(ADA, 0, "again", BID)
    assert table.play(ADA, 0, "bid", PUSH) == 1, "and the same request has its answer"
    with pytest.raises(Stale):
        table.play(HOST, 0, "without a seat it is the first one's that was asked", BID)


def test_what_a_move_depends_on_makes_it_stale() -> None:
    table = auction()
    table.play(ADA, 0, "push", PUSH)
    with pytest.raises(Stale):
        table.play(BEN, 0, "push too", PUSH)
    table.play(BEN, 0, "bid", BID)
    assert bids(table) == [0, 2]


def test_once_a_seat_is_not_asked_any_more_or_something_was_taken_back_a_press_is_stale() -> None:
    table = auction()
    table.play(ADA, 0, "bid", BID)
    table.take_back(ADA, 1, "back")
    for seq in (0, 1):
        with pytest.raises(Stale):
            table.play(BEN, seq, "bid too", BID)
    with pytest.raises(NotYourTurn):
        table.play(Actor("spectator"), 2, "bid too", BID)
    table.play(BEN, 2, "bid too", BID)
    with pytest.raises(Stale):
        table.correct(HOST, 0, "correct", {})


def test_a_press_for_a_round_before_is_stale_where_the_seat_has_moved_since() -> None:
    table = auction()
    table.play(ADA, 0, "bid", BID)
    table.play(BEN, 0, "bid too", BID)
    for who in (ADA, BEN):
        with pytest.raises(Stale):
            table.play(who, 0, "late", BID)


def test_two_processes_that_know_nothing_of_each_other_both_have_their_press_counted(journal: SqliteJournal) -> None:
    one, other = auction(journal, 3), auction(journal, 3)
    one.play(ADA, 0, "bid", BID)
    assert other.seq == 0, "it has heard of nothing"
    assert other.play(BEN, 0, "bid too", BID) == 2
    assert bids(other) == [2, 2, 0]
    one.catch_up()
    assert one.state == other.state
    one.play(CLEO, 2, "push", PUSH)
    other.catch_up()


def test_another_process_is_refused_where_what_its_move_depends_on_has_changed(journal: SqliteJournal) -> None:
    one, other = auction(journal), auction(journal)
    one.play(ADA, 0, "push", PUSH)
    with pytest.raises(Stale):
        other.play(BEN, 0, "push too", PUSH)
    assert other.seq == 1, "and shows what is"


def test_a_journal_that_says_it_was_overtaken_and_has_nothing_new_is_not_asked_for_ever() -> None:
    class Mistaken(NoJournal):
        def append(self, table: str, written: object) -> None:
            raise LostRace("core.stale")

        def entries(self, table: str, after: int = 0) -> list[object]:  # type: ignore[override]
            return []

    with pytest.raises(LostRace):
        auction(Mistaken()).play(ADA, 0, "bid", BID)


def test_the_last_to_decide_has_seen_all_choices_and_cannot_take_its_own_back() -> None:
    table = auction()
    table.play(ADA, 0, "bid", BID)
    assert table.offer(ADA).open, "nobody has seen anything"
    table.play(BEN, 0, "bid too", BID)
    assert table.offer(BEN) == table.offer(BEN).__class__(False, why="undo.revealed")
    with pytest.raises(Refusal):
        table.take_back(BEN, 2, "back")
    table.take_back(HOST, 2, "the host")
    assert table.offer(ADA).why == "undo.revealed", "what was seen stays seen"
    assert table.offer(HOST).open


def test_in_trials_all_who_are_asked_decide_by_what_they_saw_before() -> None:
    game, saw = bidding(3), set[tuple[int, int]]()

    def choose(state: object, seat: int) -> Bid:
        saw.add((seat, sum(bool(each.bid) for each in state.bidders)))  # type: ignore[attr-defined]
        return Bid(seat + 1)

    state, made = moved_together(game, game.start(), (0, 1, 2), choose, random.Random(1))
    assert saw == {(0, 0), (1, 0), (2, 0)}
    assert state.shown == (1, 2, 3)
    assert sorted(map(repr, made)) == [repr(Bid(n)) for n in (1, 2, 3)]


def test_a_seat_whose_move_others_made_illegal_is_asked_anew() -> None:
    game = bidding(2)
    start = game.start()
    for _ in range(2):
        start = game.after(start, Played(0, game.move_types[1]()))
    state, made = moved_together(game, start, (0, 1), lambda state, seat: game.move_types[1](), random.Random(1))
    assert (len(made), state.price) == (1, 4)
    luck = random.Random(2)
    course = one_game(game, lambda state, seat: at_random(game, state, seat, luck), lambda state, moves: "", luck)
    assert course.steps >= 6
