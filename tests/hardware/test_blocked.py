"""A hose that is blocked is told from a card that is held, in the simulated world and with nothing but its physics."""

from itertools import pairwise

import pytest

from firmware_bridge.twin.plant import Plant
from hardware.calibration import Calibration, Reading
from hardware.events import Fault, LiftDone, LiftDoubted, LiftFailed, LiftHeld
from hardware.faults import ShovelRefused
from hardware.lifter import LiftLimits
from hardware.vacuum import Leakage, Thresholds
from tests.hardware.blocked_lifts import count, mistaken, report
from tests.hardware.stand import Stand
from tests.hardware.wired import WiredStand

SAMPLE_S = 0.025


@pytest.mark.parametrize("twin", [False, True])
def test_a_blocked_hose_is_a_fault_before_anything_counts_as_held(twin: bool) -> None:
    stand = WiredStand(plant=Plant(card=True, blocked=True), twin=twin)
    stand.shovel.grip(stand.now)
    assert stand.until("fault") < 1.5
    assert stand.told == [LiftFailed(1, "blocked"), Fault("blocked")]
    stand.pass_time(0.1)
    assert not stand.bench.sucking


def test_it_is_found_well_below_the_limit_that_no_card_ever_reaches() -> None:
    weak = Plant(card=True, blocked=True, pump_ml_s=8.0, motor_s=0.02)
    stand = WiredStand(plant=weak, twin=True, limits=LiftLimits(blocked_kpa=80.0))
    stand.shovel.grip(stand.now)
    stand.until("fault")
    assert stand.fault == "blocked"
    assert weak.sensed_kpa < LiftLimits().blocked_kpa / 2


def test_a_card_answers_the_pause_within_a_fifth_of_a_second() -> None:
    with_pause, without = WiredStand(twin=True), WiredStand(twin=True)
    without.shovel._senses.leakage._answered_at = 0.0
    without.shovel._senses.leakage.forget = lambda: None  # type: ignore[method-assign]
    for stand in (with_pause, without):
        stand.plant.card = True
        stand.shovel.grip(stand.now)
    assert 0 < with_pause.until("holding") - without.until("holding") < 0.2


@pytest.mark.parametrize("creeps_kpa_per_s", [0.0, 0.5, 5.0, 20.0])
def test_a_pause_ends_within_eight_tenths_of_a_second_though_the_vacuum_creeps_up(creeps_kpa_per_s: float) -> None:
    """As with a motor that hardly runs down, or a valve that leaks towards the pump: each sample is the highest yet."""
    leakage = Leakage(12.0)
    for sample in range(6):
        leakage.see(2.0 * sample, sample * SAMPLE_S, pumping=True)
    paused_s = 0.0
    while not (leakage.mute or leakage.answers):
        paused_s += SAMPLE_S
        leakage.see(10.0 + creeps_kpa_per_s * paused_s, 6 * SAMPLE_S + paused_s, pumping=False)
        assert paused_s <= 0.8 + 2 * SAMPLE_S
    assert leakage.mute
    assert leakage.due(6 * SAMPLE_S + paused_s)


def test_a_pause_that_nothing_answers_ends_within_half_a_second_of_the_highest_vacuum() -> None:
    leakage = Leakage(12.0)
    for sample in range(6):
        leakage.see(2.0 * sample, sample * SAMPLE_S, pumping=True)
    for sample in range(21):
        assert not leakage.mute, "too soon for a long hose"
        leakage.see(10.0 - 0.01 * sample, (6 + sample) * SAMPLE_S, pumping=False)
    assert leakage.mute


def test_a_pump_that_never_reaches_its_target_pauses_once_a_second() -> None:
    """One that does pauses by itself, so that a kink is found whatever the clock says."""
    stand = WiredStand(plant=Plant(card=True, card_leak=2.0, pump_ml_s=25.0), twin=True)
    stand.reach("holding")
    paused_at: list[float] = []
    before = True
    for _ in range(300):
        stand.tick()
        assert stand.plant.kpa < stand.shovel.limits.target_kpa
        pumps = stand.bench.chip.pump > 0
        if before and not pumps:
            paused_at.append(stand.now)
        before = pumps
    assert len(paused_at) >= 4
    assert all(0.9 < later - earlier < 1.4 for earlier, later in pairwise(paused_at))


