"""Sessions, requests and their answers, events, as in firmware/core/board.c and senses.c."""

from __future__ import annotations

import struct
from statistics import median_low

from firmware_bridge import frames, messages
from firmware_bridge.messages import (
    ANSWER,
    BUDGET_MS,
    LEASE_MS,
    ON_TIME_MS,
    PROTOCOL_VERSION,
    BoardFault,
    BoardNotice,
    Command,
    Feature,
    RefusalCode,
    Reset,
)
from firmware_bridge.twin.lights import PixelLights
from firmware_bridge.twin.plant import Plant
from firmware_bridge.twin.suction import BUDGET_START_MS, FULL_COUNT, WATCHDOG_MS, Pins, Suction

DESCRIPTION = b"simulated, Python twin"
SESSION_MS = 3000
STATUS_BUSY_MS = 25
STATUS_IDLE_MS = 200
PITCHES = range(500, 5001)
SAME_LOOKS = 4
LIGHTS_LINE = 0x40
_KNOWN = frozenset(Command)
_BODY = {Command.PUMP: 1, Command.VALVE: 1, Command.LAMPS: 1, Command.LIMITS: 3, Command.BUZZ: 4, Command.LIGHTS: 5}


def _makes_safe(say: Command, body: bytes) -> bool:
    return say in (Command.PUMP, Command.VALVE) and body[0] == 0


class CoreInputs:
    """Vacuum and buttons, freed of noise."""

    def __init__(self, plant: Plant) -> None:
        self._plant = plant
        self._taps = [plant.counts() for _ in range(5)]
        self._smooth = self._taps[0] << 4
        self._time = 0
        self._looks = [0] * messages.BUTTONS
        self.buttons = self._pressed

    @property
    def _pressed(self) -> int:
        return self._plant.buttons & 0x3F if self._plant.uno else self._plant.buttons

    @property
    def vacuum(self) -> int:
        return self._smooth + 8 >> 4

    def tick(self) -> list[int]:
        """Let a millisecond pass; return the buttons that changed."""
        self._time += 1
        if self._time % 2 == 0:
            self._taps = [*self._taps[1:], self._plant.counts()]
            aim = median_low(self._taps) << 4
            step = abs(aim - self._smooth) // 4
            self._smooth += step if aim >= self._smooth else -step
        return self._look_at_buttons() if self._time % 5 == 0 else []

    def _look_at_buttons(self) -> list[int]:
        changed = []
        for i in range(messages.BUTTONS):
            differs = (self._pressed ^ self.buttons) >> i & 1
            self._looks[i] = self._looks[i] + 1 if differs else 0
            if self._looks[i] == SAME_LOOKS:
                self._looks[i] = 0
                changed.append(i)
        for i in changed:
            self.buttons ^= 1 << i
        return changed


