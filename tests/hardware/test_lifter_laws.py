"""What holds of the shovel whatever people, sensors and cables do."""

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from hardware.calibration import AMBIENT_AT_MOST_KPA
from hardware.events import LiftDone, LiftFailed, LiftHeld
from hardware.faults import ShovelRefused
from hardware.vacuum import LOST_LASTS_S, Sense
from tests.hardware.stand import TICK_S, Stand


class AnyEvening(RuleBasedStateMachine):
    """Random commands, readings and mishaps, looked at after every tick."""

    stand: Stand
    breathed: set[int]
    """The lifts in which the hose was free, or the sensor read something else than the truth, if only for a tick."""

    @initialize(sense=st.sampled_from(["none", "switch", "gauge"]), zero=st.floats(-2.9, 2.9))
    def set_up(self, sense: Sense, zero: float) -> None:
        self.stand = Stand(sense, zero=zero if sense == "gauge" else 0.0)
        self.breathed = set()

    @rule(command=st.sampled_from(["grip", "release", "confirm", "clear"]))
    def somebody_asks(self, command: str) -> None:
        act = getattr(self.stand.shovel, command)
        try:
            act(self.stand.now)
        except ShovelRefused:
            return

    @rule()
    def somebody_is_sure(self) -> None:
        try:
            self.stand.shovel.grip(self.stand.now, sure=True)
        except ShovelRefused:
            return

    @rule()
    def somebody_stops(self) -> None:
        self.stand.shovel.stop()
        assert self.stand.air.safe

    @rule(reads=st.one_of(st.none(), st.just("astray"), st.floats(-4, 60)))
    def the_sensor_reads(self, reads: float | str | None) -> None:
        self.stand.air.reads = reads

    @rule(card=st.booleans(), silent=st.booleans())
    def the_table_moves(self, card: bool, silent: bool) -> None:
        self.stand.air.card, self.stand.air.silent = card, silent

    @rule(blocked=st.booleans())
    def the_hose_moves(self, blocked: bool) -> None:
        self.stand.air.blocked = blocked

    @rule(lost=st.booleans())
    def the_cable_moves(self, lost: bool) -> None:
        self.stand.air.lost = lost
        if lost:  # the board at the far end lets go by itself
            self.stand.air.stop()

    @rule(fault=st.sampled_from(["lease_lapsed", "brown_out", "device"]))
    def the_board_faults(self, fault: str) -> None:
        self.stand.air.fault = fault  # type: ignore[assignment]

    @precondition(lambda self: self.stand.phase == "off")
    @rule()
    def all_goes_well(self) -> None:
        """A whole lift, as there would be few by chance."""
        self.stand.air.card, self.stand.air.silent, self.stand.air.lost = True, False, False
        self.stand.air.reads, self.stand.air.blocked = None, False
        for command in ("grip", "release"):
            self.somebody_asks(command)
            for _ in range(round(1.0 / TICK_S)):
                self.stand.tick()
                self.looks_right()

    @rule(ticks=st.integers(1, 40))
    def time_passes(self, ticks: int) -> None:
        for _ in range(ticks):
            self.stand.tick()
            self.looks_right()

    @precondition(lambda self: self.stand.phase in ("priming", "holding"))
    @rule()
    def much_time_passes(self) -> None:
        for _ in range(round(16 / TICK_S)):
            self.stand.tick()
            self.looks_right()

    @invariant()
    def looks_right(self) -> None:
        stand, state = self.stand, self.stand.shovel.state(self.stand.now)
        if not stand.air.blocked or stand.air.reads is not None:
            self.breathed.add(state.lift)
        if state.state in ("off", "fault"):
            assert stand.air.safe, f"the pump is on in {state.state}"
        assert state.on_ms <= stand.shovel.limits.longest_s * 1000 + TICK_S * 1000
        assert (state.fault is not None) == (state.state == "fault")
        assert 0 <= state.budget_ms <= stand.shovel.limits.budget_s * 1000
        assert state.zero_kpa is None or abs(state.zero_kpa) <= AMBIENT_AT_MOST_KPA
        assert (state.left_s is not None) == (state.state == "holding")
        assert state.left_s is None or 0 <= state.left_s <= stand.shovel.limits.longest_s
        assert state.fault is None or state.fault.code not in ("too_long", "overworked"), "only a device has to cut"

    @invariant()
    def each_lift_is_counted_once(self) -> None:
        held = Counter(event.lift for event in self.stand.told if isinstance(event, LiftHeld))
        ended = Counter(event.lift for event in self.stand.told if isinstance(event, LiftDone | LiftFailed))
        assert all(count == 1 for count in (*held.values(), *ended.values()))
        lifts = self.stand.shovel.state(self.stand.now).lift
        under_way = self.stand.phase not in ("off", "fault")
        assert set(ended) <= set(range(1, lifts + 1))
        assert len(ended) == lifts or (under_way and len(ended) == lifts - 1)

    @invariant()
    def a_blocked_hose_is_never_a_verified_lift(self) -> None:
        verified = {event.lift for event in self.stand.told if isinstance(event, LiftDone) and event.verified}
        assert self.stand.air.sense != "gauge" or verified <= self.breathed

    @precondition(lambda self: self.stand.phase == "off")
    @rule()
    def somebody_lifts_with_a_kink_in_the_hose(self) -> None:
        self.stand.air.reads, self.stand.air.blocked = None, True
        self.stand.air.silent = self.stand.air.lost = False
        for command in ("grip", "release"):
            self.somebody_asks(command)
            for _ in range(round(1.5 / TICK_S)):
                self.stand.tick()
                self.looks_right()
                self.a_blocked_hose_is_never_a_verified_lift()
        self.stand.air.blocked = False


TestAnyEvening = AnyEvening.TestCase
TestAnyEvening.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)


@given(st.lists(st.tuples(st.floats(0, 60), st.integers(1, int(LOST_LASTS_S / TICK_S))), min_size=1, max_size=60))
@settings(max_examples=100, deadline=None)
def test_it_never_lets_go_on_a_flicker_shorter_than_the_debounce(flickers: list[tuple[float, int]]) -> None:
    stand = Stand().holding()
    for reads, ticks in flickers:
        if stand.now > 110:
            break
        stand.air.reads = reads
        stand.pass_time(ticks * TICK_S)
        stand.air.reads = None
        stand.pass_time(TICK_S)
    assert stand.phase == "holding"
    assert stand.told == [LiftHeld(1)]
