"""Three guided readings, what they say about the cup, and the file they are kept in."""

import logging
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from hardware.faults import ShovelRefused
from hardware.vacuum import GAP_S, Thresholds
from hardware.whole_file import write_whole

log = logging.getLogger(__name__)

Reading = Literal["ambient", "open", "sealed"]

AMBIENT_AT_MOST_KPA = 3.0
OPEN_AT_MOST_KPA = 6.0
SWING_AT_LEAST_KPA = 3.0

ZERO_LASTS_S = 1.0
ZERO_STEADY_KPA = 0.5

MEASURE_S = 1.2
MEASURE_TAIL_S = 0.5
SAMPLES_AT_LEAST = 3


class Calibration(Struct, frozen=True):
    """
    What the sensor read with the pump off, with the cup in the air, and with the cup on a tile.

    *ambient* is the sensor's own error; the other two are already freed of it. A calibration that
    would make lifts look verified when they are not is refused where the reading is taken.

    >>> cup = Calibration().taking("ambient", 0.2).taking("open", 1.7).taking("sealed", 12.2)
    >>> cup.thresholds
    Thresholds(held=6.75, lost=4.75, clear=1.5)
    >>> Calibration().taking("ambient", 0.0).taking("open", 1.5).taking("sealed", 4.0)
    Traceback (most recent call last):
     ...
    hardware.faults.ShovelRefused: the shovel refuses: cup_leaks
    """

    ambient: float | None = None
    open: float | None = None
    sealed: float | None = None

    @property
    def complete(self) -> bool:
        """Whether all three readings are there."""
        return self.sealed is not None

    @property
    def next(self) -> Reading:
        """
        The reading whose turn it is; after the last comes the first of a new calibration.

        >>> [Calibration().next, Calibration(0.2).next, Calibration(0.2, 1.5).next, Calibration(0.2, 1.5, 12.0).next]
        ['ambient', 'open', 'sealed', 'ambient']
        """
        if self.ambient is None or self.complete:
            return "ambient"
        return "open" if self.open is None else "sealed"

    @property
    def offset(self) -> float:
        """What the sensor reads when there is no vacuum."""
        return self.ambient or 0.0

    @property
    def thresholds(self) -> Thresholds:
        """The thresholds that follow; the usual ones while a reading is missing."""
        if self.open is None or self.sealed is None:
            return Thresholds()
        return Thresholds.between(self.open, self.sealed)

    def taking(self, reading: Reading, kpa: float) -> "Calibration":
        """
        This calibration with one reading more; an earlier one discards those that came after it.

        :param kpa: what the sensor read, its own error included
        :raises ShovelRefused: when the reading is out of turn or cannot be right
        """
        self.expect(reading)
        match reading:
            case "ambient":
                if abs(kpa) > AMBIENT_AT_MOST_KPA:
                    raise ShovelRefused("ambient_off")
                return Calibration(ambient=round(kpa, 3))
            case "open":
                opened = kpa - self.offset
                if opened > OPEN_AT_MOST_KPA:
                    raise ShovelRefused("open_high")
                return replace(self, open=round(opened, 3), sealed=None)
            case "sealed":
                sealed = kpa - self.offset
                if sealed - (self.open or 0.0) < SWING_AT_LEAST_KPA:
                    raise ShovelRefused("cup_leaks")
                return replace(self, sealed=round(sealed, 3))

    def expect(self, reading: Reading) -> None:
        """Refuse a reading whose forerunner is missing."""
        if reading != "ambient" and self.ambient is None:
            raise ShovelRefused("ambient_first")
        if reading == "sealed" and self.open is None:
            raise ShovelRefused("open_first")


