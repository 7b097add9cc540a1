"""PROTOCOL.md is enough: a host that was written from it alone gets on with every kind of board."""

from __future__ import annotations

import ast
import struct
from pathlib import Path

import pytest

from firmware_bridge.messages import Reset
from tests.firmware_bridge import stranger
from tests.firmware_bridge.benches import Bench
from tests.firmware_bridge.stranger import (
    BOOT,
    BOUNDS,
    BUTTON,
    BUZZ,
    BYE,
    CLEAR,
    COUNTERS,
    FAULT,
    FAULT_EVENT,
    HELLO,
    LAMPS,
    LIGHTS,
    LIMITS,
    MALFORMED,
    NO_LEASE,
    NO_SESSION,
    PING,
    PUMP,
    RENEW,
    RESTING,
    STATUS,
    STATUS_EVENT,
    STOP,
    UNKNOWN,
    VALVE,
    Refused,
    State,
    Stranger,
    unwrap,
    wrap,
)

ON, OFF = b"\x01", b"\x00"
ACTS = {RENEW: 0, PUMP: 1, VALVE: 1, LAMPS: 1, BUZZ: 4, CLEAR: 0, LIMITS: 3, LIGHTS: 5, BYE: 0}


@pytest.fixture
def guest(board: Bench) -> Stranger:
    return Stranger(board)


def test_it_shares_no_code_with_the_host_side() -> None:
    tree = ast.parse(Path(stranger.__file__).read_text())
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported == {"__future__", "dataclasses", "typing"}
    assert {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names} == {"struct"}


def test_the_example_of_a_frame_is_right() -> None:
    assert wrap(b"\x0a\x07") == bytes.fromhex("00 05 0A 07 23 82 00")
    assert unwrap(wrap(bytes(range(240, 256)) + bytes(8))[1:-1]) == bytes(range(240, 256)) + bytes(8)


def test_the_board_says_once_that_it_started_and_nothing_more_before_it_is_greeted(board: Bench) -> None:
    guest = Stranger(board)
    guest.run(1)
    guest.told.clear()
    board.reset(Reset.EXTERNAL)
    board.press(1)
    guest.run(1500)
    board.press(0)
    board.hear(STOP)
    guest.run(500)
    (boot,) = guest.told
    assert (boot.kind, boot.number) == (BOOT, 0)
    protocol, _major, _minor, abilities, reset, fault = struct.unpack_from("<BBBHBB", boot.body)
    assert (protocol, reset, fault) == (1, 2, 0)
    assert abilities & 63 == 63
    assert 0 < len(boot.body[7:].decode("ascii")) <= 24
    assert guest.greet()[6] == 1  # STOPPED: latched while nobody was there
    guest.run(5)
    first = guest.told[1]
    assert (first.kind, first.number) == (STATUS_EVENT, 0)  # and no FAULT: the hello has said it


def test_events_count_up_and_a_status_comes_each_200_ms_or_each_25(guest: Stranger) -> None:
    guest.arm()
    guest.state(VALVE, ON)
    guest.told.clear()
    guest.run(500)
    assert 18 <= len(guest.frames(STATUS_EVENT)) <= 22
    guest.state(VALVE, OFF)
    guest.run(1000)
    numbers = [told.number for told in guest.told]
    assert numbers == [(numbers[0] + i) % 256 for i in range(len(numbers))]
    guest.told.clear()
    guest.run(1000)
    assert len(guest.frames(STATUS_EVENT)) == 5


@pytest.mark.parametrize("kind", [0x00, 0x0F, 0x20, 0x81, 0xE1, 0xFE, 0xFF])
def test_what_is_unknown_is_refused_as_such_with_any_body(guest: Stranger, kind: int) -> None:
    assert guest.ask(kind) == guest.ask(kind, bytes(20)) == Refused(UNKNOWN)


def test_a_wrong_length_is_refused_before_anything_else_is_looked_at(guest: Stranger) -> None:
    fixed = ACTS | dict.fromkeys((HELLO, STATUS, COUNTERS, BOUNDS), 0)
    for kind, length in fixed.items():
        for wrong in {0, length + 1, 38} - {length}:
            assert guest.ask(kind, bytes(wrong)) == Refused(MALFORMED)
    assert guest.ask(PING, bytes(38)) == bytes(38)
    assert guest.ask(PING) == b""


def test_checks_come_in_the_order_of_the_document(guest: Stranger) -> None:
    wrong_value, wrong_buzz, wrong_limits = b"\x02", struct.pack("<HH", 10, 499), bytes(3)
    for kind, body in {
        RENEW: b"",
        LAMPS: ON,
        PUMP: ON,
        VALVE: wrong_value,
        BUZZ: wrong_buzz,
        LIMITS: wrong_limits,
    }.items():
        assert guest.ask(kind, body) == Refused(NO_SESSION)
    guest.greet()
    guest.stop()
    for kind, body in {VALVE: wrong_value, BUZZ: wrong_buzz, LIMITS: wrong_limits}.items():
        assert guest.ask(kind, body) == Refused(MALFORMED)
    for kind in (PUMP, VALVE):
        assert guest.ask(kind, ON) == Refused(FAULT)
    guest.state(CLEAR)
    for kind in (PUMP, VALVE):
        assert guest.ask(kind, ON) == Refused(NO_LEASE)


