"""The checklist of the guide as a program: each check passes in a sound world, and fails with its fault put in."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from firmware_bridge.twin.plant import Plant
from hardware.bench import CHECKS, NEEDS_GAUGE, Bench, Check, CheckResult, Question, Wish
from hardware.board_parts import SerialAir
from hardware.lifter import Lifter
from hardware.sensors import SENSORS, Transducer
from hardware.vacuum import HELD_KPA, Sample, Sense, Thresholds
from tests.lifts import still


class Hands:
    """Does what it is asked to; what it is asked for last is done after a while."""

    def __init__(
        self, world: still.Bench, *, volts: float | None = 4.7, pulls: bool = True, looks: bool = True
    ) -> None:
        self.world, self.answer, self.pulls, self.looks = world, volts, pulls, looks
        self.hung = False
        self.pull_at = float("inf")

    def do(self, wish: Wish) -> None:
        match wish:
            case "cup_in_air" | "cup_on_tile":
                self.world.plant.card = wish == "cup_on_tile"
            case "pull_plug" if self.pulls:
                self.pull_at = self.world.seconds + 1.5
            case "put_plug_back":
                self.world.plugged, self.pull_at = True, float("inf")

    def look(self) -> None:
        self.hung |= self.world.plant.kpa > HELD_KPA
        if self.world.seconds >= self.pull_at:
            self.world.plugged = False

    def volts(self) -> float | None:
        return self.answer

    def saw(self, question: Question) -> bool | None:
        free = self.world.plant.kpa < 1.0
        return (free and (self.hung or question != "hung")) if self.looks else None


class Renewing(still.StillBoard):
    """A board whose lease somebody else renews: a firmware that never lets go by itself."""

    def advance(self, ms: int) -> None:
        super().advance(ms)
        if self.hello is not None and self._bench.ms % 100 < ms and ms > 1:
            self.renew()


class SwitchAir(SerialAir):
    """An air path that a vacuum switch tells of."""

    sense: Sense = "switch"
    thresholds: Thresholds | None = Thresholds.of_switch(HELD_KPA)

    def samples(self, now: float) -> list[Sample]:
        return [Sample(HELD_KPA * ((each.kpa or 0) >= HELD_KPA), each.at) for each in super().samples(now)]


def bench(
    plant: Plant | None = None,
    *,
    board: type[still.StillBoard] = still.StillBoard,
    air_of: type[SerialAir] = SerialAir,
    transducer: Transducer | None = SENSORS["mpx5100dp"],
    **hands: object,
) -> tuple[Bench, still.Bench]:
    world = still.Bench(seed=1, plant=plant)
    there, person = board(world), Hands(world, **hands)  # type: ignore[arg-type]

    def wait(seconds: float) -> None:
        there.advance(round(seconds * 1000))
        person.look()

    air = air_of(there, transducer=transducer)
    lifter = Lifter(air, emit=lambda event: None)
    wait(0.5)
    return Bench(air, lifter, hands=person, clock=lambda: world.seconds, wait=wait), world


def made(check: Check, plant: Plant | None = None, **how: object) -> CheckResult:
    walked, world = bench(plant, **how)  # type: ignore[arg-type]
    (result,) = walked.run([check])
    assert not world.sucking
    return result


def test_a_sound_rig_passes_all_of_it_and_is_left_safe() -> None:
    walked, world = bench()
    results = [(result, world.sucking) for result in walked.run()]
    for result, _sucking in results:
        print(result)
    assert [(result.check, result.verdict, sucking) for result, sucking in results] == [
        (check, "passed", False) for check in CHECKS
    ]
    assert walked.learned.slowest_pump == pytest.approx(0.86)
    assert walked.learned.reference_v == 4.7
    assert walked.learned.calibration is not None
    assert walked.learned.calibration.complete


def test_who_breaks_off_leaves_nothing_running() -> None:
    walked, world = bench()
    goes_on = walked._wait

    def interrupted(seconds: float) -> None:
        goes_on(seconds)
        if world.chip.pump == 255:
            raise KeyboardInterrupt

    walked._wait = interrupted
    with pytest.raises(KeyboardInterrupt):
        list(walked.run(["leak", "stop"]))
    assert not world.sucking


FAULTS: dict[str, tuple[Check, Callable[[], dict[str, object]]]] = {
    "a weak supply": ("supply", lambda: {"volts": 4.2}),
    "a gauge that is none": ("zero", lambda: {"plant": Plant(zero_kpa=5.0)}),
    "a gauge in an unsteady wire": ("zero", lambda: {"plant": Plant(noise=20.0)}),
    "a pump that nobody switches off": ("rest", lambda: {"plant": Plant(stuck=True)}),
    "a ground that is no star": ("ground", lambda: {"plant": Plant(shift_kpa=2.0)}),
    "a kinked hose": ("open", lambda: {"plant": Plant(blocked=True)}),
    "a pump that does not turn": ("open", lambda: {"plant": Plant(stalls=1.1)}),
    "a tile that leaks": ("leak", lambda: {"plant": Plant(leak=0.5)}),
    "a cup without a bleed hole": ("leak", lambda: {"plant": Plant(card_leak=0.01)}),
    "a valve that stays shut": ("valve", lambda: {"plant": Plant(jammed=True)}),
    "a pump that stalls with all it gets": ("stall", lambda: {"plant": Plant(stalls=1.1)}),
    "a cup that leaks": ("thresholds", lambda: {"plant": Plant(card_leak=15.0)}),
    "nothing that can be lifted": ("lift", lambda: {"plant": Plant(leak=1.0)}),
    "a stop that stops nothing": ("stop", lambda: {"plant": Plant(stuck=True)}),
    "a lease that nobody ends": ("lease", lambda: {"board": Renewing}),
    "a pump that outlives its lease": ("lease", lambda: {"plant": Plant(stuck=True)}),
    "a pump that outlives its cable": ("unplug", lambda: {"plant": Plant(stuck=True)}),
    "a plug that nobody pulls": ("unplug", lambda: {"pulls": False}),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_each_check_fails_with_its_fault_put_in(fault: str) -> None:
    check, how = FAULTS[fault]
    assert made(check, **how()).verdict == "failed"  # type: ignore[arg-type]


def test_every_check_has_a_fault_that_fails_it() -> None:
    assert {check for check, _ in FAULTS.values()} == set(CHECKS)


WITHOUT_GAUGE: dict[str, dict[str, object]] = {"switch": {"air_of": SwitchAir}, "no sensor": {"transducer": None}}
DONE_WITHOUT = {check for check in CHECKS if check not in NEEDS_GAUGE}


@pytest.mark.parametrize("sense", WITHOUT_GAUGE)
def test_without_a_gauge_the_rest_is_checked_all_the_same(sense: str) -> None:
    walked, world = bench(**WITHOUT_GAUGE[sense])  # type: ignore[arg-type]
    results = {result.check: result for result in walked.run()}
    assert {check for check, result in results.items() if result.verdict == "passed"} == DONE_WITHOUT
    assert {result.why for check, result in results.items() if check in NEEDS_GAUGE} == {"no_gauge"}
    assert not world.sucking


@pytest.mark.parametrize("sense", WITHOUT_GAUGE)
@pytest.mark.parametrize("fault", [fault for fault, (check, _) in FAULTS.items() if check in DONE_WITHOUT])
def test_without_a_gauge_each_fault_is_found_that_can_be(fault: str, sense: str) -> None:
    check, how = FAULTS[fault]
    assert made(check, **how(), **WITHOUT_GAUGE[sense]).verdict == "failed"  # type: ignore[arg-type]


def test_what_nobody_looked_at_is_left_out() -> None:
    walked, _ = bench(transducer=None, looks=False)
    assert {result.verdict for result in walked.run()} == {"left_out"}


@pytest.mark.parametrize("check", ["stop", "lease"])
def test_letting_go_of_nothing_proves_nothing(check: Check) -> None:
    result = made(check, plant=Plant(leak=1.0))
    assert (result.verdict, result.why) == ("failed", "nothing_held")


def test_a_pump_that_stalls_early_is_never_throttled() -> None:
    walked, _ = bench(Plant(stalls=0.97))
    (result,) = walked.run(["stall"])
    assert (result.verdict, walked.learned.slowest_pump) == ("passed", 1.0)
