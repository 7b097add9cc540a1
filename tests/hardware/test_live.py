"""The loop of a rig: who is answered when, who is told what, and what its own mistakes do."""

import itertools
import threading
import time

import pytest

from hardware.dispatch import Dispatcher
from hardware.events import (
    Buzz,
    Fault,
    Grip,
    Lamp,
    LiftBegun,
    LiftFailed,
    LiftHeld,
    LinkDown,
    LinkState,
    LinkUp,
    Pressed,
    RigEvent,
    RigState,
    ShowText,
    ShowTurn,
    StopShovel,
    WorldState,
    gist,
)
from hardware.face import Poke
from hardware.faults import ShovelRefused
from hardware.live import LiveRig
from hardware.panel import Note, Panel
from hardware.shovel import NO_PINS
from tests.hardware.stand import TICK_S, FakeAir


class FakePort:
    """A panel that only remembers."""

    seats = 2

    def __init__(self) -> None:
        self.shown: list[tuple[list[bool], bool]] = []
        self.notes: list[Note] = []
        self.away = False
        self.forgot = True

    def listen(self, pressed: object) -> None:
        self.pressed = pressed

    def light(self, seats: object, turn: bool) -> None:
        if self.away:
            raise OSError("the board is away")
        self.shown.append((list(seats), turn))  # type: ignore[call-overload]
        self.forgot = False

    def tone(self, note: Note) -> None:
        self.notes.append(note)

    def hush(self) -> None:
        pass

    def down(self) -> tuple[str, ...]:
        return ()

    def close(self) -> None:
        raise OSError("it is gone")


class FakeWire:
    """A link that is there or not."""

    def __init__(self) -> None:
        self.connected = True

    def state(self) -> LinkState:
        return LinkState(self.connected, 0.0, 1.2, 0, 0, 0, "a board of straw")

    def world(self) -> WorldState | None:
        return None

    def poke(self, do: Poke, value: float | None) -> None:
        raise AssertionError(do)

    def close(self) -> None:
        pass


class Straw:
    """A rig of straw whose loop is turned by hand."""

    def __init__(self) -> None:
        self.now = 10.0
        self.air, self.port, self.wire = FakeAir(), FakePort(), FakeWire()
        panel = Panel(self.port, pin_factory=NO_PINS)
        self.rig = LiveRig("serial", air=self.air, panel=panel, wire=self.wire, clock=lambda: self.now)
        self.told: list[RigEvent] = []
        self.seen: list[RigState] = []
        self.rig.listen(self.told.append)
        self.rig.watch(self.seen.append)

    def go_on(self, seconds: float) -> None:
        for _ in range(round(seconds / TICK_S)):
            self.now = round(self.now + TICK_S, 3)
            self.air.breathe()
            self.rig.run_once(self.now)

    def heard(self) -> list[RigEvent]:
        """What has been told by now."""
        told = threading.Event()
        self.rig._dispatcher.submit(told.set)
        assert told.wait(2.0)
        return self.told


@pytest.fixture
def straw() -> Straw:
    made = Straw()
    made.go_on(0.2)
    return made


def test_the_lease_is_renewed_every_200_ms_by_the_loop_alone(straw: Straw) -> None:
    before = straw.air.renewed
    straw.go_on(2.0)
    assert straw.air.renewed - before == 10
    assert straw.rig.silence() == 0
    straw.now += 5
    assert straw.rig.silence() == 5
    assert straw.air.renewed - before == 10


class Pauses:
    """In place of the event on which the loop waits: time passes at once, and how long it waited is kept."""

    def __init__(self, straw: Straw, most: int) -> None:
        self.straw, self.most = straw, most
        self.lengths: list[float] = []

    def wait(self, seconds: float) -> None:
        self.lengths.append(seconds)
        self.straw.now += seconds
        self.straw.rig._closing = len(self.lengths) >= self.most

    def clear(self) -> None:
        pass

    set = clear


def test_the_loop_looks_fifty_times_a_second_during_a_lift_and_twenty_times_at_rest(straw: Straw) -> None:
    """A card that falls, and a button that is pressed, are noticed before a person would."""
    pauses = Pauses(straw, 20)
    straw.rig._wake = pauses  # type: ignore[assignment]
    straw.rig._run()
    at_rest, pauses.lengths = pauses.lengths, []
    straw.rig._closing = False
    straw.rig.cue(Grip())
    straw.rig._run()
    assert max(at_rest) <= 1 / 20
    assert max(pauses.lengths[1:]) <= 1 / 50


def test_a_command_is_answered_with_the_state_after_it(straw: Straw) -> None:
    shovel = straw.rig.shovel("grip").shovel
    assert shovel is not None
    assert (shovel.state, shovel.lift) == ("priming", 1)
    assert straw.air.closed


def test_a_refused_cue_is_told_as_lift_0(straw: Straw) -> None:
    straw.air.fault = "brown_out"
    straw.go_on(0.1)
    straw.rig.cue(Grip())
    straw.go_on(0.1)
    assert straw.heard() == [Fault("brown_out"), LiftFailed(0, "faulty")]


