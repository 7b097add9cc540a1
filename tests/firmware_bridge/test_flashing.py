"""Firmware is written through the bootloaders people have, in a simulated chip: Optiboot, and the one before it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest

from companion.terminal import cli
from firmware_bridge import frames, images, stk500
from firmware_bridge.hexfile import NotHex, read_hex, write_hex
from firmware_bridge.messages import Command, read_hello
from tests.firmware_bridge.benches import OUT, ProcessBench, make
from tests.needs import needs_file, needs_program

LOADERS = Path("/usr/share/arduino/hardware/arduino/avr/bootloaders")
OPTIBOOT = "optiboot/optiboot_atmega328.hex"
OLDER = "atmega/ATmegaBOOT_168_atmega328.hex"


class LoadedNano:
    """A simulated chip with a bootloader, as the port it is behind; time passes while somebody reads or sleeps."""

    def __init__(self, loader: str) -> None:
        self.chip = ProcessBench("simavr", [str(OUT / "board_simavr"), "--firmware", str(LOADERS / loader)])
        self.timeout: float | None = 1.0
        self.garbles = 0
        self._pending = b""
        self._dtr = False
        self._baudrate = 9600

    @property
    def baudrate(self) -> int:
        return self._baudrate

    @baudrate.setter
    def baudrate(self, bauds: int) -> None:
        self._baudrate = bauds
        self.chip.obey(f"speed {bauds}")

    @property
    def dtr(self) -> bool:
        return self._dtr

    @dtr.setter
    def dtr(self, ready: bool) -> None:
        if ready and not self._dtr:
            self.chip.obey("reset external")
        self._dtr = ready

    def write(self, data: bytes) -> int:
        self.chip.hear(data)
        return len(data)

    def read(self, size: int) -> bytes:
        for _ in range(round((self.timeout or 0) * 1000)):
            if len(self._pending) >= size:
                break
            self._pending += self.chip.run(1)
        data, self._pending = self._pending[:size], self._pending[size:]
        return data

    def reset_input_buffer(self) -> None:
        self._pending = b""

    def open(self) -> None:
        """It is open."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """It stays open, to be looked at."""

    def sleep(self, seconds: float) -> None:
        self._pending += self.chip.run(round(seconds * 1000))


def needs_loaders() -> None:
    """Build the simulated chip, or skip the test visibly."""
    needs_program("avr-gcc", apt="gcc-avr avr-libc binutils-avr")
    needs_file("/usr/include/simavr/sim_avr.h", apt="libsimavr-dev")
    needs_file(str(LOADERS / OPTIBOOT), apt="arduino-core-avr")
    make("simavr")


@pytest.fixture
def nano(request: pytest.FixtureRequest) -> Iterator[LoadedNano]:
    needs_loaders()
    loaded = LoadedNano(request.param)
    yield loaded
    loaded.chip.close()


@pytest.fixture
def firmware() -> bytes:
    return read_hex(images.contents("nano").decode())


def hello(nano: LoadedNano) -> str:
    """What the firmware says of itself, once it runs."""
    nano.baudrate = 115_200
    reader = frames.Reader()
    nano.write(frames.frame(bytes([Command.HELLO, 1])))
    told = list(reader.read(nano.chip.run(20)))
    return next(read_hello(content[2:]).description for content in told if content[0] == Command.HELLO | 0x80)


@pytest.mark.parametrize("nano", [OPTIBOOT, OLDER], indirect=True, ids=["optiboot", "older"])
def test_the_firmware_is_written_kept_verified_and_starts(nano: LoadedNano, firmware: bytes) -> None:
    stages: list[str] = []
    shares: list[float] = []

    def progress(stage: str, share: float) -> None:
        if not stages or stages[-1] != stage:
            stages.append(stage)
            shares.clear()
        assert not shares or shares[-1] <= share <= 1.0
        shares.append(share)

    kept: list[bytes] = []
    chip = stk500.flash(nano, firmware, progress=progress, keep=kept.append, sleep=nano.sleep)
    assert chip.startswith("ATmega328")
    assert stages == ["connect", "keep", "write", "verify"]
    assert shares[-1] == 1.0
    assert kept == [b""], "there was nothing before"
    nano.sleep(2.5)
    assert hello(nano) == "Nano ATmega328P 16 MHz"


@pytest.mark.parametrize("nano", [OPTIBOOT], indirect=True, ids=["optiboot"])
def test_what_was_there_before_can_be_had_back_though_the_plug_was_pulled_meanwhile(
    nano: LoadedNano, firmware: bytes
) -> None:
    before = b"\xff\xcf" * 64 + bytes(range(255)) * 8  # a program that does nothing for ever, and some data
    stk500.flash(nano, before, sleep=nano.sleep)
    kept: list[bytes] = []

    def pulled(stage: str, share: float) -> None:
        if (stage, share > 0.5) == ("write", True):
            raise OSError("the plug is out")

    with pytest.raises(OSError, match="plug"):
        stk500.flash(nano, firmware, progress=pulled, keep=kept.append, sleep=nano.sleep)
    assert kept == [before]
    stk500.flash(nano, read_hex(write_hex(kept[0])), sleep=nano.sleep)
    assert stk500.Bootloader.at(nano, sleep=nano.sleep).read(0, 128) == before[:128]


class StrawLoader:
    """A bootloader of straw, which answers as a test wishes."""

    def __init__(self, signature: str = "1e950f", *, forgets: int | None = None, deaf: int = 0) -> None:
        self.timeout: float | None = None
        self.baudrate = 0
        self.dtr = False
        self.flash = bytearray(b"\xff" * 0x8000)
        self._signature = bytes.fromhex(signature)
        self._forgets = forgets
        self._deaf = deaf
        self._at = 0
        self._said = b""

    def write(self, data: bytes) -> int:
        if self._deaf:
            self._deaf -= 1
            return len(data)
        body = b""
        match data[0]:
            case stk500.LOAD_ADDRESS:
                self._at = 2 * int.from_bytes(data[1:3], "little")
            case stk500.WRITE_PAGE:
                self.flash[self._at : self._at + 128] = data[4:-1]
                if self._forgets is not None:
                    self.flash[self._forgets] = 0xFF
            case stk500.READ_PAGE:
                body = bytes(self.flash[self._at : self._at + int.from_bytes(data[1:3], "big")])
            case stk500.READ_SIGNATURE:
                body = self._signature
        self._said += bytes([stk500.IN_SYNC]) + body + bytes([stk500.OK])
        return len(data)

    def read(self, size: int) -> bytes:
        said, self._said = self._said[:size], self._said[size:]
        return said

    def reset_input_buffer(self) -> None:
        self._said = b""


@pytest.mark.parametrize(
    ("loader", "firmware", "why"),
    [
        (StrawLoader(forgets=300), b"\x0c" * 700, "not_verified"),
        (StrawLoader("1e9801"), b"\x0c", "other_chip"),
        (StrawLoader(deaf=10_000), b"\x0c", "no_answer"),
        (StrawLoader(), b"\x0c" * (stk500.ROOM + 1), "too_large"),
    ],
)
def test_what_cannot_be_written_is_told_by_a_code(loader: StrawLoader, firmware: bytes, why: str) -> None:
    with pytest.raises(stk500.FlashFailed) as failed:
        stk500.flash(loader, firmware, sleep=lambda seconds: None)
    assert failed.value.why == why


def test_a_bootloader_that_wakes_late_is_found() -> None:
    loader = StrawLoader(deaf=2 * stk500.SYNC_TRIES + 3)
    stk500.flash(loader, b"\x0c" * 200, sleep=lambda seconds: None)
    assert loader.flash[:201] == b"\x0c" * 200 + b"\xff"


def test_a_hex_file_is_read_as_it_was_written() -> None:
    flash = bytes(range(200)) + b"\xff" * 64 + b"end"
    assert read_hex(write_hex(flash)) == flash
    assert read_hex(write_hex(b"")) == b""
    assert len(write_hex(flash).splitlines()) == 15, "what is blank is left out"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        (":0400000001020304F2\n", 2),
        (":0400000001020304F3\n:00000001FF\n", 1),
        (":040000000102030\n", 1),
        ("hello\n", 1),
        (":020000040001F9\n:00000001FF\n", 1),
    ],
)
def test_a_file_that_is_no_firmware_is_refused_with_its_line(text: str, line: int) -> None:
    with pytest.raises(NotHex) as wrong:
        read_hex(text)
    assert wrong.value.line == line


@pytest.mark.parametrize("nano", [OPTIBOOT], indirect=True, ids=["optiboot"])
def test_the_command_writes_what_is_shipped(
    nano: LoadedNano, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("hardware.flash.serial.serial_for_url", lambda port, **how: nano)
    assert cli.main(["flash", "--data", str(tmp_path), "--port", "/dev/ttyUSB0"]) == 0
    assert f"firmware {images.image('nano').version} is on it" in capsys.readouterr().out
    nano.sleep(2.5)
    assert hello(nano) == "Nano ATmega328P 16 MHz"
