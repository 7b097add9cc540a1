"""`digside rig`, and what a first start asks."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.refusals import Malformed
from companion.terminal import cli, rigs
from companion.terminal.rigs import RigChooser
from companion.words import LANGUAGES, say
from hardware import choice
from hardware.rig import default_rig, read_rig

BOARDS = ("/dev/serial/by-id/usb-a", "/dev/serial/by-id/usb-b")


@pytest.fixture
def boards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "boards", lambda: dict.fromkeys(BOARDS, True))
    monkeypatch.setattr(choice, "is_pi", lambda: False)


def somebody_types(monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
    left = iter(answers)
    monkeypatch.setattr(rigs, "somebody_answers", lambda: True)
    monkeypatch.setattr("builtins.input", lambda prompt: next(left))


def kind(folder: Path) -> str:
    return read_rig(default_rig(folder)).rig.kind


def test_a_first_start_asks_and_keeps_the_answer(
    tmp_path: Path, boards: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    somebody_types(monkeypatch, "9", "four", "4")
    RigChooser(tmp_path, choice, "en").at_start()
    said = capsys.readouterr().out
    assert f"  3  the Arduino Nano at {BOARDS[0]}\n  4  the Arduino Nano at {BOARDS[1]}\n" in said
    assert said.count("Type a number from 1 to 4.") == 2
    serial = read_rig(default_rig(tmp_path)).rig.serial
    assert serial is not None
    assert serial.port == BOARDS[1]


def test_a_second_start_asks_no_more(tmp_path: Path, boards: None, capsys: pytest.CaptureFixture[str]) -> None:
    choice.save_choice(tmp_path, "none")
    RigChooser(tmp_path, choice, "en").at_start()
    assert capsys.readouterr().out == ""


def test_an_answer_may_be_left_open(tmp_path: Path, boards: None, monkeypatch: pytest.MonkeyPatch) -> None:
    somebody_types(monkeypatch, "")
    RigChooser(tmp_path, choice, "en").at_start()
    assert choice.chosen(tmp_path) is None
    assert kind(tmp_path) == "none"


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_nobody_sits_it_says_how_to_choose_and_goes_on(
    tmp_path: Path, boards: None, capsys: pytest.CaptureFixture[str], language: str
) -> None:
    RigChooser(tmp_path, choice, language).at_start()
    assert capsys.readouterr().out.splitlines()[-1] == say(language, "cli.rig_how", {})
    assert kind(tmp_path) == "none"


def test_a_service_that_is_started_headless_has_no_rig(
    tmp_path: Path, boards: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    served: list[object] = []

    def serve(*, rig: str | None, **_: object) -> int:
        served.append(rig)
        return 0

    monkeypatch.setattr("web_ui.serve.serve", serve)
    assert cli.main(["serve", "--data", str(tmp_path)]) == 0
    assert "Choose once: digside rig none" in capsys.readouterr().out
    assert cli.main(["serve", "--data", str(tmp_path), "--rig", "sim"]) == 0
    assert capsys.readouterr().out == ""
    assert served == [None, "sim"]


def test_a_rig_is_chosen_by_name(tmp_path: Path, boards: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rig", "sim", "--data", str(tmp_path)]) == 0
    assert kind(tmp_path) == "sim"
    assert cli.main(["rig", "nano", "--port", BOARDS[0], "--data", str(tmp_path)]) == 0
    assert kind(tmp_path) == "serial"
    said = capsys.readouterr().out
    assert f"The board is the one at {BOARDS[0]}." in said
    assert f"The choice before it is now {tmp_path / 'rig-before.toml'}." in said


def test_the_only_board_is_taken_when_a_person_names_the_nano(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "boards", lambda: {BOARDS[0]: True})
    assert RigChooser(tmp_path, choice, "en").by_name("nano", None) == 0
    serial = read_rig(default_rig(tmp_path)).rig.serial
    assert serial is not None
    assert serial.port == BOARDS[0]


def test_of_several_boards_none_is_guessed(tmp_path: Path, boards: None, monkeypatch: pytest.MonkeyPatch) -> None:
    choosing = RigChooser(tmp_path, choice, "en")
    with pytest.raises(Malformed, match="Which of these is the board") as which:
        choosing.by_name("nano", None)
    assert all(board in str(which.value) for board in BOARDS)
    monkeypatch.setattr(choice, "boards", dict)
    with pytest.raises(Malformed, match="No board is plugged in"):
        choosing.by_name("nano", None)
    with pytest.raises(Malformed, match="The rig “sim” has no port"):
        choosing.by_name("sim", BOARDS[0])
    assert choice.chosen(tmp_path) is None


def test_what_was_chosen_is_shown(tmp_path: Path, boards: None, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["rig", "--data", str(tmp_path)]) == 1
    assert "No hardware has been chosen yet" in capsys.readouterr().out
    choice.save_choice(tmp_path, "none")
    assert cli.main(["rig", "--data", str(tmp_path)]) == 0
    assert str(tmp_path / "rig.toml") in capsys.readouterr().out


def test_a_rig_file_with_a_mistake_is_not_chosen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "own.toml").write_text('kind = "gpio"\n[gpio]\npump = 2\nvalve = 27\n')
    assert cli.main(["rig", str(tmp_path / "own.toml"), "--data", str(tmp_path)]) == 1
    assert "own.toml:3: GPIO 2 is pulled up" in capsys.readouterr().err
    assert choice.chosen(tmp_path) is None
