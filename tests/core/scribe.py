"""A crew without a rig, for tests of the stage."""

from __future__ import annotations

from collections.abc import Callable

from companion.play.stage import Heard, Sound


class Scribe:
    """A crew that writes down what it is told, and says what a test wants."""

    def __init__(self, *, lifts: bool = True) -> None:
        self.told: list[str] = []
        self.lifts = lifts
        self.say: Callable[[Heard], None] = lambda heard: None
        self.before_grip: Callable[[], object] = lambda: None

    def can_lift(self) -> bool:
        return self.lifts

    def show_turn(self, seat: int | None) -> None:
        self.told.append(f"turn {seat}")

    def sound(self, sound: Sound) -> None:
        self.told.append(f"sound {sound}")

    def grip(self) -> None:
        self.before_grip()
        self.told.append("grip")

    def release(self) -> None:
        self.told.append("release")

    def stop(self) -> None:
        self.told.append("stop")

    def listen(self, heard: Callable[[Heard], None]) -> Callable[[], None]:
        self.say = heard
        return lambda: None

    def shovel(self) -> list[str]:
        """What the shovel was told since the last look."""
        told = [word for word in self.told if word in {"grip", "release", "stop"}]
        self.told.clear()
        return told