def test_off_and_vented_are_done_always(guest: Stranger) -> None:
    assert guest.state(PUMP, OFF).pump == guest.state(VALVE, OFF).closed == 0
    guest.arm()
    guest.state(PUMP, b"\xc8", number=7)
    guest.run(80)
    assert guest.state().pump == 200
    assert guest.state(PUMP, OFF, number=7).pump == 0
    assert guest.state(PUMP, OFF, number=7).pump == 0
    guest.stop()
    assert guest.state(PUMP, OFF).fault == 1


def test_a_repetition_is_answered_and_not_done_and_so_is_a_refusal(guest: Stranger) -> None:
    guest.greet()
    assert guest.ask(PUMP, ON, number=3) == Refused(NO_LEASE)
    assert guest.state(STATUS, number=4).lease_ms == 0  # a question is not remembered
    assert guest.ask(LAMPS, b"", number=3) == Refused(MALFORMED)  # nor a wrong length
    assert guest.ask(0x70, b"", number=3) == Refused(UNKNOWN)
    assert guest.ask(PUMP, ON, number=3) == Refused(NO_LEASE)
    guest.stop()
    assert guest.state(CLEAR, number=9).fault == 0
    guest.stop()
    assert guest.state(CLEAR, number=9).fault == 1
    assert guest.state(CLEAR, number=10).fault == 0
    guest.stop()
    guest.greet()  # forgets
    assert guest.state(CLEAR, number=10).fault == 0


def test_another_body_under_the_same_number_is_another_request(guest: Stranger) -> None:
    guest.greet()
    assert guest.state(LAMPS, b"\x01", number=5).lamps == 1
    assert guest.state(LAMPS, b"\x02", number=5).lamps == 2


def test_a_session_is_kept_by_any_whole_frame_and_by_nothing_else(guest: Stranger) -> None:
    guest.greet()
    guest.state(LAMPS, b"\x09")
    for _ in range(3):
        guest.run(2900)
        assert guest.ask(0x55) == Refused(UNKNOWN)
    assert guest.state().lamps == 9
    for _ in range(7):
        guest.run(500)
        guest.wire.hear(STOP + b"\0\x02\x02\x02\0")
    assert guest.state().lamps == 0
    assert guest.ask(RENEW) == Refused(NO_SESSION)


def test_goodbye_makes_all_safe_and_keeps_the_fault(guest: Stranger) -> None:
    guest.arm()
    guest.state(LAMPS, b"\xff")
    guest.state(PUMP, ON)
    guest.state(VALVE, ON)
    said = guest.state(BYE, number=30)
    assert (said.pump, said.closed, said.lamps, said.lease_ms) == (0, 0, 0, 0)
    assert guest.state(BYE, number=30).fault == 0  # its answer may have been lost
    assert guest.ask(BYE) == Refused(NO_SESSION)
    guest.told.clear()
    guest.run(600)
    assert not guest.told


def test_a_lease_may_be_had_during_a_fault_and_a_fault_takes_the_one_that_is(guest: Stranger) -> None:
    guest.arm()
    guest.run(20)
    guest.stop()
    assert guest.state().lease_ms == 0
    assert guest.state(RENEW).lease_ms == 700
    guest.run(300)
    state = guest.state(CLEAR)
    assert (state.fault, state.pump) == (0, 0)
    assert 350 <= state.lease_ms <= 400
    assert isinstance(guest.ask(PUMP, ON), bytes)


def test_a_lease_that_runs_out_is_a_fault_only_while_something_is_on(guest: Stranger) -> None:
    guest.arm()
    guest.run(1000)
    assert guest.state().fault == 0
    guest.state(RENEW)
    guest.state(VALVE, ON)
    guest.run(1000)
    assert [told.body for told in guest.frames(FAULT_EVENT)] == [b"\x02"]
    assert (guest.state().fault, guest.state().closed) == (2, 0)


def test_a_stop_is_told_once_and_leaves_session_and_lamps(guest: Stranger) -> None:
    guest.arm()
    guest.state(LAMPS, b"\x05")
    guest.state(VALVE, ON)
    guest.stop()
    guest.stop()
    guest.run(50)
    assert [told.body for told in guest.frames(FAULT_EVENT)] == [b"\x01"]
    after = guest.told[guest.told.index(guest.frames(FAULT_EVENT)[0]) + 1]
    assert after.kind == STATUS_EVENT  # at once
    state = guest.state()
    assert (state.closed, state.fault, state.lamps) == (0, 1, 5)


def test_what_is_older_than_a_stop_is_not_done_and_no_error(guest: Stranger) -> None:
    guest.arm()
    frame = wrap(bytes([PUMP, 77, 200]))
    for place in range(1, len(frame)):
        guest.wire.hear(frame[:place] + STOP + frame[place:])
        guest.run(5)
        assert guest.state(CLEAR).fault == 0
        guest.state(RENEW)
        assert guest.state().pump == 0
    assert guest.ask(COUNTERS)[:4] == bytes(4)  # type: ignore[index]


