"""Listening to a rig in a test: events are waited for, never slept for."""

import queue
import time
from typing import TypeVar

from hardware.events import RigEvent, ShovelState
from hardware.face import Rig

E = TypeVar("E")
PATIENCE = 30.0


class Ears:
    """Everything that a rig tells, in order."""

    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._told: queue.SimpleQueue[RigEvent] = queue.SimpleQueue()
        rig.listen(self._told.put)

    def wait(self, kind: type[E]) -> E:
        """The next event of this kind; others before it are let go."""
        ends = time.monotonic() + PATIENCE
        while True:
            event = self._told.get(timeout=max(0.0, ends - time.monotonic()))
            if isinstance(event, kind):
                return event

    def wait_all(self, *kinds: type[RigEvent]) -> None:
        """One event of each kind, in whatever order."""
        missing, ends = set(kinds), time.monotonic() + PATIENCE
        while missing:
            missing.discard(type(self._told.get(timeout=max(0.0, ends - time.monotonic()))))

    def rest(self) -> list[RigEvent]:
        """What has been told and not waited for."""
        told = []
        while not self._told.empty():
            told.append(self._told.get())
        return told

    def until(self, phase: str) -> ShovelState:
        """Look until the shovel is in *phase*."""
        ends = time.monotonic() + PATIENCE
        while (shovel := self._rig.state().shovel) is None or shovel.state != phase:
            assert time.monotonic() < ends, f"{shovel} after {PATIENCE} s"
            time.sleep(0.005)
        return shovel
