"""Opening the serial port of a board, and finding it again."""

from __future__ import annotations

import os
import stat
import termios
from pathlib import Path
from typing import Protocol, cast

import serial

BAUD = 115_200
READ_S = 0.1
WRITE_S = 0.04
"""Writing never takes longer, so that stopping never does."""

MEMORY = 1
"""The major number of /dev/null, /dev/zero and their like."""

_BY_ID = Path("/dev/serial/by-id")

if "firmware_bridge" not in serial.protocol_handler_packages:
    serial.protocol_handler_packages.append("firmware_bridge")  # makes sim:// an ordinary port


class Port(Protocol):
    """What is needed of a pyserial port."""

    @property
    def in_waiting(self) -> int: ...
    def read(self, size: int) -> bytes: ...
    def write(self, data: bytes) -> int | None: ...
    def close(self) -> None: ...


def open_port(url: str) -> Port:
    """Open a port, given as a device or as any pyserial URL.

    :raises OSError: when there is no such port, or somebody else has it.
    """
    port = serial.serial_for_url(url, do_not_open=True)
    port.baudrate = BAUD
    port.timeout = READ_S
    port.write_timeout = WRITE_S
    port.exclusive = True
    port.dtr = True  # a Pico, whose USB port is its own, says nothing to a port on which nobody is ready
    try:
        port.open()
    except termios.error as error:  # pyserial lets it through when the cable comes out in the middle of opening
        raise OSError(*error.args) from error
    return cast(Port, port)


def is_no_port(url: str) -> bool:
    """Whether something else than a serial port has this name, such as a file or ``/dev/null``. Opens nothing."""
    try:
        found = Path(url).stat()
    except (OSError, ValueError):
        return False
    return not stat.S_ISCHR(found.st_mode) or os.major(found.st_rdev) == MEMORY


def lasting_name(url: str, by_id: Path = _BY_ID) -> str:
    """Return the name by which a device is found again: after a pulled cable /dev/ttyUSB0 may be ttyUSB1."""
    device = Path(url)
    if "://" in url or not device.exists():
        return url
    for name in sorted(by_id.glob("*")) if by_id.is_dir() else []:
        if name.resolve() == device.resolve():
            return str(name)
    return url
