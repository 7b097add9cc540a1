"""A crew without a rig, for tests of the stage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from companion.play.lights import Lights
from companion.play.stage import RigReport, Sound


class Scribe:
    """A crew that writes down what it is told, and says what a test wants."""

    def __init__(self, *, lifts: bool = True) -> None:
        self.told: list[str] = []
        self.lifts = lifts
        self.wont: str | None = None
        self.say: Callable[[RigReport], None] = lambda heard: None
        self.before_grip: Callable[[], object] = lambda: None
        self.order = 0
        self.number = 0
        self.lights = Lights()

    def can_lift(self) -> bool:
        return self.lifts

    def why_not_now(self) -> str | None:
        return self.wont

    def show_turn(self, seat: int | None) -> None:
        self.told.append(f"turn {seat}")

    def show_lights(self, lights: Lights) -> None:
        self.lights = lights

    def sound(self, sound: Sound) -> None:
        self.told.append(f"sound {sound}")

    def grip(self, order: int) -> None:
        self.before_grip()
        self.order = order
        self.told.append("grip")

    def release(self) -> None:
        self.told.append("release")

    def stop(self) -> None:
        self.told.append("stop")

    def listen(self, heard: Callable[[RigReport], None]) -> Callable[[], None]:
        self.say = heard
        return lambda: None

    def begin(self, order: int | None = None) -> None:
        """A lift begins: the one that was ordered last, or another; with order 0 a hand's."""
        self.number += 1
        self.say(RigReport("begun", lift=self.number, order=self.order if order is None else order))

    def hear(self, kind: Literal["held", "doubted", "done", "failed"], why: str = "", lift: int | None = None) -> None:
        """What becomes of the newest lift, or of another."""
        self.say(RigReport(kind, why=why, lift=self.number if lift is None else lift))

    def refuse(self, why: str) -> None:
        """What was ordered last does not begin."""
        self.say(RigReport("failed", why=why, order=self.order))

    def lift(self) -> None:
        """What was ordered is lifted and put down."""
        self.begin()
        self.hear("held")
        self.hear("done")

    def shovel(self) -> list[str]:
        """What the shovel was told since the last look."""
        told = [word for word in self.told if word in {"grip", "release", "stop"}]
        self.told.clear()
        return told
