"""Opening a rig by name, by file, or by what is found."""

import os
from pathlib import Path

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPin

from hardware import rig as opening
from hardware.cues import Lamp
from hardware.events import Pressed
from hardware.faults import ShovelRefused
from hardware.live import LiveRig
from hardware.rig import NoRig, RigProblem, default_rig, look_at_rig, open_rig


def write(folder: Path, text: str) -> Path:
    file = folder / "rig.toml"
    file.write_text(text)
    return file


def test_nothing_attached_takes_cues_and_refuses_lifts(tmp_path: Path) -> None:
    with open_rig("none", data=tmp_path) as rig:
        assert isinstance(rig, NoRig)
        rig.cue(Lamp(0, True))
        rig.listen(print)()
        assert rig.shovel("stop").shovel is None
        with pytest.raises(ShovelRefused, match="no_rig"):
            rig.shovel("grip")
        with pytest.raises(ShovelRefused, match="no_world"):
            rig.world("card")
        rig.make_safe()


def test_a_name_that_is_neither_a_preset_nor_a_file(tmp_path: Path) -> None:
    with pytest.raises(RigProblem, match="is neither one of none, sim, nano, gpio nor a readable file"):
        open_rig("steam", data=tmp_path)


def test_a_missing_board_stops_the_start_with_the_line(tmp_path: Path) -> None:
    file = write(tmp_path, f'kind = "serial"\n[serial]\nport = "{tmp_path}/usb-*"\n')
    with pytest.raises(RigProblem) as problem:
        open_rig(file, data=tmp_path)
    assert str(problem.value) == f"{file}:3: no board is connected: there is no {tmp_path}/usb-*"


def test_two_boards_stop_the_start_and_are_named(tmp_path: Path) -> None:
    file = write(tmp_path, f'kind = "serial"\n[serial]\nport = "{tmp_path}/usb-*"\n')
    for name in ("usb-a", "usb-b"):
        (tmp_path / name).touch()
    with pytest.raises(RigProblem, match=r"rig.toml:3: 2 boards match .*usb-a, .*usb-b; name one"):
        open_rig(file, data=tmp_path)


def test_a_fault_that_cannot_be_simulated_is_a_problem(tmp_path: Path) -> None:
    file = write(tmp_path, 'kind = "sim"\n[sim]\nurl = "sim://?steam=1"\n')
    with pytest.raises(RigProblem, match=r"rig.toml:3: .*steam"):
        open_rig(file, data=tmp_path)


@pytest.mark.skipif(Path("/dev/gpiochip0").exists(), reason="this machine has pins")
def test_a_machine_without_a_library_for_pins_is_told_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, recwarn: pytest.WarningsRecorder
) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.delenv("GPIOZERO_PIN_FACTORY", raising=False)
    with pytest.raises(RigProblem, match=r"gpio:5: no library .* apt install python3-lgpio"):
        open_rig("gpio", data=tmp_path)
    assert not recwarn.list


def test_a_machine_without_usable_pins_is_a_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setenv("GPIOZERO_PIN_FACTORY", "native")
    file = write(tmp_path, 'kind = "gpio"\n[gpio]\npump = 17\nvalve = 27\n')
    with pytest.raises(RigProblem, match=r"rig.toml:2: the pins cannot be used"):
        open_rig(file, data=tmp_path)


def test_a_rig_that_cannot_be_opened_whole_gives_back_what_it_took(pins: MockFactory, tmp_path: Path) -> None:
    file = write(tmp_path, 'kind = "gpio"\n[gpio]\npump = 17\nvalve = 27\n[display]\ntype = "sh1106"\nport = 9\n')
    with pytest.raises(RigProblem, match=r"rig.toml:6: the display cannot be used"):
        open_rig(file, data=tmp_path)
    assert pins.pin(17).function == "input"
    write(tmp_path, 'kind = "gpio"\n[gpio]\npump = 17\nvalve = 27\n')
    open_rig(file, data=tmp_path).close()


