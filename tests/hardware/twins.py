"""A shovel on the twin of the firmware, all in virtual time: every byte and every millisecond as on a real board."""

from typing import cast

from firmware_bridge import frames, messages
from firmware_bridge.board import Board, Refused
from firmware_bridge.messages import ANSWER, Connected, Fault, Hello, Refusal, Say, Status, Tell
from firmware_bridge.twin.__main__ import Machine
from firmware_bridge.twin.plant import Plant
from hardware.board_parts import SerialAir
from hardware.events import RigEvent
from hardware.lifter import Lifter
from hardware.limits import Limits
from hardware.sensors import SENSORS

TICK_MS = 20
RENEW_MS = 200


class TwinBoard:
    """A board whose answers come at once, on a clock that only a test moves on."""

    def __init__(self) -> None:
        self.now = 100.0
        self.machine = Machine()
        self.hello: Hello | None = None
        self.status: Status | None = None
        self.other_protocol: int | None = None
        self.deaf = False  # to what the board tells unasked
        self._reader = frames.Reader()
        self._number = 0
        self._answers: list[bytes | Refusal] = []
        self.request(Say.HELLO)

    @property
    def plant(self) -> Plant:
        return self.machine.plant

    @property
    def safe(self) -> bool:
        pins = self.machine.core.pins
        return pins.pump == 0 and not pins.valve

    def pass_ms(self, ms: int) -> None:
        self.machine.run(ms)
        self.now = round(self.now + ms / 1000, 3)
        self._listen()

    def stray_stop(self) -> None:
        """A stop byte that nobody sent."""
        self.machine.hear(bytes([frames.STOP]))

    def request(self, say: Say, body: bytes = b"") -> bytes:
        self._number = self._number % 255 + 1
        self._answers.clear()
        self.machine.hear(frames.frame(bytes([say, self._number]) + body))
        self.pass_ms(1)
        [answer] = self._answers
        if isinstance(answer, Refusal):
            raise Refused(answer)
        return answer

    def _listen(self) -> None:
        for content in self._reader.read(self.machine.said()):
            if not self.deaf or content[0] < Tell.BOOT or content[0] == Tell.REFUSAL:
                self._understand(content[0], content[2:])

    def _understand(self, kind: int, body: bytes) -> None:
        if kind == Tell.STATUS:
            self.status = messages.read_status(body, self.now)
        elif kind == Tell.REFUSAL:
            self._answers.append(messages.read_refusal(body))
        elif kind == Tell.FAULT and self.status:
            self.status = Status(0, False, Fault(body[0]), 0, 0, self.status.vacuum_raw, 0, 0, 24_000, self.now)
        elif kind == Say.HELLO | ANSWER:
            self._answers.append(body)
            self.hello = messages.read_hello(body)
        elif kind & ANSWER and kind < Tell.BOOT:
            self._answers.append(body)
            if kind not in (Say.COUNTERS | ANSWER, Say.PING | ANSWER):
                self.status = messages.read_status(body, self.now)

    # What SerialAir asks of a board.

    def pump(self, level: int) -> None:
        self.request(Say.PUMP, bytes([level]))

    def valve(self, closed: bool) -> None:
        self.request(Say.VALVE, bytes([closed]))

    def renew(self) -> None:
        self.request(Say.RENEW)

    def clear_fault(self) -> None:
        self.request(Say.CLEAR)

    def stop(self) -> None:
        self.stray_stop()
        self.pass_ms(1)


class TwinStand:
    """A shovel on such a board, with the events it told.

    :param sensor: the gauge at the board's input; ``None`` when there is none
    """

    def __init__(self, sensor: str | None = "mpx5100dp", *, limits: Limits | None = None) -> None:
        self.board = TwinBoard()
        self.told: list[RigEvent] = []
        self.air = SerialAir(cast(Board, self.board), transducer=SENSORS[sensor] if sensor else None)
        self.air.heard(Connected(cast(Hello, self.board.hello)))
        self.shovel = Lifter(self.air, tell=self.told.append, limits=limits)
        self._renewed = self.now
        self.pass_time(0.5)

    @property
    def now(self) -> float:
        return self.board.now

    @property
    def plant(self) -> Plant:
        return self.board.plant

    @property
    def phase(self) -> str:
        return self.shovel.phase

    @property
    def fault(self) -> str | None:
        fault = self.shovel.state(self.now).fault
        return fault.code if fault else None

    def tick(self) -> None:
        self.board.pass_ms(TICK_MS)
        self.shovel.tick(self.now)
        if self.now - self._renewed >= RENEW_MS / 1000:
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
