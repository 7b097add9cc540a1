"""Bots that sit at a table: in a process of their own, each move made once, and never stuck."""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.game import Chance, Finished, Seat, Setup, Turn
from companion.play.bot_seats import BotSeats
from companion.play.entries import MovePlayed
from companion.play.hall import Hall
from companion.play.table import HOST, Table
from companion.play.thinking import MEMORY, BotQuestion, Thinker

DEAF = (sys.executable, "-c", "import time; time.sleep(600)")
DYING = (sys.executable, "-c", "import sys; sys.stdin.buffer.read(4)")


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    kept = Hall(tmp_path)
    yield kept
    kept.close()


def asked(hall: Hall, box: str = "jenseits", most: int = 400) -> Table:
    """A table at which somebody is asked."""
    table = hall.lay(Setup(box, "referee", (Seat("Ada"), Seat("Ben"))), secret=bytes(32))
    for _ in range(most):
        if isinstance(table.ask(), Turn):
            return table
        table.answer(HOST, table.seq, f"draw {table.seq}", None)
    raise AssertionError("nobody is asked")


def question(table: Table, level: str = "curious") -> BotQuestion:
    ask = table.ask()
    assert isinstance(ask, Turn)
    return BotQuestion.of(table.laid, table.state, ask.seats[0], level, 5)


def moves(table: Table) -> list[int]:
    return [line.entry.seat for line in table.written if isinstance(line.entry, MovePlayed)]


def test_a_bot_thinks_in_a_process_that_yields_and_is_bounded(hall: Hall) -> None:
    thinker, told = Thinker(), list[tuple[str, int]]()
    assert not thinker.pid, "it is spawned when first wanted"
    table = asked(hall)
    ask = table.ask()
    assert isinstance(ask, Turn)
    seat = ask.seats[0]
    seats = BotSeats(table, {seat: "curious"}, thinker, told=lambda *news: told.append(news), least_s=0, most_s=60)
    assert seats.move()
    assert told == [("thinks", seat), ("moved", seat)]
    assert moves(table) == [seat]
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
    thinker.close()


@pytest.mark.parametrize("command", [DEAF, DYING], ids=["deaf", "dying"])
def test_a_table_is_not_stuck_by_a_bot_that_does_not_answer(hall: Hall, command: tuple[str, ...]) -> None:
    thinker, table, told = Thinker(command), asked(hall), list[str]()
    seats = BotSeats(
        table, {0: "sharp", 1: "sharp"}, thinker, told=lambda news, _: told.append(news), least_s=0, most_s=0.3
    )
    assert seats.move()
    assert seats.move()
    assert told == ["thinks", "moved_without"] * 2
    assert len(moves(table)) == 2
    thinker.close()


def test_no_move_is_made_twice_nor_at_a_table_that_has_moved_on(hall: Hall) -> None:
    table = asked(hall)
    first = BotSeats(table, {0: "curious", 1: "curious"}, None, least_s=0)
    second = BotSeats(table, {0: "curious", 1: "curious"}, None, least_s=0)

    def overtakes(news: str, seat: int) -> None:
        if news == "thinks" and not moves(table):
            second.move()

    first.told = overtakes
    assert first.move()
    assert len(moves(table)) == 1, "the same request is the same move"
    first.leave()
    assert not first.move()


def test_bots_play_a_game_to_its_end(hall: Hall) -> None:
    table, luck = asked(hall, "horus"), random.Random(1)
    seats = BotSeats(table, {0: "curious", 1: "curious"}, None, least_s=0)
    for _ in range(3000):
        ask = table.ask()
        if isinstance(ask, Finished):
            break
        if isinstance(ask, Chance):
            table.answer(HOST, table.seq, f"draw {table.seq} {luck.random()}", None)
        else:
            assert seats.move()
    assert table.over()


def test_after_a_restart_bots_go_on_and_no_move_is_made_again(tmp_path: Path) -> None:
    first = Hall(tmp_path)
    table, told = asked(first), list[str]()
    seats = BotSeats(table, {0: "curious", 1: "curious"}, None, least_s=0)
    while len(moves(table)) < 4:
        assert seats.move()
    made = next(line for line in reversed(table.written) if isinstance(line.entry, MovePlayed))
    first.close()
    second = Hall(tmp_path)
    again = second.table(table.id)
    entry, before = made.entry, made.seq - 1
    assert isinstance(entry, MovePlayed)
    request = f"bot {entry.seat} at {before}"
    assert again.play(HOST, before, request, entry.move, seat=entry.seat) >= made.seq, "it is known from before"
    assert len(moves(again)) == 4
    seats = BotSeats(again, {0: "curious", 1: "curious"}, None, told=lambda news, _: told.append(news), least_s=0)
    assert seats.move()
    assert len(moves(again)) == 5
    assert told == ["thinks", "moved_without"]
    second.close()