class Measuring:
    """
    One guided reading while it is taken: the middle of what the sensor says once it has settled.

    With the pump off it is settled from the start, and a board at rest speaks only five times a second.

    :param done: takes the calibration with this reading, or the refusal; called once
    """

    def __init__(
        self, reading: Reading, start: float, before: Calibration, done: Callable[[Calibration | ShovelRefused], None]
    ) -> None:
        self.reading = reading
        self._start = start
        self._before = before
        self._done = done
        self._taken: list[tuple[float, float]] = []

    def see(self, kpa: float, at: float) -> None:
        """Take a sample as the sensor gives it."""
        if not self._taken or at > self._taken[-1][0]:
            self._taken.append((at, kpa))

    def due(self, now: float) -> bool:
        """Whether the reading has had its time."""
        return now - self._start >= MEASURE_S

    def finish(self, now: float, *, tight: bool) -> Calibration | None:
        """
        End the reading, tell, and return the new calibration; ``None`` if it was refused.

        :param tight: no air came in when the pump paused: with such a cup a grip would look like a blocked hose
        """
        from_when = self._start if self.reading == "ambient" else now - MEASURE_TAIL_S
        settled = [kpa for at, kpa in self._taken if at >= from_when]
        try:
            if len(settled) < SAMPLES_AT_LEAST:
                raise ShovelRefused("too_few_readings")
            taken = self._before.taking(self.reading, median(settled))
            if self.reading == "sealed" and tight:
                raise ShovelRefused("no_bleed")
        except ShovelRefused as refused:
            self._done(refused)
            return None
        self._done(taken)
        return taken

    def abandon(self) -> None:
        """Something came between: tell that there is no reading."""
        self._done(ShovelRefused("interrupted"))


class Zero:
    """
    What the sensor reads when there is no vacuum, learned while the pump rests: few begin at nothing, and all drift.

    >>> zero = Zero(None)
    >>> for tick in range(7):
    ...     zero.see(1.6, tick / 5)
    >>> zero.kpa, zero.known, zero.astray
    (1.6, True, None)

    :ivar kpa: the reading that counts as none
    :ivar known: whether it was learned or measured, or is only supposed
    :ivar astray: what the sensor reads at rest, where that is too much to be an error
    """

    def __init__(self, measured: float | None) -> None:
        self.kpa = measured or 0.0
        self.known = measured is not None
        self.astray: float | None = None
        self._seen: list[tuple[float, float]] = []

    def see(self, kpa: float, at: float) -> None:
        """Take a sample as the sensor gives it at rest; only one that stays for a second is believed."""
        if self._seen and at <= self._seen[-1][0]:
            return
        self._seen.append((at, kpa))
        if at - self._seen[0][0] < ZERO_LASTS_S - 1e-9:
            return
        while at - self._seen[0][0] > ZERO_LASTS_S + GAP_S:
            del self._seen[0]
        readings = [kpa for _, kpa in self._seen]
        if len(readings) >= SAMPLES_AT_LEAST and max(readings) - min(readings) <= ZERO_STEADY_KPA:
            self._learn(median(readings))
            self._seen.clear()

    def suppose(self, kpa: float) -> None:
        """Somebody lifts before anything was learned: what is read just before has to do, if it can be an error."""
        if not self.known and abs(kpa) <= AMBIENT_AT_MOST_KPA:
            self.kpa = kpa

    def measured(self, kpa: float) -> None:
        """A calibration has read it."""
        self.kpa, self.known, self.astray = kpa, True, None

    def interrupt(self) -> None:
        """The pump does not rest: look anew when it does."""
        self._seen.clear()

    def _learn(self, kpa: float) -> None:
        if abs(kpa) > AMBIENT_AT_MOST_KPA:
            self.astray = kpa
        else:
            self.measured(kpa)


class CalibrationFile:
    """
    Where a calibration outlives the service; one made with another sensor or another aim is not used.

    :param sensor: what it was made with, for instance ``"serial mpx5100dp 12 kPa"``
    """

    def __init__(self, path: Path, sensor: str) -> None:
        self.path = path
        self.sensor = sensor

    def load(self) -> Calibration:
        """The kept calibration, or an empty one; a damaged file is reported and not used."""
        try:
            kept = msgspec.json.decode(self.path.read_bytes(), type=_Kept)
        except FileNotFoundError:
            return Calibration()
        except (OSError, ValueError) as why:
            log.warning("%s is not usable, lifts go by the usual thresholds: %s", self.path, why)
            return Calibration()
        return kept.calibration if kept.sensor == self.sensor else Calibration()

    def save(self, calibration: Calibration) -> None:
        """Keep *calibration*; after a power cut there is the old file or the new one, never half of one."""
        text = msgspec.json.format(msgspec.json.encode(_Kept(self.sensor, calibration)), indent=2)
        write_whole(self.path, text + b"\n")


class _Kept(Struct, frozen=True, forbid_unknown_fields=True):
    sensor: str
    calibration: Calibration