def test_damage_is_counted_in_two_ways_and_never_answered(guest: Stranger) -> None:
    good = wrap(bytes([PING, 50, 1, 2, 3]))
    turned, cut, endless = bytearray(good), good[:4] + b"\0", b"\0" + b"\x07" * 80 + b"\0"
    turned[3] ^= 0x10
    guest.wire.hear(bytes(turned) + cut + endless + b"\0\0\0")
    guest.run(20)
    counted = guest.ask(COUNTERS)
    assert isinstance(counted, bytes)
    crc, frame, _overruns, unsent, uptime = struct.unpack("<4HI", counted)
    assert (crc, frame, unsent) == (1, 2, 0)
    assert uptime > 20


def test_the_buzzer_has_bounds_and_no_milliseconds_are_silence(board: Bench, guest: Stranger) -> None:
    guest.greet()
    for pitch in (0, 499, 5001, 65535):
        assert guest.ask(BUZZ, struct.pack("<HH", 100, pitch)) == Refused(MALFORMED)
    for pitch in (500, 5000):
        guest.state(BUZZ, struct.pack("<HH", 60, pitch))
        assert abs(board.pins().pitch - pitch) <= 0.03 * pitch
    guest.state(BUZZ, bytes(4))
    assert board.pins().pitch == 0
    guest.state(BUZZ, struct.pack("<HH", 60, 1000))
    guest.run(70)
    assert board.pins().pitch == 0


def test_the_limits_cap_the_level_and_are_told(guest: Stranger) -> None:
    assert guest.ask(LIMITS, struct.pack("<BH", 0, 0)) == Refused(NO_SESSION)
    guest.arm()
    assert guest.ask(LIMITS, struct.pack("<BH", 0, 0)) == Refused(MALFORMED)
    guest.state(LIMITS, struct.pack("<BH", 90, 700))
    guest.state(PUMP, b"\xff")
    guest.run(80)
    assert guest.state().pump == 90
    bounds = guest.ask(BOUNDS)
    assert isinstance(bounds, bytes)
    assert struct.unpack_from("<8HBH", bounds) == (700, 20000, 24000, 1000, 3000, 250, 500, 5000, 90, 700)
    assert struct.unpack_from("<H", bounds, 19)[0] in {1023, 4095}
    guest.greet()
    assert guest.ask(BOUNDS) == bounds  # a new host finds them as they are
    guest.arm()
    guest.state(LIMITS, struct.pack("<BH", 255, 1))  # any vacuum is enough: as with a sensor that falls with it
    guest.state(PUMP, b"\xff")
    guest.run(80)
    assert guest.state().pump == 0
    assert guest.state().on_ms > 0


def test_the_pump_starts_softly_and_its_times_are_told(guest: Stranger) -> None:
    guest.arm()
    guest.state(PUMP, b"\xff")
    guest.run(30)
    assert 90 < guest.state().pump < 200
    guest.run(50)
    state = guest.state()
    assert state.pump == 255
    assert 80 <= state.on_ms <= 100
    assert 24000 - 110 <= state.budget_ms <= 24000 - 80
    assert guest.state(PUMP, OFF).on_ms == 0


def test_the_pump_rests_when_its_budget_is_spent(board: Bench, guest: Stranger) -> None:
    board.reset(Reset.POWER)
    guest.run(20)
    guest.arm()
    assert guest.ask(PUMP, ON) == Refused(RESTING)
    guest.run(1000)
    guest.state(RENEW)
    assert isinstance(guest.ask(PUMP, ON), bytes)
    for _ in range(8):
        guest.run(150)
        guest.state(RENEW)
    assert guest.state().fault == 4


def test_a_press_is_told_with_its_button(board: Bench, guest: Stranger) -> None:
    guest.greet()
    guest.run(50)
    board.press(0b1000_0001)
    guest.run(60)
    assert [told.body for told in guest.frames(BUTTON)] == [b"\x00\x01", b"\x07\x01"]
    assert guest.state().buttons == 0b1000_0001
    board.press(0)
    guest.run(60)
    assert [told.body for told in guest.frames(BUTTON)][2:] == [b"\x00\x00", b"\x07\x00"]


def test_a_card_is_lifted_and_let_go(board: Bench, guest: Stranger) -> None:
    """A whole lift, as a maker's own program would do it."""
    guest.arm()
    guest.state(VALVE, ON)
    guest.state(PUMP, b"\xdc")
    for _ in range(10):
        guest.run(180)
        assert guest.state(RENEW).fault == 0
    held = guest.state()
    assert (held.pump, held.closed) == (220, 1)
    guest.state(PUMP, OFF)
    guest.state(VALVE, OFF)
    guest.run(300)
    assert board.pins().safe
    assert isinstance(State.read(guest.ask(BYE)), State)  # type: ignore[arg-type]
