"""What the core promises, whatever is asked of it and whenever."""

from __future__ import annotations

import ctypes
import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge import frames
from firmware_bridge.messages import (
    ANSWER,
    BUDGET_MS,
    LEASE_MS,
    ON_TIME_MS,
    BoardFault,
    BoardNotice,
    Command,
    RefusalCode,
    Reset,
    Status,
    read_counters,
    read_status,
)
from tests.firmware_bridge.benches import STOP, Host, LibraryBench, bench

ACTS = st.one_of(
    st.tuples(st.just("pump"), st.integers(0, 255)),
    st.tuples(st.just("valve"), st.integers(0, 1)),
    st.tuples(st.just("renew"), st.just(0)),
    st.tuples(st.just("clear"), st.just(0)),
    st.tuples(st.just("stop"), st.just(0)),
    st.tuples(st.just("hello"), st.just(0)),
    st.tuples(st.just("wait"), st.integers(1, 900)),
)


def library() -> tuple[LibraryBench, Host]:
    board = bench("library")
    assert isinstance(board, LibraryBench)
    return board, Host(board)


def status(host: Host) -> Status:
    answer = host.ask(Command.STATUS)
    assert isinstance(answer, bytes)
    return read_status(answer, 0)


def do(board: LibraryBench, host: Host, act: str, value: int) -> None:
    match act:
        case "stop":
            board.hear(STOP)
        case "wait":
            host.run(value)
        case "pump" | "valve":
            host.ask(Command[act.upper()], value)
        case _:
            host.ask(Command[act.upper()])


@settings(max_examples=150, deadline=None)
@given(st.lists(ACTS, max_size=25))
def test_stop_makes_safe_in_every_state_and_stays(acts: list[tuple[str, int]]) -> None:
    board, host = library()
    for act, value in acts:
        do(board, host, act, value)
    board.hear(STOP)
    assert board.pins().safe
    for act, value in acts:
        if act != "clear":
            do(board, host, act, value)
            assert board.pins().safe


@settings(max_examples=150, deadline=None)
@given(st.lists(ACTS, max_size=25))
def test_nothing_runs_longer_than_the_lease_without_a_renewal(acts: list[tuple[str, int]]) -> None:
    board, host = library()
    host.on()
    for act, value in acts:
        do(board, host, act, value)
    host.run(LEASE_MS)
    assert board.pins().safe


@given(st.integers(0, LEASE_MS + 50))
def test_the_lease_ends_to_the_millisecond(ms: int) -> None:
    board, host = library()
    host.on()
    board.hear(host.frame(Command.RENEW))
    host.run(ms)
    assert board.pins().safe == (ms >= LEASE_MS)


def test_the_pump_never_runs_longer_than_twenty_seconds_in_one_go() -> None:
    board, host = library()
    host.on()
    host.run_renewing(ON_TIME_MS - 400)
    assert not board.pins().safe
    host.run_renewing(1000)
    assert board.pins().safe
    assert status(host).fault is BoardFault.ON_TIME


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_in_two_minutes_the_pump_runs_at_most_sixty_percent(seed: int) -> None:
    board, host = library()
    luck = random.Random(seed)
    host.ready()
    on: list[int] = []
    for _ in range(2000):  # 200 s in steps of 100 ms, wanting the pump as often as it gets it
        host.board.hear(host.frame(Command.RENEW) + host.frame(Command.CLEAR))
        board.hear(host.frame(Command.PUMP, luck.choice([0, 1, 255, 255, 255, 255])))
        host.run(100)
        on.append(100 if board.pins().pump else 0)
    assert max(sum(on[i : i + 1200]) for i in range(800)) <= 72_000 + 1200
    assert sum(on) > 40_000  # and it does run


def test_a_tired_pump_is_refused_and_rests() -> None:
    _, host = library()
    host.on()
    while status(host).fault is BoardFault.NONE:
        host.ask(Command.RENEW)
        host.run(190)
    host.ask(Command.CLEAR)
    host.ask(Command.RENEW)
    for _ in range(8):  # spend what is left
        host.ask(Command.PUMP, 255)
        host.run_renewing(600)
    host.ask(Command.CLEAR)
    host.ask(Command.RENEW)
    assert host.ask(Command.PUMP, 255) is RefusalCode.RESTING
    host.ask(Command.PUMP, 0)
    host.run(2000)
    host.ask(Command.RENEW)
    assert isinstance(host.ask(Command.PUMP, 255), bytes)


