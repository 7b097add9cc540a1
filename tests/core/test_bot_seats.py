"""Bots that sit at a table: in a process of their own, each move made once, and never stuck."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion.game import Seat, SeatKind, Setup, Turn
from companion.play.actors import Bot
from companion.play.bot_seats import AFTER_UNDO_S, LEAST_S, LIFTS, BotSeats
from companion.play.entries import MovePlayed, OutcomeRecorded, SeatSwitched
from companion.play.hall import Hall
from companion.play.proof import verify
from companion.play.record import export
from companion.play.stage import Stage
from companion.play.table import HOST, Actor, Table
from companion.play.thinking import MEMORY, BotQuestion, Thinker
from companion.refusals import Illegal, Malformed, NotYourTurn
from tests.core.crew import Crew
from tests.core.scribe import Scribe
from tests.core.test_record import SECRET, with_entry

DEAF = (sys.executable, "-c", "import time; time.sleep(600)")
DYING = (sys.executable, "-c", "import sys; sys.stdin.buffer.read(4)")


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    kept = Hall(tmp_path)
    yield kept
    kept.close()


def asked(hall: Hall, box: str = "jenseits", kinds: tuple[SeatKind, SeatKind] = ("curious", "curious")) -> Table:
    """A table at which somebody is asked."""
    seats = tuple(Seat(name, kind=kind) for name, kind in zip(("Ada", "Ben"), kinds, strict=True))
    table = hall.lay(Setup(box, "referee", seats), secret=SECRET)
    while not isinstance(table.ask(), Turn):
        table.answer(HOST, table.seq, f"draw {table.seq}", None)
    return table


def question(table: Table, level: str = "curious") -> BotQuestion:
    ask = table.ask()
    assert isinstance(ask, Turn)
    return BotQuestion.of(table.laid, table.state, ask.seats[0], level, 5)


def moves(table: Table) -> list[int]:
    return [line.entry.seat for line in table.written if isinstance(line.entry, MovePlayed)]


def stepped(seats: BotSeats, most: int = 1) -> None:
    """Have the bots make so many moves more, or as many as they are asked for."""
    wanted = len(moves(seats.table)) + most
    until = time.monotonic() + 60
    while len(moves(seats.table)) < wanted and seats.step() is not None:
        assert time.monotonic() < until, "no bot moves"
        time.sleep(0.01)


def test_a_bot_thinks_in_a_process_that_yields_and_is_bounded(hall: Hall) -> None:
    thinker = Thinker()
    assert not thinker.pid, "it is spawned when first wanted"
    table, crew = asked(hall), Crew(thinker)
    ask = table.ask()
    assert isinstance(ask, Turn)
    stepped(BotSeats(table, crew, least_s=0, most_s=60))
    assert crew.news == [{ask.seats[0]: "thinks"}]
    made = table.written[table.played() - 1].entry
    assert moves(table) == [*ask.seats]
    assert any(isinstance(line.entry, MovePlayed) and line.entry.by == "bot" for line in table.written), made
    pid = thinker.pid
    assert pid is not None
    assert os.getpriority(os.PRIO_PROCESS, pid) == 19
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    peak = next(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmHWM"))
    assert peak <= MEMORY
    thinker.close()
    assert not Path(f"/proc/{pid}").exists()


def test_a_process_that_was_killed_is_asked_again_and_chooses_the_same(hall: Hall) -> None:
    thinker, table = Thinker(), asked(hall, "tutankhamun")
    first = thinker.ask(question(table)).result(60)
    pid = thinker.pid
    assert pid is not None
    again = thinker.ask(question(table))
    os.kill(pid, signal.SIGKILL)
    assert again.result(60) == first
    assert thinker.pid != pid
    thinker.rest(0)
    assert thinker.pid is None, "nobody has asked for so long"
    assert thinker.ask(question(table)).result(60) == first
    thinker.close()


def test_what_nobody_waits_for_is_thought_about_last(hall: Hall) -> None:
    thinker, table, done = Thinker(), asked(hall, "tutankhamun"), list[str]()
    for name, behind in (("first", True), ("study", True), ("bot", False), ("hint", False)):
        thinker.ask(question(table), behind=behind).add_done_callback(lambda _, name=name: done.append(name))  # type: ignore[misc]
    last = thinker.ask(question(table), behind=True)
    forgotten = thinker.ask(question(table), behind=True)
    thinker.forget(forgotten)
    last.result(60)
    assert done == ["first", "bot", "hint", "study"]
    assert not forgotten.done()
    thinker.close()


@pytest.mark.parametrize("command", [DEAF, DYING], ids=["deaf", "dying"])
def test_a_table_is_not_stuck_by_a_bot_that_does_not_answer(hall: Hall, command: tuple[str, ...]) -> None:
    table, crew = asked(hall, kinds=("sharp", "sharp")), Crew(Thinker(command))
    stepped(BotSeats(table, crew, least_s=0, most_s=0.3), 2)
    assert len(moves(table)) == 2
    assert "without" in table.bot_news.values(), "it is said"


def test_a_machine_without_room_says_so_and_bots_play(hall: Hall) -> None:
    table, crew = asked(hall), Crew(None)
    stepped(BotSeats(table, crew, least_s=0), 3)
    assert len(moves(table)) == 3
    assert "no_room" in crew.news[0].values()


def test_no_move_is_made_twice_nor_at_a_table_that_has_moved_on(hall: Hall) -> None:
    table = asked(hall)
    first, second = BotSeats(table, Crew(), least_s=0), BotSeats(table, Crew(), least_s=0)
    played = Crew.play

    class Overtaken(Crew):
        def play(self, table: Table, actor: Bot, seq: int, request: str, move: object) -> object:
            stepped(second)
            return played(self, table, actor, seq, request, move)

    first = BotSeats(table, Overtaken(), least_s=0)
    first.step()
    assert len(moves(table)) == 1, "the same request is the same move"


def test_a_seat_is_a_person_again_with_one_press_and_the_bot_moves_no_more(hall: Hall) -> None:
    table = asked(hall, kinds=("person", "person"))
    ask = table.ask()
    assert isinstance(ask, Turn)
    (seat,) = ask.seats
    own, other = Actor("seat", seat), Actor("seat", 1 - seat)
    with pytest.raises(NotYourTurn):
        table.switch(other, "not hers", seat, "away")
    seats = BotSeats(table, Crew(), least_s=0)
    assert seats.step() is None, "nobody but people sits here"
    seq = table.seq
    table.switch(own, "away", seat, "away")
    stepped(seats)
    assert moves(table) == [seat]
    table.take_back(HOST, table.seq, "back", seq)
    table.switch(own, "again", seat, "person")
    assert seats.step() is None
    with pytest.raises(NotYourTurn):
        table.play(Bot.at(seat), table.seq, "late", {"type": "retire"})
    table.end(HOST, table.seq, "close")
    record = export(table)
    assert verify(record).holds
    away = next(line for line in record.entries if isinstance(line.entry, SeatSwitched))
    proof = verify(with_entry(record, away.seq, msgspec.structs.replace(away.entry, plays="person")))
    assert isinstance(proof.reason, Malformed), "no bot sat there"


def test_what_people_take_back_is_theirs_and_the_bot_waits_for_them(hall: Hall) -> None:
    now = [0.0]
    table = asked(hall, "tutankhamun", kinds=("person", "away"))
    while not (isinstance(ask := table.ask(), Turn) and ask.seats == (0,)):
        table.play(HOST, table.seq, f"{table.seq}", msgspec.to_builtins(table.moves(HOST).moves[0]))
    before = table.seq
    while isinstance(ask := table.ask(), Turn) and ask.seats == (0,):
        table.play(Actor("seat", 0), table.seq, f"{table.seq}", msgspec.to_builtins(table.moves(HOST).moves[-1]))
    own = table.newest_by_hand()
    seats = BotSeats(table, Crew(), clock=lambda: now[0])
    waits = seats.step()
    assert waits is not None
    assert waits >= LEAST_S, "people follow what came before"
    now[0] += 10
    seats.step()
    first = table.written[table.played() - 1]
    assert isinstance(first.entry, MovePlayed | OutcomeRecorded)
    assert table.newest_by_hand() == own, "what is taken back is what a person did"
    table.take_back(HOST, table.seq, "back", before)
    assert table.ask() == Turn((0,))
    table.take_back(HOST, table.seq, "again", first.seq - 1)
    waits = seats.step()
    assert waits is not None
    assert waits >= AFTER_UNDO_S, "there is time to take back more, or to say who plays"


def test_bots_play_a_game_to_its_end_and_press_for_what_they_draw(hall: Hall) -> None:
    seats = tuple(Seat(name, kind="away") for name in ("Ada", "Ben"))
    table = hall.lay(Setup("horus", "referee", seats, pace="press"), secret=bytes(32))
    crew = Crew()
    bots = BotSeats(table, crew, least_s=0)
    crew.looks = False
    assert bots.step() is None, "nobody looks"
    crew.looks = True
    until = time.monotonic() + 120
    while bots.step() is not None:
        assert time.monotonic() < until
    assert table.over()


def test_after_a_restart_bots_go_on_and_no_move_is_made_again(tmp_path: Path) -> None:
    first = Hall(tmp_path)
    table = asked(first)
    stepped(BotSeats(table, Crew(), least_s=0), 4)
    made = next(line for line in reversed(table.written) if isinstance(line.entry, MovePlayed))
    first.close()
    second = Hall(tmp_path)
    again = second.table(table.id)
    entry, before = made.entry, made.seq - 1
    assert isinstance(entry, MovePlayed)
    request = f"bot {table.id} {again.played(before)} {entry.seat}"
    assert again.play(Bot.at(entry.seat), again.played(before), request, entry.move) >= made.seq, "it is known"
    assert len(moves(again)) == 4
    stepped(BotSeats(again, Crew(), least_s=0))
    assert len(moves(again)) == 5
    second.close()


def test_no_bot_sits_in_a_toolbox(hall: Hall) -> None:
    with pytest.raises(Illegal):
        hall.lay(Setup("horus", "toolbox", (Seat("Ada", kind="sharp"), Seat("Ben"))))
    table = hall.lay(Setup("horus", "toolbox", (Seat("Ada", kind="away"), Seat("Ben"))))
    with pytest.raises(Illegal):
        table.switch(HOST, "bot", 1, "steady")
    with pytest.raises(Malformed):
        table.switch(HOST, "nobody", 7, "away")


def test_hints_are_allowed_by_the_host_counted_and_noted(hall: Hall) -> None:
    table = asked(hall, kinds=("person", "person"))
    ask = table.ask()
    assert isinstance(ask, Turn)
    (seat,) = ask.seats
    own = Actor("seat", seat)
    with pytest.raises(Illegal):
        table.ask_hint(own, table.seq, "hint", seat)
    with pytest.raises(NotYourTurn):
        table.allow_hints(own, "few", seat, "few")
    table.allow_hints(HOST, "few", seat, "few")
    for nth in range(3):
        table.ask_hint(own, table.seq, f"hint {nth}", seat)
    with pytest.raises(Illegal):
        table.ask_hint(own, table.seq, "one more", seat)
    table.allow_hints(HOST, "both", 1 - seat, "free")
    with pytest.raises(NotYourTurn):
        table.ask_hint(Actor("seat", 1 - seat), table.seq, "too early", 1 - seat)
    assert "hint" in str(table.written[-2].entry.__class__.__name__).lower()


def lifts(stage: Stage) -> bool:
    """Whether a lift is under way."""
    return stage.lift is not None


def test_with_the_shovel_somebody_lifts_where_the_bot_says(hall: Hall) -> None:
    now, rig = [0.0], Scribe()
    table = asked(hall, "tutankhamun", kinds=("person", "away"))
    while not (isinstance(ask := table.ask(), Turn) and ask.seats == (1,)):
        table.play(HOST, table.seq, f"{table.seq}", msgspec.to_builtins(table.moves(HOST).moves[-1]))
    stage = Stage(rig)
    stage.attach(table)

    class Lifters(Crew):
        def play(self, table: Table, actor: Bot, seq: int, request: str, move: object) -> object:
            return stage.play(table, actor, seq, request, {"type": "dig", "square": "a1"})

        def lifts_at(self, table: Table) -> bool:
            return lifts(stage)

    seats = BotSeats(table, Lifters(), least_s=0, clock=lambda: now[0])
    seq = table.seq
    seats.step()
    assert table.bot_news == {1: "lifts"}
    assert lifts(stage)
    assert stage.may_let_go(Actor("seat", 0)), "who has hands lifts for who has none"
    rig.begin()
    rig.hear("failed", "shovel.fault.leak")
    assert seats.step(), "there is time to see what is wrong"
    assert (table.seq, lifts(stage)) == (seq, False)
    now[0] += 11
    seats.step()
    assert lifts(stage), "it is lifted again"
    rig.lift()
    assert any(isinstance(line.entry, MovePlayed) and line.entry.by == "bot" for line in table.written[seq:])
    for _ in range(3):  # a shovel that never lifts keeps no table
        seats.step()
    table.take_back(HOST, table.seq, "back", seq)
    for _ in range(LIFTS):
        now[0] += 11
        seats.step()
        rig.begin()
        rig.hear("failed", "shovel.fault.leak")
    now[0] += 11
    seats.step()
    assert len(moves(table)) >= 2
    assert not lifts(stage)
