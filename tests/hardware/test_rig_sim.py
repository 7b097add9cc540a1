"""The whole way: a rig, the wire, the firmware built for this machine, and a world with a pump and a card."""

import itertools
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_bridge.sim import World, world_at
from hardware.calibration import Reading
from hardware.events import (
    Buzz,
    Cleared,
    Fault,
    Grip,
    Lamp,
    LiftBegun,
    LiftDone,
    LiftDoubted,
    LiftFailed,
    LiftHeld,
    LinkDown,
    LinkUp,
    Pressed,
    Release,
    RigState,
    ShowTrack,
    ShowTurn,
)
from hardware.face import Poke, Rig
from hardware.faults import ShovelRefused
from hardware.live import LiveRig
from hardware.rig import open_rig
from tests.hardware.ears import PATIENCE, Ears
from tests.pulse import Pulse

TABLE = """
kind = "sim"
[sim]
url = "{url}"
[sensor]
type = "mpx5100dp"
[panel]
lamps = [1, 2, 3]
turn = 8
buttons = {{ grip = 1, release = 2, stop = 3, confirm = 4, shovel = 5, bell = 6 }}
[shovel]
prime_s = 1.2
doubt_s = 0.3
"""
AT_REST: tuple[Reading, ...] = ("ambient", "open")
numbers = itertools.count()


@pytest.fixture
def url() -> str:
    return f"sim://table{next(numbers)}"


@pytest.fixture
def rig(tmp_path: Path, url: str) -> Iterator[Rig]:
    file = tmp_path / "rig.toml"
    file.write_text(TABLE.format(url=url))
    with open_rig(file, data=tmp_path) as opened:
        yield opened


@pytest.fixture
def ears(rig: Rig) -> Ears:
    return Ears(rig)


@pytest.fixture
def world(rig: Rig, url: str) -> World:
    found = world_at(url)
    assert found is not None
    return found


class Since:
    """How long something takes, beside how busy this computer is."""

    def __init__(self, pulse: Pulse) -> None:
        self._pulse = pulse
        self._start = time.monotonic()

    def safe(self, world: World, *, within: float) -> None:
        wait_for(lambda: not world.pump and not world.valve_closed)
        self.took(within)

    def took(self, within: float) -> None:
        self._pulse.check(time.monotonic() - self._start, within)


