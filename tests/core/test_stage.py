"""The stage: live steps cue the rig, the rig's events become moves, and nothing is left on."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from companion.play.entries import Moved
from companion.play.journal import Nowhere, SqliteJournal
from companion.play.stage import Heard, Lift, Stage
from companion.play.table import HOST, Actor, Table
from companion.play.view import view
from companion.refusals import Illegal, Stale
from tests.core.coins import coin_table, reopened
from tests.core.scribe import Scribe

BURY = {"type": "bury"}  # the game of coins lifts a card to bury one
ADA, BEN = Actor("seat", 0), Actor("seat", 1)


@pytest.fixture
def crew() -> Scribe:
    return Scribe()


@pytest.fixture
def table() -> Table:
    return coin_table(Nowhere(), "press")


@pytest.fixture
def stage(crew: Scribe, table: Table) -> Stage:
    stage = Stage(crew)
    stage.attach(table)
    crew.shovel()
    return stage


def told(stage: Stage) -> str | None:
    return stage.lift.state if stage.lift else None


def begin(stage: Stage, table: Table, request: str = "dig") -> None:
    assert isinstance(stage.play(table, HOST, table.seq, request, BURY), Lift)


def lift(crew: Scribe) -> None:
    crew.say(Heard("held"))
    crew.say(Heard("done"))


@pytest.mark.rule("TUT-30")
def test_a_move_that_lifts_counts_when_held_and_then_clear(stage: Stage, table: Table, crew: Scribe) -> None:
    begin(stage, table)
    assert crew.shovel() == ["grip"]
    assert table.seq == 0
    crew.say(Heard("held"))
    assert table.seq == 0
    assert stage.lift is not None
    assert stage.lift.state == "held"
    crew.say(Heard("done"))
    assert isinstance(table.written[0].entry, Moved)
    assert stage.lift is None


@pytest.mark.rule("TUT-30")
def test_a_lift_counts_once_and_its_request_is_answered_the_same_afterwards(
    stage: Stage, table: Table, crew: Scribe
) -> None:
    begin(stage, table)
    lift(crew)
    kept = table.seq
    lift(crew)
    assert stage.play(table, HOST, 0, "dig", BURY) == table.seq == kept


@pytest.mark.rule("TUT-30")
@pytest.mark.parametrize("why", ["leak", "dropped", "link_lost", "stopped"])
def test_a_failed_lift_costs_nothing(stage: Stage, table: Table, crew: Scribe, why: str) -> None:
    begin(stage, table)
    crew.say(Heard("held"))
    crew.say(Heard("failed", why=why))
    assert (table.seq, stage.lift, stage.mishap) == (0, None, why)
    begin(stage, table, "again")
    assert stage.mishap is None


def test_an_earlier_lift_that_ends_now_does_not_count(stage: Stage, table: Table, crew: Scribe) -> None:
    begin(stage, table)
    crew.say(Heard("done"))
    assert table.seq == 0
    lift(crew)
    assert table.seq == 2


def test_the_same_request_again_does_not_begin_again(stage: Stage, table: Table, crew: Scribe) -> None:
    begin(stage, table)
    begin(stage, table)
    assert crew.shovel() == ["grip"]


def test_no_second_lift_beside_one_that_is_under_way(stage: Stage, table: Table) -> None:
    begin(stage, table)
    with pytest.raises(Illegal, match="under way") as refused:
        begin(stage, table, "other")
    assert refused.value.rule is None, "every game with a shovel is refused so: it is in no ledger of one game"


@pytest.mark.rule("TUT-30")
def test_nobody_moves_between_what_is_legal_and_its_lift(stage: Stage, table: Table, crew: Scribe) -> None:
    with ThreadPoolExecutor(1) as somebody_else:
        gets_in: list[bool] = []
        crew.before_grip = lambda: gets_in.append(somebody_else.submit(table.lock.acquire, blocking=False).result())
        begin(stage, table)
    assert gets_in == [False]


@pytest.mark.rule("TUT-31")
def test_a_lift_that_loses_the_rig_before_the_shovel_hears_of_it_stops_it(
    stage: Stage, table: Table, crew: Scribe
) -> None:
    crew.before_grip = stage.detach
    begin(stage, table)
    assert crew.shovel()[-2:] == ["grip", "stop"]


@pytest.mark.rule("TUT-30")
def test_a_refused_move_does_not_move_the_shovel(stage: Stage, table: Table, crew: Scribe) -> None:
    with pytest.raises(Stale):
        stage.play(table, HOST, 7, "dig", BURY)
    assert crew.shovel() == []


@pytest.mark.rule("TUT-31")
@pytest.mark.parametrize(
    "end",
    [
        lambda stage, table: table.close(HOST, table.seq, "close"),
        lambda stage, table: stage.detach(),
        lambda stage, table: table.play(HOST, table.seq, "other", {"type": "toss", "count": 1}),
        lambda stage, table: table.correct(HOST, table.seq, "mend", {"type": "heads", "heads": 2}),
    ],
)
def test_every_way_out_of_the_middle_of_a_lift_stops_the_shovel(
    stage: Stage, table: Table, crew: Scribe, end: Callable[[Stage, Table], object]
) -> None:
    begin(stage, table)
    crew.say(Heard("held"))
    crew.shovel()
    end(stage, table)
    assert "stop" in crew.shovel()
    assert stage.lift is None
    crew.say(Heard("done"))
    assert not any(isinstance(line.entry, Moved) and line.entry.move == BURY for line in table.written)


@pytest.mark.rule("TUT-31")
def test_undo_stops_the_shovel_and_never_starts_it(stage: Stage, table: Table, crew: Scribe) -> None:
    table.play(HOST, 0, "toss", {"type": "toss", "count": 3})
    assert crew.shovel() == ["grip"]
    table.take_back(HOST, table.seq, "undo")
    assert crew.shovel() == ["stop"]
    table.take_back(HOST, table.seq, "redo", table.offer(HOST).redo)
    assert crew.shovel() == ["stop"]


def test_opening_a_table_again_moves_nothing(tmp_path: Path) -> None:
    table = coin_table(SqliteJournal(tmp_path), "press")
    table.play(HOST, 0, "toss", {"type": "toss", "count": 3})
    table._journal.close()
    crew = Scribe()
    Stage(crew).attach(reopened(tmp_path, "press"))
    assert crew.shovel() == ["stop"]


def test_looking_moves_nothing(stage: Stage, table: Table, crew: Scribe) -> None:
    view(table)
    view(table, ADA)
    assert crew.told == []


def test_another_table_does_not_have_the_rig(stage: Stage, crew: Scribe) -> None:
    other = coin_table(Nowhere())
    assert stage.play(other, HOST, 0, "dig", BURY) == other.seq == 2
    assert crew.shovel() == []


def test_without_a_shovel_a_press_is_enough(table: Table) -> None:
    stage = Stage(Scribe(lifts=False))
    stage.attach(table)
    assert stage.play(table, HOST, 0, "dig", BURY) == table.seq == 2


def test_the_lamp_of_the_seat_that_is_asked_is_lit(stage: Stage, table: Table, crew: Scribe) -> None:
    table.play(HOST, 0, "toss", {"type": "toss", "count": 1})
    assert crew.told[-1] == "turn 0"
    table.answer(HOST, 1, "deal", None)
    assert crew.told[-1] == "turn 1"
    table.close(HOST, 2, "close")
    assert crew.told[-2:] == ["turn None", "sound done"]


def test_a_real_button_draws_and_plays(stage: Stage, table: Table, crew: Scribe) -> None:
    crew.say(Heard("pressed", button="toss"))
    assert table.seq == 1
    crew.say(Heard("pressed", button="seat:1"))
    assert table.seq == 1
    assert crew.told[-1] == "sound warn"
    crew.say(Heard("pressed", button="seat:0"))
    assert table.seq == 2
    crew.say(Heard("pressed", button="nothing of the sort"))
    assert table.seq == 2
    crew.say(Heard("pressed", button="deal"))
    crew.say(Heard("pressed", button="toss"))
    assert table.seq == 4
    crew.say(Heard("pressed", button="undo"))
    assert table.position().seq == 0


def test_a_real_button_plays_the_move_with_all_dice(stage: Stage, table: Table, crew: Scribe) -> None:
    crew.say(Heard("pressed", button="toss"))
    entry = table.written[0].entry
    assert isinstance(entry, Moved)
    assert entry.move == {"type": "toss", "count": 3}


def test_giving_the_rig_to_another_table_makes_it_safe_first(stage: Stage, table: Table, crew: Scribe) -> None:
    begin(stage, table)
    crew.shovel()
    stage.attach(coin_table(Nowhere()))
    assert "stop" in crew.shovel()
    table.play(HOST, 0, "toss", {"type": "toss", "count": 3})
    assert crew.shovel() == []


def test_what_changes_is_told(crew: Scribe, table: Table) -> None:
    changes: list[str | None] = []
    watched: list[Stage] = []
    watched.append(Stage(crew, lambda: changes.append(told(watched[0])) if watched else None))
    watched[0].attach(table)
    begin(watched[0], table)
    lift(crew)
    assert changes[-3:] == ["gripping", "held", None]


def test_a_table_may_have_the_rig_and_lift_by_hand(stage: Stage, table: Table, crew: Scribe) -> None:
    stage.attach(table, lifts=False)
    crew.shovel()
    assert stage.play(table, HOST, table.seq, "dig", BURY) == table.seq == 2
    assert (stage.lifts, crew.shovel()) == (False, [])
    stage.attach(table)
    assert stage.lifts
    begin(stage, table, "with the shovel")
    assert crew.shovel() == ["stop", "grip"]