def test_the_vacuum_stays_far_above_what_a_card_needs_while_the_pump_pauses() -> None:
    stand = WiredStand(plant=Plant(card=True, card_leak=2.0), twin=True)
    stand.reach("holding")
    lowest = 100.0
    for _ in range(300):
        stand.tick()
        lowest = min(lowest, stand.plant.kpa)
    assert stand.told == [LiftHeld(1)]
    assert lowest > Thresholds().lost + 1


@pytest.mark.parametrize("people", ["are silent", "vouch for it"])
def test_a_hose_that_kinks_on_the_way_is_a_doubt_and_never_a_verified_lift(people: str) -> None:
    stand = WiredStand(twin=True, limits=LiftLimits(blocked_kpa=80.0))
    stand.reach("holding")
    stand.pass_time(2.0)
    stand.plant.blocked = True
    stand.pass_time(1.2)
    assert stand.told == [LiftHeld(1), LiftDoubted(1)]
    if people == "are silent":
        stand.until("fault", within=2.5)
        assert stand.fault == "blocked"
        return
    stand.shovel.confirm(stand.now)
    stand.pass_time(3.0)
    stand.shovel.release(stand.now)
    stand.until("off")
    assert stand.told[-1] == LiftDone(1, verified=False)


def test_a_kink_that_comes_out_again_settles_the_doubt() -> None:
    stand = WiredStand(twin=True, limits=LiftLimits(blocked_kpa=80.0))
    stand.reach("holding")
    stand.plant.blocked = True
    stand.pass_time(1.8)
    stand.plant.blocked = False
    stand.pass_time(3.0)
    assert stand.phase == "holding"
    assert not stand.shovel.state(stand.now).doubt


def test_without_a_sensor_nobody_can_tell_and_nothing_is_verified() -> None:
    stand = WiredStand(None, plant=Plant(card=True, blocked=True), twin=True)
    stand.shovel.grip(stand.now)
    stand.until("holding")
    stand.shovel.release(stand.now)
    stand.until("off")
    assert stand.told == [LiftHeld(1), LiftDone(1, verified=False)]


def test_a_switch_cannot_tell_a_blocked_hose_from_a_card() -> None:
    stand = Stand("switch")
    stand.air.blocked = True
    stand.grip()
    stand.until("holding")
    stand.shovel.release(stand.now)
    stand.until("off")
    assert stand.told == [LiftHeld(1), LiftDone(1, verified=True)]


def measured(stand: WiredStand, reading: Reading) -> Calibration | ShovelRefused:
    got: list[Calibration | ShovelRefused] = []
    stand.shovel.measure(reading, stand.now, got.append)
    while not got:
        stand.tick()
    stand.until("off")
    return got[0]


def test_a_cup_is_not_calibrated_with_a_blocked_hose_or_without_a_bleed_hole() -> None:
    stand = WiredStand(twin=True, limits=LiftLimits(blocked_kpa=80.0))
    for reading in ("ambient", "open"):
        assert isinstance(measured(stand, reading), Calibration)
    stand.plant.card = True
    for kink, leak in ((True, 0.88), (False, 0.004)):
        stand.plant.blocked, stand.plant.card_leak = kink, leak
        refused = measured(stand, "sealed")
        assert isinstance(refused, ShovelRefused)
        assert refused.code == "no_bleed"
    stand.plant.blocked, stand.plant.card_leak = False, 0.88
    taken = measured(stand, "sealed")
    assert isinstance(taken, Calibration)
    assert taken.complete


def test_pumps_hoses_and_cards_of_all_sorts_are_told_apart(capsys: pytest.CaptureFixture[str]) -> None:
    counted = count(25)
    with capsys.disabled():
        print(f"\n{report(counted)}")
    assert mistaken(counted) == (0, 0)
