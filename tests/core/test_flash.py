"""`digside flash`, as somebody with a Nano, a cable and nothing else uses it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from companion.refusals import Malformed
from companion.terminal import cli
from companion.terminal.flash import KEPT, Flashing
from companion.words import LANGUAGES, say
from firmware_bridge.stk500 import Why
from hardware import flash

BEFORE = b"what was there before"


class Straw:
    """Boards of straw."""

    read_file, keep_in = staticmethod(flash.read_file), staticmethod(flash.keep_in)

    def __init__(self, *ports: str) -> None:
        self._ports = ports
        self.written: list[tuple[str, bytes]] = []
        self.fails: flash.FlashResult | None = None

    def ports(self) -> tuple[str, ...]:
        return self._ports

    def version(self) -> str:
        return "9.9"

    def firmware(self) -> bytes:
        return b"what is shipped"

    def flash(
        self,
        port: str,
        firmware: bytes,
        *,
        progress: Callable[[Any, float], None],
        keep: Callable[[bytes], None] | None = None,
    ) -> flash.FlashResult:
        if keep is not None:
            for share in (0.1, 0.5, 1.0):
                progress("keep", share)
            keep(BEFORE)
        progress("write", 0.3)
        if self.fails:
            return self.fails
        progress("write", 1.0)
        self.written.append((port, firmware))
        return flash.FlashResult("ATmega328P")


def run(folder: Path, boards: Straw, port: str | None = None, *, file: Path | None = None, back: bool = False) -> int:
    return Flashing(folder, boards, "en").run(port, file=file, back=back)


def test_what_is_shipped_is_written_and_what_was_there_can_be_had_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    boards = Straw("/dev/one")
    assert run(tmp_path, boards) == 0
    said = capsys.readouterr().out
    assert "Keeping what is on it… 50 % 100 %\nWriting… 30 % 100 %\n" in said
    assert "firmware 9.9 is on it, and compared" in said
    assert "digside flash --back" in said
    assert run(tmp_path, boards, back=True) == 0
    assert boards.written == [("/dev/one", b"what is shipped"), ("/dev/one", BEFORE)]
    assert flash.read_file(tmp_path / KEPT) == BEFORE, "the way back is not overwritten on it"


def test_a_file_of_ones_own_is_written(tmp_path: Path) -> None:
    boards, file = Straw("/dev/one"), tmp_path / "own.hex"
    flash.keep_in(file)(b"my own")
    assert run(tmp_path, boards, "/dev/other", file=file) == 0
    assert boards.written == [("/dev/other", b"my own")]


@pytest.mark.parametrize(
    ("ports", "back", "key"),
    [
        ((), False, "flash.no_board"),
        (("/dev/one", "/dev/two"), False, "flash.which_board"),
        (("/dev/one",), True, "cli.cannot_read"),
    ],
)
def test_what_is_not_said_is_asked_for(tmp_path: Path, ports: tuple[str, ...], back: bool, key: str) -> None:
    with pytest.raises(Malformed) as refused:
        run(tmp_path, Straw(*ports), back=back)
    assert refused.value.key == key


def test_a_file_that_is_no_firmware_is_not_written(tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear board,\n")
    with pytest.raises(Malformed) as refused:
        run(tmp_path, Straw("/dev/one"), file=file)
    assert refused.value.key == "flash.not_hex"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("why", ["port", "lost", *get_args(Why)])
def test_each_failure_is_told_by_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], why: str, language: str
) -> None:
    boards = Straw("/dev/one")
    boards.fails = flash.FlashResult(None, why, "as the computer puts it")
    assert Flashing(tmp_path, boards, language).run(None, file=None, back=False) == 1
    said = capsys.readouterr().err.strip()
    assert "failed_" not in said
    assert len(said) > 20


def test_a_port_that_cannot_be_opened_is_told_as_such(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["flash", "--data", str(tmp_path), "--port", "/dev/nowhere"]) == 1
    assert say("en", "flash.failed_port", {"reason": ""}).split(":")[0] in capsys.readouterr().err