def test_a_lift_begins_with_the_order_it_was_asked_for_with(straw: Straw) -> None:
    straw.rig.cue(Grip(7))
    straw.go_on(0.1)
    straw.rig.cue(Grip(8))
    straw.rig.shovel("grip")
    straw.go_on(0.1)
    assert straw.heard() == [LiftBegun(1, 7), LiftFailed(0, "busy", 8), LiftHeld(1)], "nobody else's, too"


def test_what_was_ordered_before_a_stop_does_not_begin_after_it(straw: Straw) -> None:
    straw.rig.cue(Grip(7))
    straw.rig.cue(StopShovel())
    straw.go_on(0.5)
    assert straw.air.safe
    assert straw.heard() == [LiftFailed(0, "stopped", 7)]
    assert LiftFailed(0, "stopped", 7).key == "shovel.fault.stopped"


def test_what_a_hand_asked_before_a_stop_does_not_begin_after_it(straw: Straw) -> None:
    straw.rig.pressed("grip")
    straw.rig.pressed("shovel")
    straw.rig.cue(StopShovel())
    straw.go_on(0.5)
    assert straw.air.safe
    assert straw.heard() == [
        Pressed("grip"),
        LiftFailed(0, "stop_pressed"),
        Pressed("shovel"),
        LiftFailed(0, "stop_pressed"),
    ]


def test_what_is_ordered_after_a_stop_is_not_ended_by_it(straw: Straw) -> None:
    straw.rig.cue(StopShovel())
    straw.rig.cue(Grip(7))
    straw.go_on(1.0)
    assert straw.heard() == [LiftBegun(1, 7), LiftHeld(1)]


@pytest.mark.parametrize("during", ["grip", "clear"])
def test_a_stop_in_the_moment_in_which_a_lift_begins_is_not_taken_for_an_older_one(straw: Straw, during: str) -> None:
    device = straw.rig._shovel if during == "grip" else straw.air
    act = getattr(device, during)

    def stopped_first(*args: float, **how: bool) -> None:
        straw.rig.cue(StopShovel())
        act(*args, **how)

    setattr(device, during, stopped_first)
    straw.rig.cue(Grip(7))
    straw.go_on(1.0)
    assert straw.air.safe
    assert straw.heard() == [LiftBegun(1, 7), LiftFailed(1, "stopped")]


def test_a_stop_waits_for_nobody(straw: Straw) -> None:
    straw.rig.shovel("grip")
    straw.rig.cue(StopShovel())
    assert straw.air.safe
    straw.go_on(0.5)
    assert straw.air.safe
    assert straw.heard() == [LiftBegun(1), LiftFailed(1, "stopped")]


def test_cues_wait_for_the_loop_and_for_nobody_else(straw: Straw) -> None:
    straw.rig.cue(Lamp(1, True))
    straw.rig.cue(ShowTurn(0))
    assert straw.port.shown == [([False, False], False)]
    straw.go_on(TICK_S)
    assert straw.port.shown[-1] == ([True, True], True)
    assert straw.rig.state().lamps == (True, True)


def test_a_panel_out_of_reach_is_lit_again_when_the_board_is_back(straw: Straw) -> None:
    straw.port.away, straw.wire.connected = True, False
    straw.rig.cue(ShowTurn(1))
    straw.go_on(0.1)
    straw.port.away, straw.wire.connected, straw.port.forgot = False, True, True
    straw.go_on(0.1)
    assert straw.port.shown[-1] == ([False, True], True)
    assert straw.heard() == [LinkDown(), LinkUp()]


def test_faults_sound_longer_than_anything_else(straw: Straw) -> None:
    straw.rig.cue(Buzz("turn"))
    straw.go_on(0.3)
    straw.air.fault = "blocked"
    straw.go_on(1.5)
    assert [note.ms for note in straw.port.notes] == [80, 250, 250, 400]


def test_a_mistake_in_the_loop_is_a_fault_said_once_and_the_loop_goes_on(
    straw: Straw, caplog: pytest.LogCaptureFixture
) -> None:
    straw.rig.shovel("grip")
    mistake = RuntimeError("a mistake")
    for _ in range(3):
        straw.rig._break_down(mistake, straw.now)
    assert straw.air.safe
    shovel = straw.rig.state().shovel
    assert shovel is not None, "and is seen, though the loop never comes round"
    assert (shovel.state, shovel.pump) == ("fault", False)
    assert caplog.text.count("the rig's loop failed") == 1
    assert straw.heard() == [LiftBegun(1), LiftFailed(1, "device"), Fault("device")]
    straw.go_on(0.2)
    assert straw.heard() == [LiftBegun(1), LiftFailed(1, "device"), Fault("device")]


def test_a_loop_that_hangs_leaves_a_question_unanswered_and_a_stop_acted_on() -> None:
    air, released = FakeAir("none"), threading.Event()
    rig = LiveRig("gpio", air=air)
    rig.start()
    rig.shovel("grip")
    assert air.closed

    def hang(now: float) -> None:
        released.wait(5.0)

    rig.put(hang)
    start = rig.state()
    stopped = rig.shovel("stop")
    assert air.safe
    assert gist(stopped) == gist(start)
    assert stopped.age_s > start.age_s
    released.set()
    rig.close()


