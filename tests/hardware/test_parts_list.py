"""List of parts, drawings and simulated pump are of one and the same shovel, which a maker can buy and wire."""

import math
import re

import pytest

from firmware_bridge.messages import LIGHTS_MOST_MA
from firmware_bridge.sim import SENSOR_PER_KPA, SENSOR_ZERO
from firmware_bridge.twin import plant
from hardware.rig import read_rig
from hardware.sensors import SENSORS
from tests.hardware.test_guide import GUIDE, ROOT, drawn, rows

PLANT_C = (ROOT / "firmware_bridge" / "firmware" / "host" / "plant.c").read_text(encoding="utf-8")
LIST = rows("Parts", upto="\n## ")
RIGS = {"pi": 3, "nano": 4, "pico": 5}
"""The column of each rig, whose drawing has its name."""
LISTS = {"Buttons and light": 2, "The shovel by GPIO": 3, "The shovel by Nano": 4, "The shovel by Pico": 5}


def wanted(part: str, number: str, rig: str) -> int:
    """How many of a part a rig wants."""
    found = [row for row in LIST if row[0] == part and number in row[1]]
    assert len(found) == 1, (part, number)
    return int(re.sub(r"\D", "", found[0][RIGS[rig]]) or 0)


def matters(part: str) -> str:
    return next(row[6] for row in LIST if row[0] == part)


def times(drawing: str, label: str) -> int:
    """How often a drawing shows a part."""
    return sum(1 for text in drawn(drawing) if re.fullmatch(rf"{re.escape(label)}\b.*", text))


def defined(name: str) -> float:
    found = re.search(rf"#define {name} ([\d.]+)", PLANT_C)
    assert found is not None, name
    return float(found[1])


def figure(pattern: str, part: str) -> list[float]:
    """Figures of a part as the list has them."""
    found = re.search(pattern, matters(part))
    assert found is not None, (part, pattern)
    return [float(each) for each in found.groups()]


@pytest.mark.parametrize("rig", RIGS)
@pytest.mark.parametrize(
    ("part", "number"),
    [
        ("Pump", "ZR370-02PM"),
        ("Vent valve", "FA0520E"),
        ("MOSFET", "IRLZ44N"),
        ("Gate driver", "TC4427A"),
        ("Diode", "1N5819"),
        ("Vacuum sensor", "MPX5100DP"),
        ("Supply", "GST18E05-P1J"),
        ("Fuse", "T 2 A"),
        ("Capacitor", "470 µF"),
        ("Capacitor", "1 µF"),
        ("Capacitor", "10 nF"),
        ("Capacitor", "100 nF"),
        ("Resistor", "220 Ω"),
        ("Resistor", "1 kΩ"),
        ("Resistor", "20 kΩ"),
        ("Resistor", "100 kΩ"),
    ],
)
def test_a_drawing_shows_as_many_as_the_list_counts(rig: str, part: str, number: str) -> None:
    assert times(rig, number) == wanted(part, number, rig)


def test_the_resistors_that_hold_pins_where_they_belong_are_all_counted() -> None:
    assert times("nano", "10 kΩ") + times("panel", "10 kΩ") == wanted("Resistor", "10 kΩ", "nano")
    assert times("pi", "10 kΩ") == wanted("Resistor", "10 kΩ", "pi")
    assert times("pico", "10 kΩ") == wanted("Resistor", "10 kΩ", "pico")


@pytest.mark.parametrize("heading", LISTS)
def test_each_shopping_list_is_its_column_of_the_parts(heading: str) -> None:
    column = LISTS[heading]
    listed = re.findall(r"(?m)^- (.+)$", GUIDE.split(f"\n### {heading}\n")[1].split("\n#")[0])
    many = {row[column]: row[column] if "m" in row[column] else f"{row[column]} ×" for row in LIST}
    assert listed == [" ".join(filter(None, (many[row[column]], row[0], row[1]))) for row in LIST if row[column]]


def test_the_pixels_are_drawn_as_they_are_listed_and_fit_the_budget() -> None:
    for rig in RIGS:
        for part, number in (("Resistor", "330 Ω"), ("Capacitor", "1000 µF"), ("Fuse", "T 1 A")):
            assert wanted(part, number, rig) == times("lights", number) == 1
    for rig in ("pi", "pico"):
        assert times("lights", "74AHCT125") == wanted("Level shifter", "74AHCT125", rig) == 1
    budget = {row[0].split(",")[0]: int(row[1]) for row in rows("The time track of light", since="| Power budget")}
    *each, total = budget.values()
    assert budget["all pixels"] == LIGHTS_MOST_MA
    assert sum(each) == total < 1000 * figure(r"([\d.]+) A,", "Supply")[0]
    assert LIGHTS_MOST_MA < 1000


