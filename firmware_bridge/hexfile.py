"""Intel HEX, as far as the firmware of a small chip needs it: one range of flash from 0, without segments."""

from __future__ import annotations

RECORD = 16
DATA, END, SEGMENT, START_SEGMENT, LINEAR, START_LINEAR = range(6)
BLANK = 0xFF


class NotHex(ValueError):
    """A file that is no Intel HEX, or none for a chip like this; `line` is where."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line


def read_hex(text: str) -> bytes:
    """Return the flash from address 0 on; what the file leaves out is blank.

    >>> read_hex(write_hex(b"firmware")) == b"firmware"
    True

    :raises NotHex: with the line.
    """
    flash = bytearray()
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        kind, address, data = _record(line.strip(), number)
        if kind == END:
            return bytes(flash)
        if kind == DATA:
            flash.extend(bytes([BLANK]) * (address + len(data) - len(flash)))
            flash[address : address + len(data)] = data
        elif kind in (SEGMENT, LINEAR) and any(data):
            raise NotHex(number, "an address beyond 64 KiB")
        elif kind > START_LINEAR:
            raise NotHex(number, f"a record of kind {kind}")
    raise NotHex(text.count("\n") + 1, "the end is missing")


def _record(line: str, number: int) -> tuple[int, int, bytes]:
    try:
        record = bytes.fromhex(line.removeprefix(":"))
    except ValueError as why:
        raise NotHex(number, "not hexadecimal") from why
    if not line.startswith(":") or len(record) < 5 or len(record) != record[0] + 5:
        raise NotHex(number, "not a record")
    if sum(record) & 0xFF:
        raise NotHex(number, "the check sum is wrong")
    return record[3], int.from_bytes(record[1:3], "big"), record[4:-1]


def write_hex(flash: bytes) -> str:
    """Return a range of flash from address 0 on; blank records are left out."""
    lines = []
    for at in range(0, len(flash), RECORD):
        data = flash[at : at + RECORD]
        if set(data) != {BLANK}:
            lines.append(_line(DATA, at, data))
    return "\n".join([*lines, _line(END, 0, b""), ""])


def _line(kind: int, address: int, data: bytes) -> str:
    record = bytes([len(data), *address.to_bytes(2, "big"), kind]) + data
    return f":{(record + bytes([-sum(record) & 0xFF])).hex().upper()}"
