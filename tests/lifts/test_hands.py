"""Every order of hands, buttons, steps and faults at one shovel, walked through at random."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from hardware.events import LiftDone
from tests.laws.play import THOROUGH
from tests.lifts.hands import HOST, Hands
from tests.lifts.still import STOP

Afterwards = dict[tuple[str, str], str]

ANYBODY = st.sampled_from([HOST, 0, 1, 2])
SQUARES = st.sampled_from(["a1", "a2", "d4"])
OWN_BUTTONS = st.sampled_from(["grip", "release", "shovel", "stop", "confirm", "clear", "undo", "deal", "dig", "stir"])
WHILE = st.sampled_from([20, 60, 200, 700, 1500, 4000])
PHASES = (Phase.explicit, Phase.reuse, Phase.generate)  # an evening is walked in a moment, and shrunk in an hour


class AllHandsAtOnce(RuleBasedStateMachine):
    """A host, three seats, a panel and a world that fails, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.hands: Hands | None = None

    @initialize(mode=st.sampled_from(["toolbox", "referee"]), seed=st.integers(0, 999))
    def sit_down(self, mode: str, seed: int) -> None:
        self.hands = Hands(Path(self._folder.name), seed, mode)
        self.now = self.hands

    def teardown(self) -> None:
        try:
            if self.hands is not None:
                self.hands.go_on()
        finally:
            if self.hands is not None:
                self.hands.close()
            self._folder.cleanup()

    @rule(seat=ANYBODY, square=SQUARES)
    def dig(self, seat: int, square: str) -> None:
        self.now.dig(seat, square)

    @rule(on=st.booleans())
    def card(self, on: bool) -> None:
        self.now.bench.plant.card = on

    @rule(ms=WHILE)
    def wait(self, ms: int) -> None:
        self.now.run(ms)

    @rule(seat=ANYBODY, do=st.sampled_from(["grip", "release", "stop", "confirm", "clear"]))
    def page(self, seat: int, do: str) -> None:
        self.now.shovel(seat, do)

    @rule(button=OWN_BUTTONS)
    def panel(self, button: str) -> None:
        self.now.panel(button)

    @rule(seat=ANYBODY)
    def undo(self, seat: int) -> None:
        self.now.undo(seat)

    @rule(seat=ANYBODY)
    def stir(self, seat: int) -> None:
        self.now.press(seat, "stir", commit="7" * 64)

    @rule(seat=ANYBODY, which=st.integers(0, 30))
    def other_move(self, seat: int, which: int) -> None:
        self.now.other_move(seat, which)

    @rule(seat=ANYBODY, do=st.sampled_from(["grip", "release", "stop"]))
    @precondition(lambda self: self.hands is not None and self.hands.mode == "toolbox")
    def move_of_the_shovel(self, seat: int, do: str) -> None:
        self.now.press(seat, "moves", move={"type": "shovel", "do": do})

    @rule()
    def claim(self) -> None:
        self.now.claim()

    @rule()
    def end(self) -> None:
        self.now.end()

    @rule(plugged=st.booleans())
    def cable(self, plugged: bool) -> None:
        self.now.bench.plugged = plugged

    @rule(leak=st.sampled_from([0.0, 0.4, 1.0]))
    def leak(self, leak: float) -> None:
        self.now.bench.plant.leak = leak

    @rule()
    def brown_out(self) -> None:
        self.now.bench.brown_out()

    @rule()
    def hang(self) -> None:
        self.now.bench.hang()

    @rule()
    def go_on(self) -> None:
        self.now.go_on()


TestAllHandsAtOnce = pytest.mark.rule("TUT-30", "TUT-31", "TBX-86")(AllHandsAtOnce.TestCase)
TestAllHandsAtOnce.settings = settings(
    max_examples=10 * THOROUGH,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    phases=PHASES,
)


@pytest.fixture(params=["toolbox", "referee"])
def hands(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Hands]:
    hands = Hands(tmp_path, 1, request.param)
    hands.to_a_dig()
    yield hands
    hands.close()


def test_the_last_seconds_of_a_lift_are_heard_at_the_table(hands: Hands) -> None:
    hands.hold("a1")
    hands.until(lambda: hands.pitch > 0)
    assert 4.5 < hands.told["shovel"]["left_s"] <= 5.0
    hands.until(lambda: not hands.busy)
    hands.turn()
    assert hands.told["ended"]["why"] == "shovel.fault.held_too_long"
    hands.go_on()


