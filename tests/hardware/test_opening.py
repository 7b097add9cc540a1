"""Opening a rig by name, by file, or by what is found."""

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory, MockPin
from serial import SerialException

from hardware import rig as opening
from hardware.bench_rig import opened_bench
from hardware.events import Lamp, Pressed, RigState
from hardware.face import NotUsable, Rig
from hardware.faults import ShovelRefused
from hardware.live import LiveRig
from hardware.pins import DrivenPins, GpioPart
from hardware.protocol_found import look_for
from hardware.rig import NoRig, RigProblem, default_rig, look_at_rig, open_rig, read_rig
from tests.firmware_bridge.benches import LiveBoard, command
from tests.hardware.ears import PATIENCE


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
    with pytest.raises(RigProblem, match="is neither one of none, sim, nano, pico, gpio nor a readable file"):
        open_rig("steam", data=tmp_path)


def serial_at(folder: Path, port: str) -> Path:
    return write(folder, f'kind = "serial"\n[serial]\nport = "{port}"\n')


def until(rig: Rig, is_so: Callable[[RigState], bool]) -> RigState:
    """Look until something is so."""
    ends = time.monotonic() + PATIENCE
    while not is_so(state := rig.state()):
        assert time.monotonic() < ends, state
        time.sleep(0.01)
    return state


def test_a_missing_board_leaves_the_shovel_absent_and_says_what_is_missing(tmp_path: Path) -> None:
    with open_rig(serial_at(tmp_path, f"{tmp_path}/usb-*"), data=tmp_path) as rig:
        state = until(rig, lambda state: bool(state.link and "no board" in state.link.reason))
        assert (state.absent, state.shovel) == (True, None)
        assert state.link is not None
        assert state.link.reason == f"no board is connected: there is no {tmp_path}/usb-*"
        for do in ("grip", "release", "clear", "confirm"):
            with pytest.raises(ShovelRefused, match="absent"):
                rig.shovel(do)
        assert rig.shovel("stop").absent


def test_of_two_boards_none_is_taken_by_guess(tmp_path: Path) -> None:
    for name in ("usb-a", "usb-b"):
        (tmp_path / name).touch()
    with open_rig(serial_at(tmp_path, f"{tmp_path}/usb-*"), data=tmp_path) as rig:
        state = until(rig, lambda state: bool(state.link and "boards match" in state.link.reason))
        assert state.absent
        assert state.link is not None
        assert state.link.reason.endswith(f"{tmp_path}/usb-a, {tmp_path}/usb-b; name one of them")


def test_two_names_of_one_board_are_one_board(tmp_path: Path) -> None:
    (tmp_path / "board").touch()
    for name in ("usb-a", "usb-b"):
        (tmp_path / name).symlink_to(tmp_path / "board")
    assert look_for([f"{tmp_path}/nowhere", f"{tmp_path}/usb-*"]) == f"{tmp_path}/usb-a"


@pytest.mark.parametrize("late_name", ["usb-late", "usb-*"])
def test_a_late_board_is_waited_for_and_lifts(tmp_path: Path, late_name: str) -> None:
    """Neither the tables nor the shovel need a start anew."""
    with open_rig(serial_at(tmp_path, f"{tmp_path}/{late_name}"), data=tmp_path) as rig:
        until(rig, lambda state: bool(state.link and state.link.reason != "not opened yet"))
        assert rig.state().absent
        board = LiveBoard("host", command("host"), tmp_path / "usb-late")
        try:
            state = until(rig, lambda state: not state.absent)
            assert state.shovel is not None
            assert (state.shovel.state, state.shovel.fault) == ("off", None)
            gripping = rig.shovel("grip").shovel
            assert gripping is not None
            assert gripping.state == "priming"
        finally:
            board.close()


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
    file = write(tmp_path, 'kind = "gpio"\n[gpio]\npump = 5\nvalve = 6\nactive_high = false\n')
    for number in (5, 6):
        pins.pin(number)
    with open_rig(file, data=tmp_path):
        for number in (5, 6):
            pin = pins.pin(number)
            assert isinstance(pin, MockPin)
            assert [bool(seen.state) for seen in pin.states] == [False, True]


def test_what_was_chosen_is_opened(tmp_path: Path) -> None:
    write(tmp_path, 'kind = "sim"')
    assert default_rig(tmp_path) == str(tmp_path / "rig.toml")
    with open_rig(data=tmp_path) as rig:
        assert rig.kind == "sim"


def test_on_a_bare_pi_with_boards_plugged_in_nothing_is_seized(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pins: MockFactory
) -> None:
    (tmp_path / "model").write_text("Raspberry Pi 5 Model B Rev 1.0\0")
    monkeypatch.setattr(opening, "MODEL", tmp_path / "model")
    found = {opening.CHIPS: ["/dev/gpiochip0"], opening.BOARDS: ["/dev/serial/by-id/usb-1a86_USB_Serial"]}
    monkeypatch.setattr("hardware.rig.glob.glob", lambda pattern: found.get(pattern, []))
    assert opening.is_pi()
    assert default_rig(tmp_path) == "none"
    assert isinstance(open_rig(data=tmp_path), NoRig)
    assert not pins.pins


