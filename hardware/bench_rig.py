"""A bench for the rig that was chosen: its parts opened without a table, and what was learned kept with the tables."""

import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from hardware.bench import CHECKS, Bench, BenchOperator, Check, CheckResult, Learned, Question, Wish
from hardware.calibration import CalibrationFile
from hardware.choice import SavedChoice, keep_values
from hardware.faults import RigProblem
from hardware.lifter import Lifter
from hardware.live import BoardConnection
from hardware.rig import ANSWERS_WITHIN_S, CALIBRATION_FILE, default_rig, devices_of, made_with, no_board, read_rig
from hardware.vacuum import CLEAR_KPA

__all__ = [
    "CHECKS",
    "BenchOperator",
    "BenchSession",
    "Check",
    "CheckResult",
    "Question",
    "RigProblem",
    "Wish",
    "opened_bench",
]

PULLED_AFTER_S = 1.5
RAIL = "Nano"
"""The board whose converter compares with a supply of its own."""


class SimulatedOperator:
    """Who stands at a simulated rig: nobody; the world does by itself what it is asked to."""

    def __init__(self, wire: BoardConnection) -> None:
        self._wire = wire

    def do(self, wish: Wish) -> None:
        """Do it in the simulated world."""
        match wish:
            case "cup_in_air":
                self._wire.poke("no_card", None)
            case "cup_on_tile":
                self._wire.poke("card", None)
            case "pull_plug":
                threading.Timer(PULLED_AFTER_S, self._wire.poke, ("unplug", None)).start()
            case "put_plug_back":
                self._wire.poke("replug", None)

    def volts(self) -> float | None:
        """There is nothing to measure."""
        return None

    def saw(self, question: Question) -> bool | None:
        """Whether the world is at rest; nobody looked whether a tile hung there before."""
        world = self._wire.world()
        return None if world is None or question == "hung" else world.vacuum_kpa <= CLEAR_KPA


class BenchSession:
    """
    A rig on the bench.

    :ivar board: what the board says of itself
    """

    def __init__(self, bench: Bench, data: Path, *, kept_as: str, chosen: bool, board: str | None) -> None:
        self.board = board
        self._bench, self._data, self._kept_as, self._chosen = bench, data, kept_as, chosen

    def run(self, checks: tuple[Check, ...] = CHECKS) -> Iterator[CheckResult]:
        """Make the checks, and tell of each as it ends."""
        return self._bench.run(checks)

    def keep(self) -> tuple[SavedChoice | None, dict[str, float]]:
        """
        Keep what was learned, where the rig is the one that was chosen: in its file, and the calibration beside it.

        :returns: where it is kept, and what
        """
        learned = self._bench.learned
        values = values_of(learned)
        if not self._chosen:
            return None, values
        if learned.calibration is not None and learned.calibration.complete:
            CalibrationFile(self._data / CALIBRATION_FILE, self._kept_as).save(learned.calibration)
        return (keep_values(self._data, values) if values else None), values


def values_of(learned: Learned) -> dict[str, float]:
    """What belongs into the rig file, by the path of its key."""
    found = {"shovel.slowest_pump": learned.slowest_pump, "sensor.reference_v": learned.reference_v}
    return {path: value for path, value in found.items() if value is not None}


@contextmanager
def opened_bench(name_or_path: str | None, data: Path, hands: BenchOperator) -> Iterator[BenchSession]:
    """
    Open a rig for a walk through its checklist.

    :param name_or_path: a preset or a rig file; ``None`` for what was chosen
    :param hands: who stands at it; a simulated one needs nobody
    :raises RigProblem: when it cannot be opened, or nothing is there to be checked
    """
    sheet = read_rig(name_or_path if name_or_path is not None else default_rig(data))
    if sheet.rig.kind == "none":
        raise sheet.problem("kind", "there is no rig to be checked; choose one with digside rig")
    with ExitStack() as undo:
        parts = devices_of(sheet, undo)
        air, wire = parts["air"], parts["wire"]
        if air is None:
            raise sheet.problem("serial.shovel", "there is no shovel to be checked")
        undo.callback(air.close)
        if wire is not None and not _greeted(wire):
            raise sheet.not_usable("serial.port", no_board(wire.state().reason))
        board = wire.state().board if wire else None
        bench = Bench(
            air,
            Lifter(air, emit=lambda event: None, limits=sheet.rig.shovel),
            hands=SimulatedOperator(wire) if wire and wire.world() is not None else hands,
            limits=sheet.rig.shovel,
            without=_without(board),
        )
        kept_as = made_with(sheet.rig)
        yield BenchSession(bench, data, kept_as=kept_as, chosen=name_or_path is None, board=board)


def _without(board: str | None) -> dict[Check, str]:
    """The checks that have nothing to look at, and why."""
    if board is None:
        return {"supply": "no_rail", "stall": "not_throttled", "unplug": "no_plug"}
    return {} if board.startswith(RAIL) else {"supply": "no_rail"}


def _greeted(wire: BoardConnection) -> bool:
    ends = time.monotonic() + ANSWERS_WITHIN_S
    while not wire.state().connected and time.monotonic() < ends:
        time.sleep(0.05)
    return wire.state().connected
