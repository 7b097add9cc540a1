"""The worst moment: for a stop that comes behind a full buffer or between two instructions, for a reset, for a hang."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from firmware_bridge.messages import (
    BUDGET_MS,
    ON_TIME_MS,
    BoardFault,
    BoardNotice,
    Command,
    Feature,
    RefusalCode,
    Reset,
    Status,
    read_hello,
    read_status,
)
from tests.firmware_bridge.benches import STOP, Bench, Host, ProcessBench, bench

RING = 63
"""Bytes that the Nano's receive buffer holds."""
WATCHDOG_MS = 300
PWM_PERIOD = 800
"""Clock ticks at 16 MHz: 20 kHz."""
processes = pytest.mark.parametrize("kind", ["host", "simavr", "pico", "twin"])
nano = pytest.mark.parametrize("kind", ["host", "simavr", "twin"])
chips = pytest.mark.parametrize("kind", ["simavr", "pico"])
chip = pytest.mark.parametrize("kind", ["simavr"])


@pytest.fixture
def steps(kind: str) -> Iterator[ProcessBench]:
    board = bench(kind)
    assert isinstance(board, ProcessBench)
    yield board
    board.close()


def status(host: Host) -> Status:
    answer = host.ask(Command.STATUS)
    assert isinstance(answer, bytes)
    return read_status(answer, 0)


def fill(host: Host) -> bytes:
    """Valid requests that set everything going, as many as the buffer holds."""
    waiting = b""
    while True:
        more = b"".join(
            host.frame(*asked)
            for asked in ((Command.CLEAR,), (Command.RENEW,), (Command.VALVE, 1), (Command.PUMP, 255))
        )
        if len(waiting + more) > RING:
            return waiting.ljust(RING, b"\0")
        waiting += more


@processes
@pytest.mark.parametrize("before", ["ready", "on"])
def test_nothing_that_waited_when_the_stop_came_is_done_after_it(steps: ProcessBench, before: str) -> None:
    host = Host(steps)
    host.on() if before == "on" else host.ready()
    host.run(20)
    steps.obey("hang 100000")
    starts = steps.state()["starts"]
    steps.hear(fill(host) + STOP)
    host.run(20)
    assert steps.pins().safe  # though the main loop hangs
    host.run(300)
    assert steps.pins().safe
    assert steps.state()["starts"] == starts
    assert steps.state()["resets"] == 0
    now = status(host)
    assert (now.fault, now.lease_ms) == (BoardFault.STOPPED, 0)


@processes
@pytest.mark.parametrize("hang_ms", [0, 100])
def test_what_comes_after_the_stop_is_done_after_it(steps: ProcessBench, hang_ms: int) -> None:
    """Also where the main loop is still at an older request while newer ones come in."""
    host = Host(steps)
    host.ready()
    steps.obey(f"hang {hang_ms * 1000}")
    older = host.frame(Command.PING, *range(38)) + host.frame(Command.PUMP, 250)[:5]
    newer = host.frame(Command.CLEAR) + host.frame(Command.RENEW) + host.frame(Command.PUMP, 90)
    steps.hear(older + STOP + newer)
    host.run(200)
    assert (steps.pins().pump, steps.pins().valve) == (90, False)


@chip
def test_a_stop_while_a_byte_is_taken_from_the_buffer_brings_nothing_old_back(steps: ProcessBench) -> None:
    """At each instruction after a byte came in. What the buffer held before, done again, would clear the stop."""
    host = Host(steps)
    for instruction in range(250):
        host.ask(Command.BYE)
        old = ((Command.PUMP, 255), (Command.VALVE, 1), (Command.RENEW,), (Command.CLEAR,), (Command.HELLO,))
        steps.hear(b"".join(host.frame(*asked) for asked in old))
        host.run(8)
        steps.obey(f"pounce received {instruction}")
        steps.hear(b"\0")
        host.run(8)
        now = status(host)
        assert (now.fault, now.lease_ms) == (BoardFault.STOPPED, 0), instruction
        host.ask(Command.CLEAR)


@chip
def test_a_stop_just_before_the_pump_is_driven_leaves_it_off(steps: ProcessBench) -> None:
    """While its level still rises, each millisecond: where the loop keeps interrupts out, and where it does it."""
    host = Host(steps)
    for place in [*(f"cli {i}" for i in range(12)), "timer_1 0"]:
        host.ready()
        assert isinstance(host.ask(Command.PUMP, 255), bytes)
        steps.obey(f"pounce {place}")
        host.run(5)
        assert status(host).fault is BoardFault.STOPPED
        assert steps.state()["starts"] == 0, place
        assert steps.pins().safe


