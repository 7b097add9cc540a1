"""Writing the firmware that comes with Digside to an Arduino Nano, and what was on it before as the way back."""

import termios
from collections.abc import Callable
from pathlib import Path

import serial
from msgspec import Struct

from firmware_bridge import images, stk500
from firmware_bridge.hexfile import read_hex, write_hex
from firmware_bridge.ports import is_no_port
from firmware_bridge.stk500 import FlashFailed, Progress
from hardware.choice import ports

__all__ = ["FlashResult", "firmware", "flash", "keep_in", "ports", "read_file", "version"]


class FlashResult(Struct, frozen=True):
    """
    What has become of it.

    :ivar chip: the chip that has the firmware now; ``None`` where it has not
    :ivar why: else a code: ``"port"``, ``"lost"``, or one of :data:`firmware_bridge.stk500.Why`
    :ivar reason: as the computer puts it
    """

    chip: str | None
    why: str = ""
    reason: str = ""


def version() -> str:
    """The version of the firmware that comes with this Digside."""
    return images.image("nano").version


def firmware() -> bytes:
    """The firmware that comes with this Digside."""
    return read_hex(images.contents("nano").decode("ascii"))


def read_file(file: Path) -> bytes:
    """
    The firmware in a file of one's own, such as one that was kept.

    :raises ValueError: with the line
    """
    return read_hex(file.read_text(encoding="ascii", errors="replace"))


def keep_in(file: Path) -> Callable[[bytes], None]:
    """What keeps firmware in *file*; a blank board has none to keep."""

    def keep(before: bytes) -> None:
        if before:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(write_hex(before), encoding="ascii")

    return keep


def flash(
    port: str, firmware: bytes, *, progress: Progress, keep: Callable[[bytes], None] | None = None
) -> FlashResult:
    """Write firmware to the Nano at a port, and compare."""
    if is_no_port(port):
        return FlashResult(None, "port", f"{port} is not a serial port")
    device = serial.serial_for_url(port, do_not_open=True)
    device.exclusive = True
    try:
        device.open()
    except (OSError, termios.error) as why:
        return FlashResult(None, "port", str(why))
    try:
        with device:
            return FlashResult(stk500.flash(device, firmware, progress=progress, keep=keep))
    except FlashFailed as failed:
        return FlashResult(None, failed.why)
    except (OSError, termios.error) as why:
        return FlashResult(None, "lost", str(why))
