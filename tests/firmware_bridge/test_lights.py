"""Pixels: what a host asks for is what each board sends, and all of them together draw no more than they may."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_bridge.messages import LIGHTS, LIGHTS_MOST_MA, Command, Feature, RefusalCode, read_hello
from firmware_bridge.twin.lights import AT_ONCE_MS, CHANNEL_MA, IDLE_MA, PixelLights
from tests.firmware_bridge.benches import STOP, Host, ProcessBench, bench

SENT_MS = 30
LINE = 1 << 6


@pytest.fixture(params=["host", "simavr", "pico", "twin"])
def board(request: pytest.FixtureRequest) -> Iterator[ProcessBench]:
    made = bench(request.param)
    assert isinstance(made, ProcessBench)
    yield made
    made.close()


def shown(board: ProcessBench) -> list[tuple[int, ...]]:
    """What each pixel shows."""
    lights = bytes.fromhex(str(board.obey("lights")["lights"]))
    return [tuple(lights[i : i + 3]) for i in range(0, len(lights), 3)]


def milliamperes(colours: list[tuple[int, ...]]) -> float:
    return LIGHTS * IDLE_MA + sum(map(sum, colours)) * CHANNEL_MA / 255


def greeted(board: ProcessBench) -> Host:
    host = Host(board)
    answer = host.ask(Command.HELLO)
    assert isinstance(answer, bytes)
    assert read_hello(answer).can & Feature.LIGHTS
    return host


def test_what_is_asked_for_is_sent_and_draws_no_more_than_it_may(board: ProcessBench) -> None:
    host = greeted(board)
    host.ask(Command.LAMPS, 0xFF)
    assert board.pins().lamps == 0xFF, "until there are lights, their line is a lamp's"
    host.ask(Command.LIGHTS, 0, 52, 0, 0, 0)
    host.ask(Command.LIGHTS, 3, 2, 255, 1, 128)
    host.ask(Command.LIGHTS, 63, 1, 0, 77, 0)
    host.run(SENT_MS)
    wanted = [(0, 0, 0)] * LIGHTS
    wanted[3:5], wanted[63] = [(255, 1, 128)] * 2, (0, 77, 0)
    assert shown(board) == wanted
    host.ask(Command.LAMPS, 0xFF)
    assert board.pins().lamps & LINE == 0

    host.ask(Command.LIGHTS, 0, LIGHTS, 255, 255, 255)
    host.run(SENT_MS)
    assert 0.95 * LIGHTS_MOST_MA < milliamperes(shown(board)) <= LIGHTS_MOST_MA
    assert len(set(shown(board))) == 1

    for refused in ((0, 0), (64, 1), (63, 2), (1, 255)):
        assert host.ask(Command.LIGHTS, *refused, 9, 9, 9) is RefusalCode.MALFORMED
    before = shown(board)
    board.hear(STOP)
    host.run(SENT_MS)
    assert shown(board) == before, "a stop is about air"
    host.ask(Command.BYE)
    host.run(SENT_MS)
    assert set(shown(board)) == {(0, 0, 0)}
    assert host.ask(Command.LIGHTS, 0, 1, 9, 9, 9) is RefusalCode.NO_SESSION


def test_nothing_that_arrives_while_pixels_are_sent_is_lost(board: ProcessBench) -> None:
    host = greeted(board)
    for step in range(40):
        host.ask(Command.LIGHTS, step, 24, step, 255 - step, 7)
        for _ in range(6):
            assert host.ask(Command.PING, *range(20)) == bytes(range(20))
    host.ask(Command.COUNTERS)
    counters = host.ask(Command.COUNTERS)
    assert isinstance(counters, bytes)
    assert counters[:8] == bytes(8), "no frame was damaged, and no byte lost"


def test_a_stop_among_the_pixels_is_heeded_at_once(board: ProcessBench) -> None:
    host = greeted(board)
    host.on()
    for late in range(4):
        host.ask(Command.CLEAR)
        host.ask(Command.RENEW)
        host.ask(Command.PUMP, 255)
        host.ask(Command.LIGHTS, 0, LIGHTS, late, 200, 200)
        host.run(AT_ONCE_MS - 12 + late)
        assert not board.pins().safe
        board.hear(STOP)
        host.run(1)
        assert board.pins().safe


COLOURS = st.tuples(*[st.integers(0, 255)] * 3)


@given(st.lists(st.tuples(st.integers(0, 63), st.integers(1, 64), COLOURS), max_size=12))
def test_no_picture_draws_more(asked: list[tuple[int, int, tuple[int, int, int]]]) -> None:
    lights = PixelLights()
    for first, count, colour in asked:
        lights.fill(first, min(count, LIGHTS - first), bytes(colour))
    for _ in range(AT_ONCE_MS):
        lights.tick()
    assert milliamperes([tuple(lights.shown)]) <= LIGHTS_MOST_MA
