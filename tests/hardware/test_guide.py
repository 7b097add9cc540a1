"""The wiring guide, its drawings, the unit file and the udev rule say what the code does."""

import re
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from hardware.bench import CHECKS
from hardware.pins import why_on_at_boot
from hardware.rig import read_rig
from hardware.rig_file import LIGHTS_LINE, LightsPart, RigFile, parse_rig
from tests.needs import needs_program

ROOT = Path(__file__).parents[2]
HARDWARE = ROOT / "hardware"
GUIDE = (HARDWARE / "README.md").read_text(encoding="utf-8")
PINS_H = (ROOT / "firmware_bridge" / "firmware" / "pins.h").read_text(encoding="utf-8")
PICO_PIN = re.compile(r'PIN\((\w+), (\d+), (\d+), "([^"]+)"\)')
HEADER = {17: 11, 27: 13, 22: 15, 23: 16, 24: 18, 5: 29, 6: 31, 12: 32, 13: 33, 19: 35, 16: 36, 26: 37, 20: 38, 21: 40}


def firmware_pins() -> dict[str, tuple[str, str]]:
    """What the firmware is compiled from: the label and the purpose of each pin by its name."""
    found = re.findall(r'(?:PIN|ANALOG)\((\w+), (?:[A-D], )?\d+, "(\w+)", "([^"]+)"\)', PINS_H)
    return {name: (label, purpose) for name, label, purpose in found}


def rows(heading: str, upto: str = "\n### ", since: str = "") -> list[list[str]]:
    section = GUIDE.split(f"\n## {heading}\n")[1].split("\n## ")[0].split(upto)[0]
    section = section[section.index(since) :]
    lines = [line.strip().strip("|").split("|") for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line] for line in lines[1:]]


def drawn(name: str) -> list[str]:
    tree = ET.parse(HARDWARE / "drawings" / f"{name}.svg")
    return ["".join(text.itertext()) for text in tree.iter("{http://www.w3.org/2000/svg}text")]


def test_the_pin_table_is_the_firmwares() -> None:
    assert {name: (pin, purpose) for pin, name, purpose in rows("The Nano")} == firmware_pins()


def test_the_drawing_of_the_nano_uses_the_firmwares_pins() -> None:
    assert {firmware_pins()[name][0] for name in ("PUMP", "VALVE", "VACUUM")} <= set(drawn("nano"))


def test_the_drawing_of_the_panel_agrees_with_firmware_and_presets() -> None:
    pins, nano, gpio = firmware_pins(), read_rig("nano").rig.panel, read_rig("gpio").rig.panel
    text = drawn("panel")
    for name, line in nano.buttons.items():
        place = text.index(name)
        assert text[place + 1] == f"button {line}"
        at = text.index(pins[f"BUTTON_{line}"][0])
        assert text[at + 1] == f"(GPIO {gpio.buttons[name]})"
    for seat in (0, 1):
        at = text.index(pins[f"LAMP_{nano.lamps[seat]}"][0])
        assert text[at + 1] == f"(GPIO {gpio.lamps[seat]})"
    assert text[text.index(pins[f"LAMP_{nano.turn}"][0]) + 1] == f"(GPIO {gpio.turn})"
    assert text[text.index(pins["BUZZER"][0]) + 1] == f"(GPIO {gpio.buzzer})"


def used(rig: RigFile) -> dict[int, str]:
    assert rig.gpio is not None
    panel = rig.panel
    pins = {rig.gpio.pump: "pump", rig.gpio.valve: "vent valve"}
    pins |= {pin: f"button {name}" for name, pin in panel.buttons.items()}
    pins |= {pin: f"lamp of seat {seat}" for seat, pin in enumerate(panel.lamps, start=1)}
    assert panel.turn is not None
    assert panel.buzzer is not None
    return pins | {panel.turn: "turn light", panel.buzzer: "active buzzer"}


def test_the_table_of_the_pi_is_the_preset() -> None:
    table = {
        int(gpio): (int(header), purpose.split(",")[0])
        for gpio, header, purpose in rows("A Pi's own pins", since="| GPIO | Header |")
    }
    assert table == {pin: (HEADER[pin], purpose) for pin, purpose in used(read_rig("gpio").rig).items()}


def test_the_drawing_of_the_pi_agrees_with_the_preset() -> None:
    gpio = read_rig("gpio").rig.gpio
    assert gpio is not None
    text = drawn("pi")
    for pin in (gpio.pump, gpio.valve, 24):
        assert f"GPIO {pin} · pin {HEADER[pin]}" in text


def test_no_output_of_the_preset_is_on_while_a_pi_starts() -> None:
    rig = read_rig("gpio").rig
    assert rig.gpio is not None
    for pin in (rig.gpio.pump, rig.gpio.valve, *rig.panel.lamps, rig.panel.turn, rig.panel.buzzer):
        assert pin is not None
        assert why_on_at_boot(pin, active_high=True) is None


def test_the_table_of_what_a_pi_does_while_it_starts_is_what_is_refused() -> None:
    may = {"never": (False, False), "yes, with `active_high = true`": (True, False)}
    may["only with `active_high = false`"] = (False, True)
    table: dict[int, tuple[bool, bool]] = {}
    for named, _, verdict in [
        row for row in rows("A Pi's own pins", since="| GPIO | While", upto="\n| GPIO | Header |") if len(row) == 3
    ]:
        for span in re.sub(r" to ", "-", named).split(", "):
            first, _, last = span.partition("-")
            table |= dict.fromkeys(range(int(first), int(last or first) + 1), may[verdict])
    refused = {
        pin: (why_on_at_boot(pin, active_high=True), why_on_at_boot(pin, active_high=False)) for pin in range(28)
    }
    assert {pin: (high is None, low is None) for pin, (high, low) in refused.items()} == table


