"""What a table asks of the rig: cues, small frozen values."""

from typing import Literal

from msgspec import Struct

Sound = Literal["turn", "done", "warn", "fault"]


class Lamp(Struct, frozen=True, tag="lamp"):
    """Light or darken the lamp of one seat."""

    seat: int
    on: bool


class Turn(Struct, frozen=True, tag="turn"):
    """Show whose turn it is; ``None`` when nobody is asked."""

    seat: int | None


class Buzz(Struct, frozen=True, tag="buzz"):
    """Sound one of the few signals people learn to tell apart."""

    kind: Sound


class Grip(Struct, frozen=True, tag="grip"):
    """
    Lift with the shovel: a lift of its own, refused while another is under way.

    :ivar order: a number that the lift's beginning, or its refusal, is told with
    """

    order: int = 0


class Release(Struct, frozen=True, tag="release"):
    """Put down what the shovel holds."""


class Stop(Struct, frozen=True, tag="stop"):
    """Pump off, valve open: at once, past any queue and without waiting for an answer."""


class Show(Struct, frozen=True, tag="show"):
    """Write a few short lines on the small display."""

    lines: tuple[str, ...]


Cue = Lamp | Turn | Buzz | Grip | Release | Stop | Show
