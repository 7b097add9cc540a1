"""Writing firmware to a Nano through its bootloader: STK500 version 1, as Optiboot and its forerunner speak it."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal, Protocol

SPEEDS = (115_200, 57_600)
"""Of Nanos since 2018, and of older ones and many clones."""
PAGE = 128
ROOM = 0x7800
"""Bytes of flash below the largest of the bootloaders: what lies above is never touched."""
SIGNATURES = {bytes.fromhex("1e950f"): "ATmega328P", bytes.fromhex("1e9514"): "ATmega328"}

SYNC, LEAVE, LOAD_ADDRESS, WRITE_PAGE, READ_PAGE, READ_SIGNATURE, ENTER = 0x30, 0x51, 0x55, 0x64, 0x74, 0x75, 0x50
END_OF_COMMAND, IN_SYNC, OK = 0x20, 0x14, 0x10

SYNC_TRIES = 10
SYNC_WITHIN_S = 0.12
ANSWER_WITHIN_S = 1.0
RESET_S = 0.05
LOADER_WAITS_S = 0.15
ROUNDS = 3

Stage = Literal["connect", "keep", "write", "verify"]
Progress = Callable[[Stage, float], None]
Why = Literal["no_answer", "other_chip", "out_of_sync", "not_verified", "too_large"]


class FlashFailed(Exception):
    """The firmware could not be written; the bootloader is still there, and it may be tried again.

    :ivar why: a code
    """

    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why: Why = why


class FlashPort(Protocol):
    """What is needed of a pyserial port that is open."""

    baudrate: int
    dtr: bool
    timeout: float | None

    def read(self, size: int) -> bytes: ...
    def write(self, data: bytes) -> int | None: ...
    def reset_input_buffer(self) -> None: ...


class Bootloader:
    """A chip that waits for firmware.

    The following example says what a Nano is::

        with serial.Serial("/dev/ttyUSB0") as port:
            print(Bootloader.at(port).chip)
    """

    def __init__(self, port: FlashPort) -> None:
        self._port = port
        self.chip = SIGNATURES.get(self._ask(bytes([READ_SIGNATURE]), 3))
        if self.chip is None:
            raise FlashFailed("other_chip")
        self._ask(bytes([ENTER]))

    @classmethod
    def at(cls, port: FlashPort, *, sleep: Callable[[float], None] = time.sleep) -> Bootloader:
        """Reset the chip at a port, and find its bootloader at either speed.

        :raises FlashFailed: when none answers.
        """
        for _ in range(ROUNDS):
            for speed in SPEEDS:
                port.baudrate = speed
                port.dtr = False
                sleep(RESET_S)
                port.dtr = True  # this edge is what resets it
                sleep(LOADER_WAITS_S)
                port.reset_input_buffer()
                if cls._in_sync(port):
                    return cls(port)
        raise FlashFailed("no_answer")

    @staticmethod
    def _in_sync(port: FlashPort) -> bool:
        port.timeout = SYNC_WITHIN_S
        for _ in range(SYNC_TRIES):
            port.write(bytes([SYNC, END_OF_COMMAND]))
            if port.read(2) == bytes([IN_SYNC, OK]):
                port.timeout = ANSWER_WITHIN_S
                while port.read(1) and port.read(1):  # answers to those before, which came late
                    port.timeout = SYNC_WITHIN_S
                port.timeout = ANSWER_WITHIN_S
                return True
        return False

    def read(self, address: int, length: int) -> bytes:
        """Read some of the flash, within a page."""
        self._go_to(address)
        return self._ask(bytes([READ_PAGE, *length.to_bytes(2, "big"), ord("F")]), length)

    def write(self, address: int, page: bytes) -> None:
        """Write a page, which is erased first."""
        self._go_to(address)
        self._ask(bytes([WRITE_PAGE, *len(page).to_bytes(2, "big"), ord("F")]) + page)

    def leave(self) -> None:
        """Have the firmware start."""
        self._ask(bytes([LEAVE]))

    def _go_to(self, address: int) -> None:
        self._ask(bytes([LOAD_ADDRESS, *(address // 2).to_bytes(2, "little")]))  # it counts in words

    def _ask(self, command: bytes, length: int = 0) -> bytes:
        self._port.timeout = ANSWER_WITHIN_S
        self._port.write(command + bytes([END_OF_COMMAND]))
        answer = self._port.read(length + 2)
        if len(answer) != length + 2 or answer[0] != IN_SYNC or answer[-1] != OK:
            raise FlashFailed("out_of_sync")
        return answer[1:-1]


def flash(
    port: FlashPort,
    firmware: bytes,
    *,
    progress: Progress = lambda stage, share: None,
    keep: Callable[[bytes], None] | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> str:
    """Write firmware to the Nano at a port, and compare what is there afterwards; return the name of the chip.

    :param progress: is told how far it is, from 0 to 1 in each stage
    :param keep: takes what was there before, as the way back
    :raises FlashFailed: when it is not there as it should be.
    """
    if len(firmware) > ROOM:
        raise FlashFailed("too_large")
    progress("connect", 0.0)
    chip = Bootloader.at(port, sleep=sleep)
    progress("connect", 1.0)
    if keep is not None:
        keep(_read(chip, ROOM, "keep", progress).rstrip(b"\xff"))
    for at in range(0, len(firmware), PAGE):
        page = firmware[at : at + PAGE].ljust(PAGE, b"\xff")
        chip.write(at, page)
        progress("write", min(1.0, (at + PAGE) / len(firmware)))
    if _read(chip, len(firmware), "verify", progress) != firmware:
        raise FlashFailed("not_verified")
    chip.leave()
    return str(chip.chip)


def _read(chip: Bootloader, length: int, stage: Stage, progress: Progress) -> bytes:
    flash = bytearray()
    for at in range(0, length, PAGE):
        flash += chip.read(at, min(PAGE, length - at))
        progress(stage, len(flash) / length)
    return bytes(flash)
