"""The link to a board without its threads: what is written, and in which order."""

from __future__ import annotations

import time
from itertools import count

import pytest

from firmware_bridge import frames
from firmware_bridge.board import BoardRefused
from firmware_bridge.link import Link
from firmware_bridge.messages import ANSWER, PROTOCOL_VERSION, BoardFault, BoardNotice, Command, RefusalCode, Reset


class StrawPort:
    """A port that notes which requests are written, and that nothing ever comes from."""

    in_waiting = 0

    def __init__(self) -> None:
        self.asked: list[int] = []

    def read(self, size: int) -> bytes:
        return b""

    def write(self, data: bytes) -> int:
        self.asked.append(frames.unframe(data.strip(b"\0"))[0])
        return len(data)

    def close(self) -> None:
        """Nothing to give back."""


@pytest.fixture
def greeted() -> tuple[Link, StrawPort]:
    """A link without threads that has greeted its board, and the port to it."""
    link, port = Link("straw", clock=time.monotonic, on_event=None), StrawPort()
    link._port = port
    link._begin_greeting()
    welcome(link)
    port.asked.clear()
    return link, port


def welcome(link: Link, number: int | None = None) -> None:
    """The board answers a greeting, the newest if no other is named."""
    hello = bytes([PROTOCOL_VERSION, 1, 2, 0, 0, Reset.EXTERNAL, BoardFault.NONE])
    link._understand(bytes([Command.HELLO | ANSWER, link._greeting_number if number is None else number]) + hello)


@pytest.mark.parametrize("answered", [False, True], ids=["greeting", "greeted anew"])
def test_nothing_of_a_session_goes_out_behind_the_next_greeting(
    greeted: tuple[Link, StrawPort], answered: bool
) -> None:
    link, port = greeted
    session = link.session
    link._understand(bytes([BoardNotice.BOOT, 0]))
    if answered:
        welcome(link)
    with pytest.raises(BoardRefused) as why:
        link.request(Command.PUMP, b"\xc8", session=session)
    assert why.value.code is RefusalCode.NO_SESSION
    assert port.asked == [Command.HELLO]


def test_a_request_is_not_repeated_in_another_session(greeted: tuple[Link, StrawPort]) -> None:
    link, port = greeted
    attempts = count()

    def resets_before_the_second() -> bool:
        if next(attempts) == 1:
            link._understand(bytes([BoardNotice.BOOT, 0]))
            welcome(link)
        return True

    with pytest.raises(BoardRefused):
        link.request(Command.VALVE, b"\x01", session=link.session, as_long_as=resets_before_the_second)
    assert port.asked == [Command.VALVE, Command.HELLO]


@pytest.mark.parametrize("round_trip_ms", [1, 199, 200, 201, 399, 400, 700, 900])
def test_a_board_is_greeted_however_slow_the_wire_is(monkeypatch: pytest.MonkeyPatch, round_trip_ms: int) -> None:
    now = [100.0]
    monkeypatch.setattr("firmware_bridge.link.time.monotonic", lambda: now[0])
    link, port = Link("straw", clock=lambda: now[0], on_event=None), StrawPort()
    link._port = port
    link._begin_greeting()
    answers: list[tuple[float, int]] = []
    while link.hello is None:
        assert now[0] < 105.0, "it is never greeted"
        if port.asked:
            port.asked.clear()
            answers.append((now[0] + round_trip_ms / 1000, link._greeting_number))
        now[0] += 0.001
        link._speak()
        while answers and answers[0][0] <= now[0]:
            welcome(link, answers.pop(0)[1])
    assert not link._greeting


def test_a_board_that_says_nothing_for_700_ms_is_lost(
    monkeypatch: pytest.MonkeyPatch, greeted: tuple[Link, StrawPort]
) -> None:
    link, _ = greeted
    now = time.monotonic()
    monkeypatch.setattr("firmware_bridge.link.time.monotonic", lambda: now)
    link._heard = now
    now += 0.69
    assert link._why_lost() == ""
    now += 0.02
    assert link._why_lost() == "the board is silent"


def test_a_port_is_tried_again_soon_and_then_more_seldom(monkeypatch: pytest.MonkeyPatch) -> None:
    link, waits = Link("straw", clock=time.monotonic, on_event=None), list[float | None]()

    def fails(url: str) -> None:
        raise OSError("no such port")

    def wait(seconds: float | None = None) -> bool:
        waits.append(seconds)
        if len(waits) == 7:
            link._closing.set()
        return False

    monkeypatch.setattr("firmware_bridge.link.open_port", fails)
    monkeypatch.setattr(link._closing, "wait", wait)
    link._own()
    assert waits == [0.1, 0.2, 0.5, 1.0, 2.0, 2.0, 2.0]