@chip
def test_a_stop_just_before_the_valve_is_closed_leaves_it_open(steps: ProcessBench) -> None:
    host = Host(steps)
    for place in range(60):
        host.ready()
        steps.obey(f"pounce cli {place}")
        steps.hear(host.frame(Command.VALVE, 1))
        host.run(20)
        assert status(host).fault is BoardFault.STOPPED
        assert steps.state()["starts"] == 0, place
        assert steps.pins().safe


@chip
def test_a_stop_in_the_middle_of_the_lamps_is_not_undone_by_them(steps: ProcessBench) -> None:
    """Lamps, pump and valve share a port: what was read before the stop may not be written after it."""
    host = Host(steps)
    host.on()
    host.run(100)
    steps.obey("pounce port_b 0")
    steps.hear(host.frame(Command.LAMPS, 0b111))
    host.run(20)
    assert status(host).fault is BoardFault.STOPPED
    assert steps.state()["starts"] == 0
    assert steps.pins().safe
    assert steps.pins().lamps == 0b111


@chips
@pytest.mark.parametrize("reason", [Reset.POWER, Reset.EXTERNAL, Reset.BROWN_OUT, Reset.WATCHDOG])
def test_no_pin_blinks_on_while_the_board_starts(steps: ProcessBench, reason: Reset) -> None:
    """Pump and valve are looked at after each instruction of the start."""
    assert steps.state()["starts"] == 0
    steps.reset(reason)
    steps.run(50)
    assert steps.state()["starts"] == 0


@chips
@pytest.mark.parametrize("later_ms", [0, 100, 180])
def test_a_hang_in_which_no_interrupt_is_let_in_is_ended_too(steps: ProcessBench, later_ms: int) -> None:
    """Neither the end of a lease nor a stop is noticed then; nothing but the watchdog is left."""
    host = Host(steps)
    host.on()
    host.run(100)
    since = steps.state()["now_us"]
    steps.hang(60_000)
    host.run(later_ms)
    steps.obey("lock")
    host.run(700)
    assert steps.pins().safe
    state = steps.state()
    assert 0 < state["pump_changed_us"] - since <= WATCHDOG_MS * 1000
    assert 0 < state["valve_changed_us"] - since <= WATCHDOG_MS * 1000
    assert state["resets"] == 1
    assert host.ask(Command.PUMP, 200) is RefusalCode.NO_SESSION


@chips
def test_a_timer_that_dies_while_the_main_loop_lives_is_a_hang(steps: ProcessBench) -> None:
    """Without milliseconds no lease would ever end."""
    host = Host(steps)
    host.on()
    host.run(100)
    since = steps.state()["now_us"]
    steps.obey("freeze")
    for _ in range(60):
        steps.hear(host.frame(Command.RENEW))
        host.run(10)
    assert steps.pins().safe
    state = steps.state()
    assert 0 < state["pump_changed_us"] - since <= WATCHDOG_MS * 1000
    assert state["resets"] == 1
    assert host.ask(Command.PUMP, 200) is RefusalCode.NO_SESSION


@chip
def test_a_slow_start_after_the_watchdog_is_no_second_hang(steps: ProcessBench) -> None:
    """After its reset the watchdog bites again within 16 ms, unless it is switched off first of all."""
    host = Host(steps)
    host.on()
    steps.hang(60_000)
    host.run(480)
    since = steps.state()["now_us"]
    while (state := steps.state())["resets"] == 0:
        assert state["now_us"] < since + 2000 * WATCHDOG_MS
        steps.obey("run 20")
    steps.obey("run 20")
    steps.hang(100)
    host.run(150)
    assert steps.state()["resets"] == 1
    assert isinstance(host.ask(Command.HELLO), bytes)


def ran_and_rested(board: Bench, reason: Reset) -> tuple[int, int]:
    """Run the pump for eleven seconds, again and again with a reset between; how long it has run, and how long not."""
    ran = passed = 0
    for _ in range(4):
        host = Host(board)
        host.ready()
        host.ask(Command.PUMP, 200)
        for _ in range(55):
            host.ask(Command.RENEW)
            host.run(200 - 2)
            ran += 200 if board.pins().pump else 0
        passed += host.elapsed_ms
        board.reset(reason)
        host.run(20)
    return ran, passed - ran


