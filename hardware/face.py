"""What a table may ask of a rig, whatever stands behind it; and the rig where nothing does."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Literal

from hardware.calibration import Calibration, Reading
from hardware.events import Cue, RigEvent, RigKind, RigState
from hardware.faults import RigProblem, ShovelRefused

__all__ = ["AbsentRig", "Do", "NoRig", "NotUsable", "Poke", "Reading", "Rig"]

Do = Literal["grip", "release", "stop", "clear", "calibrate", "confirm"]
Poke = Literal["card", "no_card", "leak", "unplug", "replug", "stall", "brown_out"]


class Rig(ABC):
    """
    The hardware beside one table. Every method may be called from any thread.

    The following example lifts with whatever is attached::

        with open_rig(None, data=Path("data")) as rig:
            rig.listen(print)
            rig.shovel("grip")
    """

    kind: RigKind

    @abstractmethod
    def state(self) -> RigState:
        """Everything at this moment, as one frozen value."""

    @abstractmethod
    def cue(self, cue: Cue) -> None:
        """Show, sound or do something soon; never waits. A lift that is refused is told as lift 0 having failed."""

    @abstractmethod
    def shovel(self, do: Do, *, reading: Reading | None = None, sure: bool = False) -> RigState:
        """
        Do something with the shovel, and return the state after it.

        ``"stop"`` acts at once in every state, past any queue, and is harmless to repeat.

        :param reading: which reading to take, for ``"calibrate"``; the one whose turn it is, if none is named
        :param sure: for ``"grip"``: a person says that the cup is empty, whatever the sensor reads
        :raises ShovelRefused: when the shovel does not do that now
        """

    @abstractmethod
    def listen(self, heard: Callable[[RigEvent], None]) -> Callable[[], None]:
        """Have *heard* told every event, from one thread and in order; returns what ends it."""

    @abstractmethod
    def watch(self, changed: Callable[[RigState], None]) -> Callable[[], None]:
        """Have *changed* given the state as it changes, at most ten times a second; returns what ends it."""

    @abstractmethod
    def calibrate(self, reading: Reading) -> Calibration:
        """
        Take one of the three guided readings, ``ambient``, ``open`` and ``sealed``, in this order.

        Waits about two seconds for it. After the third the calibration is kept on disk and in force.

        :raises ShovelRefused: when it cannot be taken, or would make a bad calibration
        """

    @abstractmethod
    def world(self, do: Poke, value: float | None = None) -> RigState:
        """
        Poke the simulated world.

        :raises ShovelRefused: when the world is the real one
        """

    @abstractmethod
    def make_safe(self) -> None:
        """Everything off, for good. Takes no lock and never raises: for signal handlers."""

    @abstractmethod
    def silence(self) -> float:
        """Seconds since the rig's loop last came round; a service that pets a watchdog asks this first."""

    @abstractmethod
    def close(self) -> None:
        """Everything safe, and the devices given back; harmless to repeat."""

    def __enter__(self) -> "Rig":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class NoRig(Rig):
    """Nothing is attached: cues go nowhere, and the shovel refuses."""

    kind: RigKind = "none"

    def state(self) -> RigState:
        """Nothing, at this moment."""
        return RigState(kind="none")

    def cue(self, cue: Cue) -> None:
        """Nobody sees it."""

    def shovel(self, do: Do, *, reading: Reading | None = None, sure: bool = False) -> RigState:
        """Stop always succeeds; for all else there is no shovel."""
        if do != "stop":
            raise ShovelRefused("no_rig")
        return self.state()

    def listen(self, heard: Callable[[RigEvent], None]) -> Callable[[], None]:
        """There will be nothing to hear."""
        return _nothing

    def watch(self, changed: Callable[[RigState], None]) -> Callable[[], None]:
        """There will be nothing to see."""
        return _nothing

    def calibrate(self, reading: Reading) -> Calibration:
        """There is no sensor."""
        raise ShovelRefused("no_rig")

    def world(self, do: Poke, value: float | None = None) -> RigState:
        """There is no simulated world."""
        raise ShovelRefused("no_world")

    def make_safe(self) -> None:
        """Nothing can move."""

    def silence(self) -> float:
        """There is no loop that could fall silent."""
        return 0.0

    def close(self) -> None:
        """There is nothing to give back."""


class NotUsable(RigProblem):
    """
    What the rig file names is not there, or cannot be used; tables can be played without it.

    :ivar kind: of rig, as in its file
    """

    def __init__(self, file: str, line: int | None, reason: str, kind: RigKind) -> None:
        super().__init__(file, line, reason)
        self.kind: RigKind = kind


class AbsentRig(NoRig):
    """What was chosen cannot be used: tables are played as if nothing were there, and are told that it is missing."""

    def __init__(self, kind: RigKind) -> None:
        self.kind = kind

    def state(self) -> RigState:
        """It is absent, at this moment as at every other."""
        return RigState(kind=self.kind, absent=True)

    def shovel(self, do: Do, *, reading: Reading | None = None, sure: bool = False) -> RigState:
        """Stop always succeeds; for all else the shovel is missing."""
        if do != "stop":
            raise ShovelRefused("absent")
        return self.state()

    def calibrate(self, reading: Reading) -> Calibration:
        """There is no sensor to be reached."""
        raise ShovelRefused("absent")


def _nothing() -> None:
    return None
