"""A press is worked out once: what follows is computed once for each entry, and asked once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from companion.game import Ask, Chance, Pace, Source, State, Step
from companion.play.entries import JournalLine
from companion.play.journal import NoJournal
from companion.play.stage import Lift, Stage
from companion.play.table import HOST, Actor, Table
from companion.play.view import view
from companion.refusals import Refusal, Storage
from tests.core.coins import KEYS, SECRET, Clock, CoinGame, Coins, coin_table, laid
from tests.core.scribe import Scribe

BURY = {"type": "bury"}  # lifts a card, and where it was buried is drawn at once
TOSS_THREE = {"type": "toss", "count": 3}


class Counted(CoinGame):
    """The game of coins, and how often it was asked what comes next, and for what follows."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.asked: list[State] = []

    def after(self, state: Coins, step: Step) -> Coins:
        self.steps.append(step)
        return super().after(state, step)

    def ask(self, state: Coins) -> Ask:
        self.asked.append(state)
        return super().ask(state)

    def forget(self) -> None:
        self.steps.clear()
        self.asked.clear()


def counted(
    journal: NoJournal | None = None, pace: Pace = "flow", written: Sequence[JournalLine] = (), **sources: Source
) -> tuple[Table, Counted]:
    """A table of coins that counts, before anybody has looked at it."""
    game, new = Counted(), laid(pace, **sources)
    return Table(game, new, SECRET, KEYS, journal=journal or NoJournal(), clock=Clock(), written=written), game


def look(table: Table) -> None:
    """Everybody looks, as after each step."""
    for actor in (HOST, Actor("seat", 0), Actor("seat", 1), Actor("spectator")):
        view(table, actor)


def move_with_draws(table: Table) -> None:
    table.play(HOST, table.seq, "press", TOSS_THREE)


def reported(table: Table) -> None:
    table.answer(HOST, table.seq, "press", "heads")


def undo(table: Table) -> None:
    table.take_back(HOST, table.seq, "press")


def stir(table: Table) -> None:
    table.stir(HOST, table.seq, "press", "a pinch")


def correct(table: Table) -> None:
    table.correct(HOST, table.seq, "press", {"type": "heads", "heads": 2})


def close(table: Table) -> None:
    table.end(HOST, table.seq, "press")


@pytest.mark.parametrize("lifts", [False, True], ids=["without lifts", "with lifts"])
@pytest.mark.parametrize(
    ("press", "computed"), [(move_with_draws, 4), (reported, 1), (undo, 0), (stir, 0), (correct, 1), (close, 0)]
)
def test_a_press_and_the_views_after_it_compute_each_entry_once(
    press: Callable[[Table], None], computed: int, lifts: bool
) -> None:
    table, game = counted(coin="table" if press is reported else "companion")
    if lifts:
        Stage(Scribe()).attach(table)
    table.play(HOST, 0, "before", {"type": "toss", "count": 2})
    look(table)
    before = table.seq
    game.forget()
    press(table)
    look(table)
    assert len(game.steps) == computed
    assert len(game.asked) == len({id(state) for state in game.asked}), "nothing is asked twice"
    assert len(game.asked) <= table.seq - before


def test_a_move_on_the_stage_without_a_lift_is_worked_out_once() -> None:
    table, game = counted()
    stage = Stage(Scribe())
    stage.attach(table)
    game.forget()
    assert stage.play(table, HOST, 0, "press", TOSS_THREE) == 4
    look(table)
    assert (len(game.steps), len(game.asked)) == (4, 4)


def test_a_move_that_waits_for_its_lift_is_worked_out_once() -> None:
    table, game = counted()
    crew = Scribe()
    stage = Stage(crew)
    stage.attach(table)
    game.forget()
    assert isinstance(stage.play(table, HOST, 0, "press", BURY), Lift)
    crew.lift()
    assert table.seq == 2
    look(table)
    assert (len(game.steps), len(game.asked)) == (2, 2)


def test_the_stage_answers_what_happened() -> None:
    table, _ = counted()
    crew = Scribe()
    stage = Stage(crew)
    stage.attach(table)
    assert stage.play(table, HOST, 0, "toss", {"type": "toss", "count": 1}) == 2
    lift = stage.play(table, HOST, 2, "bury", BURY)
    assert lift == stage.lift
    crew.lift()
    assert stage.play(table, HOST, 2, "bury", BURY) == table.seq == 4, "the move it waited for has been made"
    assert stage.play(table, HOST, 0, "toss", {"type": "toss", "count": 1}) == 2, "as it was answered then"


class Full(NoJournal):
    """Takes nothing."""

    def append(self, table: str, written: Sequence[JournalLine]) -> None:
        raise Storage("core.disk_full")


@pytest.mark.parametrize("press", [move_with_draws, undo, stir, correct, close])
def test_a_journal_that_refuses_leaves_everything_as_it_was(press: Callable[[Table], None]) -> None:
    made = coin_table(NoJournal())
    made.play(HOST, 0, "before", TOSS_THREE)
    table, _ = counted(Full(), written=made.written)
    before, position = view(table, HOST), table.position()
    heard: list[object] = []
    table.listen(lambda _, lines: heard.append(lines))
    with pytest.raises(Storage):
        press(table)
    assert view(table, HOST) == before
    assert table.position() is position
    assert (table.seq, table.drawn, table.stirs, table.closed_at) == (4, 3, (), None)
    assert (heard, table.answered("press")) == ([], False)


def test_a_lift_whose_move_the_journal_refuses_costs_nothing() -> None:
    table, _ = counted(Full())
    crew = Scribe()
    stage = Stage(crew)
    stage.attach(table)
    stage.play(table, HOST, 0, "bury", BURY)
    crew.lift()
    assert (table.seq, stage.lift, stage.mishap) == (0, None, "core.disk_full")


def test_a_prepared_press_is_made_once_and_only_at_the_table_it_was_meant_for() -> None:
    table, _ = counted()
    late, twice = (table.prepare(HOST, 0, request, TOSS_THREE) for request in ("late", "twice"))
    assert table.make(twice) == table.make(twice) == table.seq == 4
    with pytest.raises(Refusal) as refused:
        table.make(late)
    assert (refused.value.code, table.seq) == ("stale", 4)


def test_replay_computes_each_entry_once_and_asks_nothing_that_nobody_looks_at() -> None:
    made = coin_table(NoJournal(), "press")
    made.play(HOST, 0, "toss", TOSS_THREE)
    while isinstance(made.ask(), Chance):
        made.answer(HOST, made.seq, f"deal {made.seq}", None)
    made.play(HOST, made.seq, "bury", BURY)
    _, game = counted(written=made.written)
    assert (len(game.steps), len(game.asked)) == (made.seq, 0) == (6, 0)