def wait_for(so: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE
    while not so():
        assert time.monotonic() < ends
        time.sleep(0.005)


def connected(rig: Rig) -> bool:
    link = rig.state().link
    return link is not None and link.connected


def reads_empty(rig: Rig) -> bool:
    shovel = rig.state().shovel
    return shovel is not None and shovel.vacuum_kpa is not None and shovel.vacuum_kpa < 1.0


def hold(rig: Rig, ears: Ears) -> None:
    rig.world("card")
    wait_for(lambda: reads_empty(rig))
    rig.shovel("grip")
    ears.wait(LiftHeld)


def test_a_card_is_lifted_and_put_down_verified(rig: Rig, ears: Ears, world: World, pulse: Pulse) -> None:
    hold(rig, ears)
    assert world.valve_closed
    wait_for(lambda: world.pump > 0)
    rig.shovel("release")
    assert ears.wait(LiftDone) == LiftDone(1, verified=True)
    Since(pulse).safe(world, within=0.5)


def test_without_a_card_nothing_is_held(rig: Rig, ears: Ears) -> None:
    rig.shovel("grip")
    assert ears.wait(LiftFailed) == LiftFailed(1, "leak")
    state = ears.until("off")
    assert state.outcome is not None
    assert state.outcome.code == "leak"


def test_a_card_that_leaks_is_doubted_and_then_dropped(rig: Rig, ears: Ears) -> None:
    hold(rig, ears)
    rig.world("leak", 1.0)
    ears.wait(LiftDoubted)
    assert ears.wait(LiftFailed) == LiftFailed(1, "dropped")


def test_a_pulled_cable_is_a_fault_within_a_second_and_the_pump_goes_off(
    rig: Rig, ears: Ears, world: World, pulse: Pulse
) -> None:
    hold(rig, ears)
    pulled = Since(pulse)
    rig.world("unplug")
    assert ears.wait(Fault) == Fault("link_lost")
    pulled.took(1.0)
    pulled.safe(world, within=1.1)
    with pytest.raises(ShovelRefused, match="still_faulty"):
        rig.shovel("clear")
    rig.world("replug")
    ears.wait(LinkUp)
    assert rig.state().shovel is not None
    rig.shovel("clear")
    ears.wait(Cleared)
    hold(rig, ears)


def test_a_board_that_is_no_longer_heard_is_a_fault_within_a_second_and_lets_go_by_itself(
    rig: Rig, ears: Ears, world: World, pulse: Pulse
) -> None:
    hold(rig, ears)
    cut = Since(pulse)
    world.drop = 100
    assert ears.wait(Fault) == Fault("link_lost")
    cut.took(1.0)
    Since(pulse).safe(world, within=1.0)


def test_a_noisy_wire_neither_drops_the_card_nor_leaves_the_pump_on(
    rig: Rig, ears: Ears, world: World, pulse: Pulse
) -> None:
    world.drop = world.corrupt = 5
    hold(rig, ears)
    rig.shovel("release")
    assert ears.wait(LiftDone) == LiftDone(1, verified=True)
    Since(pulse).safe(world, within=0.5)


def test_what_arrives_damaged_is_counted_both_ways(rig: Rig, world: World) -> None:
    def damaged() -> tuple[int, int]:
        link = rig.state().link
        return (link.damaged_here, link.damaged_there) if link else (0, 0)

    assert damaged() == (0, 0)
    world.corrupt = 30
    wait_for(lambda: all(damaged()))


def test_a_cable_pulled_at_rest_is_told_and_latched_too(rig: Rig, ears: Ears, pulse: Pulse) -> None:
    pulled = Since(pulse)
    rig.world("unplug")
    ears.wait_all(LinkDown, Fault)
    pulled.took(1.0)
    assert not connected(rig)


def fault(rig: Rig) -> str | None:
    shovel = rig.state().shovel
    return shovel.fault.code if shovel and shovel.fault else None


@pytest.mark.parametrize(("mishap", "code"), [("stall", "board_hung"), ("brown_out", "brown_out")])
def test_a_board_that_restarts_in_mid_lift_is_a_fault_and_does_not_start_the_pump_again(
    rig: Rig, ears: Ears, world: World, mishap: Poke, code: str, pulse: Pulse
) -> None:
    hold(rig, ears)
    happened = Since(pulse)
    rig.world(mishap)
    ears.wait(Fault)
    happened.took(2.0)
    Since(pulse).safe(world, within=1.0)
    wait_for(lambda: connected(rig) and fault(rig) == code)
    assert world.pump == 0
    rig.shovel("clear")
    hold(rig, ears)


@pytest.mark.parametrize("twin", [0, 1])
def test_a_blocked_hose_in_the_simulated_world_is_no_lift(tmp_path: Path, url: str, twin: int) -> None:
    file = tmp_path / "rig.toml"
    file.write_text(TABLE.format(url=f"{url}?twin={twin}"))
    with open_rig(file, data=tmp_path) as rig:
        ears, world = Ears(rig), world_at(f"{url}?twin={twin}")
        assert world is not None
        world.blocked = True
        rig.world("card")
        told: list[object] = []
        rig.listen(told.append)
        rig.shovel("grip", sure=True)
        ears.wait(Fault)
        assert told[:2] == [LiftBegun(1), LiftFailed(1, "blocked")]
        world.blocked = False
        rig.shovel("clear")
        hold(rig, ears)


@pytest.mark.parametrize("sensor", ["mpx5100dp", "none"])
@pytest.mark.parametrize("twin", [0, 1])
def test_one_stray_stop_byte_on_the_wire_is_a_fault_in_mid_lift(
    tmp_path: Path, url: str, sensor: str, twin: int, pulse: Pulse
) -> None:
    file = tmp_path / "rig.toml"
    file.write_text(TABLE.format(url=f"{url}?twin={twin}").replace("mpx5100dp", sensor))
    with open_rig(file, data=tmp_path) as rig:
        ears, world = Ears(rig), world_at(f"{url}?twin={twin}")
        assert world is not None
        rig.world("card")
        rig.shovel("grip", sure=True)
        ears.wait(LiftHeld)
        strayed = Since(pulse)
        world.stray_stop()
        assert ears.wait(Fault) == Fault("board_stopped")
        strayed.took(0.3)
        strayed.safe(world, within=0.3)
        rig.shovel("clear")
        rig.shovel("grip", sure=True)
        ears.wait(LiftHeld)


def test_stop_is_the_last_word_and_the_next_lift_works(rig: Rig, ears: Ears, world: World, pulse: Pulse) -> None:
    hold(rig, ears)
    for _ in range(3):
        stopped = rig.shovel("stop")
    assert stopped.shovel is not None
    assert stopped.shovel.state == "off"
    Since(pulse).safe(world, within=0.3)
    assert ears.wait(LiftFailed) == LiftFailed(1, "stopped")
    hold(rig, ears)


def test_real_buttons_lift_stop_and_are_told(rig: Rig, ears: Ears, world: World, pulse: Pulse) -> None:
    rig.world("card")
    world.press(0)
    assert ears.wait(Pressed) == Pressed("grip")
    ears.wait(LiftHeld)
    assert rig.state().buttons == ("grip",)
    world.press(2)
    Since(pulse).safe(world, within=0.5)
    assert ears.wait(LiftFailed) == LiftFailed(1, "stopped")
    world.press(5)
    assert ears.wait(Pressed) == Pressed("bell")


def test_one_button_both_lifts_and_lets_go(rig: Rig, ears: Ears, world: World) -> None:
    rig.world("card")
    world.press(4)
    ears.wait(LiftHeld)
    world.press()
    wait_for(lambda: rig.state().buttons == ())
    world.press(4)
    assert ears.wait(LiftDone) == LiftDone(1, verified=True)


def test_a_button_whose_wish_is_refused_is_told_why(rig: Rig, ears: Ears, world: World) -> None:
    world.press(3)
    assert ears.wait(LiftFailed) == LiftFailed(0, "nothing_to_confirm")


def test_the_track_of_time_reaches_the_pixels_and_comes_back_with_the_board(tmp_path: Path, url: str) -> None:
    file = tmp_path / "rig.toml"
    file.write_text(TABLE.format(url=url) + "[lights]\nbrightness = 0.2\n")
    with open_rig(file, data=tmp_path) as rig:
        world = world_at(url)
        assert world is not None
        rig.cue(ShowTrack(((0, 0), (51, 1)), 0, 3))
        wait_for(lambda: any(world.lights) and world.lights.hex() == "".join(rig.state().lights))
        shown = world.lights
        assert shown[:3] == bytes((51, 6, 4))
        resets = world.state()["resets"]
        world.brown_out()
        wait_for(lambda: world.state()["resets"] > resets)
        wait_for(lambda: world.lights == shown)


def test_cues_reach_lamps_buzzer_and_shovel(rig: Rig, ears: Ears, world: World) -> None:
    rig.world("card")
    for cue in (Lamp(0, True), ShowTurn(2), Buzz("fault"), Grip()):
        rig.cue(cue)
    ears.wait(LiftHeld)
    assert world.lamps == 0b1000_0101
    state = rig.state()
    assert (state.lamps, state.turn) == ((True, False, True), True)
    wait_for(lambda: world.pitch > 0)
    rig.cue(Release())
    ears.wait(LiftDone)


def test_lamps_are_lit_again_when_the_board_is_back(rig: Rig, ears: Ears, world: World) -> None:
    rig.cue(ShowTurn(1))
    rig.world("unplug")
    ears.wait(LinkDown)
    rig.world("replug")
    ears.wait(LinkUp)
    wait_for(lambda: world.lamps == 0b1000_0010)


def test_a_calibration_is_guided_kept_and_used_again(rig: Rig, ears: Ears, tmp_path: Path, url: str) -> None:
    rig.shovel("calibrate", reading="ambient")
    rig.calibrate("open")
    ears.until("off")
    rig.world("card")
    taken = rig.calibrate("sealed")
    assert taken.complete
    ears.until("off")
    thresholds = rig.shovel("stop").shovel
    assert thresholds is not None
    assert (thresholds.calibrated, thresholds.thresholds) == (True, taken.thresholds)
    rig.close()
    with open_rig(tmp_path / "rig.toml", data=tmp_path) as again:
        shovel = again.state().shovel
        assert shovel is not None
        assert (shovel.calibrated, shovel.thresholds) == (True, taken.thresholds)
    (tmp_path / "rig.toml").write_text(TABLE.format(url=url) + "target_kpa = 9\n")
    with open_rig(tmp_path / "rig.toml", data=tmp_path) as gentler:  # its cup would never read what was held then
        shovel = gentler.state().shovel
        assert shovel is not None
        assert not shovel.calibrated


def test_a_calibration_goes_on_where_it_stands_and_one_that_cannot_be_kept_says_so_and_is_in_force(
    rig: Rig, ears: Ears, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("os.fsync", full)
    for _ in range(2):
        rig.shovel("calibrate")  # which reading is next it knows
        ears.until("off")
    rig.world("card")
    with pytest.raises(ShovelRefused, match="not_kept"):
        rig.shovel("calibrate")
    assert ears.until("off").calibrated
    assert not (tmp_path / "calibration.json").exists()


def test_each_reading_is_told_as_soon_as_it_is_taken_and_one_without_a_tile_refused(rig: Rig, ears: Ears) -> None:
    for reading in AT_REST:
        taken = rig.calibrate(reading)
        shovel = rig.state().shovel
        assert shovel is not None
        assert shovel.readings == taken
        ears.until("off")
    assert (taken.ambient is None, taken.open is None, taken.sealed) == (False, False, None)
    with pytest.raises(ShovelRefused, match="cup_leaks"):
        rig.calibrate("sealed")


def test_watchers_see_a_lift_at_most_ten_times_a_second(rig: Rig, ears: Ears) -> None:
    seen: list[RigState] = []
    leave = rig.watch(seen.append)
    hold(rig, ears)
    rig.shovel("release")
    ears.wait(LiftDone)
    wait_for(lambda: seen[-1].shovel is not None and seen[-1].shovel.state == "off")
    leave()
    times = [state.at for state in seen]
    assert all(after - before > 0.09 for before, after in itertools.pairwise(times))
    stages = {state.shovel.state for state in seen if state.shovel}
    assert {"priming", "releasing", "off"} <= stages


def test_closing_leaves_the_board_safe(rig: Rig, ears: Ears, world: World, pulse: Pulse) -> None:
    hold(rig, ears)
    rig.make_safe()
    Since(pulse).safe(world, within=0.3)
    with pytest.raises(ShovelRefused, match="closed"):
        rig.shovel("grip", sure=True)


def test_a_listener_that_fails_or_sleeps_does_not_hold_up_the_loop(
    rig: Rig, ears: Ears, caplog: pytest.LogCaptureFixture, pulse: Pulse
) -> None:
    def fails(_: object) -> None:
        time.sleep(0.3)
        raise RuntimeError("a mistake in the service")

    rig.listen(fails)
    hold(rig, ears)
    assert isinstance(rig, LiveRig)
    pulse.check(rig.silence(), 0.3)
    rig.shovel("release")
    ears.wait(LiftDone)
    rig.close()
    assert "a listener of the rig failed" in caplog.text


def test_a_simulated_board_that_stood_still_can_be_poked_again(rig: Rig, world: World, pulse: Pulse) -> None:
    os.kill(world.pid, signal.SIGSTOP)
    try:
        wait_for(lambda: not connected(rig))
        with pytest.raises(ShovelRefused, match="no_answer"):
            rig.world("card")
        pulse.check(rig.silence(), 1.0)
    finally:
        os.kill(world.pid, signal.SIGCONT)
    wait_for(lambda: connected(rig))
    rig.world("card")
    seen = rig.world("leak", 0.25).world
    assert seen is not None
    assert (seen.card, seen.leak) == (True, 0.25)


def test_a_simulated_board_that_has_gone_is_a_lost_link(rig: Rig, world: World) -> None:
    os.kill(world.pid, signal.SIGKILL)
    wait_for(lambda: not connected(rig))
    with pytest.raises(ShovelRefused, match="no_answer"):
        rig.world("card")
    wait_for(lambda: (shovel := rig.state().shovel) is not None and shovel.state == "fault")
    shovel = rig.state().shovel
    assert shovel is not None
    assert shovel.fault is not None
    assert shovel.fault.code == "link_lost"
