"""Make a UF2 file of the Pico's firmware, with the check sum that the chip's ROM wants of its first 256 bytes.

python3 pico/uf2.py IMAGE.bin FIRMWARE.uf2
"""

import struct
import sys
from pathlib import Path

FLASH = 0x10000000
PAGE = 256
FAMILY = 0xE48BFF56
BEGINS, GOES_ON, ENDS = 0x0A324655, 0x9E5D5157, 0x0AB16F30
HAS_FAMILY = 0x2000


def crc(data: bytes) -> int:
    """CRC-32 with the high bit first, as the ROM reckons it.

    >>> hex(crc(b"123456789"))
    '0x376e6e7'
    """
    value = 0xFFFFFFFF
    for byte in data:
        value ^= byte << 24
        for _ in range(8):
            value = (value << 1 ^ (0x04C11DB7 if value & 0x80000000 else 0)) & 0xFFFFFFFF
    return value


def summed(image: bytes) -> bytes:
    """The image with its sum in place."""
    return image[:252] + struct.pack("<I", crc(image[:252])) + image[256:]


def uf2(image: bytes) -> bytes:
    """Blocks of a page each, as the drive of a Pico takes them."""
    pages = [image[at : at + PAGE].ljust(PAGE, b"\0") for at in range(0, len(image), PAGE)]
    blocks = []
    for number, page in enumerate(pages):
        head = struct.pack("<8I", BEGINS, GOES_ON, HAS_FAMILY, FLASH + PAGE * number, PAGE, number, len(pages), FAMILY)
        blocks.append(head + page.ljust(476, b"\0") + struct.pack("<I", ENDS))
    return b"".join(blocks)


if __name__ == "__main__":
    binary, target = map(Path, sys.argv[1:])
    target.write_bytes(uf2(summed(binary.read_bytes())))
