"""Typed messages: what host and board say to each other (PROTOCOL.md, "Messages")."""

from __future__ import annotations

import struct
from enum import IntEnum, IntFlag

import msgspec

PROTOCOL_VERSION = 1
LEASE_MS = 700
ON_TIME_MS = 20_000
BUDGET_MS = 24_000
BUTTONS = 8
LAMPS = 8
LIGHTS = 64
LIGHTS_MOST_MA = 500

ANSWER = 0x80


class Command(IntEnum):
    """Requests of the host."""

    HELLO = 0x01
    PING = 0x02
    RENEW = 0x03
    PUMP = 0x04
    VALVE = 0x05
    LAMPS = 0x06
    BUZZ = 0x07
    CLEAR = 0x08
    STATUS = 0x09
    COUNTERS = 0x0A
    LIMITS = 0x0B
    BYE = 0x0C
    BOUNDS = 0x0D
    LIGHTS = 0x0E


ASKS = frozenset({Command.PING, Command.STATUS, Command.COUNTERS, Command.BOUNDS})
"""Requests that change nothing; the board does not remember them."""


class BoardNotice(IntEnum):
    """What the board says unasked, and its refusal."""

    BOOT = 0xE0
    STATUS = 0xE1
    BUTTON = 0xE2
    FAULT = 0xE3
    REFUSAL = 0xFE


class RefusalCode(IntEnum):
    """Why the board did not do as it was asked."""

    UNKNOWN = 1
    MALFORMED = 2
    NO_SESSION = 3
    NO_LEASE = 4
    FAULT = 5
    RESTING = 6


REASONS = {
    RefusalCode.UNKNOWN: "the board does not know this request",
    RefusalCode.MALFORMED: "the board does not understand this request",
    RefusalCode.NO_SESSION: "the board has restarted and has not been greeted yet",
    RefusalCode.NO_LEASE: "the lease has run out; renew it first",
    RefusalCode.FAULT: "a fault is latched; clear it first",
    RefusalCode.RESTING: "the pump has run too much lately and must rest",
}


class BoardFault(IntEnum):
    """Why the board has let go; it stays until it is cleared."""

    NONE = 0
    STOPPED = 1
    LEASE = 2
    ON_TIME = 3
    DUTY = 4
    WATCHDOG = 5
    BROWN_OUT = 6


class Reset(IntEnum):
    """Why the board started."""

    UNKNOWN = 0
    POWER = 1
    EXTERNAL = 2
    BROWN_OUT = 3
    WATCHDOG = 4


class Feature(IntFlag):
    """What a board can do."""

    PWM = 1
    VALVE = 2
    VACUUM = 4
    BUTTONS = 8
    LAMPS = 16
    BUZZ = 32
    SIMULATED = 64
    EIGHT_BUTTONS = 128
    LIGHTS = 256


class Hello(msgspec.Struct, frozen=True):
    """How a board introduces itself."""

    protocol: int
    version: str
    can: Feature
    reset: Reset
    fault: BoardFault
    description: str

    @property
    def release(self) -> tuple[int, int]:
        """The version of the firmware, to be compared.

        >>> Hello(1, "1.10", Feature(0), Reset.POWER, BoardFault.NONE, "").release > (1, 9)
        True
        """
        major, _, minor = self.version.partition(".")
        return int(major), int(minor)


class Status(msgspec.Struct, frozen=True):
    """How a board is; `at` is the clock's time when this was received."""

    pump: int
    valve_closed: bool
    fault: BoardFault
    buttons: int
    lamps: int
    vacuum_raw: int
    lease_ms: int
    on_ms: int
    budget_ms: int
    at: float = 0.0

    @property
    def is_safe(self) -> bool:
        """Pump off and valve vented."""
        return self.pump == 0 and not self.valve_closed


class Counters(msgspec.Struct, frozen=True):
    """What went wrong at the board's end of the wire since it started."""

    crc_errors: int
    frame_errors: int
    overruns: int
    unsent: int
    uptime_ms: int

    @property
    def damaged(self) -> int:
        """Frames that arrived damaged, and bytes that were lost."""
        return self.crc_errors + self.frame_errors + self.overruns