def test_on_a_pi_the_chip_that_has_the_header_is_driven_whatever_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pins: MockFactory
) -> None:
    taken: list[int] = []

    def factory(*, chip: int) -> MockFactory:
        taken.append(chip)
        return pins

    monkeypatch.setattr(Device, "pin_factory", None)
    monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", SimpleNamespace(LGPIOFactory=factory))
    monkeypatch.setattr(opening, "header_chip", lambda chips: "/dev/gpiochip4")
    open_rig("gpio", data=tmp_path).close()
    assert taken == [4]


def test_a_pi_none_of_whose_chips_has_the_header_is_refused_by_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pins: MockFactory
) -> None:
    monkeypatch.setattr(opening, "is_pi", lambda: True)
    monkeypatch.setattr(opening, "header_chip", lambda chips: None)
    with pytest.raises(NotUsable, match="has the pins of the header; is this user in the group gpio"):
        open_rig("gpio", data=tmp_path)
    assert not pins.pins


def test_the_preset_of_the_nano_opens_no_strangers_port() -> None:
    """A CH340 is in clones of the Nano, and in much else."""
    serial = read_rig("nano").rig.serial
    assert serial is not None
    assert serial.ports == ("/dev/digside-board",)
    with pytest.raises(SerialException, match="name its port once: digside rig nano --port PORT"):
        look_for(serial.ports)


def test_which_pins_will_be_driven_is_noted_before_they_are(
    tmp_path: Path, pins: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_file = DrivenPins(tmp_path)
    noted: list[object] = []

    def driven(pin: int, **_: object) -> None:
        noted.append(run_file.read())
        raise RuntimeError("that is all this test wants to know")

    monkeypatch.setattr(opening, "OutputDevice", driven)
    with pytest.raises(NotUsable):
        open_rig("gpio", data=tmp_path, driven_pins=run_file)
    assert noted == [GpioPart(pump=17, valve=27)]


def test_a_rig_without_pins_of_its_own_notes_none(tmp_path: Path) -> None:
    run_file = DrivenPins(tmp_path)
    open_rig("sim", data=tmp_path, driven_pins=run_file).close()
    assert run_file.read() is None


def test_boards_and_pins_are_found_and_whether_they_may_be_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {opening.BOARDS: ["/dev/b", "/dev/a"], opening.CHIPS: ["/dev/gpiochip0"]}
    monkeypatch.setattr("hardware.rig.glob.glob", lambda pattern: list(found[pattern]))
    monkeypatch.setattr("hardware.rig.os.access", lambda device, how: (device, how) == ("/dev/a", os.R_OK | os.W_OK))
    assert list(opening.boards().items()) == [("/dev/a", True), ("/dev/b", False)]
    assert opening.pins() == {"/dev/gpiochip0": False}
    found.update({opening.BOARDS: [], opening.CHIPS: []})
    assert (opening.boards(), opening.pins()) == ({}, {})


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
    problem = look_at_rig(serial_at(tmp_path, str(no_port)), tmp_path)
    assert problem is not None
    assert problem.startswith("the board cannot be used: Could not configure port")


def test_a_look_at_a_board_that_is_missing_says_on_which_line(tmp_path: Path) -> None:
    file = serial_at(tmp_path, "/dev/nowhere")
    assert look_at_rig(file, tmp_path) == f"{file}:3: no board is connected: there is no /dev/nowhere"


def test_a_board_without_a_line_for_a_button_is_told_by_a_sentence(tmp_path: Path) -> None:
    rig = 'kind = "sim"\n[sim]\nurl = "sim://an-uno?uno=1"\n[panel]\nbuttons = { deal = 6, undo = 7 }\n'
    problem = look_at_rig(write(tmp_path, rig), tmp_path)
    assert problem is not None
    assert problem.startswith("this board has no line for the button undo: lines 7 and 8")
    assert look_at_rig(write(tmp_path, rig.replace("?uno=1", "-no-more")), tmp_path) is None


def test_a_board_without_a_shovel_lifts_nothing(tmp_path: Path) -> None:
    sheet = tmp_path / "rig.toml"
    sheet.write_text(f'kind = "serial"\n[serial]\nport = "{tmp_path}/none"\nshovel = false\n[lights]\n')
    with open_rig(sheet, data=tmp_path) as rig:
        assert rig.state().shovel is None
        assert rig.state().link is not None
        with pytest.raises(ShovelRefused, match="no_shovel"):
            rig.shovel("grip")
    with (
        pytest.raises(RigProblem, match="there is no shovel to be checked"),
        opened_bench(str(sheet), tmp_path, SimpleNamespace()),
    ):
        pass