@pytest.mark.rule("TUT-30", "TBX-86")
def test_a_dig_while_the_shovel_lets_go_is_refused_at_once(hands: Hands) -> None:
    hands.bench.plant.card = False
    assert hands.dig(hands.asked_seat, hands.squares[0]).status_code == 202
    hands.until(lambda: hands.phase == "releasing")
    told = hands.dig(hands.asked_seat, hands.squares[0])
    assert (told.status_code, told.json["error"]["key"]) == (422, "stage.letting_go")
    assert hands.told["ended"]["why"] == "shovel.fault.leak", "what became of the lift before stays to be read"
    hands.until(lambda: not hands.busy)
    assert hands.dig(hands.asked_seat, hands.squares[0]).status_code == 202


@pytest.mark.rule("TUT-30", "TBX-86")
def test_a_dig_while_the_pump_rests_is_refused_at_once(hands: Hands) -> None:
    hands.hold(hands.squares[0])
    hands.until(lambda: not hands.busy)
    hands.bench.plant.card = False
    assert hands.dig(hands.asked_seat, hands.squares[0]).status_code == 202
    hands.turn()
    hands.until(lambda: not hands.busy)
    assert hands.told["shovel"]["resting"]
    told = hands.dig(hands.asked_seat, hands.squares[0])
    assert (told.status_code, told.json["error"]["key"]) == (422, "shovel.refused.resting")


@pytest.mark.rule("TUT-30", "TBX-86")
def test_whoever_hears_of_a_lift_finds_the_shovel_as_it_then_is(hands: Hands) -> None:
    phases: list[str] = []
    hands.computer.rig.listen(lambda event: phases.append(hands.phase) if isinstance(event, LiftDone) else None)
    hands.computer.calls.submit = lambda call: call()  # type: ignore[method-assign]  # as soon as can be
    hands.hold(hands.squares[0])
    hands.shovel(hands.asked_seat, "release")
    hands.until(lambda: not hands.busy)
    assert phases == ["off"]


@pytest.mark.rule("TBX-86")
@pytest.mark.parametrize("button", ["grip", "shovel"])
def test_the_panels_own_buttons_are_no_steps_at_the_table(hands: Hands, button: str) -> None:
    before = hands.table.seq
    hands.panel(button)
    assert (hands.table.seq, hands.phase) == (before, "priming")


FAULTS: dict[str, Callable[[Hands], None]] = {
    "cable pulled": lambda hands: setattr(hands.bench, "plugged", False),
    "supply fails": lambda hands: hands.bench.brown_out(),
    "firmware hangs": lambda hands: hands.bench.hang(),
    "card falls": lambda hands: setattr(hands.bench.plant, "card", False),
    "cup leaks": lambda hands: setattr(hands.bench.plant, "leak", 1.0),
    "stop byte strays": lambda hands: hands.bench.say(STOP),
    "STOP pressed": lambda hands: hands.panel("stop"),
    "undo pressed": lambda hands: hands.panel("undo"),
    "rig claimed": lambda hands: hands.claim(),
    "table closed": lambda hands: hands.end(),
}


def bring(hands: Hands, phase: str) -> None:
    """Bring the shovel to where the fault finds it."""
    if phase == "at rest":
        return
    hands.bench.plant.card = phase != "priming"
    assert hands.dig(hands.asked_seat, hands.squares[0]).status_code == 202
    hands.until(lambda: hands.phase == ("priming" if phase == "priming" else "holding"))
    if phase == "releasing":
        assert hands.shovel(hands.asked_seat, "release").status_code == 200
        assert hands.phase == "releasing"


@pytest.mark.rule("TUT-30", "TUT-31", "TBX-86")
@pytest.mark.parametrize("phase", ["at rest", "priming", "holding", "releasing"])
@pytest.mark.parametrize("fault", FAULTS)
def test_what_the_table_shows_after_a_fault(hands: Hands, fault: str, phase: str, afterwards: Afterwards) -> None:
    bring(hands, phase)
    hands.figures.clear()
    FAULTS[fault](hands)
    hands.run(4_000)
    shown = hands.told
    told = shown["ended"]["why"] if shown["ended"] else (shown["shovel"]["fault"] or {}).get("sentence")
    counted = hands.figures["counted"]
    assert shown["waiting"] is None
    assert shown["shovel"]["pump"] is False
    assert not hands.bench.sucking
    assert phase == "at rest" or fault == "table closed" or counted or told, "nothing counted, and nobody is told why"
    assert not (counted and told and shown["ended"])
    said = "counted" if counted else str(told or "-").removeprefix("shovel.").removeprefix("fault.")
    afterwards[f"{fault} | {phase}", hands.mode] = f"{said} ({shown['shovel']['state']})"
    hands.go_on()
    assert hands.figures["twice"] == hands.figures["lost"] == 0
