"""What a rig is made of."""

from typing import Protocol

from msgspec import Struct

from hardware.air import Air
from hardware.calibration import CalibrationFile
from hardware.display import Display
from hardware.face import Poke
from hardware.limits import Limits
from hardware.panel import Panel
from hardware.states import LinkState, WorldState
from hardware.vacuum import Thresholds


class Wire(Protocol):
    """The link to a board, and the simulated world behind it if there is one."""

    def state(self) -> LinkState:
        """How good the link is."""

    def world(self) -> WorldState | None:
        """The simulated world; ``None`` for a real board."""

    def poke(self, do: Poke, value: float | None) -> None:
        """Do something to the simulated world."""

    def close(self) -> None:
        """Leave everything safe and give the port back."""


class Parts(Struct):
    """
    What is attached; anything may be missing.

    :ivar thresholds: those of a vacuum switch, which nobody calibrates
    :ivar kept: where the calibration of a gauge is kept
    """

    air: Air | None = None
    panel: Panel | None = None
    display: Display | None = None
    wire: Wire | None = None
    limits: Limits | None = None
    thresholds: Thresholds | None = None
    kept: CalibrationFile | None = None
