"""What stands beside the table is chosen once and kept with the tables."""

from pathlib import Path

import pytest

from hardware import choice
from hardware.choice import RigOffer, chosen, offers, ports, save_choice
from hardware.faults import RigProblem
from hardware.rig import default_rig, read_rig

CLONE, FTDI = "/dev/serial/by-id/usb-1a86_USB_Serial-if00-port0", "/dev/serial/by-id/usb-FTDI_FT232R_A50285BI"


def plugged_in(monkeypatch: pytest.MonkeyPatch, *boards: str, pi: bool = False) -> None:
    monkeypatch.setattr(choice, "boards", lambda: dict.fromkeys(boards, True))
    monkeypatch.setattr(choice, "is_pi", lambda: pi)


def test_a_laptop_is_offered_no_pins_and_every_board_by_its_port(monkeypatch: pytest.MonkeyPatch) -> None:
    plugged_in(monkeypatch, CLONE, FTDI)
    assert offers() == (RigOffer("none"), RigOffer("sim"), RigOffer("nano", CLONE), RigOffer("nano", FTDI))


def test_a_pi_is_offered_its_pins_last(monkeypatch: pytest.MonkeyPatch) -> None:
    plugged_in(monkeypatch, pi=True)
    assert offers() == (RigOffer("none"), RigOffer("sim"), RigOffer("gpio"))


def test_the_name_of_a_udev_rule_comes_before_what_is_plugged_in(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    plugged_in(monkeypatch, CLONE)
    (tmp_path / "digside-board").touch()
    monkeypatch.setattr(choice, "OWN_NAME", str(tmp_path / "digside-board"))
    assert ports() == (str(tmp_path / "digside-board"),)


@pytest.mark.parametrize("name", ["none", "sim", "gpio"])
def test_a_choice_is_kept_and_opened_from_then_on(name: str, tmp_path: Path) -> None:
    assert chosen(tmp_path / "new") is None
    kept = save_choice(tmp_path / "new", name)
    assert (kept.file, kept.former) == (tmp_path / "new" / "rig.toml", None)
    assert chosen(tmp_path / "new") == kept.file
    assert read_rig(default_rig(tmp_path / "new")).rig == read_rig(name).rig


def test_a_board_is_kept_by_the_port_it_was_chosen_at(tmp_path: Path) -> None:
    save_choice(tmp_path, "nano", CLONE)
    serial = read_rig(default_rig(tmp_path)).rig.serial
    assert serial is not None
    assert serial.ports == (CLONE,)
    assert read_rig(default_rig(tmp_path)).rig.panel == read_rig("nano").rig.panel


def test_a_port_with_marks_of_its_own_is_kept_as_it_is(tmp_path: Path) -> None:
    odd = 'socket://table"1\\g<0>:99'
    save_choice(tmp_path, "nano", odd)
    serial = read_rig(default_rig(tmp_path)).rig.serial
    assert serial is not None
    assert serial.port == odd


def test_a_file_of_ones_own_is_kept_and_the_one_before_it_too(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text('kind = "gpio"\n[gpio]\npump = 23\nvalve = 24\n')
    save_choice(tmp_path, "sim")
    before = (tmp_path / "rig.toml").read_text()
    kept = save_choice(tmp_path, str(own))
    assert kept.former == tmp_path / "rig-before.toml"
    assert (kept.file.read_text(), kept.former.read_text()) == (own.read_text(), before)
    assert save_choice(tmp_path, str(own)).former is None


def test_what_could_not_be_opened_is_not_kept(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text('kind = "gpio"\n[gpio]\npump = 2\nvalve = 24\n')
    for wrong in (str(tmp_path / "own.toml"), "steam"):
        with pytest.raises(RigProblem):
            save_choice(tmp_path, wrong)
    with pytest.raises(RigProblem, match="has no line that begins with port"):
        save_choice(tmp_path, "sim", CLONE)
    assert chosen(tmp_path) is None
