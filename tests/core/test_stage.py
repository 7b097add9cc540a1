"""The stage: live steps cue the rig, the rig's events become moves, and nothing is left on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from companion.game import Json
from companion.play.entries import MovePlayed
from companion.play.journal import NoJournal
from companion.play.lights import Lights, lights_of
from companion.play.sqlite_journal import SqliteJournal
from companion.play.stage import REST_S, Lift, LiftEnded, RigReport, Stage
from companion.play.table import HOST, Actor, Press, Table
from companion.play.view import view
from companion.refusals import Illegal, Malformed, Stale
from tests.core.coins import coin_table, reopened
from tests.core.scribe import Scribe

BURY: dict[str, object] = {"type": "bury"}  # the game of coins lifts a card to bury one
ADA, BEN = Actor("seat", 0), Actor("seat", 1)


@pytest.fixture
def crew() -> Scribe:
    return Scribe()


@pytest.fixture
def table() -> Table:
    return coin_table(NoJournal(), "press")


@pytest.fixture
def stage(crew: Scribe, table: Table) -> Stage:
    stage = Stage(crew)
    stage.attach(table)
    crew.shovel()
    return stage


def begin_refused(stage: Stage, table: Table, key: str) -> None:
    with pytest.raises(Illegal) as refused:
        stage.play(table, HOST, table.seq, "another", BURY)
    assert refused.value.key == key


def told(stage: Stage) -> str | None:
    return stage.lift.state if stage.lift else None


def begin(stage: Stage, table: Table, request: str = "dig") -> None:
    assert isinstance(stage.play(table, HOST, table.seq, request, BURY), Lift)


@pytest.mark.rule("TUT-30")
def test_a_move_that_lifts_counts_when_held_and_then_clear(stage: Stage, table: Table, crew: Scribe) -> None:
    begin(stage, table)
    assert crew.shovel() == ["grip"]
    crew.begin()
    assert (table.seq, told(stage)) == (0, "gripping")
    crew.hear("held")
    assert (table.seq, told(stage)) == (0, "held")
    crew.hear("done")
    assert isinstance(table.written[0].entry, MovePlayed)
    assert stage.lift is None


@pytest.mark.rule("TUT-30")
def test_a_lift_counts_once_and_its_request_is_answered_the_same_afterwards(
    stage: Stage, table: Table, crew: Scribe
) -> None:
    begin(stage, table)
    crew.lift()
    kept = table.seq
    crew.lift()
    assert stage.play(table, HOST, 0, "dig", BURY) == table.seq == kept


@pytest.mark.rule("TUT-30")
@pytest.mark.parametrize("why", ["leak", "dropped", "link_lost", "stopped"])
def test_a_failed_lift_costs_nothing(stage: Stage, table: Table, crew: Scribe, why: str) -> None:
    begin(stage, table)
    crew.begin()
    crew.hear("held")
    crew.hear("failed", why)
    assert (table.seq, stage.lift, stage.mishap) == (0, None, why)
    assert stage.ended == LiftEnded(why, table.id, 0, BURY)
    begin(stage, table, "again")
    assert told(stage) == "gripping"
    assert not stage.ended
    assert not stage.mishap


def test_a_request_whose_lift_came_to_nothing_begins_no_other(stage: Stage, table: Table, crew: Scribe) -> None:
    begin(stage, table)
    crew.begin()
    crew.hear("failed", "shovel.fault.leak")
    crew.shovel()
    for crew.lifts in (True, False):
        with pytest.raises(Illegal) as refused:
            stage.play(table, HOST, table.seq, "dig", BURY)
        assert refused.value.key == "shovel.fault.leak"
    assert (crew.shovel(), table.seq) == ([], 0)


def test_a_lift_counts_for_the_move_it_was_made_for_or_for_none(stage: Stage, table: Table, crew: Scribe) -> None:
    crew.begin(0)
    begin_refused(stage, table, "stage.cup_taken")
    crew.hear("held")
    begin_refused(stage, table, "stage.cup_taken")
    crew.hear("done")
    assert (table.seq, crew.shovel()) == (0, [])
    begin(stage, table)
    crew.lift()
    assert table.seq == 2


def test_a_hand_that_was_quicker_than_a_move_lifts_for_itself(stage: Stage, table: Table, crew: Scribe) -> None:
    begin(stage, table)
    crew.begin(0)
    crew.refuse("shovel.refused.busy")
    assert (stage.lift, stage.mishap) == (None, "shovel.refused.busy")
    crew.hear("held")
    crew.hear("done")
    assert table.seq == 0


def test_a_waiting_move_takes_no_lift_for_its_own_but_the_one_it_asked_for(
    stage: Stage, table: Table, crew: Scribe
) -> None:
    begin(stage, table)
    crew.begin(0)
    crew.hear("held")
    assert told(stage) == "gripping"
    crew.hear("done")
    assert (table.seq, told(stage)) == (0, "gripping")
    crew.lift()
    assert table.seq == 2


def test_a_button_that_is_refused_before_a_lift_has_begun_does_not_end_it(
    stage: Stage, table: Table, crew: Scribe
) -> None:
    begin(stage, table)
    crew.say(RigReport("failed", why="shovel.refused.resting"))
    assert (told(stage), stage.ended) == ("gripping", None)
    crew.lift()
    assert table.seq == 2


def test_what_is_heard_late_of_an_older_lift_frees_no_cup(stage: Stage, table: Table, crew: Scribe) -> None:
    crew.begin(0)
    crew.begin(0)
    crew.hear("done", lift=1)
    begin_refused(stage, table, "stage.cup_taken")
    crew.hear("done", lift=2)
    begin(stage, table, "another")


def test_what_becomes_of_a_hands_lift_hides_nobodys_mishap(stage: Stage, table: Table, crew: Scribe) -> None:
    begin(stage, table)
    crew.begin(0)
    crew.refuse("shovel.refused.busy")
    crew.hear("failed", "shovel.fault.dropped")
    assert stage.mishap == "shovel.refused.busy"


def test_a_lift_that_ends_while_a_step_is_weighed_against_it_stays_ended(
    stage: Stage, table: Table, crew: Scribe, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(stage, table)
    crew.begin()
    again = table.again

    def just_then(press: Press) -> Press:
        crew.hear("failed", "shovel.fault.dropped")
        return again(press)

    monkeypatch.setattr(table, "again", just_then)
    table.stir(BEN, 0, "stir", "a pinch")
    assert (stage.lift, stage.mishap) == (None, "shovel.fault.dropped")


def test_a_step_that_grips_in_the_middle_of_a_lift_changes_nothing(stage: Stage, table: Table, crew: Scribe) -> None:
    begin(stage, table)
    crew.begin()
    crew.shovel()
    table.play(HOST, 0, "toss", {"type": "toss", "count": 3})
    assert (crew.shovel(), told(stage)) == ([], "gripping")


def test_a_button_of_the_shovels_is_no_move_of_the_same_name(
    stage: Stage, table: Table, crew: Scribe, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.play.stage.OF_THE_SHOVEL", {"toss"})
    crew.say(RigReport("pressed", button="toss"))
    assert (table.seq, crew.told[-1:]) == (0, [])


def test_a_button_that_is_refused_in_the_middle_of_a_lift_changes_nothing(
    stage: Stage, table: Table, crew: Scribe
) -> None:
    begin(stage, table)
    crew.begin()
    crew.hear("held")
    for button in ("grip", "shovel", "release"):
        crew.say(RigReport("pressed", button=button))
    crew.say(RigReport("failed", why="shovel.refused.busy"))
    assert told(stage) == "held"
    crew.hear("done")
    assert table.seq == 2


def test_a_lift_that_begins_when_nobody_waits_for_it_any_longer_is_stopped(
    stage: Stage, table: Table, crew: Scribe
) -> None:
    begin(stage, table)
    stage.take_back(table, HOST, 0, "undo")
    crew.shovel()
    crew.begin()
    assert crew.shovel() == ["stop"]
    begin_refused(stage, table, "stage.cup_taken")
    crew.hear("failed", "stopped")
    assert stage.mishap == "stage.taken_back"
    begin(stage, table, "again")


def test_what_happens_to_a_hands_lift_is_told_at_the_table_that_has_the_rig(
    stage: Stage, table: Table, crew: Scribe
) -> None:
    crew.begin(0)
    crew.hear("failed", "shovel.fault.dropped")
    assert (stage.ended, stage.mishap) == (LiftEnded("shovel.fault.dropped", table.id), None)
    crew.begin(0)
    assert stage.ended is None


def test_a_move_that_the_shovel_cannot_lift_for_now_is_refused_at_once(
    stage: Stage, table: Table, crew: Scribe
) -> None:
    crew.wont = "stage.letting_go"
    begin_refused(stage, table, "stage.letting_go")
    assert (stage.lift, stage.ended, crew.shovel()) == (None, None, [])
    crew.begin(0)
    begin_refused(stage, table, "stage.cup_taken")
    crew.hear("done")
    crew.wont = None
    begin(stage, table, "another")
    crew.wont = "stage.letting_go"
    begin(stage, table, "another")


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
        lambda stage, table: table.end(HOST, table.seq, "close"),
        lambda stage, table: stage.detach(),
        lambda stage, table: table.play(HOST, table.seq, "other", {"type": "end"}),
        lambda stage, table: stage.take_back(table, HOST, table.seq, "undo"),
    ],
)
def test_every_way_out_of_the_middle_of_a_lift_stops_the_shovel(
    stage: Stage, table: Table, crew: Scribe, end: Callable[[Stage, Table], object]
) -> None:
    begin(stage, table)
    crew.begin()
    crew.hear("held")
    crew.shovel()
    end(stage, table)
    assert "stop" in crew.shovel()
    assert stage.lift is None
    assert stage.ended is not None
    assert stage.ended.move == BURY
    crew.hear("done")
    assert not any(isinstance(line.entry, MovePlayed) and line.entry.move == BURY for line in table.written)


@pytest.mark.rule("TUT-31")
def test_undo_stops_the_shovel_and_never_starts_it(stage: Stage, table: Table, crew: Scribe) -> None:
    table.play(HOST, 0, "toss", {"type": "toss", "count": 3})
    assert crew.shovel() == ["grip"]
    table.take_back(HOST, table.seq, "undo")
    assert crew.shovel() == ["stop"]
    crew.begin()
    crew.hear("failed", "stopped")
    crew.shovel()
    table.take_back(HOST, table.seq, "redo", table.offer(HOST).redo)
    assert crew.shovel() == []


@pytest.mark.rule("TUT-31")
def test_undo_in_the_middle_of_a_lift_ends_the_lift_and_takes_back_nothing(
    stage: Stage, table: Table, crew: Scribe
) -> None:
    table.correct(HOST, 0, "before", {"type": "heads", "heads": 2})
    begin(stage, table)
    crew.begin()
    crew.hear("held")
    with pytest.raises(Illegal, match="somebody else"):
        stage.take_back(table, BEN, 1, "not yours")
    with pytest.raises(Stale):
        stage.take_back(table, ADA, 0, "late")
    for _ in range(2):  # an answer may be lost on its way
        assert stage.take_back(table, ADA, 1, "undo") == table.seq == 1
        assert (stage.lift, stage.mishap) == (None, "stage.taken_back")
    stage.take_back(table, HOST, 1, "now the step")
    assert table.position().seq == 0


def test_what_has_nothing_to_do_with_a_lift_leaves_it_alone(stage: Stage, table: Table, crew: Scribe) -> None:
    begin(stage, table)
    crew.begin()
    crew.shovel()
    table.stir(BEN, 0, "stir", "a pinch")
    table.correct(HOST, 0, "mend", {"type": "heads", "heads": 2})
    assert (told(stage), crew.shovel()) == ("gripping", [])
    assert isinstance(stage.play(table, HOST, 0, "dig", BURY), Lift), "the same request, as it was asked"
    crew.hear("held")
    crew.hear("done")
    assert stage.play(table, HOST, 0, "dig", BURY) == table.seq == 5


def test_while_something_is_drawn_nothing_is_decided_about_a_lift(stage: Stage, table: Table, crew: Scribe) -> None:
    begin(stage, table)
    crew.begin()
    table.play(HOST, 0, "toss", {"type": "toss", "count": 1})
    assert told(stage) == "gripping"
    table.answer(HOST, 1, "deal", None)
    assert (stage.lift, stage.mishap) == (None, "stage.table_moved_on"), "it is the other seat's turn"
    crew.hear("failed", "stopped")
    begin(stage, table, "hers")
    table.play(HOST, 2, "toss again", {"type": "toss", "count": 1})
    crew.lift()
    assert (table.seq, stage.mishap) == (3, "core.chance_first")


def test_the_same_request_with_another_move_is_no_lift(stage: Stage, table: Table) -> None:
    begin(stage, table)
    with pytest.raises(Malformed):
        stage.play(table, HOST, table.seq, "dig", {"type": "toss", "count": 1})
    assert told(stage) == "gripping"


def test_a_step_that_grips_again_changes_nothing(stage: Stage, table: Table, crew: Scribe) -> None:
    begin(stage, table)
    crew.begin()
    crew.hear("failed", "shovel.fault.leak")
    table.play(HOST, 0, "toss", {"type": "toss", "count": 3})
    crew.begin()
    table.take_back(HOST, table.seq, "undo")
    assert crew.shovel() == ["grip", "grip", "stop"]
    assert stage.ended == LiftEnded("stage.taken_back", table.id, 0)


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


def whose(stage: Stage) -> Table | None:
    return stage.table


@pytest.fixture
def other() -> Table:
    """Another table in the same house."""
    return coin_table(NoJournal(), name="other")


def test_a_move_that_lifts_borrows_the_rig_from_a_table_that_does_not_lift(
    stage: Stage, table: Table, other: Table, crew: Scribe
) -> None:
    begin(stage, other)
    assert stage.table is other
    assert crew.shovel() == ["stop", "grip"]
    crew.lift()
    assert other.seq == 2
    begin(stage, table)
    assert stage.table is table, "and the other way round, as often as they like"


@pytest.mark.parametrize("by", ["order", "hand"])
def test_nobody_takes_the_rig_from_a_table_that_lifts(
    stage: Stage, table: Table, other: Table, crew: Scribe, by: str
) -> None:
    if by == "order":
        begin(stage, table)
        crew.begin()
    else:
        crew.begin(0)
    with pytest.raises(Illegal) as refused:
        stage.play(other, HOST, 0, "dig", BURY)
    assert refused.value.key == "shovel.refused.busy"
    assert (other.seq, stage.table) == (0, table)
    crew.hear("done")
    begin(stage, other)


def test_a_table_that_lifts_by_hand_borrows_nothing_until_it_is_given_the_rig_again(
    stage: Stage, table: Table, other: Table, crew: Scribe
) -> None:
    stage.put_rig_by(table)
    assert (stage.table, stage.put_by) == (None, True)
    assert stage.play(table, HOST, 0, "dig", BURY) == table.seq == 2
    stage.lend(other)
    assert stage.table is None, "nobody takes it for its lamps alone"
    begin(stage, other)
    assert (whose(stage), stage.put_by) == (other, False)
    crew.lift()
    assert stage.play(table, HOST, 2, "another", BURY) == table.seq == 4
    stage.attach(table)
    begin(stage, table, "with the shovel")


def test_a_move_that_is_refused_takes_the_rig_from_nobody(stage: Stage, table: Table, other: Table) -> None:
    with pytest.raises(Stale):
        stage.play(other, HOST, 7, "dig", BURY)
    assert stage.play(other, HOST, 0, "toss", {"type": "toss", "count": 1}) == 2
    assert stage.table is table


def test_a_simulated_shovel_is_only_used_where_somebody_asked_for_it(table: Table, other: Table) -> None:
    stage = Stage(Scribe(), lends=False)
    stage.lend(table)
    assert (stage.table, stage.lifts) == (table, False)
    assert stage.play(other, HOST, 0, "dig", BURY) == other.seq == 2
    assert stage.table is table


def test_the_table_it_was_borrowed_from_has_the_rig_back_once_the_other_rests(
    crew: Scribe, table: Table, other: Table
) -> None:
    now = [0.0]
    stage = Stage(crew, clock=lambda: now[0])
    stage.lend(table)
    begin(stage, other)
    now[0] = 500.0
    stage.lend(table)
    assert stage.table is other, "it lifts"
    crew.lift()
    now[0] += REST_S - 1
    stage.lend(table)
    assert stage.table is other, "it has only just lifted"
    now[0] += 1
    stage.lend(coin_table(NoJournal(), name="third"))
    assert stage.table is other, "it was borrowed from another"
    stage.lend(table)
    assert stage.table is table


def test_a_table_that_leaves_leaves_the_rig_to_whoever_is_next(stage: Stage, table: Table, other: Table) -> None:
    stage.put_rig_by(table)
    stage.leaves(table.id)
    stage.lend(other)
    assert stage.table is other
    stage.leaves(other.id)
    assert (whose(stage), stage.put_by) == (None, False)


class Door:
    """A lock, and what happens when somebody comes to it."""

    def __init__(self, comes: Callable[[], object] = lambda: None, waits: Callable[[], object] = lambda: None) -> None:
        self._lock = threading.RLock()
        self._comes = comes
        self._waits = waits

    def __enter__(self) -> None:
        self._comes()
        if not self._lock.acquire(blocking=False):
            self._waits()
            self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


@pytest.mark.rule("TUT-30")
@pytest.mark.parametrize("press", ["page", "button"])
@pytest.mark.parametrize("meanwhile", ["another lifts", "the owner gives it to another"])
def test_whoever_loses_the_rig_in_the_middle_of_a_press_counts_nothing_unlifted(
    stage: Stage, table: Table, other: Table, crew: Scribe, press: str, meanwhile: str
) -> None:
    gone_on = threading.Event()
    somebody_else = ThreadPoolExecutor(1)

    def intrude() -> None:
        table.lock = door
        did = somebody_else.submit(
            lambda: stage.play(other, HOST, 0, "dig", BURY) if meanwhile == "another lifts" else stage.attach(other)
        )
        did.add_done_callback(lambda _: gone_on.set())
        assert gone_on.wait(20)

    door = table.lock
    stage._handover = Door(waits=gone_on.set)  # type: ignore[assignment]
    table.lock = Door(comes=intrude)  # type: ignore[assignment]
    if press == "page":
        begin(stage, table)
    else:
        crew.say(RigReport("pressed", button="bury"))
    somebody_else.shutdown()
    crew.shovel()
    crew.lift()
    assert table.seq == (2 if stage.table is table else 0)
    assert other.seq == 0


def test_two_tables_that_want_the_shovel_at_once_wait_for_each_other_and_not_for_ever(crew: Scribe) -> None:
    stage = Stage(crew)
    tables = [coin_table(NoJournal(), name=str(number)) for number in range(8)]

    def dig(table: Table) -> str:
        stage.lend(table)
        try:
            stage.play(table, HOST, 0, "dig", BURY)
        except Illegal as refused:
            return refused.key
        return "lifts"

    with ThreadPoolExecutor(len(tables)) as pool:
        told = list(pool.map(dig, tables, timeout=20))
    assert told.count("lifts") == 1
    assert set(told) == {"lifts", "shovel.refused.busy"}


def test_without_a_shovel_a_press_is_enough(table: Table) -> None:
    stage = Stage(Scribe(lifts=False))
    stage.attach(table)
    assert stage.play(table, HOST, 0, "dig", BURY) == table.seq == 2


def test_the_lamp_of_the_seat_that_is_asked_is_lit(stage: Stage, table: Table, crew: Scribe) -> None:
    table.play(HOST, 0, "toss", {"type": "toss", "count": 1})
    assert crew.told[-1] == "turn 0"
    table.answer(HOST, 1, "deal", None)
    assert crew.told[-1] == "turn 1"
    table.end(HOST, 2, "close")
    assert crew.told[-2:] == ["turn None", "sound done"]


def test_a_real_button_draws_and_plays(stage: Stage, table: Table, crew: Scribe) -> None:
    crew.say(RigReport("pressed", button="toss"))
    assert table.seq == 1
    crew.say(RigReport("pressed", button="seat:1"))
    assert table.seq == 1
    assert crew.told[-1] == "sound warn"
    crew.say(RigReport("pressed", button="seat:0"))
    assert table.seq == 2
    crew.say(RigReport("pressed", button="nothing of the sort"))
    assert table.seq == 2
    crew.say(RigReport("pressed", button="deal"))
    crew.say(RigReport("pressed", button="toss"))
    assert table.seq == 4
    crew.say(RigReport("pressed", button="undo"))
    assert table.position().seq == 0


def test_a_real_button_plays_the_move_with_all_dice(stage: Stage, table: Table, crew: Scribe) -> None:
    crew.say(RigReport("pressed", button="toss"))
    entry = table.written[0].entry
    assert isinstance(entry, MovePlayed)
    assert entry.move == {"type": "toss", "count": 3}


def test_giving_the_rig_to_another_table_makes_it_safe_first(stage: Stage, table: Table, crew: Scribe) -> None:
    begin(stage, table)
    crew.shovel()
    stage.attach(coin_table(NoJournal()))
    assert "stop" in crew.shovel()
    table.play(HOST, 0, "toss", {"type": "toss", "count": 3})
    assert crew.shovel() == []


def test_what_changes_is_told(crew: Scribe, table: Table) -> None:
    changes: list[str | None] = []
    watched: list[Stage] = []
    watched.append(Stage(crew, lambda: changes.append(told(watched[0])) if watched else None))
    watched[0].attach(table)
    begin(watched[0], table)
    crew.lift()
    assert changes[-4:] == ["gripping", "gripping", "held", None]


def test_a_table_may_have_the_rig_and_lift_by_hand(stage: Stage, table: Table, crew: Scribe) -> None:
    stage.attach(table, lifts=False)
    crew.shovel()
    assert stage.play(table, HOST, table.seq, "dig", BURY) == table.seq == 2
    assert (stage.lifts, crew.shovel()) == (False, [])
    stage.attach(table)
    assert stage.lifts
    begin(stage, table, "with the shovel")
    assert crew.shovel() == ["stop", "grip"]


def test_the_lights_show_what_is_planned_until_the_table_moves_on_or_lifts(
    stage: Stage, table: Table, other: Table, crew: Scribe
) -> None:
    stage.plan(table, 5)
    assert crew.lights.planned == 5
    stage.plan(other, 7)
    assert crew.lights.planned == 5, "another table has no lights"
    table.stir(BEN, 0, "stir", "a pinch")
    assert crew.lights.planned == 5, "a screen that comes to the table moves nothing on"
    stage.plan(table, 0)
    assert crew.lights.planned == 0
    stage.plan(table, 5)
    table.play(HOST, table.seq, "toss", {"type": "toss", "count": 1})
    assert crew.lights.planned == 0
    stage.plan(table, 5)
    assert crew.lights.planned == 0, "what is drawn is no plan any more"
    table.answer(HOST, table.seq, "deal", None)
    stage.plan(table, 5)
    begin(stage, table)
    assert crew.lights.planned == 0
    stage.plan(table, 5)
    assert crew.lights.planned == 0, "what is lifted is no plan any more"


def test_the_lights_show_markers_turn_and_the_weeks_of_a_dig() -> None:
    """A game with a track of time shows it; one without leaves the lights to the turn."""
    board: dict[str, Json] = {
        "track": {
            "markers": [
                {"seat": 0, "week": 52, "year": 1901, "at": 51, "height": 0},
                {"seat": 1, "week": 52, "year": 1901, "at": 51, "height": 1},
                {"seat": 2, "week": 3, "year": None, "at": 3, "height": 0},
            ]
        }
    }
    assert lights_of(board, 1, {"type": "dig", "weeks": 4}) == Lights(((51, 1), (51, 0), (3, 2)), 1, 4)
    assert lights_of({}, 0, {"type": "roll", "weeks": "many"}) == Lights((), 0, 0)