def test_the_pins_of_a_pi_from_preset_to_press(pins: MockFactory, tmp_path: Path) -> None:
    heard: list[object] = []
    with open_rig("gpio", data=tmp_path) as rig:
        rig.listen(heard.append)
        rig.cue(Lamp(1, True))
        stop = pins.pin(22)
        assert isinstance(stop, MockPin)
        rig.shovel("grip")
        assert pins.pin(17).state
        stop.drive_low()
        assert not pins.pin(17).state
        stopped = rig.shovel("stop")
        assert stopped.shovel is not None
        assert (stopped.shovel.state, stopped.buttons, stopped.lamps[1]) == ("off", ("stop",), True)
        assert stopped.shovel.sensor is False
    assert Pressed("stop") in heard
    assert pins.pin(26).function == "input"


def test_pins_whose_off_is_high_are_high_from_the_start(pins: MockFactory, tmp_path: Path) -> None:
    file = write(tmp_path, 'kind = "gpio"\n[gpio]\npump = 17\nvalve = 27\nactive_high = false\n')
    for number in (17, 27):
        pins.pin(number)
    with open_rig(file, data=tmp_path):
        for number in (17, 27):
            pin = pins.pin(number)
            assert isinstance(pin, MockPin)
            assert [bool(seen.state) for seen in pin.states] == [False, True]


def test_the_data_folders_own_file_comes_first(tmp_path: Path) -> None:
    write(tmp_path, 'kind = "none"')
    assert default_rig(tmp_path) == str(tmp_path / "rig.toml")
    assert isinstance(open_rig(data=tmp_path), NoRig)


@pytest.mark.parametrize(
    ("model", "expected"), [("Raspberry Pi 5 Model B Rev 1.0\0", "gpio"), ("Some laptop", "sim"), (None, "sim")]
)
def test_what_is_found_decides_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str | None, expected: str
) -> None:
    if model is not None:
        (tmp_path / "model").write_text(model)
    monkeypatch.setattr(opening, "MODEL", tmp_path / "model")
    monkeypatch.setattr("hardware.rig.glob.glob", lambda pattern: ["/dev/gpiochip0"] if "gpiochip" in pattern else [])
    assert default_rig(tmp_path) == expected


def test_boards_and_pins_are_found_and_whether_they_may_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {opening.BOARDS: ["/dev/b", "/dev/a"], opening.CHIPS: ["/dev/gpiochip0"]}
    monkeypatch.setattr("hardware.rig.glob.glob", lambda pattern: list(found[pattern]))
    monkeypatch.setattr("hardware.rig.os.access", lambda device, how: (device, how) == ("/dev/a", os.R_OK | os.W_OK))
    assert list(opening.boards().items()) == [("/dev/a", True), ("/dev/b", False)]
    assert opening.pins() == {"/dev/gpiochip0": False}
    found.update({opening.BOARDS: [], opening.CHIPS: []})
    assert (opening.boards(), opening.pins()) == ({}, {})


def test_a_board_comes_before_pins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.rig.glob.glob", lambda pattern: ["/dev/x"] if "usb-Arduino" in pattern else [])
    assert default_rig(tmp_path) == "nano"


def test_closing_twice_is_closing_once(tmp_path: Path, pins: MockFactory) -> None:
    rig = open_rig("gpio", data=tmp_path)
    assert isinstance(rig, LiveRig)
    rig.close()
    rig.close()
    with pytest.raises(ShovelRefused, match="closed"):
        rig.shovel("grip")
    assert rig.shovel("stop").shovel is not None


def test_a_look_at_a_rig_says_what_is_wrong_or_nothing(pins: MockFactory, tmp_path: Path) -> None:
    assert look_at_rig("none", tmp_path) is None
    assert look_at_rig("gpio", tmp_path) is None
    assert look_at_rig("sim", tmp_path) is None
    problem = look_at_rig(write(tmp_path, 'kind = "steam"'), tmp_path)
    assert problem is not None
    assert 'rig.toml:1: kind cannot be "steam"' in problem
    assert not pins.pin(17).state


def test_a_look_at_a_board_that_cannot_be_used_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "ANSWERS_WITHIN_S", 0.5)
    no_port = tmp_path / "board"
    no_port.touch()
    problem = look_at_rig(write(tmp_path, f'kind = "serial"\n[serial]\nport = "{no_port}"\n'), tmp_path)
    assert problem is not None
    assert problem.startswith("the board cannot be used: Could not configure port")
