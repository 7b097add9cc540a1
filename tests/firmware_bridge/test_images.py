"""The firmware that is shipped is what its sources make, to the byte."""

from __future__ import annotations

import hashlib
import struct
import zlib
from pathlib import Path

import pytest

from firmware_bridge import build_images as building
from firmware_bridge import images
from firmware_bridge.hexfile import read_hex
from firmware_bridge.images import Image
from firmware_bridge.stk500 import PAGE, ROOM
from tests.needs import needs_program

PACKAGES = {"avr-gcc": "gcc-avr avr-libc binutils-avr", "arm-none-eabi-gcc": "gcc-arm-none-eabi"}
shipped = pytest.mark.parametrize("image", images.images(), ids=lambda image: image.board)


@shipped
def test_the_file_is_the_one_of_the_sum_and_of_this_version(image: Image) -> None:
    assert hashlib.sha256(images.contents(image.board)).hexdigest() == image.sha256
    assert image.version == building.version()


@shipped
def test_the_sources_make_it_to_the_byte_wherever_they_lie(image: Image, tmp_path: Path) -> None:
    program = building.MADE[image.board][1]
    needs_program(program, apt=PACKAGES[program])
    if (here := building.compiler(program)) != image.compiler:
        pytest.skip(f"built with {image.compiler}; {here} makes other bytes of the same sources")
    made, _ = building.built(image.board, out=tmp_path)
    assert made == image, "the sources have changed: make images"


def test_what_is_shipped_for_the_nano_leaves_room_for_its_bootloader() -> None:
    firmware = read_hex(images.contents("nano").decode("ascii"))
    assert PAGE < len(firmware) < ROOM


def test_what_is_shipped_for_the_pico_is_taken_by_its_drive_and_by_its_rom() -> None:
    file = images.contents("pico")
    blocks = [struct.unpack("<8I256s", file[at : at + 288]) for at in range(0, len(file), 512)]
    assert len(file) == 512 * len(blocks)
    for number, (begins, goes_on, flags, address, size, place, count, family, _) in enumerate(blocks):
        assert (begins, goes_on, flags, family) == (0x0A324655, 0x9E5D5157, 0x2000, 0xE48BFF56)
        assert (address, size, place, count) == (0x10000000 + 256 * number, 256, number, len(blocks))
    assert file[508::512] == b"\x30" * len(blocks)
    second_stage = blocks[0][-1]
    assert crc(second_stage[:252]) == int.from_bytes(second_stage[252:], "little"), "the ROM would not start it"


def crc(data: bytes) -> int:
    """CRC-32 with the high bit first, reckoned in another way than where it is made."""
    mirrored = zlib.crc32(bytes(int(f"{byte:08b}"[::-1], 2) for byte in data)) ^ 0xFFFFFFFF
    return int(f"{mirrored:032b}"[::-1], 2)
