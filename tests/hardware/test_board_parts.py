"""Pump, valve, gauge and panel behind a board, seen from the rig's side of the wire."""

from collections.abc import Callable
from typing import cast

import pytest

from firmware_bridge.board import Board, BoardRefused, LinkLost
from firmware_bridge.messages import BoardFault, Bounds, Button, Feature, Hello, RefusalCode, Reset, Status
from firmware_bridge.quality import LinkQuality
from hardware.board_parts import BoardPanel, SerialAir
from hardware.faults import AirLost
from hardware.panel import Note
from hardware.sensors import SENSORS

HELLO = Hello(1, "1.0", Feature.PWM, Reset.POWER, BoardFault.NONE, "a board of straw")
AT_REST = Status(0, False, BoardFault.NONE, 0, 0, 41, 0, 0, 24_000, at=5.0)


class StrawBoard:
    """A board that writes down what it is asked, and answers as a test wishes."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.hello: Hello | None = HELLO
        self.session: int | None = 1
        self.was_greeted = True
        self.full_count: int | None = 1023
        self.status: Status | None = AT_REST
        self.statuses: tuple[Status, ...] = ()
        self.other_protocol: int | None = None
        self.link = LinkQuality(True, 0.0)
        self.answer: Callable[[], None] = lambda: None

    def _ask(self, what: str, session: int | None = None) -> None:
        if session not in (None, self.session):
            raise BoardRefused(RefusalCode.NO_SESSION)
        self.asked.append(what)
        self.answer()

    def start_anew(self) -> None:
        """The board resets and is greeted again."""
        self.session = (self.session or 0) + 1

    def pump(self, level: int, *, session: int | None = None) -> None:
        self._ask(f"pump {level}", session)

    def valve(self, closed: bool, *, session: int | None = None) -> None:
        self._ask("close" if closed else "open", session)

    def limits(self, *, pump_most: int = 255, vacuum_most: int = 0) -> None:
        self._ask(f"limits {pump_most} {vacuum_most}")

    def renew(self) -> None:
        self._ask("renew")

    def clear_fault(self) -> None:
        self._ask("clear")

    def lamps(self, bits: int) -> None:
        self._ask(f"lamps {bits:08b}")

    def buzz(self, ms: int, pitch: int) -> None:
        self._ask(f"buzz {ms} {pitch}")

    def stop(self) -> None:
        self.asked.append("stop")

    def taken(self) -> list[str]:
        asked, self.asked = self.asked, []
        return asked


def lost() -> None:
    raise LinkLost("silence")


def refuse(code: RefusalCode) -> Callable[[], None]:
    def answer() -> None:
        raise BoardRefused(code)

    return answer


@pytest.fixture
def board() -> StrawBoard:
    return StrawBoard()


@pytest.fixture
def air(board: StrawBoard) -> SerialAir:
    made = SerialAir(cast(Board, board), transducer=SENSORS["mpx5100dp"])
    made.clear()
    board.taken()
    return made


def test_only_what_changes_is_sent(board: StrawBoard, air: SerialAir) -> None:
    air.drive(1.0, closed=True)
    air.drive(1.0, closed=True)
    air.drive(0.99, closed=True)
    assert board.taken() == ["close", "pump 255"]
    air.drive(0.5, closed=True)
    assert board.taken() == ["pump 128"]
    air.drive(0.0, closed=False)
    air.drive(0.0, closed=False)
    assert board.taken() == ["open", "pump 0"]


def test_after_a_stop_off_is_said_again_and_on_is_not(board: StrawBoard, air: SerialAir) -> None:
    air.drive(1.0, closed=True)
    air.stop()
    board.taken()
    air.drive(0.0, closed=False)
    assert board.taken() == ["open", "pump 0"]


def test_the_counts_of_the_gauge_are_a_vacuum(board: StrawBoard, air: SerialAir) -> None:
    board.statuses = (AT_REST,)
    (sample,) = air.samples(6.0)
    assert sample.kpa == pytest.approx(0.0, abs=0.1)
    assert sample.at == 5.0
    for at, counts in enumerate((0, 5, 1020, 1023), start=6):
        board.statuses = (Status(0, False, BoardFault.NONE, 0, 0, counts, 0, 0, 24_000, at=at),)
        (sample,) = air.samples(at)
        assert sample.kpa is None


def test_each_status_is_a_sample_once_though_many_came_at_a_time(board: StrawBoard, air: SerialAir) -> None:
    board.statuses = tuple(Status(0, False, BoardFault.NONE, 0, 0, 41, 0, 0, 24_000, at=at) for at in (1.0, 2.0, 3.0))
    assert [sample.at for sample in air.samples(3.0)] == [1.0, 2.0, 3.0]
    board.statuses = (*board.statuses, AT_REST)
    assert [sample.at for sample in air.samples(5.0)] == [5.0]
    assert air.samples(6.0) == []


def test_a_board_with_a_finer_converter_reads_the_same(board: StrawBoard) -> None:
    """Its scale is its own: twelve bits on a Pico."""
    air = SerialAir(cast(Board, board), transducer=SENSORS["mpx5100dp"], most_kpa=45.0)
    board.full_count = None
    board.statuses = (AT_REST,)
    assert air.samples(6.0) == []
    air.clear()
    assert board.taken() == ["clear", "renew"], "what is not known is not limited, until it is"
    board.full_count = 4095
    air.clear()
    assert board.taken() == ["clear", "limits 255 1822", "renew"]
    board.statuses = (Status(0, False, BoardFault.NONE, 0, 0, 4 * 41, 0, 0, 24_000, at=7.0),)
    (sample,) = air.samples(7.0)
    assert sample.kpa == pytest.approx(0.0, abs=0.1)


def test_a_board_that_has_just_been_greeted_is_there_though_it_has_not_spoken_yet(
    board: StrawBoard, air: SerialAir
) -> None:
    board.status = None
    assert air.trouble(6.0) is None
    board.hello = None
    assert air.trouble(6.0) == "link_lost"


@pytest.mark.parametrize("greeted", [False, True])
def test_a_board_that_started_anew_in_mid_lift_is_not_told_to_suck_again(
    board: StrawBoard, air: SerialAir, greeted: bool
) -> None:
    air.drive(1.0, closed=True)
    assert air.trouble(6.0) is None
    board.taken()
    board.start_anew()
    if not greeted:
        board.session = None
    assert air.trouble(6.0) == "board_restarted"
    with pytest.raises(AirLost) as why:
        air.drive(0.5, closed=True)
    assert why.value.code == "board_restarted"
    assert board.taken() == []
    board.session = 3
    air.clear()
    assert air.trouble(6.0) is None


def test_a_board_that_starts_anew_between_two_frames_gets_no_second(board: StrawBoard, air: SerialAir) -> None:
    board.answer = board.start_anew
    with pytest.raises(AirLost) as why:
        air.drive(1.0, closed=True)
    assert why.value.code == "board_restarted"
    assert board.taken() == ["close", "stop"]


def test_a_board_that_starts_anew_while_it_is_made_ready_is_not_ready(board: StrawBoard, air: SerialAir) -> None:
    board.answer = board.start_anew
    with pytest.raises(AirLost) as why:
        air.clear()
    assert why.value.code == "board_restarted"
    board.answer = lambda: None
    with pytest.raises(AirLost):
        air.drive(1.0, closed=True)
    assert not {"close", "pump 255"} & set(board.taken())


def test_a_board_that_started_anew_at_rest_is_no_trouble(board: StrawBoard, air: SerialAir) -> None:
    air.drive(0.0, closed=False)
    board.start_anew()
    assert air.trouble(6.0) is None


def test_each_session_is_told_the_most_vacuum_once(board: StrawBoard) -> None:
    air = SerialAir(cast(Board, board), transducer=SENSORS["mpx5100dp"], most_kpa=45.0)
    air.clear()
    air.clear()
    assert board.taken() == ["clear", "limits 255 455", "renew", "clear", "renew"]
    board.start_anew()
    air.clear()
    assert "limits 255 455" in board.taken()


@pytest.mark.parametrize(
    ("sensor", "asked"), [("mpxv7025dp", "limits 255 1012"), ("mpxv6115v", "limits 255 0"), (None, "limits 255 0")]
)
def test_the_most_vacuum_is_within_what_the_board_can_compare(
    board: StrawBoard, sensor: str | None, asked: str
) -> None:
    air = SerialAir(cast(Board, board), transducer=SENSORS[sensor] if sensor else None, most_kpa=45.0)
    air.clear()
    assert asked in board.taken()


def test_a_renewal_that_gets_no_answer_is_a_lost_link_until_one_does(board: StrawBoard, air: SerialAir) -> None:
    board.answer = lost
    air.renew()
    assert air.trouble(6.0) == "link_lost"
    board.answer = lambda: None
    air.renew()
    assert air.trouble(6.0) is None


def test_a_board_with_other_firmware_is_a_fault_before_anybody_lifts(board: StrawBoard, air: SerialAir) -> None:
    board.hello, board.status, board.other_protocol = None, None, 9
    assert air.trouble(1.0) == "other_firmware"
    board.hello, board.status, board.other_protocol = HELLO, AT_REST, None
    assert air.trouble(2.0) is None


def test_a_board_that_was_never_there_is_no_fault_until_it_is_needed(board: StrawBoard) -> None:
    air = SerialAir(cast(Board, board), transducer=None)
    board.hello = board.status = board.session = None
    board.was_greeted = False
    board.answer = lost
    air.renew()
    air.drive(0.0, closed=False)
    assert air.trouble(1.0) is None
    assert board.taken() == []
    with pytest.raises(AirLost) as why:
        air.clear()
    assert why.value.code == "link_lost"


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (BoardFault.NONE, None),
        (BoardFault.STOPPED, "board_stopped"),
        (BoardFault.LEASE, "lease_lapsed"),
        (BoardFault.ON_TIME, "too_long"),
        (BoardFault.DUTY, "overworked"),
        (BoardFault.WATCHDOG, "board_hung"),
        (BoardFault.BROWN_OUT, "brown_out"),
    ],
)
def test_what_the_board_has_latched_is_the_shovels_fault(
    board: StrawBoard, air: SerialAir, fault: BoardFault, code: str | None
) -> None:
    board.status = Status(0, False, fault, 0, 0, 41, 0, 0, 24_000, at=5.0)
    assert air.trouble(6.0) == code


def test_a_stop_is_a_fault_unless_it_was_asked_for_since_the_last_clearing(board: StrawBoard, air: SerialAir) -> None:
    board.status = Status(0, False, BoardFault.STOPPED, 0, 0, 41, 0, 0, 24_000, at=5.0)
    air.stop()
    assert air.trouble(6.0) is None
    air.clear()
    assert air.trouble(6.0) == "board_stopped"


def test_a_stop_that_comes_while_a_fault_is_cleared_is_remembered(board: StrawBoard, air: SerialAir) -> None:
    board.status = Status(0, False, BoardFault.STOPPED, 0, 0, 41, 0, 0, 24_000, at=5.0)
    board.answer = air.stop
    air.clear()
    assert air.trouble(6.0) is None


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (lost, "link_lost"),
        (refuse(RefusalCode.RESTING), "overworked"),
        (refuse(RefusalCode.NO_LEASE), "lease_lapsed"),
        (refuse(RefusalCode.NO_SESSION), "board_restarted"),
        (refuse(RefusalCode.MALFORMED), "device"),
    ],
)
def test_a_board_that_does_not_do_as_asked_is_out_of_reach(
    board: StrawBoard, air: SerialAir, answer: Callable[[], None], code: str
) -> None:
    board.answer = answer
    with pytest.raises(AirLost) as why:
        air.drive(1.0, closed=True)
    assert why.value.code == code


def test_a_board_that_refuses_before_it_tells_is_asked_what_it_has_latched(board: StrawBoard, air: SerialAir) -> None:
    def refuses_and_then_tells() -> None:
        if board.asked[-1] != "renew":
            raise BoardRefused(RefusalCode.FAULT)
        board.status = Status(0, False, BoardFault.STOPPED, 0, 0, 41, 0, 0, 24_000, at=5.1)

    board.answer = refuses_and_then_tells
    with pytest.raises(AirLost) as why:
        air.drive(1.0, closed=True)
    assert why.value.code == "board_stopped"
    assert board.asked[-1] == "stop"


def test_a_stop_from_before_the_greeting_is_no_fault(board: StrawBoard, air: SerialAir) -> None:
    board.start_anew()
    board.hello = Hello(1, "1.0", Feature.PWM, Reset.POWER, BoardFault.STOPPED, "a board of straw")
    board.status = Status(0, False, BoardFault.STOPPED, 0, 0, 41, 0, 0, 24_000, at=5.0)
    assert air.trouble(6.0) is None
    air.clear()
    assert air.trouble(6.0) == "board_stopped"


def test_off_that_gets_no_answer_becomes_the_one_byte(board: StrawBoard, air: SerialAir) -> None:
    air.drive(1.0, closed=True)
    board.answer = lost
    with pytest.raises(AirLost):
        air.drive(0.0, closed=False)
    assert board.taken()[-1] == "stop"


@pytest.mark.parametrize(("pump", "closed"), [(112, False), (0, True)])
def test_a_board_that_was_told_off_and_says_that_it_is_on_is_stopped(
    board: StrawBoard, air: SerialAir, pump: int, closed: bool
) -> None:
    air.drive(0.0, closed=False)
    board.taken()
    air.drive(0.0, closed=False)
    assert board.taken() == []
    board.status = Status(pump, closed, BoardFault.NONE, 0, 0, 41, 700, 500, 24_000, at=5.0)
    air.drive(0.0, closed=False)
    assert board.taken() == ["stop", "open", "pump 0"]


def test_what_a_board_still_allows_is_by_its_own_bounds(board: StrawBoard, air: SerialAir) -> None:
    assert air.budget_s() == 23.0
    bounds = Bounds(800, 10_000, 30_000, 2000, 3000, 250, 500, 5000, 255, 0)
    board.link = LinkQuality(True, 0.0, bounds=bounds)
    assert air.budget_s() == 22.0
    board.status = Status(200, True, BoardFault.NONE, 0, 0, 41, 700, 6000, 24_000, at=5.0)
    assert air.budget_s() == 4.0
    board.status = None
    assert air.budget_s() is None


def test_the_lines_of_a_panel_count_from_one(board: StrawBoard) -> None:
    heard: list[str] = []
    panel = BoardPanel(cast(Board, board), buttons={"stop": 3, "bell": 8}, lamps=[2, 1], turn=8)
    panel.heard(Button(2, True))
    panel.listen(heard.append)
    panel.heard(Button(2, True))
    panel.heard(Button(2, False))
    panel.heard(Button(0, True))
    panel.heard(Button(7, True))
    assert heard == ["stop", "bell"]
    panel.light([True, False], True)
    panel.tone(Note(80, 1500))
    assert board.taken() == ["lamps 10000010", "buzz 80 1500"]
    board.status = Status(0, False, BoardFault.NONE, 0b100, 0, 41, 0, 0, 24_000)
    assert panel.down() == ("stop",)


def test_a_panel_asks_nothing_of_a_board_that_is_away(board: StrawBoard) -> None:
    panel = BoardPanel(cast(Board, board), buttons={}, lamps=[1], turn=None)
    board.answer = refuse(RefusalCode.NO_SESSION)
    with pytest.raises(OSError, match="restarted"):
        panel.light([True], False)
    board.hello = None
    board.taken()
    panel.light([True], False)
    assert board.taken() == []
