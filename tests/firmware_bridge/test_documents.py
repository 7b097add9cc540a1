"""What is written down is what is built: PROTOCOL.md, the C headers, the Python messages and the tables of pins."""

from __future__ import annotations

import re
from enum import IntEnum, IntFlag
from pathlib import Path

import pytest

from firmware_bridge import messages, sim
from firmware_bridge.messages import BoardFault, BoardNotice, Command, Feature, RefusalCode, Reset
from firmware_bridge.twin import core, plant, suction
from tests.firmware_bridge.benches import FIRMWARE

PROTOCOL = (FIRMWARE.parent / "PROTOCOL.md").read_text()
PROTOCOL_H = (FIRMWARE / "core" / "protocol.h").read_text()
PIN = re.compile(r'(?:PIN\((\w+), \w, \d|ANALOG\((\w+), \d), "(\w+)", "([^"]+)"\)')


def defined(text: str, name: str) -> float:
    found = re.search(rf"(?:#define )?\b{name}(?: =)? (0x[0-9A-F]+|[\d.]+)u?\b", text)
    assert found, name
    return float(int(found[1], 16) if found[1].startswith("0x") else float(found[1]))


def rows(text: str) -> list[list[str]]:
    """Return the cells of every table row."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("|")]


@pytest.mark.parametrize(
    ("prefix", "numbers"),
    [("SAY_", Command), ("REFUSED_", RefusalCode), ("FAULT_", BoardFault), ("RESET_", Reset)],
    ids=["requests", "refusals", "faults", "resets"],
)
def test_both_ends_use_the_same_numbers(prefix: str, numbers: type[IntEnum]) -> None:
    for member in numbers:
        assert defined(PROTOCOL_H, prefix + member.name) == member.value


def test_both_ends_tell_the_same() -> None:
    for tell in BoardNotice:
        name = tell.name if tell is BoardNotice.REFUSAL else f"EVENT_{tell.name}"
        assert defined(PROTOCOL_H, name) == tell.value
    for can in Feature:
        assert defined(PROTOCOL_H, ("IS_" if can is Feature.SIMULATED else "CAN_") + str(can.name)) == can.value


@pytest.mark.parametrize("numbers", [Command, BoardNotice], ids=["requests", "events"])
def test_the_document_names_every_message(numbers: type[IntEnum]) -> None:
    written = {(cells[0], cells[1]) for cells in rows(PROTOCOL) if len(cells) > 1}
    for member in numbers:
        assert (f"0x{member.value:02X}", member.name) in written


@pytest.mark.parametrize(
    "numbers", [RefusalCode, BoardFault, Reset, Feature], ids=["refusals", "faults", "resets", "abilities"]
)
def test_the_document_names_every_code(numbers: type[IntEnum] | type[IntFlag]) -> None:
    written = {(cells[0], cells[1]) for cells in rows(PROTOCOL) if len(cells) > 1}
    for member in numbers:
        assert (str(member.name), str(int(member))) in written


@pytest.mark.parametrize(
    ("limit", "name"),
    [
        ("lease", "LEASE_MS"),
        ("pump in one go", "ON_TIME_MS"),
        ("budget", "BUDGET_MS"),
        ("budget that a start needs", "BUDGET_START_MS"),
        ("session", "SESSION_MS"),
        ("watchdog", "WATCHDOG_MS"),
    ],
)
def test_the_document_gives_the_limits_that_are_built(limit: str, name: str) -> None:
    written = {cells[0]: cells[1] for cells in rows(PROTOCOL) if len(cells) > 1}
    assert written[limit] == f"{defined(PROTOCOL_H, name):.0f} ms"


def test_the_twin_has_the_limits_of_the_core() -> None:
    for module in (messages, suction, core):
        for name in re.findall(r"#define (\w+_MS|PUMP_SLEW_PER_MS|VACUUM_SLACK|PROTOCOL_VERSION) ", PROTOCOL_H):
            if hasattr(module, name):
                assert getattr(module, name) == defined(PROTOCOL_H, name), name


def test_the_twin_has_the_plant_of_the_core() -> None:
    c = (FIRMWARE / "host" / "plant.c").read_text()
    for name in re.findall(r"#define (\w+) [\d.]+", c):
        module = sim if name.startswith("SENSOR") else plant
        assert getattr(module, name) == defined(c, name), name


def pins() -> list[tuple[str, str, str]]:
    return [
        (label, name or analog, does) for name, analog, label, does in PIN.findall((FIRMWARE / "pins.h").read_text())
    ]


def test_no_pin_is_used_twice_and_none_is_forgotten() -> None:
    labels = [label for label, _, _ in pins()]
    assert len(labels) == len(set(labels)) == 22
    assert {name for _, name, _ in pins()} >= {f"BUTTON_{i}" for i in range(1, 9)} | {f"LAMP_{i}" for i in range(1, 9)}


def test_the_labels_are_those_of_the_nano() -> None:
    """Which pin of the chip each label of a Nano is."""
    of_port = {"D": [f"D{i}" for i in range(8)], "B": [f"D{i}" for i in range(8, 14)], "C": [f"A{i}" for i in range(6)]}
    header = (FIRMWARE / "pins.h").read_text()
    for _, port, bit, label in re.findall(r'\bPIN\((\w+), (\w), (\d), "(\w+)"', header):
        assert of_port[port][int(bit)] == label
    for _, channel, label in re.findall(r'\bANALOG\((\w+), (\d), "(\w+)"', header):
        assert label == f"A{channel}"


@pytest.mark.parametrize("guide", [FIRMWARE / "README.md"], ids=["firmware"])
def test_the_table_of_pins_is_the_header(guide: Path) -> None:
    table = [tuple(cells) for cells in rows(guide.read_text()) if re.fullmatch(r"[DA]\d+", cells[0])]
    assert table == pins()


PICO_PIN = re.compile(r'PIN\((\w+), (\d+), (\d+), "([^"]+)"\)')
PICO_PINS = [
    (gpio, place, name, does)
    for name, gpio, place, does in PICO_PIN.findall((FIRMWARE / "pico" / "pins.h").read_text())
]
GPIO_OF_PICO = dict(
    zip(
        (1, 2, 4, 5, 6, 7, 9, 10, 11, 12, 14, 15, 16, 17, 19, 20, 21, 22, 24, 25, 26, 27, 29, 31, 32, 34),
        (*range(23), 26, 27, 28),
        strict=True,
    )
)
"""Which GPIO is at which pin of a Pico; the others are power and ground."""


def test_each_pin_of_the_pico_is_used_once_and_is_where_it_is_said_to_be() -> None:
    gpios = [gpio for gpio, _, _, _ in PICO_PINS]
    assert len(gpios) == len(set(gpios))
    assert all(GPIO_OF_PICO[int(place)] == int(gpio) for gpio, place, _, _ in PICO_PINS)


def test_both_boards_have_the_same_lines() -> None:
    names = {name for _, name, _ in pins()} - {"RX", "TX"}
    assert {name for _, _, name, _ in PICO_PINS} == names


def test_the_table_of_the_picos_pins_is_its_header() -> None:
    table = [
        tuple(cells) for cells in rows((FIRMWARE / "README.md").read_text()) if len(cells) == 4 and cells[0].isdecimal()
    ]
    assert table == PICO_PINS
