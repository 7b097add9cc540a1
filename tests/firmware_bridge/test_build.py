"""Building the simulated board where Digside runs, and the firmware for the Nano."""

from __future__ import annotations

import re
import subprocess
import threading
from pathlib import Path

import pytest

from firmware_bridge import build, sim
from firmware_bridge.board import Board
from tests.firmware_bridge.benches import FIRMWARE, OUT, make
from tests.needs import needs_program


@pytest.fixture
def no_compiler(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)


def test_it_is_built_once_and_found_again(tmp_path: Path) -> None:
    needs_program("cc", apt="gcc libc6-dev")
    first = build.program(tmp_path)
    built = first.stat().st_mtime_ns
    assert build.program(tmp_path) == first
    assert first.stat().st_mtime_ns == built


def test_several_at_once_build_it_once(tmp_path: Path) -> None:
    needs_program("cc", apt="gcc libc6-dev")
    found: list[Path] = []
    threads = [threading.Thread(target=lambda: found.append(build.library(tmp_path))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1
    assert len(found) == 4
    assert {path.name for path in found[0].parent.iterdir()} == {"libboard.so", "lock"}


def test_other_sources_make_another_build(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    before = build.fingerprint("cc")
    changed = tmp_path / "core"
    changed.mkdir()
    (changed / "board.c").write_text("changed")
    (tmp_path / "pins.h").write_text("")
    monkeypatch.setattr(build, "SOURCES", tmp_path)
    assert build.fingerprint("cc") != before


@pytest.mark.usefixtures("no_compiler")
def test_without_a_compiler_the_reason_is_said() -> None:
    with pytest.raises(build.NoCompiler, match="apt install gcc"):
        build.program()


@pytest.mark.usefixtures("no_compiler")
def test_without_a_compiler_the_twin_steps_in_and_says_so(caplog: pytest.LogCaptureFixture) -> None:
    with Board("sim://no-compiler") as board:
        assert board.wait(5.0)
        assert board.hello is not None
        assert "Python twin" in board.hello.description
    assert "Python twin" in caplog.text


def test_a_compiler_that_fails_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "broken-cc"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setenv("CC", str(broken))
    with pytest.raises(build.NoCompiler, match="cannot build"):
        build.program(tmp_path / "cache")
    assert not list((tmp_path / "cache").rglob("board"))


def test_everything_the_build_needs_is_package_data() -> None:
    """The sources are found beside the module, in an installation too (pyproject.toml lists *.c and *.h)."""
    assert {path.suffix for path in build.sources()} == {".c", ".h"}
    assert build.SOURCES.parent == Path(build.__file__).parent


def test_the_firmware_for_the_nano_fits_with_room_to_spare() -> None:
    needs_program("make", apt="make")
    needs_program("avr-gcc", apt="gcc-avr avr-libc binutils-avr")
    make("all", FIRMWARE)
    records = (OUT / "digside_board.hex").read_text().split()
    assert sum(int(record[1:3], 16) for record in records if record[7:9] == "00") < 8192


def test_what_outlives_a_reset_lies_between_variables_and_stack() -> None:
    """The linker does not know of it: it must be clear of what the start clears, and far below the stack."""
    needs_program("make", apt="make")
    nm = needs_program("avr-nm", apt="gcc-avr avr-libc binutils-avr")
    make("all", FIRMWARE)
    listed = subprocess.run([nm, OUT / "digside_board.elf"], capture_output=True, text=True, check=True).stdout
    found = {name: int(address, 16) & 0xFFFF for address, _, name in map(str.split, listed.splitlines())}
    kept = re.search(r"#define KEPT_AT (0x[0-9a-f]+)u", (FIRMWARE / "avr" / "main.c").read_text())
    assert kept
    assert found["_end"] < int(kept[1], 16) < found["__stack"] - 512


@pytest.mark.parametrize(
    "url", ["sim://?leek=1", "sim://?leak=2", "sim://?drop=-1", "sim://?leak=much", "sim://?corrupt=101"]
)
def test_an_address_with_a_mistake_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="sim://"):
        sim.read_address(url)


def test_an_address_may_script_faults() -> None:
    faults = sim.read_address("sim://left?leak=0.3&drop=5&unplug=20&card=1")
    assert (faults.leak, faults.drop, faults.unplug, faults.card) == (0.3, 5.0, 20.0, True)


def test_two_boards_at_two_addresses_are_two() -> None:
    with Board("sim://left") as left, Board("sim://right") as right:
        assert left.wait(5.0)
        assert right.wait(5.0)
        left.lamps(1)
        right.lamps(2)
        assert left.world is not None
        assert right.world is not None
        assert (left.world.lamps, right.world.lamps) == (1, 2)