class Bounds(msgspec.Struct, frozen=True):
    """What a board itself puts bounds to: times in ms, pitches in Hz.

    `pump_most` and `vacuum_most` are those that LIMITS has set; a vacuum of 0 is none. `full_count` is the end of the
    scale on which the board counts a vacuum; a firmware before 1.2 does not tell it.
    """

    lease_ms: int
    on_time_ms: int
    budget_ms: int
    budget_start_ms: int
    session_ms: int
    watchdog_ms: int
    pitch_low: int
    pitch_high: int
    pump_most: int
    vacuum_most: int
    full_count: int = 1023


class Button(msgspec.Struct, frozen=True):
    """A button went down or up; the first is 0."""

    index: int
    down: bool
    at: float = 0.0


class FaultRaised(msgspec.Struct, frozen=True):
    """The board has let go and latched a fault."""

    fault: BoardFault


class Connected(msgspec.Struct, frozen=True):
    """A board has been greeted and is ready."""

    hello: Hello


class Restarted(msgspec.Struct, frozen=True):
    """The board has started anew in the middle of a session; `hello.reset` says why."""

    hello: Hello


class Disconnected(msgspec.Struct, frozen=True):
    """The board cannot be heard any more."""

    reason: str


Event = Button | FaultRaised | Connected | Restarted | Disconnected
"""What a board tells of its own accord. A new status is no event: read `Board.status`."""

_HELLO = struct.Struct("<BBBHBB")
_STATUS = struct.Struct("<BBBBBHHHH")
_COUNTERS = struct.Struct("<HHHHI")
_BOUNDS = struct.Struct("<HHHHHHHHBH")
_FULL_COUNT = struct.Struct("<H")


class Unintelligible(ValueError):
    """A frame with a right CRC and a content that means nothing: another protocol."""


def read_hello(body: bytes) -> Hello:
    try:
        protocol, major, minor, can, reset, fault = _HELLO.unpack_from(body)
        text = body[_HELLO.size :].decode("ascii")
        return Hello(protocol, f"{major}.{minor}", Feature(can), Reset(reset), BoardFault(fault), text)
    except (struct.error, ValueError) as error:
        raise Unintelligible(f"hello: {error}") from error


def read_status(body: bytes, at: float) -> Status:
    try:
        pump, valve, fault, buttons, lamps, vacuum, lease, on, budget = _STATUS.unpack(body)
        return Status(pump, bool(valve), BoardFault(fault), buttons, lamps, vacuum, lease, on, budget, at)
    except (struct.error, ValueError) as error:
        raise Unintelligible(f"status: {error}") from error


def read_counters(body: bytes) -> Counters:
    try:
        return Counters(*_COUNTERS.unpack(body))
    except struct.error as error:
        raise Unintelligible(f"counters: {error}") from error


def read_bounds(body: bytes) -> Bounds:
    try:
        known = _BOUNDS.unpack_from(body)
        return Bounds(*known, *(_FULL_COUNT.unpack_from(body, _BOUNDS.size) if len(body) > _BOUNDS.size else ()))
    except struct.error as error:
        raise Unintelligible(f"bounds: {error}") from error


def read_button(body: bytes, at: float) -> Button:
    if len(body) != 2 or body[0] >= BUTTONS or body[1] > 1:
        raise Unintelligible(f"button: {body.hex(' ')}")
    return Button(body[0], bool(body[1]), at)


def read_fault(body: bytes) -> BoardFault:
    try:
        return BoardFault(body[0])
    except (IndexError, ValueError) as error:
        raise Unintelligible(f"fault: {body.hex(' ')}") from error


def read_refusal(body: bytes) -> RefusalCode:
    """Return the code; the first byte repeats the request's type."""
    try:
        return RefusalCode(body[1])
    except (IndexError, ValueError) as error:
        raise Unintelligible(f"refusal: {body.hex(' ')}") from error


def byte(value: int) -> bytes:
    return value.to_bytes(1, "little")


def words(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}H", *values)


def lights(first: int, count: int, colour: tuple[int, int, int]) -> bytes:
    return bytes([first, count, *colour])


def limits(pump_most: int, vacuum_most: int) -> bytes:
    return struct.pack("<BH", pump_most, vacuum_most)
