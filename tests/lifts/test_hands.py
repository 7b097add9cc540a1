"""Every order of hands, buttons, steps and faults at one shovel, walked through at random."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule

from tests.lifts.hands import HOST, Hands

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
        self.now.press(seat, "stir", pinch="a pinch")

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
    max_examples=25, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck), phases=PHASES
)
