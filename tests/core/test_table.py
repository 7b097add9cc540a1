"""A table in play, tried with coins."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from companion.game import Chance, Dealt, Json, Step, Turn
from companion.play.entries import MovePlayed, OutcomeRecorded, PinchCommitted, PinchOpened
from companion.play.journal import NoJournal
from companion.play.sqlite_journal import SqliteJournal
from companion.play.stirring import promise
from companion.play.table import HOST, SPECTATOR, Actor, Table
from companion.play.view import view
from companion.refusals import Illegal, Malformed, NotYourTurn, Over, Refusal, Stale, Storage
from tests.core.coins import SECRET, CoinGame, Coins, coin_table, reopened

ADA, BEN = Actor("seat", 0), Actor("seat", 1)
TOSS: dict[str, Json] = {"type": "toss", "count": 1}
fresh = itertools.count().__next__


def play(table: Table, move: object, actor: Actor = HOST) -> int:
    return table.play(actor, table.seq, f"r{fresh()}", move)


def back(table: Table, actor: Actor = HOST, to: int | None = None) -> int:
    return table.take_back(actor, table.seq, f"r{fresh()}", to)


def deal(table: Table, outcome: str | int | None = None, actor: Actor = HOST) -> int:
    return table.answer(actor, table.seq, f"r{fresh()}", outcome)


@pytest.fixture
def table() -> Table:
    return coin_table(NoJournal())


def test_in_flow_the_draws_follow_the_move(table: Table) -> None:
    play(table, {"type": "toss", "count": 3})
    assert [type(line.entry) for line in table.written] == [
        MovePlayed,
        OutcomeRecorded,
        OutcomeRecorded,
        OutcomeRecorded,
    ]
    assert table.ask() == Turn((1,))


def test_in_press_each_draw_waits_for_a_press() -> None:
    table = coin_table(NoJournal(), "press")
    play(table, {"type": "toss", "count": 2})
    assert isinstance(table.ask(), Chance)
    deal(table)
    assert isinstance(table.ask(), Chance)
    deal(table)
    assert table.ask() == Turn((1,))


def test_what_no_hand_draws_does_not_wait_for_a_press() -> None:
    table = coin_table(NoJournal(), "press")
    play(table, {"type": "bury"})
    assert table.ask() == Turn((1,))


def test_what_falls_in_one_throw_is_reported_at_once_or_not_at_all() -> None:
    table = coin_table(NoJournal(), coin="table")
    play(table, {"type": "toss", "count": 3})
    before, sides = table.seq, [outcome for outcome, _ in table.ask().odds]  # type: ignore[union-attr]
    for wrong in ([*sides, "on its edge"], [*sides, sides[0], sides[0]], []):
        with pytest.raises(Refusal):
            table.answer(HOST, table.seq, f"r{fresh()}", wrong)
        assert table.seq == before
    table.answer(HOST, table.seq, "at once", [*sides, sides[0]])
    assert [line.entry.outcome for line in table.written[before:] if isinstance(line.entry, OutcomeRecorded)] == [
        *sides,
        sides[0],
    ]
    assert table.ask() == Turn((1,))
    assert table.answer(HOST, before, "at once", [*sides, sides[0]]) == table.seq
    back(table)
    assert isinstance(table.ask(), Chance), "the last of them may be put right by itself"


def test_the_table_reports_what_it_draws_itself() -> None:
    table = coin_table(NoJournal(), coin="table")
    play(table, TOSS)
    with pytest.raises(Illegal, match="report what came up"):
        deal(table)
    with pytest.raises(Illegal, match="cannot come up"):
        deal(table, "edge")
    deal(table, "tails")
    assert view(table)["board"] == {"heads": 0, "tails": 1, "holes": 0}


def test_what_the_companion_draws_cannot_be_reported() -> None:
    table = coin_table(NoJournal(), "press")
    play(table, TOSS)
    with pytest.raises(Illegal, match="nothing to report"):
        deal(table, "heads")


def test_a_request_repeated_has_no_second_effect(table: Table) -> None:
    first = table.play(HOST, 0, "tap", TOSS)
    assert table.play(HOST, 0, "tap", TOSS) == first == table.seq == 2


def test_a_request_id_is_not_used_for_something_else(table: Table) -> None:
    table.play(HOST, 0, "tap", TOSS)
    with pytest.raises(Malformed, match="something else"):
        table.play(HOST, 0, "tap", {"type": "bury"})


def test_a_move_for_the_table_as_it_was_is_refused(table: Table) -> None:
    play(table, TOSS)
    with pytest.raises(Stale):
        table.play(HOST, 0, "late", TOSS)


@pytest.mark.parametrize(
    ("move", "refusal"),
    [
        ({"type": "toss", "count": 9}, Illegal),
        ({"type": "toss"}, Malformed),
        ({"type": "toss", "count": "1"}, Malformed),
        ({"type": "toss", "count": 1, "more": 1}, Malformed),
        ({"type": "fly"}, Malformed),
        (None, Malformed),
        ([], Malformed),
    ],
)
def test_a_refused_move_changes_nothing(table: Table, move: object, refusal: type[Refusal]) -> None:
    before = view(table)
    with pytest.raises(refusal):
        play(table, move)
    assert view(table) == before


def test_a_seat_acts_for_itself_and_the_host_for_all(table: Table) -> None:
    with pytest.raises(NotYourTurn) as refused:
        play(table, TOSS, BEN)
    assert refused.value.rule == "COI-2", "the game knows by which rule it is whose turn"
    with pytest.raises(NotYourTurn):
        play(table, TOSS, SPECTATOR)
    with pytest.raises(NotYourTurn):
        table.play(ADA, table.seq, "for ben", TOSS, seat=1)
    play(table, TOSS, ADA)
    play(table, TOSS, HOST)
    assert view(table)["ask"] == {"kind": "move", "seat": 0, "seats": [0], "options": {}}


def test_only_the_hand_that_draws_presses() -> None:
    table = coin_table(NoJournal(), "press")
    play(table, TOSS)
    with pytest.raises(NotYourTurn) as refused:
        deal(table, actor=BEN)
    assert refused.value.rule == "COI-3"
    deal(table, actor=ADA)


def test_taking_back_stirring_and_pressing_again_deals_the_same(table: Table) -> None:
    for _ in range(20):
        play(table, TOSS)
    dealt = table.state
    while table.position().seq:
        back(table)
    table.stir(HOST, table.seq, "stir", "another fate, please")
    for _ in range(20):
        play(table, TOSS)
    assert table.state == dealt


def test_what_was_seen_stays_whenever_somebody_stirs() -> None:
    """Back to the first of the draws, and stirred only after a new move: all that was seen comes again."""
    table = coin_table(NoJournal(), "press")

    def fallen(since: int) -> list[object]:
        return [line.entry.outcome for line in table.written[since:] if isinstance(line.entry, OutcomeRecorded)]

    def deal_all() -> None:
        while isinstance(table.ask(), Chance):
            deal(table)

    for _ in range(5):
        play(table, {"type": "toss", "count": 3})
        deal_all()
    seen = fallen(0)
    back(table, to=0)
    began = table.seq
    play(table, {"type": "toss", "count": 3})
    table.stir(HOST, table.seq, "stir", "another fate, please")
    deal_all()
    for _ in range(4):
        play(table, {"type": "toss", "count": 3})
        deal_all()
    assert fallen(began) == seen


def test_a_pinch_changes_the_draws_that_nobody_has_seen() -> None:
    stirred, left = coin_table(NoJournal()), coin_table(NoJournal())
    stirred.stir(ADA, 0, "stir", "a pinch")
    for _ in range(40):
        play(stirred, TOSS)
        play(left, TOSS)
    assert stirred.state != left.state


def test_a_pinch_is_a_step_but_nothing_that_was_played(table: Table) -> None:
    play(table, TOSS)
    played = table.played()
    at = table.stir(ADA, table.seq, "stir", "a pinch")
    assert at > table.played() == played > 0
    table.play(HOST, played, "meant before the pinch", TOSS)
    assert table.played() > at
    with pytest.raises(Stale):
        table.play(HOST, at, "meant before the toss", TOSS)
    assert view(table, seq=at)["played"] == played
    back(table)
    assert table.played() == table.seq


def test_a_new_step_forgets_what_could_be_redone(table: Table) -> None:
    play(table, {"type": "bury"})
    back(table)
    play(table, TOSS)
    assert table.offer(HOST).redo is None


def test_undo_is_in_the_log_and_what_it_took_back_is_marked(table: Table) -> None:
    play(table, TOSS)
    back(table)
    log = view(table)["log"]
    assert isinstance(log, list)
    assert [(line["kind"], line["undone"]) for line in log] == [("move", True), ("outcome", True), ("undo", False)]


def test_there_is_nothing_to_take_back_at_the_start(table: Table) -> None:
    with pytest.raises(Illegal, match="nothing to undo"):
        back(table)


def test_the_host_puts_the_table_right_and_can_take_that_back(table: Table) -> None:
    table.correct(HOST, 0, "mend", {"type": "heads", "heads": 7})
    assert view(table)["board"] == {"heads": 7, "tails": 0, "holes": 0}
    with pytest.raises(NotYourTurn):
        table.correct(ADA, 1, "mine", {"type": "heads", "heads": 8})
    back(table)
    assert view(table)["board"] == {"heads": 0, "tails": 0, "holes": 0}


def test_the_secret_is_shown_when_it_is_over_and_not_before(table: Table) -> None:
    play(table, TOSS)
    assert SECRET.hex() not in str(view(table))
    play(table, {"type": "end"})
    assert view(table)["secret"] == SECRET.hex()
    with pytest.raises(Over):
        play(table, TOSS)
    with pytest.raises(Illegal, match="seal is open"):
        back(table)


def test_the_host_can_end_a_table_as_it_stands(table: Table) -> None:
    with pytest.raises(NotYourTurn):
        table.end(ADA, 0, "mine")
    table.end(HOST, 0, "enough")
    seen = view(table)
    assert seen["over"] is seen["closed"] is True
    with pytest.raises(Over):
        play(table, TOSS)


def test_an_earlier_view_is_what_was_answered_then(table: Table) -> None:
    play(table, TOSS)
    seen = view(table)
    play(table, TOSS)
    back(table)
    assert view(table, seq=2) == seen


def test_listeners_hear_each_step_after_it_is_kept(table: Table) -> None:
    heard: list[int] = []
    deaf = table.listen(lambda told, lines: heard.extend(line.seq for line in lines))
    play(table, TOSS)
    deaf()
    play(table, TOSS)
    assert heard == [1, 2]


def test_a_table_opened_again_is_the_same(tmp_path: Path) -> None:
    table = coin_table(SqliteJournal(tmp_path / "a"))
    play(table, {"type": "toss", "count": 3})
    back(table)
    play(table, TOSS)
    table.stir(BEN, table.seq, "stir", "x")
    seen = view(table)
    table._journal.close()
    again = reopened(tmp_path / "a")
    assert view(again) == seen
    assert again.take_back(HOST, again.seq, "undo") == again.seq


def test_a_request_answered_before_the_stop_is_answered_the_same_after(tmp_path: Path) -> None:
    table = coin_table(SqliteJournal(tmp_path))
    answered = table.play(HOST, 0, "tap", TOSS)
    table._journal.close()
    again = reopened(tmp_path)
    assert again.play(HOST, 0, "tap", TOSS) == answered == again.seq


def test_a_step_that_the_disk_refuses_has_not_happened() -> None:
    class Full(NoJournal):
        def append(self, table: str, written: object) -> None:
            raise Storage("core.disk_full", folder="/data", reason="full")

    table = coin_table(Full())
    before = view(table)
    with pytest.raises(Storage, match="nothing was lost"):
        play(table, TOSS)
    assert view(table) == before


@pytest.mark.parametrize("request_id", ["", "x" * 101, 7, None])
def test_a_request_needs_an_id(table: Table, request_id: object) -> None:
    with pytest.raises(Malformed):
        table.play(HOST, 0, request_id, TOSS)  # type: ignore[arg-type]


@pytest.mark.parametrize("seq", [None, True, "0", 1.0])
def test_a_request_says_for_which_step_it_is_meant(table: Table, seq: object) -> None:
    with pytest.raises(Malformed):
        table.play(HOST, seq, "tap", TOSS)  # type: ignore[arg-type]


@pytest.mark.parametrize("pinch", ["", "x" * 257, 3])
def test_a_pinch_is_a_short_text(table: Table, pinch: object) -> None:
    with pytest.raises(Malformed):
        table.stir(HOST, 0, "stir", pinch)  # type: ignore[arg-type]


def test_a_stir_is_journalled_with_the_draws_that_were_seen(table: Table) -> None:
    play(table, {"type": "toss", "count": 2})
    back(table)
    table.stir(ADA, table.seq, "stir", "pinch")
    assert table.written[-2].entry == PinchCommitted("seat", promise("0", "pinch"), 0)
    assert table.written[-1].entry == PinchOpened("seat", "pinch", 0)
    assert [stir.since for stir in table.stirs] == [2]


@pytest.mark.parametrize("call", ["play", "answer", "take_back", "stir"])
def test_a_spectator_changes_nothing(table: Table, call: str) -> None:
    calls: dict[str, Callable[[], int]] = {
        "play": lambda: play(table, TOSS, SPECTATOR),
        "answer": lambda: deal(table, None, SPECTATOR),
        "take_back": lambda: back(table, SPECTATOR),
        "stir": lambda: table.stir(SPECTATOR, 0, "s", "x"),
    }
    with pytest.raises(Refusal):
        calls[call]()
    assert table.seq == 0


@pytest.mark.parametrize("eyes", [HOST, ADA, SPECTATOR])
def test_of_a_hidden_draw_nobody_is_told_what_is_asked_nor_what_may_fall(eyes: Actor) -> None:
    table = coin_table(NoJournal(), hole="table")
    play(table, {"type": "bury"})
    ask = view(table, eyes)["ask"]
    assert isinstance(ask, dict)
    assert (ask["question"], ask["odds"], ask["facts"], ask["source"]) == ("hidden", [], {}, "table")


class Terse(CoinGame):
    """Says the same of whatever happens."""

    def tells(self, before: Coins, step: Step, seat: int | None) -> dict[str, Json]:
        return {"type": "something"}


def test_of_what_says_the_same_only_draws_that_nobody_sees_are_told_as_one() -> None:
    table = coin_table(NoJournal())
    table.game = Terse()
    table.play(HOST, 0, "toss", {"type": "toss", "count": 3})
    assert [line["kind"] for line in told(table)] == ["move", "outcome", "outcome", "outcome"], "all see these"
    table.play(HOST, table.seq, "bury", {"type": "bury"}, seat=1)
    assert [line["kind"] for line in told(table)][-2:] == ["move", "outcome"], "a move is none of them"


def told(table: Table) -> list[Any]:
    lines: Any = view(table)["log"]
    return list(lines)


class TwoHoles(CoinGame):
    """A coin is buried in two holes, one after the other, and it is said which of them was dug."""

    def __init__(self, *, says_which: bool) -> None:
        self.says_which = says_which

    def after(self, state: Coins, step: Step) -> Coins:
        if isinstance(step, Dealt) and state.burying and not state.buried:
            return structs.replace(state, buried=1)
        return super().after(state, step)

    def tells(self, before: Coins, step: Step, seat: int | None) -> dict[str, Json]:
        told = super().tells(before, step, seat)
        return told | {"nth": 1 + bool(before.buried)} if self.says_which and isinstance(step, Dealt) else told


@pytest.mark.parametrize("looked", [False, True])
@pytest.mark.parametrize(("says_which", "which"), [(True, [1, 2]), (False, [None])])
def test_draws_that_nobody_sees_are_told_one_by_one_where_they_say_something_else(
    says_which: bool, which: list[int | None], looked: bool
) -> None:
    table = coin_table(NoJournal(), game=TwoHoles(says_which=says_which))
    if looked:
        told(table)
    table.play(HOST, 0, "bury", {"type": "bury"})
    assert [line["what"].get("nth") for line in told(table) if line["kind"] == "outcome"] == which