@pytest.mark.parametrize(
    ("reason", "fault"),
    [
        (Reset.POWER, BoardFault.NONE),
        (Reset.EXTERNAL, BoardFault.NONE),
        (Reset.UNKNOWN, BoardFault.NONE),
        (Reset.WATCHDOG, BoardFault.WATCHDOG),
        (Reset.BROWN_OUT, BoardFault.BROWN_OUT),
    ],
)
def test_after_a_reset_the_board_is_safe_and_says_why(reason: Reset, fault: BoardFault) -> None:
    board, host = library()
    host.on()
    board.reset(reason)
    assert board.pins().safe
    assert status(host).fault is fault
    assert host.ask(Command.PUMP, 200) is RefusalCode.NO_SESSION


@given(st.integers(1, 255), st.integers(0, 255), st.integers(0, 255))
def test_off_is_off_under_any_number(level: int, used: int, other: int) -> None:
    """Whatever was asked under a number before, and however often: who asks for off gets it."""
    board, host = library()
    host.on(level)
    for number in (used, used, other):
        board.hear(frames.frame(bytes([Command.PUMP, number, level])) + frames.frame(bytes([Command.VALVE, number, 1])))
        board.run(5)
        assert not board.pins().safe
        board.hear(frames.frame(bytes([Command.PUMP, number, 0])) + frames.frame(bytes([Command.VALVE, number, 0])))
        assert board.pins().safe


def test_off_is_said_to_the_pin_even_when_it_is_believed_to_be_off() -> None:
    board, host = library()
    assert isinstance(host.ask(Command.PUMP, 0), bytes)
    board.core.port_pump(ctypes.c_uint8(77))
    assert isinstance(host.again(), bytes)
    assert board.pins().pump == 0


@given(st.integers(1, 255), st.integers(1, 8))
def test_a_request_that_comes_twice_is_done_once(level: int, times: int) -> None:
    board, host = library()
    host.ready()
    host.ask(Command.PUMP, level)
    board.hear(STOP)
    host.ask(Command.CLEAR)
    board.hear(STOP)
    for _ in range(times):
        assert isinstance(host.again(), bytes)  # as if its answer had been lost; it must not undo the stop
        assert board.pins().safe
    assert status(host).fault is BoardFault.STOPPED


def test_questions_do_not_make_the_board_forget_the_last_act() -> None:
    board, host = library()
    host.ready()
    board.hear(STOP)
    host.ask(Command.CLEAR)
    clear = host.last
    board.hear(STOP)
    host.ask(Command.STATUS)
    host.ask(Command.COUNTERS)
    host.ask(Command.PING, 1, 2, 3)
    board.hear(clear)
    assert status(host).fault is BoardFault.STOPPED


@given(st.binary(max_size=38), st.integers(0, 255), st.integers(0, 255))
def test_every_request_is_answered_and_none_runs_the_pump_without_a_lease(
    body: bytes, kind: int, sequence: int
) -> None:
    board, host = library()
    host.ask(Command.HELLO)
    board.hear(frames.frame(bytes([kind, sequence]) + body))
    said = list(frames.Reader().read(board.run(1)))
    assert any(content[1] == sequence for content in said)
    assert board.pins().safe


@pytest.mark.parametrize("state", ["fresh", "greeted", "stopped", "on"])
def test_off_and_vented_are_never_refused(state: str) -> None:
    board, host = library()
    if state != "fresh":
        host.on() if state == "on" else host.ask(Command.HELLO)
    if state == "stopped":
        board.hear(STOP)
    assert isinstance(host.ask(Command.PUMP, 0), bytes)
    assert isinstance(host.ask(Command.VALVE, 0), bytes)
    assert board.pins().safe


def test_the_pump_starts_softly_and_stops_at_once() -> None:
    board, host = library()
    host.ready()
    board.hear(host.frame(Command.PUMP, 255))
    levels = []
    for _ in range(70):
        board.run(1)
        levels.append(board.pins().pump)
    assert levels[:2] == [4, 8]
    assert all(0 <= b - a <= 4 for a, b in pairwise(levels))
    assert levels[-1] == 255
    board.hear(host.frame(Command.PUMP, 0))
    assert board.pins().pump == 0


def test_limits_hold_the_level_and_rest_the_pump_at_the_vacuum_limit() -> None:
    board, host = library()
    host.ready()
    host.ask(Command.LIMITS, 180, *(200).to_bytes(2, "little"))
    host.ask(Command.PUMP, 255)
    host.run(100)
    assert board.pins().pump == 180
    board.senses(210, 0)
    host.run(100)
    assert board.pins().pump == 0
    board.senses(195, 0)  # within the slack: it rests on
    host.run(100)
    assert board.pins().pump == 0
    board.senses(180, 0)
    host.run(100)
    assert board.pins().pump == 180
    assert host.ask(Command.LIMITS, 0, 0, 0) is RefusalCode.MALFORMED


def test_a_spike_of_the_sensor_is_not_seen() -> None:
    board, host = library()
    host.ready()
    for spike in (0, 1023):
        board.senses(150, 0)
        host.run(200)
        board.senses(spike, 0)
        host.run(4)  # two samples of five
        board.senses(150, 0)
        host.run(1)
        assert abs(status(host).vacuum_raw - 150) <= 1