def test_how_old_a_state_is_stands_in_it_and_a_hanging_loop_is_told_without_the_loop(
    straw: Straw, caplog: pytest.LogCaptureFixture
) -> None:
    straw.rig.shovel("grip")
    straw.go_on(1.0)
    assert (straw.rig.state().age_s, straw.rig.state().stale) == (0.0, False)
    straw.heard()
    straw.seen.clear()
    straw.now += 1.5
    straw.rig._stall_detector.check()
    assert (straw.rig.state().age_s, straw.rig.state().stale) == (1.5, False)
    straw.now += 1.5
    for _ in range(3):
        straw.rig._stall_detector.check()
    straw.heard()
    assert [(state.stale, state.age_s, state.shovel and state.shovel.state) for state in straw.seen] == [
        (True, 3.0, "holding")
    ]
    straw.go_on(TICK_S)
    straw.rig._stall_detector.check()
    straw.heard()
    assert not straw.seen[-1].stale
    assert "has not come round for 3.0 s" in caplog.text
    assert "comes round again" in caplog.text


def test_a_loop_that_hangs_is_seen_from_outside() -> None:
    ahead, released, told = [0.0], threading.Event(), threading.Event()
    rig = LiveRig("gpio", air=FakeAir("none"), clock=lambda: time.monotonic() + ahead[0])
    rig.start()
    rig.watch(lambda state: told.set() if state.stale else None)
    hanging = threading.Event()

    def hang(now: float) -> None:
        hanging.set()
        released.wait(30.0)

    rig.put(hang)
    assert hanging.wait(30.0)
    ahead[0] = 5.0
    assert told.wait(30.0)
    assert rig.state().stale
    assert rig.state().age_s >= 5.0
    released.set()
    rig.close()


def test_watchers_are_told_of_changes_and_not_of_time(straw: Straw) -> None:
    straw.go_on(1.5)  # until the zero of the sensor is known
    straw.heard()
    straw.seen.clear()
    straw.go_on(3.0)
    straw.heard()
    assert straw.seen == []
    straw.rig.shovel("grip")
    straw.go_on(1.0)
    straw.heard()
    assert 5 <= len(straw.seen) <= 10
    assert all(after.at - before.at >= 0.1 - 1e-6 for before, after in itertools.pairwise(straw.seen))


def test_the_last_change_is_told_however_quick_it_was(straw: Straw) -> None:
    straw.rig.shovel("grip")
    straw.go_on(TICK_S)
    straw.rig.shovel("stop")
    straw.go_on(0.5)
    straw.heard()
    assert gist(straw.seen[-1]) == gist(straw.rig.state())


def test_who_has_left_is_told_nothing(straw: Straw) -> None:
    other: list[RigEvent] = []
    leave = straw.rig.listen(other.append)
    leave()
    leave()
    straw.rig.shovel("grip")
    straw.go_on(1.0)
    assert straw.heard() == [LiftBegun(1), LiftHeld(1)]
    assert other == []


def test_a_rig_without_a_shovel_has_lamps_all_the_same() -> None:
    rig = LiveRig("gpio", panel=Panel(FakePort(), pin_factory=NO_PINS))
    rig.cue(Lamp(0, True))
    rig.run_once(1.0)
    assert rig.state().lamps == (True, False)
    assert rig.shovel("stop").shovel is None
    with pytest.raises(ShovelRefused, match="no_shovel"):
        rig.shovel("grip")
    rig.make_safe()


def test_a_part_that_cannot_be_closed_does_not_keep_the_others_from_it(
    straw: Straw, caplog: pytest.LogCaptureFixture
) -> None:
    straw.rig.shovel("grip")
    straw.rig.close()
    assert straw.air.safe
    assert "could not be closed" in caplog.text


def test_the_display_is_drawn_where_it_cannot_hold_up_the_loop() -> None:
    class Slow:
        def __init__(self) -> None:
            self.lines: list[tuple[str, ...]] = []
            self.thread = ""

        def show(self, lines: object) -> None:
            self.lines.append(tuple(lines))  # type: ignore[arg-type]
            self.thread = threading.current_thread().name

        def close(self) -> None:
            pass

    display = Slow()
    rig = LiveRig("gpio", display=display)
    rig.cue(ShowText(("Ada", "digs")))
    rig.close()
    assert display.lines == [("Ada", "digs")]
    assert display.thread == "digside-rig-events"


def test_a_call_that_fails_is_logged_and_the_next_one_is_run(caplog: pytest.LogCaptureFixture) -> None:
    def fail() -> None:
        raise RuntimeError("a mistake")

    dispatcher, done = Dispatcher(), threading.Event()
    dispatcher.start()
    dispatcher.submit(fail)
    dispatcher.submit(done.set)
    assert done.wait(2.0)
    dispatcher.close()
    assert "a mistake" in caplog.text