class Core:
    """The board without a machine: bytes and milliseconds go in, bytes and pins come out.

    :param budget_ms: what was left of the pump's budget; a board whose pump has rested has all of it
    """

    def __init__(self, plant: Plant, reset: Reset, *, budget_ms: int = BUDGET_MS) -> None:
        self.pins = Pins()
        self.said = bytearray()
        self._plant = plant
        self._reset = reset
        self._reader = frames.Reader()
        self._session = False
        self._lamps = 0
        self._silent_ms = self._status_wait = self._buzz_ms = self._uptime_ms = self._events = 0
        self._last: tuple[int, int, bytes] | None = None
        self._last_result: RefusalCode | None = None
        self.lights = PixelLights()
        self._suction = Suction(self.pins, budget_ms=budget_ms)
        self._suction.begin(reset)
        self._senses = CoreInputs(plant)
        self._reported = self._suction.fault
        self._tell(BoardNotice.BOOT, self._hello())

    def receive(self, data: bytes) -> None:
        """Take bytes; the stop byte counts wherever it stands."""
        first, *after_stops = data.split(bytes([frames.STOP]))
        self._hear(first)
        for part in after_stops:
            self.stop()
            self._hear(part)

    def stop(self) -> None:
        """What the stop byte does: what is older is not done any more."""
        self._suction.trip(BoardFault.STOPPED)
        self._silence()
        self._reader.forget()

    @property
    def budget_ms(self) -> int:
        """What is left of the pump's budget; it outlives a reset."""
        return self._suction.budget_ms

    def tick(self) -> None:
        """Let a millisecond pass."""
        self._uptime_ms += 1
        changed = self._senses.tick()
        self._suction.tick(1, self._senses.vacuum)
        self._run_buzzer()
        self.lights.tick()
        self._run_session()
        if self._session:
            self._tell_news(changed)

    def _hear(self, data: bytes) -> None:
        for content in self._reader.read(data):
            self._understand(content)

    def _send(self, kind: int, sequence: int, body: bytes) -> None:
        self.said += frames.frame(bytes([kind, sequence]) + body)

    def _tell(self, tell: BoardNotice, body: bytes) -> None:
        self._send(tell, self._events & 0xFF, body)
        self._events += 1

    def _hello(self) -> bytes:
        can = (
            Feature.PWM
            | Feature.VALVE
            | Feature.VACUUM
            | Feature.BUTTONS
            | Feature.LAMPS
            | Feature.LIGHTS
            | Feature.BUZZ
            | Feature.SIMULATED
        )
        can |= Feature(0) if self._plant.uno else Feature.EIGHT_BUTTONS
        return struct.pack("<BBBHBB", PROTOCOL_VERSION, 1, 2, can, self._reset, self._suction.fault) + DESCRIPTION

    def _status(self) -> bytes:
        s = self._suction
        return struct.pack(
            "<BBBBBHHHH",
            self.pins.pump,
            self.pins.valve,
            s.fault,
            self._senses.buttons,
            self._lamps,
            self._senses.vacuum,
            s.lease_ms,
            s.on_ms,
            s.budget_ms,
        )

    def _counters(self) -> bytes:
        return struct.pack("<HHHHI", self._reader.crc_errors, self._reader.frame_errors, 0, 0, self._uptime_ms)

    def _bounds(self) -> bytes:
        times = (LEASE_MS, ON_TIME_MS, BUDGET_MS, BUDGET_START_MS, SESSION_MS, WATCHDOG_MS)
        suction = self._suction
        limits = (suction.most, suction.vacuum_most)
        return struct.pack("<8HBHH", *times, PITCHES[0], PITCHES[-1], *limits, FULL_COUNT)

    def _silence(self) -> None:
        self._buzz_ms = self.pins.pitch = 0

    def _all_safe(self) -> None:
        self._suction.safe()
        self._lamps = self.pins.lamps = 0
        self.lights.dark()
        self._silence()

    def _understand(self, content: bytes) -> None:
        kind, sequence, body = content[0], content[1], content[2:]
        self._silent_ms = 0
        if kind not in _KNOWN:
            self._refuse(kind, sequence, RefusalCode.UNKNOWN)
            return
        say = Command(kind)
        if say is Command.PING:
            self._send(say | ANSWER, sequence, body)
        elif len(body) != _BODY.get(say, 0):
            self._refuse(say, sequence, RefusalCode.MALFORMED)
        elif say is Command.HELLO:
            self._greet(sequence)
        elif say is Command.STATUS:
            self._send(say | ANSWER, sequence, self._status())
        elif say is Command.COUNTERS:
            self._send(say | ANSWER, sequence, self._counters())
        elif say is Command.BOUNDS:
            self._send(say | ANSWER, sequence, self._bounds())
        else:
            self._answer_act(say, sequence, body)

    def _refuse(self, kind: int, sequence: int, code: RefusalCode) -> None:
        self._send(BoardNotice.REFUSAL, sequence, bytes([kind, code]))

    def _greet(self, sequence: int) -> None:
        self._all_safe()
        self._session = True
        self._last = None
        self._status_wait = STATUS_IDLE_MS
        self._events = 0
        self._reported = self._suction.fault
        self._send(Command.HELLO | ANSWER, sequence, self._hello())

    def _answer_act(self, say: Command, sequence: int, body: bytes) -> None:
        if _makes_safe(say, body) or (say, sequence, body) != self._last:
            self._last_result = self._act(say, body)
            self._last = (say, sequence, body)
        if self._last_result is not None:
            self._refuse(say, sequence, self._last_result)
        else:
            self._send(say | ANSWER, sequence, self._status())

    def _act(self, say: Command, body: bytes) -> RefusalCode | None:
        if not self._session and not _makes_safe(say, body):
            return RefusalCode.NO_SESSION
        match say:
            case Command.PUMP:
                return self._suction.pump(body[0])
            case Command.VALVE:
                return RefusalCode.MALFORMED if body[0] > 1 else self._suction.valve(body[0] == 1)
            case Command.LIMITS:
                return self._suction.limits(*struct.unpack("<BH", body))
            case Command.LIGHTS | Command.BUZZ:
                return (
                    self._light(body[0], body[1], body[2:])
                    if say is Command.LIGHTS
                    else self._buzz(*struct.unpack("<HH", body))
                )
            case _:
                self._act_always(say, body)
                return None

    def _act_always(self, say: Command, body: bytes) -> None:
        match say:
            case Command.RENEW:
                self._suction.renew()
            case Command.LAMPS:
                self._lamp(body[0])
            case Command.CLEAR:
                self._suction.fault = self._reported = BoardFault.NONE
            case _:
                self._all_safe()
                self._session = False

    def _lamp(self, bits: int) -> None:
        self._lamps = bits
        self.pins.lamps = bits & ~LIGHTS_LINE if self.lights.used else bits

    def _light(self, first: int, count: int, colour: bytes) -> RefusalCode | None:
        if not self.lights.fill(first, count, colour):
            return RefusalCode.MALFORMED
        self._lamp(self._lamps)
        return None

    def _buzz(self, ms: int, pitch: int) -> RefusalCode | None:
        if ms and pitch not in PITCHES:
            return RefusalCode.MALFORMED
        self._buzz_ms = ms
        self.pins.pitch = pitch if ms else 0
        return None

    def _run_buzzer(self) -> None:
        if self._buzz_ms:
            self._buzz_ms -= 1
            if not self._buzz_ms:
                self._silence()

    def _run_session(self) -> None:
        self._silent_ms += 1
        if self._silent_ms >= SESSION_MS:
            if self._session:
                self._all_safe()
            self._session, self._last = False, None

    def _tell_news(self, changed: list[int]) -> None:
        if self._reported is not self._suction.fault:
            self._reported = self._suction.fault
            self._tell(BoardNotice.FAULT, bytes([self._reported]))
            self._status_wait = STATUS_IDLE_MS
        for i in changed:
            self._tell(BoardNotice.BUTTON, bytes([i, self._senses.buttons >> i & 1]))
        self._status_wait += 1
        if self._status_wait >= (STATUS_BUSY_MS if self._suction.busy else STATUS_IDLE_MS):
            self._status_wait = 0
            self._tell(BoardNotice.STATUS, self._status())