def test_a_true_change_of_the_sensor_is_seen_soon() -> None:
    board, host = library()
    board.senses(41, 0)
    host.run(100)
    board.senses(151, 0)
    host.run(40)
    assert status(host).vacuum_raw >= 0.9 * 110 + 41


@given(st.integers(0, 7), st.lists(st.integers(1, 5), max_size=15).filter(lambda bounces: sum(bounces) <= 15))
def test_a_button_that_bounces_for_fifteen_milliseconds_is_pressed_once(index: int, bounces: list[int]) -> None:
    board, host = library()
    host.ready()
    host.told.clear()
    down = False
    for ms in bounces:
        down = not down
        board.press(1 << index if down else 0)
        host.run(ms)
    board.press(1 << index)
    host.run(40)
    assert [body for tell, body in host.told if tell is BoardNotice.BUTTON] == [bytes([index, 1])]


def test_a_button_that_is_down_from_the_start_is_no_press() -> None:
    board, host = library()
    board.press(1)
    board.reset(Reset.POWER)
    host.ready()
    host.run(300)
    assert not [tell for tell, _ in host.told if tell is BoardNotice.BUTTON]
    assert status(host).buttons == 1


def test_a_last_run_with_nothing_behind_it_is_no_frame() -> None:
    """The same content must not have two spellings on the wire."""
    board, host = library()
    good = bytearray(host.frame(Command.PING, 1, 2, 3))
    good[1] |= 0x80  # the only code of this frame
    assert good.count(0) == 2
    board.hear(bytes(good))
    assert not [content for content in frames.Reader().read(board.run(1)) if content[0] != BoardNotice.BOOT]


def test_what_begins_like_a_frame_and_is_longer_than_any_is_one_frame_error() -> None:
    board, host = library()
    longest = host.frame(Command.PING, *range(1, 39))
    for more in (b"\x01", b"\x01" * 300):
        board.hear(longest[:-1] + more + b"\0")
        said = [content for content in frames.Reader().read(board.run(1)) if content[0] == Command.PING | ANSWER]
        assert not said
    answer = host.ask(Command.COUNTERS)
    assert isinstance(answer, bytes)
    assert (read_counters(answer).frame_errors, read_counters(answer).crc_errors) == (2, 0)
    board.hear(longest)
    assert len([content for content in frames.Reader().read(board.run(1)) if content[0] == Command.PING | ANSWER]) == 1


@pytest.mark.parametrize("kept", [BUDGET_MS, BUDGET_MS + 1, 65_535])
def test_no_more_is_believed_of_a_kept_budget_than_there_can_be(kept: int) -> None:
    board, host = library()
    board.core.port_keep(ctypes.c_uint16(kept))
    board.reset(Reset.EXTERNAL)
    assert status(host).budget_ms <= BUDGET_MS


def test_answers_that_do_not_fit_are_left_out_whole_and_counted() -> None:
    """The ring of the sender takes an answer to its last byte, and none that is one byte longer."""
    board, host = library()
    host.ready()
    for length in range(0, 39, 6):
        frame = host.frame(Command.PING, *range(length))
        for room, said in ((len(frame), 1), (len(frame) - 1, 0), (0, 0), (len(frame) + 1, 1)):
            board.core.library_room(room)
            board.hear(frame)
            answers = [content for content in host._reader.read(board.run(1)) if content[0] == Command.PING | ANSWER]
            assert len(answers) == said, (length, room)
    board.core.library_room(127)
    answer = host.ask(Command.COUNTERS)
    assert isinstance(answer, bytes)
    assert read_counters(answer).unsent >= 2 * 7
    assert not host._reader.frame_errors


@pytest.mark.parametrize("since_ms", range(5))
def test_a_change_of_a_button_is_told_fifteen_to_twenty_milliseconds_after_it(since_ms: int) -> None:
    """Four looks in a row, whenever it was pressed; three are none."""
    board, host = library()
    host.ready()
    host.run(since_ms)
    board.press(1)
    host.run(15)
    board.press(0)
    host.run(60)
    assert not [body for tell, body in host.told if tell is BoardNotice.BUTTON], "three looks"
    board.press(1)
    host.run(15)
    assert not [body for tell, body in host.told if tell is BoardNotice.BUTTON], "three looks"
    host.run(5)
    assert [body for tell, body in host.told if tell is BoardNotice.BUTTON] == [bytes([0, 1])]


def test_silence_of_three_seconds_ends_the_session() -> None:
    board, host = library()
    host.ready()
    host.ask(Command.LAMPS, 0xFF)
    host.run(3001)
    assert board.pins().lamps == 0
    assert host.ask(Command.RENEW) is RefusalCode.NO_SESSION
