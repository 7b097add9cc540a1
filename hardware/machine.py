"""What the computer says of itself: heat, power, clock, and the card everything is kept on. Read from Linux's files."""

import fcntl
import os
import re
import shutil
import struct
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal

from msgspec import Struct

Clock = Literal["right", "kept", "unsure"]
Strain = Literal["weak_power", "slowed", "throttled", "hot"]

STRAINS: dict[int, Strain] = {0: "weak_power", 1: "slowed", 2: "throttled", 3: "hot"}
"""The firmware's bits for now; sixteen higher they say that it has been so since the start."""
WORN = 9
"""Of eleven steps of ten per cent each, as cards that tell their age tell it."""
LINE_INFO = 0xC100B405  # GPIO_V2_GET_LINEINFO_IOCTL
LINE = struct.Struct("=32s32sIIQ176x")
LINE_IS_USED = 1
CHIP_INFO = 0x8044B401  # GPIO_GET_CHIPINFO_IOCTL
CHIP = struct.Struct("=32s32sI")
HEADER_LABELS = ("pinctrl-bcm", "pinctrl-rp1")
"""How the chips that have the pins of a Raspberry Pi's header call themselves; their numbers change with the kernel."""


class StorageCard(Struct, frozen=True):
    """Where the tables lie: bytes free and in all, and what ails it."""

    free: int
    size: int
    read_only: bool
    errors: int
    worn: int | None = None


class MachineState(Struct, frozen=True):
    """A computer at one moment; what it does not tell is ``None`` or nothing.

    :ivar strains: what strains it now
    :ivar strained: what has strained it since it was started
    :ivar clock: right by the network, kept by a clock with a battery, or unsure
    """

    model: str | None
    temperature_c: float | None
    strains: tuple[Strain, ...]
    strained: tuple[Strain, ...]
    clock: Clock
    card: StorageCard


def look_at_machine(data: Path, root: Path = Path("/")) -> MachineState:
    """
    What this computer says of itself.

    :param data: a folder on the card in question
    :param root: where Linux's files lie
    """
    bits = _number(root / "sys/devices/platform/soc/soc:firmware/get_throttled", 16) or 0
    heat = _number(root / "sys/class/thermal/thermal_zone0/temp")
    return MachineState(
        model=(_text(root / "proc/device-tree/model") or "").strip("\0") or None,
        temperature_c=None if heat is None else round(heat / 1000, 1),
        strains=_strains(bits) or _by_voltage(root),
        strained=_strains(bits >> 16),
        clock=_clock(root),
        card=_card(data, root),
    )


def header_chip(chips: Iterable[str], ask: Callable[[int, int, bytes], bytes] = fcntl.ioctl) -> str | None:
    """Of these chips the one that has the pins of the header: a Pi 5 has several, and not always in the same order."""
    for chip in sorted(chips):
        try:
            descriptor = os.open(chip, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            continue
        try:
            _, label, _ = CHIP.unpack(ask(descriptor, CHIP_INFO, bytes(CHIP.size)))
        except OSError:
            continue
        finally:
            os.close(descriptor)
        if label.rstrip(b"\0").decode(errors="replace").startswith(HEADER_LABELS):
            return chip
    return None


def pins_in_use(
    chip: str, pins: tuple[int, ...], ask: Callable[[int, int, bytes], bytes] = fcntl.ioctl
) -> dict[int, str]:
    """Of these pins of a chip those that some program has, and how it calls itself."""
    found = {}
    try:
        descriptor = os.open(chip, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return {}
    try:
        for pin in pins:
            _, consumer, _, _, flags = LINE.unpack(ask(descriptor, LINE_INFO, LINE.pack(b"", b"", pin, 0, 0)))
            if flags & LINE_IS_USED:
                found[pin] = consumer.rstrip(b"\0").decode(errors="replace") or "?"
    except OSError:  # an older kernel, or no such pin
        return found
    finally:
        os.close(descriptor)
    return found


def _strains(bits: int) -> tuple[Strain, ...]:
    return tuple(name for bit, name in STRAINS.items() if bits >> bit & 1)


def _by_voltage(root: Path) -> tuple[Strain, ...]:
    """Where the firmware's bits are not told, a sensor may be."""
    for sensor in root.glob("sys/class/hwmon/hwmon*"):
        if (_text(sensor / "name") or "").strip() == "rpi_volt" and _number(sensor / "in0_lcrit_alarm"):
            return ("weak_power",)
    return ()


def _clock(root: Path) -> Clock:
    """Whether somebody has set it since the start: the network, or a clock with a battery."""
    if (root / "run/systemd/timesync/synchronized").exists() or (root / "run/chrony/chronyd.sock").exists():
        return "right"
    return "kept" if (root / "sys/class/rtc/rtc0").exists() else "unsure"


def _card(data: Path, root: Path) -> StorageCard:
    place = next((parent for parent in (data, *data.parents) if os.path.exists(parent)), Path("/"))
    room = shutil.disk_usage(place)
    ages = [_age(file) for file in root.glob("sys/block/mmcblk*/device/life_time")]
    return StorageCard(
        free=room.free,
        size=room.total,
        read_only=bool(os.statvfs(place).f_flag & os.ST_RDONLY),
        errors=sum(_number(file) or 0 for file in root.glob("sys/fs/ext4/*/errors_count")),
        worn=max((age for age in ages if age is not None), default=None),
    )


def _age(file: Path) -> int | None:
    """The older of the two ages a card tells, in steps of ten per cent."""
    told = re.findall(r"0x([0-9a-f]+)", _text(file) or "")
    return max((int(each, 16) for each in told), default=None)


def _number(file: Path, base: int = 10) -> int | None:
    try:
        return int((_text(file) or "").strip(), base)
    except ValueError:
        return None


def _text(file: Path) -> str | None:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
