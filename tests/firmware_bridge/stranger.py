"""A host written from PROTOCOL.md alone. It shares no line with Digside's own: what the document leaves open shows."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import Protocol

HELLO, PING, RENEW, PUMP, VALVE, LAMPS, BUZZ = 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07
CLEAR, STATUS, COUNTERS, LIMITS, BYE, BOUNDS = 0x08, 0x09, 0x0A, 0x0B, 0x0C, 0x0D
LIGHTS = 0x0E
BOOT, STATUS_EVENT, BUTTON, FAULT_EVENT, REFUSAL = 0xE0, 0xE1, 0xE2, 0xE3, 0xFE
ANSWER = 0x80
UNKNOWN, MALFORMED, NO_SESSION, NO_LEASE, FAULT, RESTING = 1, 2, 3, 4, 5, 6
STOP = b"\xff"
PATIENCE_MS = 12


class Wire(Protocol):
    """The board's end of the wire, in time that passes when told to."""

    def hear(self, data: bytes) -> None: ...
    def run(self, ms: int) -> bytes: ...


@dataclass(frozen=True)
class Refused:
    """The board said no."""

    code: int


@dataclass(frozen=True)
class Told:
    """What the board said unasked."""

    kind: int
    number: int
    body: bytes


@dataclass(frozen=True)
class State:
    """The body called *status*."""

    pump: int
    closed: int
    fault: int
    buttons: int
    lamps: int
    vacuum: int
    lease_ms: int
    on_ms: int
    budget_ms: int

    @classmethod
    def read(cls, body: bytes) -> State:
        assert len(body) == 13
        return cls(*struct.unpack("<5B4H", body))


def checksum(content: bytes) -> int:
    """CRC-16/CCITT-FALSE, bit by bit.

    >>> checksum(b"123456789") == 0x29B1
    True
    """
    crc = 0xFFFF
    for byte in content:
        crc ^= byte << 8
        for _ in range(8):
            crc = (crc << 1 ^ (0x1021 if crc & 0x8000 else 0)) & 0xFFFF
    return crc


def wrap(content: bytes) -> bytes:
    """A frame.

    >>> wrap(b"")  # the pieces of a checksum alone
    b'\\x00\\x81\\x81\\x01\\x00'
    """
    data = content + struct.pack("<H", checksum(content))
    out, piece = b"", b""
    for byte in data:
        if byte == 0x00:
            out, piece = out + bytes([len(piece) + 1]) + piece, b""
        elif byte == 0xFF:
            out, piece = out + bytes([len(piece) + 1 + 0x80]) + piece, b""
        else:
            piece += bytes([byte])
    return b"\0" + out + bytes([len(piece) + 1]) + piece + b"\0"


def unwrap(between: bytes) -> bytes:
    """The content of what lay between two delimiters."""
    data, place = b"", 0
    while place < len(between):
        code = between[place]
        length = (code & 0x7F) - 1
        piece = between[place + 1 : place + 1 + length]
        assert len(piece) == length >= 0, "a piece ends too soon"
        data, place = data + piece, place + 1 + length
        last = place == len(between)
        assert not (last and code & 0x80), "a last piece has nothing behind it"
        data += b"" if last else b"\xff" if code & 0x80 else b"\0"
    content, crc = data[:-2], data[-2:]
    assert struct.pack("<H", checksum(content)) == crc, "the checksum is wrong"
    return content


class Stranger:
    """Asks, and keeps what it is told.

    :ivar told: what the board said unasked, oldest first
    """

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.told: list[Told] = []
        self._answers: list[tuple[int, int, bytes]] = []
        self._rest = b""
        self._number = 100

    def run(self, ms: int) -> None:
        """Let time pass and listen."""
        *frames, self._rest = (self._rest + self.wire.run(ms)).split(b"\0")
        for between in frames:
            if between:
                kind, number, body = (content := unwrap(between))[0], content[1], content[2:]
                if BOOT <= kind < REFUSAL:
                    self.told.append(Told(kind, number, body))
                else:
                    self._answers.append((kind, number, body))

    def ask(self, kind: int, body: bytes = b"", *, number: int | None = None) -> bytes | Refused | None:
        """Ask under a new number, or a given one; the answer's body, a refusal, or None for silence."""
        self._number = (self._number + 1) % 256 if number is None else number
        self._answers.clear()
        self.wire.hear(wrap(bytes([kind, self._number]) + body))
        for _ in range(PATIENCE_MS):
            self.run(1)
            for answer, of, said in self._answers:
                if (answer, of) == (REFUSAL, self._number) and said[0] == kind:
                    return Refused(said[1])
                if (answer, of) == (kind + ANSWER, self._number):
                    return said
        return None

    def state(self, kind: int = STATUS, body: bytes = b"", *, number: int | None = None) -> State:
        """Ask for something that is answered with a status."""
        said = self.ask(kind, body, number=number)
        assert isinstance(said, bytes), said
        return State.read(said)

    def greet(self) -> bytes:
        """Begin a session; how the board introduced itself."""
        said = self.ask(HELLO)
        assert isinstance(said, bytes), said
        return said

    def arm(self) -> None:
        """Everything that the pump needs: a session, no fault, a lease."""
        self.greet()
        self.state(CLEAR)
        self.state(RENEW)

    def stop(self) -> None:
        self.wire.hear(STOP)
        self.run(2)

    def frames(self, kind: int) -> list[Told]:
        """What it was told of one kind."""
        return [told for told in self.told if told.kind == kind]