def test_the_example_of_a_rig_file_is_right() -> None:
    example = re.search(r"```toml\n(kind.*?)```", GUIDE, flags=re.DOTALL)
    assert example is not None
    rig = parse_rig(example[1], "rig.toml")
    assert rig.shovel == RigFile(kind="sim").shovel


@pytest.mark.parametrize("name", ["air", "handle", "lights", "nano", "panel", "pi", "pico"])
def test_a_drawing_is_shown_and_says_in_words_what_it_shows(name: str) -> None:
    assert f"(drawings/{name}.svg)" in GUIDE
    tree = ET.parse(HARDWARE / "drawings" / f"{name}.svg")
    for tag in ("title", "desc"):
        words = tree.find(f"{{http://www.w3.org/2000/svg}}{tag}")
        assert words is not None
        assert words.text


def test_links_of_the_guide_lead_somewhere() -> None:
    headings = {re.sub(r"[^\w -]", "", each).replace(" ", "-").lower() for each in re.findall(r"(?m)^#+ (.+)$", GUIDE)}
    for link in re.findall(r"\]\(([^)]+)\)", GUIDE):
        file, _, heading = link.partition("#")
        assert link.startswith("https://") or (HARDWARE / file).exists(), link
        assert file or heading in headings, link


def test_the_unit_file_keeps_its_promises(tmp_path: Path) -> None:
    unit = (HARDWARE / "systemd" / "digside.service").read_text()
    for promise in (
        "Type=notify",
        "WatchdogSec=10",
        "ExecStopPost=-/opt/digside/venv/bin/python -P -m hardware.pins",
    ):
        assert promise in unit
    assert "SupplementaryGroups" not in unit, "a group that is missing would keep the service from starting"
    assert "--rig" not in unit, "a service takes the rig that was chosen"
    analyze = needs_program("systemd-analyze", apt="systemd")
    units = [
        *HARDWARE.glob("systemd/digside*"),
        *HARDWARE.glob("image/files/*.service"),
        *HARDWARE.glob("image/files/*.mount"),
    ]
    assert len(units) == 8
    for each in units:
        (tmp_path / each.name).write_text(re.sub(r"(?m)^(Exec\w+=[-+]*)\S+", r"\1/bin/true", each.read_text()))
    files = [str(tmp_path / each.name) for each in units]
    checked = subprocess.run([analyze, "verify", *files], capture_output=True, text=True, check=False)
    assert not [each.name for each in units if each.name in checked.stderr], checked.stderr
    exposed = subprocess.run(
        [analyze, "security", "--offline=true", "--threshold=20", str(tmp_path / "digside.service")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert exposed.returncode == 0, exposed.stdout.splitlines()[-1]


def test_the_udev_rules_name_no_board_until_somebody_has_chosen_which(tmp_path: Path) -> None:
    rule = (HARDWARE / "systemd" / "99-digside.rules").read_text()
    serial = read_rig("nano").rig.serial
    assert serial is not None
    assert serial.port == "/dev/digside-board"
    assert not [line for line in rule.splitlines() if not line.startswith("#")]
    offered = [line for line in rule.splitlines() if line.startswith("#SUBSYSTEM")]
    assert len(offered) == 4
    for line in offered:
        assert 'SUBSYSTEM=="tty"' in line
        assert 'SYMLINK+="digside-board"' in line
        assert "idProduct" in line, "the maker's number alone would take boards that do not run the firmware"
    if shutil.which("udevadm"):
        file = tmp_path / "99-digside.rules"
        file.write_text(re.sub("(?m)^#(SUBSYSTEM)", r"\1", rule))
        verify = ["udevadm", "verify", str(file)]
        checked = subprocess.run(verify, capture_output=True, text=True, check=False)
        assert checked.returncode == 0 or "verify" in checked.stderr


def test_the_guide_names_each_check_of_the_bench_in_its_order() -> None:
    assert tuple(row[0].strip("`") for row in rows("On the bench, once")) == CHECKS


def test_the_picos_table_and_drawing_are_its_firmwares() -> None:
    pins_h = (ROOT / "firmware_bridge" / "firmware" / "pico" / "pins.h").read_text(encoding="utf-8")
    pins = {name: (gpio, place, does) for name, gpio, place, does in re.findall(PICO_PIN, pins_h)}
    assert {name: (gpio, place, does) for gpio, place, name, does in rows("The Pico")} == pins
    assert {f"GPIO {pins[name][0]} · pin {pins[name][1]}" for name in ("PUMP", "VALVE", "VACUUM")} <= set(drawn("pico"))


def test_the_lights_are_wired_to_the_line_of_lamp_7_or_to_a_pis_spi() -> None:
    assert LIGHTS_LINE == 7
    assert {firmware_pins()["LAMP_7"][0], "GPIO 19", "GPIO 10"} <= set(drawn("lights"))


@pytest.mark.parametrize("block", re.findall(r"```toml\n(\[lights\].*?)```", GUIDE, flags=re.DOTALL))
def test_the_example_of_lights_is_right(block: str) -> None:
    assert parse_rig(f'kind = "sim"\n{block}', "rig.toml").lights == LightsPart()
