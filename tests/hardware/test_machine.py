"""What the computer says of itself, from files as a Raspberry Pi has them."""

from pathlib import Path

import pytest

from hardware.machine import CHIP, LINE, header_chip, look_at_machine, pins_in_use

THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"


def told(root: Path, **files: str) -> Path:
    """A root with these files; ``__`` is a slash."""
    for name, content in files.items():
        put(root, name.replace("__", "/"), content)
    return root


def put(root: Path, name: str, content: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(content)


def test_a_laptop_tells_little(tmp_path: Path) -> None:
    machine = look_at_machine(tmp_path / "not" / "yet", tmp_path)
    assert (machine.model, machine.temperature_c, machine.strains, machine.clock) == (None, None, (), "unsure")
    assert machine.card.size > machine.card.free > 0
    assert (machine.card.read_only, machine.card.errors, machine.card.worn) == (False, 0, None)


def test_a_pi_tells_heat_power_clock_and_the_age_of_its_card(tmp_path: Path) -> None:
    put(tmp_path, THROTTLED, "50005\n")
    root = told(
        tmp_path,
        proc__device_tree__model="",
        sys__class__thermal__thermal_zone0__temp="61322\n",
        sys__class__rtc__rtc0__name="rtc",
        sys__block__mmcblk0__device__life_time="0x02 0x0a\n",
        sys__fs__ext4__mmcblk0p2__errors_count="3\n",
    )
    put(root, "proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
    machine = look_at_machine(tmp_path, root)
    assert machine.model == "Raspberry Pi 5 Model B Rev 1.0"
    assert machine.temperature_c == 61.3
    assert machine.strains == machine.strained == ("weak_power", "throttled")
    assert machine.clock == "kept"
    assert (machine.card.errors, machine.card.worn) == (3, 10)
    put(root, "run/systemd/timesync/synchronized", "")
    assert look_at_machine(tmp_path, root).clock == "right"


def test_weak_power_is_known_by_its_sensor_too(tmp_path: Path) -> None:
    put(tmp_path, "sys/class/hwmon/hwmon1/name", "rpi_volt\n")
    put(tmp_path, "sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n")
    assert look_at_machine(tmp_path, tmp_path).strains == ("weak_power",)


@pytest.mark.parametrize(("flags", "found"), [(1, {17: "lg"}), (0, {})])
def test_pins_that_another_program_has_are_known(tmp_path: Path, flags: int, found: dict[int, str]) -> None:
    chip = tmp_path / "gpiochip0"
    chip.touch()

    def ask(descriptor: int, question: int, line: bytes) -> bytes:
        return LINE.pack(b"GPIO17", b"lg", LINE.unpack(line)[2], 0, flags)

    assert LINE.size == 256
    assert pins_in_use(str(chip), (17,), ask) == found
    assert pins_in_use(str(tmp_path / "none"), (17,), ask) == {}


@pytest.mark.parametrize(
    ("labels", "found"),
    [
        (["pinctrl-bcm2711", "raspberrypi-exp-gpio"], 0),
        (["gpio-brcmstb@107d508500", "gpio-brcmstb@107d508520", "pinctrl-rp1"], 2),
        (["pinctrl-rp1", "gpio-brcmstb@107d508500"], 0),
        (["ftdi-cbus", "mcp23017"], None),
    ],
)
def test_the_chip_of_the_header_is_known_by_its_name_and_not_by_its_number(
    tmp_path: Path, labels: list[str], found: int | None
) -> None:
    for number in range(len(labels)):
        (tmp_path / f"gpiochip{number}").touch()
    gone = str(tmp_path / "gpiochip")

    def ask(descriptor: int, question: int, info: bytes) -> bytes:
        chip = Path(f"/proc/self/fd/{descriptor}").resolve().name
        return CHIP.pack(chip.encode(), labels[int(chip.removeprefix("gpiochip"))].encode(), 54)

    assert CHIP.size == 68
    chips = [gone, *map(str, tmp_path.iterdir())]
    assert header_chip(chips, ask) == (None if found is None else str(tmp_path / f"gpiochip{found}"))


def test_a_chip_that_does_not_say_what_it_is_is_not_taken(tmp_path: Path) -> None:
    (tmp_path / "gpiochip0").touch()
    assert header_chip([str(tmp_path / "gpiochip0")]) is None