@pytest.mark.parametrize(("rig", "preset"), [("nano", "nano"), ("pico", "pico"), ("pi", "gpio")])
def test_buttons_lamps_and_buzzer_are_as_many_as_the_preset_has(rig: str, preset: str) -> None:
    panel = read_rig(preset).rig.panel
    lamps = len(panel.lamps) + (panel.turn is not None)
    assert wanted("Lamp", "LED", rig) == lamps == wanted("Resistor", "470 Ω", rig)
    assert wanted("Button", "", rig) == len(panel.buttons)
    assert (
        wanted("Buzzer", "active" if rig == "pi" else "PKM13", rig)
        == wanted("Resistor", "100 Ω", rig)
        == times("panel", "100 Ω")
        == 1
    )
    assert times("panel", "470 Ω") == 3  # seats 1 and 2, and the turn light, stand for all


def test_what_is_listed_is_drawn_in_air_and_handle_too() -> None:
    for number in ("ZR370-02PM", "FA0520E", "MPX5100DP", "ZPT20BS-B5"):
        assert times("air", number) == 1
    for number in ("ZPT20BS-B5", "M-5AN-6", "4 × 6 mm", "0.4 mm"):
        assert times("handle", number) == 1
    assert "ZPT20BS-B5" in [row[1] for row in LIST]


def test_every_semiconductor_can_be_soldered_by_hand() -> None:
    for part, package in (("MOSFET", "TO-220"), ("Gate driver", "DIP-8")):
        assert package in matters(part)


def test_the_simulated_pump_draws_what_the_listed_one_does() -> None:
    least, most, _ = figure(r"([\d.]+) to ([\d.]+) L/min in the open and ([\d.]+) A", "Pump")
    for flow in (defined("PUMP_ML_S"), plant.PUMP_ML_S):
        assert least <= flow * 60 / 1000 <= most


def test_the_simulated_hose_is_as_long_and_as_wide_as_the_listed_one() -> None:
    (bore,) = figure(r"([\d.]+) mm bore", "Hose")
    metres = wanted("Hose", "4 × 6 mm", "nano")
    assert math.pi * (bore / 20) ** 2 * metres * 100 == pytest.approx(defined("HOSE_ML"), abs=1)


def test_the_bleed_hole_is_the_simulated_cards() -> None:
    (listed,) = figure(r"bleed hole of ([\d.]+) mm", "Suction cup")
    simulated = re.search(r"bleed hole of ([\d.]+) mm", PLANT_C)
    assert simulated is not None
    assert listed == float(simulated[1])


def test_the_simulated_sensor_is_the_listed_one() -> None:
    sensor = SENSORS[next(row[1] for row in LIST if row[0] == "Vacuum sensor").lower()]
    assert pytest.approx(SENSOR_ZERO, abs=0.1) == sensor.zero_v / sensor.reference_v * 1024
    assert pytest.approx(SENSOR_PER_KPA, abs=0.01) == sensor.v_per_kpa / sensor.reference_v * 1024


def test_supply_and_fuse_bear_pump_and_valve() -> None:
    load = figure(r"and ([\d.]+) A", "Pump")[0] + figure(r"([\d.]+) A at most", "Vent valve")[0]
    fuse = float(re.sub(r"[^\d.]", "", next(row[1] for row in LIST if row[0] == "Fuse")))
    assert 1.5 * load < fuse < figure(r"([\d.]+) A,", "Supply")[0]


def test_the_sensor_gets_its_volts_from_the_supply_and_not_from_the_nano() -> None:
    volts, percent = figure(r"([\d.]+) V ± ([\d.]+) %", "Supply")
    found = re.search(r"wants ([\d.]+) to ([\d.]+) V\*\*", GUIDE)
    assert found is not None
    least, most = map(float, found.groups())
    assert least <= volts * (1 - percent / 100)
    assert volts * (1 + percent / 100) <= most
    assert "5V" not in drawn("nano"), "its 5V pin is used for nothing there"


def test_only_boards_that_run_the_firmware_are_listed() -> None:
    makefile = (ROOT / "firmware_bridge" / "firmware" / "Makefile").read_text(encoding="utf-8")
    assert "-mmcu=atmega328p" in makefile
    assert wanted("Board", "ATmega328P", "nano") == 1