@pytest.mark.parametrize("reason", [Reset.EXTERNAL, Reset.BROWN_OUT, Reset.WATCHDOG, Reset.POWER])
def test_a_reset_is_no_rest_for_the_pump(board: Bench, reason: Reset) -> None:
    ran, rested = ran_and_rested(board, reason)
    assert ON_TIME_MS // 2 < ran <= BUDGET_MS + rested + 200


@pytest.mark.parametrize("reason", [Reset.EXTERNAL, Reset.BROWN_OUT, Reset.WATCHDOG])
def test_what_is_left_of_the_budget_outlives_a_reset(board: Bench, host: Host, reason: Reset) -> None:
    host.on()
    host.run_renewing(9000)
    left = status(host).budget_ms
    assert left < BUDGET_MS - 8900
    board.reset(reason)
    host.run(5)
    now = status(host).budget_ms
    hung = 250 if reason is Reset.WATCHDOG else 0
    assert left - hung - 10 <= now <= left - hung + 25
    host.run(3000)
    assert status(host).budget_ms >= now + 3000  # and it rests on


def test_after_a_power_loss_the_pump_rests_first(board: Bench, host: Host) -> None:
    """Nobody knows how long the power was out, or how hot the pump is: what is not remembered counts as spent."""
    board.reset(Reset.POWER)
    host.run(20)
    assert status(host).budget_ms < 100
    host.ready()
    assert host.ask(Command.PUMP, 200) is RefusalCode.RESTING
    host.run(1000)
    host.ask(Command.RENEW)
    assert isinstance(host.ask(Command.PUMP, 200), bytes)


@chip
@pytest.mark.parametrize("level", [100, 224, 255])
def test_presses_of_the_button_at_the_timers_own_pin_do_not_change_what_the_pump_gets(
    steps: ProcessBench, level: int
) -> None:
    """Button 6 is at D8, where timer 1 captures its count into the register that holds the pump's period."""
    host = Host(steps)
    for _ in range(6):
        host.ready()
        for held_ms in (0, 3, 7, 41, 1):  # before the run, also while the timer stands still at any count
            steps.press(1 << 5)
            host.run(held_ms)
            steps.press(0)
            host.run(5)
        assert isinstance(host.ask(Command.RENEW), bytes)
        assert isinstance(host.ask(Command.PUMP, level), bytes)
        host.run(80)
        for held_ms in (20, 3, 30):
            assert abs(steps.pins().pump - level) <= 1
            assert steps.state()["period"] == PWM_PERIOD
            steps.press(1 << 5)
            host.run(held_ms)
            assert abs(steps.pins().pump - level) <= 1
            steps.press(0)
            host.run(11)
        host.ask(Command.PUMP, 0)
        assert steps.pins().pump == 0
    assert steps.state()["resets"] == 0


@nano
@pytest.mark.parametrize("kpa", [0.0, 30.0])
def test_a_line_that_nothing_holds_is_no_button(steps: ProcessBench, kind: str, kpa: float) -> None:
    """It reads what the converter read before it: on an Uno, which has no A6 and A7, a vacuum or none."""
    host = Host(steps)
    steps.obey("uno 1")
    steps.reset(Reset.EXTERNAL)
    host.run(20)
    hello = host.ask(Command.HELLO)
    assert isinstance(hello, bytes)
    assert not read_hello(hello).can & Feature.EIGHT_BUTTONS
    if kpa:
        steps.obey("card 1")
        steps.obey("blocked 1")
        host.on(255)
    host.run_renewing(400)
    assert status(host).buttons == 0
    steps.press(0b00100000)
    host.run(60)
    assert status(host).buttons == 0b00100000
    assert not [body for tell, body in host.told if tell is BoardNotice.BUTTON and body[0] > 5]


@nano
@pytest.mark.parametrize("pressed", [0, 0b01000000, 0b11000000])
def test_lines_that_are_held_are_buttons_also_while_they_are_pressed_at_the_start(
    steps: ProcessBench, pressed: int
) -> None:
    host = Host(steps)
    steps.press(pressed)
    steps.reset(Reset.EXTERNAL)
    host.run(20)
    hello = host.ask(Command.HELLO)
    assert isinstance(hello, bytes)
    assert read_hello(hello).can & Feature.EIGHT_BUTTONS
    assert status(host).buttons == pressed
