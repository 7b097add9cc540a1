"""A shovel on the simulated board, in time that is turned by hand: hose and card, firmware, wire, judgement."""

from firmware_bridge.frames import STOP
from firmware_bridge.twin.plant import Plant
from hardware.board_parts import SerialAir
from hardware.events import RigEvent
from hardware.lifter import Lifter, LiftLimits
from hardware.sensors import SENSORS
from tests.lifts.still import Bench, StillBoard

TICK_MS = 20
RENEW_S = 0.2
REST_S = 0.5


class WiredStand:
    """A shovel, and the events it told.

    :param sensor: the gauge at the board's input; ``None`` when there is none
    """

    def __init__(
        self,
        sensor: str | None = "mpx5100dp",
        *,
        limits: LiftLimits | None = None,
        plant: Plant | None = None,
        twin: bool = False,
    ) -> None:
        self.bench = Bench(seed=1, twin=twin, plant=plant)
        self.told: list[RigEvent] = []
        self.board = StillBoard(self.bench)
        self.air = SerialAir(self.board, transducer=SENSORS[sensor] if sensor else None)
        self.shovel = Lifter(self.air, emit=self.told.append, limits=limits)
        self._renewed = self.now
        self.pass_time(REST_S)

    @property
    def now(self) -> float:
        return self.bench.seconds

    @property
    def plant(self) -> Plant:
        return self.bench.plant

    @property
    def phase(self) -> str:
        return self.shovel.phase

    @property
    def fault(self) -> str | None:
        fault = self.shovel.state(self.now).fault
        return fault.code if fault else None

    def stray_stop(self) -> None:
        """The board hears a stop byte that nobody sent."""
        self.bench.chip.hear(bytes([STOP]))

    def tick(self) -> None:
        self.board.advance(TICK_MS)
        self.shovel.tick(self.now)
        if self.now - self._renewed >= RENEW_S:
            self._renewed = self.now
            self.air.renew()

    def pass_time(self, seconds: float) -> None:
        ends = self.now + seconds
        while self.now < ends:
            self.tick()

    def until(self, phase: str, within: float = 20.0) -> float:
        """Pass time until the shovel is in *phase*; return how long it took."""
        start = self.now
        while self.shovel.phase != phase:
            assert self.now - start < within, f"still {self.shovel.phase} after {within} s"
            self.tick()
        return self.now - start

    def reach(self, phase: str) -> None:
        """Bring the shovel into a phase of a lift, a card being there."""
        self.plant.card = True
        if phase == "off":
            return
        self.shovel.grip(self.now)
        if phase in ("holding", "releasing"):
            self.until("holding")
        if phase == "releasing":
            self.shovel.release(self.now)
        assert self.phase == phase
